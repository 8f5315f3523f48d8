"""The computer opponents. Each sees a seat's view and nothing else."""
