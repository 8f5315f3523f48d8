"""Language models as opponents: what they are told, what they may do wrong, and the key."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evenodds import SECOND, Forfeit, Match, UnknownPlayer, make_player, notation
from tests.support import models
from tests.support.commands import Terminal, evenodds_here, lines
from tests.support.game_data import ruled
from tests.support.models import Budget, Manner, ModelPlayer, Service, Unavailable, refuses, says
from tests.support.paths import ROOT
from tests.support.strategies import GAMES
from tests.support.waiting import wait_until

KEY, OPENAI_KEY = "EVENODDS_LLM_KEY", "OPENAI_API_KEY"
SECRET = "sk-A1b2C3d4E5f6G7h8"
DUEL = Match("duel")


class Seat:
    """A model in the second seat of a duel, where 1, 2 and 3 are always legal."""

    def __init__(self, service: Service, seconds: float = 60, requests: int | None = None) -> None:
        self.kept: list[str] = []
        self.pauses: list[float] = []
        self.budget = Budget(requests)
        self.match = Match("duel")
        detail = service.name.removeprefix("llm:")
        told = (self.kept.append, self.budget, self.pauses.append)
        self.player = ModelPlayer(detail, self.match.terms, SECOND, seconds, *told)

    def pick(self) -> int:
        number = self.player.pick(self.match.view(SECOND))
        self.match.play((1, number))
        return number

    def forfeit(self, kind: type[Forfeit] = Forfeit) -> str:
        """Why it forfeits instead of picking: one harmless line that can end in a full stop."""
        with pytest.raises(Forfeit) as caught:
            self.player.pick(self.match.view(SECOND))
        assert type(caught.value) is kind
        reason = str(caught.value)
        assert reason.isprintable()
        assert len(reason) < 240
        assert reason.startswith("the model ")
        assert not reason.endswith(".")
        return reason

    def exchange(self) -> list[dict[str, Any]]:
        self.player.leave(self.match.view(SECOND))
        return [json.loads(line) for line in self.kept]


@pytest.fixture
def service() -> Iterator[Service]:
    with models.service() as found:
        yield found


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of the person who tests is used, and costs are counted anew."""
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.delenv(OPENAI_KEY, raising=False)
    models.process_budget.cache_clear()


