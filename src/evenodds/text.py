"""The games in text, for language models: what is asked, and what an answer gives away.

env = TextEnv("duel", opponent="level:4")
env.reset(seed=1)
while env.question:
    turn = env.answer(ask(env.messages))  # `ask` is yours
"""

from collections.abc import Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple

from evenodds.coach.pick_values import evaluate_picks, repetition_picks
from evenodds.core.catalog import AnyGame, GameLike, RuledGame
from evenodds.core.match import IllegalPick, Match
from evenodds.core.terms import DEFAULT_REPETITION, agree, check_seating
from evenodds.core.vocabulary import FIRST, Seat, Settled, other
from evenodds.engine.on_demand import solution_for
from evenodds.engine.solution import Solution
from evenodds.players import registry
from evenodds.players.levels import PlayerLike
from evenodds.players.llm.answer_parsing import BadModelAnswer, IllegalModelPick, parse_legal_pick
from evenodds.players.llm.prompt import EDITIONS, USUAL, Edition, position_prompt, rules_prompt
from evenodds.players.player import Player, play_pick

__all__ = [
    "EDITIONS",
    "BadModelAnswer",
    "Edition",
    "IllegalModelPick",
    "TextEnv",
    "Turn",
    "parse_legal_pick",
    "pick_losses",
    "position_prompt",
    "rules_prompt",
]


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
    reward: float
    """0 less what the pick gave away (`pick_losses`); -1 for an answer that forfeits the match."""
    problem: str = ""
    """What was wrong with the answer; empty for a legal pick."""


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
        self._name = registry.check_player(opponent, self._terms)
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
        rng = Random(seed)
        seats = {"second": 1, "alternate": self._matches % 2, "random": rng.randrange(2)}
        self.seat, self._matches = seats.get(self._seating, FIRST), self._matches + 1
        computers = ("", self._name) if self.seat == FIRST else (self._name, "")
        terms = self._terms._replace(computers=computers)
        self.match, self.turns = Match(terms, seed=f"{rng.getrandbits(128):032x}"), []
        self._player = registry.opponent(
            self.opponent,
            terms,
            other(self.seat),
            rng,
            bot_seconds=registry.pick_timeout_s(self._name, None),
            solution=_solution(terms.game, terms.rulings)
            if registry.is_exact(self._name)
            else None,
        )
        return self._go_on()

    def answer(self, text: str) -> Turn:
        """Take an answer to the question; the match goes on to the next one, or to its end."""
        if not self.question:
            raise IllegalPick("nothing is asked; reset() begins a match")
        match, seat = self.match, self.seat
        try:
            number = parse_legal_pick(text, match.terms, match.view(seat))
            turn = Turn(number, 0 - pick_losses(match, seat)[number])
            match.pick(seat, number)
        except BadModelAnswer as error:
            is_second = bool(self.turns and self.turns[-1].problem)
            turn = Turn(None, -1.0 if is_second else 0.0, str(error))
            if is_second:
                match.lose(seat, "forfeit")
        self.turns.append(turn)
        self._go_on(turn.problem)
        return turn

    @property
    def messages(self) -> list[dict[str, str]]:
        """The rules and the question, as a chat takes them."""
        rules = rules_prompt(self.match.terms, self.seat, self.edition)
        asked = {"role": "user", "content": self.question}
        return [{"role": "system", "content": rules}, asked]

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
            asked = position_prompt(match.terms, match.view(seat), self.edition)
            self.question = f"{problem}. {asked}" if problem else asked
        return self.question
