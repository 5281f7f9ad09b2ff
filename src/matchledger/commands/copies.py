"""Merging copies: what happens to each entry that only the other copy has.

An entry of the other copy counts if its fact can be recorded in this copy now. A slip that contradicts a result of
this copy is recorded as refused. An entry that both copies have is kept once. If a person must decide about an
entry first, the merge asks a question with one way to settle it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile
from typing import Any

from matchledger.commands.copied_rounds import clock_came, first_player_came, round_came, slip_came, tie_came
from matchledger.commands.diverged import Diverged, Entrance, Outcome
from matchledger.commands.refusal import Refusal, need_open
from matchledger.commands.retraction import need_retractable
from matchledger.commands.roster import comes_late, disqualify, drop, need_to_be_new, rejoin
from matchledger.commands.seats import award_byes, need_free_table
from matchledger.events import (
    AnyFact,
    BracketDrawn,
    ByesAwarded,
    CallAnswered,
    CardIncident,
    CheckedIn,
    CheckpointCosigned,
    CheckpointSigned,
    ClockPaused,
    ClockResumed,
    CopyMerged,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    DeskCalled,
    DivisionChanged,
    DrawBasisFixed,
    DropAsked,
    Entry,
    EntryRetracted,
    Fact,
    FirstPlayerSet,
    JudgeCalled,
    LinkRenewed,
    MarkCalled,
    MatchConceded,
    NamesHandedOut,
    NewsPosted,
    NoShowRecorded,
    PairingAmended,
    PairingsPosted,
    PenaltyGiven,
    PersonCorrected,
    PersonErased,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    RequestAnswered,
    ResultClaimed,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    RulingGiven,
    SlipRefused,
    StandingsPosted,
    TableFixed,
    TieResolved,
    TimeExtended,
    TokenAdmitted,
    TokenRevoked,
    TournamentClosed,
)
from matchledger_projections.conduct import access as doors
from matchledger_projections.message import demanding, sentence, word
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record
from matchledger_projections.record.references import players_in

EntryHere = Callable[[int], Entry]
PutRight = PersonCorrected | DivisionChanged | ByesAwarded | TableFixed


def deal_with(copies: Diverged, theirs: Iterable[Entry], entry_here: EntryHere) -> None:
    """Merge the entries of the other copy, in order."""
    sent_to_both = {own.command for own in copies.own}
    theirs = list(theirs)
    copies.living_there = [entry.fact for entry in theirs if not copies.there.is_dead(entry.position)]
    for entry in theirs:
        outcome = _known(copies, entry) or _new(copies, entry, entry_here)
        came = entry.position in copies.known or (outcome.how == "same" and entry.command in sent_to_both)
        copies.finds_new = copies.finds_new or not (came or isinstance(entry.fact, CopyMerged))
        copies.take(outcome)


def _known(copies: Diverged, entry: Entry) -> Outcome | None:
    """Return the outcome of an entry that this copy has already, or None for an entry that is new here."""
    if entry.position not in copies.known:
        same = copies.by_command(entry)
        return None if same is None else Outcome(entry, "same", same)
    at = copies.known[entry.position]
    if isinstance(entry.fact, PlayerRegistered | PlayerArrivedLate):
        found = (player.number for player in copies.here.players.values() if player.position == at)
        copies.numbers[entry.fact.number] = next(found, entry.fact.number)
    return Outcome(entry, "kept" if at is None else "same", at)


def _new(copies: Diverged, entry: Entry, entry_here: EntryHere) -> Outcome:
    fact = entry.fact
    dead = copies.there.is_dead(entry.position) or entry.command in copies.put_aside
    if isinstance(fact, _OF_THE_OTHER) or dead or _is_about_an_erased_person(copies, fact):
        return Outcome(entry, "same" if (at := _done_alike(copies, fact)) is not None else "kept", at)
    if isinstance(fact, TournamentClosed):
        return _closing_came(copies, entry)
    try:
        if not isinstance(fact, PersonCorrected | PersonErased):  # a closed event accepts both kinds
            need_open(copies.here)
        if isinstance(fact, EntryRetracted):
            return _retraction_came(copies, entry, fact, entry_here)
        come = _COMES.get(type(fact), _addition_came if isinstance(fact, _ADDED) else _something_else_came)
        entering = isinstance(fact, PlayerRegistered | PlayerArrivedLate)
        if not entering and (alike := _given_alike(copies, entry)) is not None:
            return Outcome(entry, "same", alike)
        return come(copies, entry, fact if entering else copies.as_here(fact))
    except Refusal as refusal:
        return copies.ask(
            entry,
            sentence("entry %(entry)s of the other copy: %(refused)s", entry=entry.position, refused=refusal.said),
        )


def _done_alike(copies: Diverged, fact: AnyFact) -> int | None:
    """Return this copy's counting entry with an amendment that both copies made, and that the other copy took back.

    Then the other copy's retraction counts here, too.
    """
    if not isinstance(fact, PairingAmended) or copies.as_here(fact) in map(copies.as_here, copies.living_there):
        return None
    return next((own.position for own in copies.living() if own.fact == copies.as_here(fact)), None)


def _given_alike(copies: Diverged, entry: Entry) -> int | None:
    """Return this copy's entry with the same fact, if both copies also have an earlier entry of the fact's command.

    Equal facts of one command mean that people gave the command in both copies, such as a merge of two
    registrations.
    """
    earlier = takewhile(lambda outcome: outcome.theirs.command == entry.command, reversed(copies.outcomes))
    same = {outcome.entry for outcome in earlier if outcome.how == "same"}
    if not same:
        return None
    commands, fact = {own.command for own in copies.own if own.position in same}, copies.as_here(entry.fact)
    alike = (own.position for own in copies.living() if own.command in commands and own.fact == fact)
    return next((position for position in alike if position not in same), None)


def _retraction_came(copies: Diverged, entry: Entry, fact: EntryRetracted, entry_here: EntryHere) -> Outcome:
    at = copies.entry_of(fact.retracts)
    if at is None:  # the other copy retracted an entry that does not count in this copy
        return Outcome(entry, "kept")
    if copies.here.is_dead(at):
        alike = (own for own in copies.own if isinstance(own.fact, EntryRetracted) and own.fact.retracts == at)
        return Outcome(entry, "same", next((own.position for own in alike), None))
    retracted = copies.made_at(at) or entry_here(at)
    if isinstance(retracted.fact, Entrance):
        _need_nothing_since(copies, retracted.fact)
    need_retractable(copies.here, retracted, override=entry.reason is not None)
    return copies.counts(entry, fact.model_copy(update={"retracts": at}))


def _need_nothing_since(copies: Diverged, entered: Entrance) -> None:
    """Refuse the other copy's end of a registration if this copy has since added facts about the player."""
    about = (own.position for own in copies.living() if entered.number in players_in(own.fact))
    if (added := next(about, None)) is not None:
        raise Refusal(
            sentence(
                "registration #%(number)s ends there, but entry %(entry)s was added to it here: retract entry "
                "%(entry)s, and record that entry again after the merge for the right player",
                number=entered.number,
                entry=added,
            )
        )


