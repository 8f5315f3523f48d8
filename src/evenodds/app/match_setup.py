"""The setup of a match: who plays, where, and under which rules; a match on somebody's server."""

from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from rich.text import Text

from evenodds.app.background import in_thread
from evenodds.app.choices import Choice, ChoicePanel, Choices, stepped
from evenodds.app.panels import InputPanel, TextPanel, errors_shown, show_error
from evenodds.app.settings import SettledApp, split_names
from evenodds.claims.fixed_outcome import decided_lines, lively_variant
from evenodds.core.catalog import RuledGame
from evenodds.core.rule_checks import BadGame
from evenodds.core.rulings import BadRuling, Whole, typed_value
from evenodds.core.terms import Terms, agree, check_name
from evenodds.core.vocabulary import Settled
from evenodds.players.profiles import BUILT_IN_PROFILES, profile, profile_under
from evenodds.render.narration import describe_changed_rulings, describe_ruling
from evenodds.system.text import shorten

if TYPE_CHECKING:
    from evenodds.client.address import Address
    from evenodds.client.remote_match import RemoteMatch

PLAY: Final = "play"
RULINGS: Final = "rulings"
LIVELY: Final = "lively"
BY_THE_BOOK: Final = "book"
TWO_PEOPLE: Final = "people"
TWO_COMPUTERS: Final = "computers"
SERVER: Final = "server"
"""What can be chosen beside computers."""
LIVELY_NAME: Final = "Livelier rules"
SERIES: Final[dict[Literal[1, 3, 5], str]] = {1: "One match", 3: "Best of three", 5: "Best of five"}
SERIES_LINE: Final = "Left and right change how many matches of the same players count."
TWO_PEOPLE_LINE: Final = "You and somebody beside you. Secret numbers are typed unseen."
NAMES_QUESTION: Final = "The names of two people, such as Ann, Bo:"
NAME_QUESTION: Final = "Your name, which the other player sees:"
SERVER_QUESTION: Final = "The address of the server, such as http://192.168.1.7:8000:"


async def set_up_match(app: SettledApp, terms: Terms) -> "Terms | RemoteMatch | None":
    """Ask who plays, where and under which rules, until a match can start; None for none."""

    def offered() -> Choices:
        return Choices([*_rules(terms), *_players(app, terms)], "\n\n".join(_about(terms)))

    while choice := await app.push_screen_wait(
        ChoicePanel(terms.game.title, offered, app.settings.opponent or TWO_PEOPLE)
    ):
        if choice == RULINGS:
            terms, ready = await _change_rules(app, terms)
            if ready:
                return _against(app, terms)
        elif choice in (LIVELY, BY_THE_BOOK):
            lively = choice == LIVELY and lively_variant(terms.game, terms.rulings)
            terms = _changed(app, terms, lively or terms.game.rulings())
        elif choice == TWO_COMPUTERS:
            if watched := await _two_computers(app, terms):
                return watched
        elif choice == SERVER:
            with errors_shown(app):
                if remote := await _invite(app, terms):
                    return remote
        else:
            app.change_settings(opponent="" if choice == TWO_PEOPLE else choice)
            return _against(app, terms)
    return None


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


def _players(app: SettledApp, terms: Terms) -> list[Choice]:
    """How many matches, and who plays them."""
    series, names = app.settings.series, app.settings.names

    def read_names(typed: str) -> None:
        app.change_settings(names=", ".join(split_names(typed)) if typed.strip() else "")

    def step_series(steps: int) -> None:
        app.change_settings(series=stepped(list(SERIES), series, steps))

    now = f"Now {names or 'those of the rule book'}."
    return [
        Choice("series", f" {SERIES[series]}", SERIES_LINE, step_series),
        Choice("", "Who plays?"),
        Choice(TWO_PEOPLE, " Two people", TWO_PEOPLE_LINE),
        Choice("names", " Names of both", now, None, NAMES_QUESTION, read_names, names),
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
        panel = ChoicePanel(f"The {place} computer", lambda: Choices(_computers(terms)))
        if not (name := await app.push_screen_wait(panel)):
            return None
        computers.append(name)
    return terms._replace(computers=(computers[0], computers[1]))


def _against(app: SettledApp, terms: Terms) -> Terms:
    """The terms of a match against the chosen computer; without one, of two people."""
    opponent, names = app.settings.opponent, app.settings.names
    if names and not opponent and not terms.named:
        terms = terms._replace(players=split_names(names))
    return terms._replace(computers=("", opponent))


async def _change_rules(app: SettledApp, terms: Terms) -> tuple[Terms, bool]:
    """The terms with the rulings that are chosen, and whether to play at once."""

    def change(key: str, how: int | str) -> None:
        nonlocal terms
        new = with_ruling(terms, key, how) if isinstance(how, str) else with_step(terms, key, how)
        terms = _changed(app, terms, new.rulings)

    def offered() -> Choices:
        options = []
        for key, option in terms.game.options.items():
            label = describe_ruling(option, option.show(getattr(terms.rulings, key)))
            take = partial(change, key)
            options.append(Choice(key, label, "", take, _question(terms, key), take))
        opponent = app.settings.opponent
        against = f"against {profile(opponent).name}" if opponent else "with two people"
        options.append(Choice("", ""))
        options.append(Choice(PLAY, f"Play {against} (p)", key="p"))
        options.append(Choice("opponent", "Choose who plays"))
        return Choices(options, " ".join(decided_lines(terms)))

    panel = ChoicePanel(f"{terms.game.title}: rules", offered)
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


async def _invite(app: SettledApp, terms: Terms) -> "RemoteMatch | None":
    """Open a match on a server that is asked for, and show the link; None for going back."""
    from evenodds.client.address import server_address
    from evenodds.client.remote_match import open_match
    from evenodds.table.remote import SEND_LINK

    asked = InputPanel(SERVER_QUESTION, app.settings.server, server_address)
    server = await app.push_screen_wait(asked)
    if server is None or not await _names_itself(app, terms.players[0] if terms.named else ""):
        return None
    app.change_settings(server=server.origin)
    opened = await in_thread(partial(open_match, server, terms, app.settings.name))
    link = f"{opened.link}#{opened.invitation}"
    await app.push_screen_wait(TextPanel("Invitation", [Text(f"{SEND_LINK}\n\n{link}")]))
    return await enter(app, opened)


async def join_by_link(app: SettledApp) -> "RemoteMatch | None":
    """Ask for a link and a name, and take the seat or watch; None for going back."""
    from evenodds.client.address import address
    from evenodds.client.saved_seats import saved_links

    where = await app.push_screen_wait(InputPanel("The link to the match:", "", address))
    if where and where.link in saved_links():
        return await enter(app, where)
    while where and await _names_itself(app):
        with errors_shown(app):  # another name may do
            return await enter(app, where)
    return None


async def _names_itself(app: SettledApp, name: str = "") -> bool:
    """Ask what a player is called on servers; whether there was an answer."""

    def read(typed: str) -> bool:
        app.change_settings(name=check_name(typed) if typed.strip() else "")
        return True

    name = name or app.settings.name or app.settings.names.partition(",")[0]
    return bool(await app.push_screen_wait(InputPanel(NAME_QUESTION, name, read)))


async def enter(app: SettledApp, where: "Address") -> "RemoteMatch":
    """Take a seat, or the one that was taken before; without any, watch."""
    from evenodds.client.remote_match import connect_to_match

    return await in_thread(partial(connect_to_match, where, app.settings.name))
