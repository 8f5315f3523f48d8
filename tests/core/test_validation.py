"""Rule books that are wrong, in packages of somebody's own: one line, wherever they are used."""

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import evenodds
from evenodds import FIRST, SECOND, BadGame
from evenodds.core import validation
from evenodds.core.catalog import get
from evenodds.core.game import Game
from evenodds.core.match import pending_picks
from evenodds.core.validation import validate, validate_words
from evenodds.core.vocabulary import rule
from evenodds.engine import key_tables, symmetry
from evenodds.engine.batch import Batch
from evenodds.engine.compile import kernels_of
from evenodds.engine.large_games import solve_compiled
from evenodds.engine.positions import Listing
from evenodds.engine.small_games import solve_interpreted
from evenodds.system import silent
from tests.support import toll
from tests.support.commands import evenodds_here
from tests.support.engine import solve_by_kernels
from tests.support.packages import GOOF, install
from tests.support.servers import serving
from tests.support.strategies import GAMES
from tests.support.toll import TOLL
from tests.support.waiting import wait_until

DUEL: Any = get("duel")
DRAW = "    return decided(state.points[FIRST] - state.points[SECOND])"
SWAP = "state.hands[::-1], state.points[::-1], state.prize)"

MIRROR, LEGAL = "    mirror=mirror,", "return state.hands[seat]"
START = "(0, 0), rulings.numbers)"
FIRST_LINE, HANDS = "    first = picks", "(hand(rulings.numbers), hand(rulings.numbers))"
TIES = "    return Outcome.FIRST_WINS if state.points[0] > state.points[1] else Outcome.SECOND_WINS"

WRONG = {
    "ties": (DRAW, TIES, "mirror does not hold: picks .* lead to SECOND_WINS, exchanged to SECOND"),
    "onewaymirror": (SWAP, "state.hands[::-1], (state.points[1] + 1, 0), state.prize)",
                     "mirror twice"),
    "otherhands": (SWAP, "(state.hands[1] ^ 6, state.hands[0] ^ 6), state.points, state.prize)",
                   "mirror gives a position with other legal moves"),
    "prizes": ("state.prize * second),", "state.prize * (picks[SECOND] >= picks[FIRST])),",
               r"mirror does not hold: picks \(1, 1\) and the same exchanged"),
    "nomirror": (f"State(state.rulings, {SWAP}", "None", "mirror gives no position: None"),
    "short": (MIRROR, f"{MIRROR} longest=lambda rulings: 2,",
              r"longest is 2, but a match has \d+ rounds, at hands="),
    "nobound": (MIRROR, f"{MIRROR} bound=lambda rulings: rulings.hands,",
                "bound fails with AttributeError: .* at numbers="),
    "wordbound": (MIRROR, f"{MIRROR} bound=lambda rulings: 'many',",
                  "bound is 'many', which is no number of positions, at numbers="),
    "brokenmirror": (SWAP, "state.hand, state.points)", "mirror fails with AttributeError"),
    "nolegal": (LEGAL, f"{LEGAL} if state.prize != 2 else 0",
                r"legal of seat 0 is empty; a seat with no pick has .*, at hands=\(.* prize=2$"),
    "passtoo": (LEGAL, f"{LEGAL} | 1", "legal .* PASS beside"),
    "words": (LEGAL, 'return "1 or 2"', "legal of seat 0 is 1 or 2, which is"),
    "negative": (LEGAL, "return -2", "legal of seat 0 is -2, which is no set"),
    "huge": (LEGAL, "return 1 << 70", "legal of seat 0 holds a number above"),
    "nobody": (LEGAL, "return 1", "legal leaves nobody a pick"),
    "leaves": (FIRST_LINE, f"    exit(3)\n{FIRST_LINE}", "step fails with SystemExit: 3"),
    "crash": ("state.prize * first,", "state.prize // first,", "step fails with ZeroDivisionError"),
    "nostate": (FIRST_LINE, f"    return None\n{FIRST_LINE}", "step .* gives no State"),
    "lists": ("state.prize - 1,", "[state.prize - 1],", "step with picks .* other parts than"),
    "open": ("Ending.OVER if state.prize == 0 else", "", "ending is .* where the outcome is"),
    "below": ("OVER = 1", "OVER = -1", "ending is .*-1.* where .* above 0 when it is over"),
    "ahead": (START, "(1, 0), rulings.numbers)", "mirror favours a seat: .* points="),
    "helper": (f"@rule\ndef step(state, picks):\n{FIRST_LINE}",
               f"def no(): pass\n@rule\ndef step(state, picks):\n    no()\n{FIRST_LINE}",
               "step calls no, which is not marked with @rule, so it cannot be compiled"),
    "over": (START, "(0, 0), 0)", "start is over before anybody has picked"),
    "bare": (f"State(rulings, {HANDS}, {START}", "(1, 2)", "start gives no named tuple"),
    "empty": (START, "(), rulings.numbers)",
              r"start gives an empty tuple in points; .* at hands="),
    "chance": ("state.prize - 1,", "state.prize - __import__('random').getrandbits(60),",
               r"step with picks .* gives another position the second time, at hands="),
    "outcomes": (DRAW, "    return 3", "outcome is 3, which is none"),
    "stands": (FIRST_LINE, f"    return state\n{FIRST_LINE}",
               "can repeat positions; it must declare loops=True, a folder `loops = True` in "),
}  # fmt: skip
"""A name, what is replaced in the rules by what, and what is said."""


