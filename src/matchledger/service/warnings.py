"""Warnings about recorded entries: the entries are not refused, but the clerk should know the effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from matchledger.events import (
    CardIncident,
    ConductFact,
    CutMade,
    DivisionChanged,
    Entry,
    EntryRetracted,
    PairingAmended,
    PenaltyGiven,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RulingGiven,
    Seating,
    StaffDutyChanged,
    StructureAnnounced,
    TimeExtended,
)
from matchledger.evidence.erasure import names_left
from matchledger_projections.message import Sentence, demanding, joined, numbered, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import is_membership, is_surname
from matchledger_projections.record.round import Round

_NAMED = 5  # how many players a warning names


def warnings(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Yield the warnings about the entries of one command. `record` includes these entries."""
    kinds = {type(entry.fact) for entry in entries}
    if kinds & {StructureAnnounced, CutMade}:
        yield from _about_shares(record)
    if CutMade in kinds:
        yield from _about_posting(record)
    if StaffDutyChanged in kinds:
        yield from _about_staff(record)
    if TimeExtended in kinds:
        yield from _about_more_time(record, entries)
    if kinds & {PlayerRegistered, PlayerArrivedLate}:
        yield from _about_columns(entries)
    yield from _about_divisions(record, entries)
    if PlayerRejoined in kinds:
        yield from _about_missed_round(record, entries)
    if not kinds.isdisjoint((PlayerDropped, PlayerDisqualified)):
        yield from _about_walkovers(record, entries)
    if EntryRetracted in kinds:
        yield from _about_returns(record, entries)
        yield from _about_penalties(record, entries)
        yield from _about_warnings(record, entries)
        yield from _about_conduct(record, entries)
    yield from _about_lost_matches(record, entries)
    if kinds & {EntryRetracted, ResultCorrected}:
        yield from _about_cut(record)
    yield from _about_fixed_tables(record, entries)
    yield from names_left(record, entries)


def _about_cut(record: Record) -> Iterator[Sentence]:
    """Warn of a cut or an elimination round that no longer follows from the results before it."""
    from matchledger_projections.stages.departures import outdated_cuts_said, strayed  # noqa: PLC0415 - few events need it

    if record.latest_round("elimination") is not None:
        yield from strayed(record)
    elif record.cut is not None:
        yield from outdated_cuts_said(record)


def _about_staff(record: Record) -> Iterator[Sentence]:
    from matchledger.commands.staff import disorder  # noqa: PLC0415 - only staff entries need it
    from matchledger_projections.conduct.staff import without_organizer  # noqa: PLC0415 - as above

    yield from (problem.said for problem in disorder(record))
    if record.rulebook.staff is not None and without_organizer(record):
        yield sentence(
            "the event has no organizer now: assign one (%(rule)s)", rule=record.rulebook.staff.organizer
        )


