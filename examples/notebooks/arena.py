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
    # Compare players

    A player is a name from `evenodds players`, a program (`"cmd:./mybot"`), or a policy of your
    own: a function of a position and a seat that returns a number, or a mix of numbers.
    """)
    return


@app.cell
def _():
    game = evenodds.game("margin", numbers=4)

    def lowest(state, seat):
        return min(game.picks(state, seat))

    def extremes(state, seat):
        numbers = game.picks(state, seat)
        return {min(numbers): 0.5, max(numbers): 0.5} if len(numbers) > 1 else numbers[0]

    return game, lowest, extremes


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Everybody meets everybody, in both seats equally often. Between players of ours the scores are
    exact; where a function of yours plays, they are sampled.
    """)
    return


@app.cell
def _(extremes, game, lowest):
    arena = evenodds.run_arena(game, [lowest, extremes, "level:4", "random"], matches=100, seed=1)
    print([row.player for row in arena.standings])  # ['lowest', 'level:4', 'random', 'extremes']
    print(round(arena.score("extremes", "level:4"), 3))  # 0.3
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    `arena.markdown` holds the same as tables. A score card says what can be taken from one
    player, in four games or in some.
    """)
    return


@app.cell
def _(extremes):
    card = evenodds.run_benchmark(extremes, games=["margin"])
    print(card.games["margin"].exploitability.value)  # 1.0
    print(card.markdown.splitlines()[0])  # # extremes: score card, edition 2.
    return


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Exact measures say more than any tournament. Against this player the best opponent wins
    every match:
    """)
    return


@app.cell
def _(extremes, game):
    print(round(evenodds.exploitability(game, extremes), 3))  # 1.0
    return


if __name__ == "__main__":
    app.run()
