"""Undo: take back the last action of a station, or a whole round. Redo restores it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Annotated, ClassVar, get_args
from uuid import UUID

from matchledger.commands.command import Command, Context, Deviating, Text, option
from matchledger.commands.draft import line_of, stamp
from matchledger.commands.refusal import Refusal, need_open
from matchledger.commands.retraction import need_retractable, no_way_back
from matchledger.commands.revival import need_leave, need_settled_again
from matchledger.events import (
    AnyFact,
    BracketDrawn,
    CheckpointCosigned,
    CheckpointSigned,
    ConductFact,
    CopyMerged,
    CutMade,
    DrawBasisFixed,
    Entry,
    EntryRetracted,
    FlightJoined,
    MatchConceded,
    NamesHandedOut,
    NoShowRecorded,
    PairingAmended,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    QualifierReplaced,
    RepairChosen,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    SlipRefused,
    Stage,
    StructureAnnounced,
    TokenAdmitted,
)
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import divisions_apart
from matchledger_projections.message import demanding, sentence
from matchledger_projections.narration import tell
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.views.retraction import window_closed

_LOOKED_AT = 1000  # entries that undo searches. An older action is retracted by its number
# Facts that no user's action records.
_BESIDE = (CheckpointCosigned, CheckpointSigned, DrawBasisFixed, NamesHandedOut, TokenAdmitted)

# A player who leaves, and the effects in the elimination stage. A departure is never taken back without its
# effects.
_LEAVING = (PlayerDisqualified, PlayerDropped, QualifierReplaced)
_EFFECTS = (EntryRetracted, PairingAmended, QualifierReplaced, ResultCorrected, ResultReported)

# One command records a cut or a bracket for each division. If only one division's entry were taken back, that
# division would be left out.
_OF_EACH_DIVISION = (BracketDrawn, CutMade)

# A command that pairs a round or makes a cut beyond the announcement also records a new announcement. If the round
# or cut is taken back, the new announcement is taken back too.
_ANNOUNCED_WITH = (StructureAnnounced, RoundPaired, CutMade, BracketDrawn)

# Facts about persons, which stay if the round in which they happened is undone.
_STAYS = frozenset(get_args(ConductFact))

SLIPS = (ResultReported, NoShowRecorded, MatchConceded, SlipRefused)  # facts that a desk records about a table


def retract_all(
    record: Record,
    entries: list[Entry],
    context: Context,
    *,
    deviating: bool,
    undo: bool = True,
    override: bool = False,
) -> list[AnyFact]:
    """Retract some entries one by one, the last one first. Redo restores what `undo` took back.

    Retracted retractions bring back the entries that they had taken back, if these entries are still possible.

    Raises Refusal at the first entry on which later entries depend. A round, a cut or a closing is restored over
    open questions only if `deviating`.
    """
    work = context.replay(record.position)
    facts: list[AnyFact] = []
    for entry in sorted(entries, key=_from_the_ground_up):
        need_retractable(work, entry, override=override)
        fact = EntryRetracted(retracts=entry.position, undo=undo)
        facts.append(fact)
        tournament = record.tournament or UUID(int=0)
        for stamped in stamp([fact], tournament=tournament, record=work, clerk=context.clerk, command="undo"):
            work.apply(stamped)
    need_leave(record, facts, context)
    need_settled_again(record, facts, deviating=deviating)
    return facts


def _from_the_ground_up(entry: Entry) -> tuple[bool, int]:
    return isinstance(entry.fact, EntryRetracted), -entry.position


def same_command(record: Record, entry: Entry, context: Context) -> list[Entry]:
    """Return the entries of one command that can still be retracted. They include `entry`."""
    return [
        other
        for other in _whole_command(record, entry, context)
        if other.fact.retractable and not record.is_dead(other.position)
    ]


def ending(record: Record, entry: Entry, context: Context) -> Entry:
    """Return the entry that no longer counts after a retraction of `entry`.

    If `entry` is a retraction that restored a second entry, return the position of the second entry. Otherwise
    return the position of `entry`.
    """
    root = record.root_of(entry.position)
    return entry if record.is_dead(root) or record.is_dead(entry.position) else context.entry(root)


def inseparable(record: Record, entry: Entry, context: Context) -> list[Entry]:
    """Return the entries of an action that can only be taken back as a whole, or an empty list for any other
    action.

    One inseparable action is a player's departure with its effect on the bracket: a bye, a result, a new bracket
    or a replacement. Further inseparable actions are a transfer, a merge of registrations, a repair, a late entry
    into a flight, the cuts or brackets of all divisions, and the correction of a no-show with its drop. Taking
    back the retraction of an inseparable action is inseparable too, and so is the retraction of a no-show with
    its drop. An extra round or cut goes with its announcement, and an undo of several entries is one action.
    """
    found = entries = same_command(record, entry, context)
    depth = 0
    while entries and all(isinstance(other.fact, EntryRetracted) for other in entries):
        depth += 1
        entries = [
            context.entry(other.fact.retracts) for other in entries if isinstance(other.fact, EntryRetracted)
        ]
    if isinstance(entry.fact, EntryRetracted) and entry.fact.undo:
        return found if len(found) > 1 else []
    own = next((type(root.fact) for other, root in zip(found, entries, strict=True) if other == entry), None)
    kinds = {type(other.fact) for other in entries}
    linked = _ANNOUNCED_WITH if StructureAnnounced in kinds and own in _ANNOUNCED_WITH else (own,)
    if own in _OF_EACH_DIVISION or len(linked) > 1:
        alike = [other for other, root in zip(found, entries, strict=True) if type(root.fact) in linked]
        return alike if len(alike) > 1 else []
    moved = EntryRetracted in kinds and not kinds.isdisjoint({PlayerRegistered, PairingAmended})
    no_show = depth > 0 and {NoShowRecorded, PlayerDropped} <= kinds
    no_show = no_show or any(_of_no_show(other, context) for other in entries)
    left = not (kinds.isdisjoint(_LEAVING) or kinds.isdisjoint(_EFFECTS))
    whole = left or moved or no_show or not kinds.isdisjoint({FlightJoined, RepairChosen})
    return found if whole and len(found) > 1 else []


def _of_no_show(entry: Entry, context: Context) -> bool:
    """Return whether an entry corrects a no-show: the match was played after all."""
    fact = entry.fact
    return isinstance(fact, ResultCorrected) and isinstance(context.entry(fact.supersedes).fact, NoShowRecorded)


def _whole_command(record: Record, entry: Entry, context: Context) -> list[Entry]:
    found = [entry]
    for step in (-1, 1):
        position = entry.position + step
        while 1 < position <= record.position and (other := context.entry(position)).command == entry.command:
            found.append(other)
            position += step
    return found


class UndoLast(Command):
    """Take back the last action of this station, or a whole round with its slips.

    All slips of one typed line are one action. With `slip`, take back only the last slip, concession or no-show,
    and refuse any other action. With `division`, take back the round of one division that plays apart: its
    pairing stays posted if other divisions play in the round. Without `division`, slips of several divisions that
    play apart are taken back only if `deviating`.
    """

    shown_first: ClassVar = True
    asks: ClassVar = "terminal"
    takes_back: ClassVar = True
    whole_round: Annotated[bool, option("--round", "Undo the whole last round: slips, clock and pairing.")] = False
    division: Annotated[
        Text | None, option("--division", "With --round: only the slips of this division, which plays apart.")
    ] = None
    deviating: Deviating = False
    slip: bool = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        if self.whole_round:
            return _round_back(record, context, self.division, deviating=self.deviating)
        if self.division is not None:
            raise UsageProblem(sentence("a division is only named to undo a whole round"), "division")
        for entry in _to_undo(record, context):
            if self.slip:
                _need_slip(record, same_command(record, entry, context) or [entry])
            last = {entry.command: entry} if self.slip else _same_line(record, entry, context)
            for each in last.values():
                _need_no_lasting(record, each, context)
            taken = [one for each in last.values() for one in same_command(record, each, context)]
            override = any(_overrode(one, context) for one in taken)
            return retract_all(record, taken, context, deviating=self.deviating, override=override)
        need_open(record)
        said = sentence("station %(station)s has nothing to undo", station=context.clerk.station)
        if not record.players:
            said = sentence("%(problem)s: if this tournament was opened by mistake, close it", problem=said)
        raise Refusal(said)


class RedoLast(Command):
    """Bring back the entries that the last undo of this station took back."""

    shown_first: ClassVar = True
    asks: ClassVar = "terminal"
    takes_back: ClassVar = True
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        if (last := last_undo(record, context)) is not None:
            back = same_command(record, last, context)
            override = any(_overrode(one, context) for one in back)
            return retract_all(record, back, context, deviating=self.deviating, override=override)
        need_open(record)
        said = sentence(
            "station %(station)s has nothing to redo: its last action was not an undo",
            station=context.clerk.station,
        )
        if (earlier := _earlier_undo(record, context)) is not None:
            said = sentence(
                "%(problem)s. To take back the station's earlier undo, retract entry %(entry)s (%(said)s)",
                problem=said,
                entry=earlier.position,
                said=tell(record, earlier.fact),
            )
        raise Refusal(said)


def last_action(record: Record, context: Context) -> list[Entry]:
    """Return the entries that an undo of the station would take back, or an empty list without any."""
    last = next(_to_undo(record, context), None)
    if last is None:
        return []
    return [
        one for each in _same_line(record, last, context).values() for one in same_command(record, each, context)
    ]


def last_undo(record: Record, context: Context) -> Entry | None:
    """Return the last undo of the station that a redo would take back. Return None after any other action."""
    for entry in _of_station(record, context):
        if record.is_dead(entry.position):
            continue
        if not isinstance(entry.fact, EntryRetracted) or not entry.fact.undo:
            return None
        if not _is_undo(context.entry(entry.fact.retracts)):
            return entry
    return None


def undone_pairing(record: Record, context: Context) -> Entry | None:
    """Return the station's undo of the last round, if nobody has paired this round again. Otherwise None."""
    for entry in _of_station(record, context):
        if not isinstance(entry.fact, EntryRetracted) or not _is_undo(entry) or record.is_dead(entry.position):
            continue
        undone = record.paired_at(entry.fact.retracts)
        if undone is not None:
            return entry if record.round(undone.number, undone.stage) is None else None
    return None


