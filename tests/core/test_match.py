"""A match: secrets, legality, undo, repetition, ends, and rebuilding from its record."""

import copy
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from evenodds import FIRST, PASS, SECOND, BadSeat, BadTerms, IllegalPick, Match, Outcome, notation
from evenodds.core.match import pending_picks
from evenodds.core.terms import agree
from tests.support.game_data import WITH_DATA
from tests.support.naive import Judgement, judge, stated
from tests.support.play import SEATS, play
from tests.support.strategies import terms


class MatchMachine(RuleBasedStateMachine):
    """Anything two people may do at a match, in any order, next to a model that knows less."""

    @initialize(data=st.data())
    def sit_down(self, data: st.DataObject) -> None:
        largest = data.draw(st.sampled_from((3, 1000)))
        self.match = Match(data.draw(terms(data.draw(st.sampled_from(WITH_DATA)), largest)))
        self.history: list[tuple[int, int]] = []
        self.pending: dict[int, int] = {}
        self.ended = False

    def naive(self) -> Judgement:
        given = stated(self.match.game, self.match.terms.rulings)
        return judge(self.match.game.name, given, self.history)

    def over(self) -> bool:
        return self.ended or self.naive().result != "open"

    @rule(seat=st.sampled_from(SEATS), number=st.integers(-2, 32))
    def pick(self, seat: int, number: int) -> None:
        """A pick is taken exactly when the rule book allows it and the seat has none yet."""
        choices = self.naive().choices
        repeated = self.pending.get(seat) == number or (
            not self.match.game.simultaneous
            and bool(self.history)
            and not self.over()
            and not choices[seat]
            and self.history[-1][seat] == number != PASS
        )
        legal = not self.over() and number in choices[seat] and seat not in self.pending
        if repeated:
            before = self.match.record
            assert self.match.pick(seat, number) is False
            assert self.match.record == before
        elif legal:
            complete = all(s == seat or s in self.pending or not choices[s] for s in SEATS)
            assert self.match.pick(seat, number) is complete
            self.pending[seat] = number
            if complete:
                self.history.append((self.pending.pop(FIRST, PASS), self.pending.pop(SECOND, PASS)))
                self.note_repetition()
        else:
            with pytest.raises(IllegalPick):
                self.match.pick(seat, number)

    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """A whole round is taken exactly when it fits the rule book and what is pending."""
        choices = self.naive().choices
        stands = [
            {PASS, self.pending[seat]} if seat in self.pending else choices[seat] or {PASS}
            for seat in SEATS
        ]
        fits = st.tuples(*(st.sampled_from(sorted(numbers)) for numbers in stands))
        picks = data.draw(fits | st.tuples(st.integers(-2, 32), st.integers(-2, 32)))
        if not self.over() and all(picks[seat] in stands[seat] for seat in SEATS):
            self.match.play(picks)
            first, second = (self.pending.get(seat, picks[seat]) for seat in SEATS)
            self.history.append((first, second))
            self.pending.clear()
            self.note_repetition()
        else:
            with pytest.raises(IllegalPick):
                self.match.play(picks)

    @rule(data=st.data())
    def pick_well(self, data: st.DataObject) -> None:
        for seat in self.match.waiting()[: data.draw(st.integers(1, 2))]:
            self.pick(seat, data.draw(st.sampled_from(self.match.choices(seat))))

    def note_repetition(self) -> None:
        """The model's own count of equal positions, from the record of play alone."""
        result = self.match.result
        if result and result.reason == "repetition":
            times = self.match.states.count(self.match.state)
            assert times == self.match.terms.repetition
            self.ended = True

    @rule()
    def undo(self) -> None:
        """The pending pick goes first, then the last round; a resigned match stays over."""
        resigned = self.ended and self.match.record.end is not None and self.resigned()
        if resigned or not (self.pending or self.history):
            with pytest.raises(IllegalPick):
                self.match.undo()
            return
        self.match.undo()
        if self.pending:
            self.pending.clear()
        else:
            self.history.pop()
            self.ended = False

    def resigned(self) -> bool:
        end = self.match.record.end
        return end is not None and end.reason != "repetition"

    @precondition(lambda self: not self.over())
    @rule(seat=st.sampled_from(SEATS), chance=st.integers(0, 9))
    def resign(self, seat: int, chance: int) -> None:
        if chance == 0:
            self.match.resign(seat)
            self.pending.clear()
            self.ended = True
            assert self.match.result is not None
            assert self.match.result.outcome == (
                Outcome.SECOND_WINS if seat == FIRST else Outcome.FIRST_WINS
            )

    @invariant()
    def what_is_seen_is_what_was_played(self) -> None:
        assert self.match.history == tuple(self.history)
        naive = self.naive()
        for seat in SEATS:
            expected = set() if self.over() else naive.choices[seat]
            assert set(self.match.choices(seat)) == expected
        if not self.ended:
            assert (self.match.result is None) == (naive.result == "open")

    @invariant()
    def secrets_are_nowhere(self) -> None:
        """Every view, record and text is the same whatever number is pending."""
        if not self.pending:
            return
        (seat,) = self.pending
        other = copy.deepcopy(self.match)
        other.undo()
        alternatives = other.choices(seat)
        other.pick(seat, alternatives[0])
        other.taken_back = self.match.taken_back
        for viewer in (None, *SEATS):
            assert self.match.view(viewer) == other.view(viewer)
            assert repr(self.match.view(viewer)) == repr(other.view(viewer))
            assert self.match.view(viewer).chosen[seat]
        assert repr(self.match) == repr(other)
        assert str(self.match) == str(other)
        assert self.match.record == other.record
        assert repr(self.match.record) == repr(other.record)

    @invariant()
    def replay_equals_play(self) -> None:
        for again in (Match.rebuild(self.match.record), notation.parse(notation.write(self.match))):
            assert again == self.match
            assert again.states == self.match.states

    @invariant()
    def what_is_pending_is_what_was_picked(self) -> None:
        assert pending_picks(self.match) == self.pending


