"""What every request passes: security, problems as RFC 9457 has them, seats by their tokens."""
