"""Rules, positions and reviews over HTTP, each checked a second way."""

import json
import re
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from evenodds.core.rulings import ruling_texts
from tests.support.commands import evenodds_here as command
from tests.support.game_data import data_of
from tests.support.registries import outline, percent
from tests.support.scipy_solver import scipy_value
from tests.support.servers import Pair, Server
from tests.support.strategies import GAMES


@pytest.fixture
def client(server: Server) -> httpx.Client:
    return server.client()


def ask(client: httpx.Client, path: str, **given: Any) -> httpx.Response:
    while (answer := client.get(path, **given)).status_code == 202:
        assert answer.json()["detail"] == "this is being solved; ask again in a moment"
    return answer


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_a_position_is_worth_what_its_matrix_is_worth(game: Any, client: httpx.Client) -> None:
    path = f"/api/games/{game.name}/position"
    found = ask(client, path, params=data_of(game).small).json()
    matrix = found["matrix"]
    assert found["value"] == pytest.approx(scipy_value(np.array(matrix["payoff"])), abs=1e-7)
    first = [found["first"].get(str(number), 0.0) for number in matrix["first"]]
    if any(first):
        for column in zip(*matrix["payoff"], strict=True):
            secured = sum(p * worth for p, worth in zip(first, column, strict=True))
            assert secured >= found["value"] - 1e-7
    one, two = matrix["first"][0], matrix["second"][-1]
    after = f"{one}-{two}" if game.simultaneous else f"{one or two}"
    child = ask(client, path, params=data_of(game).small | {"after": after}).json()
    assert child["value"] == pytest.approx(matrix["payoff"][0][-1], abs=1e-7)
    assert child["after"] == after
    assert matrix["short"][0][-1] == percent(0.5 + matrix["payoff"][0][-1] / 2, 0)
    assert matrix["text"][0][-1] == percent(0.5 + matrix["payoff"][0][-1] / 2)
    assert child["history"] == [[one or None, two or None]]


def test_a_position_is_what_the_command_says(client: httpx.Client, home: Path) -> None:
    params: dict[str, Any] = {"numbers": 4, "after": "2-3"}
    found = ask(client, "/api/games/margin/position", params=params).json()
    rule = ("solve", "margin", "--rule", "numbers=4", "--after", "2-3")
    told = json.loads(command(*rule, "--json", home=home).stdout)
    assert {key: found[key] for key in told if key != "seconds"} == {
        key: told[key] for key in told if key != "seconds"
    }
    said = command(*rule, home=home).stdout
    assert found["verdict"] in said
    assert found["sure"] in said


def test_a_position_can_be_drawn(client: httpx.Client) -> None:
    params: dict[str, Any] = {"target": 12, "after": "6 3"}
    found = ask(client, "/api/games/factors/position", params=params).json()
    assert found["before"]["scores"] == [6, 0]
    assert found["state"]["scores"] == [6, 3]
    assert "No subtraction this turn." in found["told"]
    assert found["players"] == ["First", "Second"]


def test_the_end_of_a_game_has_nothing_left_to_weigh(client: httpx.Client) -> None:
    params: dict[str, Any] = {"hp": 1, "after": "3-1"}
    found = ask(client, "/api/games/duel/position", params=params).json()
    assert found["over"]
    assert found["verdict"] == "the first player has won"
    for seat, said in (("first", "you have won"), ("second", "your opponent has won")):
        seated = ask(client, "/api/games/duel/position", params=params | {"seat": seat}).json()
        assert seated["verdict"] == said
    assert found["matrix"] == {key: [] for key in ("first", "second", "payoff", "text", "short")}
    assert found["hints"] == {"first": None, "second": None}


def test_the_review_is_that_of_the_command(server: Server, home: Path) -> None:
    pair = Pair(server, "underdog", rulings={"numbers": 4, "target": 2})
    early = pair.watcher.get(f"{pair.path}/review")
    assert early.status_code == 409
    for round, picks in enumerate([(1, 3), (4, 2), (3, 4)], 1):
        for seat in (0, 1):
            pair.pick(seat, picks[seat], round)
    record = home.parent / "record.txt"
    record.write_text(pair.watcher.get(f"{pair.path}/record").text)
    told = json.loads(command("review", str(record), "--json", home=home).stdout)
    found = ask(pair.watcher, f"{pair.path}/review").json()
    told.pop("match", None)  # its place in the file
    assert {key: found[key] for key in told} == told
    said = " ".join(command("review", str(record), home=home).stdout.split())
    assert found["text"]["turning"] in said
    for pick, figures, best in zip(
        found["picks"], found["text"]["figures"], found["text"]["best"], strict=True
    ):
        assert " ".join(figures).strip() in said
        assert best == {number: percent(share) for number, share in pick["best"].items()}
    assert found["text"]["curve"][0] == percent(found["curve"][0])
    assert [stand["history"] for stand in found["stands"]] == [
        found["stands"][-1]["history"][:rounds] for rounds in range(len(found["stands"]))
    ]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_rules_are_those_of_the_page(game: Any, client: httpx.Client, home: Path) -> None:
    sections = client.get(f"/api/games/{game.name}/rules").json()["sections"]
    printed = command("rules", game.name, home=home).stdout
    words = set(re.findall(r"\w+", printed)) - {"with", "rule", "key", "value"}
    assert words <= set(re.findall(r"\w+", json.dumps(sections, ensure_ascii=False)))
    assert sections[0]["title"] == game.title
    assert sections[-1]["title"] == "Rulings"
    assert "--" not in json.dumps(sections)  # options of a command are nothing to a browser
    key, value = next(iter(ruling_texts(game.rulings()).items()))
    assert f"- `{key}` [{value}]" in command("rules", game.name, f"{key}={value}", home=home).stdout


def test_an_outline_keeps_the_shape_of_a_page() -> None:
    page = "# One\n\nText with `code`\nand more.\n\n- a\n  - *b*\n\n```\nx < 1\n```\n\n## Two\n"
    assert outline(page) == [
        {
            "title": "One",
            "level": 1,
            "blocks": [
                {"text": [["Text with ", ""], ["code", "code"], [" ", ""], ["and more.", ""]]},
                {"list": [[{"text": [["a", ""]]}, {"list": [[{"text": [["b", ""]]}]]}]]},
                {"code": "x < 1\n"},
            ],
        },
        {"title": "Two", "level": 2, "blocks": []},
    ]
