"""Rounds of another copy: a round counts if both copies paired it from the same results. A person settles any
other round.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from matchledger.commands.diverged import Diverged, Outcome
from matchledger.events import BeaconRead, DrawBasisFixed, Entry, RoundPaired, WordsOpened
from matchledger_projections.message import demanding, sentence
from matchledger_projections.pairing.drawing import Unpairable, draw_round
from matchledger_projections.pairing.footing import groundless
from matchledger_projections.record.chance import pairing_purpose
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round

Number = Callable[[int], int]


def round_came(copies: Diverged, entry: Entry, fact: RoundPaired) -> Outcome:
    """The outcome of a round: it counts if both copies were alike up to it."""
    about = (fact.stage, fact.round)
    for own in copies.living():
        if isinstance(own.fact, RoundPaired) and _seats(own.fact) == _seats(fact):
            return Outcome(entry, "same", own.position)
    rests_on_another = any(copies.is_asked(fact.stage, number) for number in range(1, fact.round))
    if copies.own_rounds and (rests_on_another or copies.here.round(fact.round, fact.stage) is not None):
        return copies.set_round_aside(entry, fact.stage, fact.round)
    if copies.here.round(fact.round, fact.stage) is not None:
        said = sentence(
            "round %(round)s is paired differently in the two copies: undo it in one of them, or let the one "
            "here count",
            round=fact.round,
        )
        return copies.ask(entry, demanding(said, "a round undone", "this copy's rounds"), about)
    there = copies.there.as_of(entry.position - 1)
    if _played(there, copies.player_of) != _played(copies.here, lambda number: number):
        said = sentence(
            (
                "only the other copy has paired round %(round)s, and its results or players differ from those "
                "here: make both copies alike, or merge this copy into the other one"
            ),
            round=fact.round,
        )
        return copies.ask(entry, said, about)
    derived = fact.seed is None or _comes_out_alike(copies.here, there, fact)
    return copies.counts(entry, fact if derived else fact.model_copy(update={"seed": None, "pools": ()}))


def _seats(fact: RoundPaired) -> Hashable:
    return fact.stage, fact.round, fact.tables, fact.byes


def _played(record: Record, number: Number) -> Hashable:
    """The inputs of the next pairing: the players, and the matches so far."""
    rounds = [_matches(round_, number) for stage in ("swiss", "elimination") for round_ in record.rounds(stage)]
    active = frozenset(number(player.number) for player in record.active_players())
    cuts = tuple((cut.division, tuple(map(number, cut.seeds))) for cut in record.cuts)
    return tuple(rounds), active, cuts


def _matches(round_: Round, number: Number) -> Hashable:
    matches = [
        (
            table,
            *map(number, players),
            report and (report.kind, report.winner and number(report.winner), report.score),
        )
        for table, players, report in round_.results()
    ]
    return round_.stage, round_.number, tuple(matches), tuple(number(bye.player) for bye in round_.byes)


def _comes_out_alike(here: Record, there: Record, fact: RoundPaired) -> bool:
    """Whether the draw has the same outcome on the record here; otherwise the round counts as seated by hand."""
    if groundless(here) is not None or _chance(here) != _chance(there):
        return False
    seeds = {pairing_purpose(fact.round): fact.seed or ""}
    seeds |= {pairing_purpose(fact.round, pool.name): pool.seed for pool in fact.pools}
    try:
        drawn = draw_round(here, fact.round, lambda purpose: bytes.fromhex(seeds.get(purpose, "")))
    except Unpairable:
        return False
    [*before, derived] = drawn.facts
    return not before and isinstance(derived, RoundPaired) and _seats(derived) == _seats(fact)


def _chance(record: Record) -> list[str]:
    """The inputs of the draws besides the secret."""
    bases = [fact.model_dump_json() for _, fact in record.every(DrawBasisFixed)][-1:]
    return bases + [fact.model_dump_json() for kind in (WordsOpened, BeaconRead) for _, fact in record.every(kind)]