Shelf = Callable[[str, str, str], Any]


@pytest.fixture
def shelve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Install Goofspiel under a name, with some of its text replaced; the game, as it is found."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(name: str, old: str, new: str) -> Any:
        assert old in GOOF
        source = GOOF.replace("NAME", name).replace(old, new)
        install(tmp_path, name, source)
        importlib.invalidate_caches()
        monkeypatch.delitem(sys.modules, f"evenodds_{name}", raising=False)
        return get(name)

    return put


def one_line(error: Any) -> str:
    said = str(error.value)
    assert "\n" not in said
    return said


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_our_own_games_are_sound(game: Any) -> None:
    copy = game._replace(name="copy")
    validate(copy, game.rulings())
    validate_words(copy, game.rulings())


SAID = {
    "fails": ("heading", "raise KeyError(7)", "words.heading fails with KeyError: 7"),
    "nothing": ("board", "return None", "words.board is None, which is no list"),
    "late": ("closing", "return 1 / 0", "words.closing fails with ZeroDivisionError: .* prize=0"),
    "ring": ("ring", "return [1]", r"words.ring is \[1\], which is no .*Ring"),
}
"""A method of the words of a game, what it does, and what is said of that."""


@pytest.mark.parametrize("name", SAID)
def test_words_that_fail_are_refused_before_a_match(name: str, shelve: Shelf) -> None:
    method, does, said = SAID[name]
    spoken = f"class Speech(Words):\n    def {method}(self, *given): {does}\n\n\nGAME = Game("
    imported = "from evenodds.core.words import Words\n\n\n"
    game = shelve(name, "GAME = Game(", imported + spoken)
    game = game._replace(words=sys.modules[game.rulings.__module__].Speech())
    with pytest.raises(BadGame, match=f"^{name}: {said}") as caught:
        evenodds.Match(game)
    one_line(caught)
    assert evenodds.solve(game).gap < 1e-9


def test_a_sound_package_is_played_and_solved(shelve: Shelf) -> None:
    game = shelve("goof", "Goofspiel", "Goofspiel")
    assert evenodds.solve(game).value(evenodds.solve(game).start) == 0
    assert evenodds.Match(game).choices(FIRST) == (1, 2, 3, 4)


