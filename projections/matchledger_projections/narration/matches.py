"""Narration of matches: slips, their corrections, and calls to the desk."""

from __future__ import annotations

from matchledger.events import (
    CallAnswered,
    CallFact,
    CheckedIn,
    DeskCalled,
    DropAsked,
    EntryRetracted,
    Games,
    JudgeCalled,
    LinkRenewed,
    MatchConceded,
    NoShowRecorded,
    PhoneFact,
    PhonesAllowed,
    PhoneUse,
    RequestAnswered,
    ResultClaimed,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    Slip,
    SlipFact,
    SlipRefused,
)
from matchledger.events.phones import Answer, Claim
from matchledger_projections.message import both, joined, sentence, word
from matchledger_projections.narration.names import both_of, match_of, name_of, opponent_of
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import report_of, slip_in
from matchledger_projections.rulebook.games import games_text, turned


def tell_match(record: Record, fact: SlipFact) -> str:
    """Describe a result or a retracted entry in one line."""
    match fact:
        case ResultReported():
            return _reported(record, fact)
        case ResultCorrected():
            return sentence(
                "%(match)s corrected (was entry %(entry)s): %(slip)s%(judged)s",
                match=match_of(fact),
                entry=fact.supersedes,
                slip=tell_slip(record, fact.players, fact.slip),
                judged=_judged(record, fact),
            )
        case MatchConceded():
            winner = opponent_of(record, fact.players, fact.by)
            return sentence(
                "%(match)s: %(player)s conceded to %(winner)s%(judged)s",
                match=match_of(fact),
                player=name_of(record, fact.by),
                winner=winner if fact.games is None else joined((winner, _conceded_at(fact, fact.games)), " "),
                judged=_judged(record, fact),
            )
        case NoShowRecorded():
            return sentence(
                "%(match)s: %(players)s did not appear", match=match_of(fact), players=both_of(record, fact.absent)
            )
        case SlipRefused():
            return _refused(record, fact)
        case EntryRetracted():
            return _retracted(record, fact)


def _retracted(record: Record, fact: EntryRetracted) -> str:
    """Describe in one line the entry that a retraction takes back or restores."""
    root = record.root_of(fact.retracts)
    if record.takes_back(fact.retracts):
        return sentence("entry %(entry)s counts again", entry=root)
    return sentence("entry %(entry)s retracted", entry=root)


def _refused(record: Record, fact: SlipRefused) -> str:
    """Describe a refused slip in one line, with the result or the pairing that it contradicts."""
    match, slip = match_of(fact), tell_slip(record, fact.players, fact.slip)
    if record.kind_at(fact.contradicts) is RoundPaired:
        return sentence(
            "%(match)s: a slip saying that %(slip)s was refused, because entry %(entry)s paired other players",
            match=match,
            slip=slip,
            entry=fact.contradicts,
        )
    return sentence(
        "%(match)s: a slip saying that %(slip)s was refused, because entry %(entry)s has another result",
        match=match,
        slip=slip,
        entry=fact.contradicts,
    )


def _conceded_at(fact: MatchConceded, games: Games) -> str:
    """Return the games of a conceded match, the winner's first."""
    return games_text(turned(games) if fact.by == fact.players[0] else games)


def _reported(record: Record, fact: ResultReported) -> str:
    said = joined((tell_slip(record, fact.players, fact.slip), _judged(record, fact)), "")
    line = joined((match_of(fact), said), ": ")
    if fact.confirms is None:
        return line
    return sentence(
        "%(result)s, as both players report by phone (entry %(entry)s)", result=line, entry=fact.confirms
    )


def tell_call(record: Record, fact: CallFact) -> str:
    """Describe a call to the desk in one line."""
    match fact:
        case DeskCalled():
            return joined((match_of(fact), _call(record, fact)), ": ")
        case CallAnswered():
            return _answered(record, fact)


def _answered(record: Record, fact: CallAnswered) -> str:
    answer = _ANSWERS[fact.answer]
    call = next((call for position, call in record.desk_calls if position == fact.call), None)
    if call is None:
        return sentence("a call was answered: %(answer)s", answer=answer)
    return sentence(
        "%(match)s: the call of %(player)s was answered: %(answer)s",
        match=match_of(call),
        player=name_of(record, call.by),
        answer=answer,
    )


