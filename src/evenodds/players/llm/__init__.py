"""Language models as players: prompts, chat API client, answer parsing, budget."""
