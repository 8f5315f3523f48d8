"""HTTP layer: security middleware, problem responses (RFC 9457), seat authentication, metrics.

What all routes share.

May import `core`, `players`, `protocol`, `solver` and `system`; `server.assets`, `server.jobs`,
`server.logs`, `server.matches`, `server.rate_limits` and `server.storage`;
libraries: `litestar`, `msgspec` and `prometheus_client`.
"""
