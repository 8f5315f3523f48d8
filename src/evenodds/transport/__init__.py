"""Connections to our servers, and the bounds within which strangers may use them."""
