"""Some commands record several facts. Retracting one fact retracts the others too, or names the facts that
remain.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commands.test_faces import REASON, Faces, opened, organizer
from tests.doors.conftest import Stage
from tests.doors.matrix import REQUESTS, filled

from matchledger.commands.refusal import Refusal
from matchledger.commands.registry import COMMANDS, command_from
from matchledger.events import AnyFact, EntryRetracted
from matchledger.service.execute import Done, Request, execute

__all__ = ["organizer"]

# Facts that can be taken back without the rest of their command, each with the remaining effect.
ALONE = {
    ("record-no-show", "player-dropped"): "a no-show without a drop, as --stays records it",
    ("register-roster", "player-registered"): "the players of the other lines",
    ("pair-round", "round-paired"): "the basis of draws, which no person records",
    ("draw-ties", "tie-resolved"): "the order of the other ties",
    ("draw-flights", "flights-drawn"): "the basis of draws, which no person records",
    ("check-decks", "deck-checked"): "the checks of the other lists",
}


def done(ledger: Path, token: str, kind: str, **fields: object) -> Done:
    with opened(ledger) as (kept, tournament):
        command = command_from({"kind": kind, **fields})
        return execute(kept, tournament, Request(command, kept.admit(tournament, token), reason=REASON))


def each_fact(ledger: Path, entries: dict[int, AnyFact]) -> Iterator[int]:
    """Yield the position of each fact, each time with the ledger as it is now."""
    shutil.copy(ledger, ledger.with_name("after.ledger"))
    for position in entries:
        shutil.copy(ledger.with_name("after.ledger"), ledger)
        yield position


@pytest.mark.parametrize("kind", REQUESTS)
def test_facts_of_one_command_are_taken_back_together_unless_the_rest_makes_sense_alone(
    at_stage: Stage, organizer: str, kind: str
) -> None:
    asked = REQUESTS[kind]
    ledger = at_stage(asked.stage)
    fields = asked.body | ({"deviating": True} if "deviating" in COMMANDS[kind].model_fields else {})
    recorded = done(ledger, organizer, kind, **filled(fields, ledger.parent))
    facts = {entry.position: entry.fact for entry in recorded.entries}
    known = {fact for command, fact in ALONE if command == kind}
    alone = set()
    for position in each_fact(ledger, facts if len(facts) > 1 else {}):
        try:
            back = done(ledger, organizer, "retract-entry", position=position, override=True, deviating=True)
        except Refusal:
            continue
        taken = {entry.fact.retracts for entry in back.entries if isinstance(entry.fact, EntryRetracted)}
        if taken != facts.keys():
            alone.add(facts[position].kind)
    assert alone == known


FACES = ("command_line", "program", "desk")


def positions(at_stage: Stage, stage: str, *kinds: str) -> dict[int, str]:
    with opened(at_stage(stage)) as (kept, tournament):
        return {entry.position: entry.fact.kind for entry in kept.entries(tournament) if entry.fact.kind in kinds}


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("stage", "kinds"),
    [
        ("divisions cut", ("cut-made",)),
        ("flight joined", ("player-arrived-late", "flight-joined")),
    ],
)
def test_one_retraction_takes_the_linked_facts_back(
    at_stage: Stage,
    organizer: str,
    capsys: pytest.CaptureFixture[str],
    face: str,
    stage: str,
    kinds: tuple[str, ...],
) -> None:
    """Before the fix, a division lost its cut, and the next round was paired without its players. Before the fix, a
    late player lost the flight, and then had a bye in each round.
    """
    linked = positions(at_stage, stage, *kinds)
    assert len(linked) == 2
    faces = Faces(at_stage, stage, organizer, capsys)
    for position in linked:
        facts = getattr(faces, face)("retract-entry", {"position": position}, REASON)
        assert {fact.retracts for fact, _ in facts} == linked.keys()


@pytest.mark.parametrize("face", FACES)
def test_the_brackets_of_all_divisions_are_taken_back_together(
    at_stage: Stage, organizer: str, capsys: pytest.CaptureFixture[str], face: str
) -> None:
    """Before the fix, the next round was paired without the players of the bracket that was taken back."""
    [paired] = list(positions(at_stage, "divisions drawn", "round-paired"))[1:]
    brackets = positions(at_stage, "divisions drawn", "bracket-drawn")
    faces = Faces(at_stage, "divisions drawn", organizer, capsys)
    for position in brackets:
        asked = "retract-entry", {"position": position}, REASON
        assert "retract its pairings first" in str(getattr(faces, face)(*asked))
        facts = getattr(faces, face)(*asked, f"retract {paired} --yes")
        assert {fact.retracts for fact, _ in facts if fact.retracts != paired} == brackets.keys()


@pytest.mark.parametrize("kind", ["penalty-given", "result-reported"])
def test_a_retracted_penalty_names_the_result_that_remains(at_stage: Stage, organizer: str, kind: str) -> None:
    """A judge may retract a penalty and keep the lost match. Before the fix, no message said that the match
    remained lost.
    """
    linked = positions(at_stage, "lost by penalty", "penalty-given", "result-reported")
    said = {
        "result-reported": "Bo beat Ann (game-loss)",
        "penalty-given": "round 1, table 1: Ann given a match loss for unsporting conduct",
    }
    ledger = at_stage("lost by penalty")
    [(one, _), (other, rest)] = sorted(linked.items(), key=lambda item: item[1] != kind)
    back = done(ledger, organizer, "retract-entry", position=one)
    [note] = back.warnings
    assert note == f"entry {other} ({said[rest]}) still counts: to take it back too, retract entry {other}"
    assert not done(ledger, organizer, "retract-entry", position=other).warnings
