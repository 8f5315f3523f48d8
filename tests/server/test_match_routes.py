"""What may be done in a match on the server besides picking, as its users do it."""

import time
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from evenodds import IllegalPick
from evenodds.core.notation.verify import Verified, verify_all
from evenodds.core.terms import agree
from tests.support import registries as rooms
from tests.support.commands import evenodds_here as command
from tests.support.examples import SMALL_GAME, TURN_GAME
from tests.support.foreign_server import commitment
from tests.support.registries import registry_at, until
from tests.support.servers import (
    Opener,
    Pair,
    Server,
    detail,
    hear,
    pair_in_time,
    serving,
    sql,
    wait_for_status,
    wait_for_the_end,
)
from tests.support.waiting import wait_until


def wait_past_the_deadline(pair: Pair) -> None:
    wait_until(lambda: "s left" not in pair.act(0, "claim").json().get("detail", ""))


def test_whoever_is_past_their_time_loses_by_itself(server: Server) -> None:
    pair = pair_in_time(server, "duel", lambda pair: pair.pick(0, 3, 1))
    wait_for_status(server, pair.id, "over")
    assert detail(pair.pick(1, 2, 1)) == "the match is over"
    assert pair.view(1)["result"] == {
        "outcome": "first",
        "reason": "time",
        "told": ["Bob took too long.", "Ann wins the game!"],
        "why": "You took too long.",
    }
    assert detail(pair.act(1, "claim")) == "the match is over"
    assert pair.act(0, "claim").json()["result"]["outcome"] == "first"


@pytest.mark.long
@rooms.in_a_loop
async def test_a_pick_after_the_deadline_ends_the_match(home: Path) -> None:
    async with registry_at(home) as registry:
        await registry.heartbeat()
        opened = await registry.open(agree("duel"), rooms.MatchOptions(1), "Ann", 1, "")
        await registry.join(opened.invitation, "Bob")
        session = await registry.session(opened.match)
        await until(lambda: session.state.overdue(time.time()))
        with pytest.raises(IllegalPick, match="the match is over"):
            await registry.referee.pick(session, 1, 1, 2)
        assert session.state.result is not None
        assert session.state.result.reason == "void"


def test_a_match_that_is_looked_at_too_early_goes_on(server: Server) -> None:
    pair = Pair(server, "duel", clock=600)
    assert detail(pair.act(0, "claim")).endswith(" s left")
    due = f"SELECT due FROM matches WHERE id = '{pair.id}'"
    sql(server.home, f"UPDATE matches SET due = 1 WHERE id = '{pair.id}'")
    wait_until(lambda: sql(server.home, due) != [(1,)])
    assert sql(server.home, due)[0][0] == pytest.approx(pair.view(0)["deadline"])
    assert pair.pick(0, 3, 1).json()["result"] is None


def test_a_match_in_which_both_are_late_is_void(server: Server) -> None:
    pair = Pair(server, "duel", clock=1)
    view = wait_for_the_end(pair.seats[0], pair.path)
    assert view["result"]["reason"] == "void"
    assert view["result"]["told"] == ["Both players ran out of time. The match is void."]
    assert '[Reason "void"]' in pair.watcher.get(f"{pair.path}/record").text
    assert detail(pair.pick(0, 3, 1)) == "the match is over"


def test_in_turns_the_one_who_is_to_move_is_on_the_clock(server: Server) -> None:
    deadlines: list[float] = []

    def begin(pair: Pair) -> httpx.Response:
        began = pair.view(0)["deadline"]
        picked = pair.pick(0, 3, 1)
        deadlines[:] = [began, picked.json().get("deadline")]
        return picked

    pair = pair_in_time(server, "circle", begin)
    assert deadlines[1] > deadlines[0]
    wait_past_the_deadline(pair)
    assert pair.view(0)["result"]["outcome"] == "first"


@pytest.mark.parametrize("game", [SMALL_GAME, TURN_GAME])
def test_a_rematch_swaps_the_seats(game: str, server: Server) -> None:
    pair = Pair(server, game, clock=600)
    assert detail(pair.act(0, "rematch")) == "the match is not over"
    pair.act(0, "resignation")
    assert pair.act(1, "rematch").json()["offered"]
    assert not pair.act(1, "rematch?stands=false").json()["offered"]
    assert pair.view(0)["offers"] == [False, False]
    assert pair.act(0, "rematch").json() == {
        "offered": True,
        "match": None,
        "token": None,
        "seat": None,
    }
    assert pair.view(1)["offers"] == [True, False]
    agreed = pair.act(1, "rematch")
    following = agreed.json()["match"]
    assert f"seat-{following}-first=" in agreed.headers["set-cookie"]
    assert pair.act(0, "rematch").json()["match"] == following == pair.view(0)["rematch"]
    path = f"/api/matches/{following}"
    views = [seat.get(path).json() for seat in pair.seats]
    assert [view["seat"] for view in views] == ["second", "first"]
    assert views[0]["players"] == ["Bob", "Ann"]
    assert views[0]["clock"] == 600
    assert views[0]["joined"] == [True, True]
    pick = pair.seats[1].post(f"{path}/picks", json={"round": 1, "number": 3})
    assert pick.status_code == 200


