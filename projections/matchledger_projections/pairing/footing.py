"""Footing: the inputs of a tournament's draws, their seeds, and who could have chosen them."""

from __future__ import annotations

import binascii
import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec import Struct

from matchledger.events import (
    BeaconNamed,
    BeaconRead,
    BracketDrawn,
    ByesAwarded,
    Chain,
    CutMade,
    Derivation,
    DivisionChanged,
    DivisionsDecided,
    DrawBasisFixed,
    Entry,
    EntryRetracted,
    FlightJoined,
    FlightsDrawn,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    PolicyChanged,
    RoundPaired,
    StructureAnnounced,
    TieResolved,
    TournamentClosed,
    WordPledged,
    WordsOpened,
)
from matchledger_projections.document import PlayerName
from matchledger_projections.record.chance import (
    derivation_of,
    draw_seed,
    out_at,
    randomness,
    registrations_digest,
    results_digest,
    word_digest,
)
from matchledger_projections.record.record import Record
from matchledger_projections.standings.crosstable import Crosstable, crosstable

OpenTo = Literal[
    "organizer",
    "organizer with all contributors",
    "everybody who reports a result",
    "nobody, if the beacon is genuine and was named in time",
]


class Registrations(Struct, frozen=True):
    """The digest of the entries that entered players, and the entry with the digest."""

    entry: int
    players: int
    digest: str


class Words(Struct, frozen=True):
    """Words that players pledged and that one entry opened together.

    The log cannot show that words `on_paper` were chosen beforehand, but people who saw the papers opened can.
    """

    entry: int
    players: tuple[PlayerName, ...]
    on_paper: tuple[PlayerName, ...]
    unopened: tuple[PlayerName, ...]


class Witnessed(Struct, frozen=True):
    """A witness's cosignature: the entry with it, the witness's key, and the time of the witness's clock."""

    entry: int
    key: str
    at: datetime


class Beacon(Struct, frozen=True):
    """A round of a public beacon: the entry that named it, and the entry that read it (null before).

    `out_at` is the time of the round's publication. The log's own clock cannot show that the round was named before
    `out_at`. The cosignature `witnessed` can show it: a witness saw the naming entry before `out_at`, if the
    cosignature is valid, which `verify` checks. matchledger does not check the beacon's signature; `signature` says
    so.
    """

    chain: Chain
    number: int
    named: int
    read: int | None
    out_at: datetime
    witnessed: Witnessed | None
    signature: Literal["not checked"] = "not checked"


class Footing(Struct, frozen=True):
    """The inputs of a draw besides the points: the organizer's secret, registrations, words and beacons.

    `commitment` is the SHA-256 of the secret. `open_to` says who could have chosen the draw. The organizer could
    choose the draw in each of these cases: a pledged word was not opened or was taken back; a beacon round was
    not read, or was taken back when its value may have been known; players came later (`entered_since`); later
    entries changed who is drawn (`moved_since`); or a word or a beacon round was added after another was known.
    `revealed` is the entry of an earlier closing that was taken back: since then the secret is public, and
    everybody can compute the next draw for each result.
    """

    derivation: Derivation
    commitment: str
    registrations: Registrations | None
    words: tuple[Words, ...]
    beacons: tuple[Beacon, ...]
    entered_since: int
    open_to: OpenTo
    moved_since: int
    revealed: int | None


def entrances(record: Record) -> list[int]:
    """The positions of the entries that entered players, including retracted ones."""
    return [player.position for player in record.players.values()]


def pledges(record: Record) -> dict[int, WordPledged]:
    """The pledges that are not opened yet, by player."""
    last = max((position for position, _ in record.every(WordsOpened)), default=0)
    waiting = (
        fact for position, fact in record.every(WordPledged) if position > last and not record.is_dead(position)
    )
    return {fact.player: fact for fact in waiting}


def beacons(record: Record) -> list[Beacon]:
    """The named beacon rounds, in order."""
    read = {(fact.chain, fact.number): position for position, fact in record.counting(BeaconRead)}
    found = []
    for position, fact in record.counting(BeaconNamed):
        out = out_at(fact.chain, fact.number)
        reading = read.get((fact.chain, fact.number))
        found.append(Beacon(fact.chain, fact.number, position, reading, out, _witnessed(record, position, out)))
    return found


def drawn_after(record: Record, position: int) -> int | None:
    """Return the first entry after a position that made a draw, even if the entry was retracted, or None."""
    drawn: list[tuple[int, FlightsDrawn | FlightJoined | BracketDrawn | TieResolved]] = [
        *record.every(FlightsDrawn),
        *record.every(FlightJoined),
        *record.every(BracketDrawn),
        *record.every(TieResolved),
    ]
    seeds = {at: fact.seed for at, fact in drawn}
    for at in range(position + 1, record.position + 1):
        paired = record.paired_at(at) if record.kind_at(at) is RoundPaired else None
        if seeds.get(at) or (paired is not None and paired.seed):
            return at
    return None


