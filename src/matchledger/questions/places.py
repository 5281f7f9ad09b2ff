"""Questions about places: the standings, why somebody has a place, and why two players meet."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.documents.audit import explanation_document
from matchledger.documents.charts import course_document
from matchledger.documents.document import Document
from matchledger.documents.pairing import SeatedBy, pairing_explanation_document
from matchledger.documents.tables import standings_document
from matchledger.events import Entry, RoundPaired
from matchledger.moments import Moment
from matchledger.questions.rounds import round_at
from matchledger.questions.window import Window
from matchledger.usage import UsageProblem
from matchledger_projections.audit.explanation import Explanation
from matchledger_projections.audit.explanation import explain as explain_place
from matchledger_projections.divisions.tables import DivisionTable, division_tables, ranked_apart
from matchledger_projections.pairing.explanation import PairingExplanation, Unexplained, explain_pairing
from matchledger_projections.round import Round
from matchledger_projections.rulebook import Rulebook
from matchledger_projections.sentence import joined, sentence
from matchledger_projections.standings import standings as rank


def divisions_shown(moment: Moment, law: Rulebook, wanted: str | None) -> list[DivisionTable]:
    """The division that was asked for; all of them, if that was asked for or if they play apart."""
    record = moment.record
    if wanted is None and not ranked_apart(record):
        return []
    known = division_tables(record, moment.round, law)
    if wanted in (None, "all"):
        return known
    found = [table for table in known if table.division == (wanted or "").casefold()]
    if not found:
        named = joined(table.division for table in known if table.division) or sentence("none")
        raise UsageProblem(
            sentence("there is no division %(division)r: there are %(known)s", division=wanted, known=named)
        )
    return found


def standings(window: Window, rulebook: Rulebook | None = None, division: str | None = None) -> Document:
    """The standings; under another `rulebook`, hypothetical ones. Raises UsageProblem for an unknown division."""
    law = rulebook or window.whole.rulebook
    return standings_document(
        window.record,
        rank(window.whole, window.moment.round, law),
        clock=window.moment.clock,
        rulebook=law,
        hypothetical=rulebook is not None,
        divisions=divisions_shown(window.moment, law, division) if division is not None else (),
    )


class Explained(NamedTuple):
    """A place explained, with the entries that it cites and the document of it."""

    explanation: Explanation
    entries: dict[int, Entry]
    document: Document


def explain(window: Window, player: int, rulebook: Rulebook | None = None) -> Explained:
    """Why a player has a place. Raises UsageProblem for one who is in no standings yet."""
    record, law = window.record, rulebook or window.whole.rulebook
    name = record.players[window.need_player(player)].name
    table = rank(window.whole, window.moment.round, law)
    if player not in table.table.players:
        raise UsageProblem(
            sentence("%(name)s had not entered by the end of round %(round)s", name=name, round=table.round)
        )
    explanation = explain_place(record, table, law, player)
    cited = {line.entry for line in explanation.lines} | {part.entry for part in explanation.comparisons}
    entries = {entry.position: entry for entry in window.shown(window.log()) if entry.position in cited}
    document = explanation_document(
        record, explanation, entries, clock=window.moment.clock, rulebook=law, hypothetical=rulebook is not None
    )
    return Explained(explanation, entries, document)


def course(window: Window, player: int) -> Document:
    """A player's rank after each round."""
    return course_document(window.record, window.need_player(player), through=window.moment.round)


class Meeting(NamedTuple):
    """Two players of a table, or one with a bye, how they came there, and the draw if there was one."""

    round: Round
    players: tuple[int, ...]
    seated: SeatedBy
    why: PairingExplanation | None
    document: Document


def why_they_meet(window: Window, table: int) -> Meeting:
    """Why the players of a table of a Swiss round meet. Raises UsageProblem."""
    round_ = round_at(window.moment, "swiss")
    if table not in round_.tables:
        raise UsageProblem(
            sentence(
                "round %(round)s has no table %(table)s: give the number of a table, or bye",
                round=round_.number,
                table=table,
            )
        )
    return _meeting(window, round_, round_.tables[table])


def why_they_have_byes(window: Window) -> list[Meeting]:
    """Why those of a Swiss round have a bye who have one. Raises UsageProblem where nobody has."""
    round_ = round_at(window.moment, "swiss")
    if not round_.byes:
        raise UsageProblem(sentence("nobody has a bye in round %(round)s", round=round_.number))
    return [_meeting(window, round_, (bye.player,)) for bye in round_.byes]


def _meeting(window: Window, round_: Round, players: tuple[int, ...]) -> Meeting:
    seated = _seated_by(window, round_, players)
    why = _drawn(window, round_, players) if seated.how == "drawn" else None
    document = pairing_explanation_document(window.record, round_, players, seated, why, clock=window.moment.clock)
    return Meeting(round_, players, seated, why, document)


def _seated_by(window: Window, round_: Round, players: tuple[int, ...]) -> SeatedBy:
    """The entry that seated two players, or gave a player the bye: the pairing, or the last amendment that did."""
    record = window.ledger.record(window.tournament)
    position, how = round_.position, "drawn" if round_.seed is not None else "by hand"
    for amended, fact in round_.amendments:
        added = [seating.players for seating in fact.added] + [(player,) for player in fact.byes_added]
        if players in added and not record.is_dead(amended):
            position, how = amended, "by amendment"
    entry = window.entry(position)
    assert entry is not None  # noqa: S101 - everybody sees who was paired with whom
    return SeatedBy(how, entry)


def _drawn(window: Window, round_: Round, players: tuple[int, ...]) -> PairingExplanation:
    paired = window.ledger.entry(window.tournament, round_.position).fact
    assert isinstance(paired, RoundPaired)  # noqa: S101 - the entry of a round is its pairing
    before = window.ledger.record_as_of(window.tournament, round_.position - 1)
    try:
        return explain_pairing(before, paired, players)
    except Unexplained as problem:
        raise UsageProblem(problem.args[0]) from None
