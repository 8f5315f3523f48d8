"""Addresses: which of them are one network."""

import pytest

from evenodds.system.network import network_of


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
