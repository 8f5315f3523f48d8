"""The exact truth about a game: positions, values, strategies, odds; and simulation.

Listing: `positions` finds all open positions as keys (`position_keys`, `key_tables`); `graph` links
them; `components` has the order of play and where it comes back. `small_games` does all that, and
solves, without NumPy.

Solving: `solve` and `on_demand` are the doors. `large_games` works from the ends back, over matrix
games or turns, whose picks `winning_picks` chooses, `value_iteration` where chance or luck leads
back; `symmetry` checks mirrors. `simplex` solves one matrix game, `mix_selection` chooses between
its mixes, `matrix` solves anybody's. `gpu` does what `positions` and `large_games` do on a GPU. `solution` answers questions, `decided_positions` in won
and lost ones, `solution_files` keeps it.

Playing: `policies` say how a seat mixes, `strategies` spread that over a graph, `flows` push
matches along it; so `odds` and `responses`. `simulate` and `batch` play by lot, from
`random_streams`.

Kernels are plain functions over the names of `game_functions`. `compile` binds them to a game,
interpreted or compiled (`numba_cache` keeps the code); `link_kernels` and `transitions` run over
links; `threads` share the work.
"""
