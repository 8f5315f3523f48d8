"""Task execution in parallel: worker processes on this machine, or a Dask cluster."""
