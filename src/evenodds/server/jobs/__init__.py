"""Background work: a job queue for solves and reports, fair between addresses; supervised tasks.

All of it keeps slow work off the event loop, in threads or in worker processes.
"""
