"""The menu of the dialog: choice of a game, or of an open match, and of an opponent."""

from contextlib import suppress
from typing import Final

from evenodds.claims.fixed_outcome import decided_lines, lively_variant
from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.rulings import format_rulings, ruling_texts
from evenodds.core.terms import Terms
from evenodds.figures import join_words
from evenodds.players.profiles import describe_opponents, profile
from evenodds.players.registry import (
    DEFAULT_OPPONENT,
    is_built_in_player,
    opponent_names,
    registered_name,
)
from evenodds.system.text import shorten
from evenodds.table.play_options import PlayOptions
from evenodds.table.saved_matches import MatchFile, is_resumable, saved_matches
from evenodds.table.table import Action
from evenodds.terminal.play.dialog import QuitMatch, parse_command
from evenodds.terminal.play.session import EXIT_FINISHED, EXIT_INPUT_ENDED, Session
from evenodds.terminal.reports.lists import show_games, show_matches

MENU_TITLE: Final = "Even Odds: number games for two people, or for you and the computer"
MAX_OFFERED_MATCHES: Final = 5
"""Open matches that the menu lists, at most."""
HUMAN_PLAYER: Final = "person"
TERMS_QUESTION: Final = "Press Enter to play, or type vs for the computer:"
TERMS_HELP: Final = (
    "Press Enter to play. Or type vs and an opponent, rules (to read them), back or quit. To "
    "change the rules, start with: evenodds play GAME --rule NAME=VALUE"
)


class _Back(Exception):
    """The player wants to go back to the question before."""


def play_game(session: Session, game: AnyGame, options: PlayOptions) -> int:
    """Play a match of a game; the exit code."""
    return session.play(_terms(session, game, options))


def play_from_menu(session: Session, options: PlayOptions) -> int:
    """Play the game or the open match that is chosen; the exit code."""
    try:
        while True:
            chosen, opponent = _choose_game(session)
            if isinstance(chosen, str):
                match_file = MatchFile(chosen)
                match, fault = match_file.load()
                session.screen.say(*filter(None, [fault]))
                return session.play(match, match_file)
            terms = _with_opponent(_terms(session, chosen, options), opponent)
            with suppress(_Back):
                return session.play(_choose_terms(session, terms))
    except QuitMatch:
        return EXIT_FINISHED
    except EOFError:
        return EXIT_INPUT_ENDED


def _terms(session: Session, game: AnyGame, options: PlayOptions) -> Terms:
    terms = options.terms(game)
    if options.first != "coin":
        return terms
    first = session.options.rng.choice((1, 2))
    session.screen.say(f"Coin toss: {terms.players[first - 1]} goes first.")
    return terms._replace(first=first)


def _choose_game(session: Session) -> tuple[AnyGame | str, str | None]:
    """A game by its number or name, and perhaps an opponent; or an open match by its ID."""
    games = catalog.list_games()
    resumable = [saved for saved in saved_matches()[0] if is_resumable(saved.match)]
    open_matches = resumable[:MAX_OFFERED_MATCHES]
    session.screen.say("", MENU_TITLE, "", *games.faults)
    show_games({str(place): game for place, game in enumerate(games, 1)}, session.screen)
    if open_matches:
        session.screen.say("", "Your open matches:")
        show_matches(open_matches, session.screen)
    session.screen.say("")
    or_id = ", the ID of an open match" if open_matches else ""
    help = (
        f"Type a number from 1 to {len(games)}, the name of a game such as {games[0].name}{or_id}, "
        f"vs to play the computer, or both: {games[0].name} vs level:2. Or type quit."
    )
    opponent: str | None = None
    while True:
        try:
            answer = _ask(session, f"Which game? (1-{len(games)}, ? or quit)", help).lower()
        except _Back:
            session.screen.say("This is the first question; there is nothing to go back to.")
            continue
        answer, vs, who = (word.strip() for word in f" {answer} ".partition(" vs "))
        named = _parse_opponent(f"vs {who}".strip()) if vs else opponent
        if vs and named is None:
            session.screen.say(_no_opponent(who))
            continue
        for place, game in enumerate(games, 1):
            if answer in (str(place), game.name, game.title.lower()):
                return game, named
        if any(saved.id == answer for saved in open_matches) and not vs:
            return answer, None
        if vs and not answer:
            opponent = named
            shown = profile(opponent).name if opponent else "another person"
            session.screen.say(f"You will play against {shown}.")
        else:
            session.screen.say(help)


def _choose_terms(session: Session, terms: Terms) -> Terms:
    """Show the terms, and let the player choose an opponent until they are accepted."""
    while True:
        lively = lively_variant(terms.game, terms.rulings)
        session.screen.say("", _describe_terms(terms), *_opponent_lines(terms))
        session.screen.say(*decided_lines(terms, "type lively for livelier rules"))
        answer = _ask(session, TERMS_QUESTION, TERMS_HELP)
        if answer == "":
            return terms
        if answer == "lively" and lively is not None:
            terms = terms._replace(rulings=lively)
        elif answer == "rules":
            session.screen.show_rules(terms.game, terms.rulings)
        elif (name := _parse_opponent(answer)) is not None:
            terms = _with_opponent(terms, name)
        elif answer.startswith("vs "):
            session.screen.say(_no_opponent(answer.removeprefix("vs ")))
        else:
            session.screen.say(TERMS_HELP)


def _with_opponent(terms: Terms, name: str | None) -> Terms:
    """The terms with a computer, or for an empty name a person, opposite the player."""
    if name is None:
        return terms
    return terms._replace(computers=(name, "") if terms.computers[0] else ("", name))


def _opponent_lines(terms: Terms) -> list[str]:
    """How the computers play; where two people would play, how to play the computer."""
    return describe_opponents(terms) or [
        f"Two people play. To play the computer, type vs ({profile(DEFAULT_OPPONENT).name}), or vs "
        f"with an opponent, such as: vs random. Opponents: {join_words(opponent_names())}."
    ]


def _parse_opponent(answer: str) -> str | None:
    """The opponent that an answer names, empty for a person; None if it names none."""
    name = DEFAULT_OPPONENT if answer == "vs" else registered_name(answer.removeprefix("vs "))
    if name == HUMAN_PLAYER:
        return ""
    return name if is_built_in_player(name) else None


def _no_opponent(name: str) -> str:
    opponents = join_words([*opponent_names(), HUMAN_PLAYER])
    return f'There is no opponent called "{shorten(name)}". Opponents: {opponents}.'


def _describe_terms(terms: Terms) -> str:
    """The changed rulings, who begins and which players are computers, in one line."""
    changed = format_rulings(ruling_texts(terms.rulings, changed_only=True))
    rulings = f"With {changed}" if changed else "Rules by the book"
    begins = [] if terms.game.simultaneous else [f"{terms.names[0]} begins"]
    computers = [
        f"{name} is {profile(computer).name}"
        for name, computer in zip(terms.players, terms.computers, strict=True)
        if computer
    ]
    return "; ".join([rulings, *begins, *computers])


def _ask(session: Session, question: str, help: str) -> str:
    """The answer to a question; `?` shows the help, `back` and `quit` leave the question."""
    while True:
        answer = session.keyboard.read(question).strip()
        match parse_command(answer, ("?", "back", Action.QUIT)):
            case "":
                return answer
            case "?":
                session.screen.say(help)
            case "back":
                raise _Back
            case _:
                raise QuitMatch
