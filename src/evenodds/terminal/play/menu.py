"""The interactive menu: choice of a game or of an open match."""

from typing import Final, NamedTuple, Protocol

from evenodds.core import catalog
from evenodds.core.catalog import AnyGame
from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.players.profiles import profile
from evenodds.players.registry import is_built_in_player
from evenodds.terminal.play.session import EXIT_FINISHED, EXIT_INPUT_ENDED, NextAction, Session
from evenodds.terminal.play.terms_menu import (
    MenuBack,
    MenuQuit,
    ask,
    choose_terms,
    parse_opponent,
    toss_coin,
    with_opponent,
)
from evenodds.terminal.reports.lists import show_games, show_matches
from evenodds.terminal.storage.matches import MatchFile, SavedMatch, saved_matches

MENU_TITLE: Final = "Even Odds: number games for two people, or for you and the computer"
MAX_OFFERED_MATCHES: Final = 5
"""Open matches that the menu lists, at most."""


class TermsRequest(Protocol):
    """Options of a match that are given before its game is chosen."""

    @property
    def first(self) -> str | None:
        """Who goes first: a place, `coin`, or nothing said."""

    def terms(self, game: AnyGame) -> Terms:
        """The terms of a match of a game; `BadTerms` for an option that does not fit it."""

    def for_any_game(self) -> "TermsRequest":
        """The options that hold for every game."""


def play_game(session: Session, game: AnyGame, options: TermsRequest) -> int:
    """Play matches of one game, then from the menu if wanted; the exit code."""
    terms = _terms(session, game, options)
    return _continue_from_menu(session, session.play(terms), options.for_any_game())


def resume_match(
    session: Session, match: Match, match_file: MatchFile, options: TermsRequest
) -> int:
    """Play a saved match, then from the menu if wanted; the exit code."""
    played = session.play(match.terms, (match, match_file))
    return _continue_from_menu(session, played, options)


def _continue_from_menu(
    session: Session, played: tuple[int, NextAction, Terms], options: TermsRequest
) -> int:
    """Continue from the menu with the same players if another game is wanted; the exit code."""
    status, following, terms = played
    return play_from_menu(session, options, terms) if following is NextAction.OTHER else status


def play_from_menu(session: Session, options: TermsRequest, last: Terms | None = None) -> int:
    """Play games from the menu until the player quits; the exit code."""
    try:
        while True:
            try:
                played = _play_choice(session, options, last)
            except MenuBack:
                continue
            status, following, last = played
            if following is not NextAction.OTHER:
                return status
            options = options.for_any_game()
    except MenuQuit:
        return EXIT_FINISHED
    except EOFError:
        return EXIT_FINISHED if last else EXIT_INPUT_ENDED


def _play_choice(
    session: Session, options: TermsRequest, last: Terms | None
) -> tuple[int, NextAction, Terms]:
    """Play the open match or the game that is chosen."""
    game, opponent, id = choose_game(session)
    if game is None:
        match_file = MatchFile(id)
        match, fault = match_file.load()
        session.screen.say(*filter(None, [fault]))
        return session.play(match.terms, (match, match_file))
    terms = _keep_players(_terms(session, game, options), last)
    if opponent is not None:
        terms = with_opponent(terms, opponent)
    return session.play(choose_terms(session, terms))


def _keep_players(terms: Terms, last: Terms | None) -> Terms:
    """The terms with the players of the last game, and their names if they have chosen any."""
    if last is None:
        return terms
    players = last.players if last.named else terms.players
    return terms._replace(players=players, computers=last.computers)


def _terms(session: Session, game: AnyGame, options: TermsRequest) -> Terms:
    terms = options.terms(game)
    if options.first == "coin":
        return terms._replace(first=toss_coin(session, terms))
    return terms


class MenuChoice(NamedTuple):
    """A game, and perhaps an opponent; or without a game the ID of an open match."""

    game: AnyGame | None
    opponent: str | None = None
    id: str = ""


def choose_game(session: Session) -> MenuChoice:
    """A game by its number or name, or an open match by its ID; `MenuQuit` to leave."""
    games = catalog.list_games()
    open_matches = _open_matches()
    session.screen.say("", MENU_TITLE, "", *games.faults)
    show_games({str(place): game for place, game in enumerate(games, 1)}, session.screen)
    if open_matches:
        session.screen.say("", "Your open matches:")
        show_matches(open_matches, session.screen)
    session.screen.say("")
    or_id = ", the ID of an open match" if open_matches else ""
    help = (
        f"Type a number from 1 to {len(games)}, the name of a game such as {games[0].name}{or_id}, "
        "vs to play the computer, or quit."
    )
    opponent: str | None = None
    while True:
        try:
            answer = ask(session, f"Which game? (1-{len(games)}, ? or quit)", help).lower()
        except MenuBack:
            session.screen.say("This is the first question; there is nothing to go back to.")
            continue
        for place, game in enumerate(games, 1):
            if answer in (str(place), game.name, game.title.lower()):
                return MenuChoice(game, opponent)
        if any(saved.id == answer for saved in open_matches):
            return MenuChoice(None, id=answer)
        if answer.split()[:1] == ["vs"] and (named := parse_opponent(answer)) is not None:
            opponent = named
            who = profile(named).name if named else "another person"
            session.screen.say(f"You will play against {who}.")
        else:
            session.screen.say(help)


def _open_matches() -> list[SavedMatch]:
    """The open matches played last whose opponents are built in."""
    return [
        saved
        for saved in saved_matches()[0]
        if saved.match.result is None
        and all(is_built_in_player(name) for name in saved.match.terms.computers if name)
    ][:MAX_OFFERED_MATCHES]
