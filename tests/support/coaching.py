"""The inner parts of the coach in one place, because pages show figures rounded."""

from evenodds.coach.pick_values import RepetitionPicks, evaluate_picks, expected_score_of
from evenodds.coach.puzzles import all_puzzles, find_puzzles, nearest_puzzle, puzzle_at
from evenodds.coach.reasons import explain_picks, hint, refutation
from evenodds.coach.review import Review, TurningPoint, review
from evenodds.coach.review_text import *
from evenodds.coach.training import TrainingProgress, TrainingProgressFile
from evenodds.figures import percent
from evenodds.system.text import display_width, wrapped
