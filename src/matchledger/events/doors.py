"""Doors: whose station tokens a tournament takes, which tokens came in, and which are taken back."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from matchledger.events.fact import Fact


class TokenKeyTrusted(Fact):
    """From this entry on the tournament takes station tokens signed with a key.

    With `demanded` nothing is recorded without a token. After the first entry with `signed`, an entry that names a
    token counts only if the station of that token signed it.
    """

    action = "guard-doors"
    retractable = False
    kind: Literal["token-key-trusted"] = "token-key-trusted"
    key: str = Field(max_length=200, description="the verification key, NAME+ID+BASE64")
    demanded: bool = False
    signed: bool = False


class TokenKeyDistrusted(Fact):
    """Tokens signed with a key are taken no longer, and what was demanded with it is demanded no longer."""

    action = "guard-doors"
    retractable = False
    kind: Literal["token-key-distrusted"] = "token-key-distrusted"
    key: str = Field(max_length=200)


class TokenAdmitted(Fact):
    """A station came in with a token that it had not shown before: what the token says of it.

    Its `certificate` holds the same, and the key of the station, signed with a trusted key. Older logs have none.
    """

    action = "guard-doors"
    anybody = True
    retractable = False
    kind: Literal["token-admitted"] = "token-admitted"
    token: str = Field(max_length=40, description="the token's id, which the station's entries carry")
    actor: str
    role: str
    station: str
    issued: AwareDatetime
    expires: AwareDatetime
    certificate: str | None = Field(None, max_length=4096)


class TokenRevoked(Fact):
    """A token was revoked: it lets no one in any more."""

    action = "guard-doors"
    retractable = False
    kind: Literal["token-revoked"] = "token-revoked"
    token: str = Field(max_length=40)


class PlainHttpAllowed(Fact):
    """Players may write over plain HTTP. Anybody in the hall can read and alter what they send."""

    action = "guard-doors"
    kind: Literal["plain-http-allowed"] = "plain-http-allowed"


DoorFact = TokenKeyTrusted | TokenKeyDistrusted | TokenAdmitted | TokenRevoked | PlainHttpAllowed
