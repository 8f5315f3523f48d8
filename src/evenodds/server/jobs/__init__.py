"""Background work: solve queue, report queue, fair scheduling by address, supervised tasks.

All of it keeps slow work off the event loop, in threads or in worker processes.

May import `core`, `graph`, `solver`, `study` and `system`; `server.logs`.
"""
