"""Kernel of retrograde analysis over the links of a graph; `solve.settle_turns` needs no links."""

from typing import Any

from evenodds.core.vocabulary import rule


@rule
def settle_links(begins: Any, targets: Any, movers: Any, ends: Any, depth: int, codes: Any) -> int:
    """Settle every turn that is won or lost in `depth` picks; how many there are.

    Codes are those of `solve.turn_code`. Ends are numbered after positions.
    """
    settled = 0
    for place in range(len(codes)):
        if codes[place] != 0:
            continue
        side = 1 - 2 * movers[place]
        won, lost = False, True
        for link in range(begins[place], begins[place + 1]):
            target = targets[link]
            code, distance = 0, 0
            if target >= len(codes):
                code = ends[target - len(codes)]
            else:
                code = codes[target]
                distance = abs(code)
            if distance < depth and code * side > 0:
                won = True
                break
            if distance >= depth or code == 0:
                lost = False
        if won or lost:
            codes[place] = side * depth if won else -side * depth
            settled += 1
    return settled
