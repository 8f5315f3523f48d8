"""Oshi-Zumo: both bid coins; the higher bid pushes the wrestler one field towards the other.

Who has him on the other's side when play stops wins: when both have no coins, or bid none.
"""

import sys
from enum import IntEnum
from typing import Annotated, NamedTuple

from evenodds.rules import Game, Lead, Outcome, Pair, Whole, Words, decided, exchange, rule


class Rulings(NamedTuple):
    coins: Annotated[int, Whole(1, 60, "how many coins each player has")] = 10
    fields: Annotated[int, Whole(1, 5, "how many fields lie on each side of the wrestler")] = 3
    least: Annotated[int, Whole(0, 1, "the lowest bid while coins are left")] = 1


class State(NamedTuple):
    """Coins, where the wrestler stands, and whether play has stopped."""

    rulings: Rulings
    coins: Pair
    place: Lead
    stopped: bool


Ending = IntEnum("Ending", "OPEN PUSHED_OUT NO_COINS NO_BIDS", start=0)


@rule
def start(rulings):
    return State(rulings, (rulings.coins, rulings.coins), 0, False)


@rule
def legal(state, seat):
    """Bid n is the number n + 1, for 0 stands for no pick."""
    coins, least = state.coins[seat], min(state.coins[seat], state.rulings.least)
    return ((1 << (coins + 1)) - (1 << least)) << 1


@rule
def step(state, picks):
    one, two = picks[0] - 1, picks[1] - 1
    place = state.place + (one > two) - (one < two)
    coins = state.coins[0] - one, state.coins[1] - two
    return State(state.rulings, coins, place, one + two == 0)


@rule
def ending(state):
    if abs(state.place) > state.rulings.fields:
        return Ending.PUSHED_OUT
    if state.coins[0] + state.coins[1] == 0:
        return Ending.NO_COINS
    return Ending.NO_BIDS if state.stopped else Ending.OPEN


@rule
def outcome(state):
    return Outcome.ONGOING if ending(state) == Ending.OPEN else decided(state.place)


mirror = exchange(State)


class Speech(Words):
    def pick_name(self, rulings, seat, number):
        return f"bid {number - 1}"


GAME = Game.of(
    sys.modules[__name__],
    words=Speech(),
    name="oshi_zumo",
    title="Oshi-Zumo",
    summary="Push the wrestler out.",
)
