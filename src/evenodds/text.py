"""The games in text, for language models: the question, what an answer picks, what that gives away.

from evenodds.text import TextEnv

env = TextEnv("duel", opponent="level:4")
env.reset(seed=1)
while not env.over:
    turn = env.answer(ask(env.messages))  # `ask` is yours
    print(turn.reward)
"""

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import Final, NamedTuple

from evenodds.coach.pick_values import evaluate_picks, repetition_picks
from evenodds.core.catalog import AnyGame, GameLike, RuledGame
from evenodds.core.match import Match
from evenodds.core.terms import DEFAULT_REPETITION, agree, check_seating
from evenodds.core.vocabulary import FIRST, Seat, Settled, other
from evenodds.engine.on_demand import solution_for
from evenodds.engine.policies import check_policy
from evenodds.engine.solution import Solution
from evenodds.players import registry
from evenodds.players.levels import PlayerLike
from evenodds.players.llm.answer_parsing import BadModelAnswer, IllegalModelPick, parse_legal_pick
from evenodds.players.llm.prompt import EDITIONS, USUAL, Edition, position_prompt, rules_prompt
from evenodds.players.player import Player, play_pick
from evenodds.system import EvenOddsError

__all__ = [
    "EDITIONS",
    "BadModelAnswer",
    "Edition",
    "IllegalModelPick",
    "TextEnv",
    "Turn",
    "pick_losses",
    "question",
    "read_pick",
    "rules",
]

FORFEIT_LOSS: Final = 1.0
"""What an answer gives away that forfeits the match: as much as a pick can at most."""


class NoQuestion(EvenOddsError, RuntimeError):
    """An answer was given where nothing is asked."""


def rules(match: Match, seat: Seat, edition: Edition = USUAL) -> str:
    """The rules under the rulings of a match, the seat, and the form of an answer."""
    return rules_prompt(match.terms, seat, edition)


def question(match: Match, seat: Seat, edition: Edition = USUAL) -> str:
    """What a seat sees, which picks it has, and that it is asked for one."""
    return position_prompt(match.terms, match.view(seat), edition)


def read_pick(match: Match, seat: Seat, answer: str) -> int:
    """The legal number that an answer picks.

    `BadModelAnswer` says what is wrong: `IllegalModelPick` where the pick is against the rules.
    """
    return parse_legal_pick(answer, match.terms, match.view(seat))


def pick_losses(match: Match, seat: Seat) -> dict[int, float]:
    """What each legal pick of a seat gives away against exact play, in expected score.

    A whole match is 1, in games about points all that is at stake. `NotSolved` where the rulings
    cannot be solved.
    """
    solution = _solution(match.game, match.terms.rulings)
    values = evaluate_picks(solution, match.state, seat, repetition_picks(match, seat))
    return {number: values.loss(number) for number in values.scores}


@lru_cache(maxsize=8)
def _solution(game: AnyGame, rulings: Settled) -> Solution:
    return solution_for(agree(RuledGame(game, rulings)))


class Turn(NamedTuple):
    """What came of an answer."""

    number: int | None
    """The pick; None where the answer had no legal one."""
    loss: float
    """What it gave away, as `pick_losses` has it; 1 for the answer that forfeits the match."""
    problem: str = ""
    """What was wrong with the answer; empty for a legal pick."""

    @property
    def reward(self) -> float:
        """The loss, less than 0."""
        return 0 - self.loss


class TextEnv:
    """Matches of one seat against an opponent, one after the other.

    The opponent is the name of a player, programs included, or a policy: a function of position and
    seat that returns a mix or a number, a mapping, or a solution. `seat` is `first` or FIRST,
    `second` or SECOND, `alternate` (in turn, from the first seat on) or `random`. A seat with one
    legal pick is not asked. An answer without a legal pick is told why and asked for once more; the
    second in a row forfeits the match.
    """

    match: Match
    seat: Seat

    def __init__(
        self,
        game: GameLike,
        *,
        opponent: PlayerLike = registry.DEFAULT_OPPONENT,
        seat: str | Seat = FIRST,
        repetition: int = DEFAULT_REPETITION,
        rulings: Mapping[str, object] | None = None,
        edition: Edition = USUAL,
    ) -> None:
        self._seating = check_seating(seat)
        self._terms = agree(game, rulings, repetition=repetition)
        if isinstance(opponent, str):
            registry.check_opponent(opponent, allow_external=True)
        else:
            check_policy(self._terms.game, self._terms.rulings, opponent)
        self.opponent, self.edition = opponent, edition
        self.turns: list[Turn] = []
        """What came of each answer in this match."""
        self.question = ""
        """What is asked now; empty where nothing is."""
        self._matches = 0
        self._player: Player | None = None

    def reset(self, seed: int | None = None) -> str:
        """Begin a match, and ask; what chance draws and the opponent picks follow from a seed."""
        self.close()
        rng, name = Random(seed), self.opponent if isinstance(self.opponent, str) else ""
        drawn = {"alternate": self._matches % 2, "random": rng.randrange(2)}
        self.seat = drawn.get(self._seating, int(self._seating == "second"))
        self._matches += 1
        computers = ("", name) if self.seat == FIRST else (name, "")
        terms = self._terms._replace(computers=computers)
        self.match, self.turns = Match(terms, seed=f"{rng.getrandbits(128):032x}"), []
        self._player = registry.opponent(
            self.opponent,
            terms,
            other(self.seat),
            rng,
            bot_seconds=registry.pick_timeout_s(name, None),
            solution=_solution(terms.game, terms.rulings) if registry.is_exact(name) else None,
        )
        return self._go_on()

    def answer(self, text: str) -> Turn:
        """Take an answer to the question; the match goes on to the next one, or to its end."""
        if not self.question:
            raise NoQuestion("nothing is asked; reset() begins a match")
        try:
            number = read_pick(self.match, self.seat, text)
        except BadModelAnswer as error:
            is_second = bool(self.turns and self.turns[-1].problem)
            turn = Turn(None, FORFEIT_LOSS if is_second else 0.0, str(error))
            if is_second:
                self.match.lose(self.seat, "forfeit")
        else:
            turn = Turn(number, pick_losses(self.match, self.seat)[number])
            self.match.pick(self.seat, number)
        self.turns.append(turn)
        self._go_on(turn.problem)
        return turn

    @property
    def messages(self) -> list[dict[str, str]]:
        """The rules and the question, as a chat takes them."""
        system = {"role": "system", "content": rules(self.match, self.seat, self.edition)}
        return [system, {"role": "user", "content": self.question}]

    @property
    def over(self) -> bool:
        """Whether nothing is asked any more."""
        return not self.question

    @property
    def score(self) -> float | None:
        """A win 1, a draw 1/2, a loss 0; None while the match is open."""
        result = self.match.result
        return result and (1 + (1, -1)[self.seat] * result.outcome) / 2

    def close(self) -> None:
        """Leave the match; a program that plays in it ends."""
        self.question = ""
        if self._player:
            self._player.leave(self.match.view(other(self.seat)))
            self._player = None

    def _go_on(self, problem: str = "") -> str:
        """Let the match go on until there is something to ask."""
        match, seat = self.match, self.seat
        assert self._player
        while match.result is None and len(choices := match.view(seat).choices) < 2:
            if choices:
                match.pick(seat, choices[0])
            else:
                play_pick(self._player, match, other(seat))
        if match.result:
            self.close()
        else:
            asked = question(match, seat, self.edition)
            self.question = f"{problem}. {asked}" if problem else asked
        return self.question
