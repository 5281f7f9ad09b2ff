"""Narration: a fact in one line, in the words of the field and with names for numbers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from matchledger.events import (
    AnyFact,
    BracketDrawn,
    CallAnswered,
    CardIncident,
    CheckpointSigned,
    ClockFact,
    ClockPaused,
    ClockResumed,
    CutMade,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    DeskCalled,
    DivisionMode,
    DivisionsDecided,
    Duty,
    EntryRetracted,
    FileImported,
    FirstPlayerSet,
    FlightJoined,
    FlightsDrawn,
    MarkCalled,
    MatchConceded,
    NamesHandedOut,
    NoShowRecorded,
    OverviewFiled,
    PairingAmended,
    PairingsPosted,
    PenaltyGiven,
    PersonErased,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    QualifierReplaced,
    RematchAllowed,
    RepairChosen,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    RulingGiven,
    Seating,
    Slip,
    StaffAssigned,
    StaffDutyChanged,
    StandingsPosted,
    StructureAnnounced,
    TieResolved,
    TimeExtended,
    TokenAdmitted,
    TokenKeyDistrusted,
    TokenKeyTrusted,
    TokenRevoked,
    TournamentClosed,
    TournamentOpened,
)
from matchledger.events.conduct import Missed, Penalty
from matchledger_projections.conduct.staff import leader_name
from matchledger_projections.record import Record, slip_in
from matchledger_projections.round import report_of


def tell(record: Record, fact: AnyFact) -> str:  # noqa: C901, PLR0911, PLR0912, PLR0915 - one line for each kind of fact
    """One line about a fact."""
    match fact:
        case TournamentOpened():
            chosen = "".join(f", {flag}={value}" for flag, value in fact.policies.items())
            return f"{fact.name} opened under {fact.rulebook}{chosen}"
        case FileImported():
            return f"imported from {fact.name} ({fact.format})"
        case PlayerRegistered():
            return f"{fact.person.name} registered as number {fact.number}"
        case PlayerArrivedLate():
            return f"{fact.person.name} arrived late as number {fact.number}{_charged(fact.losses)}"
        case PlayerDropped():
            return f"{_name(record, fact.player)} dropped after round {fact.after_round} ({fact.cause})"
        case PlayerRejoined():
            return f"{_name(record, fact.player)} rejoined{_charged(fact.losses)}"
        case PlayerDisqualified():
            return f"{_name(record, fact.player)} disqualified after round {fact.after_round}"
        case RematchAllowed():
            return f"round {fact.round}: {_names(record, fact.players, ' and ')} allowed to meet again"
        case RoundPaired():
            return f"{_round(fact)} paired {_pairing(record, fact)}"
        case RoundStarted() | TimeExtended() | ClockPaused() | ClockResumed() | MarkCalled() | FirstPlayerSet():
            return _of_the_clock(record, fact)
        case PairingAmended():
            return f"{_round(fact)} amended: {_amendment(record, fact)}"
        case ResultReported():
            return f"{_match(fact)}: {tell_slip(record, fact.players, fact.slip)}{_judged(record, fact)}"
        case ResultCorrected():
            corrected = tell_slip(record, fact.players, fact.slip)
            return f"{_match(fact)} corrected (was entry {fact.supersedes}): {corrected}{_judged(record, fact)}"
        case MatchConceded():
            winner = _other(record, fact.players, fact.by)
            return f"{_match(fact)}: {_name(record, fact.by)} conceded to {winner}{_judged(record, fact)}"
        case NoShowRecorded():
            return f"{_match(fact)}: {_names(record, fact.absent, ' and ')} did not appear"
        case EntryRetracted():
            return f"entry {fact.retracts} retracted"
        case TieResolved():
            return f"order after round {fact.round} by {fact.method} draw: {_names(record, fact.players)}"
        case StandingsPosted():
            return f"standings after round {fact.round} posted"
        case PairingsPosted():
            return f"pairings of {_round(fact)} posted"
        case CheckpointSigned():
            return f"checkpoint signed with {fact.key}"
        case RepairChosen():
            return f"round {fact.round}: {fact.choice} chosen after entry {fact.correction}"
        case CutMade():
            of_division = f" of {fact.division}" if fact.division else ""
            seeds = _names(record, fact.seeds)
            return f"cut to {len(fact.seeds)}{of_division} after round {fact.round}: {seeds}"
        case DeckSubmitted():
            return f"{_name(record, fact.player)} handed a deck list in, SHA-256 {fact.sha256}"
        case DeckAmended():
            marked = ", marked as advantageous" if fact.advantageous else ""
            return (
                f"deck list of {_name(record, fact.player)} amended by {fact.leader}{marked}, SHA-256 {fact.sha256}"
            )
        case DeckChecked():
            kept = {True: "kept", False: "broken", None: "not checkable"}[fact.ok]
            when = f" in round {fact.round}" if fact.round else ""
            return f"deck of {_name(record, fact.player)} checked{when}: {fact.rule} {kept}"
        case StructureAnnounced():
            return f"announced: {tell_structure(fact)}"
        case QualifierReplaced():
            return f"{_name(record, fact.by)} took the place of {_name(record, fact.player)} in the cut"
        case BracketDrawn():
            games = (f"{number} {_names(record, game, ' - ')}" for number, game in enumerate(fact.games, 1))
            of_division = f" of {fact.division}" if fact.division else ""
            return f"bracket{of_division} drawn ({fact.method.replace('-', ' ')}): {', '.join(games)}"
        case DeskCalled():
            return f"{_match(fact)}: {_call(record, fact)}"
        case CallAnswered():
            return f"call {fact.call} answered: {fact.answer}"
        case PenaltyGiven() | RulingGiven() | CardIncident():
            return _of_conduct(record, fact)
        case DivisionsDecided():
            sizes = ", ".join(f"{division or 'no division'} {size}" for division, size in fact.sizes.items())
            return f"divisions {MODES[fact.mode]} ({sizes}){_departs(fact.deviations)}"
        case FlightsDrawn():
            sizes = ", ".join(str(len(flight)) for flight in fact.flights)
            into = f"{len(fact.flights)} flights of {sizes}"
            return f"{fact.division or 'the field'} drawn into {into}{_departs(fact.deviations)}"
        case FlightJoined():
            how = "by draw" if fact.seed is not None else "the smallest"
            return f"{_name(record, fact.player)} joined flight {fact.flight}, {how}"
        case OverviewFiled():
            return f"overview sent in on {fact.sent}, with {fact.cards} score cards"
        case PersonErased():
            return f"the personal data of {_name(record, fact.player)} erased"
        case NamesHandedOut():
            whose = f" of {_names(record, fact.players, ' and ')}" if fact.players else ""
            return f"{fact.form} with the names{whose} written to {fact.to}"
        case TokenKeyTrusted():
            demanded = ", and nothing is recorded without one" if fact.demanded else ""
            return f"station tokens signed with {fact.key} are taken{demanded}"
        case TokenKeyDistrusted():
            return f"station tokens signed with {fact.key} are taken no longer"
        case TokenAdmitted():
            until = fact.expires.strftime("%Y-%m-%d %H:%M %Z")
            return f"{fact.actor} ({fact.role}) came in at {fact.station} with token {fact.token}, until {until}"
        case TokenRevoked():
            return f"token {fact.token} revoked"
        case StaffAssigned():
            late = "" if fact.announced else ", after round 1 was paired"
            plays = "" if fact.player is None or fact.name is None else f", plays as {_name(record, fact.player)}"
            return f"{leader_name(record, fact)} is {fact.role}{plays}{late}"
        case StaffDutyChanged():
            return f"{_leader(record, fact.assignment)} {_DUTIES[fact.duty]}"
        case TournamentClosed():
            ended = f", which ended on {fact.ended}" if fact.ended is not None else ""
            return f"tournament closed after round {fact.round}{ended}"


MODES: dict[DivisionMode, str] = {
    "none": "not kept apart",
    "separated": "play apart (Age Separated)",
    "modified": "play together (Age Modified)",
}


_DUTIES: dict[Duty, str] = {
    "active": "is on duty again",
    "spectator": "is off duty, and a spectator",
    "left": "left the staff",
}


def _leader(record: Record, assignment: int) -> str:
    assigned = dict(record.every(StaffAssigned)).get(assignment)
    return f"entry {assignment}" if assigned is None else leader_name(record, assigned)


def _departs(deviations: tuple[str, ...]) -> str:
    return f"; departs from {', '.join(deviations)}" if deviations else ""


def tell_structure(fact: StructureAnnounced) -> str:
    """A structure in words, what departs from the rulebook at the end."""
    rounds = f"{fact.rounds} Swiss round{'s' if fact.rounds != 1 else ''}"
    parts = [fact.format] if fact.format is not None else []
    parts += ["single elimination" if fact.style == "elimination" else rounds]
    if fact.division_rounds:
        parts += [", ".join(f"{number} of {division}" for division, number in fact.division_rounds.items())]
    cuts = [f"{size} of {division}" for division, size in fact.division_cuts.items() if size]
    top = " and ".join(cuts) if fact.division_cuts else str(fact.cut or "")
    parts += [f"then the top {top}"] if top else []
    parts += ["a match for 3rd and 4th place"] if fact.playoff else []
    parts += ["a final without a time limit"] if fact.untimed_final else []
    parts += [f"{fact.prizes} prizes"] if fact.prizes is not None else []
    return f"{', '.join(parts)} ({fact.structure}){_departs(fact.deviations)}"


def tell_slip(record: Record, players: tuple[int, int], slip: Slip) -> str:
    """What a slip says: who beat whom, and what is written beside it."""
    first, second = (_name(record, player) for player in players)
    beside = [slip.kind] if slip.kind not in ("win", "draw", "score") else []
    if slip.blood_points is not None:
        beside.append(f"loser {slip.blood_points} blood points")
    scores = f" {slip.scores[0]}-{slip.scores[1]}" if slip.scores is not None else ""
    if slip.winner is None:
        text = f"{first} and {second} drew" if slip.kind in ("draw", "score") else f"{first} and {second}"
    elif slip.scores is not None:
        text = f"{first} - {second}"
    else:
        winner, loser = (first, second) if slip.winner == players[0] else (second, first)
        text = f"{winner} beat {loser}"
    return f"{text}{scores}" + (f" ({', '.join(beside)})" if beside else "")


def _name(record: Record, player: int) -> str:
    return record.players[player].name if player in record.players else f"#{player}"


def _names(record: Record, players: Iterable[int], between: str = ", ") -> str:
    return between.join(_name(record, player) for player in players)


def _other(record: Record, players: tuple[int, int], player: int) -> str:
    return _name(record, players[1] if player == players[0] else players[0])


def _charged(losses: tuple[int, ...]) -> str:
    return f", charged with round {', '.join(map(str, losses))}" if losses else ""


def _judged(record: Record, fact: ResultReported | ResultCorrected | MatchConceded) -> str:
    """What the times and values on a slip make of it, with the rule."""
    round_ = record.round(fact.round, fact.stage)
    report = report_of(record.position, fact.players, slip_in(fact))
    if round_ is None or not report.is_timed:
        return ""
    verdict = round_.judged(fact.table, report).verdict
    if verdict is None or not verdict.why:
        return ""
    kind = "" if verdict.kind == verdict.claimed_kind else f", a {verdict.kind}"
    return f"{kind}: {'; '.join(f'{text} ({rule})' for text, rule in verdict.why)}"


def _of_the_clock(record: Record, fact: RoundStarted | ClockFact) -> str:
    """One line about a fact of the round's clock."""
    match fact:
        case RoundStarted():
            return f"{_round(fact)} started{f', {fact.minutes} minutes' if fact.minutes else ''}{_noted(fact.at)}"
        case TimeExtended():
            names = _names(record, fact.players, " and ")
            return f"{_match(fact)}: {fact.minutes} minutes more for {names}"
        case ClockPaused():
            return f"{_round(fact)}: clock stopped{_noted(fact.at)}"
        case ClockResumed():
            return f"{_round(fact)}: clock went on{_noted(fact.at)}"
        case MarkCalled():
            return _announced(record, fact)
        case FirstPlayerSet():
            decided = "" if fact.decider is None else f", decided by {_name(record, fact.decider)}"
            return f"{_match(fact)}: {_name(record, fact.first_player)} is the first player{decided}"