def _is_choice_of_beacon(record: Record, named: Sequence[Beacon]) -> bool:
    """Return whether the organizer could choose between beacon rounds whose values were known.

    A naming that was taken back leaves no choice if a round with an earlier publication was named afterwards: proof
    that the later naming was in time also proves that the value of the retracted round was unknown.
    """
    retracted = [(at, record.root_of(at)) for at in record.retractions]
    for position, fact in record.every(BeaconNamed):
        by = [at for at, root in retracted if root == position]
        later = any(
            one.named > min(by) and one.out_at <= out_at(fact.chain, fact.number) for one in named if len(by) == 1
        )
        if by and not later:
            return True
    return False


def _witnessed(record: Record, position: int, before: datetime) -> Witnessed | None:
    """The first cosignature that covers an entry and comes before a moment by the witness's clock, or None."""
    sizes = {at: _size(fact.note) for at, fact in record.checkpoints}
    for entry, fact in record.cosignatures:
        at = _cosigned_at(fact.line)
        if sizes.get(fact.checkpoint, 0) >= position and at is not None and at < before:
            return Witnessed(entry, fact.key, at)
    return None


def _size(note: str) -> int:
    """The number of entries in a checkpoint: its second line, or 0 for another text."""
    size = note.split("\n")[1:2]
    return int(size[0]) if size and size[0].isdecimal() else 0


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _cosigned_at(line: str) -> datetime | None:
    """The time in a cosignature: after the key's id of 4 bytes, 8 bytes of seconds. None for another text."""
    try:
        seconds = binascii.a2b_base64(line.rpartition(" ")[2], strict_mode=True)[4:12]
        return _EPOCH + timedelta(seconds=int.from_bytes(seconds, "big"))
    except (ValueError, OverflowError):
        return None


def footing(record: Record) -> Footing:
    """The inputs of a draw from a record."""
    bases = [Registrations(at, fact.registered, fact.registrations) for at, fact in record.every(DrawBasisFixed)]
    opened = tuple(_words(record, position, fact) for position, fact in record.every(WordsOpened))
    named = tuple(beacons(record))
    entered = entrances(record)
    fixed_at = max([*(one.entry for one in opened), *(one.named for one in named)], default=0)
    since = sum(position > fixed_at for position in entered) if fixed_at else 0
    left_out = any(one.unopened for one in opened) or any(one.read is None for one in named)
    left_out = left_out or bool(pledges(record)) or any(record.is_dead(at) for at, _ in record.every(WordPledged))
    left_out = left_out or _is_choice_of_beacon(record, named)
    moved = _moved(record, fixed_at) if fixed_at else 0
    last = max(entered, default=0)
    open_to: OpenTo = "organizer"
    revealed = min((at for at, _ in record.every(TournamentClosed)), default=None)
    if revealed is not None:
        open_to = "everybody who reports a result"
    elif derivation_of(record) > 1 and not (left_out or moved) and not _is_added_to(record, opened, named):
        if len(named) == 1 and named[0].named > last and not _follow(record, opened, named[0]):
            open_to = "nobody, if the beacon is genuine and was named in time"
        elif any(one.entry > last for one in opened):
            open_to = "organizer with all contributors"
    return Footing(
        derivation=derivation_of(record),
        commitment="" if record.opening is None else record.opening.commitment,
        registrations=bases[-1] if bases else None,
        words=opened,
        beacons=named,
        entered_since=since,
        open_to=open_to,
        moved_since=moved,
        revealed=revealed,
    )


_ENTERING = (PlayerRegistered, PlayerArrivedLate)
# Besides registrations, these facts change the draw.
_MOVES = (
    ByesAwarded,
    DivisionChanged,
    DivisionsDecided,
    FlightsDrawn,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRejoined,
    PolicyChanged,
    StructureAnnounced,
)


def _moved(record: Record, position: int) -> int:
    """Return the entries after a position that change who is drawn, including retractions of such entries."""
    later = range(position + 1, record.position + 1)
    kinds = [(at == record.root_of(at), record.kind_at(record.root_of(at))) for at in later]
    entering = sum(at > position for at in entrances(record))
    found = sum(
        kind is not None and issubclass(kind, (*_MOVES, *_ENTERING) if is_root else (*_MOVES, *_ENTERING, CutMade))
        for is_root, kind in kinds
    )
    cuts = sum(at > position and not _is_announced(record, cut) for at, cut in record.every(CutMade))
    return found + cuts - entering


def _is_announced(record: Record, cut: CutMade) -> bool:
    """Return whether the announced structure has a cut of this size, so that nobody chose the size later."""
    announced = record.structure
    if announced is None:
        return False
    sizes = announced.division_cuts
    return len(cut.seeds) == (announced.cut if cut.division is None else sizes.get(cut.division, announced.cut))


def _is_added_to(record: Record, opened: Sequence[Words], named: Sequence[Beacon]) -> bool:
    """Return whether a word or a beacon was added after the value of another was known, so that the organizer
    could try out draws.
    """
    known = min([*(one.entry for one in opened), *(at for at, _ in record.every(BeaconRead))], default=0)
    return any(at > known for at in [*_mixed_in(record, opened), *(one.named for one in named)]) if known else False


