"""The reader: it finds habits, remembers people, and never risks more than its bound."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import evenodds
from evenodds.core.match import Match
from evenodds.core.record import View
from evenodds.core.terms import agree
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, Seat, alone, other
from evenodds.players.exact import MixPlayer
from evenodds.players.reader import memory
from evenodds.players.reader.habits import HABITS, ObservedPick, OpponentModel, Situation
from evenodds.players.reader.memory import SHARED_MEMORY, ReaderMemory
from evenodds.players.reader.player import MAX_EXPLOITABILITY, ReaderPlayer
from evenodds.players.registry import opponent
from tests.support.commands import Terminal, lines
from tests.support.commands import evenodds_here as command
from tests.support.game_data import cases
from tests.support.waiting import TIMEOUT_S

Way = Callable[[View, Random], int]


@pytest.fixture(autouse=True)
def strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strangers are met anew in every test."""
    monkeypatch.setattr(SHARED_MEMORY, "_unnamed_models", {})


def own(view: View) -> list[int]:
    """What a seat has picked so far."""
    assert view.seat is not None
    return [picks[view.seat] for picks in view.history if picks[view.seat] != PASS]


def theirs(view: View) -> list[int]:
    """What the other has picked so far."""
    assert view.seat is not None
    seat = other(view.seat)
    return [picks[seat] for picks in view.history if picks[seat] != PASS]


def highest(view: View, chance: Random) -> int:
    """Always the highest number."""
    return view.choices[-1]


def copies(view: View, chance: Random) -> int:
    """The number nearest to the other's last."""
    last = theirs(view)[-1] if theirs(view) else 0
    return min(view.choices, key=lambda number: (abs(number - last), number))


def cycles(view: View, chance: Random) -> int:
    """One up from the last, and round again."""
    last = own(view)[-1] if own(view) else 0
    return next((number for number in view.choices if number > last), view.choices[0])


def avoids_repeats(view: View, chance: Random) -> int:
    """Anything but what was picked last: in `duel` a low number follows a high one."""
    last = own(view)[-1:] if len(view.choices) > 1 else []
    return chance.choice([number for number in view.choices if number not in last])


HABITUAL: dict[str, Way] = {way.__name__: way for way in (highest, copies, cycles, avoids_repeats)}
"""The habits of the data of games, by name."""


def score(game: str, given: dict[str, Any], way: Way, reads: bool, matches: int) -> float:
    """What the reader or perfect play scores against a habit, each side in turn."""
    terms, solution = agree(game, given), evenodds.solve(evenodds.game(game, given))
    chance, remembered, points = Random(5), ReaderMemory(), 0.0
    for number in range(matches):
        seat = number % 2
        player = (
            ReaderPlayer(solution, terms, seat, chance, remembered)
            if reads
            else MixPlayer(solution.mix, chance)
        )
        match = Match(terms)
        while match.result is None:
            for asked in match.waiting():
                view = match.view(asked)
                match.pick(asked, player.pick(view) if asked == seat else way(view, chance))
        player.leave(match.view(seat))
        won = int(match.result.outcome) * (1 if seat == FIRST else -1)
        points += (1 + won) / 2
    return points / matches


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "given", "habit", "more"), cases("habits"))
def test_habits_are_found_and_answered(
    game: str, given: dict[str, Any], habit: str, more: float
) -> None:
    """The reader scores clearly more than perfect play does, where there is more to be had."""
    way = HABITUAL[habit]
    read = score(game, given, way, True, 60)
    perfect = score(game, given, way, False, 60)
    assert read >= min(1.0, perfect + more)


def lowest(view: View, chance: Random) -> int:
    """Always the lowest number."""
    return view.choices[0]


@pytest.mark.long
def test_a_habit_that_errs_late_is_led_there() -> None:
    """Always 1 in `factors`: perfect play that wants to win and the reader race to the target."""
    given = {"target": 30}
    assert score("factors", given, lowest, False, 2) == 1.0
    assert score("factors", given, lowest, True, 6) > 0.9


