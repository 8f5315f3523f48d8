"""The setup of a match: who plays, and under which rulings, each in words."""

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.app import App

from evenodds.app.choices import (
    BY_THE_BOOK,
    LIVELY,
    PLAY,
    RULINGS,
    TWO_PEOPLE,
    Choice,
    ChoicePanel,
    Choices,
    opponent_panel,
)
from evenodds.app.panels import show_error
from evenodds.app.settings import Settings
from evenodds.claims.fixed_outcome import decided_lines, lively_variant
from evenodds.core.catalog import RuledGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import Whole, typed_value
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import Settled
from evenodds.players.profiles import profile
from evenodds.render.narration import describe_ruling, describe_value

OPPONENT = "opponent"
"""The choice of who plays."""


class MatchSetup:
    """Panels one after the other, until the match can start."""

    def __init__(
        self, app: App[Any], settings: Settings, start: Callable[[Terms, str], None]
    ) -> None:
        self.app = app
        self.settings = settings
        self.start = start
        """Called with the terms and the opponent; no opponent: two people play."""

    def ask_opponent(self, terms: Terms) -> None:
        """Ask who plays, or for other rules."""

        def take(choice: str | None) -> None:
            lively = lively_variant(terms.game, terms.rulings)
            if choice == RULINGS:
                self.ask_ruling(terms)
            elif choice == LIVELY and lively is not None:
                self.ask_opponent(self._changed(terms, lively))
            elif choice == BY_THE_BOOK:
                self.ask_opponent(self._changed(terms, terms.game.rulings()))
            elif choice is not None:
                self.start(terms, "" if choice == TWO_PEOPLE else choice)

        self.app.push_screen(opponent_panel(terms, self.settings), take)

    def ask_ruling(self, terms: Terms, chosen: str = "") -> None:
        """Ask which ruling to change, until none is; then play, or ask who plays."""

        def step(key: str, steps: int) -> Choices:
            nonlocal terms
            terms = self._changed(terms, with_step(terms, key, steps).rulings)
            return self._ruling_choices(terms)

        def take(key: str | None) -> None:
            if key == PLAY:
                self.start(terms, self.settings.opponent)
            elif key is None or key == OPPONENT:
                self.ask_opponent(terms)
            else:
                self.app.push_screen(value_panel(terms, key), partial(change, key))

        def change(key: str, value: str | None) -> None:
            if value is None:
                self.ask_ruling(terms, key)
            else:
                self.ask_ruling(self._changed(terms, with_ruling(terms, key, value).rulings), key)

        panel = ChoicePanel(f"{terms.game.title}: rules", self._ruling_choices(terms), chosen, step)
        self.app.push_screen(panel, take)

    def _changed(self, terms: Terms, rulings: Settled) -> Terms:
        """The terms with other rulings; as they are where a package's game is wrong under those."""
        try:
            agree(RuledGame(terms.game, rulings))
            decided_lines(terms._replace(rulings=rulings))  # looks at livelier rules, too
        except BadGame as error:
            show_error(self.app, error)
            return terms
        return terms._replace(rulings=rulings)

    def _ruling_choices(self, terms: Terms) -> Choices:
        """The rulings of a game, each with its value, and the way to the match."""
        rulings = [
            Choice(key, describe_ruling(option, option.show(getattr(terms.rulings, key))))
            for key, option in terms.game.options.items()
        ]
        opponent = self.settings.opponent
        against = f"against {profile(opponent).name}" if opponent else "with two people"
        following = [
            Choice("", ""),
            Choice(PLAY, f"Play {against} (p)"),
            Choice(OPPONENT, "Choose who plays"),
        ]
        return Choices([*rulings, *following], " ".join(decided_lines(terms)))


def value_panel(terms: Terms, key: str) -> ChoicePanel:
    """The values that a ruling may have."""
    option = terms.game.options[key]
    choices = [Choice(value, meaning) for value, meaning in ruling_values(terms, key).items()]
    about = option.about.partition(";")[0]
    current = option.show(getattr(terms.rulings, key))
    return ChoicePanel(f"{about[:1].upper()}{about[1:]}", Choices(choices), current)


def ruling_values(terms: Terms, key: str) -> dict[str, str]:
    """The values that a ruling may have, as they are typed, each with what it means."""
    option = terms.game.options[key]
    if not isinstance(option, Whole):
        return option.words
    highest = option.most({name: getattr(terms.rulings, name) for name in terms.game.options})
    values = map(str, range(option.low, highest + 1))
    return {value: describe_value(option, value) for value in values}


def with_step(terms: Terms, key: str, steps: int) -> Terms:
    """The terms with a ruling at its next value; at the last one as they are."""
    if key not in terms.game.options:
        return terms
    values = list(ruling_values(terms, key))
    place = values.index(terms.game.options[key].show(getattr(terms.rulings, key))) + steps
    return with_ruling(terms, key, values[max(0, min(place, len(values) - 1))])


def with_ruling(terms: Terms, key: str, text: str) -> Terms:
    """The terms with a ruling changed; others that no longer fit come as near as they may."""
    settled: dict[str, int] = {}
    for name, option in terms.game.options.items():
        value = option.read(typed_value(text), settled) if name == key else None
        settled[name] = option.nearest(
            getattr(terms.rulings, name) if value is None else value, settled
        )
    return terms._replace(rulings=terms.game.rulings(**settled))
