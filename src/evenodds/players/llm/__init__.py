"""Language models as players: prompts, chat API client, answer parsing, budget.

May import `core`, `render` and `system`; `players.player`.
"""