@pytest.mark.long
@pytest.mark.parametrize(
    ("habit", "trapped"),
    [
        (lambda last: 1, (True, True)),
        (lambda last: 9, (True, False)),
        (lambda last: last or 1, (False, False)),
    ],
)
def test_which_habits_of_factors_can_be_trapped_at_all(
    habit: Callable[[int], int], trapped: tuple[bool, bool]
) -> None:
    """Every line of numbers that give nothing away, through the exact table, in either seat."""
    solution = evenodds.solve(evenodds.game("factors", target=19))
    game = solution.game

    def gains(seat: Seat) -> bool:
        side = 1 if seat == FIRST else -1
        ahead = [(solution.start, 0)]
        met = set(ahead)
        while ahead:
            state, last = ahead.pop()
            mine = state.turn == seat
            for number in game.picks(state, state.turn) if mine else (habit(last),):
                after = game.step(state, alone(state.turn, number))
                change = side * (solution.value(after) - solution.value(state))
                if change > 0:
                    return True
                following = (after, number if mine else last)
                if change == 0 and following not in met and game.outcome(after) == Outcome.ONGOING:
                    met.add(following)
                    ahead.append(following)
        return False

    assert (gains(FIRST), gains(SECOND)) == trapped


def seen(match: Match, seat: Seat, player: ReaderPlayer) -> float:
    """What the best counter-strategy, which knows every mix of the reader, scores from here."""
    if match.result is not None:
        won = int(match.result.outcome) * (1 if seat == FIRST else -1)
        return (1 - won) / 2
    person = other(seat)
    mix = player.mix(match.view(seat)) if seat in match.waiting() else {PASS: 1.0}
    replies = match.choices(person) if person in match.waiting() else (PASS,)
    scores = []
    for reply in replies:
        total = 0.0
        for number, share in mix.items():
            after = Match(match.terms)
            pair = (number, reply) if seat == FIRST else (reply, number)
            for picks in (*match.history, pair):
                after.play(picks)
            total += share * seen(after, seat, player)
        scores.append(total)
    return max(scores)


def knowing(way: Way, game: str, given: dict[str, Any], seat: Seat) -> ReaderMemory:
    """A memory of someone with a habit."""
    terms, solution, remembered = (
        agree(game, given),
        evenodds.solve(evenodds.game(game, given)),
        ReaderMemory(),
    )
    for _ in range(20):
        player = ReaderPlayer(solution, terms, seat, Random(3), remembered)
        match = Match(terms)
        while match.result is None:
            for asked in match.waiting():
                view = match.view(asked)
                match.pick(asked, player.pick(view) if asked == seat else way(view, Random(1)))
        player.leave(match.view(seat))
    return remembered


