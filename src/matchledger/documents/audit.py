"""Documents of an audit: why a place is what it is, what touched it, what changed, and what might be.

As in `documents`: keys are stable, new ones may be added, exact numbers are "p/q".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from matchledger.documents.document import Document, title
from matchledger.documents.tables import standings_document
from matchledger.events import Entry
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.fractions import as_text
from matchledger_projections.standings.standings import Standings
from matchledger_projections.views.clinch import Clinch
from matchledger_projections.views.cutline import CutLine
from matchledger_projections.views.derivation import Derivation
from matchledger_projections.views.difference import Difference, Value, changed_lines
from matchledger_projections.views.explanation import Explanation, Measure
from matchledger_projections.views.history import Touch


def explanation_document(
    record: Record,
    explanation: Explanation,
    entries: Mapping[int, Entry],
    *,
    clock: Clock,
    rulebook: Rulebook,
    hypothetical: bool = False,
) -> Document:
    """Why a player has a place; `entries` are those that it cites, with who recorded them and when."""
    name = {number: player.name for number, player in record.players.items()}
    return {
        "tournament": title(record),
        "rulebook": rulebook.id,
        "hypothetical": hypothetical,
        "round": explanation.round,
        "clock": clock,
        "position": record.position,
        "player": name[explanation.player],
        "number": explanation.player,
        "rank": explanation.rank,
        "of": explanation.of,
        "tied": explanation.tied,
        "status": explanation.status,
        "points": explanation.points,
        "rounds": [
            {
                "round": line.round,
                "table": line.table,
                "opponent": None if line.opponent is None else name[line.opponent],
                "outcome": line.outcome,
                "kind": None if line.slip is None else line.slip.kind,
                "points": line.points,
                "blood_points": line.blood_points,
                "rule": line.rule,
                "entry": _citation(line.entry, entries),
                "replaced": list(line.replaced),
                "why": [{"text": text, "rule": rule} for text, rule in line.why],
                "games": line.games,
            }
            for line in explanation.lines
        ],
        "tiebreaks": [_derivation_document(name, derivation) for derivation in explanation.derivations],
        "neighbours": [
            {
                "player": name[comparison.neighbour],
                "rank": comparison.rank,
                "side": comparison.side,
                "equal": [part.step for part in comparison.equal],
                "decided": None if comparison.decided is None else _measure_document(comparison.decided),
                "entry": _citation(comparison.entry, entries),
                "met": list(comparison.met),
            }
            for comparison in explanation.comparisons
        ],
    }


def _citation(position: int | None, entries: Mapping[int, Entry]) -> Document | None:
    entry = None if position is None else entries.get(position)
    if entry is None:
        return None
    return {
        "position": entry.position,
        "recorded_at": entry.recorded_at.isoformat(),
        "actor": entry.actor,
        "role": entry.role,
        "station": entry.station,
        "reason": entry.reason,
    }


def _derivation_document(name: Mapping[int, str], derivation: Derivation) -> Document:
    return {
        "name": derivation.name,
        "rule": derivation.rule,
        "method": derivation.method,
        "value": _optional(derivation.value),
        "total": _optional(derivation.total),
        "terms": [
            {
                "round": term.round,
                "opponent": None if term.opponent is None else name[term.opponent],
                "value": as_text(term.value),
                "made_of": None if term.made_of is None else [as_text(term.made_of[0]), term.made_of[1]],
                "notes": list(term.notes),
            }
            for term in derivation.terms
        ],
        "notes": list(derivation.notes),
    }


def _measure_document(measure: Measure) -> Document:
    return {"step": measure.step, "mine": _optional(measure.mine), "theirs": _optional(measure.theirs)}


def _optional(value: Fraction | None) -> str | None:
    return None if value is None else as_text(value)


def history_document(record: Record, about: str, touches: Iterable[Touch]) -> Document:
    """Every entry that touched something, in order; `counts` says whether it still does."""
    return {
        "tournament": title(record),
        "position": record.position,
        "about": about,
        "entries": [
            {
                "position": touch.entry.position,
                "recorded_at": touch.entry.recorded_at.isoformat(),
                "actor": touch.entry.actor,
                "role": touch.entry.role,
                "station": touch.entry.station,
                "reason": touch.entry.reason,
                "kind": touch.entry.fact.kind,
                "what": touch.what,
                "superseded_by": list(touch.superseded_by),
                "retracted_by": list(touch.retracted_by),
                "counts": touch.counts,
            }
            for touch in touches
        ],
    }


def difference_document(
    record: Record, found: Difference, *, rulebook: Rulebook, hypothetical: bool = False
) -> Document:
    """Who moved between two views, from what to what, and the entries that did it (`how` says how sure that is)."""
    return {
        "tournament": title(record),
        "rulebook": rulebook.id,
        "hypothetical": hypothetical,
        "from": found.first._asdict(),
        "to": found.second._asdict(),
        "moves": [
            {
                "player": record.players[move.player].name,
                "number": move.player,
                "changes": {change.name: [_cell(change.before), _cell(change.after)] for change in move.changes},
                "entries": list(move.cause.entries),
                "how": move.cause.how,
            }
            for move in found.moves
        ],
    }


def _cell(value: Value) -> Value:
    return as_text(value) if isinstance(value, Fraction) else value


def supposition_document(
    record: Record,
    before: Standings,
    after: Standings,
    lines: Sequence[tuple[CutLine, CutLine]],
    imagined: Iterable[Entry],
    *,
    rulebook: Rulebook,
) -> Document:
    """What would be if the imagined entries were in the log; never what is."""
    document = standings_document(record, after, clock="as-known", rulebook=rulebook, hypothetical=True)
    document["position"] = None
    document["supposed"] = [tell(record, entry.fact) for entry in imagined]
    document["moves"] = {
        record.players[player].name: {
            change.name: [_cell(change.before), _cell(change.after)] for change in changes
        }
        for player, changes in changed_lines(before, after).items()
    }
    if lines:
        cuts = [{"was": _cut_line(record, was), "would_be": _cut_line(record, is_)} for was, is_ in lines]
        document["cut"] = cuts[0]
        if lines[0][0].division is not None:
            document["cuts"] = [
                {"division": was.division, **cut} for (was, _), cut in zip(lines, cuts, strict=True)
            ]
    return document


def _cut_line(record: Record, line: CutLine) -> Document:
    return {
        "size": line.size,
        "inside": [record.players[player].name for player in line.inside],
        "level": [record.players[player].name for player in line.level],
        "places_left": line.places_left,
    }


def clinch_document(record: Record, found: Sequence[Clinch]) -> Document:
    """Everybody's prospects of the cut; `endings` is None where points alone were counted.

    Of several cuts, each of a division, it is the first one's, with all of them as `divisions`.
    """
    documents = [_clinch(record, one) for one in found]
    return documents[0] if found[0].division is None else {**documents[0], "divisions": documents}


def _clinch(record: Record, found: Clinch) -> Document:
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "division": found.division,
        "cut": found.cut,
        "rounds_left": found.rounds_left,
        "basis": found.basis,
        "endings": found.endings,
        "players": [
            {
                "player": record.players[prospect.player].name,
                "number": prospect.player,
                "points": prospect.points,
                "cut": prospect.fate,
                "draw_is_safe": prospect.draw_is_safe,
            }
            for prospect in found.prospects
        ],
    }
