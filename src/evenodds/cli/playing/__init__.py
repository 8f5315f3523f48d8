"""Commands that play and show matches, games and what the reader remembers."""
