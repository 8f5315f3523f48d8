"""Background work: solve queue, report queue, fair scheduling by address, supervised tasks.

All of it keeps slow work off the event loop, in threads or in worker processes. This package
imports `server.logs` and the packages below `server`, and nothing of matches, HTTP or storage.
"""
