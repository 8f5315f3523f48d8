"""Texts made harmless, addresses that are one network."""

import pytest

from evenodds.system.network import network_of
from evenodds.system.text import sanitized


@pytest.mark.parametrize(
    "text", ["[red]x", "[[red]red]x", "[/]x", "[#fff on @x]x", "[a[b[c]d]e]x", "\x1bx", "\u2066x"]
)
def test_markup_is_stripped_however_it_is_nested(text: str) -> None:
    assert sanitized(text) == "x"
    assert sanitized("[1] a [2, 3] b]") == "[1] a [2, 3] b]"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unknown", "unknown"),
    ],
)
def test_what_an_address_is_counted_as(address: str, network: str) -> None:
    """IPv4 by itself, IPv6 by its /64, and whatever else a proxy may say as it is."""
    assert network_of(address) == network
