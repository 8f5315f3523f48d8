"""Work in the background: solves and reports, shared fairly; tasks that are supervised."""
