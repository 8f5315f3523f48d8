"""Write the record anew, or compare what the product says now with it.

python -m tests.record write              into tests/record/said
python -m tests.record compare [PART]     prints the differences; numbers may differ by 1e-9
"""

import contextlib
import difflib
import html
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

import evenodds

SAID = Path(__file__).parent / "said"
COMMAND = str(Path(sys.executable).with_name("evenodds"))
TOLERANCE = 1e-9

GAMES = """
underdog | 3-5 | numbers=3..5            | numbers=5 target=2 | numbers=6 gap=2 exhausted=draw
margin   | 1-2 | numbers=2..4            | numbers=4 last_round=decisive | numbers=3
circle   | 2   | numbers=4..7 reach=1..2 | numbers=6 leaps=1 | numbers=7 reach=2
duel     | 1-3 | hp=1..4 numbers=1..3    | hp=6 numbers=4 overreach=2 | knockout=draw
factors  | 4   | target=3..6 | target=14 numbers=6 echo=barred | target=12 same=twice finish=round
"""
"""Of each game: first picks, the values of a sweep, and two rulings beside the rule book's own."""
ROWS = [[cell.strip() for cell in line.split("|")] for line in GAMES.split("\n") if line]
RULINGS = {name: ["", *rulings] for name, _, _, *rulings in ROWS}
FIRST_PICKS = {name: first for name, first, *_ in ROWS}
AXES = {name: axes for name, _, axes, *_ in ROWS}
OF_A_RULING = (
    "solve {}",
    "solve {} --json",
    "solve {} --after {first}",
    "odds {} perfect random",
    "odds {} level:3 level:5 --json",
    "players {}",
    "players {} --json",
    "study {}",
    "study {} --json",
    "arena {} --player random --player level:2 --player perfect --json",
    "arena {} --player random --player reader --matches 4 --seed 1 --json",
    "train {} --seed 4 --plain",
    "play {} --vs level:3 --seed 7 --plain --record FOLDER/match.txt",
    "review FOLDER/match.txt",
    "review FOLDER/match.txt --json",
    "show FOLDER/match.txt",
)
"""Run one after the other in a folder of their own; what is typed is the lowest legal number."""
OF_A_GAME = ("rules {}", "sweep {} {axis}", "sweep {} {axis} --json", "repair {} --json")
OTHERS = (
    "games",
    "--version",
    "benchmark --player level:2 --matches 4 --json",
    "play underdg",
    "play underdog numbers=40",
    "play underdog sise=3",
    "solve duel --after 9-9",
    "odds margin perfect nobody",
    "study",
    "sweep circle numbers=9..3",
    "repair duel --want fun",
    "arena duel --player random",
    "benchmark",
    "review nothing.txt",
    "show nothing.txt",
    "resume",
    "matches",
    "habits",
    "cache",
    "join nowhere",
)
PAGES = ("/", "/rules/{}", "/practice/{}", "/map/{}", "/{}", "/api/games/{}/rules", "/nowhere")


def typed(command: str) -> str:
    """Every number over and over: what is not legal is refused, and the next one is tried."""
    times = 2 if command.startswith("train") else 40
    return "".join(f"{number}\n" for _ in range(times) for number in range(1, 11))


def said(command: str, home: Path) -> str:
    """What a command prints, with nothing in it that is different each time."""
    words = command.replace("FOLDER", str(home)).split()
    done = subprocess.run(
        [COMMAND, *words],
        input=typed(command),
        capture_output=True,
        text=True,
        env=os.environ | {"EVENODDS_HOME": str(home), "COLUMNS": "80", "TERM": "dumb"},
        timeout=600,
    )
    text = f"$ evenodds {command}\n{spread_out(done.stdout)}"
    text += f"stderr: {done.stderr}" if done.stderr else ""
    text += f"exit code: {done.returncode}\n"
    return steady(text.replace(str(home), "FOLDER"))


def spread_out(text: str) -> str:
    """JSON over several lines, so that a difference is a short one; any other text as it is."""
    with contextlib.suppress(json.JSONDecodeError):
        return json.dumps(json.loads(text), indent=0, ensure_ascii=False) + "\n"
    return text


