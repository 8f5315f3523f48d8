"""The coach: values of picks, hints, reviews of played matches and puzzles, from exact solutions.

It may import the solver and what lies below it (graph, kernels, render, games, core, system), but
no players and no policies. Terminal, server and arena use it.
"""
