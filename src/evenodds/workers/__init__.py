"""Task execution in parallel: worker processes on this machine, or a Dask cluster.

Tasks and results are plain data.
"""