def tell_slip(record: Record, players: tuple[int, int], slip: Slip) -> str:
    """Describe a slip in words: who beat whom, and the notes on it."""
    first, second = (name_of(record, player) for player in players)
    beside = [word(slip.kind)] if slip.kind not in ("win", "draw", "score", "double-loss") else []
    if slip.blood_points is not None:
        beside.append(sentence("loser %(points)s blood points", points=slip.blood_points))
    scores = f" {slip.scores[0]}-{slip.scores[1]}" if slip.scores is not None else ""
    if slip.games is not None:
        scores = f" {games_text(turned(slip.games) if slip.winner == players[1] else slip.games)}"
    if slip.winner is None and slip.kind == "double-loss":
        text: str = sentence("%(first)s and %(second)s both lost", first=first, second=second)
    elif slip.winner is None and slip.kind in ("draw", "score"):
        text = sentence("%(first)s and %(second)s drew", first=first, second=second)
    elif slip.winner is None:
        text = both((first, second))
    elif slip.scores is not None:
        text = f"{first} - {second}"
    else:
        winner, loser = (first, second) if slip.winner == players[0] else (second, first)
        text = sentence("%(winner)s beat %(loser)s", winner=winner, loser=loser)
    notes = joined((" (", joined(beside), ")"), "") if beside else ""
    return joined((text, scores, notes), "")


def _judged(record: Record, fact: ResultReported | ResultCorrected | MatchConceded) -> str:
    """Say how the times and values on a slip decide the match, with the rule."""
    round_ = record.round(fact.round, fact.stage)
    report = report_of(record.position, fact.players, slip_in(fact))
    if round_ is None or not report.is_timed:
        return ""
    verdict = round_.judged(fact.table, report).verdict
    if verdict is None or not verdict.why:
        return ""
    kind = "" if verdict.kind == verdict.claimed_kind else sentence(", a %(kind)s", kind=word(verdict.kind))
    reasons = joined((joined((text, " (", rule, ")"), "") for text, rule in verdict.why), "; ")
    return joined((kind, reasons), ": ")


def _call(record: Record, fact: DeskCalled) -> str:
    if fact.disputes is None:
        disputed = sentence("no result is recorded")
    else:
        disputed = sentence("entry %(entry)s is wrong", entry=fact.disputes)
    return sentence(
        "the desk was called for %(player)s, saying that %(disputed)s%(claim)s",
        player=name_of(record, fact.by),
        disputed=disputed,
        claim=_CLAIMS[fact.claim],
    )


_ANSWERS: dict[Answer, str] = {
    "stands": sentence("the result stands"),
    "corrected": sentence("the result was corrected"),
    "settled": sentence("it was settled in another way"),
}

_CLAIMS: dict[Claim, str] = {
    "won": sentence(", and that the player won"),
    "lost": sentence(", and that the player lost"),
    "drew": sentence(", and that the player drew"),
    "other": "",
}


USES: dict[PhoneUse, str] = {
    "report": sentence("report results"),
    "judge": sentence("call a judge"),
    "deck": sentence("hand in a deck list"),
    "drop": sentence("ask to be dropped"),
    "check-in": sentence("check in"),
    "sign-up": sentence("put their names on the waiting list"),
    "push": sentence("get news of a round by Web Push"),
}


def tell_phone(record: Record, fact: PhoneFact) -> str:
    """Describe players' phones in one line."""
    match fact:
        case PhonesAllowed():
            return _allowed(fact)
        case ResultClaimed():
            return sentence(
                "%(match)s: %(player)s reports by phone: %(slip)s",
                match=match_of(fact),
                player=name_of(record, fact.by),
                slip=tell_slip(record, fact.players, fact.slip),
            )
        case JudgeCalled():
            called = sentence("%(player)s called a judge", player=name_of(record, fact.by))
            return joined((match_of(fact), called), ": ")
        case RequestAnswered():
            return sentence("request %(entry)s answered", entry=fact.request)
    return _said(record, fact)


def _allowed(fact: PhonesAllowed) -> str:
    if not fact.may:
        return sentence("players may not use their phones for anything")
    uses = joined([USES[use] for use in fact.may])
    if fact.places is not None:
        return sentence(
            "players may use their phones to %(uses)s; the event has %(places)s places",
            uses=uses,
            places=fact.places,
        )
    return sentence("players may use their phones to %(uses)s", uses=uses)


def _said(record: Record, fact: LinkRenewed | DropAsked | CheckedIn) -> str:
    player = name_of(record, fact.player)
    match fact:
        case LinkRenewed():
            return sentence("%(player)s got a new personal link", player=player)
        case DropAsked():
            return sentence("%(player)s asked to be dropped", player=player)
        case CheckedIn():
            return sentence("%(player)s checked in", player=player)