PENALTIES: dict[Penalty, str] = {
    "warning": "warned",
    "game-loss": "given a game loss",
    "recommend-disqualification": "recommended for disqualification",
}
MISSED: dict[Missed, str] = {
    "round-start": "missed at the start of the round",
    "during-game": "missed during the game",
    "time-up": "not found in time",
    "next-round": "still missing when the next round starts",
}


def _of_conduct(record: Record, fact: PenaltyGiven | RulingGiven | CardIncident) -> str:
    """One line about a penalty, a ruling or a card."""
    where = "" if fact.round is None else f"{_match(fact) if fact.table is not None else _round(fact)}: "
    note = "" if isinstance(fact, RulingGiven) or fact.note is None else f", {fact.note}"
    match fact:
        case PenaltyGiven():
            said = f"{_name(record, fact.player)} {PENALTIES[fact.penalty]} for {fact.offence}{note}"
            return f"{where}{said}{_departs(fact.deviations)}"
        case RulingGiven():
            source = "" if fact.source is None else f", on {fact.source}"
            reviewed = "" if fact.reviews is None else f" in review of entry {fact.reviews}"
            final = ", final" if fact.final else ""
            return f"{where}{fact.judge} ruled{reviewed} on {fact.question!r}: {fact.outcome}{source}{final}"
        case CardIncident():
            dated = "" if fact.date is None else f" on {fact.date}"
            when = "" if fact.when is None else f", {MISSED[fact.when]}"
            what = f"made a proxy by {fact.leader}{dated}" if fact.what == "proxy" else f"{fact.what}{when}"
            by = "" if fact.what == "proxy" else f" (noted by {fact.leader})"
            return f"{where}{fact.card} of {_name(record, fact.player)} {what}{note}{by}"


