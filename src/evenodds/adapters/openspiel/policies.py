"""Conversion of policies to OpenSpiel and back."""

from typing import TYPE_CHECKING, Any, Final

from evenodds.adapters.openspiel.games import SpielState
from evenodds.core.vocabulary import Seat
from evenodds.system.imports import needs

with needs("openspiel"):
    from open_spiel.python.policy import Policy as SpielPolicy

if TYPE_CHECKING:
    from evenodds.engine.policies import Policy

MAX_HISTORIES: Final = 20_000
"""So many are followed to their ends; from there on each position is followed once."""
ALIKE: Final = 1e-6
"""Shares that differ by less are of one mix: networks answer in single precision."""


def to_openspiel(game: Any, policy: "Policy") -> SpielPolicy:
    """A policy of ours (a solution, a function, a mapping) as a policy of OpenSpiel.

    `game` is one of ours as OpenSpiel loads it, or its turn-based version.
    """
    return _OwnMixes(game, policy)


class _OwnMixes(SpielPolicy):  # type: ignore[misc]
    def __init__(self, game: Any, policy: "Policy") -> None:
        with needs("solver"):
            from evenodds.engine.policies import check_policy, mix_of
        super().__init__(game, list(range(game.num_players())))
        start = game.new_initial_state()  # kept: it owns the wrapped state
        own = own_state(start).get_game()
        self._game = own.game
        self._policy = check_policy(own.game, own.rulings, policy)
        self._mix_of = mix_of

    def action_probabilities(self, state: Any, player_id: Seat | None = None) -> dict[int, float]:
        """The probability of every legal number, 0 included."""
        seat = state.current_player() if player_id is None else player_id
        position = own_state(state).position
        mix = self._mix_of(self._game, self._policy, position, seat)
        return {pick: mix.get(pick, 0.0) for pick in self._game.picks(position, seat)}


def own_state(state: Any) -> SpielState:
    """The simultaneous state inside a turn-based one; the state itself where it is one of ours."""
    inside = getattr(state, "simultaneous_game_state", lambda: state)()
    if not isinstance(inside, SpielState):
        raise _bad_policy(
            "this game of OpenSpiel is none of ours, whose names begin with evenodds_"
        )
    return inside


def _bad_policy(problem: str) -> Exception:
    with needs("solver"):
        from evenodds.engine.policies import BadPolicy
    return BadPolicy(problem)


def from_openspiel(game: Any, policy: Any) -> dict[tuple[Any, Seat], dict[int, float]]:
    """A policy of OpenSpiel as one of ours: the mix of a seat at every position where it decides.

    `game` is one of ours that takes turns, or the turn-based version of one. Raises `BadPolicy`
    where the mixes at one position depend on how play came to it; with `recall=False` none do. In
    large games not all ways to a position are compared.
    """
    mixes: dict[tuple[Any, Seat], dict[int, float]] = {}
    visited: set[tuple[Any, ...]] = set()
    start, followed = game.new_initial_state(), 0  # kept, as above
    ours = own_state(start).get_game()
    if ours.game.simultaneous and isinstance(start, SpielState):
        load = f'pyspiel.load_game_as_turn_based("{ours.get_type().short_name}")'
        raise _bad_policy(f"in {ours.game.name} both pick at once; pass the game of {load}")
    remembers, stack = ours.recall, [start]
    while stack:
        state = stack.pop()
        own = own_state(state)
        node = (own.position, *state.history()[len(own.history()) :])
        if state.is_terminal():
            continue
        decision = (own.position, state.current_player())
        if not state.is_chance_node():
            mix = dict(policy.action_probabilities(state))
            if not _are_alike(mix, mixes.setdefault(decision, mix)):
                raise _bad_policy(
                    f"this policy has two mixes at one position, {own.position}, by how play came "
                    "there; load the game with recall=False"
                )
        followed += 1
        if node in visited and (followed > MAX_HISTORIES or not remembers):
            continue
        visited.add(node)
        stack += [state.child(pick) for pick in state.legal_actions()]
    return mixes


def _are_alike(one: dict[int, float], two: dict[int, float]) -> bool:
    return all(abs(one.get(pick, 0.0) - two.get(pick, 0.0)) <= ALIKE for pick in one | two)