def steady(text: str) -> str:
    """A text without dates, durations, ports and random names."""
    text = re.sub(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?|\d{4}\.\d\d\.\d\d", "DATE", text)
    text = re.sub(r"stderr: [a-z ]+: [\d,]+ of [\d,]+\n", "", text)  # progress
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST", text)
    text = re.sub(r"\d+(\.\d+)? (s|ms|seconds?)\b", "TIME", text)
    text = re.sub(r'("(?:seconds|pace)": )[\d.e-]+', r"\1TIME", text)
    return re.sub(r"[?]v=[0-9a-f]+", "", text)


def of_ruling(game: str, ruling: str) -> tuple[str, str]:
    """All that the commands say about a game under a ruling."""
    with tempfile.TemporaryDirectory() as folder:
        first = FIRST_PICKS[game]
        name = f"{game}-{ruling.replace(' ', '-') or 'default'}.txt"
        commands = [one.format(f"{game} {ruling}".strip(), first=first) for one in OF_A_RULING]
        if not ruling:
            commands += [one.format(game, axis=AXES[game]) for one in OF_A_GAME]
        return name, "\n".join(said(command, Path(folder)) for command in commands)


def others() -> tuple[str, str]:
    """What commands say that are about no game, and refusals."""
    helps = re.findall(r"^\s+([a-z]+)  ", said_of_help := _help(), re.M)
    names = [*helps, *re.findall(r"More +(.*)", said_of_help)[0].split(", ")]
    with tempfile.TemporaryDirectory() as folder:
        commands = ["--help", *(f"{name} --help" for name in names), *OTHERS]
        return "commands.txt", "\n".join(said(command, Path(folder)) for command in commands)


def _help() -> str:
    done = subprocess.run([COMMAND, "--help"], capture_output=True, text=True, check=True)
    return re.sub(r"^(Play|Learn|Study|Compare|Serve) ", " ", done.stdout, flags=re.M)


def api() -> tuple[str, str]:
    """The public names with their signatures and members."""
    lines = []
    for name in sorted(evenodds.__all__):
        found = getattr(evenodds, name)
        lines.append(f"{name}{_signature(found)}")
        if inspect.isclass(found) or inspect.ismodule(found):
            members = [one for one in dir(found) if not one.startswith("_")]
            lines += [f"    {name}.{one}{_signature(getattr(found, one))}" for one in members]
    return "api.txt", "\n".join(lines) + "\n"


def _signature(found: object) -> str:
    with contextlib.suppress(TypeError, ValueError):
        if callable(found):
            return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(found)))
    return ""


def pages() -> Iterator[tuple[str, str]]:
    """The texts of pages, a match by HTTP and the OpenAPI document."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"EVENODDS_HOME": folder}
        command = [COMMAND, "serve", "--port", "0"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as server:
            assert server.stdout is not None
            url = re.findall(r"http://[^\s/]+", server.stdout.readline())[0]
            try:
                with httpx.Client(base_url=url, timeout=120, follow_redirects=True) as client:
                    yield from _texts(client)
            finally:
                server.terminate()


def _texts(client: httpx.Client) -> Iterator[tuple[str, str]]:
    document = client.get("/api/schema/openapi.json").json()
    yield "openapi.json", json.dumps(document, indent=1, sort_keys=True) + "\n"
    paths = dict.fromkeys(page.format(game) for page in PAGES for game in RULINGS)
    texts = [f"GET {path}\n{words(client.get(path).text)}\n" for path in paths]
    for game in RULINGS:
        asked = {"game": game, "name": "Ann", "opponent": "level:3", "seat": 1}
        opened = client.post("/api/matches", json=asked)
        texts.append(f"POST /api/matches {game}: {opened.status_code}\n")
        if opened.status_code == 201:
            path = f"/match/{opened.json()['match']}"
            view = client.get(f"/api{path.replace('/match/', '/matches/')}").json()
            texts.append("view: " + " ".join(sorted(view)) + "\n")
            texts.append(f"GET /match/{game}\n{words(client.get(path).text)}\n")
    yield "pages.txt", steady("\n".join(texts))


def words(page: str) -> str:
    """What a page says, a line for each piece of text."""
    page = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    lines = html.unescape(re.sub(r"<[^>]+>", "\n", page)).splitlines()
    return "\n".join(line.strip() for line in lines if line.strip())


def everything() -> Iterator[tuple[str, str]]:
    """All parts of the record: a file name and a text each."""
    wanted = [(game, ruling) for game, rulings in RULINGS.items() for ruling in rulings]
    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(lambda one: of_ruling(*one), wanted)
    yield others()
    yield api()
    yield from pages()


NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def same(before: str, after: str) -> bool:
    """Whether two lines say the same, but for the last digits of numbers."""
    if before == after:
        return True
    if NUMBER.sub("#", before) != NUMBER.sub("#", after):
        return False
    pairs = zip(NUMBER.findall(before), NUMBER.findall(after), strict=True)
    return all(abs(float(one) - float(other)) <= TOLERANCE for one, other in pairs)


def differences(name: str, now: str) -> list[str]:
    """The lines of a part that differ, as a diff."""
    old, new = (SAID / name).read_text(encoding="utf-8").splitlines(), now.splitlines()
    if len(old) == len(new):
        new = [
            before if same(before, after) else after for before, after in zip(old, new, strict=True)
        ]
    return list(difflib.unified_diff(old, new, name, name, lineterm="", n=1))


def main() -> int:
    """Write or compare."""
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    differs = 0
    for name, text in everything():
        if sys.argv[1:2] == ["write"]:
            SAID.mkdir(exist_ok=True)
            (SAID / name).write_text(text, encoding="utf-8")
        elif wanted in name and (found := differences(name, text)):
            differs += 1
            sys.stdout.write("\n".join(found) + "\n")
    return int(differs > 0)


if __name__ == "__main__":
    sys.exit(main())
