"""Tournaments: the opening, the import from a file, and the end."""

import operator
from datetime import date
from typing import Literal

from pydantic import Field, NonNegativeInt

from matchledger.events.chance import Derivation
from matchledger.events.fact import Fact


class TournamentOpened(Fact):
    """The tournament was opened under a rulebook. The log includes the rulebook's whole text.

    `division_years` has the first year of birth of each age division, if the years differ from the rulebook's.
    """

    action = "open"
    public = True
    retractable = False
    kind: Literal["tournament-opened"] = "tournament-opened"
    name: str = Field(min_length=1, max_length=200)
    rulebook: str
    law: str = Field(description="the rulebook's whole text (TOML), as it was when the tournament opened")
    policies: dict[str, str] = Field(default={}, description="policy flags other than the rulebook's defaults")
    division_years: dict[str, int] = Field(default={})
    commitment: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the secret behind every draw")
    sealed: bool = Field(default=False, description="personal data is stored encrypted, a key for each player")
    derivation: Derivation = Field(default=1, description="the version of chance.md that the draws are derived by")


class PolicyChanged(Fact):
    """The organizer changed a policy during the event.

    Every ranking uses the last value.

    `flag` is the policy, such as POL-ALL-REPAIR.
    """

    action = "change-policy"
    public = True
    paired_on = False
    kind: Literal["policy-changed"] = "policy-changed"
    flag: str = Field(min_length=1, max_length=200)
    value: str = Field(min_length=1, max_length=200)


class FileImported(Fact):
    """The next entries were read from a file. `notes` has a line for each adjustment of the file's content.

    With `roster`, only the players came from the file, and the event is run in this program.
    """

    action = "open"
    public = True
    retractable = False
    kind: Literal["file-imported"] = "file-imported"
    name: str
    format: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    notes: tuple[str, ...] = ()
    roster: bool = Field(default=False, exclude_if=operator.not_)


class TournamentClosed(Fact):
    """The tournament ended, and the secret behind its draws was published.

    `ended` is the last day at the venue, or None if unknown, as in an imported event. `deviations` are the rules
    that the closing departs from: about missing rounds, a missing cut or undecided places.
    """

    action = "close"
    public = True
    kind: Literal["tournament-closed"] = "tournament-closed"
    round: NonNegativeInt
    secret: str = Field(pattern="^[0-9a-f]{64}$")
    ended: date | None = None
    deviations: tuple[str, ...] = ()


TournamentFact = TournamentOpened | PolicyChanged | FileImported | TournamentClosed
