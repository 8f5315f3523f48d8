"""The menu's questions about a match: rulings, who begins, names and players."""

from collections.abc import Callable
from typing import Final, TypeVar

from evenodds.claims.fixed_outcome import decided_lines, lively_variant
from evenodds.core.rulings import Option, format_rulings, ruling_texts
from evenodds.core.terms import BadTerms, Terms, check_players, check_repetition
from evenodds.figures.formatting import join_words
from evenodds.players.profiles import profile
from evenodds.players.registry import (
    DEFAULT_OPPONENT,
    is_built_in_player,
    opponent_names,
    registered_name,
)
from evenodds.system.text import parse_whole, shorten
from evenodds.terminal.play.session import Session
from evenodds.terminal.reports.rules import show_rules

HUMAN_PLAYER: Final = "person"
ANSWER_HELP: Final = (
    "Type one of the values in parentheses. Enter keeps the one in brackets, back changes "
    "nothing, and quit leaves."
)
TERMS_QUESTION: Final = "Press Enter to play, vs for the computer, or type change:"
TERMS_HELP: Final = (
    "Press Enter to play. Or type vs and an opponent, change (the rules, names and players), rules "
    "(to read them), back or quit."
)

ParsedAnswer = TypeVar("ParsedAnswer")


class MenuQuit(Exception):
    """The player has quit the menu."""


class MenuBack(Exception):
    """The player wants to go back to the question before."""


def choose_terms(session: Session, terms: Terms) -> Terms:
    """Show the terms, and let the player change them until they are accepted."""
    while True:
        lively = lively_variant(terms.game, terms.rulings)
        offer = [] if lively is None else ["Type lively to play with that rule."]
        session.screen.say("", describe_terms(terms), *_opponent_lines(terms))
        session.screen.say(*decided_lines(terms), *offer)
        answer = ask(session, TERMS_QUESTION, TERMS_HELP)
        if answer == "":
            return terms
        if answer == "change":
            try:
                terms = _ask_terms(session, terms)
            except MenuBack:
                session.screen.say("Nothing is changed.")
        elif answer == "lively" and lively is not None:
            terms = terms._replace(rulings=lively)
        elif answer == "rules":
            show_rules(terms.game, session.screen, terms.rulings)
        elif (name := parse_opponent(answer)) is not None:
            terms = with_opponent(terms, name)
        else:
            session.screen.say(TERMS_HELP)


def with_opponent(terms: Terms, name: str) -> Terms:
    """The terms with a computer, or nobody, opposite the player."""
    return terms._replace(computers=(name, "") if terms.computers[0] else ("", name))


def _opponent_lines(terms: Terms) -> list[str]:
    """How the computers play; where two people would play, how to play the computer."""
    if any(terms.computers):
        profiles = dict.fromkeys(map(profile, filter(None, terms.computers)))
        return [f"{computer.name}: {computer.line}" for computer in profiles]
    return [
        f"Two people play. To play the computer, type vs for {DEFAULT_OPPONENT}, or vs and a name: "
        f"{join_words(opponent_names(), 'or')}."
    ]


def parse_opponent(answer: str) -> str | None:
    """The opponent that an answer names, empty for a person; None if it names none."""
    name = DEFAULT_OPPONENT if answer == "vs" else registered_name(answer.removeprefix("vs "))
    if name == HUMAN_PLAYER:
        return ""
    return name if is_built_in_player(name) else None


def describe_terms(terms: Terms) -> str:
    """The rulings, who begins and which players are computers, in one line."""
    rulings = format_rulings(ruling_texts(terms.rulings))
    begins = [] if terms.game.simultaneous else [f"{terms.names[0]} begins"]
    computers = [
        f"{name} is {profile(computer).name}"
        for name, computer in zip(terms.players, terms.computers, strict=True)
        if computer
    ]
    return "; ".join([rulings, *begins, *computers])


def _ask_terms(session: Session, terms: Terms) -> Terms:
    """Ask for each ruling, then who begins and who plays; Enter keeps the current value."""
    settled: dict[str, int] = {}
    for key, option in terms.game.options.items():
        current = option.nearest(getattr(terms.rulings, key), settled)
        settled[key] = _ask_ruling(session, key, option, current, settled)
    terms = terms._replace(rulings=terms.game.rulings(**settled))
    if not terms.game.simultaneous:
        terms = terms._replace(first=_ask_first(session, terms))
    if terms.game.loops:
        question = "How often must a position occur for a draw? (2 to 9, 0 for never)"
        times = _ask_until(session, question, str(terms.repetition), _read_repetition)
        terms = terms._replace(repetition=times)
    names = _ask_until(
        session,
        "Names of the players, separated by a comma",
        ",".join(terms.players),
        lambda text: check_players(tuple(text.split(","))),
    )
    terms = terms._replace(players=names)
    computers = (_ask_player(session, terms, 0), _ask_player(session, terms, 1))
    return terms._replace(computers=computers)


def _read_repetition(text: str) -> int:
    times = parse_whole(text)
    return check_repetition(-1 if times is None else times)


def _ask_ruling(
    session: Session, key: str, option: Option, current: int, settled: dict[str, int]
) -> int:
    """A ruling's value; Enter keeps the current one."""

    def read(text: str) -> int:
        value = option.read(option.typed(text), settled)
        if value is None:
            raise BadTerms(
                f"{key}={shorten(text)} is not allowed; allowed: {option.allowed(settled)}"
            )
        return value

    question = f"{key}: {option.about} ({option.allowed(settled)})"
    return _ask_until(session, question, option.show(current), read)


def _ask_first(session: Session, terms: Terms) -> int:
    def read(text: str) -> int:
        if text == "coin":
            return toss_coin(session, terms)
        if text not in ("1", "2"):
            raise BadTerms(f"first={shorten(text)} is not allowed; allowed: 1, 2 or coin")
        return int(text)

    return _ask_until(session, "Who goes first? (1, 2 or coin)", str(terms.first), read)


def toss_coin(session: Session, terms: Terms) -> int:
    """Decide by a coin who begins, and say so."""
    first = session.rng.choice((1, 2))
    session.screen.say(f"Coin toss: {terms.players[first - 1]} goes first.")
    return first


def _ask_player(session: Session, terms: Terms, place: int) -> str:
    def read(text: str) -> str:
        text = registered_name(text)
        stands = terms.computers[place]  # a program that was named on the command line may stay
        if text not in (HUMAN_PLAYER, stands) and not is_built_in_player(text):
            raise BadTerms(f"{shorten(text)} is not allowed; allowed: {allowed}")
        return "" if text == HUMAN_PLAYER else text

    allowed = join_words([HUMAN_PLAYER, *opponent_names()], "or")
    question = f"Who plays for {terms.players[place]}? ({allowed})"
    return _ask_until(session, question, terms.computers[place] or HUMAN_PLAYER, read)


def _ask_until(
    session: Session, question: str, current: str, read: Callable[[str], ParsedAnswer]
) -> ParsedAnswer:
    """Ask until the answer is valid; Enter gives the current one."""
    while True:
        try:
            return read(ask(session, f"{question} [{current}]:", ANSWER_HELP) or current)
        except BadTerms as error:
            session.screen.say(f"{error}.")


def ask(session: Session, question: str, help: str) -> str:
    """The answer to a question; `?` shows the help, `back` and `quit` leave the question."""
    while True:
        answer = session.keyboard.read(question).strip()
        word = answer.lower()
        if word in ("q", "quit", "exit"):
            raise MenuQuit
        if word == "back":
            raise MenuBack
        if word not in ("?", "help"):
            return answer
        session.screen.say(help)