def test_whoever_is_led_to_a_rematch_is_not_away(server: Server) -> None:
    pair = Pair(server, SMALL_GAME)
    pair.act(0, "resignation")
    pair.act(0, "rematch")
    assert pair.seats[1].get(f"{pair.path}?present=true").json()["connected"] == [False, True]
    following = pair.act(1, "rematch").json()["match"]
    view = pair.seats[0].get(f"/api/matches/{following}").json()
    assert (view["seat"], view["connected"]) == ("second", [True, False])


def test_a_computer_agrees_to_a_rematch_at_once(server: Server) -> None:
    ann = Opener(server, "circle", opponent="level:1")
    ann.act("resignation")
    following = ann.act("rematch").json()["match"]
    with hear(ann.client, f"/api/matches/{following}") as stream:
        view = stream.when(lambda view: view["history"])
    assert view["seat"] == "second"
    assert view["history"][0][1] is None


def test_against_a_computer_a_pick_can_be_taken_back(server: Server) -> None:
    ann = Opener(server, "circle", opponent="level:1")
    assert ann.view()["takeback"] is False
    assert "nothing" in detail(ann.act("takeback", {"round": 1}))
    with hear(ann.client, ann.path) as stream:
        ann.pick(3)
        view = stream.when(lambda view: len(view["history"]) == 2)
    assert view["takeback"] is True
    assert ann.act("takeback", {"round": 2}).status_code == 422
    back = ann.act("takeback", {"round": 3}).json()
    assert back["history"] == []
    assert 3 in back["legal"]
    pair = Pair(server, "duel")
    pair.pick(0, 3, 1)
    pair.pick(1, 3, 1)
    assert "nothing" in detail(pair.act(0, "takeback", {"round": 2}))


def test_a_person_is_asked_before_a_pick_is_taken_back(server: Server) -> None:
    pair = Pair(server, "circle", clock=600)
    assert "nothing" in detail(pair.act(0, "takeback", {"round": 1}))
    pair.pick(0, 4, 1)
    assert "nobody asks" in detail(pair.act(1, "takeback", {"round": 2, "accept": True}))
    for _ in range(2):  # a request that is repeated is the same one
        assert pair.act(0, "takeback", {"round": 2}).json()["takeback_asked"] == "first"
    assert "nobody asks" in detail(pair.act(0, "takeback", {"round": 2, "accept": True}))
    assert pair.view(1)["takeback"] is False
    refused = pair.act(1, "takeback", {"round": 2, "accept": False}).json()
    assert (refused["takeback_asked"], refused["history"]) == (None, [[4, None]])
    assert "nothing" in detail(pair.act(0, "takeback", {"round": 2}))
    pair.pick(1, 5, 2)
    assert pair.view(0)["takeback"] is True
    pair.act(1, "takeback", {"round": 3})
    pair.pick(0, 6, 3)  # whoever picks goes on
    assert pair.view(0)["takeback_asked"] is None
    pair.pick(1, 7, 4)
    pair.act(0, "takeback", {"round": 5})
    assert pair.act(1, "takeback", {"round": 4, "accept": True}).status_code == 422
    before = pair.view(0)["deadline"]
    granted = pair.act(1, "takeback", {"round": 5, "accept": True}).json()
    assert granted["history"] == [[4, None], [None, 5]]
    assert granted["waiting"] == [True, False]
    assert granted["deadline"] > before  # the clock begins anew
    assert pair.pick(0, 3, 3).status_code == 422  # claimed by nobody, but not next to 5
    assert pair.pick(0, 6, 3).status_code == 200


