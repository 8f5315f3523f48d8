"""Operating system and network: paths, files, locks, the cache folder, sockets, text.

The bottom layer: it knows no game.
"""

__version__ = "0.2.0"