def _earlier_undo(record: Record, context: Context) -> Entry | None:
    """Return an entry of the station's last undo that still counts, or None."""
    for entry in _of_station(record, context):
        undone = entry.fact.retracts if isinstance(entry.fact, EntryRetracted) else entry.position
        if _is_undo(entry) and not record.is_dead(entry.position) and not _is_undo(context.entry(undone)):
            return entry
    return None


def _of_station(record: Record, context: Context) -> Iterator[Entry]:
    """Yield the entries of the clerk's station, the last entry first, without entries that other actions added.

    An entry from a merged copy belongs to the merge.
    """
    copied = {
        came.entry for at, merged in record.every(CopyMerged) for came in merged.entries if (came.entry or 0) > at
    }
    for position in range(record.position, max(1, record.position - _LOOKED_AT), -1):
        entry = context.entry(position)
        beside = isinstance(entry.fact, _BESIDE) or position in copied
        if entry.station == context.clerk.station and not beside:
            yield entry


def _to_undo(record: Record, context: Context) -> Iterator[Entry]:
    """Yield the station's counting entries without its undos, the last entry first."""
    for entry in _of_station(record, context):
        if not record.is_dead(entry.position) and not _is_undo(entry):
            yield entry


def _overrode(entry: Entry, context: Context) -> bool:
    """Return whether an entry corrected a Swiss result after the time for corrections, or took that back."""
    fact = entry.fact
    if isinstance(fact, EntryRetracted):
        return _overrode(context.entry(fact.retracts), context)
    if not isinstance(fact, ResultCorrected) or fact.stage == "elimination":
        return False
    return window_closed(context.replay(entry.position - 1), fact.round) is not None


