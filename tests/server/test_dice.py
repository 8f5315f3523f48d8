"""Games with chance on a server: whose dice they are, and who can check them."""

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from evenodds.core import luck, notation
from tests.support.browsers import PHONE
from tests.support.commands import Terminal, evenodds_here
from tests.support.foreign_server import VIEW, Answer, answering, told
from tests.support.packages import install_examples
from tests.support.play import SEATS
from tests.support.servers import Opener, Pair, Server, serving, sql

SMALL = {"cards": 3, "score": "points"}
pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def dice_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    packages = tmp_path_factory.mktemp("packages")
    places = install_examples(packages)
    with serving(tmp_path_factory.mktemp("dice"), PYTHONPATH=places) as server:
        yield server


def seed_of(server: Server, id: str) -> str:
    ((seed,),) = sql(
        server.home, f"SELECT data ->> 'seed' FROM events WHERE match = '{id}' AND seq = 1"
    )
    return str(seed)


def test_draws_survive_a_killed_server_and_stay_secret(
    home: Path, example_games: dict[str, str], tmp_path: Path
) -> None:
    with serving(home, **example_games) as server:
        pair = Pair(server, "goofspiel", rulings=SMALL)
        seed, before = seed_of(server, pair.id), pair.view(0)
        pair.pick(0, 1, 1)
        after = pair.pick(1, 3, 1).json()
        assert after["draws"][0] == before["draws"][0]
        assert after["dice"] == before["dice"] == luck.commitment(pair.id, seed)
        assert after["points"] == -after["draws"][0][0]
        assert f"Bob leads by {-after['points']} point" in " ".join(after["told"])
        assert f"Drawn: {after['draws'][1][0]}." in after["summary"]
        old = Opener(server, "goofspiel")
        said = server.end(signal.SIGKILL)
    sql(home, f"UPDATE events SET data = json_remove(data, '$.seed') WHERE match = '{old.id}'")
    with serving(home, **example_games) as server:
        pair.seats = [server.client(token) for token in pair.tokens]
        assert pair.view(0)["draws"] == after["draws"]
        seedless = [server.client(old.token).get(old.path).json() for _ in range(2)]
        assert (seedless[0]["dice"], *seedless[0]["draws"]) == (None, *seedless[1]["draws"])
        pair.pick(0, 2, 2)
        pair.pick(1, 1, 2)
        shown = [pair.view(0), server.client().get("/api/matches").text]
        shown += [
            server.client().get(f"{pair.path}/record").text,
            server.client().get("/metrics").text,
        ]
        pair.pick(0, 3, 3)
        view = pair.pick(1, 2, 3).json()
        record = server.client().get(f"{pair.path}/record").text
        said += server.end()
    assert seed not in f"{before} {after} {shown} {said}"
    assert view["seed"] == seed
    assert view["draws"][:2] == after["draws"]
    file = tmp_path / "record.txt"
    file.write_text(record)
    checked = evenodds_here("verify", str(file), home=home)
    promise = f"3 draws, all from the seed of match {pair.id} with the promise {after['dice']}."
    assert promise in checked.stdout
    assert "Compare it with the promise that you were shown at the start." in checked.stdout
    match = notation.parse(record)
    file.write_text(record.replace(f"({match.draws[1][0]})", f"({match.draws[2][0]})", 1))
    assert evenodds_here("verify", str(file), home=home).returncode == 1
    file.write_text(notation.write(match))
    refused = evenodds_here("verify", str(file), home=home)
    assert "its draws were promised by nobody, so there is nothing to check" in refused.stderr


