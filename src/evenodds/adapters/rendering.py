"""Render modes of the environments: text, returned or printed."""

import sys
from typing import Any, Final

from evenodds.adapters.episode import Episode
from evenodds.core.board import plain_text
from evenodds.core.terms import BadTerms
from evenodds.render import narration
from evenodds.system.text import shorten

RENDER_MODES: Final = ("ansi", "human")
RENDER_METADATA: Final[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}


def check_mode(mode: str | None) -> str | None:
    """A known render mode or None, else `BadTerms`."""
    if mode is not None and mode not in RENDER_MODES:
        allowed = ", ".join(RENDER_MODES)
        raise BadTerms(f"render_mode={shorten(mode)} is not allowed; allowed: {allowed}")
    return mode


def render_episode(episode: Episode, mode: str | None) -> str | None:
    """The match as a text, or None for `human`, which prints it."""
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
