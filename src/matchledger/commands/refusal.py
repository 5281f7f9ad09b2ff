"""Refusals: commands that the rules or the state of the tournament forbid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from matchledger.events import AnyFact, PlayerDisqualified, RoundPaired, SlipRefused, TournamentClosed
from matchledger_projections.message import Sentence, demanding, joined, numbered, one_line, sentence, word
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.views.retraction import window_closed

if TYPE_CHECKING:
    from matchledger_projections.stages.departure import Departure

LISTED = 20  # the most open tables that one line names
_LONGEST = 2000  # characters


class Refusal(Exception):
    """Why a command is refused, and the next step, in one line.

    `rule` is the id of the rule behind the refusal. `field` is the field to change, if only one can be wrong.

    `said` is the line as a sentence that the command line and the pages can translate. `notes` are facts that are
    recorded despite the refusal. Usually, `notes` is empty.
    """

    notes: Sequence[AnyFact] = ()

    def __init__(self, message: Sentence, rule: str | None = None, *, field: str | None = None) -> None:
        self.said = joined((message, " (", rule, ")"), "") if rule else message
        super().__init__(one_line(self.said, _LONGEST))
        self.rule = rule
        self.field = field


class AlreadyReported(Refusal):
    """The refusal of a slip for a table that already has a slip, perhaps from another station.

    `entry` is the position of the slip that counts.

    `contradiction` is the fact to record if the refused slip has a different result. Recording this fact keeps
    both slips in the log. `kept` is the position of the same refused slip, if a station sent the slip before.
    """

    def __init__(
        self,
        message: Sentence,
        *,
        entry: int,
        contradiction: SlipRefused | None = None,
        kept: int | None = None,
    ) -> None:
        super().__init__(message)
        self.entry = entry
        self.kept = kept
        self.notes = () if contradiction is None else (contradiction,)


def need_open(record: Record) -> None:
    """Refuse a change of a tournament that is closed, or that was never opened."""
    if record.opening is None:
        raise Refusal(sentence("no tournament is open: open one first"))
    if record.closing is not None:
        at, _ = list(record.every(TournamentClosed))[-1]
        raise Refusal(sentence("the tournament is closed: retract entry %(entry)s to go on", entry=at))


def late_rule(record: Record) -> str:
    """Return the rulebook's rule about late players, or `UNWRITTEN` if the rulebook has none."""
    return record.rulebook.permission_rule("accept-late") or UNWRITTEN


def need_nobody_left_out(record: Record, facts: Sequence[AnyFact]) -> None:
    """Refuse a Swiss round in which an active player has no opponent and no bye (C-D2)."""
    from matchledger_projections.pairing.lineup import left_out  # noqa: PLC0415 - only pairing needs it

    for fact in facts:
        if isinstance(fact, RoundPaired) and fact.stage == "swiss" and (names := left_out(record, fact)):
            shown = names_of(record, names[:LISTED]) + (", ..." if len(names) > LISTED else "")
            raise Refusal(
                demanding(
                    numbered(
                        "%(count)s player would have no opponent and no bye (%(names)s): pair that player too, "
                        "or give a reason",
                        "%(count)s players would have no opponent and no bye (%(names)s): pair them too, or give "
                        "a reason",
                        len(names),
                        names=shown,
                    ),
                    "a reason",
                )
            )


def need_late_players_seated(record: Record) -> None:
    """Refuse to go on while a late player has neither a seat in the posted round nor a loss for the round."""
    latest = record.latest_round()
    if latest is None:
        return
    for player in record.active_players():
        came_after = player.losses is not None and player.position > latest.position
        if not came_after or not record.was_live(player.position):
            continue
        charged = latest.number in record.charged_rounds(player.number, latest.number)
        if not charged and player.number not in latest.players:
            raise Refusal(
                sentence(
                    "%(player)s came late, and has neither a seat in round %(round)s nor a loss for it: amend "
                    "the round, or retract entry %(entry)s and charge the round",
                    player=player.name,
                    round=latest.number,
                    entry=player.position,
                ),
                late_rule(record),
            )


def need_window_open(record: Record, round_: int) -> None:
    """Refuse a change to a Swiss result after the time for corrections has passed (POL-ALL-CORRECTION-WINDOW,
    TV-UNDO-5).
    """
    rule = record.rulebook.policy_rule("POL-ALL-CORRECTION-WINDOW")
    match window_closed(record, round_):
        case "played":
            raise Refusal(
                demanding(
                    sentence("an elimination game was played, so the Swiss results are final"),
                    "an exception",
                ),
                rule,
            )
        case "posted":
            raise Refusal(
                demanding(
                    sentence(
                        "the standings of a later round are posted, so results of round %(round)s are final",
                        round=round_,
                    ),
                    "an exception",
                ),
                rule,
            )


