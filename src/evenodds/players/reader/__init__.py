"""The reader: an opponent model of a person's habits, its storage, and bounded exploitation."""