@pytest.mark.long
@pytest.mark.parametrize("name", WRONG)
def test_wrong_rules_are_refused_with_function_and_position(name: str, shelve: Shelf) -> None:
    old, new, said = WRONG[name]
    with pytest.raises(BadGame, match=f"^{name}:? .*{said}") as caught:
        evenodds.Match(shelve(name, old, new))
    one_line(caught)


@pytest.mark.long
@pytest.mark.parametrize("name", ["ties", "nolegal", "nobound"])
def test_wrong_rules_are_refused_whatever_is_asked(name: str, shelve: Shelf) -> None:
    old, new, said = WRONG[name]
    game = shelve(name, old, new)
    derived: list[Callable[[], Any]] = [
        lambda: evenodds.solve(game, fresh=True),
        lambda: evenodds.solve(evenodds.game(game, numbers=6)),
        lambda: evenodds.odds(game, evenodds.Uniform(game), evenodds.Uniform(game)),
        lambda: evenodds.exploitability(game, evenodds.Uniform(game)),
        lambda: evenodds.simulate(game, matches=10, compiled=False),
        lambda: Batch(game, game.rulings(), 2, (), 1, repetition=0, limit=9),
        lambda: Listing(game, game.rulings(), silent),
    ]
    for ask in derived:
        with pytest.raises(BadGame, match=f"^{name}:? .*{said}") as caught:
            ask()
        one_line(caught)


@pytest.mark.long
def test_a_match_that_never_ends_is_refused(shelve: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "MAX_MATCH_ROUNDS", 1000)
    more = "    return State(state.rulings, state.hands, state.points, state.prize + 1)\n"
    game = shelve("endless", "    first = picks", f"{more}    first = picks")
    with pytest.raises(BadGame, match=r"^endless: step has not ended a match in 1,000 rounds"):
        evenodds.Match(game)


@pytest.mark.parametrize(
    "game", [game for game in GAMES if not game.loops], ids=lambda game: game.name
)
def test_whether_both_pick_at_once_is_what_the_moves_say(game: Any) -> None:
    wrong = game._replace(simultaneous=not game.simultaneous)
    with pytest.raises(
        BadGame, match=f"^{game.name}: legal lets both seats pick.* simultaneous is"
    ):
        validate(wrong, game.rulings())


@pytest.mark.parametrize("ladder", [(1.0, 0.5), (0.0,) * 9, (1.0,) * 8 + (1.5,), ("1",) * 9])
def test_a_ladder_that_no_level_can_play_by_is_refused(ladder: Any) -> None:
    with pytest.raises(BadGame, match=r"^duel: ladder must be 9 numbers: .*, not \(") as caught:
        validate(DUEL._replace(ladder=ladder), DUEL.rulings())
    one_line(caught)


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        ("solve", "ties"),
        ("odds", "ties", "uniform", "perfect"),
        ("study", "ties"),
        ("players", "ties"),
        ("play", "ties"),
        ("play", "ties", "--vs", "level:3"),
        ("arena", "ties", "--player", "random", "--player", "high", "--matches", "2"),
        ("train", "ties"),
    ],
    ids=lambda command: " ".join(command[:1] + command[2:]),
)
def test_commands_tell_wrong_games(command: tuple[str, ...], shelve: Shelf, tmp_path: Path) -> None:
    shelve("ties", *WRONG["ties"][:2])
    done = evenodds_here(*command, home=tmp_path / "home", typed="1\n1\n")
    assert done.returncode == 1
    assert "ties: mirror " in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.processes
@pytest.mark.parametrize("name", ["ties", "nobound"])
def test_a_sweep_leaves_out_what_is_wrong(name: str, shelve: Shelf, tmp_path: Path) -> None:
    old, new, said = WRONG[name]
    shelve(name, old, new)
    given = {"home": tmp_path / "home", "PYTHONPATH": str(tmp_path)}
    done = evenodds_here("sweep", name, "--rule", "numbers=2..3", **given)  # type: ignore[arg-type]
    assert done.returncode == 1
    assert re.search(f"{name}: {said}", " ".join(done.stdout.split()))
    assert done.stderr == "none of these rulings could be solved\n"