TestMatchMachine = MatchMachine.TestCase
TestMatchMachine.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)
TestMatchMachine = pytest.mark.long(TestMatchMachine)


def refused(match: Match, seat: int, number: Any, **more: Any) -> str:
    with pytest.raises(IllegalPick) as caught:
        match.pick(seat, number, **more)
    return str(caught.value)


def test_a_refused_pick_says_why() -> None:
    underdog = Match("underdog")
    underdog.play((7, 8))
    assert "11 is not in your hand" in refused(underdog, FIRST, 11)
    assert "7 has already been played" in refused(underdog, FIRST, 7)
    assert "3.5 is not a whole number" in refused(underdog, FIRST, 3.5)
    assert "True is not a whole number" in refused(underdog, FIRST, True)
    assert "0 is not in your hand" in refused(underdog, FIRST, 0)
    assert "too long to show" in refused(underdog, FIRST, 10**5000)
    for ask in (underdog.resign, underdog.view, underdog.choices, lambda s: underdog.pick(s, 5)):
        for seat in (2, -1):
            with pytest.raises(BadSeat, match=f"{seat} is not a seat"):
                ask(seat)
    assert underdog.result is None
    with pytest.raises(ValueError, match="boredom is not a reason to lose"):
        underdog.lose(FIRST, "boredom")
    assert "round 1 is not being played; this is round 2" in refused(underdog, FIRST, 9, round=1)

    circle = Match("circle")
    circle.pick(FIRST, 4)
    assert "it is not Player 1's turn" in refused(circle, FIRST, 5)
    assert "7 is not next to 4" in refused(circle, SECOND, 7)
    assert "4 is already claimed" in refused(circle, SECOND, 4)
    assert "12 is not on the circle" in refused(circle, SECOND, 12)
    circle.resign(SECOND)
    assert refused(circle, SECOND, 5) == "the match is over"

    wide = Match("circle", {"reach": 2})
    wide.pick(FIRST, 4)
    assert "7 is not within 2 places of 4" in refused(wide, SECOND, 7)

    leaping = Match("circle", {"leaps": 1})
    for seat, number in ((FIRST, 4), (SECOND, 9), (FIRST, 8)):
        leaping.pick(seat, number)
    assert "9 is already claimed" in refused(leaping, SECOND, 9)
    assert "2 is not next to 8, and no leap is left" in refused(leaping, SECOND, 2)


