"""What Even Odds does, stated as tests."""
