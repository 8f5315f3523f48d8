"""Validate the package and a running server, and play a match over its client."""

import json
import re
import socket
import subprocess
import sys
import time

from evenodds_openenv import Answer, MatchClient

with socket.create_server(("127.0.0.1", 0)) as listener:
    port = listener.getsockname()[1]
url = f"http://127.0.0.1:{port}"
server = subprocess.Popen([sys.executable, "-m", "evenodds_openenv", "--port", str(port)])
try:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    subprocess.run(["openenv", "validate", "."], check=True)
    subprocess.run(["openenv", "validate", "--url", url], check=True)
    with MatchClient(base_url=url).sync() as client:
        told = client.reset(seed=1, game="underdog", opponent="level:6", seat="first")
        rewards = []
        while not told.done:
            legal = re.findall(r'"legal": (\[.*?\])', told.observation.question)[-1]
            told = client.step(Answer(text=f"PICK: {json.loads(legal)[0]}"))
            rewards.append(told.reward)
        assert told.observation.score in (0, 0.5, 1)
        assert all(-1 <= reward <= 0 for reward in rewards)
        assert any(rewards)
        print(told.observation.score, rewards)
finally:
    server.terminate()