def test_a_model_is_told_the_rules_its_view_and_its_numbers(service: Service) -> None:
    seat = Seat(service)
    assert seat.pick() == 1
    (asked,) = service.asked
    system, user = asked["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    terms = seat.match.terms
    assert models.match_rules(terms.game, terms.rulings) in system["content"]
    assert "in the second seat" in system["content"]
    assert '"legal": [1, 2, 3]' in user["content"]
    assert "You            ████████████████████████ 10 of 10" in user["content"]
    assert "The legal numbers are 1, 2, 3. End with `PICK: n`." in user["content"]
    assert asked["model"] == "some/model:7b"
    assert asked["stream"] is False
    assert service.paths == ["/v1/chat/completions"]


TOLD = [
    ("circle", "1 to 10; 10 is next to 1; next to the last one", "places; a leap"),
    ("circle numbers=7 reach=2", "1 to 7; 7 is next to 1; at most 2 places", "10; a leap"),
    ("circle leaps=2", "2 times in the match each player may leap", "places"),
    ("duel", "10 health points; 1 to 3; would stand higher", "swings back"),
    ("duel hp=4 numbers=5 overreach=2 knockout=draw",
     "4 health points; 1 to 5; more than 2 above; same round, the game is a draw",
     "10; 1 to 3; stand higher"),
    ("duel numbers=1", "the number 1 ", "one of the number 1"),
    ("factors numbers=1", "the number 1 ", "one of the number 1"),
    ("factors", "1 to 9; pass 50 points wins at once; subtracted once; of each player",
     "may not be picked; last turn"),
    ("factors target=24 numbers=7 same=twice opening=live",
     "1 to 7; pass 24 points wins at once; subtracted twice; very first turn of the game",
     "50; 1 to 9; subtracted once; of each player"),
    ("factors finish=round echo=barred", "the second still has its turn; may not be picked again",
     "The first player to reach; subtracted once"),
    ("margin", "1 to 5; After 5 rounds; whoever won the last round wins", ""),
    ("margin numbers=7 last_round=decisive", "1 to 7; After 7 rounds; last round that was no tie",
     "1 to 5; 5 rounds; won the last round wins"),
    ("underdog", "1 to 10; exactly 1 less; 7 beats 8, but 8 beats 6; 3 points; more points", ""),
    ("underdog numbers=7 target=2 gap=4 exhausted=draw",
     "1 to 7; exactly 4 less; 3 beats 7, but 7 beats 2; 2 points; that, the game is a draw",
     "10; exactly 1; 3 points; more points"),
    ("underdog gap=0", "The higher number wins the round", "less than; beats"),
]  # fmt: skip
"""Rulings as they are typed, what a model is told of them, and what it is not."""


@pytest.mark.parametrize(("typed", "true", "false"), TOLD)
def test_a_model_is_told_the_rulings_as_they_are(typed: str, true: str, false: str) -> None:
    match = Match(*ruled(typed))
    prompts = (
        models.rules_prompt(match.terms, 0),
        models.position_prompt(match.terms, match.view(0)),
    )
    summary = " ".join(" ".join(prompts).split())
    assert [one for one in true.split("; ") if one not in summary] == []
    assert [one for one in false.split("; ") if one and one in summary] == []


def test_no_edition_of_the_question_names_an_opponent() -> None:
    match = Match("duel", players=("level:4", "Ann"))
    asked = {
        name: models.rules_prompt(match.terms, 1, edition)
        + models.position_prompt(match.terms, match.view(1), edition)
        for name, edition in models.EDITIONS.items()
    }
    assert not [one for one in asked.values() if "level:4" in one or "Ann" in one]
    assert [name for name, one in asked.items() if "legal numbers are" not in one] == ["unlisted"]
    assert '"legal"' not in asked["unlisted"]
    assert [name for name, one in asked.items() if "Number Duel" not in one] == ["disguised"]


def test_a_forced_pick_is_not_asked_for(service: Service) -> None:
    seat = Seat(service)
    one = Match("duel", {"numbers": 1})
    assert seat.player.pick(one.view(SECOND)) == 1
    assert service.asked == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_model_plays_every_game(game: Any, service: Service, home: Path, tmp_path: Path) -> None:
    for pick in (0, -1):
        match = Match(game)
        seat = match.waiting()[-1]
        if match.game.simultaneous:
            match.pick(0, match.choices(0)[pick])
        service.will(says(f"PICK: {match.choices(seat)[0]}"))
        player = make_player(match, seat, service.name)
        assert player.pick(match.view(seat)) == match.choices(seat)[0]
    assert service.asked[0] == service.asked[1]
    record = tmp_path / "record.txt"
    service.will(models.lowest)
    opponents = ("--vs", service.name, "--vs", "high")
    done = evenodds_here("play", game.name, *opponents, "--record", str(record), home=home)
    assert done.returncode == 0, done.stderr
    result = notation.parse(record.read_text()).result
    assert result is not None
    assert result.reason in ("rules", "repetition")
    for asked in service.asked:
        summary = "".join(message["content"] for message in asked["messages"])
        assert 1200 < len(summary.encode()) < 2100, "as docs/llm.md has it"


@pytest.mark.parametrize(
    ("text", "repeated", "problem", "lacks"),
    [
        ("I will not play.", "I will not play.", "no pick was found", "answer that could be read"),
        ("<think>PICK: 1", "(no answer)", "nothing but thoughts", "answer that could be read"),
        ("PICK: 4", "PICK: 4", "4 is not", "legal number"),
    ],
)
def test_a_bad_answer_is_explained_and_asked_once_more(
    text: str, repeated: str, problem: str, lacks: str, service: Service
) -> None:
    service.will(says(text), says("PICK: 3"))
    seat = Seat(service)
    assert seat.pick() == 3
    assert seat.player.faults[:2] == ((0, 1) if "legal" in lacks else (1, 0))
    assert service.asked[1]["messages"][:2] == service.asked[0]["messages"]
    said, why = service.asked[1]["messages"][2:]
    assert said == {"role": "assistant", "content": repeated}
    assert problem in why["content"]
    assert why["content"].endswith("The legal numbers are 1, 2, 3. End with `PICK: n`.")
    service.will(says(text))
    reason = seat.forfeit()
    assert reason.startswith(f"the model was asked twice and gave no {lacks}: ")
    assert problem in reason
    assert len(service.asked) == 4


@pytest.mark.parametrize(
    ("manner", "said"),
    [
        (models.page, "gave no answer that can be read"),
        (models.cut_off, "gave no answer that can be read"),
        (models.hangs_up, ""),
        (models.babbles, "does not speak HTTP"),
    ],
)
def test_passing_trouble_is_waited_out_once(manner: Manner, said: str, service: Service) -> None:
    service.will(manner, says("PICK: 2"))
    seat = Seat(service)
    assert seat.pick() == 2
    assert seat.pauses == [2.0]
    service.will(manner)
    reason = seat.forfeit(Unavailable)
    assert reason.startswith("the model cannot be asked: http://127.0.0.1:")
    assert said in reason
    assert len(service.asked) == 4


def test_a_refusal_is_waited_out_while_there_is_time_and_costs_nothing(service: Service) -> None:
    service.will(refuses(429, Retry_After="3"), refuses(503, "busy"), says("PICK: 2"))
    seat = Seat(service)
    assert seat.pick() == 2
    assert seat.pauses == [3.0, 4.0]
    assert seat.budget.spent.requests == 1
    service.will(refuses(503, "busy"))
    assert "says no (503: busy), and wants 64 seconds" in seat.forfeit(Unavailable)
    assert seat.pauses[2:] == [2.0, 4.0, 8.0, 16.0, 32.0]


@pytest.mark.parametrize(
    ("manner", "said"),
    [
        (refuses(307, Location="/v1/elsewhere"), "redirects to another address"),
        (refuses(401, "bad"), "wants a key, in EVENODDS_LLM_KEY (401)"),
        (refuses(429, "busy", Retry_After="3600"), "busy), and wants 3600 seconds of pause"),
        (models.huge, "answered with more than 1 MB"),
    ],
)
def test_what_will_not_change_is_asked_once(manner: Manner, said: str, service: Service) -> None:
    service.will(manner)
    assert said in Seat(service).forfeit(Unavailable)
    assert service.paths == ["/v1/chat/completions"]


@pytest.mark.long
@pytest.mark.parametrize(
    "manners",
    [[models.never], [models.drips], [models.drips_its_body], [says("Hm."), models.never]],
)
def test_the_clock_runs_out(manners: list[Manner], service: Service) -> None:
    service.will(*manners)
    seat = Seat(service, seconds=2.5)  # on a busy machine it may take a second to be asked
    assert seat.forfeit() == "the model took longer than 2.5 seconds for a pick"
    assert len(service.asked) == len(manners)
    assert seat.budget.spent.guesses
    assert seat.budget.spent.tokens > 300


def test_a_service_that_cannot_be_connected_to_costs_nothing(service: Service) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
    for address, said in (
        (nowhere, "cannot be reached: Connection refused"),
        (service.address.replace("http:", "https:"), "over https; perhaps it is http://"),
        ("http://nobody.invalid", "cannot be reached: "),
    ):
        budget = Budget()
        player = ModelPlayer(
            f"m@{address}", DUEL.terms, SECOND, 60, budget=budget, sleep=lambda seconds: None
        )
        with pytest.raises(Unavailable) as caught:
            player.pick(DUEL.view(SECOND))
        assert said in str(caught.value)
        assert budget.spent == models.BudgetUsage()


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("http://[::1]/v1", "::1", 80),
        ("https://[::1]/v1", "::1", 443),
        ("https://[::1]:8/v1", "::1", 8),
        ("http://localhost", "localhost", 80),
    ],
)
def test_which_port_is_meant(url: str, host: str, port: int) -> None:
    assert models.parse_endpoint(f"m@{url}").socket_address == (host, port)


