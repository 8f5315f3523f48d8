"""A complete bot for every game of Even Odds: any legal number, if it can not the last one again.

evenodds play duel --vs "cmd:python examples/bots/bot.py"
"""

import json
import random
import sys

last = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] in ("view", "error"):  # a question, or the same question once more
        fresh = [number for number in message["legal"] if number != last]
        last = random.choice(fresh or message["legal"])
        sys.stdout.write(json.dumps({"type": "pick", "number": last}) + "\n")
        sys.stdout.flush()  # or the answer waits here until the clock has run out
    elif message["type"] == "bye":
        break