def _closing_came(copies: Diverged, entry: Entry) -> Outcome:
    """Merge the closing of the other copy. If this copy is not closed, the closing does not count, and the desk
    closes the merged event.
    """
    own = next((own.position for own in copies.living() if isinstance(own.fact, TournamentClosed)), None)
    return Outcome(entry, "kept" if own is None else "same", own)


def _addition_came(copies: Diverged, entry: Entry, fact: Any) -> Outcome:
    """Merge a fact that adds to the log and contradicts no other fact."""
    _need_registered(copies, fact)
    return copies.counts(entry, fact)


def _is_registered(record: Record, number: int) -> bool:
    return number in record.players and not record.is_dead(record.players[number].position)


def _need_registered(copies: Diverged, fact: AnyFact) -> None:
    """Refuse a fact about a player whose registration was merged, transferred or retracted here."""
    gone = next((number for number in sorted(players_in(fact)) if not _is_registered(copies.here, number)), None)
    if gone is not None:
        raise Refusal(
            sentence(
                "#%(number)s is no longer registered here: record the entry here for the right player, and "
                "retract it in the other copy",
                number=gone,
            )
        )


def _player_came(copies: Diverged, entry: Entry, fact: PlayerRegistered | PlayerArrivedLate) -> Outcome:
    here, name = copies.here, fact.person.name
    known = here.named(name)
    if known is not None and known.position > copies.fork:
        if (known.person, known.division) != (fact.person, fact.division):
            return copies.ask(
                entry,
                sentence(
                    "%(player)s is registered differently in the two copies: correct one of them", player=name
                ),
            )
        _number(copies, fact, known.number)
        return Outcome(entry, "same", known.position)
    need_to_be_new(here, fact.person)
    rounds = len(copies.there.as_of(entry.position - 1).rounds())
    if len(here.rounds()) != rounds or comes_late(here) != isinstance(fact, PlayerArrivedLate):
        return copies.ask(
            entry,
            sentence(
                "%(player)s entered in the other copy, and the rounds of the two copies differ: enter "
                "%(player)s here too",
                player=name,
            ),
        )
    number = len(here.players) + 1
    _number(copies, fact, number)
    return copies.counts(entry, fact.model_copy(update={"number": number}))