@pytest.mark.processes
def test_a_server_refuses_matches_of_wrong_games(shelve: Shelf, tmp_path: Path) -> None:
    wrong = {name: WRONG[name] for name in ("ties", "crash", "nobound")}
    for name, (old, new, _) in wrong.items():
        shelve(name, old, new)
    with serving(tmp_path / "home", PYTHONPATH=str(tmp_path)) as server:
        client = server.client()
        for name, (_, _, said) in wrong.items():
            for answer in (
                client.post("/api/matches", json={"game": name, "opponent": "level:1"}),
                client.get(f"/api/games/{name}/position"),
            ):
                assert answer.status_code == 422
                assert re.match(f"{name}:? .*{said}", answer.json()["detail"])
        terms = {"game": "duel", "opponent": "level:1"}
        assert client.post("/api/matches", json=terms).status_code == 201
        assert not wrong.keys() & {game["name"] for game in client.get("/api/games").json()}
        lobby = client.get("/").text
        assert 'data-game="duel"' in lobby
        assert not any(f'data-game="{name}"' in lobby for name in wrong)
        wait_until(lambda: client.get("/study").status_code != 202)
        compared = client.get("/study")
        assert compared.status_code == 200
        assert "/study/duel" in compared.text
        server.wait_until_ready()


RARE = (
    "    return state.hands[seat]",
    "    return 0 if state.hands == (0x1FE, 0x1FE0) and seat == FIRST else state.hands[seat]",
)
"""No pick is left when one has used up 9 to 12 and the other 1 to 4, which no sample shows."""


def test_a_fault_that_the_sample_missed_is_told_at_the_table(shelve: Shelf) -> None:
    match = evenodds.Match(evenodds.game(shelve("late", *RARE), numbers=12))
    for picks in ((9, 2), (10, 3), (11, 4)):
        match.play(picks)
    match.pick(FIRST, 12)
    with pytest.raises(BadGame, match="late: legal of seat 0 is empty"):
        match.pick(SECOND, 1)
    assert len(match.history) == 3
    assert pending_picks(match) == {FIRST: 12}


def test_a_rule_that_is_not_marked_is_named(shelve: Shelf) -> None:
    game = shelve("unmarked", "@rule\ndef legal", "def legal")
    assert evenodds.solve(evenodds.game(game, numbers=2)).positions
    with pytest.raises(BadGame, match=r"^unmarked: legal is not marked with @rule, so it cannot"):
        solve_by_kernels(*evenodds.game(game, numbers=3))


@pytest.mark.long
@pytest.mark.xdist_group("compiling")
def test_a_rule_that_does_not_compile_is_named(shelve: Shelf) -> None:
    game = shelve(
        "dicts", "    return state.hands[seat]", "    return {0: 1}.get(5, state.hands)[seat]"
    )
    with pytest.raises(BadGame, match=r"^dicts: legal cannot be compiled: "):
        solve_by_kernels(*evenodds.game(game, numbers=3))


def test_positions_that_no_key_holds_are_refused(shelve: Shelf) -> None:
    game = shelve("wide", "(0, 0), rulings.numbers)", "(1 << 61, 1 << 61), rulings.numbers)")
    ruled = evenodds.game(game, numbers=2)
    for solving in (evenodds.solve, lambda ruled: solve_by_kernels(*ruled)):
        with pytest.raises(BadGame, match="a position of wide does not fit into 62 bits: hands="):
            solving(ruled)


@rule
def lasting_step(state: Any, picks: tuple[int, int]) -> Any:
    """Duel in which a tie costs the second seat a point."""
    after = DUEL.step(state, picks)
    tied = picks[FIRST] == picks[SECOND]
    return after._replace(health=(after.health[0], after.health[1] - tied))


