"""Panels to change the rulings of a match, each in words."""

from evenodds.app.choices import Choice, ChoicePanel
from evenodds.core.rulings import Whole
from evenodds.core.terms import Terms
from evenodds.render.narration import describe_ruling

DONE = "done"


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