def _number(copies: Diverged, fact: PlayerRegistered | PlayerArrivedLate, number: int) -> None:
    """Note the number that a player of the other copy gets in this copy. If the numbers in the two copies differ, a
    person must confirm the new number.
    """
    copies.numbers[fact.number] = number
    if number == fact.number or copies.renumber:
        return
    taken = copies.here.players.get(fact.number)
    copies.questions.append(
        demanding(
            sentence(
                "#%(number)s is %(player)s in the other copy and %(other)s here: %(player)s can be #%(new)s here",
                number=fact.number,
                player=fact.person.name,
                other=sentence("nobody") if taken is None else taken.name,
                new=number,
            ),
            "new numbers",
        )
    )


def _player_moved(
    copies: Diverged, entry: Entry, fact: PlayerDropped | PlayerRejoined | PlayerDisqualified
) -> Outcome:
    here = copies.here
    _need_registered(copies, fact)
    if here.status(fact.player) == "disqualified" and not isinstance(fact, PlayerDisqualified):
        # A player who is disqualified in this copy stays out, even if the other copy brought the player back.
        return Outcome(entry, "kept")
    moved = [at for at, _ in here.movements.get(fact.player, ()) if at > copies.fork and not here.is_dead(at)]
    match fact:
        case PlayerDropped():
            after = "dropped"
        case PlayerRejoined():
            after = "active"
        case PlayerDisqualified():
            after = "disqualified"
    if here.status(fact.player) == after and moved:
        return Outcome(entry, "same", moved[-1])
    match fact:
        case PlayerDropped():
            decided = drop(here, player=fact.player, cause=fact.cause)
        case PlayerRejoined():
            decided = rejoin(here, player=fact.player)
        case PlayerDisqualified():
            decided = disqualify(here, player=fact.player, recommended_by=fact.recommended_by)
    if fact in decided:
        return copies.counts(entry, fact)
    return copies.ask(
        entry,
        sentence(
            "%(player)s left or came back in the other copy, and the rounds of the two copies differ: record "
            "the same here",
            player=here.players[fact.player].name,
        ),
    )


def _player_put_right(copies: Diverged, entry: Entry, fact: PutRight) -> Outcome:
    """Merge a fact that replaces an earlier fact about a player, unless this copy replaced the earlier fact
    differently.
    """
    _need_registered(copies, fact)
    own = [
        own
        for own in copies.living()
        if type(own.fact) is type(fact) and getattr(own.fact, "player", None) == fact.player
    ]
    if (alike := next((each.position for each in own if each.fact == fact), None)) is not None:
        return Outcome(entry, "same", alike)
    in_both = {outcome.entry for outcome in copies.outcomes if outcome.how == "same"}
    if (unlike := next((each for each in own if each.position not in in_both), None)) is not None:
        return copies.ask(
            entry,
            sentence(
                "the two copies differ about %(player)s (entry %(own)s here, entry %(entry)s there): retract one "
                "of the two entries",
                player=copies.here.players[fact.player].name,
                own=unlike.position,
                entry=entry.position,
            ),
        )
    match fact:
        case PersonCorrected():
            other = copies.here.named(fact.person.name)
            if other is not None and other.number != fact.player:
                need_to_be_new(copies.here, fact.person)
        case ByesAwarded():
            award_byes(copies.here, player=fact.player, rounds=fact.rounds, deviating=entry.reason is not None)
        case TableFixed():
            need_free_table(copies.here, fact.player, fact.table)
        case DivisionChanged():
            pass
    return copies.counts(entry, fact)


