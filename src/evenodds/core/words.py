"""The texts of a game: defaults for every game, overridden by a rule book's own words.

`Words` turn positions and picks into lines of text. They decide nothing, and never get a pick that
is still secret. `opening`, `heading`, `prompt`, `reveal` and `closing` are the rule book's dialog,
with its names; an empty string is an empty line, as the rule books print them. The other texts
speak to a player where `names.you` says who reads: in sentences written for that.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, NamedTuple, TypeVar

from evenodds.core.board import SEAT_STYLES, Board, Ring, Side, Span, bar, hand_line, plain_text
from evenodds.core.fields import draw_fields
from evenodds.core.pick_names import PickNames
from evenodds.core.vocabulary import FIRST, PASS, SEATS, SECOND, Outcome, Pair, Seat, other
from evenodds.figures import counted
from evenodds.system.text import display_width, padded, parse_whole, shorten

S = TypeVar("S", bound=tuple[Any, ...])

OPPONENT: Final = "Your opponent"
"""What a person without a name is called to the other player."""
UNNAMED: Final = ("The first player", "The second player")
"""What people without names are called to a spectator, by seat."""
DESCRIPTIONS: Final = (OPPONENT, *UNNAMED)
BAR_COLUMNS: Final = 24
MAX_MARKS: Final = 20


@dataclass(frozen=True)
class Names:
    """What the players are called, by seat, and in which order a list of both runs.

    `you` is the seat of the person who reads, where there is one: sentences about it are written
    in the second person (`sentence`).
    """

    by_seat: tuple[str, str]
    order: tuple[Seat, Seat] = SEATS
    you: Seat | None = None

    def __getitem__(self, seat: Seat) -> str:
        return self.by_seat[seat]

    def listed(self) -> Iterator[tuple[Seat, str]]:
        """Seat and name of both players, Player 1 first."""
        for seat in self.order:
            yield seat, self.by_seat[seat]

    def sentence(self, seat: Seat, second: str, third: str) -> str:
        """The sentence about a seat that fits the reader, such as `You win`, `Level 4 wins`."""
        return second if seat == self.you else third

    def does(self, seat: Seat, second: str, third: str) -> str:
        """The start of such a sentence: `You win`, `Level 4 wins`, given `win` and `wins`."""
        return f"You {second}" if seat == self.you else f"{self.by_seat[seat]} {third}"

    def inside(self, seat: Seat) -> str:
        """A name inside a sentence, not at its start: `you`, `your opponent` or `Level 4`."""
        name = self.by_seat[seat]
        if name in DESCRIPTIONS:
            return name[0].lower() + name[1:]
        return "you" if seat == self.you else name

    def whose(self, seat: Seat) -> str:
        """Whose something is, inside a sentence: `your` or `Level 4's`."""
        return "your" if seat == self.you else f"{self.inside(seat)}'s"


def names_to(you: Seat) -> Names:
    """What two players without names are called to somebody in one of the seats."""
    return Names(("You", OPPONENT) if you == FIRST else (OPPONENT, "You"), you=you)


def winner(outcome: Outcome) -> Seat:
    """The seat that a decided outcome belongs to."""
    return FIRST if outcome == Outcome.FIRST_WINS else SECOND


class Preview(NamedTuple):
    """What a number would do at once: a mark of up to four columns, and a few words."""

    mark: str = ""
    text: str = ""


class Words(PickNames, Generic[S]):
    """The default texts. A game overrides those for which its rule book has its own."""

    players: tuple[str, str] = ("Player 1", "Player 2")
    pause = ""
    """A line that waits for Enter between two rounds on a terminal, where the rule book has one."""

    def __eq__(self, other: object) -> bool:
        """Equal by class, since there is no state: a copied game stays equal."""
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def rules(self, rulings: Any) -> list[str]:
        """The rules as they are under some rulings, a few sentences a line.

        Nothing where a game leaves that to its page.
        """
        return []

    def goal(self, rulings: Any) -> str:
        """What wins and how, in a sentence for somebody who has never played."""
        return ""

    def opening(self, state: S, names: Names) -> list[str]:
        """The text before the first round."""
        return []

    def heading(self, state: S, round: int, names: Names) -> list[str]:
        """The text before each round, with the position where a game does not put it in words."""
        return ["", f"Round {round}", *map(plain_text, self.board(state, names))]

    def prompt(self, state: S, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        """The question to a seat, without the space that follows it."""
        if self.names_picks:
            return f"{names[seat]}, choose {self.listed(state[0], seat, choices)}:"
        return f"{names[seat]}, choose a number from {', '.join(map(str, choices))}:"

    def reveal(self, before: S, picks: Pair, after: S, names: Names) -> list[str]:
        """The text after a round: the picks and their result."""
        return [
            f"{name} chose: {self.pick_name(before[0], seat, picks[seat])}"
            for seat, name in names.listed()
            if picks[seat] != PASS
        ]

    def request(self, state: S, seat: Seat, choices: tuple[int, ...], names: Names) -> str:
        """What a seat is asked to do, in a sentence."""
        picks = self.listed(state[0], seat, choices, most=3)
        if not self.names_picks and len(choices) > 3 and " to " in picks:
            picks = f"a number from {picks}"
        return names.sentence(seat, f"Pick {picks}.", f"{names[seat]}, pick {picks}.")

    def picked(self, before: S, picks: Pair, names: Names) -> str:
        """Who picked what, in sentences."""
        return " ".join(
            f"{names.does(seat, 'pick', 'picks')} {self.pick_name(before[0], seat, picks[seat])}."
            for seat in names.order
            if picks[seat] != PASS
        )

    def round_summary(self, before: S, picks: Pair, after: S, names: Names) -> str:
        """What a round has come to, in one line."""
        if names.you is not None:
            return self.picked(before, picks, names)
        said = " ".join(filter(None, self.reveal(before, picks, after, names)))
        return said if said.endswith((".", "!")) else f"{said}."

    def round_story(self, before: S, picks: Pair, after: S, names: Names) -> str:
        """A round for somebody who sees no board: the picks, and what they have come to."""
        summary = self.round_summary(before, picks, after, names)
        picked = self.picked(before, picks, names) if PASS not in picks else ""
        return summary if summary.startswith(picked) else f"{picked} {summary}"

    def drawn(self, state: S, number: int, names: Names) -> str:
        """What chance has drawn at a position, in a sentence."""
        return f"Drawn: {number}."

    def lead(self, points: int, over: bool, names: Names) -> str:
        """Who leads by so many points of the first seat or, once it is over, wins by them."""
        if not points:
            return "Nobody leads."
        verb = ("win", "wins") if over else ("lead", "leads")
        ahead = names.does(FIRST if points > 0 else SECOND, *verb)
        return f"{ahead} by {counted(abs(points), 'points')}."

    def upset(self, before: S, picks: Pair) -> str:
        """What is called out where the lower number wins by a rule of its own; else nothing."""
        return ""

    def closing(self, state: S, outcome: Outcome, names: Names) -> list[str]:
        """The text after the end of a match by the rules."""
        if outcome == Outcome.DRAW:
            return ["The game is a draw."]
        return [f"{names[winner(outcome)]} wins the game!"]

    def decision(self, state: S, outcome: Outcome, names: Names) -> str:
        """Why a match ended by the rules ended as it did, in one line."""
        if names.you is not None:
            return self.verdict(outcome, names)
        return " ".join(filter(None, self.closing(state, outcome, names)))

    def verdict(self, outcome: Outcome, names: Names) -> str:
        """Who has won, in a sentence."""
        if outcome == Outcome.DRAW:
            return "It is a draw."
        return f"{names.does(winner(outcome), 'win', 'wins')}!"

    def ended(self, reason: str, loser: Seat | None, names: Names) -> list[str]:
        """The text after any other end of a match, such as a resignation."""
        if reason == "cancelled":
            return ["The match was cancelled before it began."]
        if reason == "void":
            return ["Both players ran out of time. The match is void."]
        if loser is None:
            return ["The game is a draw."]
        lost = {
            "resigned": ("resigned.", "resigns."),
            "time": ("took too long.", "took too long."),
            "forfeit": ("forfeit the game.", "forfeits the game."),
        }[reason]
        won = names.does(other(loser), "win", "wins")
        return [names.does(loser, *lost), f"{won} the game!"]

    def refusal(self, state: S, seat: Seat, number: int) -> str:
        """Why a number may not be picked here, as the end of a sentence: `7 is ...`."""
        return "not in your hand" if self._hand_size(state, seat) else "not one of your numbers"

    def refused(self, state: S, seat: Seat, number: int, typed: str = "") -> str:
        """Why a number may not be picked here, as a clause; `typed` is what stands for it."""
        said = typed or shorten(number)
        if 1 <= number <= self._hand_size(state, seat):
            return f"{said} has already been played; each number can be used only once"
        return f"{said} is {self.refusal(state, seat, number)}"

    def unknown(self, state: Any, seat: Seat, choices: tuple[int, ...], text: str) -> str:
        """Why what was typed, which `find_pick` does not find, is none of the picks, as a clause.

        A number in all names is as far from the pick's own there as it is in those of the choices.
        """
        typed, keys = text.strip(), self.typed_numbers(state.rulings, seat, choices)
        apart = {pick - key for key, pick in keys.items()}
        if (number := parse_whole(typed)) is not None and len(apart) == 1:
            return self.refused(state, seat, number + apart.pop(), shorten(typed))
        what = "one of your choices" if self.names_picks else "a number you can choose"
        return f"{shorten(typed) or 'An empty line'} is not {what}"

    def _hand_size(self, state: S, seat: Seat) -> int:
        side = self.side(state, seat)
        return side.hand_size if side else 0

    def choices(self, state: S, seat: Seat, choices: tuple[int, ...]) -> str:
        """What the numbers open to a seat mean, in a sentence or two."""
        return "Choose one of these." if self.names_picks else "Choose one of these numbers."

    def setback(self, state: S, seat: Seat, number: int, reply: int) -> str:
        """What the round costs a seat, to end the sentence `Against 3, 1 ...`; else nothing."""
        return ""

    def hint(self, state: S, seat: Seat) -> str:
        """A sentence of the game's own about a position, for a player who asks for a hint."""
        return ""

    def always_best(self, rulings: Any) -> int:
        """A number that is a best pick whenever it can be picked, so that play is plain; or 0."""
        return 0

    def board(self, state: S, names: Names) -> Board:
        """The position as a drawing: what lies before each player, or else its fields."""
        sides = [(seat, side) for seat in names.order if (side := self.side(state, seat))]
        drawn = [line for seat, side in sides for line in draw_side(side, seat, names)]
        return drawn or draw_fields(state, names)

    def side(self, state: S, seat: Seat) -> Side | None:
        """What lies before a player, for `board` and other drawings; None where nothing does."""
        return None

    def gain(self, before: S, after: S, seat: Seat) -> int:
        """How a round changed the gauge of a player, as the summary of the round says it."""
        one, two = (self.side(state, seat) for state in (before, after))
        return two.gauge.value - one.gauge.value if one and two and one.gauge and two.gauge else 0

    def ring(self, state: S) -> Ring | None:
        """The numbers in a circle, in games that have one."""
        return None

    preview_legend = ""
    """What the marks of `preview` mean."""

    def preview(self, state: S, seat: Seat, number: int) -> Preview:
        """What a number would do at once, as far as that is sure."""
        return Preview()

    def picture(self) -> Board:
        """A picture of the game for a list of games: three lines of up to 13 columns."""
        return []