def test_a_free_seat_of_a_listed_match_is_for_the_first_who_comes(server: Server) -> None:
    ann, join = Opener(server, "margin", listed=True), partial(server.client().post, "/api/join")
    assert server.client().get("/api/matches").json()[0]["joinable"] is True
    assert join(json={"match": ann.id, "name": "Bob"}).status_code == 201
    for late in ({"match": ann.id, "name": "Eve"}, {"invitation": ann.secret}):
        assert detail(join(json=late), 403) == "somebody has taken this seat already"
    hidden = Opener(server, "duel").id
    assert hidden not in server.client().get("/api/matches").text
    assert detail(join(json={"match": hidden}), 403) == "this match is by invitation"


def test_a_computer_in_ones_own_seat_leaves_the_other_for_a_person(server: Server) -> None:
    opened = Opener(server, "duel", own="level:1")
    assert opened.token is None
    joined = server.client().post("/api/join", json={"invitation": opened.secret})
    assert joined.status_code == 201


class Sealer:
    """Someone who commits to picks and shows them later."""

    def __init__(self, pair: Pair, seat: int) -> None:
        self.pair = pair
        self.seat = seat
        self.salt = f"{seat}" * 32

    def commit(self, number: int, round: int = 1) -> httpx.Response:
        name = ("first", "second")[self.seat]
        made = commitment(self.pair.id, name, round, number, self.salt)
        return self.pair.act(self.seat, "picks", {"round": round, "commitment": made})

    def show(self, number: int, round: int = 1, salt: str = "") -> httpx.Response:
        body = {"round": round, "number": number, "salt": salt or self.salt}
        return self.pair.act(self.seat, "reveals", body)


def sealed_pair(server: Server, **terms: Any) -> tuple[Pair, Sealer, Sealer]:
    pair = Pair(server, "duel", **{"sealed": True, "clock": 600, **terms})
    return pair, Sealer(pair, 0), Sealer(pair, 1)


def checked(client: httpx.Client, path: str, home: Path, change: tuple[str, str] = ("", "")) -> Any:
    """What `evenodds verify` says of the record of a match, as it is or changed."""
    home.mkdir(exist_ok=True)
    found = client.get(f"{path}/record").text
    assert change[0] in found
    (home / "record.txt").write_text(found.replace(*change))
    return command("verify", str(home / "record.txt"), home=home)


def test_sealed_picks_are_shown_when_both_are_promised(server: Server, home: Path) -> None:
    pair, ann, bob = sealed_pair(server, rulings={"hp": 2})
    for _ in range(2):
        view = ann.commit(3).json()
        assert (view["phase"], view["chosen"]) == ("pick", [True, False])
    assert detail(ann.show(3), 409) == "there is nothing to reveal now"
    assert detail(bob.pair.pick(1, 1, 1)).startswith("picks are sealed in this match")
    view = bob.commit(1).json()
    assert (view["phase"], view["waiting"]) == ("reveal", [True, True])
    assert None not in view["commitments"]
    for _ in range(2):
        view = ann.show(3).json()
        assert view["history"] == []
        assert view["waiting"] == [False, True]
    assert "3" not in str(pair.view(1)["history"])
    assert bob.show(1).json()["history"] == [[3, 1]]
    assert bob.show(1).status_code == 200
    done = checked(pair.watcher, pair.path, home)
    assert done.returncode == 0
    assert done.stdout.endswith(": 2 sealed picks, each as it was promised.\n")
    wrong = checked(pair.watcher, pair.path, home, ("\n3-1\n", "\n3-2\n"))
    assert wrong.returncode == 1
    assert "Bob did not promise 2 in round 1" in wrong.stderr


def verified(pair: Pair) -> Verified:
    (found,) = verify_all(pair.watcher.get(f"{pair.path}/record").text)
    return found


@pytest.mark.parametrize(
    ("promised", "shown", "salt", "proof"),
    [
        (3, 2, "", "Ann showed 2, which was not promised"),
        (3, 3, "f" * 32, "Ann showed 3, which was not promised"),
        (9, 9, "", "Ann promised 9, which the rules do not allow"),
    ],
)
def test_false_picks_lose(promised: int, shown: int, salt: str, proof: str, server: Server) -> None:
    pair, ann, bob = sealed_pair(server)
    ann.commit(promised)
    bob.commit(1)
    bob.show(1)
    view = ann.show(shown, salt=salt).json()
    assert view["result"]["told"] == ["Ann forfeits the game.", "Bob wins the game!"]
    assert view["history"] == []
    said = verified(pair).unplayed
    assert said == f"Round 1 was not played: {proof}; Bob showed 1, as promised."


