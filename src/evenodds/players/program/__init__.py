"""Programs of the user's own as players, over lines of JSON."""
