"""Links to matches."""

import pytest

from evenodds.client.address import BadAddress, address


@pytest.mark.parametrize(
    "link",
    [
        "",
        "duel",
        "ftp://host/match/m",
        "http://host/",
        "http://host/match/m/review",
        "http://host/match/../x",
        "http://host:port/match/m",
        "http://host:99999/match/m",
        "http://me:secret@host/match/m",
        "http://ho st/match/m",
        "http://[::1/match/m",
        "http://host/match/m?x=1",
        "http://host/match/m#a b",
        "http:///match/m",
    ],
)
def test_what_is_no_link_is_wrong_usage(link: str) -> None:
    with pytest.raises(BadAddress, match="is no link to a match; it looks like"):
        address(link)
