"""Retractions: any mistaken entry, unless a later entry depends on it."""

from __future__ import annotations

from collections.abc import Iterator

from matchledger.commands.chance import need_no_beacon, need_retractable_beacon
from matchledger.commands.decklists import need_retractable_list, need_room_for_list
from matchledger.commands.refusal import Refusal, name_of, need_open, need_window_open
from matchledger.commands.revival import (
    MAY_REOPEN,
    need_not_seated_since,
    need_room_for_player,
    need_room_for_round,
    need_same_ground,
    need_same_results,
    need_table_of_result,
    need_tables_as_amended,
    need_undecided_since,
    reopens,
)
from matchledger.commands.rulings import need_retractable_ruling, need_room_for_ruling
from matchledger.commands.staff import need_order_without
from matchledger.events import (
    ROLES,
    AnyFact,
    BeaconNamed,
    BeaconRead,
    BracketDrawn,
    CopyMerged,
    CutMade,
    DeckAmended,
    DeckSubmitted,
    DivisionsDecided,
    Entry,
    EntryRetracted,
    FlightJoined,
    FlightsDrawn,
    NoShowRecorded,
    OverviewFiled,
    PairingAmended,
    PersonCorrected,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    QualifierReplaced,
    Role,
    RoundPaired,
    RulingGiven,
    StructureAnnounced,
    TournamentClosed,
    WordPledged,
    WordsOpened,
)
from matchledger_projections.conduct.permissions import action_of, who_may
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.message import Sentence, demanding, sentence
from matchledger_projections.narration import tell, tell_merged_entries
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.views.retraction import round_missed, round_of_result

_Foundation = StructureAnnounced | CutMade | QualifierReplaced | BracketDrawn | DivisionsDecided | FlightsDrawn


def need_retractable(record: Record, entry: Entry, *, override: bool) -> None:
    """Refuse to retract a record of a past action, or an entry that later entries need."""
    position, fact = entry.position, entry.fact
    _need_open_for(record, position, fact)
    if record.is_dead(position):
        raise Refusal(
            sentence(
                "entry %(entry)s no longer counts: retract the entry that took it back instead",
                entry=position,
            )
        )
    match fact:
        case _ if not fact.retractable:
            raise Refusal(no_way_back(record, entry))
        case (
            PlayerRegistered(number=player)
            | PlayerArrivedLate(number=player)
            | PlayerRejoined(player=player)
            | FlightJoined(player=player)
        ):
            _need_unpaired(record, player, position)
        case RoundPaired() | PairingAmended():
            _need_last_of_rounds(record, position, fact)
        case _ if isinstance(fact, _Foundation):
            _need_unbuilt_on(record, position, fact)
        case DeckSubmitted() | DeckAmended() | RulingGiven() | WordPledged() | BeaconNamed() | BeaconRead():
            _need_unamended(record, position, fact)
        case EntryRetracted():
            _need_room(record, entry, record.root_of(position))
            _need_leaver_out(record, position)
        case PlayerDropped() | PlayerDisqualified():
            _need_leaver_out(record, position)
        case _:
            pass
    if not override:
        _need_in_time(record, position, fact)
    need_order_without(record, position)


def no_way_back(record: Record, entry: Entry) -> Sentence:
    """Return the sentence that an entry cannot be taken back, because the entry records a past action."""
    said = tell_merged_entries(entry.fact) if isinstance(entry.fact, CopyMerged) else tell(record, entry.fact)
    return sentence("entry %(entry)s (%(said)s) cannot be taken back", entry=entry.position, said=said)


def who_may_retract(record: Record, position: int, fact: AnyFact) -> tuple[Role, ...]:
    """Return the roles that may retract an entry now. An empty tuple says that the entry must stay, for example
    because later entries need it.
    """
    if not fact.retractable or record.is_dead(position):
        return ()
    try:
        _need_open_for(record, position, fact)
    except Refusal:
        return ()
    retraction = EntryRetracted(retracts=position)
    action = action_of(record, retraction)
    roles = ROLES if action is None else who_may(record.rulebook, action).everybody
    return tuple(role for role in roles if role in MAY_REOPEN) if reopens(record, retraction) else roles


def _need_open_for(record: Record, position: int, fact: AnyFact) -> None:
    """Refuse a change after the close, except corrections of a player's data.

    Refuse to restore a player's name that another player has now.
    """
    root = record.root_of(position)
    player = record.corrected_at(root) if record.kind_at(root) is PersonCorrected else None
    if player is None:
        if not isinstance(fact, TournamentClosed | OverviewFiled):
            need_open(record)
        return
    with record.without(position):
        name = record.person_of(player).name
    other = record.named(name)
    if other is not None and other.number != player:
        raise Refusal(sentence("%(name)s is now the name of #%(other)s", name=name, other=other.number))


