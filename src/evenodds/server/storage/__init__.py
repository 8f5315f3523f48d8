"""What lasts: the database, its schema and migrations, events, and the task that writes them."""
