"""Migration scripts, in order.

May import libraries only: `alembic` and `sqlalchemy`.
"""