@pytest.mark.processes
@pytest.mark.no_cover
@pytest.mark.parametrize("way", [highest, copies, cycles, None])
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("game", "given"), cases("counter_read"))
def test_reading_it_back_gains_no_more_than_the_bound(
    game: str, given: dict[str, Any], seat: Seat, way: Way | None
) -> None:
    """The best counter-strategy of all, over every line of play, whatever the reader believes."""
    terms, solution = agree(game, given), evenodds.solve(evenodds.game(game, given))
    remembered = knowing(way, game, given, seat) if way else ReaderMemory()
    player = ReaderPlayer(solution, terms, seat, Random(1), remembered)
    value = solution.value(solution.start) * (1 if seat == FIRST else -1)
    fair = (1 - value) / 2
    taken = seen(Match(terms), seat, player)
    assert taken <= fair + MAX_EXPLOITABILITY + 1e-9
    if not terms.game.simultaneous:
        assert taken <= fair + 1e-9


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("numbers", [9, 30])
def test_a_pick_takes_little_work_however_many_numbers_there_are(
    numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions looked up for one pick: some thousands, and not the cube of the numbers."""
    given = {"target": 18, "numbers": numbers}
    terms, solution = agree("factors", given), evenodds.solve(evenodds.game("factors", given))
    known = knowing(avoids_repeats, "factors", given, FIRST)
    looked, look_up = [0], solution.worth

    def counted(state: Any) -> float:
        looked[0] += 1
        return float(look_up(state))

    monkeypatch.setattr(solution, "worth", counted)
    match, chance = Match(terms), Random(2)
    player = ReaderPlayer(solution, terms, FIRST, chance, known)
    while match.result is None and match.round < 20:
        (seat,) = match.waiting()
        looked[0] = 0
        view = match.view(seat)
        match.pick(seat, player.pick(view) if seat == FIRST else chance.choice(view.choices))
        assert looked[0] < 4000


def test_it_does_deviate_from_exact_play() -> None:
    """Else the bound would say nothing: its mix is another one once it knows somebody."""
    given = {"numbers": 4, "target": 2}
    solution = evenodds.solve(evenodds.game("underdog", given))
    player = ReaderPlayer(
        solution,
        agree("underdog", given),
        FIRST,
        Random(1),
        knowing(highest, "underdog", given, FIRST),
    )
    match = Match(agree("underdog", given))
    assert player.mix(match.view(FIRST)) != solution.mix(match.state, FIRST)
    assert sum(player.mix(match.view(FIRST)).values()) == pytest.approx(1)


def test_a_taken_back_round_is_read_anew() -> None:
    terms = agree("margin", {"numbers": 4})
    fresh = opponent("reader", terms, SECOND, Random(1))
    used = opponent("reader", terms, SECOND, Random(1))
    assert isinstance(fresh, ReaderPlayer)
    assert isinstance(used, ReaderPlayer)
    match = Match(terms)
    match.play((4, 3))
    match.play((3, 4))
    used.mix(match.view(SECOND))
    match.undo()
    match.undo()
    match.play((1, 1))
    assert used.mix(match.view(SECOND)) == fresh.mix(match.view(SECOND))


@pytest.mark.long
def test_a_pick_after_undo_or_resume_takes_little_work_however_long_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Positions looked up: hardly any after undo, and a few more for each round resumed."""
    given = {"hp": 80, "numbers": 4}
    terms, solution = agree("duel", given), evenodds.solve(evenodds.game("duel", given))
    looked, look_up = [0], solution.worth

    def counted(state: Any) -> float:
        looked[0] += 1
        return float(look_up(state))

    monkeypatch.setattr(solution, "worth", counted)

    def work(player: ReaderPlayer, match: Match) -> int:
        looked[0] = 0
        player.pick(match.view(FIRST))
        return looked[0]

    def stranger() -> ReaderPlayer:
        return ReaderPlayer(solution, terms, FIRST, Random(1), ReaderMemory())

    match, player, resumed = Match(terms), stranger(), []
    for rounds in range(79):
        assert work(player, match) < 60
        if rounds in (39, 78):
            resumed.append(work(stranger(), match))
        match.play((1, 1))
    assert resumed[1] - resumed[0] < 5 * 39
    match.undo()
    for _ in range(70):
        match.undo()
        assert work(player, match) < 60


@pytest.mark.long
def test_what_is_remembered_of_a_resumed_match_is_all_of_it() -> None:
    """The same as of a match that was played at a sitting, however long."""
    terms = agree("duel", {"hp": 40}, players=("Ann", "Robot"))
    solution = evenodds.solve(evenodds.game("duel", hp=40))
    known = []
    for asked_from in (1, 36):
        player, match = (
            ReaderPlayer(solution, terms, SECOND, Random(1), ReaderMemory()),
            Match(terms),
        )
        while match.result is None:
            if match.round >= asked_from:
                player.pick(match.view(SECOND))
            match.play((1, 1) if match.round < 36 else (match.round % 3 + 1, 1))
        player.leave(match.view(SECOND))
        known.append(memory.read("Ann"))
        memory.forget("Ann")
    assert known[0] == known[1]


def test_a_named_player_is_remembered_shown_and_forgotten(home: Path) -> None:
    asked = ("play", "duel", "--rule", "hp=3", "--vs", "reader", "--names", "Ann ☃/..,Robot")
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


def test_a_match_left_open_teaches_nothing_yet(home: Path) -> None:
    asked = ("play", "margin", "--vs", "reader", "--names", "Ann,Robot")
    command(*asked, typed=lines(5, "quit"), home=home)
    assert not (home / "habits").exists()
    command("resume", typed=lines(4, 3, 2, 1), home=home)
    assert memory.read("Ann")["margin"]["picks"] == 5


def test_strangers_are_not_remembered(home: Path) -> None:
    done = command("play", "duel", "--rule", "hp=1", "--vs", "reader", typed=lines(3), home=home)
    assert done.returncode == 0
    assert not (home / "habits").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"name": "Ann", "games": []}',
        '{"name": "Ann", "games": {"duel": {}}}',
        '{"name": "Ann", "games": {"duel": {"picks": 1, "counts": {"height": 3}, "belief": {}}}}',
        '{"name": "Ann", "games": {"duel": {"picks": -1, "counts": {}, "belief": {}}}}',
        '{"name": "Ann", "games": {"duel": {"picks": 1, "counts": {}, "belief": {"x": NaN}}}}',
        "[" * 10_000,
    ],
)
def test_a_damaged_memory_is_no_memory(text: str, home: Path) -> None:
    """Play goes on as with a stranger; the file is put aside, and one line says so."""
    (home / "habits").mkdir(parents=True)
    (home / "habits" / "Ann.json").write_text(text)
    (home / "habits" / "Ann.json.damaged").write_text("from earlier")
    assert memory.remembered_names() == []
    assert memory.is_damaged("Ann")
    asked = ("play", "duel", "--rule", "hp=3", "--vs", "reader", "--names", "Ann,Robot")
    done = command(*asked, typed=lines(3, 3, 3), home=home)
    assert done.returncode == 0
    assert memory.read("Ann")["duel"]["picks"] >= 1
    (line,) = [line for line in done.stdout.splitlines() if "damaged" in line]
    assert line.endswith("it begins anew, and the file is kept as Ann.json.damaged2.")
    assert (home / "habits" / "Ann.json.damaged").read_text() == "from earlier"
    assert (home / "habits" / "Ann.json.damaged2").read_text() == text
    assert not memory.is_damaged("Ann")


