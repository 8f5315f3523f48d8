"""Habit predictors: decayed counts of the kinds of numbers that a person picks.

A habit sorts the numbers open to a person into a few kinds (the highest, a step up from the last
one) and counts how often each kind was picked, apart for each circumstance where it has any. What
was picked lately counts more.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from math import exp, log
from typing import Any, Final, NamedTuple

COUNT_DECAY: Final = 0.97
"""What a pick still counts for after the next one."""
PRIOR_PICKS: Final = 2.0
"""Picks that speak for chance before anything has been seen."""
BELIEF_DECAY: Final = 0.9
"""How fast it is forgotten which habit foretold well."""

CHANCE_PREDICTOR: Final = "chance"
EXACT_PREDICTOR: Final = "exact play"


class Situation(NamedTuple):
    """What a person knew when picking: the numbers open, and both sides' earlier picks."""

    choices: tuple[int, ...]
    own: tuple[int, ...]
    theirs: tuple[int, ...]
    fortune: int | None
    """How the last round went for the person: 1 well, 0 evenly, -1 badly; None at the start."""


class ObservedPick(NamedTuple):
    """One pick to learn from: what the person knew, how exact play picks there, what they did."""

    situation: Situation
    exact: dict[int, float]
    number: int


class Habit(NamedTuple):
    """One way to look at picks: the circumstance, and the kind of each number open there."""

    name: str
    circumstance: Callable[[Situation], str]
    kinds: Callable[[Situation], list[str]]

    def knows(self, when: str, kinds: Iterable[str]) -> bool:
        """Whether there is such a circumstance, and such kinds in it."""
        if when not in map(self.circumstance, EXAMPLES):
            return False
        named = {kind for example in EXAMPLES for kind in self.kinds(example)}
        numbers = self.kinds is values
        return all(_NUMBER.fullmatch(kind) if numbers else kind in named for kind in kinds)


EXAMPLES: Final = [
    Situation(tuple(range(1, 10)), picked, picked, how)
    for picked in ((), (5,))
    for how in (None, 1, 0, -1)
]
"""Situations in which every circumstance and every kind comes up, but for the numbers."""
_NUMBER: Final = re.compile("[0-9]{1,9}")


def always(situation: Situation) -> str:
    """No circumstance in particular."""
    return "always"


def fortune(situation: Situation) -> str:
    """How the last round went."""
    told = {1: "after a good round", 0: "after an even round", -1: "after a bad round"}
    return "at the start" if situation.fortune is None else told[situation.fortune]


