"""Many calls on one timer: each at its time, in the order of their start, unless cancelled."""

import asyncio

from evenodds.system.shared_timer import SharedTimer


def test_calls_come_in_order_and_cancelled_ones_do_not() -> None:
    """One that was started before keeps its time; one can be started again after its call."""

    async def play() -> list[str]:
        timer, called, done = SharedTimer(0.01), list[str](), asyncio.Event()
        calls = {name: lambda name=name: called.append(name) for name in ("one", "two", "three")}
        for call in (*calls.values(), calls["one"]):
            timer.start(call)
        timer.cancel(calls["two"])
        timer.start(done.set)
        await done.wait()
        done.clear()
        timer.start(calls["one"])
        timer.start(done.set)
        await done.wait()
        return called

    assert asyncio.run(play()) == ["one", "three", "one"]