def up_to(highest: int) -> str:
    """The numbers from 1 on: `the numbers 1 to 5`."""
    return f"the numbers 1 to {highest}" if highest > 1 else "the number 1 alone"


def one_of(highest: int) -> str:
    """A pick from the numbers from 1 on, in words: `one of the numbers 1 to 5`."""
    return f"one of {up_to(highest)}" if highest > 1 else "the number 1"


def draw_side(side: Side, seat: Seat, names: Names) -> Board:
    """What lies before a player in lines: the name, a figure as marks or a bar, and the hand."""
    name, style, gauge = names[seat], SEAT_STYLES[seat], side.gauge
    if gauge and side.hand_size and 0 < gauge.full <= MAX_MARKS:
        marks = [Span("●" * gauge.value, style), Span("○" * (gauge.full - gauge.value), "faint")]
        score = [Span("  "), *marks, Span(f"  {gauge.value} of {gauge.full}", "faint")]
    elif gauge and gauge.full:
        name = f"{padded(name, max(map(display_width, names.by_seat)))}  "
        filled = bar(gauge.value, gauge.full, BAR_COLUMNS, style)
        score = [*filled, Span(f" {gauge.value}"), Span(f" of {gauge.full}", "faint")]
    else:
        figure = counted(gauge.value, gauge.unit) if gauge else ""
        score = [Span(f"  {', '.join(filter(None, (figure, side.note)))}", "faint")]
    hand = [hand_line(side.hand_size, side.hand, style)] if side.hand_size else []
    return [[Span(name, style), *score], *hand]
