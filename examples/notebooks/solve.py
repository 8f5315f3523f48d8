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
    import marimo as mo

    import evenodds


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Solve a game

    Every position has an exact value: 1 if the first player wins with best play, -1 if the second
    player does, 0 if they are even. `solve` computes all of them.
    """)
    return


@app.cell
def _():
    game = evenodds.game("margin", numbers=4)
    solution = evenodds.solve(game)
    print(solution.positions)  # 321
    print(solution.value(solution.start))  # 0.0
    return game, solution


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Both pick at once, so a best strategy is a mix: how often to pick each number. An opponent who
    knows the mix gains nothing.
    """)
    return


@app.cell
def _(solution):
    mix = solution.mix(solution.start, evenodds.FIRST)
    print({number: round(share, 2) for number, share in mix.items()})  # {1: 0.37, 2: 0.26, 3: 0.37}
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    After a round the game is at another position. Here the first player has spent a 4 on a 1, and
    has lost: the value is -1. The matrix shows why. It has a row for each number of the first
    player and a column for each of the second.
    """)
    return


@app.cell
def _(game, solution):
    after = game.game.step(solution.start, (4, 1))
    print(solution.value(after))  # -1.0
    print(solution.matrix(after).payoff[0])  # (-1.0, -1.0, 0.0)
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    How good is a strategy? `exploitability` is what the best opponent gains against it, on average
    over both seats: 0 for perfect play. `odds` sums over all positions, so nothing is sampled.
    """)
    return


@app.cell
def _(game, solution):
    uniform = evenodds.Uniform(game)
    print(round(evenodds.exploitability(game, uniform), 3))  # 0.542
    print(round(evenodds.exploitability(game, solution), 3))  # 0.0
    found = evenodds.odds(game, solution, uniform)
    print(round(found.first, 3), round(found.draw, 3), round(found.second, 3))  # 0.597 0.176 0.227
    return (uniform,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    `best_response` is the strategy that gains it: at every position one pick.
    """)
    return


@app.cell
def _(game, solution, uniform):
    response = evenodds.best_response(game, uniform, evenodds.FIRST)
    print(response.picks[solution.start])  # 1
    return


if __name__ == "__main__":
    app.run()
