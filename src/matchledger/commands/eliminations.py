"""Elimination: drawing the bracket, pairing its rounds, and players who leave or come late."""

from __future__ import annotations

from collections.abc import Sequence

from matchledger.commands.refusal import Refusal, departing, name_of, names_of, need_all, need_open, not_finished
from matchledger.commands.replacements import take_bracket_back
from matchledger.commands.staff import let_stand
from matchledger.commands.structures import need_settled
from matchledger.events import (
    AnyFact,
    Bye,
    PairingAmended,
    Person,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    Seating,
    Slip,
    Two,
)
from matchledger_projections.message import sentence
from matchledger_projections.pairing.footing import seeds_of
from matchledger_projections.pairing.seats import seated_in_bracket
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import (
    NOBODY,
    Bracket,
    Side,
    brackets,
    games_in,
    qualifiers,
    seated_of,
    stage_now,
)
from matchledger_projections.stages.bracket_draw import draw_brackets, fields_of
from matchledger_projections.stages.departures import of_bracket
from matchledger_projections.stages.leaving import in_line, may_replace

SMALLEST_FIELD = 2
Sides = tuple[Side, Side]


# -- drawing and pairing


def pair_elimination(record: Record, *, secret: bytes, deviating: bool = False) -> list[AnyFact]:
    """Pair the next elimination round.

    The first round draws the bracket.

    A game between two leaders in which no other leader can rule needs `deviating`. A bracket from a cut that no
    longer matches the standings needs `deviating` too.
    """
    facts = _next_round(record, secret)
    first = record.latest_round("elimination") is None
    need_all(
        lambda: departing(of_bracket(record) if first else (), deviating=deviating),
        lambda: need_settled(record, deviating=deviating),
        lambda: let_stand(record, facts, deviating=deviating),
    )
    if first:
        rules = departing(of_bracket(record), deviating=deviating)
        facts = [
            fact.model_copy(update={"deviations": rules}) if isinstance(fact, RoundPaired) else fact
            for fact in facts
        ]
    return let_stand(record, facts, deviating=deviating)


def _next_round(record: Record, secret: bytes) -> list[AnyFact]:
    need_open(record)
    if stage_now(record) != "elimination":
        raise Refusal(sentence("the Swiss rounds are not over: make the cut first"))
    drawn, latest = brackets(record), record.latest_round("elimination")
    if latest is None:
        return _first_round(record, drawn, secret)
    if not drawn:
        raise Refusal(
            sentence("this elimination stage was paired by hand: pair the next round by hand too, table by table")
        )
    if latest.outstanding:
        raise not_finished(record, sentence("elimination round %(round)s", round=latest.number), latest.outstanding)
    number = latest.number + 1
    sides = _sides(drawn, number)
    if not any(games for _, games in sides):
        raise Refusal(sentence("the final is played: there is no further round"))
    return _paired(record, number, sides)


def _first_round(record: Record, drawn: Sequence[Bracket], secret: bytes) -> list[AnyFact]:
    """Draw each missing bracket, and pair the first round of every bracket."""
    have = {fact.division for _, fact in record.brackets_drawn}
    if all(division in have for division, _ in fields_of(record)):
        return _paired(record, 1, _sides(drawn, 1))
    _need_drawable(record)
    through = record.cut.round if record.cut is not None else 0
    found = draw_brackets(record, seeds_of(record, through + 1, secret))
    facts = [fact for fact in found if fact.division not in have]
    first = [
        (fact.division, [(game[0], game[1] if len(game) > 1 else NOBODY) for game in fact.games]) for fact in facts
    ]
    return [*facts, *_paired(record, 1, [*_sides(drawn, 1), *first])]


def _sides(drawn: Sequence[Bracket], number: int) -> list[tuple[str | None, list[Sides]]]:
    """Return the games of a round for each unfinished bracket."""
    return [(found.division, [game.sides for game in games_in(found, number)]) for found in drawn]


def _need_drawable(record: Record) -> None:
    """Refuse to draw a bracket with too few players, or while another player can still enter it."""
    left = [
        player
        for player in qualifiers(record)
        if record.status(player) != "active" and may_replace(record) and in_line(record, player)
    ]
    if left:
        rule = record.rulebook.elimination.rule("replacement")
        raise Refusal(
            sentence(
                "%(players)s qualified and then left: replace the player first", players=names_of(record, left)
            ),
            rule,
        )
    for _, field in fields_of(record):
        if len(field) < SMALLEST_FIELD:
            raise Refusal(
                sentence("%(count)s active players are too few for a bracket: register more", count=len(field))
            )


