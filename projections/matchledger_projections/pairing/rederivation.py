"""Rederivation: repeat every draw in a log from the earlier entries, and compare the result with the log.

A seed in a round or a tie claims that chance decided it. Anyone with the secret can repeat the draw, and after the
closing everybody has it. Without the secret, the check trusts the recorded seed, and checks only what follows from
the seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import (
    BeaconRead,
    BracketDrawn,
    DrawBasisFixed,
    Entry,
    FlightJoined,
    FlightsDrawn,
    RematchAllowed,
    RoundPaired,
    Stage,
    TieResolved,
    TournamentClosed,
    TournamentOpened,
)
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.pairing.drawing import Seeds, Unpairable, draw_round, drawn_tie
from matchledger_projections.pairing.footing import groundless, seeds_of, unsound
from matchledger_projections.record.chance import (
    bracket_purpose,
    commitment,
    flights_purpose,
    game_numbers_purpose,
    late_flight_purpose,
    pairing_purpose,
    random_order,
    tie_purpose,
)
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import follows_bracket
from matchledger_projections.stages.bracket_draw import draw_bracket, fields_of
from matchledger_projections.stages.flights import draw_flights, open_flights
from matchledger_projections.standings.crosstable import Crosstable, crosstable

Verdict = Literal["as derived", "entered by hand", "different"]
Unchecked = Literal["beacon signature", "registrations"]
Revelation = Literal["revealed", "not revealed", "not the one committed to", "held here"]
_OTHER_SEED = "its seed is not that of the secret"


class Rederived(Struct, frozen=True):
    """A repeated draw: a Swiss round, or a tie after a round (then `players` are the tied players).

    `bracket` is set for the first games of an elimination stage: the name of its division, or "" for everybody.
    Then `round` is the last Swiss round. If no bracket was drawn, a person entered the games. `flights` names the
    division that was drawn into flights, or the late player who joined a flight, or is "" for other draws.
    `differences` say where the log differs from the repeated draw. `counts` is false for a retracted entry.
    With `stage` "elimination", a round seats other games than the brackets give, so a person entered the games.
    `amendments` are later entries that reseated players, which is allowed, because the check concerns only the
    draw.
    """

    round: int
    position: int
    verdict: Verdict
    players: tuple[int, ...] = ()
    differences: tuple[str, ...] = ()
    counts: bool = True
    amendments: tuple[int, ...] = ()
    flights: str = ""
    bracket: str | None = None
    stage: Stage = "swiss"


class Rederivation(Struct, frozen=True):
    """All draws of a log, in order, and whether the secret behind them could be checked.

    `unchecked` names the inputs of the draws that this check cannot verify.
    """

    revelation: Revelation
    draws: tuple[Rederived, ...]
    unchecked: tuple[Unchecked, ...] = ()

    @property
    def holds(self) -> bool:
        """Return whether every draw gave the same result or was openly made by hand."""
        return self.revelation != "not the one committed to" and all(
            draw.verdict != "different" for draw in self.draws
        )


def rederive(
    entries: Sequence[Entry], *, held: bytes | None = None, leaves: Sequence[bytes] | None = None
) -> Rederivation:
    """Repeat every draw of a log, each from the earlier entries alone.

    `held` is the secret, if the caller knows it before it is published. `leaves` are the leaf hashes of the
    entries. Without leaf hashes, the check trusts the digests of the registrations.
    """
    revelation, secret = _secret(entries, held)
    record = Record()
    found = list(_Log(record, secret, leaves).rederived(entries))
    unchecked: list[Unchecked] = ["beacon signature"] if record.every(BeaconRead) else []
    if leaves is None and record.every(DrawBasisFixed):
        unchecked.append("registrations")
    return Rederivation(revelation, tuple(_with_what_came_of_it(record, draw) for draw in found), tuple(unchecked))


def _secret(entries: Iterable[Entry], held: bytes | None) -> tuple[Revelation, bytes | None]:
    committed = ""
    revealed: list[bytes] = []
    for entry in entries:
        match entry.fact:
            case TournamentOpened():
                committed = entry.fact.commitment
            case TournamentClosed():
                revealed.append(bytes.fromhex(entry.fact.secret))
    if not revealed:
        is_held = held is not None and commitment(held) == committed
        return ("held here", held) if is_held else ("not revealed", None)
    secret = next((secret for secret in reversed(revealed) if commitment(secret) == committed), None)
    return ("not the one committed to", revealed[-1]) if secret is None else ("revealed", secret)


def _with_what_came_of_it(record: Record, draw: Rederived) -> Rederived:
    round_ = None if draw.players or draw.flights else record.paired_at(draw.position)
    return replace(
        draw,
        counts=not record.is_dead(draw.position),
        amendments=() if round_ is None else tuple(position for position, _ in round_.amendments),
    )


class _Log:
    """A log that is read again: the record before each draw, and the entries of that draw."""

    def __init__(self, record: Record, secret: bytes | None, leaves: Sequence[bytes] | None) -> None:
        self._record = record
        self._secret = secret
        self._leaves = leaves
        self._false_basis: list[str] = []
        self._false_mixtures: list[str] = []
        self._held: list[Entry] = []

    def rederived(self, entries: Iterable[Entry]) -> Iterator[Rederived]:
        for entry in entries:
            if self._held and self._held[-1].command != entry.command:
                yield from self._let_go()
            self._look_at_ground(entry)
            match entry.fact:
                case TieResolved() | RematchAllowed():
                    self._held.append(entry)
                    continue
                case RoundPaired(stage="swiss"):
                    yield self._round(entry.position, entry.fact)
                case RoundPaired(stage="elimination"):
                    yield from self._by_hand(entry.position, entry.fact)
                case BracketDrawn():
                    yield self._bracket(entry.position, entry.fact)
                case FlightsDrawn():
                    yield self._flights(entry.position, entry.fact)
                case FlightJoined():
                    found = self._joined(entry.position, entry.fact)
                    if (
                        entry.fact.seed is not None or found.verdict == "different"
                    ):  # otherwise nothing was drawn in the round
                        yield found
            yield from self._let_go()
            self._record.apply(entry)
        yield from self._let_go()

    def _let_go(self) -> Iterator[Rederived]:
        """Apply the entries that waited, and yield the draw of each tie among them."""
        held, self._held = self._held, []
        for entry in held:
            if isinstance(entry.fact, TieResolved) and entry.fact.seed is not None:
                yield self._tie(entry.position, entry.fact)
            self._record.apply(entry)

    def _tie(self, position: int, tie: TieResolved) -> Rederived:
        seeds = self._seeds(tie.round + 1, {tie_purpose(tie.round, tie.players): tie.seed or ""})
        drawn = drawn_tie(tie.players, tie.round, seeds(tie_purpose(tie.round, tie.players)))
        differences = self._groundless + ([] if drawn.seed == tie.seed else [_OTHER_SEED])
        if drawn.players != tie.players:
            differences.append(f"in order of the draw: {', '.join(self._names(drawn.players))}")
        return Rederived(tie.round, position, _verdict(differences), tie.players, tuple(differences))

    def _bracket(self, position: int, drawn: BracketDrawn) -> Rederived:
        through = self._last_before_bracket()
        grounds = self._groundless if drawn.seed is not None else []
        differences = (*grounds, *self._bracket_differences(drawn, through))
        return Rederived(through, position, _verdict(differences), (), differences, bracket=drawn.division or "")

    def _by_hand(self, position: int, paired: RoundPaired) -> Iterator[Rederived]:
        """Yield a first round without a bracket, or a round that has other games than the brackets give."""
        if self._record.bracket_drawn is None:
            if paired.round == 1:
                yield Rederived(self._last_before_bracket(), position, "entered by hand", bracket="")
            return
        if follows_bracket(self._record, paired):
            return
        games = [self._names(seating.players) for seating in paired.tables]
        games += [self._names([bye.player]) for bye in paired.byes]
        said = f"its games are not those of the bracket: {', '.join(map(_seated, games))}"
        yield Rederived(paired.round, position, "entered by hand", (), (said,), stage="elimination")

    def _last_before_bracket(self) -> int:
        return self._record.cut.round if self._record.cut is not None else 0

    def _bracket_differences(self, drawn: BracketDrawn, through: int) -> Iterator[str]:
        players = dict(fields_of(self._record)).get(drawn.division, ())
        if len(players) < 2:  # noqa: PLR2004 - a game has two players
            yield "nobody was there to be drawn"
            return
        recorded = {bracket_purpose(players): drawn.seed or ""}
        recorded |= {game_numbers_purpose(players): drawn.numbers_seed or ""}
        derived = draw_bracket(self._record, drawn.division, players, self._seeds(through + 1, recorded))
        if drawn.method != derived.method:
            yield f"it was drawn by {drawn.method}, derived {derived.method}"
        if (drawn.seed, drawn.numbers_seed) != (derived.seed, derived.numbers_seed):
            yield _OTHER_SEED
        for number, (was, ought) in enumerate(zip_longest(drawn.games, derived.games, fillvalue=()), 1):
            if was != ought:
                yield f"game {number}: {_seated(self._names(was))}, derived {_seated(self._names(ought))}"

    def _flights(self, position: int, drawn: FlightsDrawn) -> Rederived:
        players = [player for flight in drawn.flights for player in flight]
        purpose = flights_purpose(drawn.division, len(drawn.flights), players)
        seed = self._seeds(1, {purpose: drawn.seed})(purpose)
        differences = self._groundless + ([] if seed.hex() == drawn.seed else [_OTHER_SEED])
        derived = draw_flights(players, [len(flight) for flight in drawn.flights], seed)
        differences += [
            f"flight {number}: derived {', '.join(self._names(due))}"
            for number, (flight, due) in enumerate(zip(drawn.flights, derived, strict=True), 1)
            if flight != due
        ]
        found = Rederived(0, position, _verdict(differences), (), tuple(differences))
        return replace(found, flights=drawn.division or "the field")

    def _joined(self, position: int, joined: FlightJoined) -> Rederived:
        latest = self._record.latest_round()
        purpose = late_flight_purpose(joined.player)
        round_ = latest.number if latest is not None else 1
        division = division_of(self._record, joined.player)
        drawn = next((fact for _, fact in self._record.flights_drawn if fact.division == division), None)
        choices = open_flights(self._record, drawn) if drawn is not None else []
        differences = []
        if len(choices) > 1:
            differences += self._groundless_for(joined.player)
            seed = self._seeds(round_, {purpose: joined.seed or ""})(purpose)
            choices = random_order(seed, choices)
            if seed.hex() != joined.seed:
                differences.append(_OTHER_SEED)
        elif joined.seed is not None:
            differences.append("it has a seed, and there was nothing to draw")
        due = next(iter(choices), None)
        if due != joined.flight:
            differences.append(f"flight {joined.flight}, derived {due}")
        found = Rederived(round_, position, _verdict(differences), (), tuple(differences))
        return replace(found, flights=self._names([joined.player])[0])

    def _round(self, position: int, paired: RoundPaired) -> Rederived:
        if paired.seed is None:
            return Rederived(paired.round, position, "entered by hand")
        differences = (*self._groundless, *self._differences(paired))
        return Rederived(paired.round, position, _verdict(differences), (), differences)

    def _differences(self, paired: RoundPaired) -> Iterator[str]:
        held = [entry.fact for entry in self._held]
        recorded = {pairing_purpose(paired.round): paired.seed or ""}
        recorded |= {pairing_purpose(paired.round, pool.name): pool.seed for pool in paired.pools}
        recorded |= {
            tie_purpose(fact.round, fact.players): fact.seed or "" for fact in held if isinstance(fact, TieResolved)
        }
        table = crosstable(self._record, self._record.rulebook, paired.round - 1)
        try:
            drawn = draw_round(
                self._record,
                paired.round,
                self._seeds(paired.round, recorded, table),
                table,
                allow_rematch=any(isinstance(fact, RematchAllowed) for fact in held),
            )
        except Unpairable as problem:
            yield str(problem)
            return
        *before, derived = drawn.facts
        assert isinstance(derived, RoundPaired)  # noqa: S101 - the last fact of a drawn round is the pairing
        yield from self._compared(paired, derived)
        if before != held:
            yield "the ties drawn or the rematches allowed with it are others"

    def _compared(self, paired: RoundPaired, derived: RoundPaired) -> Iterator[str]:
        if paired.seed != derived.seed or paired.pools != derived.pools:
            yield _OTHER_SEED
        was = {seating.table: self._names(seating.players) for seating in paired.tables}
        ought = {seating.table: self._names(seating.players) for seating in derived.tables}
        for table in sorted(was.keys() | ought.keys()):
            if was.get(table) != ought.get(table):
                yield f"table {table}: {_seated(was.get(table))}, derived {_seated(ought.get(table))}"
        byes, due = ([bye.player for bye in fact.byes] for fact in (paired, derived))
        if byes != due:
            yield f"bye: {_seated(self._names(byes))}, derived {_seated(self._names(due))}"

    @property
    def _groundless(self) -> list[str]:
        """Return the reasons why a draw at this point of the log cannot be trusted: missing or false inputs."""
        return self._groundless_for(None)

    def _groundless_for(self, late: int | None) -> list[str]:
        missing = groundless(self._record, late)
        return [*self._false_basis, *self._false_mixtures, *([] if missing is None else [missing])]

    def _look_at_ground(self, entry: Entry) -> None:
        found = list(unsound(self._record, entry, self._leaves))
        if isinstance(entry.fact, DrawBasisFixed):  # a later digest replaces an earlier one
            self._false_basis = found
        else:
            self._false_mixtures += found

    def _seeds(self, round_: int, recorded: Mapping[str, str], table: Crosstable | None = None) -> Seeds:
        if self._secret is not None:
            return seeds_of(self._record, round_, self._secret, table)
        return lambda purpose: bytes.fromhex(recorded.get(purpose, ""))

    def _names(self, players: Iterable[int]) -> list[str]:
        known = self._record.players
        return [known[player].name if player in known else f"#{player}" for player in players]


def _verdict(differences: Sequence[str]) -> Verdict:
    return "different" if differences else "as derived"


def _seated(names: Sequence[str] | None) -> str:
    return " - ".join(names) if names else "nobody"
