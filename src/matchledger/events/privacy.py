"""Privacy: erasures, and copies with names."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger.events.fact import Fact, PlayerNumber


class PersonErased(Fact):
    """The key to a player's personal data was destroyed.

    Every copy with this entry destroys its key too.

    From now on the player is a number, at every moment of the log.
    """

    action = "erase"
    retractable = False
    kind: Literal["person-erased"] = "person-erased"
    player: PlayerNumber


class NamesHandedOut(Fact):
    """A copy with readable names was made. An erasure does not reach it. Without `players`, it has all
    players' names.
    """

    action = "hand-names-out"
    retractable = False
    kind: Literal["names-handed-out"] = "names-handed-out"
    form: Literal["export", "bundle"]
    to: str = Field(max_length=200, description="the name of the file, without its folder")
    players: tuple[PlayerNumber, ...] = ()


PrivacyFact = PersonErased | NamesHandedOut
