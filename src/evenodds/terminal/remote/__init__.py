"""Matches on a server, played or watched from the terminal, over `evenodds.client`."""
