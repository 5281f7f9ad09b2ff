"""Questions of the staff: who leads, whose deck list is registered, who came in, what a posting said."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from uuid import UUID

from matchledger.documents.document import Document
from matchledger.documents.sheets import note_of_posting, posting_document
from matchledger.documents.staff import staff_document
from matchledger.events import StandingsPosted, TokenAdmitted, Two
from matchledger.ledger import Ledger, shown
from matchledger.notation.problems import UsageProblem
from matchledger.proof.station_token import TokenRefused
from matchledger.service.moments import Moment
from matchledger_projections.conduct import access as doors
from matchledger_projections.conduct.staff import leaders_in
from matchledger_projections.decks.registered import Registered, registered
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record


def staff(record: Record) -> Document:
    """Who leads the event, and who rules in the games of the latest round in which leaders play."""
    round_ = record.latest_round("elimination") or record.latest_round()
    return staff_document(record, round_, games_of_leaders(record))


def games_of_leaders(record: Record) -> list[tuple[int, Two]]:
    """The tables of the latest round at which a leader sits."""
    round_ = record.latest_round("elimination") or record.latest_round()
    tables = {} if round_ is None else round_.tables
    return [(table, players) for table, players in tables.items() if leaders_in(record, players)]


def deck(record: Record, player: int, *, cards: bool) -> Document:
    """A player's list; `cards` and what checks found are there only where they are asked for."""
    current = registered(record, player)
    document: Document = {
        "player": record.players[player].name,
        "number": player,
        "position": record.position,
        "entry": None if current is None else current.position,
        "sha256": None if current is None else current.sha256,
        "amendments": list(_amendments(current)),
        "checks": list(_checks(record, player, with_findings=cards)),
    }
    if cards and current is not None:
        document["cards"] = [card.model_dump() for card in current.deck.cards]
    return document


def _amendments(current: Registered | None) -> Iterator[Document]:
    for position, fact in current.amendments if current else ():
        yield {
            "entry": position,
            "leader": fact.leader,
            "advantageous": fact.advantageous,
            "sha256": fact.sha256,
        }


def _checks(record: Record, player: int, *, with_findings: bool) -> Iterator[Document]:
    for position, fact in record.deck_checks(player):
        line = {"entry": position, "rule": fact.rule, "ok": fact.ok, "round": fact.round}
        found = {"found": fact.finding.text if fact.finding else None} if with_findings else {}
        yield {**line, "sha256": fact.sha256, "card_data": fact.card_data, **found}


def tokens(record: Record) -> Document:
    """The keys that are trusted and the tokens that came in."""
    return {
        "keys": list(doors.trusted_keys(record)),
        "demanded": doors.tokens_demanded(record),
        "tokens": [_admitted(record, position, fact) for position, fact in record.every(TokenAdmitted)],
    }


def _admitted(record: Record, position: int, fact: TokenAdmitted) -> Document:
    return {
        "id": fact.token,
        "actor": fact.actor,
        "role": fact.role,
        "station": fact.station,
        "admitted": position,
        "expires": fact.expires.isoformat(),
        "revoked": doors.revoked(record, fact.token),
        "replaced": doors.superseded(record, actor=fact.actor, station=fact.station, issued=fact.issued),
    }


def token(record: Record, tournament: UUID, text: str, now: datetime) -> Document:
    """What a token says, or why it is not taken."""
    try:
        found = shown(record, tournament, text, now)
    except TokenRefused as refused:
        return {"taken": False, "problem": str(refused)}
    return {"taken": True, **found.model_dump(mode="json")}


def last_posting(record: Record, round_: int | None) -> tuple[int, StandingsPosted]:
    """The standings that were posted last, or last after a round. Raises UsageProblem where none were."""
    postings = [found for found in record.postings if round_ in (None, found[1].round)]
    if not postings:
        raise UsageProblem(sentence("no such standings were posted: post them first, and print what was posted"))
    return postings[-1]


def posting(ledger: Ledger, tournament: UUID, moment: Moment, shown_as: Record) -> Document:
    """Standings as they were posted, with the checkpoint signed for them, and the names of `shown_as`."""
    position, posted = last_posting(moment.record, moment.round)
    return posting_document(
        shown_as,
        position,
        posted,
        posted_at=ledger.entry(tournament, position).recorded_at,
        tree_head=str(ledger.head(tournament, position)),
        note=note_of_posting(moment.record, position),
    )
