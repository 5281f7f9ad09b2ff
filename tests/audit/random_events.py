"""Random tournaments with every rulebook, odd numbers of players, drops, late arrivals, no-shows and
corrections.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random
from uuid import UUID

from hypothesis import strategies as st
from tests.event import SECRET, deciding

from matchledger.commands import results as slips
from matchledger.commands import roster, ties
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import Entry, Person
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks

TOURNAMENT = UUID(int=1)


@dataclass(frozen=True)
class RandomEvent:
    """A tournament whose rounds are played at random."""

    entries: list[Entry]
    record: Record


@st.composite
def events(
    draw: st.DrawFn,
    *,
    rulebooks: tuple[str, ...] = shipped_rulebooks(),
    most_players: int = 9,
    most_rounds: int = 4,
) -> RandomEvent:
    """A tournament of 4 or more players. Hypothesis draws the number of players and rounds, and a seed for
    everything else.
    """
    rulebook = draw(st.sampled_from(rulebooks))
    players = draw(st.integers(4, most_players))
    round_count = draw(st.integers(1, most_rounds))
    return play(draw(st.integers(0, 2**32)), rulebook, players, round_count)


def play(
    seed: int, rulebook: str, players: int, round_count: int, *, calm: bool = False, divisions: str = ""
) -> RandomEvent:
    """Play some rounds of a tournament. A calm tournament has results and no mishaps. Each letter of `divisions`
    names a division; every player gets a random division.
    """
    chance = chance_of(seed)
    draft = Draft(TOURNAMENT)
    law = rulebook_text(rulebook)
    draft.decide(lambda record: opening.open_tournament(record, name="Chance", law=law, policies={}, secret=SECRET))
    for number in range(1, players + 1):
        division = chance.choice(divisions) if divisions else None
        draft.decide(partial(roster.register, person=Person(name=f"P{number}"), division=division))
    for _ in range(round_count):
        try:
            draft.decide(partial(rounds.pair_round, secret=SECRET, allow_rematch=True))
        except Refusal:
            break
        report_all(draft, chance)
        if not calm:
            _stir(draft, chance)
    return RandomEvent(draft.entries, draft.record)


def chance_of(seed: int) -> Random:
    """Return a random generator that gives the same numbers every time."""
    return Random(seed)  # noqa: S311 - plays tests, keeps no secret


def report_all(draft: Draft, chance: Random) -> None:
    """Report every open table of the round in progress."""
    latest = draft.record.latest_round()
    assert latest is not None
    for table in latest.outstanding:
        draft.decide(partial(slips.report, table=table, written=written(draft.record, chance), deviating=True))


def written(record: Record, chance: Random) -> Written:
    """A slip that is valid under the rulebook."""
    law = record.rulebook
    kind = chance.choice([kind for kind in law.results if kind not in ("concession", "time-tiebreak")])
    result = law.results[kind]
    if result.as_written:
        return Written(kind=kind, scores=(chance.randint(0, 6), chance.randint(0, 6)))
    blood = chance.randint(0, 24) if law.blood_points is not None else None
    if result.winner is None:
        return Written(kind=kind)
    return Written(kind=kind, winner=chance.randint(0, 1), blood_points=blood)


def _stir(draft: Draft, chance: Random) -> None:
    """Let mishaps happen between two rounds."""
    record = draft.record
    active = [player.number for player in record.active_players()]
    if chance.random() < 0.3 and len(active) > 4:
        draft.decide(partial(roster.drop, player=chance.choice(active)))
    if chance.random() < 0.2:
        person = Person(name=f"Late {record.position}")
        draft.decide(partial(roster.arrive_late, person=person, deviating=True))
    if chance.random() < 0.4:
        _correct(draft, chance)
    if chance.random() < 0.3:
        _retract_a_correction(draft, chance)
    if chance.random() < 0.3:
        _order_ties(draft)


def _correct(draft: Draft, chance: Random) -> None:
    round_ = chance.choice(draft.record.rounds())
    table = chance.choice(list(round_.tables))
    slip = written(draft.record, chance)
    try:
        draft.decide(
            partial(slips.correct, table=table, round_=round_.number, written=slip, override=True, deviating=True)
        )
    except Refusal:
        return


def _retract_a_correction(draft: Draft, chance: Random) -> None:
    corrections = [
        entry
        for entry in draft.entries
        if entry.fact.kind in ("result-corrected", "entry-retracted") and not draft.record.is_dead(entry.position)
    ]
    if corrections:
        with suppress(Refusal):  # a different correction may have been recorded before
            draft.decide(partial(slips.retract, entry=chance.choice(corrections), override=True))


def _order_ties(draft: Draft) -> None:
    try:
        draft.decide(deciding(ties.DrawTies))
    except Refusal:
        return