def test_who_does_not_reveal_loses_on_time(server: Server, home: Path) -> None:
    def begin(pair: Pair) -> httpx.Response:
        ann, bob = Sealer(pair, 0), Sealer(pair, 1)
        ann.commit(3)
        bob.commit(1)
        return ann.show(3)

    pair = pair_in_time(server, "duel", begin, sealed=True)
    wait_past_the_deadline(pair)
    assert pair.view(1)["result"]["reason"] == "time"
    assert pair.view(1)["result"]["outcome"] == "first"
    done = checked(pair.watcher, pair.path, home)
    assert done.returncode == 0
    assert "Ann showed 3, as promised; Bob promised a number and did not show it." in done.stdout
    wrong = checked(pair.watcher, pair.path, home, ("\nfirst\n", "\nsecond\n"))
    assert wrong.returncode == 1
    assert "Ann showed 3 in round 1 as promised, yet lost" in wrong.stderr


def test_computers_seal_their_picks_too(server: Server, home: Path) -> None:
    ann = Opener(server, "duel", rulings={"hp": 1}, opponent="high", sealed=True, clock=600)
    salt = "a" * 32

    def seal(view: dict[str, Any]) -> None:
        round = view["round"]
        if view["legal"]:
            made = commitment(ann.id, "first", round, 2, salt)
            ann.act("picks", {"round": round, "commitment": made})
        elif view["phase"] == "reveal" and view["waiting"][0]:
            ann.act("reveals", {"round": round, "number": 2, "salt": salt})

    ann.play(seal)
    assert checked(ann.client, ann.path, home).returncode == 0


@rooms.in_a_loop
async def test_a_computer_asks_again_for_a_secret_that_cannot_be_read(home: Path) -> None:
    asked: list[int] = []

    class AwayAtFirst(rooms.Ledger):
        async def secrets(self, match: str, round: int) -> Any:
            asked.append(round)
            if len(asked) == 1:
                raise rooms.DatabaseError("away")
            return await super().secrets(match, round)

    async with registry_at(home, ledger_kind=AwayAtFirst, first_retry_s=0.01) as registry:
        terms = agree("duel", computers=("", "high"))
        opened = await registry.open(terms, rooms.MatchOptions(600, sealed=True), "Ann", 1, "")
        session = await registry.session(opened.match)
        await until(lambda: 1 in session.state.chosen)
        session.state.secret_picks.clear()  # as another process has it
        promise = commitment(opened.match, "first", 1, 3, "a" * 32)
        await registry.referee.commit(session, 0, 1, promise)
        await until(lambda: 1 in session.state.revealed)
    assert asked == [1, 1]


def test_two_computers_play_and_whoever_opened_it_watches(server: Server) -> None:
    opened = Opener(server, "circle", rulings={"numbers": 8}, own="level:1", opponent="level:8")
    assert {*opened.answer.json().values()} == {opened.id, None}
    assert "set-cookie" not in opened.answer.headers
    view = wait_for_the_end(server.client(), opened.path)
    assert view["computers"] == ["level:1", "level:8"]


def test_a_reader_on_a_server_remembers_nobody(server: Server) -> None:
    ann = Opener(server, "duel", rulings={"hp": 1}, opponent="reader")
    pick = {"number": 1}
    ann.play(lambda view: view["legal"] and ann.act("picks", pick | {"round": view["round"]}))
    assert not (server.home / "habits").exists()


@pytest.mark.processes
def test_a_match_that_nobody_touches_is_put_aside_and_comes_back(home: Path) -> None:
    with serving(home) as server:
        pair = Pair(server, "duel", listed=True)
        pair.pick(0, 3, 1)
    sql(home, "UPDATE matches SET touched = 1")
    sql(home, "UPDATE events SET at = 1")
    with serving(home) as server:
        seats = [server.client(token) for token in pair.tokens]
        wait_for_status(server, pair.id, "archived")
        assert server.client().get("/api/matches").json() == []
        assert seats[0].get(pair.path).json()["chosen"] == [True, False]
        pick = {"round": 1, "number": 2}
        assert seats[1].post(f"{pair.path}/picks", json=pick).json()["history"] == [[3, 2]]
        assert [each["match"] for each in server.client().get("/api/matches").json()] == [pair.id]


@pytest.mark.processes
def test_a_match_that_left_the_memory_goes_on(home: Path) -> None:
    with serving(home, EVENODDS_SERVER_IDLE_SECONDS="0.01") as server:
        pair = Pair(server, "duel")
        pair.pick(0, 3, 1)
        client = server.client()
        wait_until(lambda: "evenodds_matches_in_memory 0.0" in client.get("/metrics").text)
        assert pair.pick(0, 3, 1).status_code == 200
        assert pair.pick(1, 2, 1).json()["history"] == [[3, 2]]
