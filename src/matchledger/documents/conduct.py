"""The document of conduct: penalties, rulings, cards. As in `documents`: keys are stable, new ones may be added."""

from __future__ import annotations

from typing import Any

from matchledger.documents.document import Document, title
from matchledger.events import CardIncident, PenaltyGiven, RulingGiven
from matchledger_projections.conduct.cards import incidents, missing, proxies
from matchledger_projections.conduct.penalties import penalties
from matchledger_projections.conduct.rulings import rulings
from matchledger_projections.record.record import Record


def conduct_document(record: Record) -> Document:
    """All that was recorded about conduct and not taken back, each by the position of its entry.

    `unwarned` of a penalty is the rule by which a warning had to come first, and did not; `reviewed_by` of a ruling
    the entry of the one that took its place. `missing` and `proxies` are the positions of the cards' entries that
    say what holds now.
    """
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "penalties": [
            {
                "position": given.position,
                "player": record.players[given.fact.player].name,
                "penalty": given.fact.penalty,
                "offence": given.fact.offence,
                **_place(given.fact),
                "note": given.fact.note,
                "deviations": list(given.fact.deviations),
                "unwarned": given.unwarned,
            }
            for given in penalties(record)
        ],
        "rulings": [
            {
                "position": ruling.position,
                "question": ruling.fact.question,
                "outcome": ruling.fact.outcome,
                "judge": ruling.fact.judge,
                "source": ruling.fact.source,
                **_place(ruling.fact),
                "players": [record.players[player].name for player in ruling.fact.players or ()],
                "reviews": ruling.fact.reviews,
                "reviewed_by": ruling.reviewed_by,
                "final": ruling.fact.final,
            }
            for ruling in rulings(record)
        ],
        "cards": [
            {
                "position": incident.position,
                "player": record.players[incident.fact.player].name,
                "card": incident.fact.card,
                "what": incident.fact.what,
                "leader": incident.fact.leader,
                "when": incident.fact.when,
                "date": None if incident.fact.date is None else incident.fact.date.isoformat(),
                **_place(incident.fact),
                "note": incident.fact.note,
            }
            for incident in incidents(record)
        ],
        "missing": [incident.position for incident in missing(record)],
        "proxies": [incident.position for incident in proxies(record)],
    }


def _place(fact: PenaltyGiven | RulingGiven | CardIncident) -> dict[str, Any]:
    return {"stage": fact.stage, "round": fact.round, "table": fact.table}
