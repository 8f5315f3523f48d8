"""The setup of a match: who plays, and under which rulings, each in words."""

from collections.abc import Callable
from functools import partial
from typing import Any

from textual.app import App

from evenodds.app.choices import (
    BY_THE_BOOK,
    LIVELY,
    RULINGS,
    TWO_PEOPLE,
    Choice,
    ChoicePanel,
    opponent_panel,
)
from evenodds.app.settings import Settings
from evenodds.claims.fixed_outcome import lively_variant
from evenodds.core.rulings import Whole
from evenodds.core.terms import Terms
from evenodds.render.narration import describe_ruling

DONE = "done"


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
                self.ask_opponent(terms._replace(rulings=lively))
            elif choice == BY_THE_BOOK:
                self.ask_opponent(terms._replace(rulings=terms.game.rulings()))
            elif choice is not None:
                self.start(terms, "" if choice == TWO_PEOPLE else choice)

        self.app.push_screen(opponent_panel(terms, self.settings), take)

    def ask_ruling(self, terms: Terms, chosen: str = "") -> None:
        """Ask which ruling to change, until none is."""

        def take(key: str | None) -> None:
            if key is None or key == DONE:
                self.ask_opponent(terms)
            else:
                self.app.push_screen(value_panel(terms, key), partial(change, key))

        def change(key: str, value: str | None) -> None:
            self.ask_ruling(terms if value is None else with_ruling(terms, key, value), key)

        self.app.push_screen(rulings_panel(terms, chosen), take)


def rulings_panel(terms: Terms, chosen: str = "") -> ChoicePanel:
    """The rulings of a game, each with its value; choosing one changes it."""
    choices = [
        Choice(key, describe_ruling(option, option.show(getattr(terms.rulings, key))))
        for key, option in terms.game.options.items()
    ]
    choices.append(Choice(DONE, "Play with these rules"))
    return ChoicePanel(f"{terms.game.title}: rules", choices, chosen)


def value_panel(terms: Terms, key: str) -> ChoicePanel:
    """The values that a ruling may have."""
    option = terms.game.options[key]
    if isinstance(option, Whole):
        highest = option.most({name: getattr(terms.rulings, name) for name in terms.game.options})
        choices = [Choice(str(value), str(value)) for value in range(option.low, highest + 1)]
    else:
        choices = [Choice(word, meaning) for word, meaning in option.words.items()]
    about = option.about.partition(";")[0]
    current = option.show(getattr(terms.rulings, key))
    return ChoicePanel(f"{about[:1].upper()}{about[1:]}", choices, current)


def with_ruling(terms: Terms, key: str, text: str) -> Terms:
    """The terms with a ruling changed; others that no longer fit come as near as they may."""
    settled: dict[str, int] = {}
    for name, option in terms.game.options.items():
        value = option.read(option.typed(text), settled) if name == key else None
        settled[name] = option.nearest(
            getattr(terms.rulings, name) if value is None else value, settled
        )
    return terms._replace(rulings=terms.game.rulings(**settled))
