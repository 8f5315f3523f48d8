"""A program that says its lines from a dialogue, and writes down what it really hears.

    scripted.py DIALOGUE TRANSCRIPT

`> ` is a line that it should hear, `< ` one that it says, `! ` stands where it crashes.
"""

import sys
from pathlib import Path


def perform(dialogue: list[str], transcript: Path) -> None:
    """Go on from where the transcript ends, to the end of the dialogue or the next crash."""
    done = len(transcript.read_text().splitlines()) if transcript.exists() else 0
    with transcript.open("a") as record:
        for line in dialogue[done:]:
            record.write(f"> {sys.stdin.readline()}" if line.startswith("> ") else f"{line}\n")
            record.flush()
            if line.startswith("! "):
                sys.exit(1)
            if line.startswith("< "):
                sys.stdout.write(line.removeprefix("< ") + "\n")
                sys.stdout.flush()
        record.writelines(f"> {line}" for line in sys.stdin)


perform(Path(sys.argv[1]).read_text().splitlines(), Path(sys.argv[2]))