@pytest.mark.parametrize(
    "absurd",
    [
        '{"picks": 1e308, "counts": {}, "belief": {}}',
        '{"picks": true, "counts": {}, "belief": {}}',
        '{"picks": 1.5, "counts": {}, "belief": {}}',
        '{"picks": 9999999999, "counts": {}, "belief": {}}',
        '{"picks": 1, "counts": {}, "belief": {"chance": Infinity}}',
        '{"picks": 1, "counts": {}, "belief": {"chance": true}}',
        '{"picks": 1, "counts": {}, "belief": {"chance": 1e308}}',
        '{"picks": 1, "counts": {}, "belief": {"luck": 1}}',
        '{"picks": 1, "counts": {"luck": {"always": {}}}, "belief": {}}',
        '{"picks": 1, "counts": {"height": {"today": {}}}, "belief": {}}',
        '{"picks": 1, "counts": {"height": {"always": {"low": Infinity}}}, "belief": {}}',
        '{"picks": 1, "counts": {"height": {"always": {"low": 1e308}}}, "belief": {}}',
        '{"picks": 1, "counts": {"height": {"always": {"low": true}}}, "belief": {}}',
        r'{"picks": 1, "counts": {"height": {"always": {"\u001b[2J": 3}}}, "belief": {}}',
        r'{"picks": 1, "counts": {"number": {"always": {"\u001b[2J": 3}}}, "belief": {}}',
    ],
)
def test_what_no_reader_can_have_written_is_damaged(absurd: str, home: Path) -> None:
    (home / "habits").mkdir(parents=True)
    (home / "habits" / "Ann.json").write_text(f'{{"name": "Ann", "games": {{"duel": {absurd}}}}}')
    assert memory.is_damaged("Ann")
    assert memory.remembered_names() == []
    assert memory.read("Ann") == {}


def test_a_damaged_memory_is_shown_as_such(home: Path) -> None:
    """In one line; a file that cannot be put aside does not stop play."""
    (home / "habits").mkdir(parents=True)
    (home / "habits" / "Ann.json").write_text("{")
    told = command("habits", "Ann", home=home).stderr
    assert told == "what the reader remembers of Ann is damaged; forget removes it\n"
    remembered = ReaderMemory()
    (home / "habits").rename(home / "elsewhere")
    assert remembered.load_model("Ann", "duel").picks == 0
    assert remembered.take_faults() == []


def test_someone_who_plays_exactly_is_taken_for_that() -> None:
    """No habit foretells perfect play better than perfect play, and so the reader plays it too."""
    solution, chance = evenodds.solve("margin"), Random(4)
    perfect = MixPlayer(solution.mix, chance)
    known = knowing(lambda view, _: perfect.pick(view), "margin", {}, SECOND)
    belief = known.load_model("", "margin").belief
    assert max(belief, key=lambda name: belief[name]) == "exact play"


