"""Privacy: who was forgotten, and where the keys to names went."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger.events.fact import Fact, PlayerNumber


class PersonErased(Fact):
    """The key to a player's personal data is destroyed, here and wherever this entry is read beside a key.

    From here on the player is a number, at every moment of the log.
    """

    action = "erase"
    retractable = False
    kind: Literal["person-erased"] = "person-erased"
    player: PlayerNumber


class NamesHandedOut(Fact):
    """A copy was made that names can be read in; an erasure does not reach it. No `players`: all of them."""

    action = "hand-names-out"
    retractable = False
    kind: Literal["names-handed-out"] = "names-handed-out"
    form: Literal["export", "bundle"]
    to: str = Field(max_length=200, description="the name of the file, without its folder")
    players: tuple[PlayerNumber, ...] = ()


PrivacyFact = PersonErased | NamesHandedOut
