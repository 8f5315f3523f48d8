# /// script
# requires-python = ">=3.11"
# dependencies = ["evenodds[environments,solver]", "marimo"]
#
# [tool.uv.sources]
# evenodds = { path = "../.." }
# ///

import marimo

__generated_with = "0.25.2"
app = marimo.App()

with app.setup:
    import gymnasium
    import marimo as mo
    import numpy as np

    import evenodds
    import evenodds.envs
    from evenodds.adapters.observation import ObservationEncoder


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    # Train, then measure exactly

    A small network learns to beat `level:4` in `margin`. Then we ask what its win rate hides: how
    much does a perfect opponent gain against it?
    """)
    return


@app.cell
def _(rows):
    game = evenodds.game("margin", numbers=4)
    encoder = ObservationEncoder(*game)
    chance = np.random.default_rng(1)
    inner = chance.normal(0, encoder.size**-0.5, (encoder.size, 32))
    outer = np.zeros((32, encoder.highest + 1))

    def network(rows, masks):
        """The chance of each pick: one hidden layer, and a softmax over the legal numbers."""
        scores = np.exp(np.tanh(rows @ inner) @ outer) * masks
        return scores / scores.sum(axis=-1, keepdims=True)

    def learn(rows, push, rate=3.0):
        """A step of gradient ascent; `push` says how much more likely each pick should become."""
        hidden = np.tanh(rows @ inner)
        back = push @ outer.T * (1 - hidden**2)
        outer[:] += rate * hidden.T @ push / len(rows)
        inner[:] += rate * rows.T @ back / len(rows)

    return game, encoder, chance, outer, network, learn


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    A policy is a function of a position and a seat that returns a mix of the legal numbers. This is
    all that the exact measures need of a network.
    """)
    return


@app.cell
def _(encoder, game, network):
    def policy(state, seat):
        row, mask = encoder.row(state, seat), encoder.mask(state, seat)
        chances = network(np.array(row), np.array(mask))
        return {number: chances[number] for number in game.picks(state, seat)}

    def measure():
        """The score against level 4, and what a perfect opponent gains: both exact."""
        found = evenodds.odds(game, policy, evenodds.make_policy(game, "level:4"))
        score = found.first + found.draw / 2
        return round(score, 2), round(evenodds.exploitability(game, policy), 2)

    return (measure,)


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    Policy gradient (REINFORCE): 256 matches at once, all of four rounds. Picks of matches that were
    won become more likely.
    """)
    return


@app.cell
def _(chance, learn, measure, network):
    envs = gymnasium.make_vec("evenodds/Margin-v0", 256, opponent="level:4", rulings={"numbers": 4})
    print(measure())  # (0.37, 0.54)
    for step in range(60):
        seen, _ = envs.reset(seed=step)
        rows, pushes = [], []
        for _ in range(4):
            shares = network(seen["observation"], seen["action_mask"])
            picks = (shares.cumsum(axis=1) > chance.random((256, 1))).argmax(axis=1)
            rows.append(seen["observation"])
            pushes.append(np.eye(5)[picks] - shares)
            seen, rewards, *_ = envs.step(picks)
        learn(np.concatenate(rows), np.concatenate([push * rewards[:, None] for push in pushes]))
    trained = measure()  # about (0.58, 0.99)
    print(trained[0] > 0.5, trained[1] > 0.9)  # True True
    return rows, trained


@app.cell(hide_code=True)
def _():
    mo.md(r"""
    The win rate went up, and so did the exploitability: the network has learned to beat one
    opponent, and a perfect one now takes nearly everything. No number of matches against `level:4`
    would have shown that.

    Taught by the exact mixes instead, at positions of random play, the same network becomes hard
    to exploit.
    """)
    return


@app.cell
def _(chance, encoder, game, learn, measure, network, outer, trained):
    solution = evenodds.solve(game)
    states = set()
    for _ in range(300):
        state = game.start()
        while game.game.outcome(state) == evenodds.Outcome.ONGOING:
            states.add(state)
            pair = [int(chance.choice(game.picks(state, seat))) for seat in (0, 1)]
            state = game.game.step(state, pair)
    inputs = np.array([encoder.row(state, 0) for state in states])
    legal = np.array([encoder.mask(state, 0) for state in states])
    wanted = np.array([[solution.mix(state, 0).get(n, 0.0) for n in range(5)] for state in states])
    outer[:] = 0 * trained[0]  # begin anew, after the training above
    for _ in range(400):
        learn(inputs, wanted - network(inputs, legal))
    taught = measure()  # about (0.54, 0.29)
    print(taught[0] > 0.5, taught[1] < 0.5)  # True True
    return


if __name__ == "__main__":
    app.run()
