"""Render modes of the environments: text, or an RGB image of the board."""

import sys
from typing import Any, Final

from evenodds.adapters.board_image import IMAGE_COLUMNS, Image, render_board_image
from evenodds.adapters.episode import Episode
from evenodds.core.board import SEAT_STYLES, Board, Line, Span, plain_text
from evenodds.core.terms import BadTerms
from evenodds.core.vocabulary import PASS
from evenodds.render import narration
from evenodds.system.text import shorten, wrapped

RENDER_MODES: Final = ("ansi", "human", "rgb_array")
RENDER_METADATA: Final[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}
SPARE_LINES: Final = 2
"""Lines by which a board may grow in an image, whose size is fixed."""
ENDING_LINES: Final = 2
LINES_BELOW_BOARD: Final = 1 + ENDING_LINES
"""Lines below the board in an image: the last picks, and how the match ended."""


def check_mode(mode: str | None) -> str | None:
    """A known render mode or None, else `BadTerms`."""
    if mode is not None and mode not in RENDER_MODES:
        allowed = ", ".join(RENDER_MODES)
        raise BadTerms(f"render_mode={shorten(mode)} is not allowed; allowed: {allowed}")
    return mode


def render_episode(episode: Episode, mode: str | None) -> Any:
    """The match in a mode: a text, an image, or None for `human`, which prints it."""
    if mode == "rgb_array":
        return _render_image(episode)
    if mode == "ansi":
        return as_text(episode)
    if mode == "human":
        sys.stdout.write(as_text(episode) + "\n")
        sys.stdout.flush()
    return None


def as_text(episode: Episode) -> str:
    """The text of the last round, the board, and the ending; it holds no secret pick."""
    match = episode.match
    board = map(plain_text, match.game.words.board(match.state, match.names))
    parts = (narration.describe_rounds(match), board, _ending(episode))
    return "\n\n".join(text for part in parts if (text := "\n".join(part))) + "\n"


def _ending(episode: Episode) -> list[str]:
    """How the match ended, and what was wrong with a pick that ended it."""
    match = episode.match
    lines = [f"{match.names[seat]}: {why}" for seat, why in episode.illegal.items()]
    if match.result is not None:
        lines += narration.nonempty_ending_lines(match, match.result)
    elif episode.truncated:
        lines += [f"The match is cut off after {len(match.history)} rounds."]
    return lines


def _render_image(episode: Episode) -> Image:
    """The board, the last picks, and how it ended."""
    match = episode.match
    height = len(match.game.words.board(match.states[0], match.names)) + SPARE_LINES
    board: Board = match.game.words.board(match.state, match.names)[:height]
    board = board + [[]] * (height - len(board))
    lines = [part for line in _ending(episode) for part in wrapped(line, IMAGE_COLUMNS)]
    board += [_last_picks(episode), *([Span(line, "strong")] for line in lines[:ENDING_LINES])]
    return render_board_image(board, height + LINES_BELOW_BOARD)


def _last_picks(episode: Episode) -> Line:
    match = episode.match
    line: Line = []
    for seat, name in match.names.listed():
        if match.history and match.history[-1][seat] != PASS:
            line += [Span(f"{name} picked {match.history[-1][seat]}  ", SEAT_STYLES[seat])]
    return line
