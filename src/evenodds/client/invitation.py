"""Opening a match on a server, for somebody who is invited by a link."""

from urllib.parse import urlsplit

from evenodds.client.address import Address, BadAddress, address
from evenodds.client.http_client import Client, InvalidResponse
from evenodds.client.saved_seats import SavedSeat
from evenodds.client.snapshot import decode
from evenodds.core.rulings import as_data
from evenodds.core.terms import Terms
from evenodds.protocol.messages import NEW_TOKEN, GrantedSeat, OpenMatchRequest
from evenodds.system.text import shorten


def server_address(typed: str) -> Address:
    """The address of a server, or `BadAddress` in one line; `http://` need not be typed."""
    typed = typed.strip() if "://" in typed else f"http://{typed.strip()}"
    try:
        where = urlsplit(typed)
        return address(f"{where.scheme}://{where.netloc}/match/new")
    except (ValueError, BadAddress):
        shown = shorten(typed, 60)
        raise BadAddress(f'"{shown}" is no server; it looks like http://HOST:8000') from None


def open_match(server: Address, terms: Terms, name: str) -> Address:
    """Open a match, and save its seat; the address with the invitation, which is to be sent."""
    request = OpenMatchRequest(
        terms.game.name, rulings=as_data(terms.rulings), name=name, first=terms.first
    )
    granted = decode(Client(server, NEW_TOKEN).post("/api/matches", request), GrantedSeat)
    if not granted.token or not granted.invitation:
        raise InvalidResponse("the server does not say which seat is ours")
    opened = server._replace(match=granted.match)
    SavedSeat(opened).save_token(granted.token)
    return opened._replace(invitation=granted.invitation)