ECHOES: dict[str, Manner] = {
    "refusal": refuses(401, f"bad key {SECRET} in Bearer {SECRET}"),
    "in other fields": refuses(400, "bad" + SECRET),
    "page": lambda handler: handler.answer(500, f"<p>{SECRET}</p>".encode()),
    "nonsense": models.gives({SECRET: [SECRET, {"a": SECRET}]}),
    "answer": says(f"your key is {SECRET}"),
    "across the cut": says("x" * 30 + SECRET),
}


@pytest.mark.parametrize("name", ECHOES)
def test_the_key_stays_secret(name: str, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, SECRET)
    service.will(ECHOES[name])
    seat = Seat(service)
    with pytest.raises(Forfeit) as caught:
        seat.pick()
    kept = seat.exchange()
    assert service.keys[0] == f"Bearer {SECRET}"
    assert "[key]" in json.dumps(kept)
    for part in (SECRET, SECRET[:8]):
        assert part not in str(caught.value)
        assert part not in json.dumps(kept)
        assert part not in repr(vars(seat.player))


def test_which_key_goes_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def key_for(url: str) -> str:
        return models.with_key(models.parse_endpoint(f"m@{url}")).key

    monkeypatch.setenv(OPENAI_KEY, SECRET)
    assert key_for("https://api.openai.com/v1") == SECRET
    assert key_for("https://elsewhere.example/v1") == ""
    monkeypatch.setenv(KEY, "")
    assert key_for("https://api.openai.com/v1") == ""
    monkeypatch.setenv(KEY, "mine")
    for url in ("https://elsewhere.example/v1", "http://localhost:1/v1", "http://[::1]:1/v1"):
        assert key_for(url) == "mine"


