"""HTTP layer: security middleware, problem responses (RFC 9457), seat authentication, metrics.

What all routes share.
"""
