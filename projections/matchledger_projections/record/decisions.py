"""Decisions: ties, cuts, postings and similar facts. The record stores these facts by kind until a view reads
them.
"""

from __future__ import annotations

from typing import Any, TypeVar

from matchledger.events import (
    BracketDrawn,
    ByesAwarded,
    CallAnswered,
    CheckpointCosigned,
    CheckpointSigned,
    CutMade,
    DeckChecked,
    DeskCalled,
    DivisionChanged,
    DivisionsDecided,
    Fact,
    FileImported,
    FlightJoined,
    FlightsDrawn,
    OverviewFiled,
    PairingsPosted,
    Person,
    PersonCorrected,
    PolicyChanged,
    QualifierReplaced,
    RematchAllowed,
    RepairChosen,
    SlipRefused,
    StandingsPosted,
    StructureAnnounced,
    TableFixed,
    TablesNumbered,
    TieResolved,
    TournamentClosed,
)
from matchledger_projections.record.roster import Roster

Kept = TypeVar("Kept", bound=Fact)


class Decisions(Roster):
    """Facts that change no table by themselves. Of each kind, the latest counting fact is valid."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[type[Fact], list[tuple[int, Any]]] = {}

    def recorded_ties(self, round_: int) -> list[tuple[int, TieResolved]]:
        """Return the orders recorded for ties in the standings after a round, the latest first, with their
        positions.
        """
        ties = reversed(self.counting(TieResolved))
        return [(position, fact) for position, fact in ties if fact.round == round_]

    @property
    def repairs(self) -> list[tuple[int, RepairChosen]]:
        """Return every counting choice about a round that was paired before a correction."""
        return self.counting(RepairChosen)

    @property
    def cut(self) -> CutMade | None:
        return self._latest(CutMade)

    @property
    def cuts(self) -> list[CutMade]:
        """Return the counting cuts: one, or one for each division with its own cut."""
        return list({fact.division: fact for fact in self.alive(self._noted(CutMade))}.values())

    @property
    def structure(self) -> StructureAnnounced | None:
        """Return the structure that was announced last, or None."""
        return self._latest(StructureAnnounced)

    @property
    def replacements(self) -> list[QualifierReplaced]:
        """Return the replaced qualifiers, in order of notice."""
        return list(self.alive(self._noted(QualifierReplaced)))

    @property
    def bracket_drawn(self) -> tuple[int, BracketDrawn] | None:
        """Return the bracket in play, with the position of its entry. Return None if no bracket was drawn."""
        return self._latest_noted(BracketDrawn)

    @property
    def brackets_drawn(self) -> list[tuple[int, BracketDrawn]]:
        """Return the brackets in play with the positions of their entries: one, or one for each division with its
        own bracket.
        """
        drawn = {fact.division: (position, fact) for position, fact in self.counting(BracketDrawn)}
        return sorted(drawn.values(), key=lambda found: found[0])

    @property
    def closing(self) -> TournamentClosed | None:
        return self._latest(TournamentClosed)

    @property
    def policies_changed(self) -> dict[str, tuple[int, str]]:
        """Return the policies that were changed during the event, each with its last counting entry and its
        value.
        """
        return {fact.flag: (position, fact.value) for position, fact in self.counting(PolicyChanged)}

    @property
    def divisions_decided(self) -> DivisionsDecided | None:
        """Return the last decision on whether the divisions play separately, or None."""
        return self._latest(DivisionsDecided)

    @property
    def flights_drawn(self) -> list[tuple[int, FlightsDrawn]]:
        """Return the flights of each division that was drawn into flights, with the positions of the entries."""
        return list({fact.division: (at, fact) for at, fact in self.counting(FlightsDrawn)}.values())

    @property
    def flights_joined(self) -> list[FlightJoined]:
        """Return the players who joined a flight after the draw, in that order, each with the last counting
        entry.
        """
        joined = {fact.player: fact for fact in self.alive(self._noted(FlightJoined)) if self._is_in(fact.player)}
        return list(joined.values())

    @property
    def flight_numbers(self) -> dict[int, int]:
        """Return the number of each player's flight. Every flight of every division has its own number."""
        numbers: dict[int, int] = {}
        for _, drawn in self.flights_drawn:
            first = 1 + max(numbers.values(), default=0)
            dealt = {
                player: first + place
                for place, flight in enumerate(drawn.flights)
                for player in flight
                if (self.players[player].division or "").casefold() == drawn.division
            }
            joined = {
                fact.player: first + fact.flight - 1
                for fact in self.flights_joined
                if (self.players[fact.player].division or "").casefold() == drawn.division
            }
            numbers |= dealt | joined
        return numbers

    def _is_in(self, player: int) -> bool:
        return player in self.players and not self.is_dead(self.players[player].position)

    @property
    def fixed_tables(self) -> dict[int, int]:
        """Return the players with a fixed table in every Swiss round, and their tables."""
        last = {fact.player: fact.table for fact in self.alive(self._noted(TableFixed))}
        return {player: table for player, table in last.items() if table is not None}

    @property
    def first_tables(self) -> dict[str, int]:
        """Return the number of the first table for each division with its own range of tables."""
        return {fact.division.casefold(): fact.first for fact in self.alive(self._noted(TablesNumbered))}

    @property
    def byes_awarded(self) -> dict[int, ByesAwarded]:
        """Return the last award of byes to each player, even if the player left."""
        return {fact.player: fact for fact in self.alive(self._noted(ByesAwarded))}

    def awarded_byes(self, round_: int) -> list[int]:
        """Return the players with an awarded bye in a Swiss round, in order of registration."""
        last = self.byes_awarded
        return sorted(player for player, fact in last.items() if round_ <= fact.rounds and self._is_in(player))

    @property
    def overview_filed(self) -> tuple[int, OverviewFiled] | None:
        """Return the overview that was sent last, with the position of its entry, or None."""
        return self._latest_noted(OverviewFiled)

    @property
    def postings(self) -> list[tuple[int, StandingsPosted]]:
        """Return every posting of standings with its position. A retraction does not undo a posting."""
        return list(self._noted(StandingsPosted))

    @property
    def pairings_posted(self) -> list[tuple[int, PairingsPosted]]:
        """Return every posting of pairings with its position. A retraction does not undo a posting."""
        return list(self._noted(PairingsPosted))

    @property
    def checkpoints(self) -> list[tuple[int, CheckpointSigned]]:
        """Return every signed checkpoint with its position. A retraction does not undo a signature."""
        return list(self._noted(CheckpointSigned))

    @property
    def cosignatures(self) -> list[tuple[int, CheckpointCosigned]]:
        """Return every cosignature of a witness with its position."""
        return list(self._noted(CheckpointCosigned))

    @property
    def desk_calls(self) -> list[tuple[int, DeskCalled]]:
        """Return every call to the desk that was not retracted, with its position."""
        return self.counting(DeskCalled)

    @property
    def slips_refused(self) -> list[tuple[int, SlipRefused]]:
        """Return every refused slip that contradicts a result and was not retracted, with its position."""
        return self.counting(SlipRefused)

    @property
    def call_answers(self) -> list[tuple[int, CallAnswered]]:
        """Return every answer to a call that was not retracted, with its position."""
        return self.counting(CallAnswered)

    def deck_checks(self, player: int) -> list[tuple[int, DeckChecked]]:
        """Return every counting check of a player's deck, with the positions of the entries."""
        return [(position, fact) for position, fact in self.counting(DeckChecked) if fact.player == player]

    @property
    def imports(self) -> list[FileImported]:
        return [fact for _, fact in self._noted(FileImported)]

    @property
    def live_from(self) -> int | None:
        """Return the position after which the event was run here: 0, unless a file with rounds was imported.

        The program does not judge the contents of an imported file. The event is live again from the first
        announcement after the file; before that announcement, return None.
        """
        if all(fact.roster for fact in self.imports):
            return 0
        return next((position for position, _ in self.counting(StructureAnnounced)), None)

    @property
    def is_live(self) -> bool:
        """Return whether the rules and the announcement apply to the next step."""
        return self.live_from is not None

    def was_live(self, position: int) -> bool:
        """Return whether an entry was recorded while the event was run here."""
        return self.live_from is not None and position > self.live_from

    def person_of(self, player: int) -> Person:
        """Return a player's data from the last counting correction, or otherwise from the registration."""
        known = self.entered_as.get(player, self.players[player]).person
        corrected = reversed(self.counting(PersonCorrected))
        return next((fact.person for _, fact in corrected if fact.player == player), known)

    def names_of(self, player: int) -> list[str]:
        """Return every name of a player, the present name first."""
        earlier = [fact.person.name for _, fact in self._noted(PersonCorrected) if fact.player == player]
        entered = self.entered_as.get(player, self.players[player])
        return list(dict.fromkeys([self.players[player].name, entered.name, *earlier]))

    def division_in(self, player: int) -> str | None:
        """Return a player's division from the last counting change, or else from the registration, or None without
        a division.
        """
        known = self.entered_as.get(player, self.players[player]).division
        changed = reversed(self.counting(DivisionChanged))
        return next((fact.division for _, fact in changed if fact.player == player), known)

    def corrected_at(self, position: int) -> int | None:
        """Return the player whose data an entry corrected, or None."""
        found: list[tuple[int, PersonCorrected | DivisionChanged]] = [
            *self._noted(PersonCorrected),
            *self._noted(DivisionChanged),
        ]
        return next((fact.player for at, fact in found if at == position), None)

    def rematch_allowed(self, round_: int, first: int, second: int) -> bool:
        return any(
            fact.round == round_ and set(fact.players) == {first, second}
            for fact in self.alive(self._noted(RematchAllowed))
        )

    def every(self, kind: type[Kept]) -> list[tuple[int, Kept]]:
        """Return every fact of a kind with its position, retracted or not."""
        return list(self._noted(kind))

    def _noted(self, kind: type[Kept]) -> list[tuple[int, Kept]]:
        """Return every fact of a kind with its position, in order, retracted or not."""
        return self._kept.get(kind, [])

    def counting(self, kind: type[Kept]) -> list[tuple[int, Kept]]:
        """Return every counting fact of a kind with its position, in order."""
        return [(position, fact) for position, fact in self._noted(kind) if not self.is_dead(position)]

    def _latest_noted(self, kind: type[Kept]) -> tuple[int, Kept] | None:
        """Return the last counting fact of a kind, with its position, or None."""
        return next((found for found in reversed(self._noted(kind)) if not self.is_dead(found[0])), None)

    def _latest(self, kind: type[Kept]) -> Kept | None:
        found = self._latest_noted(kind)
        return None if found is None else found[1]

    def _keep(self, position: int, fact: Fact) -> None:
        """Store a fact by its kind, until a view reads it. Most facts need nothing else."""
        self._kept.setdefault(type(fact), []).append((position, fact))