def _follow(record: Record, opened: Sequence[Words], beacon: Beacon) -> bool:
    """Return whether a player may have chosen a word after the beacon round was published: on paper, or pledged
    after the beacon was named.
    """
    return any(one.on_paper for one in opened) or any(at > beacon.named for at in _mixed_in(record, opened))


def _mixed_in(record: Record, opened: Sequence[Words]) -> list[int]:
    """The pledges of the words that were opened."""
    last = max((one.entry for one in opened), default=0)
    return [at for at, _ in record.every(WordPledged) if at < last and not record.is_dead(at)]


def _words(record: Record, position: int, fact: WordsOpened) -> Words:
    pledged = {
        pledge.player: pledge.digest
        for at, pledge in record.every(WordPledged)
        if at < position and not record.is_dead(at)
    }
    players = tuple(one.player for one in fact.words)
    on_paper = tuple(player for player in players if pledged.get(player) is None)
    return Words(position, players, on_paper, fact.unopened)


def unsound(record: Record, entry: Entry, leaves: Sequence[bytes] | None) -> Iterator[str]:
    """Yield the problems of an entry that gives an input of the draws, after the entries of a record. Other
    entries have no problems.

    `leaves` are the leaf hashes of the log, from the first entry. Without leaf hashes, no digest of registrations
    can be checked.
    """
    match entry.fact:
        case DrawBasisFixed(registrations=digest, registered=registered):
            entered = entrances(record)
            if len(entered) != registered:
                yield f"the digest of the registrations in entry {entry.position} leaves some out"
            elif leaves is not None and registrations_digest(leaves[at - 1] for at in entered) != digest:
                yield f"the digest of the registrations in entry {entry.position} is not that of the log"
        case WordsOpened() as opened:
            yield from _false_words(record, opened, entry.position)
        case _:
            yield from _false_beacon(record, entry)


def _false_beacon(record: Record, entry: Entry) -> Iterator[str]:
    match entry.fact:
        case BeaconNamed(chain=chain, number=number):
            if out_at(chain, number) <= entry.recorded_at:
                yield f"the beacon round in entry {entry.position} was out when it was named"
        case BeaconRead(chain=chain, number=number):
            if not any((one.chain, one.number, one.read) == (chain, number, None) for one in beacons(record)):
                yield f"the beacon round in entry {entry.position} was not named beforehand"
        case EntryRetracted(retracts=position) if record.kind_at(record.root_of(position)) is BeaconRead:
            if drawn_after(record, record.root_of(position)) is not None:
                yield f"the beacon round that entry {entry.position} takes back was used in a draw"
        case _:
            pass


def _false_words(record: Record, opened: WordsOpened, position: int) -> Iterator[str]:
    pledged = pledges(record)
    for one in opened.words:
        pledge = pledged.pop(one.player, None)
        if pledge is None or pledge.digest not in (None, word_digest(one.word)):
            yield f"a word in entry {position} is not the one that was pledged"
    if pledged.keys() != set(opened.unopened):
        yield f"entry {position} hides words that were not opened"


def groundless(record: Record, late: int | None = None) -> str | None:
    """Return the reason why a draw cannot be made from a record: its inputs are not all in the log. Return None
    if the log has all inputs.

    A player who comes `late` is registered by the same command that draws the flight, so the digest may lack
    this one registration.
    """
    if derivation_of(record) == 1:
        return None
    bases, entered = record.every(DrawBasisFixed), entrances(record)
    enough = {len(entered)}
    if late is not None and record.players[late].position == max(entered):
        enough.add(len(entered) - 1)
    if not bases or bases[-1][1].registered not in enough:
        return "it rests on no digest of all registrations before it"
    return None


def seeds_of(record: Record, round_: int, secret: bytes, table: Crosstable | None = None) -> Callable[[str], bytes]:
    """The seeds of all draws for a round, by their purposes. `table` is the crosstable before that round, if
    known.
    """
    if derivation_of(record) == 1:
        digests = [results_digest(record, round_ - 1)]
    else:
        digests = [basis_digest(record), points_digest(table or crosstable(record, record.rulebook, round_ - 1))]
    return lambda purpose: draw_seed(secret, purpose, *digests)


def basis_digest(record: Record) -> str:
    """SHA-256, in hexadecimal, of what draws depend on now: registrations, opened words, and beacon rounds."""
    bases = record.every(DrawBasisFixed)
    lines = [f"registrations {bases[-1][1].registrations}\n"] if bases else []
    for _, opened in record.every(WordsOpened):
        lines += [f"word {one.player} {word_digest(one.word)}\n" for one in opened.words]
    lines += [
        f"beacon {read.chain} {read.number} {randomness(read).hex()}\n" for _, read in record.counting(BeaconRead)
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def points_digest(table: Crosstable) -> str:
    """SHA-256, in hexadecimal, of all Swiss points in a crosstable: a line for each player with points, by number.

    The digest contains nothing else from a result. Rewriting a win as a concession therefore cannot cause a new
    draw.
    """
    lines = [f"{player} {scored}\n" for player, scored in enumerate(table.points) if scored]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
