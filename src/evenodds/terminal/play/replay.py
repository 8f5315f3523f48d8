"""Text replay of a recorded match, round by round, in the words of its game."""

from evenodds.core.match import Match
from evenodds.core.words import Names
from evenodds.figures import join_words
from evenodds.players.profiles import names_in_record
from evenodds.render import narration
from evenodds.terminal.screen import Screen


def replay_lines(match: Match, screen: Screen) -> None:
    """The whole dialog of a match; with its boards where it is told to who played a computer."""
    terms, names, words = match.terms, match.names, match.game.words
    date = f", {terms.date}" if terms.date else ""
    reader = names_in_record(terms)
    if reader.you is not None:
        screen.say(f"{terms.title_for(reader)}{date}")
        _replay_to_player(match, reader, screen)
        return
    screen.say(f"{terms.title_for(names)}{date}")
    screen.say("", *words.opening(match.states[0], names))
    for round, picks in enumerate(match.history, 1):
        before, after = match.states[round - 1 : round + 1]
        screen.say(*words.heading(before, round, names))
        screen.say(*words.reveal(before, picks, after, names))
    screen.say(*ending_lines(match))


def _replay_to_player(match: Match, names: Names, screen: Screen) -> None:
    for round, after in enumerate(match.states[1:], 1):
        step = f"{match.game.round_word.capitalize()} {round}"
        screen.say("", step, narration.tell_round(match, round, names), "")
        screen.draw(match.game.words.board(after, names))
    if match.result:
        screen.say("", narration.tell_ending(match, match.result, names))
    else:
        screen.say(*ending_lines(match, names))


def ending_lines(match: Match, names: Names | None = None) -> list[str]:
    """How a match ended, or that it has not."""
    result = match.result
    if result is None:
        waiting = join_words([(names or match.names).inside(seat) for seat in match.waiting()])
        return ["", f"The match is not over. Next to pick: {waiting}."]
    return [*([] if result.reason == "rules" else [""]), *narration.describe_ending(match, result)]
