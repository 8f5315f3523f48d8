"""Task execution in parallel: worker processes on this machine, or a Dask cluster.

Tasks and results are plain data. May import `solver` and what is below it, `core` and `system`.
"""
