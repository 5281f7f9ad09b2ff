"""Cuts: which players advance from the Swiss rounds to the elimination stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import Command, Context, Deviating, Sizes, argument, option
from matchledger.commands.postings import need_standings_posted
from matchledger.commands.refusal import (
    Refusal,
    departing,
    names_of,
    need_all,
    need_late_players_seated,
    need_open,
    not_finished,
)
from matchledger.commands.structures import by_division, changed, need_settled
from matchledger.events import AnyFact, CutMade, StructureAnnounced
from matchledger_projections.divisions.tables import ranked_apart
from matchledger_projections.message import Sentence, joined, sentence, word
from matchledger_projections.record.record import Record
from matchledger_projections.stages.cut import CutUndecided, top_of, until_ordered
from matchledger_projections.stages.departures import Cuts, of_announced_cut, of_cut
from matchledger_projections.stages.structure import announce_rule, cuts_of


def make_cut(
    record: Record,
    *,
    size: int | None = None,
    seeds: Sequence[int] = (),
    division_sizes: Mapping[str, int] | None = None,
    deviating: bool = False,
) -> list[AnyFact]:
    """Cut to the top `size` active players (None means the announced number), or to the players in `seeds`.

    `division_sizes` has the size of each division's own cut. Each division with its own cut has its own bracket
    (PKM-3.3.1). A division without a size keeps its announced cut (PKM-2-ANNOUNCE). A size of 0 removes the cut.
    `seeds` lists the players if a person chose them. A cut whose round or size differs from the announcement or the
    rulebook's table needs `deviating`. If the cut changes the announcement, an entry with the new announcement
    comes before the cut.
    """
    need_open(record)
    if record.cut is not None:
        raise Refusal(_made_already(record, division_sizes or {}))
    latest = record.latest_round()
    if latest is None:
        raise Refusal(sentence("no Swiss round is paired: a cut follows from the standings after one"))
    if latest.number != record.finished_rounds:
        raise not_finished(record, sentence("round %(round)s", round=latest.number), latest.outstanding)
    if seeds:
        return [CutMade(round=latest.number, seeds=tuple(seeds))]
    need_late_players_seated(record)
    need_standings_posted(record, latest.number + 1)
    sizes = _sizes(record, size, division_sizes)
    announced = record.structure
    left_out = {} if announced is None else dict.fromkeys(cuts_of(announced).keys() - sizes.keys(), 0)
    all_sizes = {**sizes, **left_out}
    departures = of_cut(record, latest.number, all_sizes)
    need_all(lambda: need_settled(record, deviating=deviating), lambda: departing(departures, deviating=deviating))
    rules = departing(departures, deviating=True)
    change: list[AnyFact] = []
    if announced is not None and (against := of_announced_cut(record, announced, latest.number, all_sizes)):
        of_plan = tuple(departure.rule for departure in against)
        change = [_changed(record, announced, of_plan, latest.number, sizes)]
        rules = tuple(rule for rule in rules if rule not in of_plan)
    return [
        *change,
        *(
            CutMade(round=latest.number, seeds=_top(record, division, number), division=division, deviations=rules)
            for division, number in sizes.items()
            if number
        ),
    ]


def _made_already(record: Record, wanted: Mapping[str, int]) -> Sentence:
    """Return the refusal of a second cut. The cuts of all divisions are made together."""
    made = [(at, cut.division) for at, cut in record.counting(CutMade)]
    entries = " ".join(str(at) for at, _ in made)
    known = [division for _, division in made if division is not None]
    if known and not {division.casefold() for division in wanted} <= {*known}:
        return sentence(
            "the cut of %(divisions)s has been made: retract entry %(entry)s, and give all divisions in one cut",
            divisions=joined(map(word, known)),
            entry=entries,
        )
    return sentence("the cut has been made: retract entry %(entry)s to make another", entry=entries)


def _sizes(record: Record, size: int | None, given: Mapping[str, int] | None) -> dict[str | None, int]:
    """Return the sizes of the cuts, by division or for all players together: the given sizes, else the announced
    sizes. If only some divisions are given, `size`, or the announced common size, is for the others.
    """
    announced = record.structure
    own = {} if announced is None or size is not None else announced.division_cuts
    if given:
        common = size or (0 if announced is None else announced.cut)
        own = {**(own or dict.fromkeys(ranked_apart(record), common)), **by_division(record, given)}
    if any(own.values()):
        return dict(by_division(record, own).items())
    if size is None:
        if announced is None or not announced.cut:
            raise Refusal(sentence("no cut was announced: give the number of players who go on"))
        size = announced.cut
    if apart := ranked_apart(record):
        raise Refusal(
            sentence(
                "the divisions play separately: give the number of players of each who advance (%(known)s)",
                known=", ".join(apart),
            ),
            announce_rule(record.rulebook),
        )
    return {None: size}


def _changed(
    record: Record, announced: StructureAnnounced, rules: tuple[str, ...], rounds: int, sizes: Cuts
) -> StructureAnnounced:
    """Return the changed announcement: it includes this cut, and names the `rules` that the cut departs from."""
    own = {division: size for division, size in sizes.items() if division is not None and size}
    plan = announced.model_copy(update={"division_cuts": own})
    longest = {division: min(number, rounds) for division, number in announced.division_rounds.items()}
    return changed(
        record, plan, rules, style="swiss-with-cut", rounds=rounds, cut=max(sizes.values()), division_rounds=longest
    )


def _top(record: Record, division: str | None, size: int) -> tuple[int, ...]:
    """Return the best players, who qualify. Refuse while a tie decides who gets one of the places."""
    try:
        return top_of(record, division, size, record.finished_rounds)
    except CutUndecided as problem:
        if problem.level:
            raise Refusal(
                until_ordered(
                    record,
                    sentence(
                        "%(players)s are tied, and the top %(size)s depends on their order",
                        players=names_of(record, problem.level),
                        size=size,
                    ),
                )
            ) from None
        said = _impossible(size, division, problem)
        if size > problem.players or problem.of_flight:
            said = sentence("%(problem)s: make a smaller cut", problem=said)
        raise Refusal(said) from None


def _impossible(size: int, division: str | None, problem: CutUndecided) -> Sentence:
    if problem.of_flight:
        return sentence(
            "a cut of %(size)s is not possible: a flight has %(count)s active players",
            size=size,
            count=problem.players,
        )
    if division:
        return sentence(
            "a cut of %(size)s is not possible: there are %(count)s active players of %(division)s",
            size=size,
            count=problem.players,
            division=division,
        )
    return sentence(
        "a cut of %(size)s is not possible: there are %(count)s active players", size=size, count=problem.players
    )


class MakeCut(Command):
    """End the Swiss rounds; the top players advance.

    A cut that was not announced needs a --reason.

    `size` is the size of a common cut, and `division_sizes` has a size for each division. Without either, the
    announcement counts.
    """

    asks: ClassVar = "terminal"
    size: Annotated[
        Annotated[int, Field(ge=2, le=9999)] | None,
        argument("How many players go on; by default the announced number."),
    ] = None
    division_sizes: Annotated[
        Sizes,
        option(
            "--division",
            "A division and how many of its players go on, such as junior=2; repeat for each division whose cut is "
            "not the announced one.",
        ),
    ] = Field(default={})
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        return make_cut(record, size=self.size, division_sizes=self.division_sizes, deviating=self.deviating)
