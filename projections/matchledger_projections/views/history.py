"""Histories: every entry about a player, a match or an entry, and its later fate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, NamedTuple, get_type_hints

from matchledger.events import (
    AnyFact,
    BracketDrawn,
    ByesAwarded,
    CallAnswered,
    CardIncident,
    CheckedIn,
    ClockPaused,
    ClockResumed,
    CutMade,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    DeskCalled,
    DivisionChanged,
    DropAsked,
    Entry,
    EntryRetracted,
    FlightJoined,
    MarkCalled,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PenaltyGiven,
    PersonCorrected,
    PersonErased,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    QualifierReplaced,
    RepairChosen,
    RequestAnswered,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    RulingGiven,
    Seating,
    SlipRefused,
    StaffAssigned,
    Stage,
    StandingsPosted,
    TableFixed,
)
from matchledger_projections.document import As, Citation, Keys, written
from matchledger_projections.message import UsageProblem, no_entry, sentence
from matchledger_projections.narration import tell
from matchledger_projections.narration.names import round_of
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.scoring import points_text, unit_of
from matchledger_projections.views.charts import Number, PlayerNumber
from matchledger_projections.views.sight import Asked, Sight, answers


def _cited(key: str, hint: Any) -> As:
    return As(lambda entry, _: written(getattr(entry, key)), hint)


_CITED = {key: _cited(key, hint) for key, hint in get_type_hints(Citation).items()}


class Touch(NamedTuple):
    """An entry in a history: its content, and whether it still counts.

    `superseded_by` has the corrections of the entry, and `retracted_by` has the retractions of the entry. Both
    include corrections and retractions that no longer count. `counts` is false for a retracted entry and for a
    replaced result. The entry of a refused slip counts until a retraction, although the slip was never a result.
    """

    entry: Annotated[Entry, Keys({**_CITED, "kind": As(lambda entry, _: entry.fact.kind, str)})]
    what: str
    superseded_by: tuple[int, ...]
    retracted_by: tuple[int, ...]
    counts: bool


class HistoryPage(NamedTuple):
    """Every entry about a player, a match or an entry, as `matchledger history --json` prints them."""

    tournament: str
    position: int
    about: str
    entries: tuple[Touch, ...]


def _page(sight: Sight, about: str, touches: Iterable[Touch]) -> HistoryPage:
    return HistoryPage(sight.title, sight.position, about, tuple(touches))


@answers("history/players/{player}")
def player_history(sight: Sight, *, player: PlayerNumber) -> HistoryPage:
    """Every entry about a player, and its later fate."""
    name = sight.record.players[sight.need_player(player)].name
    return _page(sight, name, history_of_player(sight.entries(), sight.record, player))


@answers("history/matches/{stage}/{round_number}/{table}")
def match_history(sight: Sight, *, stage: Stage, round_number: Number, table: Number) -> HistoryPage:
    """Every entry about a match, and its later fate."""
    touches = history_of_table(sight.entries(), sight.record, stage, round_number, table)
    if not touches:
        raise UsageProblem(
            sentence(
                "the log has no entry about table %(table)s of round %(round)s", table=table, round=round_number
            )
        )
    return _page(sight, f"Round {round_number}, table {table}", touches)


@answers("history/entries/{entry}")
def entry_history(
    sight: Sight, *, entry: Annotated[int, Asked("The position of an entry.", least=1, most=10**9)]
) -> HistoryPage:
    """An entry, the entries that it changed, and the entries that changed it."""
    if entry > sight.position:
        raise UsageProblem(no_entry(entry, sight.position))
    entries = sight.entries()
    if all(found.position != entry for found in entries):
        raise UsageProblem(sentence("only the staff may read entry %(position)s", position=entry))
    return _page(sight, f"entry {entry}", history_of_entry(entries, sight.record, entry))


def history_of_player(entries: Sequence[Entry], record: Record, player: int) -> list[Touch]:
    """Return every entry that names a player, and the retractions of these entries, in order."""
    return _history(entries, record, lambda fact: _what_of_player(record, fact, player))


def history_of_table(
    entries: Sequence[Entry], record: Record, stage: Stage, round_: int, table: int
) -> list[Touch]:
    """Return every entry about a match: its pairing, the start of play, the reports, and their later fate.

    If the round has no such table, return no entries, not even entries about the round's clock.
    """
    if not any(_seats_at(entry.fact, stage, round_, table) for entry in entries):
        return []
    return _history(entries, record, lambda fact: _what_of_table(record, fact, stage, round_, table))


def history_of_entry(entries: Sequence[Entry], record: Record, position: int) -> list[Touch]:
    """Return an entry, the entries that it replaced or retracted, and the entries that replaced or retracted it.

    A missing entry in a log with gaps connects no other entries.
    """
    links: dict[int, set[int]] = {}
    there = {entry.position for entry in entries}
    for entry in entries:
        if (other := _names_entry(entry.fact)) in there:
            links.setdefault(entry.position, set()).add(other)
            links.setdefault(other, set()).add(entry.position)
    linked, waiting = {position}, [position]
    while waiting:
        found = links.get(waiting.pop(), set()) - linked
        linked |= found
        waiting += found
    return _told(entries, record, {entry.position: tell(record, entry.fact) for entry in entries}, linked)


def _history(entries: Sequence[Entry], record: Record, what: Callable[[AnyFact], str | None]) -> list[Touch]:
    said = {entry.position: text for entry in entries if (text := what(entry.fact)) is not None}
    for entry in entries:
        if _follows(entry.fact) in said:
            said[entry.position] = tell(record, entry.fact)
    return _told(entries, record, said, said)


def _follows(fact: AnyFact) -> int | None:
    """Return the position of the earlier entry that a fact retracts or answers, or None."""
    match fact:
        case EntryRetracted():
            return fact.retracts
        case CallAnswered():
            return fact.call
        case _:
            return None


def _told(entries: Sequence[Entry], record: Record, said: dict[int, str], wanted: Iterable[int]) -> list[Touch]:
    superseding: dict[int, list[int]] = {}
    retracting: dict[int, list[int]] = {}
    for entry in entries:
        if isinstance(entry.fact, ResultCorrected):
            superseding.setdefault(entry.fact.supersedes, []).append(entry.position)
        elif isinstance(entry.fact, EntryRetracted):
            retracting.setdefault(entry.fact.retracts, []).append(entry.position)
    by_position = {entry.position: entry for entry in entries}
    return [
        Touch(
            by_position[position],
            said[position],
            tuple(superseding.get(position, ())),
            tuple(retracting.get(position, ())),
            _counts(record, by_position[position]),
        )
        for position in sorted(wanted)
    ]


def _counts(record: Record, entry: Entry) -> bool:
    if record.is_dead(entry.position):
        return False
    fact = entry.fact
    if not isinstance(fact, ResultReported | ResultCorrected | MatchConceded | NoShowRecorded):
        return True
    round_ = record.round(fact.round, fact.stage)
    counting = None if round_ is None else round_.report(fact.table, fact.players)
    return counting is not None and counting.position == entry.position


def _names_entry(fact: AnyFact) -> int | None:
    """Return the position of the earlier entry that a fact corrects, retracts or answers, or None."""
    match fact:
        case (
            ResultCorrected(supersedes=earlier)
            | SlipRefused(contradicts=earlier)
            | EntryRetracted(retracts=earlier)
            | RepairChosen(correction=earlier)
            | DeskCalled(disputes=earlier)
            | CallAnswered(call=earlier)
            | RequestAnswered(request=earlier)
            | RulingGiven(reviews=earlier)
        ):
            return earlier
        case _:
            return None


# -- an entry from a player's side


def _what_of_player(record: Record, fact: AnyFact, player: int) -> str | None:
    match fact:
        case RoundPaired():
            return _paired(record, fact, player)
        case StandingsPosted():
            return _posted(record, fact, player)
        case _:
            return tell(record, fact) if player in _named(fact) else None


def _paired(record: Record, fact: RoundPaired, player: int) -> str | None:
    for seating in fact.tables:
        if player in seating.players:
            opponent = seating.players[1] if player == seating.players[0] else seating.players[0]
            return sentence(
                "%(round)s paired: table %(table)s against %(opponent)s",
                round=round_of(fact),
                table=seating.table,
                opponent=record.players[opponent].name,
            )
    if any(bye.player == player for bye in fact.byes):
        return sentence("%(round)s paired: bye", round=round_of(fact))
    return None


def _posted(record: Record, fact: StandingsPosted, player: int) -> str | None:
    row = next((row for row in fact.rows if row.player == player), None)
    if row is None:
        return None
    if row.rank is None:
        place = sentence("without a place")
    elif row.tied:
        place = sentence("at place %(rank)s (tied)", rank=row.rank)
    else:
        place = sentence("at place %(rank)s", rank=row.rank)
    return sentence(
        "standings after round %(round)s posted: %(place)s with %(points)s %(unit)s",
        round=fact.round,
        place=place,
        points=points_text(row.points, record.rulebook.unit),
        unit=unit_of(row.points, record.rulebook.unit),
    )


_OF_A_PLAYER = (
    CheckedIn,
    DropAsked,
    FlightJoined,
    PersonErased,
    PersonCorrected,
    DivisionChanged,
    TableFixed,
    ByesAwarded,
    PlayerDropped,
    PlayerRejoined,
    PlayerDisqualified,
    PenaltyGiven,
    CardIncident,
    DeckSubmitted,
    DeckAmended,
    DeckChecked,
)


def _named(fact: AnyFact) -> Iterable[int]:
    """Return the players whom a fact names, without the pairing of a whole round or a posting."""
    match fact:
        case PlayerRegistered() | PlayerArrivedLate():
            named: Iterable[int] = (fact.number,)
        case _ if isinstance(fact, _OF_A_PLAYER):
            named = (fact.player,)
        case RulingGiven():
            named = fact.players or ()
        case PairingAmended():
            named = (*_seated(fact.removed), *_seated(fact.added), *fact.byes_removed, *fact.byes_added)
        case StaffAssigned(player=int(player)):
            named = (player,)
        case CutMade():
            named = fact.seeds
        case QualifierReplaced():
            named = (fact.player, fact.by, *fact.declined)
        case BracketDrawn():
            named = (player for game in fact.games for player in game)
        case _:
            named = getattr(fact, "players", ())
    return named


def _seated(seatings: Iterable[Seating]) -> Iterator[int]:
    return (player for seating in seatings for player in seating.players)


# -- an entry from a table's side


def _seats_at(fact: AnyFact, stage: Stage, round_: int, table: int) -> bool:
    match fact:
        case RoundPaired(tables=seated) | PairingAmended(added=seated):
            return (fact.stage, fact.round) == (stage, round_) and table in {seating.table for seating in seated}
        case _:
            return False


def _what_of_table(record: Record, fact: AnyFact, stage: Stage, round_: int, table: int) -> str | None:
    if getattr(fact, "stage", None) != stage or getattr(fact, "round", None) != round_:
        return None
    match fact:
        case RoundPaired():
            players = next((seating.players for seating in fact.tables if seating.table == table), ())
            if not players:
                return None
            first, second = (record.players[player].name for player in players)
            return sentence("paired: %(first)s against %(second)s", first=first, second=second)
        case PairingAmended():
            concerned = table in {seating.table for seating in (*fact.removed, *fact.added)}
        case RoundStarted() | ClockPaused() | ClockResumed() | MarkCalled(table=None):
            concerned = True
        case _:
            concerned = getattr(fact, "table", None) == table
    return tell(record, fact) if concerned else None
