"""The web application: matches over the network, each pick durable before it is acknowledged.

`serve` runs a process and `app` builds the ASGI application from `routes`, `http`, `matches`,
`storage` and `jobs`, in this order from the top. Only `cli` imports the package.

May import `claims`, `coach`, `core`, `figures`, `graph`, `players`, `protocol`, `render`, `solver`,
`system` and `workers`; libraries: `alembic`, `asyncpg`, `litestar`, `msgspec`, `prometheus_client`,
`sqlalchemy` and `uvicorn`.
"""