def test_the_functions_of_a_game_are_taken_from_wherever_they_stand() -> None:
    game = DUEL._replace(step=lasting_step, mirror=None)
    settled: Any = game.settle({"hp": 3})
    plain = solve_interpreted(game, settled)
    slow = solve_compiled(game, settled, 1 << 30, silent, compiled=False)
    assert plain is not None
    assert dict(zip(plain.keys, plain.values, strict=True)) == pytest.approx(
        dict(zip(slow.keys, slow.values, strict=True))
    )


@pytest.mark.parametrize("ever", [True, False])
def test_a_game_whose_opening_draw_may_be_drawn_again_is_read(ever: bool) -> None:
    def step(state: Any, picks: Any) -> Any:
        return state if picks[0] == 1 or not ever else state._replace(place=0)

    given = TOLL._asdict() | {"start": lambda rulings: toll.State(rulings, 2), "step": step}
    game = Game.of(SimpleNamespace(**given, Rulings=TOLL.rulings, __package__=""))
    assert not game.simultaneous


LATE = (
    DRAW,
    "    if state.points[FIRST] == 3 and state.points[SECOND] == 3:\n"
    "        return Outcome.FIRST_WINS\n" + DRAW,
)
"""A tie that hardly ever comes about, in which the mirror does not hold."""


@pytest.mark.long
@pytest.mark.parametrize("name", ["late", "ties", "onewaymirror", "otherhands", "prizes"])
def test_the_loops_hold_every_position_against_its_mirror_image(
    name: str, shelve: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shelve(name, *(LATE if name == "late" else WRONG[name][:2]))
    for numbers in (4, 5) if name != "late" else (4,):
        with pytest.raises(BadGame, match=f"^{name}: mirror .*, at hands=") as caught:
            solve_compiled(game, game.settle({"numbers": numbers}), 1 << 30, silent, compiled=False)
        one_line(caught)
        monkeypatch.setattr(symmetry, "MAX_COMPARED_PER_LAYER", 3)


@pytest.mark.long
def test_a_false_mirror_that_no_sample_shows_is_refused_when_it_is_solved(shelve: Shelf) -> None:
    game = shelve("late", *LATE)
    validate(game, game.settle({"numbers": 8}))
    said = r"^late: mirror does not hold: picks .* lead to FIRST_WINS, exchanged to FIRST_WINS"
    with pytest.raises(BadGame, match=said) as caught:
        evenodds.solve(evenodds.game(game, numbers=8))
    one_line(caught)


FORGETS = """@rule
def canonical(state):
    if WHERE:
        return State(state.rulings, state.hands, (state.points[0], 0), state.prize)
    return state


GAME = Game("""
"""A canonical form that forgets the points of the second seat somewhere."""


def test_a_canonical_that_merges_wins_and_losses_is_refused(shelve: Shelf) -> None:
    game = shelve("merges", "GAME = Game(", FORGETS.replace("WHERE", "state.prize <= 1"))
    game = game._replace(canonical=sys.modules[game.rulings.__module__].canonical)
    with pytest.raises(BadGame, match=r"^merges: canonical does not hold: .* not alike, at hands="):
        validate(game._replace(mirror=None), game.rulings())


@pytest.mark.long
@pytest.mark.parametrize("compiled", [True, False])
def test_a_false_canonical_is_refused_where_it_is_solved(shelve: Shelf, compiled: bool) -> None:
    rare = "state.prize == 2 and state.points[1] == 9"
    game = shelve("forgets", "GAME = Game(", FORGETS.replace("WHERE", rare))
    game = game._replace(canonical=sys.modules[game.rulings.__module__].canonical)
    said = "^forgets: canonical does not hold: .* not alike, at hands="
    with pytest.raises(BadGame, match=said) as caught:
        solve_compiled(game, game.settle({"numbers": 5}), 1 << 30, silent, compiled=compiled)
    one_line(caught)


def test_a_key_that_no_table_holds_is_not_looked_for_for_ever() -> None:
    with pytest.raises(LookupError):
        key_tables.find(key_tables.key_table(kernels_of(DUEL, False), np.array([5, 900])), 3)