def test_the_same_pick_twice_is_harmless_and_another_is_refused() -> None:
    match = Match("duel")
    match.pick(FIRST, 2)
    assert match.pick(FIRST, 2) is False
    assert "Player 1 has already picked in this round" in refused(match, FIRST, 3)
    assert match.pick(SECOND, 3) is True
    assert match.pick(FIRST, 2, round=1) is False
    assert "round 1 is not being played" in refused(match, FIRST, 3, round=1)
    assert match.history == ((2, 3),)

    turns = Match("factors")
    assert turns.pick(FIRST, 7, round=1) is True
    assert turns.pick(FIRST, 7) is False
    assert "not Player 1's turn" in refused(turns, FIRST, 8)
    assert "round 1 is not being played" in refused(turns, SECOND, PASS, round=1)
    assert turns.pick(SECOND, 7) is True


def test_a_round_is_completed_around_a_pending_pick() -> None:
    for picks in ((PASS, 5), (7, 5)):
        match = Match("underdog")
        match.pick(FIRST, 7)
        with pytest.raises(IllegalPick, match="Player 1 has already picked in this round"):
            match.play((8, 5))
        assert pending_picks(match) == {FIRST: 7}
        match.play(picks)
        assert match.history == ((7, 5),)


@pytest.mark.parametrize("picks", [(7,), (7, 8, 9), 7, None])
def test_a_round_is_a_pair(picks: Any) -> None:
    match = Match("underdog")
    with pytest.raises(IllegalPick, match="a round is a pick of each seat, not "):
        match.play(picks)
    assert match.history == ()


def test_seats_follow_who_is_first() -> None:
    match = Match("circle", first=SECOND, players=("Red", "Blue"), computers=("random", ""))
    assert match.names[FIRST] == "Blue"
    assert [name for _, name in match.names.listed()] == ["Red", "Blue"]
    assert match.terms.seat_of(1) == SECOND
    assert match.terms.computer(SECOND) == "random"
    assert match.terms.swapped().names[FIRST] == "Red"
    duel = agree("duel", players=("Red", "Blue"), computers=("random", ""))
    assert duel.swapped().players == ("Blue", "Red")
    assert duel.swapped().computers == ("", "random")


def test_the_third_time_is_a_draw_and_undo_opens_it_again() -> None:
    match = Match("factors", {"opening": "live", "numbers": 1, "target": 1000})
    play(match)
    assert match.result is not None
    assert match.result.reason == "repetition"
    assert match.result.outcome == Outcome.DRAW
    assert match.states.count(match.state) == 3
    match.undo()
    assert match.result is None
    assert match.taken_back

    endless = Match("factors", {"opening": "live", "numbers": 1, "target": 1000}, repetition=0)
    assert play(endless, rounds=200).result is None


@pytest.mark.parametrize("reason", ["resigned", "time", "forfeit"])
def test_a_match_can_be_lost_without_the_rules(reason: str) -> None:
    match = Match("margin")
    match.pick(FIRST, 3)
    match.lose(SECOND, reason)
    assert match.result == (Outcome.FIRST_WINS, reason, SECOND)
    assert pending_picks(match) == {}
    with pytest.raises(IllegalPick, match="the match is over"):
        match.undo()
    with pytest.raises(IllegalPick, match="the match is over"):
        match.resign(FIRST)


def test_names_lose_control_characters_and_piled_marks_and_have_one_form() -> None:
    piled = "Z" + 19 * "\u0335" + "e\u0302\u0301"
    assert agree("circle", players=(piled, "Blue\u202e\n")).players == (
        "Z\u0335\u0335\u1ebf",
        "Blue",
    )
    assert agree("circle", players=("\x1b[31mRed\x1b[0m", "Blue")).players[0] == "[31mRed[0m"
    with pytest.raises(BadTerms, match=r"both players would be called Jos\u00e9"):
        agree("circle", players=("Jos\u00e9", "Jose\u0301"))


def test_matches_compare_by_what_is_public() -> None:
    assert Match("duel") == Match("duel")
    assert Match("duel") != Match("margin")
    assert Match("duel") != "duel"
    assert Match("duel").names == Match("margin", players=("Player 1", "Player 2")).names
    assert Match("duel").names != Match("duel", players=("Ann", "Bob")).names
    with pytest.raises(TypeError):
        hash(Match("duel"))