def _need_in_time(record: Record, position: int, fact: AnyFact) -> None:
    """Refuse a retraction after play has continued. With `override`, the caller skips this check."""
    round_ = round_of_result(record, record.root_of(position))
    if round_ is not None:
        need_window_open(record, round_)
    if isinstance(fact, PlayerDropped | PlayerDisqualified):
        _need_no_round_missed(record, position, fact)


def _need_unpaired(record: Record, player: int, position: int) -> None:
    rounds = [*record.rounds("swiss"), *record.rounds("elimination")]
    if any(player in round_.players and _last_seating(round_) > position for round_ in rounds):
        raise Refusal(
            sentence("%(player)s has been paired since: drop the player instead", player=name_of(record, player))
        )


def _need_no_round_missed(record: Record, position: int, fact: PlayerDropped | PlayerDisqualified) -> None:
    """Refuse to undo a drop if a round was paired since, because the player would have neither a result nor a loss
    there.
    """
    missed = round_missed(record, position)
    if missed is None:
        return
    instead = (
        demanding(sentence("give a reason to charge no loss"), "an exception")
        if isinstance(fact, PlayerDisqualified)
        else demanding(
            sentence(
                "let the player rejoin, or retract entry %(entry)s and override",
                entry=_left_by(record, position, fact),
            ),
            "a rejoining player",
            "an exception",
        )
    )
    raise Refusal(
        sentence(
            "%(player)s missed round %(round)s and would get no loss for it: %(instead)s",
            round=missed,
            player=name_of(record, fact.player),
            instead=instead,
        ),
        record.rulebook.permission_rule("rejoin"),
    )


def _left_by(record: Record, position: int, fact: PlayerDropped) -> int:
    """Return the position of the entry that took a player out: the drop, or the no-show that caused the drop."""
    earlier = range(position, 0, -1) if fact.cause == "no-show" else ()
    return next((at for at in earlier if record.kind_at(at) is NoShowRecorded), position)


def _need_unamended(
    record: Record,
    position: int,
    fact: DeckSubmitted | DeckAmended | RulingGiven | WordPledged | BeaconNamed | BeaconRead,
) -> None:
    """Refuse to retract a deck list, a ruling, a word or a beacon before the later entry that builds on it."""
    match fact:
        case BeaconNamed() | BeaconRead():
            need_retractable_beacon(record, position, fact)
        case DeckSubmitted() | DeckAmended():
            need_retractable_list(record, position, fact)
        case RulingGiven():
            need_retractable_ruling(record, position)
        case WordPledged() if any(opened > position for opened, _ in record.every(WordsOpened)):
            raise Refusal(sentence("the words have been opened since, and an opened word cannot be taken back"))


def _need_leaver_out(record: Record, position: int) -> None:
    """Refuse to bring back a player whose place in the cut another player took (L5R-IV.2b-CUTDROP)."""

    def staying() -> set[int]:
        return {replaced.player for replaced in record.replacements if record.status(replaced.player) == "active"}

    before = staying()
    with record.without(position):
        back = staying() - before
    if back:
        raise Refusal(
            sentence(
                "another player took the place of %(player)s in the cut: retract the replacement first",
                player=name_of(record, min(back)),
            ),
            record.rulebook.elimination.rule("replacement"),
        )


def _need_undivided(record: Record, position: int, fact: DivisionsDecided | FlightsDrawn) -> None:
    """Refuse to retract divisions or flights after a round was paired in them or a player joined them.

    A round that was paired before a late decision does not depend on that decision.
    """
    if any(_seated_after(record, position)) or _cut_after(record, position):
        raise Refusal(sentence("a round was paired on this basis: retract the pairings first"))
    if isinstance(fact, FlightsDrawn) and any(
        division_of(record, joined.player) == fact.division for joined in record.flights_joined
    ):
        raise Refusal(sentence("a late player has joined one of the flights: retract that entry first"))


def _need_last_of_rounds(record: Record, position: int, fact: RoundPaired | PairingAmended) -> None:
    match fact:
        case RoundPaired():
            _need_untouched(record, fact)
        case PairingAmended():
            _need_last_amendment(record, position, fact)


