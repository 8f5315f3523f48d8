"""Tables as dialogs at this keyboard, and the exit code that each gives."""

from typing import Final

from evenodds.core.match import Match
from evenodds.core.terms import Terms
from evenodds.players.player import Unavailable
from evenodds.system import EXIT_INTERRUPTED
from evenodds.table.local import LocalTable
from evenodds.table.saved_matches import MatchFile
from evenodds.table.table import SessionOptions, Table
from evenodds.terminal.keyboard import Keyboard
from evenodds.terminal.play.dialog import Dialog, QuitMatch
from evenodds.terminal.progress_bar import progress_bar
from evenodds.terminal.screen import Screen

EXIT_FINISHED: Final = 0
EXIT_INPUT_ENDED: Final = 1
EXIT_PLAYER_UNAVAILABLE: Final = 1


class Session:
    """What is played at this keyboard."""

    def __init__(self, options: SessionOptions) -> None:
        self.options = options
        self.screen = Screen(bars=False)
        self.keyboard = Keyboard(self.screen)

    def play(self, match: Terms | Match, match_file: MatchFile | None = None) -> int:
        """Play a match on these terms, or a saved one; the exit code."""
        return self.sit(LocalTable(self.options, match, match_file))

    def sit(self, table: Table) -> int:
        """Play or watch match after match, beginning at a table; the exit code."""
        exit_code = EXIT_FINISHED
        following: Table | None = table
        with self.keyboard.restoring_terminal():
            try:
                while following:
                    table = following
                    dialog = Dialog(table, self.keyboard, self.options.pace_s or 0.0)
                    with progress_bar(bars=False) as progress:
                        table.start(progress)
                    dialog.run()
                    following = dialog.rematch()
            except QuitMatch:
                pass
            except EOFError:
                exit_code = EXIT_INPUT_ENDED
            except KeyboardInterrupt:
                exit_code = EXIT_INTERRUPTED
                self.screen.say("")
            except Unavailable:
                exit_code = EXIT_PLAYER_UNAVAILABLE
                dialog.tell()
            except BaseException:
                table.leave()
                raise
            self.screen.say(*table.leave())
        return EXIT_FINISHED if table.match.result else exit_code
