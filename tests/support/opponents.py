"""The inner parts of players in one place, because a pick does not tell how it was found."""

from evenodds.players.levels import DEFAULT_LADDER, MixPlayer, ladder_of, level_policy
from evenodds.players.profiles import names_for_reader, names_in_record, profile
from evenodds.players.program_player import BadProgramAnswer, ProgramPlayer, parse_answer
from evenodds.players.program_process import OutputCounter, OutputLimitExceeded
from evenodds.players.reader import memory
from evenodds.players.reader.habits import HABITS, ObservedPick, OpponentModel, Situation
from evenodds.players.reader.memory import ReaderMemory
from evenodds.players.reader.reader_player import MAX_EXPLOITABILITY, ReaderPlayer
from evenodds.players.registry import BUILT_IN_PLAYERS, opponent, registered_name
from evenodds.players.search_player import SearchPlayer, SearchTree, limit_of
