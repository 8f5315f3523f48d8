# /// script
# requires-python = ">=3.11"
# dependencies = ["evenodds[solver]", "marimo"]
#
# [tool.uv.sources]
# evenodds = { path = "../.." }
# ///

import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup:
    from enum import IntEnum
    from typing import Annotated, NamedTuple

    import marimo as mo

    import evenodds
    from evenodds.rules import NOTHING, Game, Outcome, Whole, rule


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # A game of your own

    Nim: take one or two from a heap; whoever takes the last one wins. A game is three small types
    and five functions. With them come matches, the solver and opponents.

    `Rulings` are what players may change, each with its limits. `State` begins with the rulings;
    then come small whole numbers, pairs and bools. `Ending` says why a match is over.
    """)
    return


@app.cell
def _():
    class Rulings(NamedTuple):
        heap: Annotated[int, Whole(1, 50, "how many there are at first")] = 7

    class State(NamedTuple):
        """What is left, and whose turn it is."""

        rulings: Rulings
        heap: int
        turn: int

    class Ending(IntEnum):
        OPEN = 0
        TAKEN = 1

    return Rulings, State, Ending


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    A set of numbers is a bit set: bit n is the number n. A seat that is not to move has `NOTHING`
    to decide. A step takes the picks of both seats. `@rule` lets the solver compile a function.
    """)
    return


@app.cell
def _(Ending, Rulings, State):
    @rule
    def start(rulings):
        return State(rulings, rulings.heap, 0)

    @rule
    def legal(state, seat):
        if seat != state.turn:
            return NOTHING
        return 0b110 if state.heap > 1 else 0b10

    @rule
    def step(state, picks):
        return State(state.rulings, state.heap - picks[state.turn], 1 - state.turn)

    @rule
    def ending(state):
        return Ending.OPEN if state.heap else Ending.TAKEN

    @rule
    def outcome(state):
        if state.heap:
            return Outcome.ONGOING
        return Outcome.SECOND_WINS if state.turn == 0 else Outcome.FIRST_WINS

    about = ("nim", "Nim", "Take one or two.", Rulings)
    nim = Game(*about, start, legal, step, outcome, ending, simultaneous=False)
    return (nim,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    It plays, and an illegal pick is refused.
    """)
    return


@app.cell
def _(nim):
    match = evenodds.Match(nim)
    match.pick(0, 1)
    match.pick(1, 2)
    print(match.state.heap)  # 4
    try:
        match.pick(0, 3)
    except evenodds.IllegalPick as error:
        print(error)  # 3 is not one of your numbers
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    It can be solved. The player who moves loses with 3, 6, 9 and so on.
    """)
    return


@app.cell
def _(nim):
    solutions = [evenodds.solve(evenodds.game(nim, heap=heap)) for heap in range(1, 11)]
    lost = [each.start.heap for each in solutions if each.value(each.start) < 0]
    print(lost)  # [3, 6, 9]
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Odds, best responses and players take it, too. Commands and the server want it in a folder.
    """)
    return


@app.cell
def _(nim):
    found = evenodds.odds(nim, evenodds.solve(nim), evenodds.Uniform(nim))
    print(found.first)  # 1.0
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    [Write a game](../../docs/tutorials/write-a-game.md) puts it into a folder, so that the
    commands and the server take it; [Declare a game](../../docs/games.md) lists what else a
    game may declare.
    """)
    return


if __name__ == "__main__":
    app.run()
