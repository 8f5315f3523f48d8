"""Commands that play and show matches, games and what the reader remembers.

May import `cli.shared`, `client`, `core`, `players`, `render`, `system` and `terminal`; libraries:
`click`.
"""
