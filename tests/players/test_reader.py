"""The reader: it finds habits, remembers people, and never risks more than its bound."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds import FIRST, PASS, SECOND, Match, Solution
from evenodds.engine.solution import payoff_rows
from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as command
from tests.support.opponents import (
    HABITS,
    MAX_EXPLOITABILITY,
    MixPlayer,
    ObservedPick,
    OpponentModel,
    ReaderMemory,
    ReaderPlayer,
    Situation,
    memory,
)
from tests.support.play import SEATS, play

Way = Callable[[Any, Random], int]
"""From a view to a number."""
READER = ("--vs", "reader", "--names", "Ann,Robot")


def picked(view: Any, seat: int) -> list[int]:
    return [picks[seat] for picks in view.history if picks[seat] != PASS]


def highest(view: Any, chance: Random) -> int:
    return int(view.choices[-1])


def lowest(view: Any, chance: Random) -> int:
    return int(view.choices[0])


def copies(view: Any, chance: Random) -> int:
    last = [0, *picked(view, 1 - view.seat)][-1]
    return int(min(view.choices, key=lambda number: (abs(number - last), number)))


def cycles(view: Any, chance: Random) -> int:
    last = [0, *picked(view, view.seat)][-1]
    return int(next((number for number in view.choices if number > last), view.choices[0]))


def avoids_repeats(view: Any, chance: Random) -> int:
    """Anything but what was picked last: in `duel` a low number follows a high one."""
    last = picked(view, view.seat)[-1:] if len(view.choices) > 1 else []
    return int(chance.choice([number for number in view.choices if number not in last]))


HABITUAL: dict[str, Way] = {way.__name__: way for way in (highest, copies, cycles, avoids_repeats)}
"""The habits of the data of games, by name."""


def solved(game: str, given: dict[str, Any]) -> Solution:
    return evenodds.solve(evenodds.game(game, given))


def reader(
    solution: Solution, match: Match, seat: int = FIRST, taught: ReaderMemory | None = None
) -> ReaderPlayer:
    """A reader in a seat, who knows nobody unless told."""
    return ReaderPlayer(solution, match.terms, seat, Random(1), taught or ReaderMemory())


def meet(match: Match, player: Any, seat: int, way: Way, chance: Random) -> float:
    def choice(match: Match, asked: int) -> int:
        view = match.view(asked)
        return player.pick(view) if asked == seat else way(view, chance)

    result = play(match, choice).result
    assert result is not None
    player.leave(match.view(seat))
    return (1 + int(result.outcome) * (1 if seat == FIRST else -1)) / 2


def score(game: str, given: dict[str, Any], way: Way, reads: bool, matches: int) -> float:
    """What the reader or perfect play scores against a habit, each side in turn."""
    solution, chance, known, points = solved(game, given), Random(5), ReaderMemory(), 0.0
    for number in range(matches):
        match, seat = Match(game, given), number % 2
        player = MixPlayer(solution.mix, chance)
        reading = ReaderPlayer(solution, match.terms, seat, chance, known)
        points += meet(match, reading if reads else player, seat, way, chance)
    return points / matches


def knowing(
    way: Way, game: str, given: dict[str, Any], seat: int, matches: int = 20
) -> ReaderMemory:
    solution, taught = solved(game, given), ReaderMemory()
    for _ in range(matches):
        match = Match(game, given)
        meet(match, reader(solution, match, seat, taught), seat, way, Random(1))
    return taught


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("game", "given", "habit", "more"),
    [
        ("circle", {"numbers": 9, "reach": 2}, "avoids_repeats", -0.05),
        ("circle", {"numbers": 8, "reach": 2}, "copies", 0.15),
        ("duel", {"hp": 9, "numbers": 5}, "avoids_repeats", 0.0),
        ("factors", {"target": 19}, "highest", 0.2),
        ("margin", {"numbers": 4}, "highest", 0.15),
        ("margin", {"numbers": 4}, "copies", 0.1),
        ("margin", {}, "cycles", 0.2),
        ("underdog", {"numbers": 5}, "highest", 0.2),
        ("underdog", {"numbers": 5}, "copies", 0.15),
    ],
)
def test_habits_are_answered(game: str, given: dict[str, Any], habit: str, more: float) -> None:
    way = HABITUAL[habit]
    read = score(game, given, way, True, 30)
    perfect = score(game, given, way, False, 30)
    assert read >= min(1.0, perfect + more)


@pytest.mark.long
def test_a_habit_that_errs_late_is_led_there() -> None:
    given = {"target": 12}
    assert score("factors", given, lowest, False, 2) == 1.0
    assert score("factors", given, lowest, True, 6) > 0.9


def counter(match: Match, seat: int, player: ReaderPlayer) -> float:
    """What the best counter-strategy, which knows every mix of the reader, scores from here."""
    if match.result is not None:
        return (1 - int(match.result.outcome) * (1 if seat == FIRST else -1)) / 2
    person = 1 - seat
    mix = player.mix(match.view(seat)) if seat in match.waiting() else {PASS: 1.0}
    scores = []
    for reply in match.choices(person) if person in match.waiting() else (PASS,):
        total = 0.0
        for number, share in mix.items():
            match.play((number, reply) if seat == FIRST else (reply, number))
            total += share * counter(match, seat, player)
            match.undo()
        scores.append(total)
    return max(scores)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("way", [highest, cycles, None])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("circle", {"numbers": 6, "reach": 2}),
        ("duel", {"hp": 4, "numbers": 3}),
        ("factors", {"target": 3, "numbers": 3}),
        ("margin", {"numbers": 3}),
        ("underdog", {"numbers": 3}),
    ],
)
def test_its_risk_is_bounded(game: str, given: dict[str, Any], seat: int, way: Way | None) -> None:
    solution, match = solved(game, given), Match(game, given)
    player = reader(solution, match, seat, knowing(way, game, given, seat) if way else None)
    value = solution.value(solution.start) * (1 if seat == FIRST else -1)
    bound = MAX_EXPLOITABILITY if match.game.simultaneous else 0.0
    assert counter(match, seat, player) <= (1 - value) / 2 + bound + 1e-9


class CountedSolution(Solution):
    """A solution that counts the positions that are looked up."""

    looked = 0

    def value(self, state: Any, seat: int = FIRST) -> float:
        self.looked += 1
        return super().value(state, seat)


def counted(solution: Solution) -> CountedSolution:
    return CountedSolution(solution.game, solution.rulings, solution.solved)


@pytest.mark.long
@pytest.mark.no_cover
def test_a_pick_takes_little_work_however_many_numbers_there_are() -> None:
    given = {"target": 12, "numbers": 20}
    solution, match, chance = counted(solved("factors", given)), Match("factors", given), Random(2)
    taught = knowing(avoids_repeats, "factors", given, FIRST, 2)
    player = ReaderPlayer(solution, match.terms, FIRST, chance, taught)
    while match.result is None and match.round < 20:
        (seat,) = match.waiting()
        solution.looked = 0
        view = match.view(seat)
        match.pick(seat, player.pick(view) if seat == FIRST else chance.choice(view.choices))
        assert solution.looked < 4000


def test_it_does_deviate_from_exact_play() -> None:
    given = {"numbers": 4, "target": 2}
    solution, match = solved("underdog", given), Match("underdog", given)
    player = reader(solution, match, FIRST, knowing(highest, "underdog", given, FIRST))
    mix = player.mix(match.view(FIRST))
    assert mix != solution.mix(match.state, FIRST)
    assert sum(mix.values()) == pytest.approx(1)


def test_a_taken_back_round_is_read_anew() -> None:
    given = {"numbers": 4}
    solution, match = solved("margin", given), Match("margin", given)
    fresh, used = (reader(solution, match, SECOND) for _ in range(2))
    match.play((4, 3))
    match.play((3, 4))
    used.mix(match.view(SECOND))
    match.undo()
    match.undo()
    match.play((1, 1))
    assert used.mix(match.view(SECOND)) == fresh.mix(match.view(SECOND))


@pytest.mark.long
def test_a_pick_after_undo_or_resume_takes_little_work_however_long_the_match() -> None:
    given = {"hp": 40}
    solution, match = counted(solved("duel", given)), Match("duel", given)

    def work(player: ReaderPlayer) -> int:
        solution.looked = 0
        player.pick(match.view(FIRST))
        return solution.looked

    player, resumed = reader(solution, match), []
    for rounds in range(39):
        assert work(player) < 60
        if rounds in (26, 38):
            resumed.append(work(reader(solution, match)))
        match.play((1, 1))
    assert resumed[1] - resumed[0] < 5 * 12
    match.undo()
    for _ in range(30):
        match.undo()
        assert work(player) < 60


@pytest.mark.long
def test_what_is_remembered_of_a_resumed_match_is_all_of_it() -> None:
    solution, known = solved("duel", {"hp": 40}), []
    for asked_from in (1, 36):
        match = Match("duel", {"hp": 40}, players=("Ann", "Robot"))
        player = reader(solution, match, SECOND)
        while match.result is None:
            if match.round >= asked_from:
                player.pick(match.view(SECOND))
            match.play((1, 1) if match.round < 36 else (match.round % 3 + 1, 1))
        player.leave(match.view(SECOND))
        known.append(memory.read("Ann"))
        memory.forget("Ann")
    assert known[0] == known[1]


def test_a_named_player_is_remembered_shown_and_forgotten(home: Path) -> None:
    asked = ("play", "duel", "hp=3", "--vs", "reader", "--names", "Ann ☃/..,Robot")
    for _ in range(3):
        assert command(*asked, typed=lines(3, 3, 3), home=home).returncode == 0
    (file,) = (home / "habits").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert json.loads(file.read_text())["name"] == "Ann ☃/.."
    assert "The reader knows Ann ☃/.." in command("habits", home=home).stdout
    shown = command("habits", "Ann ☃/..", home=home).stdout
    assert "Ann ☃/.. in Number Duel: 3 picks seen." in shown
    assert "\n  by height among the open numbers: the highest (100%)\n" in shown
    assert "\n  by number: 3 (100%)\n" in shown
    assert "These picks are best predicted by " in shown
    gone = command("forget", "Ann ☃/..", home=home)
    assert gone.stdout == "Everything about Ann ☃/.. is deleted.\n"
    assert not file.exists()
    for words in (("habits", "Ann"), ("forget", "Ann")):
        done = command(*words, home=home)
        assert done.returncode == 1
        assert done.stderr == 'the opponent reader has no data on a player called "Ann"\n'
    assert "has not met a named player yet" in command("habits", home=home).stdout


@pytest.mark.processes
def test_habits_are_shown_in_plain_words_with_shares_that_add_up(home: Path) -> None:
    """By hand: of n picks the last counts 1, the one before 0.97, and so on."""
    lessons = []
    picks = (7, 1, 7, 4, 2, 7, 3, 7)
    for place, number in enumerate(picks):
        own, theirs = picks[:place], (5,) * place
        situation = Situation(tuple(range(1, 8)), own, theirs, 1 if place else None)
        lessons.append(ObservedPick(situation, {}, number))
    ReaderMemory().learn("Ann", "duel", lessons)
    weights = [0.97 ** (len(picks) - 1 - place) for place in range(len(picks))]

    def share(*numbers: int) -> str:
        found = sum(w for w, pick in zip(weights, picks, strict=True) if pick in numbers)
        return f"({100 * found / sum(weights):.0f}%)"

    shown = command("habits", "Ann", home=home).stdout
    assert f"by number: 7 {share(7)}, 3 {share(3)}, 2 {share(2)}, others {share(1, 4)}" in shown
    assert (
        f"by height among the open numbers: the highest {share(7)}, a low one {share(2, 3)}, "
        f"a middle one {share(4)}, others {share(1)}"
    ) in shown
    assert "thirds between the lowest and the highest" in shown
    assert "first pick" not in shown
    screen = Terminal("habits", "Ann", home=home)
    assert screen.end() == 0
    assert max(map(len, screen.scrollback())) < 80


def test_a_match_left_open_teaches_nothing_yet_and_that_of_a_stranger_never(home: Path) -> None:
    command("play", "duel", "hp=1", "--vs", "reader", typed=lines(3), home=home)
    command("play", "margin", *READER, typed=lines(5, "quit"), home=home)
    assert not (home / "habits").exists()
    command("resume", typed=lines(4, 3, 2, 1), home=home)
    assert memory.read("Ann")["margin"].picks == 5


def known(picks: str = "1", counts: str = "", belief: str = "") -> str:
    model = f'"picks": {picks}, "counts": {{{counts}}}, "belief": {{{belief}}}'
    return f'{{"name": "Ann", "games": {{"duel": {{{model}}}}}}}'


DAMAGED = [
    *("", "[]", "[" * 10_000, '{"name": "Ann", "games": []}', '{"name": "Ann", "age": 3}'),
    '{"name": "Ann", "games": {"duel": 3}}',
    *(known(picks) for picks in ("-1", "1e308", "true", "1.5", "9999999999")),
    *(known(belief=f'"chance": {score}') for score in ("NaN", "Infinity", "true", "1e308")),
    *(known(belief=f'"{name}": 1') for name in ("x", "luck")),
    *(known(counts=f'"height": {what}') for what in ("3", '{"today": {}}')),
    known(counts='"luck": {"always": {}}'),
    *(
        known(counts=f'"height": {{"always": {{{what}}}}}')
        for what in ('"low": Infinity', '"low": 1e308', '"low": true', r'"\u001b[2J": 3')
    ),
    known(counts=r'"number": {"always": {"\u001b[2J": 3}}'),
]
"""What no reader can have written."""


@pytest.mark.parametrize("text", DAMAGED, ids=lambda text: text[:100])
def test_what_no_reader_can_have_written_is_damaged(text: str, home: Path) -> None:
    (home / "habits").mkdir(parents=True)
    (home / "habits" / "Ann.json").write_text(text)
    assert len(memory.notes("Ann")) == len(memory.notes()) == 1
    assert memory.remembered_names() == ["Ann"] * ("Ann" in text and not re.search("NaN|Inf", text))
    assert memory.read("Ann") == {}


def test_what_is_not_understood_of_a_memory_is_told_and_stays(home: Path) -> None:
    (home / "habits").mkdir(parents=True)
    file = home / "habits" / "Ann.json"
    file.write_text(known("3")[:-2] + ', "margin": {"picks": -1}}, "age": 3}')
    told = f'Not understood in {file}: "games.margin", "age".'
    (home / "habits" / "Bob.json").write_text("[")
    listed = command("habits", home=home)
    assert "The reader knows Ann." in listed.stdout
    assert listed.stderr.startswith(f"{told}\n{home / 'habits' / 'Bob.json'} is damaged: ")
    shown = command("habits", "Ann", home=home)
    assert (shown.returncode, shown.stderr) == (0, f"{told}\n")
    assert "3 picks seen" in shown.stdout
    damaged = command("habits", "Bob", home=home)
    assert (damaged.returncode, damaged.stderr.count("Bob.json is damaged: ")) == (1, 1)
    done = command("play", "duel", "hp=3", *READER, typed=lines(3, 3, 3), home=home)
    assert done.stdout.count("Not understood") == 1
    assert memory.read("Ann")["duel"].picks > 3
    assert memory.notes("Ann") == [told]


def test_someone_who_plays_exactly_is_taken_for_that() -> None:
    perfect = MixPlayer(solved("margin", {"numbers": 4}).mix, Random(4))
    known = knowing(lambda view, _: perfect.pick(view), "margin", {"numbers": 4}, SECOND)
    belief = known.load_model("", "margin").belief
    assert max(belief, key=lambda name: belief[name]) == "exact play"


def test_resuming_with_other_knowledge_risks_nothing_more() -> None:
    given = {"numbers": 4, "target": 2}
    solution, match = solved("underdog", given), Match("underdog", given)
    match.play((4, 2))
    mix = reader(solution, match).mix(match.view(FIRST))
    rows = payoff_rows(solution.matrix(match.state), FIRST)
    worst = min(
        sum(mix.get(own, 0.0) * row[place] for own, row in rows.items())
        for place in range(len(match.choices(SECOND)))
    )
    assert worst >= solution.value(match.state) - 1e-9


@pytest.mark.long
def test_whatever_a_reader_can_learn_it_can_read_again() -> None:
    chance, lessons = Random(5), []
    for many in (*range(1, 9), 40):
        choices = tuple(range(1, many + 1))
        for place in range(100):
            own = tuple(chance.choices(choices, k=place % 3))
            situation = Situation(choices, own, own[::-1], chance.choice((None, -1, 0, 1)))
            lessons.append(
                ObservedPick(situation, {1: 1.0}, chance.choice((1, chance.choice(choices))))
            )
    ReaderMemory().learn("Ann", "duel", lessons)
    assert memory.read("Ann")["duel"].picks == len(lessons)
    assert set(memory.read("Ann")["duel"].counts) == {habit.name for habit in HABITS}


def test_what_another_window_taught_is_not_forgotten() -> None:
    solution = solved("margin", {"numbers": 4})
    matches = [Match("margin", {"numbers": 4}, players=("Ann", "Robot")) for _ in range(2)]
    players = [reader(solution, match, SECOND) for match in matches]
    known, start = OpponentModel(), Situation((1, 2, 3, 4), (), (), None)
    for match, player, number in zip(matches, players, (4, 1), strict=True):
        match.play((number, 2))
        match.resign(FIRST)
        player.leave(match.view(SECOND))
        known.learn(ObservedPick(start, solution.mix(solution.start, 0), number))
    assert memory.read("Ann")["margin"] == known


def test_what_cannot_be_kept_is_told(home: Path) -> None:
    home.mkdir()
    (home / "habits").write_text("a file where a folder should be")
    done = command("play", "duel", "hp=3", *READER, typed=lines(3, 3, 3), home=home)
    assert done.returncode == 0
    said = done.stdout.splitlines()
    assert said[-1] == "What the reader learned of Ann cannot be kept: Not a directory."


def test_what_was_put_aside_is_forgotten_too(home: Path) -> None:
    folder = home / "habits"
    folder.mkdir(parents=True)
    for name in ("Ann.json.damaged", "Ann.json.damaged2", "Ann.json.new"):
        (folder / name).write_text("{")
    others = {"Ann.jsonx.json", "Anna.json.damaged"}
    for name in others:
        (folder / name).write_text("{")
    done = command("forget", "Ann", home=home)
    assert done.stdout.endswith("\n2 damaged files that were put aside went with it.\n")
    assert {file.name for file in folder.iterdir()} == others
