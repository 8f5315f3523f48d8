"""The rules of a game and the matrix solver compiled for an NVIDIA GPU."""
