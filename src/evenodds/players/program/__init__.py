"""External programs as players: the JSON line protocol, and the process with its limits."""
