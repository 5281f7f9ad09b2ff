"""Access: trusted keys, admitted tokens, and revoked tokens."""

from typing import Literal

from pydantic import AwareDatetime, Field

from matchledger.events.fact import Fact


class TokenKeyTrusted(Fact):
    """From this entry on, the tournament accepts station tokens that a key signed.

    With `demanded`, every recording command needs a token. After the first entry with `signed`, an entry that names
    a token counts only if that token's station signed it. After the first entry with `chained`, a signed entry
    counts only directly after the entry that its signature names.
    """

    action = "guard-doors"
    retractable = False
    kind: Literal["token-key-trusted"] = "token-key-trusted"
    key: str = Field(max_length=200, description="the verification key, NAME+ID+BASE64")
    demanded: bool = False
    signed: bool = False
    chained: bool = Field(False, exclude_if=lambda chained: not chained)


class TokenKeyDistrusted(Fact):
    """The tournament no longer accepts or demands tokens that a key signed."""

    action = "guard-doors"
    retractable = False
    kind: Literal["token-key-distrusted"] = "token-key-distrusted"
    key: str = Field(max_length=200)


class TokenAdmitted(Fact):
    """A station showed a new token, with these contents.

    `certificate` is the token's text with the same contents and the station's key, signed by a trusted key. Tokens
    in older logs have no certificates.
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
    """A token was revoked. The token no longer opens the tournament."""

    action = "guard-doors"
    retractable = False
    kind: Literal["token-revoked"] = "token-revoked"
    token: str = Field(max_length=40)


class PlainHttpAllowed(Fact):
    """Players may write over plain HTTP. Anyone in the hall can read and change a request over plain HTTP."""

    action = "allow-plain-http"
    kind: Literal["plain-http-allowed"] = "plain-http-allowed"


DoorFact = TokenKeyTrusted | TokenKeyDistrusted | TokenAdmitted | TokenRevoked | PlainHttpAllowed