def _about_more_time(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Warn of extra time whose cause nobody has recorded."""
    from matchledger_projections.stages.departure import of_time_without_cause  # noqa: PLC0415 - few tables need it

    for given in (entry.fact for entry in entries if isinstance(entry.fact, TimeExtended)):
        for departure in of_time_without_cause(record, given):
            yield sentence("%(warning)s (%(rule)s)", warning=departure.text, rule=departure.rule)


def _about_fixed_tables(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Warn of players who do not sit at their fixed table, or who return after their fixed table was given away."""
    if not record.fixed_tables:
        return
    seated: list[Seating] = []
    for entry in entries:
        match entry.fact:
            case RoundPaired(tables=tables):
                seated += tables
            case PairingAmended(added=added):
                seated += added
            case PlayerRejoined(player=back):
                yield from _about_table_given_away(record, back)
            case _:
                pass
    for seating in seated:
        for player in seating.players:
            if (fixed := record.fixed_tables.get(player, seating.table)) != seating.table:
                yield sentence(
                    "%(player)s needs table %(fixed)s, and sits at table %(table)s now",
                    player=record.players[player].name,
                    fixed=fixed,
                    table=seating.table,
                )


def _about_table_given_away(record: Record, back: int) -> Iterator[Sentence]:
    table = record.fixed_tables.get(back)
    for player in record.active_players():
        if table is not None and player.number != back and record.fixed_tables.get(player.number) == table:
            yield sentence("table %(table)s belongs to %(player)s: name another", table=table, player=player.name)


def _about_shares(record: Record) -> Iterator[Sentence]:
    from matchledger_projections.stages.cut import shares_warning  # noqa: PLC0415 - only cuts need it

    if (uneven := shares_warning(record)) is not None:
        rule = record.rulebook.elimination.rule("cut")
        yield sentence("%(warning)s (%(rule)s)", warning=uneven, rule=rule)


def _about_posting(record: Record) -> Iterator[Sentence]:
    from matchledger_projections.stages import postings  # noqa: PLC0415 - only cuts need it

    made = record.cut
    if made is None or (missing := postings.standings_missing(record, made.round + 1)) is None:
        return
    yield sentence(
        "the standings after round %(round)s were not posted before the cut, so players could not check them "
        "(%(rule)s)",
        round=missing,
        rule=postings.rule(record),
    )


def _about_returns(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Warn of players whose drop or disqualification was taken back after the current round was paired without
    them.
    """
    latest = record.latest_round()
    if latest is None or record.cut is not None:
        return
    dead = {record.root_of(entry.fact.retracts) for entry in entries if isinstance(entry.fact, EntryRetracted)}
    for player in record.active_players():
        moved = (position for position, _ in record.movements.get(player.number, ()))
        if player.number not in latest.players and not dead.isdisjoint(moved):
            said = sentence(
                "%(player)s is in again, and has no seat in round %(round)s",
                player=player.name,
                round=latest.number,
            )
            yield demanding(said, "a seat")


def _about_walkovers(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Name the players who go on in the elimination because their opponents leave (C-D14)."""
    for entry in entries:
        match entry.fact:
            case PairingAmended(stage="elimination", byes_added=free):
                going_on = list(free)
            case ResultReported(stage="elimination", slip=slip) if slip.winner is not None:
                going_on = [slip.winner]
            case _:
                going_on = []
        for player in going_on:
            yield sentence("tell %(player)s, who wins without playing", player=record.players[player].name)


def _about_penalties(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """If a retraction separates a penalty from its result, name the penalty or result that still counts."""
    from matchledger_projections.narration import tell, tell_slip  # noqa: PLC0415 - few retractions need words

    changed = {record.root_of(entry.fact.retracts) for entry in entries if isinstance(entry.fact, EntryRetracted)}
    for at, given in record.every(PenaltyGiven):
        round_ = None if given.round is None else record.round(given.round, given.stage)
        reports = () if round_ is None or changed.isdisjoint((at, at + 1)) else round_.every_report()
        result = next((report for report in reports if report.position == at + 1), None)
        if result is None or given.player not in result.players or record.is_dead(at) == record.is_dead(at + 1):
            continue
        stays, said = at, tell(record, given)
        if record.is_dead(at):
            stays, said = at + 1, tell_slip(record, result.players, result.slip)
        yield sentence(
            "entry %(entry)s (%(said)s) still counts: to take it back too, retract entry %(entry)s",
            entry=stays,
            said=said,
        )


def _about_warnings(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Name the game losses that followed a warning that no longer counts (ASH-SLOW)."""
    from matchledger_projections.conduct.penalties import warning_gone  # noqa: PLC0415 - few retractions need it

    changed = {record.root_of(entry.fact.retracts) for entry in entries if isinstance(entry.fact, EntryRetracted)}
    players = {given.player for position, given in record.every(PenaltyGiven) if position in changed}
    for given in warning_gone(record):
        if given.fact.player in players:
            yield sentence(
                "entry %(entry)s cost %(player)s a game after a warning that no longer counts: if the warning was "
                "wrong, retract entry %(entry)s too (%(rule)s)",
                entry=given.position,
                player=record.players[given.fact.player].name,
                rule=given.unwarned,
            )


def _about_divisions(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Warn of players in a division that the rulebook does not have: a typing error changes how all divisions are
    paired.
    """
    rule = record.rulebook.divisions
    placed: dict[str, list[str]] = {}
    for entry in entries if rule is not None and record.is_live else ():
        match entry.fact:
            case (
                PlayerRegistered(number=player, division=str(division))
                | PlayerArrivedLate(number=player, division=str(division))
                | DivisionChanged(player=player, division=str(division))
            ):
                placed.setdefault(division, []).append(record.players[player].name)
            case _:
                pass
    for division, players in sorted(placed.items()):
        if rule is not None and division.casefold() not in {name.casefold() for name in rule.names}:
            others = len(players) - _NAMED
            yield sentence(
                "%(players)s: %(rulebook)s has no division %(division)s, but %(known)s; if it is misspelled, "
                "correct the player",
                players=joined(players[:_NAMED])
                if others <= 0
                else joined([*players[:_NAMED], sentence("and %(count)s more", count=others)]),
                rulebook=record.rulebook.id,
                division=division,
                known=", ".join(rule.names),
            )


def _about_conduct(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Name the penalties, rulings and cards of a round that no longer counts, because they still count."""
    for entry in entries:
        undone = record.paired_at(entry.fact.retracts) if isinstance(entry.fact, EntryRetracted) else None
        if undone is None or not record.is_dead(undone.position):
            continue
        given: Iterator[tuple[int, ConductFact]] = chain(
            record.counting(PenaltyGiven), record.counting(RulingGiven), record.counting(CardIncident)
        )
        where = (undone.stage, undone.number)
        named = {at for at, _ in _matches_lost(record, undone)}
        stay = sorted(
            at
            for at, fact in given
            if at > undone.position and at not in named and (fact.stage, fact.round) == where
        )
        if stay:
            yield numbered(
                "entry %(entries)s of the judges in round %(round)s still counts: if it is wrong, retract it",
                "entries %(entries)s of the judges in round %(round)s still count: retract those that are wrong",
                len(stay),
                entries=", ".join(map(str, stay)),
                round=undone.number,
            )


def _about_lost_matches(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Name the penalties that decided a match of an undone round, because they decide no match of the new round."""
    from matchledger_projections.narration import tell  # noqa: PLC0415 - few rounds need words

    if not record.has_retractions or not any(isinstance(one.fact, EntryRetracted | RoundPaired) for one in entries):
        return
    undone = {record.root_of(at): record.paired_at(record.root_of(at)) for at in record.retractions}
    rounds = [round_ for at, round_ in undone.items() if round_ is not None and record.is_dead(at)]
    for entry in entries:
        match entry.fact:
            case RoundPaired(stage=stage, round=number):
                about = [round_ for round_ in rounds if (round_.stage, round_.number) == (stage, number)]
            case EntryRetracted(retracts=at):
                about = [round_ for round_ in rounds if round_.position == at]
            case _:
                about = []
        for at, given in (found for round_ in about for found in _matches_lost(record, round_)):
            yield sentence(
                "entry %(entry)s (%(said)s) decided a match of the undone round %(round)s: for the new match, "
                "retract entry %(entry)s and give the penalty again",
                entry=at,
                said=tell(record, given),
                round=given.round,
            )


def _matches_lost(record: Record, undone: Round) -> list[tuple[int, PenaltyGiven]]:
    """Return the counting penalties whose command also reported a match of an undone round, with their entries."""
    lost = {report.position - 1: report for report in undone.every_report() if record.is_dead(report.position)}
    return [
        (at, given)
        for at, given in record.counting(PenaltyGiven)
        if at in lost
        and given.player in lost[at].players
        and given.player != lost[at].winner
        and lost[at].slip.kind in (given.penalty, "game-loss")
    ]


def _about_missed_round(record: Record, entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Warn of players who came back after the current round was paired without them."""
    latest = record.latest_round()
    for player in (entry.fact.player for entry in entries if isinstance(entry.fact, PlayerRejoined)):
        if latest is None or latest.number not in record.charged_rounds(player, latest.number):
            continue
        if any(found is not None for _, _, found in latest.results()):
            yield sentence(
                "%(player)s sits out round %(round)s, which counts as a loss",
                player=record.players[player].name,
                round=latest.number,
            )
            continue
        yield sentence(
            "%(player)s sits out round %(round)s, which counts as a loss; before its first result, retract "
            "entry %(entry)s and pair again to seat the player",
            player=record.players[player].name,
            round=latest.number,
            entry=latest.position,
        )


def _about_columns(entries: Sequence[Entry]) -> Iterator[Sentence]:
    """Warn of roster columns that no rule uses."""
    from matchledger.formats.roster_file import KNOWN_COLUMNS  # noqa: PLC0415 - only registration needs it

    facts = [entry.fact for entry in entries if isinstance(entry.fact, PlayerRegistered | PlayerArrivedLate)]
    given = {column for fact in facts for column in fact.person.details}
    unused = sorted(
        column
        for column in given
        if column not in KNOWN_COLUMNS and not is_membership(column) and not is_surname(column)
    )
    if unused:
        yield sentence("columns that no rule uses, kept with the players: %(columns)s", columns=", ".join(unused))
