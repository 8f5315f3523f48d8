"""Self-contained HTML pages of studies: the report of one game, and a comparison."""