def _same_line(record: Record, last: Entry, context: Context) -> dict[str, Entry]:
    """Return an entry of each counting command that this station typed in the same line as its last one."""
    line = line_of(last.command)
    found = takewhile(
        lambda entry: entry.command == last.command or (line is not None and line_of(entry.command) == line),
        _to_undo(record, context),
    )
    return {entry.command: entry for entry in found}


def _need_slip(record: Record, last: list[Entry]) -> None:
    if not any(isinstance(entry.fact, SLIPS) for entry in last):
        raise Refusal(
            sentence(
                "there is no slip to take back: this station's last action is entry %(entry)s (%(said)s)",
                entry=last[0].position,
                said=tell(record, last[0].fact),
            )
        )


def _need_no_lasting(record: Record, last: Entry, context: Context) -> None:
    """Refuse to undo a command that recorded something for good, such as a posting. The refusal names the action
    before that command, which can still be retracted.
    """
    its = _whole_command(record, last, context)
    lasting = [entry for entry in its if not (entry.fact.retractable or isinstance(entry.fact, _BESIDE))]
    if not lasting:
        return
    said = no_way_back(record, lasting[0])
    earlier = (
        entry for entry in _to_undo(record, context) if entry.command != last.command and entry.fact.retractable
    )
    if (before := next(earlier, None)) is not None:
        said = sentence(
            "%(problem)s. The action before it is entry %(entry)s (%(said)s): retract that entry by its number",
            problem=said,
            entry=before.position,
            said=tell(record, before.fact),
        )
    raise Refusal(said)


