"""The web application: matches over the network, each pick durable before it is acknowledged.

`serve` runs a process and `app` builds the ASGI application from `routes`, `http`, `matches`,
`jobs` and `storage`, in this order from the top. The package may import all others except `cli`,
`envs` and `terminal`; only `cli` imports it.
"""
