"""The reasons why two players of a round meet, and why a player has the bye."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from matchledger.events import ByesAwarded, Entry, RoundPaired
from matchledger_projections.document import UNSAID, As, Keys, PlayerName
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.pairing.explanation import PairingExplanation, Unexplained, explain_pairing
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.views.charts import Number
from matchledger_projections.views.sight import Sight, answers

How = Literal["drawn", "by hand", "by amendment", "awarded"]
_SEATED_BY = Keys(
    {
        "entry": As(lambda entry, _: entry.position, int),
        "actor": As(lambda entry, _: entry.actor, str),
        "reason": As(lambda entry, _: entry.reason, str | None),
    }
)


class PairingExplanationPage(Struct, frozen=True):
    """The reasons why two players meet, as `matchledger explain --pairing` prints them. `draw` is null if no draw
    decided the pairing.
    """

    round: int
    clock: Clock
    position: int
    table: int | None
    players: tuple[PlayerName, ...]
    seated: How
    entry: Annotated[Entry, _SEATED_BY]
    draw: PairingExplanation | None
    round_: Annotated[Round, UNSAID]


class ByesExplanationPage(Struct, frozen=True):
    """The reasons for the bye of each player with a bye."""

    byes: tuple[PairingExplanationPage, ...]


@answers("explain/tables/{table}")
def why_they_meet(sight: Sight, *, table: Number) -> PairingExplanationPage:
    """The reasons why the players of a table meet: their group, the odd player, their earlier opponents, and the
    draw.
    """
    round_ = sight.need_round("swiss")
    if table not in round_.tables:
        raise UsageProblem(
            sentence(
                "round %(round)s has no table %(table)s: give the number of a table, or bye",
                round=round_.number,
                table=table,
            )
        )
    return _meeting(sight, round_, round_.tables[table])


@answers("explain/byes")
def why_they_have_byes(sight: Sight) -> ByesExplanationPage:
    """The reasons for the byes of a round."""
    round_ = sight.need_round("swiss")
    if not round_.byes:
        raise UsageProblem(sentence("round %(round)s has no bye", round=round_.number))
    return ByesExplanationPage(tuple(_meeting(sight, round_, (bye.player,)) for bye in round_.byes))


def _meeting(sight: Sight, round_: Round, players: tuple[int, ...]) -> PairingExplanationPage:
    position, how = _seated_by(sight, round_, players)
    log = sight.log()
    shown = next(sight.shown([log[position - 1]]))  # anyone may see the pairings
    return PairingExplanationPage(
        round_.number,
        sight.clock,
        sight.position,
        round_.table_of(players[0]),
        players,
        how,
        shown,
        _drawn(sight, log, round_, players) if how == "drawn" else None,
        round_,
    )


def _seated_by(sight: Sight, round_: Round, players: tuple[int, ...]) -> tuple[int, How]:
    """Return the entry that seated two players or gave a player the bye, and the manner: the pairing, or the last
    amendment.
    """
    found: tuple[int, How] = round_.position, "drawn" if round_.seed is not None else "by hand"
    for amended, fact in round_.amendments:
        added = [seating.players for seating in fact.added] + [(player,) for player in fact.byes_added]
        if players in added and not sight.whole.is_dead(amended):
            found = amended, "by amendment"
    if found[1] == "drawn" and len(players) == 1 and players[0] in sight.whole.awarded_byes(round_.number):
        awards = sight.whole.every(ByesAwarded)
        found = next(at for at, fact in reversed(awards) if fact.player == players[0]), "awarded"
    return found


def _drawn(sight: Sight, log: list[Entry], round_: Round, players: tuple[int, ...]) -> PairingExplanation:
    paired = log[round_.position - 1].fact
    assert isinstance(paired, RoundPaired)  # noqa: S101 - the entry of a round is its pairing
    try:
        return explain_pairing(sight.whole.as_of(round_.position - 1), paired, players)
    except Unexplained as problem:
        raise UsageProblem(problem.args[0]) from None