def _token_came(copies: Diverged, entry: Entry, fact: TokenAdmitted) -> Outcome:
    found = doors.admission(copies.here, fact.token)
    return copies.counts(entry, fact) if found is None else Outcome(entry, "same", found[0])


def _token_revoked(copies: Diverged, entry: Entry, fact: TokenRevoked) -> Outcome:
    found = doors.revoked(copies.here, fact.token)
    return copies.counts(entry, fact) if found is None else Outcome(entry, "same", found)


def _erasure_came(copies: Diverged, entry: Entry, fact: PersonErased) -> Outcome:
    """Merge an erasure. A player who was erased in either copy stays erased: the next reading of the log destroys
    the key.
    """
    at = erased(copies.here).get(fact.player)
    return copies.counts(entry, fact) if at is None else Outcome(entry, "same", at)


def _is_about_an_erased_person(copies: Diverged, fact: Fact) -> bool:
    """Return whether a fact has personal data of a player whose data was erased in this copy. A fact with erased
    personal data is not recorded.
    """
    return isinstance(fact, _PERSONAL) and copies.player_of(fact.player) in erased(copies.here)


def _something_else_came(copies: Diverged, entry: Entry, fact: Any) -> Outcome:
    """Ask a person about pairings, qualifiers or announcements, unless both copies agree.

    Both copies also agree on an amendment that this copy has taken back.
    """
    own = [*copies.living(), *(copies.own if isinstance(fact, PairingAmended) else ())]
    alike = next((one.position for one in own if one.fact == fact), None)
    if alike is not None:
        return Outcome(entry, "same", alike)
    kind = word(fact.kind.replace("-", " "))
    about = ("elimination", 1) if isinstance(fact, BracketDrawn) else None
    return copies.ask(
        entry,
        sentence(
            "entry %(entry)s of the other copy (%(kind)s) is not here: record the same here, or merge this copy "
            "into the other one",
            entry=entry.position,
            kind=kind,
        ),
        about,
    )


def _tie_came(copies: Diverged, entry: Entry, fact: TieResolved) -> Outcome:
    return tie_came(copies, entry, fact) or _something_else_came(copies, entry, fact)


# Kinds of facts that contradict nothing. A merge adds such facts without a question.
_ADDED = (
    PenaltyGiven,
    RulingGiven,
    CardIncident,
    NamesHandedOut,
    DeskCalled,
    CallAnswered,
    DeckSubmitted,
    DeckAmended,
    DeckChecked,
    CheckedIn,
    ResultClaimed,
    JudgeCalled,
    DropAsked,
    RequestAnswered,
    LinkRenewed,
    NewsPosted,
)
# Kinds of facts with personal data about a registered player.
_PERSONAL = (PersonCorrected, DeckSubmitted, DeckAmended, DeckChecked)
# Kinds of facts that concern the other copy alone: its signatures and postings.
_OF_THE_OTHER = (CheckpointSigned, CheckpointCosigned, StandingsPosted, PairingsPosted, DrawBasisFixed, CopyMerged)

_COMES: dict[type[Fact], Callable[[Diverged, Entry, Any], Outcome]] = {
    PlayerRegistered: _player_came,
    PlayerArrivedLate: _player_came,
    PlayerDropped: _player_moved,
    PlayerRejoined: _player_moved,
    PlayerDisqualified: _player_moved,
    PersonCorrected: _player_put_right,
    DivisionChanged: _player_put_right,
    ByesAwarded: _player_put_right,
    TableFixed: _player_put_right,
    TimeExtended: clock_came,
    PersonErased: _erasure_came,
    RoundPaired: round_came,
    TieResolved: _tie_came,
    TokenAdmitted: _token_came,
    TokenRevoked: _token_revoked,
    ResultReported: slip_came,
    MatchConceded: slip_came,
    NoShowRecorded: slip_came,
    ResultCorrected: slip_came,
    SlipRefused: slip_came,
    RoundStarted: clock_came,
    ClockPaused: clock_came,
    ClockResumed: clock_came,
    MarkCalled: clock_came,
    FirstPlayerSet: first_player_came,
}
