"""Cuts: who goes on from the Swiss rounds to the elimination stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands.command import Command, Deviating, Sizes, argument, option
from matchledger.commands.context import Context
from matchledger.commands.refusal import Refusal, names_of, need_open
from matchledger.commands.structures import announce_rule, changed, need_deviating
from matchledger.events import AnyFact, CutMade, StructureAnnounced
from matchledger_projections.divisions.grouping import divisions_of
from matchledger_projections.divisions.tables import ranked_apart
from matchledger_projections.message import Sentence, both, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.stages.cut import CutUndecided, top_of


def make_cut(
    record: Record,
    *,
    size: int | None = None,
    seeds: Sequence[int] = (),
    division_sizes: Mapping[str, int] | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Sends the top `size` active players on (the announced number, if None), or the players in `seeds`.

    `division_sizes` are cuts of their own for divisions, each of which then has a bracket (PKM-3.3.1); they follow
    from what was announced. `seeds` are there where a hand wrote them down. Another cut than announced, or an
    earlier one, is refused unless it is meant to be `deviating`; the change is then an entry of its own.
    """
    need_open(record)
    if record.cut is not None:
        raise Refusal(sentence("the cut has been made: retract it to make another"))
    latest = record.latest_round()
    if latest is None:
        raise Refusal(sentence("no Swiss round is paired: a cut follows from the standings after one"))
    if latest.number != record.finished_rounds:
        raise Refusal(sentence("the last Swiss round is not finished: report its tables first"))
    if seeds:
        return [CutMade(round=latest.number, seeds=tuple(seeds))]
    announced = record.structure
    sizes = _division_sizes(record, size, division_sizes)
    if sizes:
        return _cut_divisions(record, latest.number, sizes, deviating=deviating)
    if size is None:
        if announced is None or not announced.cut:
            raise Refusal(sentence("no cut was announced: say how many go on"))
        size = announced.cut
    if apart := ranked_apart(record):
        raise Refusal(
            sentence("the divisions play apart: say how many of each go on (%(known)s)", known=", ".join(apart)),
            announce_rule(record),
        )
    return [
        *_other_cut(record, latest.number, size, deviating=deviating),
        CutMade(round=latest.number, seeds=_top(record, None, size)),
    ]


def _division_sizes(record: Record, size: int | None, given: Mapping[str, int] | None) -> dict[str, int]:
    """How many of each division go on: as given, else as announced; nothing where there is one cut for all."""
    if given:
        return {division.casefold(): number for division, number in given.items()}
    if size is not None or record.structure is None:
        return {}
    return dict(record.structure.division_cuts)


def _cut_divisions(record: Record, round_: int, sizes: Mapping[str, int], *, deviating: bool) -> list[AnyFact]:
    known = divisions_of(record)
    if strangers := [division for division in sizes if division not in known]:
        raise Refusal(
            sentence(
                "nobody plays in %(division)r: the divisions are %(known)s",
                division=strangers[0],
                known=", ".join(filter(None, known)),
            )
        )
    return [
        *_other_division_cuts(record, round_, sizes, deviating=deviating),
        *(
            CutMade(round=round_, seeds=_top(record, division, sizes[division]), division=division)
            for division in known
            if sizes.get(division)
        ),
    ]


def _other_division_cuts(
    record: Record, round_: int, sizes: Mapping[str, int], *, deviating: bool
) -> list[AnyFact]:
    announced = record.structure
    if announced is None or (announced.rounds, announced.division_cuts) == (round_, dict(sizes)):
        return []
    need_deviating(
        record,
        _other_than_announced(announced, _of_each(sizes), round_),
        deviating=deviating,
    )
    largest = max(sizes.values())
    plan = announced.model_copy(update={"division_cuts": dict(sizes)})
    return [changed(record, plan, style="swiss-with-cut", rounds=round_, cut=largest)]


def _other_than_announced(announced: StructureAnnounced, cut: Sentence, rounds: int) -> Sentence:
    return sentence(
        "announced were %(rounds)s rounds and %(announced)s, not %(cut)s after round %(round)s",
        rounds=announced.rounds,
        announced=_of_each(announced.division_cuts) if announced.division_cuts else _cut_to(announced.cut),
        cut=cut,
        round=rounds,
    )


def _cut_to(size: object) -> Sentence:
    return sentence("a cut to %(size)s", size=size) if size else sentence("no cut")


def _of_each(sizes: Mapping[str, int]) -> Sentence:
    cuts = [
        sentence("%(size)s of %(division)s", size=size, division=division)
        for division, size in sizes.items()
        if size
    ]
    return _cut_to(both(cuts))


def _other_cut(record: Record, rounds: int, size: int, *, deviating: bool) -> list[AnyFact]:
    announced = record.structure
    if announced is None or (announced.rounds, announced.cut) == (rounds, size):
        return []
    need_deviating(record, _other_than_announced(announced, _cut_to(size), rounds), deviating=deviating)
    return [changed(record, announced, style="swiss-with-cut", rounds=rounds, cut=size)]


def _top(record: Record, division: str | None, size: int) -> tuple[int, ...]:
    """The players who go on, refused while the place of one of them hangs on a tie."""
    try:
        return top_of(record, division, size, record.finished_rounds)
    except CutUndecided as problem:
        if problem.level:
            raise Refusal(
                sentence(
                    "%(players)s are level, and the top %(size)s hangs on their order: record the order of "
                    "the tie first",
                    players=names_of(record, problem.level),
                    size=size,
                )
            ) from None
        if division:
            raise Refusal(
                sentence(
                    "a cut of %(size)s is not possible: there are %(count)s active players of %(division)s",
                    size=size,
                    count=problem.players,
                    division=division,
                )
            ) from None
        raise Refusal(
            sentence(
                "a cut of %(size)s is not possible: there are %(count)s active players",
                size=size,
                count=problem.players,
            )
        ) from None


class MakeCut(Command):
    """End the Swiss rounds; the top players go on. Another cut than announced needs a --reason.

    `size` is that of all, `division_sizes` those of each division; without them it is as announced.
    """

    kind: Literal["make-cut"] = "make-cut"
    size: Annotated[
        Annotated[int, Field(ge=2, le=9999)] | None, argument("How many go on; as announced, if left out.")
    ] = None
    division_sizes: Annotated[Sizes, option("--division", "junior=2: how many of a division; repeated.")] = Field(
        default={}
    )
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:  # noqa: ARG002
        return make_cut(record, size=self.size, division_sizes=self.division_sizes, deviating=self.deviating)
