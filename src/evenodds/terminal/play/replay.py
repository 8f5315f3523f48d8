"""Text replay of a recorded match, round by round, in the words of its game."""

from evenodds.core.match import Match
from evenodds.core.words import Names
from evenodds.figures import join_words
from evenodds.players.profiles import names_in_record
from evenodds.render import narration
from evenodds.terminal.screen import Screen


def replay_lines(match: Match, screen: Screen) -> None:
    """The whole dialog of a match; with its boards where it is told to who played a computer."""
    terms, words, names = match.terms, match.game.words, names_in_record(match.terms)
    personal = names.you is not None
    names = names if personal else match.names
    screen.say(f"{terms.title_for(names)}{f', {terms.date}' if terms.date else ''}")
    if not personal:
        screen.say("", *words.opening(match.states[0], names))
    screen.say(*narration.tell_luck(match, 0, names))
    for round, picks in enumerate(match.history, 1):
        before, after = match.states[round - 1 : round + 1]
        if personal:
            step = f"{match.game.round_word.capitalize()} {round}"
            screen.say("", step, narration.tell_round(match, round, names), "")
            screen.draw(words.board(after, names))
        else:
            screen.say(*words.heading(before, round, names))
            screen.say(*words.reveal(before, picks, after, names))
            screen.say(*narration.tell_luck(match, round, names))
    if personal and match.result:
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
