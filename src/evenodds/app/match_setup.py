"""The setup of a match: who plays, and under which rules, each in words."""

from typing import TYPE_CHECKING, Final, Literal

from msgspec.structs import replace

from evenodds.app.choices import PLAY, Choice, ChoicePanel, Choices
from evenodds.app.panels import show_error
from evenodds.app.settings import Settings, split_names
from evenodds.app.settled_app import SettledApp
from evenodds.claims.fixed_outcome import decided_lines, lively_variant
from evenodds.core.catalog import RuledGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import BadRuling, Whole, typed_value
from evenodds.core.terms import Terms, agree
from evenodds.core.vocabulary import Settled
from evenodds.players.profiles import BUILT_IN_PROFILES, profile, profile_under
from evenodds.render.narration import describe_changed_rulings, describe_ruling
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from evenodds.client.remote_match import RemoteMatch

TWO_PEOPLE: Final = "people"
"""The choice of two people at one keyboard."""
LIVELY: Final = "lively"
"""The choice of rulings under which picks matter."""
LIVELY_NAME: Final = "Livelier rules"
BY_THE_BOOK: Final = "book"
"""The choice of the rulings of the rule book, where others were chosen."""
RULINGS: Final = "rulings"
"""The choice of other rulings."""
OPPONENT: Final = "opponent"
"""The choice of who plays."""
TWO_COMPUTERS: Final = "computers"
"""The choice of two computers to watch."""
SERVER: Final = "server"
"""The choice of somebody who is invited by a link."""
SERIES: Final[dict[Literal[1, 3, 5], str]] = {1: "One match", 3: "Best of three", 5: "Best of five"}
SERIES_LINE: Final = "Left and right change how many matches of the same players count."
TWO_PEOPLE_LINE: Final = "You and somebody beside you. Secret numbers are typed unseen."


async def set_up_match(app: SettledApp, terms: Terms) -> "Terms | RemoteMatch | None":
    """Ask who plays, where and under which rules, until a match can start; None for none."""
    while True:
        choice = await app.push_screen_wait(_who_plays(app, terms))
        if choice is None:
            return None
        if choice == RULINGS:
            terms, ready = await _change_rules(app, terms)
            if ready:
                return _against(terms, app.settings)
        elif choice in (LIVELY, BY_THE_BOOK):
            lively = choice == LIVELY and lively_variant(terms.game, terms.rulings)
            terms = _changed(app, terms, lively or terms.game.rulings())
        elif choice == TWO_COMPUTERS:
            if watched := await _two_computers(app, terms):
                return watched
        elif choice == SERVER:
            from evenodds.app.servers import invite

            if remote := await invite(app, terms):
                return remote
        else:
            opponent = "" if choice == TWO_PEOPLE else choice
            app.change_settings(replace(app.settings, opponent=opponent))
            return _against(terms, app.settings)


def _who_plays(app: SettledApp, terms: Terms) -> ChoicePanel:
    """The rules of a match, how many are played, and by whom."""

    def change(name: str, how: int | str) -> Choices:
        settings = app.settings
        if isinstance(how, str):
            settings = replace(settings, names=", ".join(split_names(how)) if how.strip() else "")
        else:
            following = (list(SERIES).index(settings.series) + how) % len(SERIES)
            settings = replace(settings, series=list(SERIES)[following])
        app.change_settings(settings)
        return offered()

    def offered() -> Choices:
        return Choices(_rules(terms) + _players(app.settings, terms), "\n\n".join(_about(terms)))

    chosen = app.settings.opponent or TWO_PEOPLE
    return ChoicePanel(terms.game.title, offered(), chosen, change)


def _rules(terms: Terms) -> list[Choice]:
    """What can be done about the rules."""
    changed = describe_changed_rulings(terms.rulings)
    rules = [
        Choice("", "Rules: changed" if changed else "Rules: by the book"),
        Choice(RULINGS, " Change the rules", "Numbers, limits and special rules, one by one."),
    ]
    if lively_variant(terms.game, terms.rulings) is not None:
        rules.append(Choice(LIVELY, f" {LIVELY_NAME}", "Picks matter with these rules."))
    if changed:
        rules.append(Choice(BY_THE_BOOK, " By the book", "Undo all changes of the rules."))
    return rules


def _players(settings: Settings, terms: Terms) -> list[Choice]:
    """How many matches, and who plays them."""
    names = f"Now {settings.names}." if settings.names else "Now those of the rule book."
    question = "The names of two people, such as Ann, Bo:"
    return [
        Choice("series", f" {SERIES[settings.series]}", SERIES_LINE, steps=True),
        Choice("", "Who plays?"),
        Choice(TWO_PEOPLE, " Two people", TWO_PEOPLE_LINE),
        Choice("names", " Names of both", names, question=question, typed=settings.names),
        Choice(TWO_COMPUTERS, " Two computers", "You choose both, and watch."),
        Choice(SERVER, " You, on a server", "You get a link to send to your opponent."),
        *_computers(terms),
    ]