def need_active(record: Record, player: int) -> Player:
    """Return the player with a number. Refuse if the player is no longer in the tournament."""
    found = record.players[player]
    if record.is_dead(found.position):
        raise Refusal(
            sentence(
                "the registration of %(player)s (entry %(entry)s) no longer counts: bring it back first",
                player=found.name,
                entry=found.position,
            )
        )
    if (disqualified := _disqualified_at(record, player)) is not None:
        raise Refusal(
            sentence(
                "%(player)s is disqualified: name another, or retract entry %(entry)s first",
                player=found.name,
                entry=disqualified,
            )
        )
    if (status := record.status(player)) != "active":
        raise Refusal(
            sentence(
                "%(player)s is %(status)s: rejoin the player first, or name another",
                player=found.name,
                status=word(status),
            )
        )
    return found


def _disqualified_at(record: Record, player: int) -> int | None:
    """Return the position of the entry that disqualified a player. Return None for any other player."""
    if record.status(player) != "disqualified":
        return None
    moved = reversed(record.movements[player])
    return next(at for at, fact in moved if isinstance(fact, PlayerDisqualified) and not record.is_dead(at))


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: 1 player, 2 players."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def no_player_in(division: str, known: Iterable[str]) -> Sentence:
    """Say that a division has no players, and name the divisions that have players."""
    return sentence(
        "no player is in %(division)r: the divisions are %(known)s",
        division=division,
        known=joined(filter(None, known)) or sentence("none"),
    )


def listed(tables: Sequence[int]) -> str:
    """Return table numbers in one line, with an ellipsis after the first `LISTED`."""
    return ", ".join(map(str, tables[:LISTED])) + (", ..." if len(tables) > LISTED else "")


def not_finished(record: Record, round_: Sentence, tables: Sequence[int]) -> Refusal:
    """Return the refusal of a step that needs a finished round, with the tables that have no result. The refusal
    also names the tournament's open questions.
    """
    from matchledger_projections.stages.departures import open_questions  # noqa: PLC0415 - few refusals need it

    problem = numbered(
        "%(round)s is not finished: table %(tables)s has no result",
        "%(round)s is not finished: tables %(tables)s have no result",
        len(tables),
        round=round_,
        tables=listed(tables),
    )
    return Refusal(joined((problem, *open_questions(record)[:LISTED]), "; "))


def name_of(record: Record, player: int) -> str:
    return record.players[player].name


def names_of(record: Record, players: tuple[int, ...] | list[int]) -> str:
    return ", ".join(name_of(record, player) for player in players)


def players_at(round_: Round, table: int) -> tuple[int, int]:
    """Return the players of a table. Refuse a table number that the round does not have."""
    players = round_.tables.get(table)
    if players is None:
        raise Refusal(
            sentence(
                "round %(round)s has no table %(table)s: %(known)s",
                round=round_.number,
                table=table,
                known=_tables_of(round_),
            )
        )
    return players


def _tables_of(round_: Round) -> Sentence:
    """Return the numbers of a round's tables: as a range, or one by one if there are gaps."""
    tables = list(round_.tables)
    if not tables:
        return sentence("the round has only byes")
    if len(tables) <= tables[-1] - tables[0]:
        return sentence("its tables are %(tables)s", tables=listed(tables))
    return sentence("its tables are %(first)s to %(last)s", first=tables[0], last=tables[-1])


def need_all(*checks: Callable[[], object]) -> None:
    """Run every check, and raise one refusal that names what each check refused.

    One reason overrides all checks, so the refusal must name all of them (H15).
    """
    refused: dict[str, Refusal] = {}
    for check in checks:
        try:
            check()
        except Refusal as refusal:
            refused.setdefault(str(refusal), refusal)
    if len(refused) == 1:
        raise next(iter(refused.values()))
    if refused:
        together = Refusal(joined([refusal.said for refusal in refused.values()], "; "))
        together.rule = next((refusal.rule for refusal in refused.values() if refusal.rule), None)
        raise together


def departing(found: Sequence[Departure], *, deviating: bool) -> tuple[str, ...]:
    """Return the rules that a step departs from, each once. Unless `deviating`, refuse the step and name every
    departure.
    """
    if found and not deviating:
        texts = list(dict.fromkeys(departure.text for departure in found))
        said = joined(texts[:LISTED], "; ")
        raise Refusal(
            demanding(sentence("%(refused)s: give a reason to deviate from it", refused=said), "a reason"),
            found[0].rule,
        )
    return tuple(dict.fromkeys(departure.rule for departure in found))
