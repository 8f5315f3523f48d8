"""Even Odds in TextArena: two agents meet in text; importing this registers the games.

    import evenodds_textarena
    import textarena as ta

    env = ta.make("EvenOdds-Underdog-v0", rulings={"numbers": 6})

Player 0 has the first seat. Where both pick at once, Player 1 sees nothing of Player 0's pick.
"""

from typing import Any

import textarena as ta
from textarena.envs.registration import register

import evenodds
from evenodds.text import (
    BadModelAnswer,
    parse_legal_pick,
    pick_losses,
    position_prompt,
    rules_prompt,
)

PLAYERS = ("Player 0", "Player 1")


class MatchEnv(ta.Env):
    """A match of two agents. An agent's second answer without a legal pick in a row loses."""

    def __init__(self, game: str, rulings: dict[str, Any] | None = None) -> None:
        self.terms = evenodds.Match(game, rulings, players=PLAYERS).terms

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """A new match; what chance draws follows from the seed."""
        self.match = evenodds.Match(self.terms, seed=None if seed is None else str(seed))
        self.state = ta.TwoPlayerState(num_players=num_players, seed=seed)
        self.state.reset(game_state={}, player_prompt_function=self._rules)
        self._ask()

    def _rules(self, player_id: int, game_state: dict[str, Any]) -> str:
        return rules_prompt(self.terms, player_id)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """An agent's answer; the info has what its pick gave away, as `loss`."""
        seat, match, state = self.state.current_player_id, self.match, self.state
        kinds = ta.ObservationType
        state.add_observation(action, kinds.PLAYER_ACTION, from_id=seat, to_id=seat)
        try:
            number = parse_legal_pick(action, self.terms, match.view(seat))
        except BadModelAnswer as error:
            state.set_invalid_move(reason=f"{error}.")
            return state.step(rotate_player=False)
        state.step_info = {"loss": pick_losses(match, seat)[number]}
        rounds = len(match.history)
        match.pick(seat, number)
        self._ask()
        for picks in match.history[rounds:]:
            shown = " and ".join(
                f"{who} {pick}" for who, pick in zip(PLAYERS, picks, strict=True) if pick
            )
            state.add_observation(f"Picked: {shown}.", kinds.GAME_ACTION_DESCRIPTION)
        return state.step(rotate_player=False)

    def _ask(self) -> None:
        """Go on to the next agent with a choice, or to the end."""
        match, state = self.match, self.state
        while match.result is None:
            seat = match.waiting()[0]
            view = match.view(seat)
            if len(view.choices) > 1:
                state.manually_set_current_player_id(seat)
                question = position_prompt(self.terms, view)
                state.add_observation(question, ta.ObservationType.GAME_BOARD, to_id=seat)
                return
            match.pick(seat, view.choices[0])
        if match.result.outcome == evenodds.Outcome.DRAW:
            state.set_draw(reason=match.result.reason)
        else:
            winner = int(match.result.outcome == evenodds.Outcome.SECOND_WINS)
            state.set_winner(player_id=winner, reason=match.result.reason)


for game in evenodds.list_games():
    name = "".join(part.capitalize() for part in game.name.replace("_", "-").split("-"))
    register(f"EvenOdds-{name}-v0", entry_point=MatchEnv, game=game.name)
