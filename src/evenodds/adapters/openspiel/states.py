"""The OpenSpiel state of a match: player to act, legal actions, returns."""

from typing import Any

from evenodds.adapters.openspiel.game_interface import LoadedGame
from evenodds.adapters.openspiel.history import TERMINAL_PLAYER, MatchHistory
from evenodds.core.match import IllegalPick
from evenodds.core.serialization import state_as_data
from evenodds.core.vocabulary import SEATS, Pair, Seat, alone, holds
from evenodds.system.imports import needs

with needs("openspiel"):
    import pyspiel


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A match in progress. Players 0 and 1 are the first and the second seat; action n picks n."""

    def __init__(self, game: LoadedGame) -> None:
        super().__init__(game)
        self.match_history = MatchHistory.begun(game.game, game.rulings)

    @property
    def position(self) -> Any:
        """The position as the rules hold it."""
        return self.match_history.position

    def current_player(self) -> int:
        """Both at once, or the seat to move; TERMINAL when the match is over."""
        return self.match_history.player

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.match_history.player == TERMINAL_PLAYER

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw and while the match is open."""
        won = float(self.match_history.outcome) if self.is_terminal() else 0.0
        return [won, 0.0 - won]

    def _legal_actions(self, player: Seat) -> list[int]:
        return list(self._ruled_game().game.picks(self.position, player))

    def _apply_actions(self, actions: list[int]) -> None:
        first, second = actions
        self._play((first, second))

    def _apply_action(self, action: int) -> None:
        self._play(alone(self.match_history.player, action))

    def _play(self, picks: Pair) -> None:
        game = self._ruled_game()
        for seat in SEATS:
            if not holds(game.game.legal(self.position, seat), picks[seat]):
                raise IllegalPick(game.game.words.refused(self.position, seat, picks[seat]))
        self.match_history = self.match_history.after(game.game, picks, game.repetition)

    def _ruled_game(self) -> LoadedGame:
        game: LoadedGame = self.get_game()  # typed here: pyspiel has no annotations
        return game

    def _action_to_string(self, player: Seat, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in state_as_data(self.position).items())