def _need_unbuilt_on(record: Record, position: int, fact: _Foundation) -> None:
    """Refuse to retract a cut, a bracket or an announcement on which later pairings depend."""
    match fact:
        case DivisionsDecided() | FlightsDrawn():
            _need_undivided(record, position, fact)
        case StructureAnnounced() if any(_paired_after(record, position)) or _cut_after(record, position):
            raise Refusal(
                demanding(
                    sentence("a round was paired since the announcement: to announce a change, give a reason"),
                    "a reason",
                )
            )
        case CutMade() if record.rounds("elimination"):
            raise Refusal(sentence("the elimination stage is paired from this cut: retract its pairings first"))
        case BracketDrawn() if record.rounds("elimination"):
            raise Refusal(sentence("the elimination stage is paired by this bracket: retract its pairings first"))
        case CutMade() | QualifierReplaced() if record.bracket_drawn is not None:
            raise Refusal(
                sentence(
                    "the bracket has been drawn since: retract entry %(entry)s first", entry=record.bracket_drawn[0]
                )
            )


def _paired_after(record: Record, position: int) -> Iterator[Round]:
    rounds = [*record.rounds("swiss"), *record.rounds("elimination")]
    return (round_ for round_ in rounds if round_.position > position)


def _seated_after(record: Record, position: int) -> Iterator[Round]:
    """Yield the rounds that were paired or amended after an entry. Amendments taken back do not count."""
    for round_ in [*record.rounds("swiss"), *record.rounds("elimination")]:
        amended = (at for at, _ in round_.amendments if not record.is_dead(at))
        if max(round_.position, *amended, 0) > position:
            yield round_


def _cut_after(record: Record, position: int) -> bool:
    return any(made_at > position and not record.is_dead(made_at) for made_at, _ in record.every(CutMade))


def _last_seating(round_: Round) -> int:
    return max(round_.position, *(position for position, _ in round_.amendments), 0)


def _need_untouched(record: Record, fact: RoundPaired) -> None:
    latest = record.latest_round(fact.stage)
    if latest is None or latest.number != fact.round:
        raise Refusal(
            sentence(
                "round %(round)s was followed by another: retract the pairing of the last one first",
                round=fact.round,
            )
        )
    cut = next(iter(record.counting(CutMade)), None) if fact.stage == "swiss" else None
    if cut is not None:
        raise Refusal(
            sentence(
                "entry %(entry)s (%(said)s) builds on round %(round)s: retract that entry first",
                entry=cut[0],
                said=tell(record, cut[1]),
                round=fact.round,
            )
        )
    if any(found is not None for _, _, found in latest.results()):
        said = sentence(
            "round %(round)s has results: retract them first, or undo the whole round", round=fact.round
        )
        raise Refusal(demanding(said, "a round undone"))


def _need_last_amendment(record: Record, position: int, fact: PairingAmended) -> None:
    """Refuse to retract an amendment if a later amendment exists or its tables have results."""
    round_ = record.round(fact.round, fact.stage)
    if round_ is None:
        return
    for later, _ in round_.amendments:
        if later > position and not record.is_dead(later):
            raise Refusal(
                sentence(
                    "round %(round)s was amended again: retract entry %(entry)s first",
                    round=fact.round,
                    entry=later,
                )
            )
    if {seating.players for seating in fact.removed} == {seating.players for seating in fact.added}:
        return  # the entry changed only seats, and results move with the players
    for seating in fact.added:
        if round_.report(seating.table, seating.players) is not None:
            raise Refusal(sentence("table %(table)s has a result: retract it first", table=seating.table))


def _need_room(record: Record, retraction: Entry, back: int) -> None:
    """Refuse to restore an entry that contradicts later entries."""
    need_room_for_ruling(record, back)
    need_no_beacon(record, back)
    need_same_results(record, back)
    need_table_of_result(record, back)
    need_same_ground(record, retraction.position, back)
    need_not_seated_since(record, retraction.position, back)
    kind = record.kind_at(back)
    if round_of_result(record, back) is None and (kind is None or kind.paired_on):
        _need_room_in_rounds(record, retraction, back)
    need_undecided_since(record, retraction.position, back)


def _need_room_in_rounds(record: Record, retraction: Entry, back: int) -> None:
    """Refuse to restore an entry that pairings depend on, if a round was paired since."""
    if (newer := next(_paired_after(record, retraction.position), None)) is not None:
        raise Refusal(
            sentence(
                ("round %(round)s was paired after entry %(entry)s took this back: record the action again"),
                round=newer.number,
                entry=retraction.position,
            )
        )
    need_room_for_list(record, back)
    need_room_for_player(record, retraction.position, back)
    need_room_for_round(record, back)
    for round_ in [*record.rounds("swiss"), *record.rounds("elimination")]:
        for position, amendment in round_.amendments:
            if position == back:
                _need_last_amendment(record, back, amendment)
                if record.is_dead(back):
                    need_tables_as_amended(record, round_, amendment, back)
