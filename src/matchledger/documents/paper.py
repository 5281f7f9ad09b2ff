"""Documents about paper: score cards, the tournament overview, and whether an event is rated.

As in `documents`: keys are stable, new ones may be added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from matchledger.documents.document import Document, title
from matchledger.events import Entry
from matchledger_projections.record.record import Record
from matchledger_projections.stages.placing import Place, places
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.views.rating import Rating, rating
from matchledger_projections.views.score_card import CardLine, score_cards


def score_cards_document(record: Record, entries: Iterable[Entry], players: Sequence[int]) -> Document:
    """The score cards of some players; `entries` are those of the log up to the record's position.

    Every line says who wrote it and in which role (SWR-SCORECARD); `writer` is null while nothing is written.
    `outcome` is win, draw, loss, bye, absence (a round missed and charged) or open.
    """
    cards = score_cards(record, list(players))
    written = {line.entry for card in cards for line in (*card.swiss, *card.elimination)}
    writers = {entry.position: entry for entry in entries if entry.position in written}
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "unit": record.rulebook.unit,
        "bye_name": record.rulebook.bye.name,
        "cards": [
            {
                "player": record.players[card.player].name,
                "number": card.player,
                "division": record.players[card.player].division,
                "status": record.status(card.player),
                "swiss": [_line(record, writers, line) for line in card.swiss],
                "total": card.total,
                "elimination": [_line(record, writers, line) for line in card.elimination],
            }
            for card in cards
        ],
    }


def _line(record: Record, writers: dict[int, Entry], line: CardLine) -> Document:
    writer = None if line.entry is None else writers.get(line.entry)
    return {
        "round": line.round,
        "table": line.table,
        "opponent": None if line.opponent is None else record.players[line.opponent].name,
        "outcome": line.outcome,
        "kind": line.kind,
        "points": line.points,
        "total": line.total,
        "entry": line.entry,
        "writer": None if writer is None else {"name": writer.actor, "role": writer.role},
        "games": line.games,
    }


def rating_document(record: Record) -> Document:
    """Whether the event is rated (SWR-RATING); `rated` is null while it is not decided, days are ISO 8601."""
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        **_rating(rating(record)),
    }


def _rating(found: Rating) -> Document:
    return {
        "verdict": found.verdict,
        "rated": found.rated,
        "rule": found.rule,
        "participants": len(found.participants),
        "needed": found.needed,
        "ended": _day(found.ended),
        "deadline": _day(found.deadline),
        "filed": None
        if found.sent is None
        else {"sent": _day(found.sent), "cards": found.cards, "entry": found.entry},
    }


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def overview_document(record: Record, entries: Iterable[Entry]) -> Document:
    """The tournament overview: the event on one page, as its host sends it in (SWR-RATING).

    `host` is who opened the tournament, `staff` everybody who recorded something with the role of each. `began` is
    the day of the first entry, null for an event that was read from a file; `ended` is null while the tournament is
    not closed, or where nobody said on which day that was.
    """
    log = list(entries)
    staff = dict.fromkeys((entry.actor, entry.role) for entry in log)
    found = rating(record)
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "rulebook_title": record.rulebook.title,
        "edition": record.rulebook.edition,
        "position": record.position,
        "unit": record.rulebook.unit,
        "host": log[0].actor if log else None,
        "staff": [{"name": name, "role": role} for name, role in staff],
        "began": _day(log[0].recorded_at.astimezone().date()) if log and not record.imports else None,
        "ended": _day(found.ended),
        "closed": record.closing is not None,
        "enrolled": len(record.entered()),
        "participants": len(found.participants),
        "structure": None
        if record.structure is None
        else record.structure.model_dump(mode="json", exclude={"kind"}),
        "rounds": len(record.rounds("swiss")),
        "elimination_rounds": len(record.rounds("elimination")),
        "score_cards": len(found.participants),
        "rating": _rating(found),
        "places": [
            {
                "first": place.first,
                "last": place.last,
                "player": record.players[place.player].name,
                "number": place.player,
                "division": record.players[place.player].division,
                "points": points,
                "decided": place.decided,
                "status": record.status(place.player),
            }
            for place, points in _with_points(record)
        ],
    }


def _with_points(record: Record) -> Iterator[tuple[Place, int | None]]:
    """Everybody's place with the points of the Swiss rounds; None for a player who had none."""
    latest = record.latest_round()
    table = crosstable(record, record.rulebook, latest.number if latest is not None else 0)
    entered = set(table.players)
    for place in places(record):
        yield place, table.points[place.player] if latest is not None and place.player in entered else None
