"""Results for people at a terminal, one module for each command that prints them."""