def _paired(record: Record, number: int, brackets_: Sequence[tuple[str | None, Sequence[Sides]]]) -> list[AnyFact]:
    """Return the facts of a round: the games of each bracket at their tables, and matches already lost. A player
    without an opponent has a bye.
    """
    games: list[tuple[str | None, int, Two]] = []
    byes: list[Bye] = []
    before = 0
    for division, sides in brackets_:
        for game, two in enumerate(sides, 1 if division in record.first_tables else before + 1):
            match seated_of(record, two):
                case (first, second):
                    games.append((division, game, (first, second)))
                case (alone,):
                    byes.append(Bye(player=alone))
        before += len(sides)
    tables = seated_in_bracket(record, games)
    lost = []
    for seating in tables:
        staying = [player for player in seating.players if record.status(player) == "active"]
        if len(staying) < 2:  # noqa: PLR2004 - a pair needs two players
            lost.append(_walkover(number, seating, staying))
    paired = RoundPaired(stage="elimination", round=number, tables=tables, byes=tuple(byes))
    return [paired, *lost]


def _walkover(number: int, seating: Seating, present: Sequence[int]) -> ResultReported:
    """Return the slip of a match that a player lost by leaving between two rounds (PKM-3.2-NODROP)."""
    slip = Slip(kind="game-loss", winner=present[0]) if present else Slip(kind="double-loss")
    return ResultReported(
        stage="elimination", round=number, table=seating.table, players=seating.players, slip=slip
    )


# -- players who leave or come late


def leave(record: Record, movement: PlayerDropped | PlayerDisqualified, *, during: bool = False) -> list[AnyFact]:
    """Return the facts of a player's departure from the elimination stage, with its effect on the match in
    progress.

    The opponent gets a bye (L5R-IV.2c-DROP), or the player loses the match (PKM-3.2-NODROP). `during` means that
    the player left during a match that is already reported.
    """
    player = movement.player
    latest = record.latest_round("elimination")
    if record.bracket_drawn is None or latest is None:
        if during:
            raise Refusal(
                sentence("%(player)s has no match in a bracket that was drawn", player=name_of(record, player))
            )
        return [movement]
    if player in qualifiers(record) and may_replace(record) and in_line(record, player):
        return [movement, *take_bracket_back(record)]
    table = latest.table_of(player)
    if table is None:
        return [movement]
    report = latest.report(table, latest.tables[table])
    if report is None:
        return [movement, _given_up(record, latest, table, player)]
    if not during or report.winner != player:
        return [movement]
    slip = Slip(kind="game-loss", winner=_opponent(latest, table, player))
    corrected = ResultCorrected(
        supersedes=report.position,
        stage="elimination",
        round=latest.number,
        table=table,
        players=latest.tables[table],
        slip=slip,
    )
    return [movement, corrected]


def _given_up(record: Record, latest: Round, table: int, player: int) -> AnyFact:
    opponent, seating = _opponent(latest, table, player), Seating(table=table, players=latest.tables[table])
    if record.rulebook.elimination.leaving == "loss":
        present = [opponent] if record.status(opponent) == "active" else []
        return _walkover(latest.number, seating, present)
    return PairingAmended(
        stage="elimination", round=latest.number, removed=(seating,), added=(), byes_added=(opponent,)
    )


def _opponent(round_: Round, table: int, player: int) -> int:
    first, second = round_.tables[table]
    return second if player == first else first


def enter_late(
    record: Record, *, person: Person, number: int, division: str | None, attributes: dict[str, str]
) -> list[AnyFact]:
    """Add a player to a bracket without results. The bracket is retracted, and drawn again later
    (PKM-3.2.3-LATE).
    """
    rule = record.rulebook.elimination.rule("late")
    first = record.round(1, "elimination")
    if first is not None and (first.has_started or record.bracket_drawn is None):
        raise Refusal(
            sentence("elimination round 1 has started, so %(player)s can no longer enter", player=person.name), rule
        )
    return [
        PlayerRegistered(number=number, person=person, division=division, attributes=attributes),
        *take_bracket_back(record),
    ]