@pytest.mark.parametrize(
    "host", ["example.com", "192.168.1.7", "127.0.0.1.example.com", "[fe80::1]"]
)
def test_no_key_goes_over_the_network_in_clear(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make_player(DUEL, SECOND, f"llm:m@http://{host}/v1")
    monkeypatch.setenv(KEY, SECRET)
    with pytest.raises(UnknownPlayer, match=r"is not encrypted.*use https, or an empty") as caught:
        make_player(DUEL, SECOND, f"llm:m@http://{host}/v1")
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("key", ["a b", "a\r\nX-Evil: 1", "kéy", "x" * 2000])
def test_what_is_no_key_is_not_sent(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, key)
    with pytest.raises(UnknownPlayer, match="EVENODDS_LLM_KEY is not a key") as caught:
        make_player(DUEL, SECOND, "llm:m@https://example.com")
    assert key not in str(caught.value)


def test_the_exchange_is_kept_whole(service: Service) -> None:
    usage = {"prompt_tokens": 700, "completion_tokens": 11}
    service.will(refuses(500, "oh"), says("Hm."), says("PICK: 3", usage), says("PICK: 3", usage))
    seat = Seat(service)
    seat.pick()
    assert seat.kept == []  # who reads it while the round is open would know the pick
    seat.pick()
    said = seat.exchange()
    kinds = ["match", "question", "failure", "question", "answer", "question", "answer"]
    assert [line["type"] for line in said] == [*kinds, "question", "answer", "left"]
    asked = [line["messages"] for line in said if line["type"] == "question"]
    assert asked == [question["messages"] for question in service.asked]
    assert said[0]["model"] == "some/model:7b"
    assert said[0]["service"] == service.address
    answers = [line for line in said if line["type"] == "answer"]
    assert answers[1]["body"]["choices"][0]["message"]["content"] == "PICK: 3"
    assert [line["guessed"] for line in answers] == [True, False, False]
    size = len(json.dumps(service.asked[1]))
    assert size / 3 < answers[0]["tokens"] < size  # it is not told
    assert answers[1]["tokens"] == 711
    assert said[2]["body"]["error"]["message"] == "oh"
    assert seat.budget.spent.tokens == sum(line["tokens"] for line in answers)
    assert seat.budget.spent.requests == 3


def test_a_run_has_limits_of_its_costs(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = Seat(service, requests=2)
    assert [seat.pick(), seat.pick()] == [1, 1]
    said = seat.forfeit(Unavailable)
    assert "the 2 requests of this run are used up (EVENODDS_LLM_REQUESTS)" in said
    service.will(says("PICK: 1", {"prompt_tokens": 60, "completion_tokens": 40}))
    monkeypatch.setenv("EVENODDS_LLM_TOKENS", "200")
    seat = Seat(service)
    assert [seat.pick(), seat.pick()] == [1, 1]
    said = seat.forfeit(Unavailable)
    assert "the 200 tokens of this run are used up (EVENODDS_LLM_TOKENS)" in said
    assert len(service.asked) == 4


def test_a_match_with_a_model_is_recorded(service: Service, home: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    service.will(says("PICK: 1", {"prompt_tokens": 1000, "completion_tokens": 5}))
    arguments = ("play", "duel", "hp=4", "--vs", service.name, "--record", str(record))
    done = evenodds_here(*arguments, typed=lines(3, 1), home=home, **{KEY: SECRET})
    assert done.returncode == 0
    assert done.stdout.endswith("So far models were asked 2 times, for 2,010 tokens.\n")
    (kept,) = (home / "matches").glob("*.llm.jsonl")
    assert kept.stat().st_mode & 0o777 == 0o600
    beside = tmp_path / "record.txt.llm.jsonl"
    assert beside.read_text() == kept.read_text()
    assert SECRET not in kept.read_text()
    assert json.loads(kept.read_text().splitlines()[-1])["result"]["outcome"] == "first"
    assert service.name in record.read_text()
    assert evenodds_here("matches", home=home).stderr == ""
    evenodds_here(*arguments, typed=lines(3, 1), home=home)
    assert len(beside.read_text().splitlines()) == 2 * len(kept.read_text().splitlines())


@pytest.mark.processes
def test_the_stand_in_of_the_examples_plays(home: Path) -> None:
    example = ROOT / "examples" / "models" / "stand_in.py"
    with subprocess.Popen(
        [sys.executable, str(example), "0"], stdout=subprocess.PIPE, text=True
    ) as stand_in:
        try:
            assert stand_in.stdout is not None
            name = stand_in.stdout.readline().split()[-1]
            done = evenodds_here("play", "duel", "hp=4", "--vs", name, typed=lines(2, 2), home=home)
        finally:
            stand_in.kill()
        asked = stand_in.stdout.read()
    assert done.returncode == 0
    assert done.stdout.count("Player 2 chose: 3") == 2
    assert asked.count("The legal numbers are 1, 2, 3.") == 2


def test_a_match_goes_on_when_the_service_is_back(service: Service, home: Path) -> None:
    service.will(says("PICK: 1"), refuses(401, "who are you?"))
    done = evenodds_here("play", "duel", "hp=4", "--vs", service.name, typed=lines(2, 3), home=home)
    assert done.returncode == 1
    assert "wants a key, in EVENODDS_LLM_KEY (401)." in done.stdout
    (command,) = re.findall(r"Resume it with: evenodds (.*)", done.stdout)
    _, id, _, quoted = command.split()
    assert evenodds_here("resume", id, home=home).stderr.startswith(
        f"{id} is played against a model, which must be named again"
    )
    service.will(says("PICK: 1"))
    done = evenodds_here("resume", id, "--vs", quoted.strip('"'), home=home)
    assert done.returncode == 0
    assert "Player 1 wins the game!" in done.stdout
    (kept,) = (home / "matches").glob("*.llm.jsonl")
    kinds = [json.loads(line)["type"] for line in kept.read_text().splitlines()]
    assert kinds.count("match") == kinds.count("left") == 2


def test_a_record_never_asks_a_model(service: Service, home: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.txt"
    record.write_text(f'[Game "duel"]\n[Computer2 "{service.name}"]\n\n3-1 *\n')
    for command in ("show", "review"):
        evenodds_here(command, str(record), home=home)
    (home / "matches").mkdir(parents=True, exist_ok=True)
    (home / "matches" / "abcd.txt").write_text(record.read_text())
    assert evenodds_here("resume", "abcd", typed=lines(1), home=home).returncode == 1
    assert service.asked == []


@pytest.mark.processes
def test_control_c_ends_the_waiting(service: Service, home: Path) -> None:
    service.will(models.never)
    terminal = Terminal("play", "duel", "--vs", service.name, home=home)
    terminal.see("enter your number (1-3):")
    terminal.type(2)
    wait_until(lambda: len(service.asked) == 1)
    terminal.press("c", at_work=True)
    terminal.see("The match is saved.")
    assert terminal.end() == 130


def test_what_cannot_be_kept_stops_no_match(service: Service, home: Path) -> None:
    home.mkdir()
    (home / "matches").write_text("in the way")
    done = evenodds_here("play", "duel", "hp=2", "--vs", service.name, typed=lines(3), home=home)
    assert done.returncode == 0
    assert done.stdout.count("The model's answers cannot be saved") == 1
    assert "Player 1 wins the game!" in done.stdout
