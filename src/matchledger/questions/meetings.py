"""Questions about pairings: why two players meet, and why somebody has a bye."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.documents.document import Document
from matchledger.documents.pairing import SeatedBy, pairing_explanation_document
from matchledger.events import RoundPaired
from matchledger.notation.problems import UsageProblem
from matchledger.questions.rounds import round_at
from matchledger.questions.window import Window
from matchledger_projections.message import sentence
from matchledger_projections.pairing.explanation import PairingExplanation, Unexplained, explain_pairing
from matchledger_projections.record.round import Round


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
