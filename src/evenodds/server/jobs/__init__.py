"""Background work: solve queue, report queue, fair scheduling by address, supervised tasks."""