def _is_undo(entry: Entry) -> bool:
    return isinstance(entry.fact, EntryRetracted) and entry.fact.undo


def _round_back(record: Record, context: Context, division: str | None, *, deviating: bool) -> list[AnyFact]:
    need_open(record)
    stage: Stage = "elimination" if record.rounds("elimination") else "swiss"
    latest = record.latest_round(stage)
    if latest is None:
        raise Refusal(sentence("no round is paired, so there is none to undo"))
    taken = _of_round(record, latest, context)
    apart = divisions_apart(record, latest.players)
    if division is not None and apart != (division.casefold(),):
        taken = _of_division(record, latest, taken, division.casefold(), apart)
    elif not any(isinstance(entry.fact, RoundPaired) for entry in taken):
        raise Refusal(sentence("the last round cannot be undone as a whole: retract its entries"))
    elif not deviating:
        _need_one_division(record, latest)
    return retract_all(record, taken, context, deviating=False)


def _of_round(record: Record, round_: Round, context: Context) -> list[Entry]:
    """Return the pairing of a round, and the later entries about the round that can be retracted."""
    pairing = context.entry(round_.position)
    taken = {entry.position: entry for entry in same_command(record, pairing, context)}
    commands: set[str] = set()
    for position in range(round_.position + 1, record.position + 1):
        entry = context.entry(position)
        fact = entry.fact
        of_round = (getattr(fact, "stage", None), getattr(fact, "round", None)) == (round_.stage, round_.number)
        by_absence = isinstance(fact, PlayerDropped) and entry.command in commands
        if record.is_dead(position) or not fact.retractable or not (of_round or by_absence):
            continue
        if type(fact) in _STAYS:
            continue
        taken[position] = entry
        commands.add(entry.command)
    return list(taken.values())


def _of_division(
    record: Record, round_: Round, taken: list[Entry], division: str, apart: tuple[str, ...]
) -> list[Entry]:
    """Return the entries about the tables of one division, with the drops of players who did not appear.

    The pairing stays, because one entry seats all divisions of a round. Raises Refusal.
    """
    where = round_said(round_.stage, round_.number)
    if division not in apart:
        said = (
            sentence("%(round)s has only the divisions %(divisions)s", round=where, divisions=", ".join(apart))
            if apart
            else sentence(
                "the divisions of %(round)s do not play apart: undo the round without a division", round=where
            )
        )
        raise Refusal(said)
    tables = {table for table, players in round_.tables.items() if division in divisions_apart(record, players)}
    found = [entry for entry in taken if getattr(entry.fact, "table", None) in tables]
    commands = {entry.command for entry in found}
    found += [entry for entry in taken if isinstance(entry.fact, PlayerDropped) and entry.command in commands]
    if not found:
        raise Refusal(
            sentence(
                "no table of %(division)s has a slip in %(round)s: to move its players, amend the pairing",
                division=division,
                round=where,
            )
        )
    return found


def _need_one_division(record: Record, round_: Round) -> None:
    """Refuse to take back the slips of several divisions that play apart."""
    reported = {player for _, players, report in round_.results() if report is not None for player in players}
    if len(divisions := divisions_apart(record, reported)) > 1:
        raise Refusal(
            demanding(
                sentence(
                    "%(divisions)s play apart, and each has slips in %(round)s: name one division, or give a "
                    "reason to take all slips back",
                    divisions=", ".join(divisions),
                    round=round_said(round_.stage, round_.number),
                ),
                "one division",
                "a reason",
            )
        )
