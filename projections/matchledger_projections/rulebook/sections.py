"""Sections of a rulebook: decks, permissions, pairing, rating, conduct, staff, divisions and flights.

All rulebooks use the same pairing engine, and differ in the bye, the readings and the cited rules.
"""

from collections.abc import Mapping
from datetime import date
from typing import Literal, Self

from msgspec import Struct, field
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt, model_validator

from matchledger.events import Office, Role
from matchledger.events.conduct import Offence

UNWRITTEN = "POLICY"
Tier = Literal["relaxed", "formal", "premier"]
TIERS: tuple[Tier, ...] = ("relaxed", "formal", "premier")


class RulebookPart(BaseModel):
    """A section of a rulebook. A section cannot be changed after loading, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class PartSize(RulebookPart):
    """The fewest and the most cards in a part of a deck."""

    least: NonNegativeInt = Field(default=0, description="the fewest cards of the part")
    most: NonNegativeInt | None = Field(
        default=None, description="the most cards of the part; without it, no limit"
    )


class DeckRules(RulebookPart):
    """The sizes and copy limits of a deck. The organizer's card file lists the legal cards."""

    rule: str = Field(description="the id of the rule")
    parts: dict[str, PartSize] = Field(min_length=1, description="the parts that a deck has: deck, sideboard, ...")
    copies: PositiveInt | None = Field(default=None, description="the most cards of one name, over all parts")
    unlimited: tuple[str, ...] = Field(default=(), description="the names of cards without a limit of copies")


class Permission(RulebookPart):
    """The roles that may do an action, and the rule of the document.

    With `player` among the roles, players act only for themselves or in their own match.
    """

    roles: tuple[Role, ...] = Field(min_length=1, description="the roles that may do the action")
    rule: str = Field(description="the id of the rule")


class PairingRules(RulebookPart):
    """For each step the id of its rule, or "POLICY" if the document is silent."""

    first_round: str = Field(default=UNWRITTEN, description="round 1 is random")
    groups: str = Field(default=UNWRITTEN, description="players with equal points meet")
    pair_down: str = Field(default=UNWRITTEN, description="the odd player of a group goes down")
    rematch: str = Field(default=UNWRITTEN, description="no two players meet twice")
    second_bye: str = Field(default=UNWRITTEN, description="no player has two byes")
    bye_above: str = Field(
        default=UNWRITTEN, description="who gets the bye if no player of the lowest group may have it"
    )


class RatingRule(RulebookPart):
    """The fewest participants of a rated event, and the days for sending its papers."""

    rule: str = Field(description="the id of the rule")
    participants: int = Field(ge=1, description="the fewest participants of a rated event")
    days: int = Field(ge=0, description="the days for sending the papers, after the last day of the event")


class ConductRules(RulebookPart):
    """The rules about conduct; None if the document is silent.

    `warned_first` are the offences that cost a game only after a warning for the same offence (ASH-SLOW).
    `final_ruling` names the rule about final rulings. `recommendation` names the rule by which judges can only
    recommend a disqualification. `lost_card` names the rule about lost cards, and `proxy` the rule about proxies.
    `lost_card_minutes` is the number of minutes to look for a lost card.
    """

    warned_first: dict[Offence, str] = Field(
        default_factory=dict, description="offences that cost a game only after a warning"
    )
    final_ruling: str | None = Field(default=None, description="the rule about final rulings")
    recommendation: str | None = Field(
        default=None, description="the rule that judges only recommend a disqualification"
    )
    lost_card: str | None = Field(default=None, description="the rule about lost cards")
    lost_card_minutes: PositiveInt = Field(default=5, description="minutes to look for a lost card")
    proxy: str | None = Field(default=None, description="the rule about proxies")
    penalties: tuple[str, ...] = Field(
        default=(), description="the game's own names for penalties, the mildest first"
    )
    penalties_rule: str | None = Field(default=None, description="the rule that names the penalties")


class StaffRules(RulebookPart):
    """The rules about an organizer, marshals and judges, and the tiers in which they may play.

    An event has one organizer, who also does the marshal's work if there is no marshal. `playing` names the rule
    that lets leaders play, but only in `playing_tiers`. In the games of leaders who play, another announced
    leader rules.
    """

    organizer: str = Field(description="the rule about the organizer")
    marshal: str = Field(description="the rule about marshals")
    judge: str = Field(description="the rule about judges")
    playing: str = Field(description="the rule that lets leaders play")
    playing_tiers: tuple[Tier, ...] = Field(description="the tiers in which leaders may play")
    tiers: str = Field(description="the rule about tiers")

    def rule_of(self, role: Office) -> str:
        """Return the rule that defines a role."""
        rules: dict[Office, str] = {"organizer": self.organizer, "marshal": self.marshal, "judge": self.judge}
        return rules[role]


class DivisionRule(RulebookPart):
    """The age divisions of a rulebook, the youngest first, and the fewest players for a division to play apart.

    `born_from` is the first year of birth of every division but the oldest. Without `born_from`, the year of birth
    does not choose a division. `modified_rule` names the rule that pairs all divisions together if one of them has
    few players.
    """

    rule: str = Field(description="the id of the rule")
    modified_rule: str = Field(default=UNWRITTEN, description="the rule for divisions that play together")
    names: tuple[str, ...] = Field(min_length=1, description="the divisions, the youngest first")
    born_from: dict[str, int] = Field(
        default_factory=dict, description="the first year of birth of each division but the oldest"
    )
    own_pod: int = Field(ge=2, description="the fewest players for a division to play apart")

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        years = [self.born_from[name] for name in self.names[:-1] if name in self.born_from]
        if self.born_from and (
            self.born_from.keys() != set(self.names[:-1]) or years != sorted(set(years), reverse=True)
        ):
            raise ValueError("born_from gives every division but the last a year, the youngest the latest")
        return self


class FlightRule(RulebookPart):
    """When a division may be drawn into flights, and into how many (PKM-3.3.3)."""

    rule: str = Field(description="the id of the rule")
    restrict_rule: str = Field(description="the rule about when flights are allowed")
    count_rule: str = Field(description="the rule for the number of flights")
    size_rule: str = Field(description="the rule for the sizes of flights")
    late_rule: str = Field(description="the rule for late players")
    finals_rule: str = Field(description="the rule for the finals")
    counts: tuple[int, ...] = Field(min_length=1, description="the possible numbers of flights")
    division: int = Field(ge=2, description="the fewest players of a division with flights")
    flight: int = Field(ge=2, description="the fewest players of a flight")
    qualifiers: int = Field(ge=1, description="the fewest players who go on from each flight")

    def share(self, cut: int, flights: int) -> bool:
        """Return whether each flight sends the same number of players into the cut, and at least the required
        number (PKM-3.3.3.2-FINALS).
        """
        return cut % flights == 0 and cut // flights >= self.qualifiers


class Occasion(Struct, frozen=True):
    """The format of the decks, and the tier, the region and the day of the event.

    A value that was not given is None.

    `minimum` gives the deck sizes that the document leaves open (LEG-SCOPE). `chained_list` is POL-ASH-CHAINED.
    `counts` gives the deck rules of the rulebook itself.
    """

    format: str
    tier: Tier | None = None
    region: str | None = None
    day: date | None = None
    minimum: Mapping[str, int] = field(default_factory=dict)
    chained_list: bool = True
    counts: DeckRules | None = None