def test_resuming_with_other_knowledge_risks_nothing_more() -> None:
    """What was risked before is not known, so the reader plays on as exactly as it can."""
    given = {"numbers": 4, "target": 2}
    terms, solution = agree("underdog", given), evenodds.solve(evenodds.game("underdog", given))
    match = Match(terms)
    match.play((4, 2))
    player = ReaderPlayer(solution, terms, FIRST, Random(1), ReaderMemory())
    mix = player.mix(match.view(FIRST))
    matrix = solution.matrix(match.state)
    worst = min(
        sum(
            mix.get(own, 0.0) * line[place]
            for own, line in zip(matrix.first, matrix.payoff, strict=True)
        )
        for place in range(len(matrix.second))
    )
    assert worst >= solution.value(match.state) - 1e-9


def test_whatever_a_reader_can_learn_it_can_read_again() -> None:
    """Every situation that a game can bring, many times over, makes a sound file."""
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
    assert memory.read("Ann")["duel"]["picks"] == len(lessons)
    assert set(memory.read("Ann")["duel"]["counts"]) == {habit.name for habit in HABITS}


def test_what_another_window_taught_is_not_forgotten() -> None:
    """Two matches at once: all that was picked in either is known, as if played in turn."""
    terms = agree("margin", {"numbers": 4}, players=("Ann", "Robot"))
    solution = evenodds.solve(evenodds.game("margin", numbers=4))
    players = [ReaderPlayer(solution, terms, SECOND, Random(1), ReaderMemory()) for _ in range(2)]
    known = OpponentModel()
    for player, number in zip(players, (4, 1), strict=True):
        match = Match(terms)
        match.play((number, 2))
        match.resign(FIRST)
        player.leave(match.view(SECOND))
        known.learn(
            ObservedPick(
                Situation((1, 2, 3, 4), (), (), None), solution.mix(solution.start, 0), number
            )
        )
    assert memory.read("Ann")["margin"] == known.as_data()


@pytest.mark.processes
def test_many_windows_teach_at_once(home: Path) -> None:
    code = (
        "from evenodds.players.reader.memory import ReaderMemory\n"
        "from evenodds.players.reader.habits import ObservedPick, Situation\n"
        "for _ in range(25):\n"
        "    seen = ObservedPick(Situation((1, 2), (), (), None), {}, 1)\n"
        "    ReaderMemory().learn('Ann', 'duel', [seen])\n"
    )
    windows = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [window.wait(TIMEOUT_S) for window in windows] == [0, 0, 0]
    assert memory.read("Ann")["duel"]["picks"] == 75
    assert [file.name for file in (home / "habits").iterdir()] == ["Ann.json"]


def test_what_cannot_be_kept_is_told(home: Path) -> None:
    home.mkdir()
    (home / "habits").write_text("a file where a folder should be")
    asked = ("play", "duel", "--rule", "hp=3", "--vs", "reader", "--names", "Ann,Robot")
    done = command(*asked, typed=lines(3, 3, 3), home=home)
    assert done.returncode == 0
    said = done.stdout.splitlines()
    assert said[-1] == "What the reader learned of Ann cannot be kept: Not a directory."


def test_a_full_disk_leaves_what_was_known(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = ObservedPick(Situation((1, 2), (), (), None), {}, 1)
    remembered = ReaderMemory()
    remembered.learn("Ann", "duel", [lesson])

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    remembered.learn("Ann", "duel", [lesson])
    said = ["What the reader learned of Ann cannot be kept: No space left on device."]
    assert remembered.take_faults() == said
    assert memory.read("Ann")["duel"]["picks"] == 1
    assert [file.name for file in (home / "habits").iterdir()] == ["Ann.json"]


def test_what_was_put_aside_is_forgotten_too(home: Path) -> None:
    folder = home / "habits"
    folder.mkdir(parents=True)
    for name in ("Ann.json.damaged", "Ann.json.damaged2", "Ann.json.new"):
        (folder / name).write_text("{")
    others = {"Ann.jsonx.json", "Anna.json.damaged"}
    for name in others:
        (folder / name).write_text("{")
    done = command("forget", "Ann", home=home)
    assert done.returncode == 0
    assert done.stdout == (
        "Everything about Ann is deleted.\n2 damaged files that were put aside went with it.\n"
    )
    assert {file.name for file in folder.iterdir()} == others