def heights(situation: Situation) -> list[str]:
    """Where each number stands among those open."""
    last = len(situation.choices) - 1
    between = [
        ("low", "middle", "high")[3 * place // max(1, last - 1)] for place in range(last - 1)
    ]
    return [*(["lowest"] if last else []), *between, "highest"]


def values(situation: Situation) -> list[str]:
    """The numbers themselves."""
    return list(map(str, situation.choices))


def steps(situation: Situation) -> list[str]:
    """How far each number is from the person's own last one, going up and round."""
    if not situation.own:
        return ["first pick"] * len(situation.choices)
    last = situation.own[-1]
    above = [number for number in situation.choices if number > last]
    ordered = above + [number for number in situation.choices if number < last]
    kinds = dict.fromkeys(ordered, "farther") | dict.fromkeys(ordered[1:2], "two up")
    kinds |= dict.fromkeys(ordered[-1:], "the next down") | dict.fromkeys(
        ordered[:1], "the next up"
    )
    return [kinds.get(number, "the same again") for number in situation.choices]


def nearness(situation: Situation) -> list[str]:
    """How near each number is to the other's last one, the lower of two first."""
    if not situation.theirs:
        return ["first pick"] * len(situation.choices)
    last = situation.theirs[-1]
    ordered = sorted(situation.choices, key=lambda number: (abs(number - last), number))
    near = dict(zip(ordered, ("nearest", "second nearest", "third nearest"), strict=False))
    return [near.get(number, "farther") for number in situation.choices]


HABITS: Final = (
    Habit("height", always, heights),
    Habit("number", always, values),
    Habit("fortune", fortune, heights),
    Habit("steps", always, steps),
    Habit("copying", always, nearness),
)

PREDICTOR_NAMES: Final = (*(habit.name for habit in HABITS), CHANCE_PREDICTOR, EXACT_PREDICTOR)
"""Whose word is weighed."""
MAX_DECAYED_COUNT: Final = 1 / (1 - COUNT_DECAY)
"""What all the picks of one circumstance count for together, however many there were."""


class OpponentModel:
    """What is known of one person in one game; plain numbers, so that it can be kept and shown."""

    def __init__(self, data: dict[str, Any] | None = None) -> None:
        data = data or {}
        self.picks: int = data.get("picks", 0)
        self.counts: dict[str, dict[str, dict[str, float]]] = data.get("counts", {})
        self.belief: dict[str, float] = data.get("belief", {})

    def as_data(self) -> dict[str, Any]:
        """The knowledge for a file."""
        return {"picks": self.picks, "counts": self.counts, "belief": self.belief}

    def copy(self) -> "OpponentModel":
        """The same knowledge, to be added to without changing this."""
        counts = {
            habit: {when: dict(kinds) for when, kinds in told.items()}
            for habit, told in self.counts.items()
        }
        return OpponentModel({"picks": self.picks, "counts": counts, "belief": dict(self.belief)})

    def learn(self, lesson: ObservedPick) -> None:
        """Take note of a pick, and of which habit would have foretold it."""
        situation, exact, number = lesson
        for name, shares in self.opinions(situation, exact).items():
            past = BELIEF_DECAY * self.belief.get(name, 0.0)
            self.belief[name] = past + log(len(situation.choices) * shares[number])
        self.count(situation, number)

    def count(self, situation: Situation, number: int) -> None:
        """Take note of a pick alone."""
        for habit in HABITS:
            counts = self._counted(habit, situation)
            for kind in counts:
                counts[kind] *= COUNT_DECAY
            kind = habit.kinds(situation)[situation.choices.index(number)]
            counts[kind] = counts.get(kind, 0.0) + 1
        self.picks += 1

    def predict(self, situation: Situation, exact: dict[int, float]) -> dict[int, float]:
        """How likely the person is to pick each number: all opinions, the better ones the more."""
        opinions = self.opinions(situation, exact)
        top = max(self.belief.get(name, 0.0) for name in opinions)
        trust = {name: exp(self.belief.get(name, 0.0) - top) for name in opinions}
        whole = sum(trust.values())
        return {
            number: sum(trust[name] * opinions[name][number] for name in opinions) / whole
            for number in situation.choices
        }

    def opinions(
        self, situation: Situation, exact: dict[int, float]
    ) -> dict[str, dict[int, float]]:
        """What each habit foretells; chance and exact play have their say too."""
        chance = 1 / len(situation.choices)
        said = {habit.name: self._foretold(habit, situation) for habit in HABITS}
        said[CHANCE_PREDICTOR] = dict.fromkeys(situation.choices, chance)
        said[EXACT_PREDICTOR] = {
            number: 0.9 * exact.get(number, 0.0) + 0.1 * chance for number in situation.choices
        }
        return said

    def _foretold(self, habit: Habit, situation: Situation) -> dict[int, float]:
        """The share of each kind so far, divided among the numbers of that kind."""
        counts = self._counted(habit, situation)
        kinds = habit.kinds(situation)
        members = Counter(kinds)
        whole = sum(counts.get(kind, 0.0) for kind in members) + PRIOR_PICKS
        doubt = PRIOR_PICKS / len(kinds)
        shares = {
            kind: (counts.get(kind, 0.0) / many + doubt) / whole for kind, many in members.items()
        }
        return dict(zip(situation.choices, map(shares.__getitem__, kinds), strict=True))

    def _counted(self, habit: Habit, situation: Situation) -> dict[str, float]:
        told = self.counts.setdefault(habit.name, {})
        return told.setdefault(habit.circumstance(situation), {})
