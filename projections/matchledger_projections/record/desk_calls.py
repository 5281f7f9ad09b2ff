"""Calls to the desk with their answers, and slips that contradict the log."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

from matchledger.events import CallAnswered, DeskCalled, SlipRefused, Stage
from matchledger_projections.message import Sentence, joined, numbered, sentence
from matchledger_projections.record.record import Record

State = Literal["open", "answered", "overtaken"]


class Call(NamedTuple):
    """A call, recorded at `position`, and its answer, if any.

    A call is *overtaken* when the disputed result no longer counts, or when a result has arrived since. An
    overtaken call needs no answer.
    """

    position: int
    fact: DeskCalled
    state: State
    answer: CallAnswered | None


def calls(record: Record) -> list[Call]:
    """Every call that was not retracted, in order."""
    answers = {fact.call: fact for _, fact in record.call_answers}
    return [
        Call(position, fact, _state(record, fact, answers.get(position)), answers.get(position))
        for position, fact in record.desk_calls
    ]


def open_calls(record: Record) -> list[Call]:
    """The calls without an answer, in order."""
    return [call for call in calls(record) if call.state == "open"]


def _state(record: Record, fact: DeskCalled, answer: CallAnswered | None) -> State:
    if answer is not None:
        return "answered"
    return "open" if disputed_entry(record, fact) == fact.disputes else "overtaken"


def open_contradictions(record: Record) -> list[tuple[int, SlipRefused]]:
    """The refused slips that contradict an entry that still counts, in order.

    A slip is settled after it was retracted or its match was corrected.
    """
    return [
        (position, fact)
        for position, fact in record.slips_refused
        if disputed_entry(record, fact) == fact.contradicts
    ]


class SwissTable(NamedTuple):
    """A table of a Swiss round."""

    round: int
    table: int


class Unsettled(NamedTuple):
    """The tables that can still change the standings: tables without a result, and tables whose recorded result is
    contested.
    """

    missing: tuple[SwissTable, ...]
    contested: tuple[SwissTable, ...]

    @property
    def said(self) -> Sentence:
        """Say that the standings are provisional, or return "" if nothing can change them."""
        return provisional(len(self.missing), len(self.contested))


def provisional(missing: int, contested: int) -> Sentence:
    """Say that standings are provisional, from the number of tables without a result and with a contested result.
    Without such tables, return "".
    """
    parts = []
    if missing:
        parts.append(
            numbered(
                "Provisional: %(count)s table is still to come.",
                "Provisional: %(count)s tables are still to come.",
                missing,
            )
        )
    if contested:
        parts.append(
            numbered(
                "Provisional: %(count)s result is being settled.",
                "Provisional: %(count)s results are being settled.",
                contested,
            )
        )
    return joined(parts, " ")


def contesting(record: Record) -> list[DeskCalled | SlipRefused]:
    """Return the slips that contradict a recorded result and the open calls that say that one is wrong. After the
    close, no result is contested.
    """
    return [] if record.closing is not None else _contesting(record)


def contested_tables(record: Record) -> list[tuple[Stage, int, int]]:
    """Return the stage, round and number of each table whose recorded result is contested, in order."""
    return _tables(contesting(record))


def contested_at_close(record: Record, among: AbstractSet[int] | None = None) -> int:
    """Return how many results were contested when the event was closed, or 0 before the close.

    With `among`, the players with a champion of their own, count only their results of the stage that decides the
    champion.
    """
    if record.closing is None:
        return 0
    contesting = _contesting(record)
    if among is not None:
        is_cut = any(among & round_.players for round_ in record.rounds("elimination"))
        own = [fact for fact in contesting if among & {*fact.players}]
        contesting = [fact for fact in own if fact.stage == "elimination" or not is_cut]
    return len(_tables(contesting))


def closed_over(contested: int) -> Sentence:
    """Say beside a champion that the event was closed with contested results. Without one, return ""."""
    if not contested:
        return sentence("")
    return numbered(
        "Closed with %(count)s contested result.", "Closed with %(count)s contested results.", contested
    )


def _contesting(record: Record) -> list[DeskCalled | SlipRefused]:
    slips: list[DeskCalled | SlipRefused] = [fact for _, fact in open_contradictions(record)]
    return slips + [call.fact for call in open_calls(record) if call.fact.disputes is not None]


def _tables(facts: Iterable[DeskCalled | SlipRefused]) -> list[tuple[Stage, int, int]]:
    tables = {(fact.stage, fact.round, fact.table) for fact in facts}
    return sorted(tables, key=lambda at: (at[0] == "elimination", *at[1:]))


def unsettled(record: Record, through: int) -> Unsettled:
    """Return the tables of the Swiss rounds 1 to `through` that can still change the standings."""
    if record.closing is not None:
        return Unsettled((), ())
    rounds = [round_ for round_ in record.rounds() if round_.number <= through]
    return Unsettled(
        tuple(SwissTable(round_.number, table) for round_ in rounds for table in round_.outstanding),
        tuple(
            SwissTable(number, table)
            for stage, number, table in contested_tables(record)
            if stage == "swiss" and number <= through
        ),
    )


def question_said(position: int, fact: DeskCalled | SlipRefused) -> Sentence:
    """Describe an open question: a call without an answer, or a contradicting slip."""
    round_ = round_said(fact.stage, fact.round)
    if isinstance(fact, SlipRefused):
        return sentence(
            "slip %(entry)s contradicts the result of table %(table)s of %(round)s",
            entry=position,
            table=fact.table,
            round=round_,
        )
    return sentence(
        "call %(entry)s about table %(table)s of %(round)s has no answer",
        entry=position,
        table=fact.table,
        round=round_,
    )


def asked_said(record: Record) -> list[Sentence]:
    """Describe every open question in the words of the desk: the table, and who asks or what differs."""
    facts: list[DeskCalled | SlipRefused] = [call.fact for call in open_calls(record)]
    return [_asked(record, fact) for fact in facts + [fact for _, fact in open_contradictions(record)]]


def _asked(record: Record, fact: DeskCalled | SlipRefused) -> Sentence:
    where = sentence("%(round)s, table %(table)s", round=round_said(fact.stage, fact.round), table=fact.table)
    if isinstance(fact, SlipRefused):
        return joined((where, sentence("two slips differ")), ": ")
    player = record.players[fact.by].name
    return joined((where, sentence("%(player)s says that the result is wrong", player=player)), ": ")


def questions_said(record: Record) -> list[Sentence]:
    """Describe every open question: the calls without an answer, then the contradicting slips."""
    questions = [(call.position, call.fact) for call in open_calls(record)] + open_contradictions(record)
    return [question_said(position, fact) for position, fact in questions]


def round_said(stage: Stage, number: int) -> Sentence:
    """Return the name of a Swiss or elimination round."""
    if stage == "elimination":
        return sentence("elimination round %(round)s", round=number)
    return sentence("round %(round)s", round=number)


def disputed_entry(record: Record, fact: DeskCalled | SlipRefused) -> int | None:
    """Return the entry that now counts for the match of a call or a slip. Return None if no entry counts."""
    round_ = record.round(fact.round, fact.stage)
    report = None if round_ is None else round_.report(fact.table, fact.players)
    return None if report is None else report.position
