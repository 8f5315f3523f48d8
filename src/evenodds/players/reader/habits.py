"""Habit predictors: decayed counts of the kinds of numbers that a person picks.

A habit classifies the numbers open to a person into a few kinds (the highest, a step up from the
last one) and counts how often each kind was picked, separately for each circumstance. Counts decay,
so that recent picks weigh more.
"""

from collections import Counter
from collections.abc import Callable
from math import exp, log
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta, Struct

COUNT_DECAY: Final = 0.97
"""The factor by which counts decay with each pick."""
PRIOR_PICKS: Final = 2.0
"""The weight of the uniform prior, in picks."""
BELIEF_DECAY: Final = 0.9
"""The factor by which log scores of predictors decay with each pick."""


class Situation(NamedTuple):
    """What a person knew when picking: legal numbers, earlier picks of both, the last round."""

    choices: tuple[int, ...]
    own: tuple[int, ...]
    theirs: tuple[int, ...]
    last_outcome: int | None
    """The last round for the person: 1 a gain, 0 even, -1 a loss; None at the start."""


class ObservedPick(NamedTuple):
    """One pick to learn from: the situation, the exact mix there if it is known, the number."""

    situation: Situation
    exact: dict[int, float] | None
    number: int


HabitName = Literal["height", "number", "fortune", "steps", "copying"]
PredictorName = HabitName | Literal["chance", "exact play"]
Circumstance = Literal[
    "always", "at the start", "after a good round", "after an even round", "after a bad round"
]
Kind = Annotated[str, Meta(pattern="^[a-z0-9 ]{1,20}$")]


AFTER_OUTCOME: Final[dict[int | None, Circumstance]] = {
    None: "at the start",
    1: "after a good round",
    0: "after an even round",
    -1: "after a bad round",
}


class Habit(NamedTuple):
    """A classification of picks: the kind of each legal number, perhaps by the last outcome."""

    name: HabitName
    kinds: Callable[[Situation], list[str]]
    by_outcome: bool = False


def heights(situation: Situation) -> list[str]:
    """The rank of each number among the legal ones."""
    last = len(situation.choices) - 1
    thirds = ("low", "middle", "high")
    between = [thirds[3 * place // max(1, last - 1)] for place in range(last - 1)]
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
    kinds |= dict.fromkeys(ordered[-1:], "the next down")
    kinds |= dict.fromkeys(ordered[:1], "the next up")
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
    Habit("height", heights),
    Habit("number", values),
    Habit("fortune", heights, by_outcome=True),
    Habit("steps", steps),
    Habit("copying", nearness),
)

MAX_DECAYED_COUNT: Final = 1 / (1 - COUNT_DECAY)
"""The limit of the sum of decayed counts: a geometric series."""
MAX_LOG_SCORE: Final = 1000.0
"""The limit of a plausible log score: decay bounds it to ten times the log of the choices."""
Count = Annotated[float, Meta(ge=0, le=MAX_DECAYED_COUNT + 1)]
LogScore = Annotated[float, Meta(ge=-MAX_LOG_SCORE, le=MAX_LOG_SCORE)]


class OpponentModel(Struct):
    """The model of one person in one game: plain numbers, which can be stored and shown."""

    picks: Annotated[int, Meta(ge=0, le=10**9)] = 0
    counts: dict[HabitName, dict[Circumstance, dict[Kind, Count]]] = {}
    """How often each kind was picked, decayed."""
    belief: dict[PredictorName, LogScore] = {}
    """The log score of each predictor, decayed."""

    def learn(self, observed: ObservedPick) -> None:
        """Update the log score of every predictor by its prediction, then the counts.

        Where the exact mix is not known, only the counts.
        """
        situation, exact, number = observed
        if exact is not None:
            for name, shares in self.predictions(situation, exact).items():
                previous = BELIEF_DECAY * self.belief.get(name, 0.0)
                self.belief[name] = previous + log(len(situation.choices) * shares[number])
        for habit in HABITS:
            counts = self._counts_for(habit, situation)
            for kind in counts:
                counts[kind] *= COUNT_DECAY
            kind = habit.kinds(situation)[situation.choices.index(number)]
            counts[kind] = counts.get(kind, 0.0) + 1
        self.picks += 1

    def predict(self, situation: Situation, exact: dict[int, float]) -> dict[int, float]:
        """The probability of each number: predictions averaged with weights exp(log score)."""
        predictions = self.predictions(situation, exact)
        best = max(self.belief.get(name, 0.0) for name in predictions)
        weights = {name: exp(self.belief.get(name, 0.0) - best) for name in predictions}
        total = sum(weights.values())
        return {
            number: sum(weights[name] * predictions[name][number] for name in predictions) / total
            for number in situation.choices
        }

    def predictions(
        self, situation: Situation, exact: dict[int, float]
    ) -> dict[PredictorName, dict[int, float]]:
        """The prediction of every habit, of uniform chance, and of exact play."""
        chance = 1 / len(situation.choices)
        return {
            **{habit.name: self._predict_by(habit, situation) for habit in HABITS},
            "chance": dict.fromkeys(situation.choices, chance),
            "exact play": {
                number: 0.9 * exact.get(number, 0.0) + 0.1 * chance for number in situation.choices
            },
        }

    def _predict_by(self, habit: Habit, situation: Situation) -> dict[int, float]:
        """The share of each kind so far with the prior, divided among the numbers of that kind."""
        counts = self._counts_for(habit, situation)
        kinds = habit.kinds(situation)
        members = Counter(kinds)
        total = sum(counts.get(kind, 0.0) for kind in members) + PRIOR_PICKS
        prior = PRIOR_PICKS / len(kinds)
        shares = {
            kind: (counts.get(kind, 0.0) / size + prior) / total for kind, size in members.items()
        }
        return dict(zip(situation.choices, map(shares.__getitem__, kinds), strict=True))

    def _counts_for(self, habit: Habit, situation: Situation) -> dict[str, float]:
        circumstance = AFTER_OUTCOME[situation.last_outcome] if habit.by_outcome else "always"
        return self.counts.setdefault(habit.name, {}).setdefault(circumstance, {})
