"""Operating system and network: paths, files, locks, the cache folder, sockets, text."""
