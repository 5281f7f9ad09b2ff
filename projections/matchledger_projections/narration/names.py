"""Names: how a line names players, rounds and matches."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from matchledger.events import Stage
from matchledger_projections.message import Sentence, both, numbered, sentence
from matchledger_projections.record.record import Record


class InRound(Protocol):
    """A fact about a round."""

    @property
    def stage(self) -> Stage: ...
    @property
    def round(self) -> int | None: ...


class AtTable(InRound, Protocol):
    """A fact about a match."""

    @property
    def table(self) -> int | None: ...


def name_of(record: Record, player: int) -> str:
    return record.players[player].name if player in record.players else f"#{player}"


def names_of(record: Record, players: Iterable[int], between: str = ", ") -> str:
    return between.join(name_of(record, player) for player in players)


def both_of(record: Record, players: Iterable[int]) -> str:
    return both(name_of(record, player) for player in players)


def opponent_of(record: Record, players: tuple[int, int], player: int) -> str:
    return name_of(record, players[1] if player == players[0] else players[0])


def round_of(fact: InRound) -> str:
    return _named_round(fact.stage, fact.round)


def _named_round(stage: Stage, number: int | None) -> str:
    if stage == "elimination":
        return sentence("elimination round %(round)s", round=number)
    return sentence("round %(round)s", round=number)


def match_of(fact: AtTable) -> str:
    return sentence("%(round)s, table %(table)s", round=round_of(fact), table=fact.table)


def under_round(said: str, stage: Stage, number: int, title: str | None = None) -> str:
    """Return a line as it reads under the heading of its round: a match of that round is named by its table, and
    the round by the title of the heading.
    """
    if title is not None and said == _named_round(stage, number):
        return title
    if not isinstance(said, Sentence) or not said.values:
        return said
    table = said.values.get("table")
    if said == sentence("%(round)s, table %(table)s", round=_named_round(stage, number), table=table):
        return sentence("table %(table)s", table=table)
    shorter = {
        name: under_round(value, stage, number, title)
        for name, value in said.values.items()
        if isinstance(value, str)
    }
    return said.with_values(shorter)


def in_plain_words(record: Record, said: str) -> str:
    """Return a line for readers who do not know the codes of a rulebook: the rulebook has its title, and the rules
    and policies are counted.
    """
    if not isinstance(said, Sentence) or not said.values:
        return said
    match said.values:
        case {"rules": str(rules)} if said == departs((rules,)):
            return numbered("; departs from %(count)s rule", "; departs from %(count)s rules", rules.count(",") + 1)
        case {"tournament": str(name), "rulebook": str(rulebook), "chosen": str(chosen)} if said == opened_under(
            name, rulebook, chosen
        ):
            count = chosen.count("=")
            policies = numbered(", with %(count)s chosen policy", ", with %(count)s chosen policies", count)
            return opened_under(name, record.rulebook.title, policies if count else "")
        case {"round": int(round_), "ended": str(ended)} if said == closed_after(round_, ended):
            if record.rounds("elimination"):
                return sentence("tournament closed after the final%(ended)s", ended=ended)
    plainer = {name: in_plain_words(record, value) for name, value in said.values.items() if isinstance(value, str)}
    return said.with_values(plainer)


def opened_under(tournament: str, rulebook: str, chosen: str) -> Sentence:
    return sentence(
        "%(tournament)s opened under %(rulebook)s%(chosen)s",
        tournament=tournament,
        rulebook=rulebook,
        chosen=chosen,
    )


def closed_after(round_: int, ended: str) -> Sentence:
    return sentence("tournament closed after round %(round)s%(ended)s", round=round_, ended=ended)


def departs(deviations: tuple[str, ...]) -> str:
    return sentence("; departs from %(rules)s", rules=", ".join(deviations)) if deviations else ""


def noted(at: datetime | None) -> str:
    """Return the words for a moment that a person noted, with the moment in ISO 8601, or "" without a moment."""
    return "" if at is None else sentence(" at %(time)s", time=at.isoformat(timespec="seconds"))
