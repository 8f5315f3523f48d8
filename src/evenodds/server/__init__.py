"""The web application: matches over the network, each pick durable before it is acknowledged.

`serve` runs a process and `app` builds the ASGI application from `routes`, `http`, `matches`,
`storage` and `jobs`, in this order from the top. Only `cli` imports the package.
"""
