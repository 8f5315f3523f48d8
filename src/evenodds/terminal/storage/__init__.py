"""Files of the terminal user interface: saved matches and match records."""
