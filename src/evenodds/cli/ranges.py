"""Numbers within limits as options, with the limits in words where click writes 0<=x<=60."""

from math import isfinite
from typing import Any

import click

Range = click.IntRange | click.FloatRange


def limits_of(kind: Range) -> str:
    """The limits of a range in words."""
    return f"from {kind.min:g}" if kind.max is None else f"{kind.min:g} to {kind.max:g}"


class RangeOption(click.Option):
    """An option whose help names the limits."""

    def get_help_extra(self, ctx: click.Context) -> click.types.OptionHelpExtra:
        """What stands in brackets after the help."""
        assert isinstance(self.type, Range)
        return {**super().get_help_extra(ctx), "range": limits_of(self.type)}


class FiniteRange(click.FloatRange):
    """A range of numbers; click's own lets NaN pass, which no comparison refuses."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number, or `BadParameter`."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{number} is not in the range.", param, ctx)
        return number