@pytest.mark.usefixtures("example_games")
def test_a_terminal_follows_the_dice_to_the_end(dice_server: Server, home: Path) -> None:
    opener = Opener(dice_server, "pig")
    record = home.parent / "record.txt"
    bob = Terminal("join", opener.invitation, "--name", "Bob", "--record", str(record), home=home)
    bob.see(opener.view()["dice"])
    bob.see("You are Bob, opposite Ann.")
    for _ in range(2):
        if opener.view()["legal"]:
            opener.pick(1)
            bob.see(f"The die shows {opener.view()['draws'][-1][0]}.")
    assert opener.act("resignation").json()["seed"]
    bob.see("Ann resigns.")
    bob.type("n")
    assert bob.end() == 0
    assert "all from the seed" in evenodds_here("verify", str(record), home=home).stdout


@pytest.mark.browser
def test_pages_show_the_promise_and_the_draws(dice_server: Server, browser: Browser) -> None:
    pair = Pair(dice_server, "goofspiel", rulings=SMALL)
    page = browser.new_page(viewport=PHONE)
    address = f"{dice_server.url}/match/{pair.id}"
    page.goto(address)
    expect(page.locator("#dice")).to_contain_text(f"Its SHA-256: {pair.view(0)['dice']}")
    for round in (1, 2, 3):
        for seat in SEATS:
            pair.pick(seat, 4 - round if seat else round, round)
    first, second, *_ = [drawn for (drawn, *_) in pair.view(0)["draws"][:3]]
    expect(page.locator("#dice")).to_contain_text("is the one that was promised")
    told = f"drawn before: {first}; drawn after: {second}"
    expect(page.locator("#history li").first).to_contain_text(told)
    page.goto(f"{address}/review#1")
    expect(page.locator("#round")).to_contain_text(told.capitalize())
    assert page.evaluate("p => p.scrollWidth <= p.clientWidth", page.query_selector(".scroll"))
    page.close()


def test_a_map_counts_the_points_so_far(dice_server: Server) -> None:
    query: dict[str, Any] = {"cards": 2, "score": "points", "after": "(1) 1-2(2)"}
    path = "/api/games/goofspiel/position"
    while (got := dice_server.client().get(path, params=query)).status_code == 202:
        pass
    found = got.json()
    assert found["verdict"] == "the first player is ahead by 1 point with best play by both"
    assert found["matrix"]["text"] == [["1.0"]]
    assert found["hints"]["first"]["advice"][0]["text"] == "is worth 1 point"


COMMITMENT = luck.commitment("m", "ab")
GOOFSPIEL = {
    "game": "goofspiel",
    "state": {},
    "rulings": {"cards": 3},
    "draws": [[2]],
    "dice": COMMITMENT,
}
OVER = {"result": {"outcome": "first", "reason": "resigned"}, "seed": "ab"}


@pytest.mark.usefixtures("example_games")
@pytest.mark.parametrize(
    ("lie", "problem"),
    [
        ({"draws": [[9]]}, "9 cannot be drawn"),
        ({"draws": [[]]}, "a draw is missing"),
        ({"draws": [[3], [1]]}, "its draws do not fit its rounds"),
        (OVER | {"seed": "cd"}, "the seed that was promised for its draws is not shown"),
        (OVER | {"seed": None}, "the seed that was promised for its draws is not shown"),
        (OVER, "its draws do not follow from its seed"),
    ],
)
def test_dice_that_were_changed_are_refused(lie: dict[str, Any], problem: str, home: Path) -> None:
    with answering(Answer(VIEW | GOOFSPIEL | lie)) as link:
        done = evenodds_here("join", link, home=home)
    assert done.returncode == 1
    assert problem in done.stderr


@pytest.mark.usefixtures("example_games")
def test_a_server_that_promises_nothing_is_not_trusted(home: Path) -> None:
    first = VIEW | GOOFSPIEL | {"dice": None, "seed": None}
    late = first | OVER | {"seq": 4, "dice": COMMITMENT}
    lying = [told(first), told(late).replace(b"id: 3", b"id: 4")]
    with answering(Answer(first, events=[*lying, lying[1]])) as link:
        done = evenodds_here("join", link, home=home)
    assert "The server has promised no seed: nobody can check its draws." in done.stdout
    assert (done.returncode, "another seed was promised" in done.stderr) == (1, True)