def _computers(terms: Terms) -> list[Choice]:
    """The computers, the levels first."""
    names = sorted(BUILT_IN_PROFILES, key=lambda name: "level" not in name)
    profiles = {name: profile_under(terms, name) for name in names}
    return [Choice(name, f" {shown.name}", shown.line) for name, shown in profiles.items()]


def _about(terms: Terms) -> list[str]:
    """What is to be known of the rules."""
    changed = describe_changed_rulings(terms.rulings)
    about = [f"Changed: {'. '.join(changed)}."] if changed else []
    about += decided_lines(terms, f"choose {LIVELY_NAME}")
    return about + (terms.game.words.rules(terms.rulings) or [terms.game.summary])


async def _two_computers(app: SettledApp, terms: Terms) -> Terms | None:
    """The terms of a match to watch; None where that is given up."""
    computers: list[str] = []
    for place in ("first", "second"):
        panel = ChoicePanel(f"The {place} computer", Choices(_computers(terms)))
        name = await app.push_screen_wait(panel)
        if name is None:
            return None
        computers.append(name)
    return terms._replace(computers=(computers[0], computers[1]))


def _against(terms: Terms, settings: Settings) -> Terms:
    """The terms of a match against the chosen computer; without one, of two people."""
    if not (settings.opponent or terms.named) and settings.names:
        terms = terms._replace(players=split_names(settings.names))
    return terms._replace(computers=("", settings.opponent))


async def _change_rules(app: SettledApp, terms: Terms) -> tuple[Terms, bool]:
    """The terms with the rulings that are chosen, and whether to play at once."""

    def offered() -> Choices:
        rulings = [
            Choice(
                key,
                describe_ruling(option, option.show(getattr(terms.rulings, key))),
                steps=True,
                question=_question(terms, key),
            )
            for key, option in terms.game.options.items()
        ]
        opponent = app.settings.opponent
        against = f"against {profile(opponent).name}" if opponent else "with two people"
        following = [
            Choice("", ""),
            Choice(PLAY, f"Play {against} (p)"),
            Choice(OPPONENT, "Choose who plays"),
        ]
        return Choices([*rulings, *following], " ".join(decided_lines(terms)))

    def change(key: str, how: int | str) -> Choices:
        nonlocal terms
        new = with_ruling(terms, key, how) if isinstance(how, str) else with_step(terms, key, how)
        terms = _changed(app, terms, new.rulings)
        return offered()

    panel = ChoicePanel(f"{terms.game.title}: rules", offered(), change=change)
    choice = await app.push_screen_wait(panel)
    return terms, choice == PLAY


def _changed(app: SettledApp, terms: Terms, rulings: Settled) -> Terms:
    """The terms with other rulings; as they are where a package's game is wrong under those."""
    try:
        agree(RuledGame(terms.game, rulings))
        decided_lines(terms._replace(rulings=rulings))  # looks at livelier rules, too
    except BadGame as error:
        show_error(app, error)
        return terms
    return terms._replace(rulings=rulings)


def _question(terms: Terms, key: str) -> str:
    """What is asked where a number is typed."""
    option = terms.game.options[key]
    if not isinstance(option, Whole):
        return ""
    about = option.about.partition(";")[0]
    return f"{about[:1].upper()}{about[1:]}, {option.allowed(terms.rulings._asdict())}:"


def with_step(terms: Terms, key: str, steps: int) -> Terms:
    """The terms with a ruling some steps on: after the last word comes the first."""
    option, value = terms.game.options[key], getattr(terms.rulings, key) + steps
    if isinstance(option, Whole):
        value = option.nearest(value, terms.rulings._asdict())
    else:
        value %= len(option.choice)
    return with_ruling(terms, key, option.show(value))


def with_ruling(terms: Terms, key: str, text: str) -> Terms:
    """The terms with a ruling changed; others that no longer fit come as near as they may."""
    settled: dict[str, int] = {}
    for name, option in terms.game.options.items():
        settled[name] = option.nearest(getattr(terms.rulings, name), settled)
        if name == key:
            value = option.read(typed_value(text.strip()), settled)
            if value is None:
                allowed = option.allowed(settled)
                raise BadRuling(f'"{shorten(text)}" is not allowed; allowed: {allowed}')
            settled[name] = value
    return terms._replace(rulings=terms.game.rulings(**settled))
