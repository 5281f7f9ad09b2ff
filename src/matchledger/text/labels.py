"""Labels: names of tiebreakers, exact values as text, and objections to a round."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from msgspec import Struct

from matchledger.events import AnyFact, RoundPaired
from matchledger_projections.fractions import as_decimal, as_halves
from matchledger_projections.message import Sentence, both, demanding, joined, numbered, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.standings import Standings
from matchledger_projections.standings.tiebreakers import TIEBREAKERS

if TYPE_CHECKING:
    from matchledger_projections.pairing.check import Kind, Objection

HEADINGS: dict[TiebreakName, str] = {name: tiebreaker.heading for name, tiebreaker in TIEBREAKERS.items()}


def in_brief(record: Record, fact: AnyFact) -> str:
    """Return a fact in words, in one line. For a paired round, the line has only the numbers of tables and byes."""
    if isinstance(fact, RoundPaired):
        from matchledger_projections.stages.bracket import brackets, round_name  # noqa: PLC0415 - only a round of a bracket needs it

        round_ = (
            round_name(brackets(record), fact.round)
            if fact.stage == "elimination"
            else sentence("Swiss round %(round)s", round=fact.round)
        )
        tables = numbered("%(count)s table", "%(count)s tables", len(fact.tables))
        return joined((round_, tables, numbered("%(count)s bye", "%(count)s byes", len(fact.byes))))
    from matchledger_projections.narration import tell  # noqa: PLC0415 - only an entry in words needs it

    return tell(record, fact)


def shown_tiebreaks(rulebook: Rulebook, table: Standings) -> list[TiebreakName]:
    """Return the tiebreakers of a rulebook whose values are shown in a column. Other tiebreakers take no space on a
    sheet.
    """
    return [name for name in rulebook.tiebreaks if _is_shown(name, table)]


def _is_shown(name: TiebreakName, table: Standings) -> bool:
    if name == "tardiness":
        return bool(table.table.late)
    return any(name in row.tiebreaks for row in table.rows)


def value_text(name: TiebreakName, value: Fraction | None, decimals: int | None = None) -> str:
    """Return the text of a tiebreaker's value for a table or a sheet.

    The ranking uses the exact value, never this text.

    `decimals` is the number of decimals to which the rulebook rounds before ranking. For an exact value, `decimals`
    is None.
    """
    if value is None:
        return ""
    tiebreaker = TIEBREAKERS[name]
    if tiebreaker.words is not None:
        return tiebreaker.words[bool(value)]
    if tiebreaker.shown == "percentage":
        return percent_text(value, decimals)
    return decimal_text(value, decimals) if tiebreaker.shown == "decimal" else as_halves(value)


def percent_text(value: Fraction, decimals: int | None = None) -> str:
    """Return a share in percent, with two decimals or with the decimals of the rulebook's rounding."""
    return as_decimal(value * 100, 2 if decimals is None else max(decimals - 2, 0))


def decimal_text(value: Fraction, decimals: int | None = None) -> str:
    """Return a number with four decimals or with the decimals of the rulebook's rounding."""
    return as_decimal(value, 4 if decimals is None else decimals)


class _About(Struct, frozen=True):
    """The subject of an objection in words, and the number of its tables."""

    names: str
    tables: str
    round: int | None
    entry: int | None
    number: int


_OBJECTIONS: dict[Kind, Callable[[_About], Sentence]] = {
    "repeat": lambda about: sentence(
        "repeat: %(names)s at table %(tables)s have met in round %(round)s",
        names=about.names,
        tables=about.tables,
        round=about.round,
    ),
    "missing": lambda about: sentence(
        "missing: %(names)s would have neither an opponent nor a bye", names=about.names
    ),
    "doubled": lambda about: sentence("doubled: %(names)s would sit in two places", names=about.names),
    "not playing": lambda about: sentence(
        "not playing: %(names)s cannot be paired in this round", names=about.names
    ),
    "second bye": lambda about: sentence(
        "second bye: %(names)s had one in round %(round)s", names=about.names, round=about.round
    ),
    "unreported": lambda about: numbered(
        "unreported: round %(round)s has no result from table %(tables)s",
        "unreported: round %(round)s has no result from tables %(tables)s",
        about.number,
        round=about.round,
        tables=about.tables,
    ),
    "not posted": lambda about: sentence(
        "not posted: the standings after round %(round)s, so players cannot check them", round=about.round
    ),
    "standings changed": lambda about: sentence(
        (
            "standings changed: the standings after round %(round)s differ from the posted ones (entry "
            "%(entry)s); post them again"
        ),
        round=about.round,
        entry=about.entry,
    ),
    "not announced": lambda _: sentence(
        "not announced: tell the players how many rounds there are, and whether there is a cut, before round 1"
    ),
    "no leader": lambda about: demanding(
        sentence(
            (
                "no leader: no other leader announced before round 1 can rule in the game of %(names)s at table "
                "%(tables)s: seat them elsewhere, or pair with a reason (L5R-I.6-LEADERPLAY)"
            ),
            names=about.names,
            tables=about.tables,
        ),
        "a reason",
    ),
}


def objection_line(record: Record, objection: Objection) -> Sentence:
    """Return one line about an objection to a round."""
    names = both(record.players[player].name for player in objection.players)
    tables = ", ".join(map(str, objection.tables))
    about = _About(names, tables, objection.round, objection.entry, len(objection.tables))
    if objection.said is not None:
        return objection.said
    if objection.kind in ("card missing", "no deck list"):
        from matchledger_projections.pairing.check import why_unready  # noqa: PLC0415 - only the check of a round needs it

        return why_unready(record, objection)
    return _OBJECTIONS[objection.kind](about)
