"""Mistakes in a game, each found with its place and said in a line."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

from evenodds.authoring.check import check_game
from evenodds.authoring.findings import load_finding
from evenodds.authoring.new import QUESTIONS, make_folder
from evenodds.core import catalog
from evenodds.core.game_folder import load
from evenodds.core.rule_checks import BadGame

TABLE: Final = r"""
no Python | pool | rules.py
- def legal(state, seat):
+ def legal(state, seat:
= rules.py:41:10: '(' was never closed
a function is missing | pool | rules.py
- def ending(
+ def ended(
= rules.py: TypeError: the rules have no ending
a name that is not there | pool | rules.py
- exchange(State)
+ exchnage(State)
= rules.py:72:10: NameError: name 'exchnage' is not defined
a start that never returns | pool | rules.py
- def start(rulings):
+ def start(rulings):\n    while True:\n        pass
= rules.py:37:5: does not return: stopped after 2,000,000 steps, in start, line 37 of rules.py
no limits | pool | rules.py
- Annotated[int, Whole(1, 9, "how many counters there are at first")]
+ int
= rules.py:20:5: the ruling heap must be declared as Annotated[int, Whole(...)] or a Choice
beyond its limits | pool | rules.py
- = 9
+ = 90
= rules.py:20:5: heap=90 (the default) is not allowed; allowed: 1 to 9
no game | pool | rules.py
- mirror =
+ GAME = 3\nmirror =
= rules.py:72:1: GAME is 3, which is no Game
a list | pool | rules.py
- rulings.heap, 0)
+ [rulings.heap], 0)
= rules.py:36:5: start gives no named tuple of the rulings and whole numbers, or pairs of them, at heap=[9] lead=0
over at once | pool | rules.py
- rulings.heap, 0)
+ 0, 0)
= rules.py:36:5: start is over before anybody has picked, at heap=0 lead=0
no legal pick | turns pool | rules.py
- state.rulings.most, state.heap)
+ state.rulings.most, state.heap - 1)
= rules.py:41:5: legal of seat 1 is empty; a seat with no pick has NOTHING, at heap=1 turn=1
nobody's turn | turns pool | rules.py
- seat != state.turn:
+ seat != state.turn or state.heap == 4:
= rules.py:41:5: legal leaves nobody a pick while the match is open, at heap=4 turn=0
two turns | turns pool | rules.py
- seat != state.turn:
+ seat != state.turn and state.heap > 3:
= rules.py:41:5: legal lets both seats pick, but simultaneous is False, at heap=3 turn=0
PASS beside numbers | pool | rules.py
- hand(state.rulings.most)
+ hand(state.rulings.most) | 1
= rules.py:41:5: legal of seat 0 holds PASS beside numbers, at heap=9 lead=0
no set | pool | rules.py
- return hand(state.rulings.most)
+ return range(1, 4)
= rules.py:41:5: legal of seat 0 is range(1, 4), which is no set of numbers, at heap=9 lead=0
another type | pool | rules.py
- return State(state.rulings, left
+ return (state.rulings, left
= rules.py:55:5: step with picks (1, 1) gives no State: (Rulings(heap=9, most=3), 7, 0), at heap=9 lead=0
other parts | pool | rules.py
- state.lead + won(state, picks)
+ (state.lead, 0)
= rules.py:55:5: step with picks (1, 1) gives a position of other parts than the first, or of other rulings: State(rulings=Rulings(heap=9, most=3), heap=7, lead=(0, 0)), at heap=9 lead=0
a step that fails | pool | rules.py
- state.rulings, left,
+ state.rulings, left + 0 // (left - 4),
= rules.py:57:40: step fails with ZeroDivisionError: integer division or modulo by zero, with picks (2, 3), at heap=9 lead=0
chance in a step | pool | rules.py
- state.rulings, left,
+ state.rulings, left ^ __import__('random').getrandbits(9),
= rules.py:55:5: step with picks (1, 1) gives another position the second time, at heap=9 lead=0
a step that never returns | pool | rules.py
-     left = max
+     while state.heap == 5:\n        pass\n    left = max
= rules.py:57:9: step does not return: stopped after 2,000,000 steps, in step, line 57 of rules.py, with picks (1, 1), at heap=5 lead=-4
no outcome | pool | rules.py
- return decided(state.lead)
+ return 3
= rules.py:66:5: outcome is 3, which is none, at heap=0 lead=3
an ending too early | pool | rules.py
- if ending(state) == Ending.OPEN
+ if state.heap > 2
= rules.py:61:5: ending is <Ending.OPEN: 0> where the outcome is FIRST_WINS; it is 0 while a match is open, and above 0 when it is over, at heap=2 lead=5
the same again | turns pool | rules.py
- state.heap - picks[state.turn]
+ state.heap
= rules.py:48:5: step can repeat positions; it must declare loops=True, a folder `loops = True` in rules.py, at heap=9 turn=0
no mirror | pool | rules.py
- (ahead > 0) - (ahead < 0)
+ (ahead >= 0) - (ahead < 0)
= rules.py:72:1: mirror does not hold: picks (1, 1) and the same exchanged lead to heap=7 lead=2 and heap=7 lead=2, at heap=9 lead=0
a favoured seat | pool | rules.py
- rulings.heap, 0)
+ rulings.heap, 1)
= rules.py:72:1: mirror favours a seat: it gives another position, at heap=9 lead=1
not alike | pool points dice | rules.py
- reward = won
+ @rule\ndef canonical(state):\n    return State(state.rulings, min(1, state.heap), state.die)\n\n\nreward = won
= rules.py:83:5: canonical does not hold: picks (1, 1) here and (1, 1) there lead to what is not alike, at heap=9 die=1
a bound too low | pool | rules.py
- mirror =
+ def bound(rulings):\n    return 5\n\n\nmirror =
= rules.py:72:5: bound is 5, but there are 33 open positions
a bound in words | pool | rules.py
- mirror =
+ def bound(rulings):\n    return 'many'\n\n\nmirror =
= rules.py:72:5: bound is 'many', which is no number of positions, at heap=9 most=3
longer than said | pool | rules.py
- (rulings.heap + 1) // 2
+ 2
= rules.py:75:5: longest is 2, but a match has 3 rounds, at heap=0 lead=1
shorter than said | pool | rules.py
- (rulings.heap + 1) // 2
+ rulings.heap
= rules.py:75:5: longest is 9, but no match has more than 5 rounds
loops that are none | pool | rules.py
- mirror =
+ loops = True\nmirror =
= rules.py:72:1: loops is True, but no position can come up twice
weights | pool points dice | rules.py
- reward = won
+ @rule\ndef weight(state, number):\n    return 1 / 3\n\n\nreward = won
= rules.py:83:5: weight of 1 is 0.3333333333333333; it is a whole number from 1 to 1,000,000, at heap=9 die=0
chance beside picks | pool points dice | rules.py
- if state.die == 0:\n        return NOTHING\n    return hand(state.die)
+ return hand(2)
= rules.py:40:5: chance draws a number where somebody picks, at heap=9 die=0
half a point | pool points dice | rules.py
-         return 0\n
+         return 0.5\n
= rules.py:82:1: reward of picks (1, 0) is 0.5; it is a whole number from -1,000,000,000 to 1,000,000,000, at heap=9 die=0
points and loops | pool points dice | rules.py
- reward = won
+ loops = True\nreward = won
= rules.py:82:1: mine has points and loops; what endless play is worth is not said
an ending that never comes | pool | rules.py
- HEAP_EMPTY = 1
+ HEAP_EMPTY = 1\n    STUCK = 2
= rules.py:33:5: the ending STUCK never comes
a ruling without effect | pool | rules.py
-     most: Ann
+     spare: Annotated[int, Whole(0, 3, "spare counters")] = 0\n    most: Ann
= rules.py:21:5: the ruling spare changes nothing in matches
other rulings | pool | rules.py
- hand(state.rulings.most)
+ hand(state.rulings.most) * (2 // min(2, state.rulings.most - 1))
= rules.py:42:40: legal fails with ZeroDivisionError: integer division or modulo by zero, at heap=9 lead=0, with most=1
no rule | pool | rules.py
- @rule\ndef legal
+ def legal
= rules.py:40:5: legal is not marked with @rule, so it cannot be compiled
an unmarked helper | pool | rules.py
- @rule\ndef won
+ def won
= rules.py:56:52: step calls won, which is not marked with @rule, so it cannot be compiled
too wide | pool | rules.py
- state.lead + won(state, picks)
+ state.lead + won(state, picks) * 2**61
= rules.py: a position of mine does not fit into 62 bits: heap=9 lead=0
words that fail | pool | words.py
- def goal(self, rulings):
+ def goal(self, rulings):\n        rulings.counters
= words.py:10:9: words.goal fails with AttributeError: 'Rulings' object has no attribute 'counters', at heap=9 lead=0
words of another kind | pool | words.py
- return "When
+ return 7 or "When
= words.py:9:9: words.goal is 7, which is no str, at heap=9 lead=0
words for nothing | pool | words.py
- def goal
+ def gaol
= words.py:9:9: words.gaol is used by nothing; did you mean goal?
names alike | pool | words.py
- f"show {number}"
+ "show"
= words.py:12:9: words.pick_name gives no name of its own to each pick: ['show', 'show', 'show'], at heap=9 lead=0
unreadable names | pool | words.py
- f"show {number}"
+ f"show-{number}"
= words.py:12:9: words.pick_name gives show-1, which notation reads as a round, a draw or a result, at heap=9 lead=0
no speech | pool | words.py
- class Speech
+ class Voice
= words.py: TypeError: words.py has no class Speech
no check | pool | claims.py
- skill pays
+ it is fun
= claims.py:5:1: the claims of mine do not load: "it is fun" has no check; write a function it_is_fun(facts), or name one of fair, no draws, always ends, quick, used once, choices matter, every number counts, prediction pays, saving pays, thinking pays, skill pays, unchecked, first wins, second wins, drawn, goes on
an illegal example | pool | claims.py
- goes on 2-3
+ goes on 2-4
= claims.py:4:1: the claim "goes on" fails: It is against the rules in round 1: Player 2: 4 is not one of your numbers.
an example that goes otherwise | pool | claims.py
- goes on 2-3
+ first wins 2-3
= claims.py:4:1: the claim "first wins" fails: The book calls the end a win for the first player; by the rules it is open.
a sentence of two lines | pool | claims.py
- skill pays: Whoever plays
+ skill pays: Whoever\n  played
= claims.py:5:1: "Whoever played better wins more often." does not stand in the rule book
a check that fails | pool | claims.py
- SENTENCES =
+ skill_pays = lambda facts: facts.value\n\nSENTENCES =
= claims.py:3:28: the check of "skill pays" fails with AttributeError: 'UnsolvedFacts' object has no attribute 'value'
not for the compiler | pool | rules.py
- picks[FIRST] + picks[SECOND])
+ sum(each for each in picks))
= rules.py:51: won cannot be compiled: The use of yield in a closure is unsupported.
more than 64 bits | turns pool | rules.py
- state.turn == SECOND else
+ (state.turn + 9) ** 30 % 5 == 0 else
= rules.py:58:5: outcome says something else once it is compiled, with picks (3, 0), at heap=3 turn=0
"""  # noqa: E501
"""What goes wrong, in which game and file, what is replaced there by what, and what is found."""
*MISTAKES, one, two = (row.split("\n") for row in re.findall(r".*\n- .*\n\+ .*\n= .*", TABLE))
ONCE_COMPILED: Final = (one, two)
Find = Callable[..., tuple[list[str], str]]


@pytest.fixture
def find(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Find:
    """What is found in a new game, in which a text is replaced."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(catalog, "_ADDED", {})
    monkeypatch.setattr(catalog, "_FOLDERS", {})

    def found(row: Sequence[str], compiled: bool = False) -> tuple[list[str], str]:
        about, old, new, said = (part.replace("\\n", "\n") for part in row)
        made_of, file = about.split(" | ")[-2:]
        folder = make_folder("mine", {key: key in made_of.split() for key in QUESTIONS})
        text = (folder / file).read_text().replace("(1, 9,", "(1, 4,").replace("(1, 30,", "(1, 9,")
        assert old[2:] in text
        (folder / file).write_text(text.replace(old[2:], new[2:], 1))
        try:
            findings = check_game(load("./mine"), compiled=compiled)[0]
        except BadGame as error:
            findings = [load_finding(error, str(folder.absolute()))]
        return list(map(str, findings)), f"mine/{said[2:]}"

    return found


@pytest.mark.long
@pytest.mark.parametrize("row", MISTAKES, ids=lambda row: row[0])
def test_a_mistake_is_a_line(row: list[str], find: Find) -> None:
    found, said = find(row)
    assert found == [said]


@pytest.mark.long
@pytest.mark.xdist_group("compiling")
@pytest.mark.parametrize("row", ONCE_COMPILED, ids=lambda row: row[0])
def test_compiled_rules_are_compared(row: list[str], find: Find) -> None:
    found, said = find(row, compiled=True)
    assert found == [said]
