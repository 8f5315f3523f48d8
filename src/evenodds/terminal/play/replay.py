"""Text replay of a recorded match, round by round, in the words of its game."""

from evenodds.core.match import Match
from evenodds.render import narration
from evenodds.terminal.screen import Screen


def replay_lines(match: Match, screen: Screen) -> None:
    """The whole dialog of a match, with its boards on a terminal."""
    terms, names, words = match.terms, match.names, match.game.words
    date = f", {terms.date}" if terms.date else ""
    screen.say(f"{match.terms.title}{date}")
    screen.say("", *words.opening(match.states[0], names))
    for round, picks in enumerate(match.history, 1):
        before, after = match.states[round - 1 : round + 1]
        screen.say(*words.heading(before, round, names))
        screen.say(*words.reveal(before, picks, after, names))
        if screen.styled:
            screen.draw([[], *words.board(after, names)])
    screen.say(*ending_lines(match))


def ending_lines(match: Match) -> list[str]:
    """How a match ended, or that it has not."""
    result = match.result
    if result is None:
        waiting = " and ".join(match.names[seat] for seat in match.waiting())
        return ["", f"The match is not over. To pick: {waiting}."]
    return [*([] if result.reason == "rules" else [""]), *narration.describe_ending(match, result)]
