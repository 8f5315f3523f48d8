"""A stand-in for a language model: it shows what a model is asked, and picks the highest number.

python examples/models/stand_in.py
evenodds play duel --vs "llm:stand-in@http://127.0.0.1:11435/v1"
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class StandIn(BaseHTTPRequestHandler):
    """`POST /v1/chat/completions`, as the services of models speak it."""

    def do_POST(self) -> None:
        """Print the question and answer with a pick."""
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = request["messages"][-1]["content"]
        sys.stdout.write(f"{question}\n\n")
        sys.stdout.flush()
        asked = "\n".join(message["content"] for message in request["messages"])
        legal = max(json.loads(re.findall(r'"legal": (\[.*?\])', asked)[-1]))
        names = json.loads((re.findall(r'"pick_names": (\{.*?\})', asked) or ["{}"])[-1])
        said = {"role": "assistant", "content": f"PICK: {names.get(str(legal), legal)}"}
        streams = bool(request.get("stream"))
        choice = {"index": 0, "finish_reason": "stop", "delta" if streams else "message": said}
        kind = "chat.completion.chunk" if streams else "chat.completion"
        answer = {"id": "1", "object": kind, "created": 0, "model": "stand-in", "choices": [choice]}
        text = json.dumps(answer)
        body = (f"data: {text}\n\ndata: [DONE]\n\n" if streams else text).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing but the questions."""


port = int(sys.argv[1]) if len(sys.argv) > 1 else 11435
server = ThreadingHTTPServer(("127.0.0.1", port), StandIn)
sys.stdout.write(f"The stand-in is llm:stand-in@http://127.0.0.1:{server.server_port}/v1\n")
sys.stdout.flush()
server.serve_forever()
