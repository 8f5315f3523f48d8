"""Conversion of policies to OpenSpiel and back."""

from typing import TYPE_CHECKING, Any

from evenodds.adapters.openspiel.states import SpielState
from evenodds.core.vocabulary import Seat
from evenodds.system.extras import needs

with needs("openspiel"):
    from open_spiel.python.policy import Policy as SpielPolicy

if TYPE_CHECKING:
    from evenodds.policy import Policy


class Mixes(SpielPolicy):  # type: ignore[misc]
    """A policy of ours (a solution, a function, a mapping) as a policy of OpenSpiel.

    `game` is one of ours as OpenSpiel loads it, or its turn-based version.
    """

    def __init__(self, game: Any, policy: "Policy") -> None:
        with needs("solver"):
            from evenodds.policy.policies import check_policy, mix_of
        super().__init__(game, list(range(game.num_players())))
        start = game.new_initial_state()  # held: what stands in it goes when it goes
        own = own_state(start).get_game()
        self._game = own.game
        self._policy = check_policy(own.game, own.rulings, policy)
        self._mix_of = mix_of

    def action_probabilities(self, state: Any, player_id: Seat | None = None) -> dict[int, float]:
        """The share of each number that is open, whether it is ever picked or not."""
        seat = state.current_player() if player_id is None else player_id
        position = own_state(state).position
        mix = self._mix_of(self._game, self._policy, position, seat)
        return {pick: mix.get(pick, 0.0) for pick in self._game.picks(position, seat)}


def own_state(state: Any) -> SpielState:
    """The state that a turn-based one stands on; itself where it is one of ours."""
    own: SpielState = state if isinstance(state, SpielState) else state.simultaneous_game_state()
    return own


def by_position(game: Any, policy: Any) -> dict[tuple[Any, Seat], dict[int, float]]:
    """A policy of OpenSpiel as one of ours: the mix of a seat at every position where it decides.

    `game` is one of ours that takes turns, or the turn-based version of one. A policy that minds
    how a position was come to is asked on one way to it; with `recall=False` none does.
    """
    found: dict[tuple[Any, Seat], dict[int, float]] = {}
    seen: set[tuple[Any, ...]] = set()
    ahead = [game.new_initial_state()]
    while ahead:
        state = ahead.pop()
        own = own_state(state)
        here = (own.position, *state.history()[len(own.history()) :])
        if state.is_terminal() or here in seen:
            continue
        seen.add(here)
        asked = (own.position, state.current_player())
        if asked not in found:
            found[asked] = dict(policy.action_probabilities(state))
        ahead += [state.child(pick) for pick in state.legal_actions()]
    return found
