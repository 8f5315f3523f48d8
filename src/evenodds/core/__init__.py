"""What a game is and how a match of it runs. The standard library only."""