def _noted(at: datetime | None) -> str:
    """A moment that somebody noted, other than that of the entry."""
    return "" if at is None else f" at {at.isoformat(timespec='seconds')}"


def _announced(record: Record, fact: MarkCalled) -> str:
    where = "" if fact.table is None else f" at table {fact.table}"
    turn = "" if fact.turn is None else f", in the turn of {_name(record, fact.turn)}"
    return f"{_round(fact)}: {fact.mark} called{where}{turn}"


def _round(
    fact: PairingsPosted
    | RoundPaired
    | RoundStarted
    | PairingAmended
    | ClockPaused
    | ClockResumed
    | MarkCalled
    | PenaltyGiven
    | RulingGiven
    | CardIncident,
) -> str:
    return f"{'elimination ' if fact.stage == 'elimination' else ''}round {fact.round}"


def _match(
    fact: ResultReported
    | ResultCorrected
    | MatchConceded
    | NoShowRecorded
    | DeskCalled
    | TimeExtended
    | FirstPlayerSet
    | PenaltyGiven
    | RulingGiven
    | CardIncident,
) -> str:
    stage = "elimination " if fact.stage == "elimination" else ""
    return f"{stage}round {fact.round}, table {fact.table}"


def _call(record: Record, fact: DeskCalled) -> str:
    disputed = "no result is recorded" if fact.disputes is None else f"entry {fact.disputes} is wrong"
    claim = "" if fact.claim == "other" else f", and that the player {fact.claim}"
    return f"the desk was called for {_name(record, fact.by)}, saying that {disputed}{claim}"


def _pairing(record: Record, fact: RoundPaired) -> str:
    how = "by draw" if fact.seed is not None else "by hand"
    byes = [_name(record, bye.player) for bye in fact.byes]
    return f"{how}, {len(fact.tables)} tables" + (f", bye: {', '.join(byes)}" if byes else "")


def _amendment(record: Record, fact: PairingAmended) -> str:
    return f"{_seatings(record, fact.removed)} became {_seatings(record, fact.added)}" + (
        f", bye for {_names(record, fact.byes_added)}" if fact.byes_added else ""
    )


def _seatings(record: Record, seatings: Iterable[Seating]) -> str:
    seated = [f"{seating.table} {_names(record, seating.players, ' - ')}" for seating in seatings]
    return ", ".join(seated) or "nothing"
