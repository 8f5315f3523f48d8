"""Settings from environment variables, and the cores and memory that they allow."""

import os
import sys
from contextlib import suppress
from math import ceil
from typing import Final, Literal

from evenodds.system import InvalidInput
from evenodds.system.text import parse_whole, shorten

Device = Literal["auto", "cpu", "gpu"]
"""Where to solve; "auto" takes the GPU for what is large, if there is one."""
DEVICES: Final[tuple[Device, ...]] = ("auto", "cpu", "gpu")


class BadSetting(InvalidInput, ValueError):
    """A setting, such as an environment variable, with a value that is not allowed."""


def megabytes(name: str, usual: int) -> int:
    """A limit in bytes from a setting in megabytes; `usual` where it is not set."""
    chosen = whole_setting(name, "whole megabytes")
    return usual if chosen is None else chosen << 20


def memory_limit() -> int:
    """Bytes that a solve may take: EVENODDS_MEMORY_MB, or half of what the machine has."""
    return megabytes("EVENODDS_MEMORY_MB", _half_of_memory())


def _half_of_memory() -> int:
    if sys.platform != "win32":
        with suppress(ValueError, OSError):  # not every system tells
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    return 2 << 30


def memory_size(count: float) -> str:
    """A number of bytes in megabytes, as EVENODDS_MEMORY_MB takes them, or gigabytes."""
    whole = ceil(count / (1 << 20))
    return f"{whole:,} MB" if whole < 10_000 else f"{whole / 1024:,.1f} GB"


def core_limit() -> int:
    """How many cores one solve may use: EVENODDS_CORES, or all that the machine has."""
    return whole_setting("EVENODDS_CORES", "whole numbers from 1", 1) or os.cpu_count() or 1


def whole_setting(name: str, allowed: str, low: int = 0) -> int | None:
    """A setting that is a whole number, from `low`; None where it is not set."""
    text = os.environ.get(name, "").strip()
    chosen = parse_whole(text)
    if text and (chosen is None or chosen < low):
        raise BadSetting(f"{name}={shorten(text)} is not allowed; allowed: {allowed}")
    return chosen


def choose_device(asked: str | None) -> Device:
    """The device that was asked for, or that of EVENODDS_DEVICE, or "auto"."""
    name = asked or os.environ.get("EVENODDS_DEVICE", "").strip() or "auto"
    if name not in DEVICES:
        source = "device" if asked else "EVENODDS_DEVICE"
        raise BadSetting(f"{source}={shorten(name)} is not allowed; allowed: {', '.join(DEVICES)}")
    return name
