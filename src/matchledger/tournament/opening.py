"""The beginning and the end of a tournament, the cut between its stages, and what is put on the wall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matchledger.events import AnyFact, CutMade, StandingsPosted, TournamentClosed, TournamentOpened
from matchledger.tournament.refusal import Refusal, names_of, need_open
from matchledger_projections.chance import commitment
from matchledger_projections.postings import posted_row
from matchledger_projections.record import Record
from matchledger_projections.rulebook import RulebookError, parse_rulebook
from matchledger_projections.standings import standings

LONGEST_NAME = 200  # characters


def open_tournament(
    record: Record, *, name: str, law: str, policies: Mapping[str, str], secret: bytes
) -> list[AnyFact]:
    """Opens a tournament under a rulebook's text; the secret is committed to, and revealed at the end."""
    if record.opening is not None:
        raise Refusal(f"the tournament {record.opening.name!r} is open already")
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refusal(f"a tournament is called something: 1 to {LONGEST_NAME} characters that can be printed")
    try:
        rulebook = parse_rulebook(law)
        rulebook.under(policies)
    except RulebookError as error:
        raise Refusal(str(error)) from None
    return [
        TournamentOpened(
            name=name,
            rulebook=rulebook.id,
            law=law,
            policies=dict(policies),
            commitment=commitment(secret),
        )
    ]


def post_standings(record: Record) -> list[AnyFact]:
    """Puts the standings after the last finished round on the wall, and keeps exactly what hung there."""
    need_open(record)
    table = standings(record)
    if table.round == 0:
        raise Refusal("no round is finished: there are no standings to post")
    return [StandingsPosted(round=table.round, rows=tuple(map(posted_row, table.rows)))]


def make_cut(record: Record, *, size: int, seeds: Sequence[int] = ()) -> list[AnyFact]:
    """Sends the top `size` active players on, or the players in `seeds` where a hand wrote them down."""
    need_open(record)
    if record.cut is not None:
        raise Refusal("the cut has been made: retract it to make another")
    latest = record.latest_round()
    if latest is None or latest.number != record.finished_rounds:
        raise Refusal("the last Swiss round is not finished: report its tables first")
    if seeds:
        return [CutMade(round=latest.number, seeds=tuple(seeds))]
    return [CutMade(round=latest.number, seeds=_top(record, size))]


def _top(record: Record, size: int) -> tuple[int, ...]:
    table = standings(record)
    active = [player for player in table.order if record.status(player) == "active"]
    if not 2 <= size <= len(active):  # noqa: PLR2004 - one player needs no elimination
        raise Refusal(f"a cut of {size} is not possible: there are {len(active)} active players")
    top = active[:size]
    for group in table.ties:
        level = [player for player in group if player in active]
        if len(level) > 1 and set(level) & set(top):
            raise Refusal(
                f"{names_of(record, level)} are level and one of them is in the top {size}: "
                "record the order of the tie first"
            )
    return tuple(top)


def close(record: Record, *, secret: bytes, unfinished: bool = False) -> list[AnyFact]:
    """Ends the tournament and reveals the secret, so that every draw can be checked.

    `unfinished` closes it with tables open, as foreign records are at times.
    """
    need_open(record)
    for latest in (record.latest_round("swiss"), record.latest_round("elimination")):
        if latest is not None and latest.outstanding and not unfinished:
            tables = ", ".join(map(str, latest.outstanding))
            raise Refusal(f"round {latest.number} is not finished: tables {tables} have no result")
    if record.opening is not None and record.opening.commitment != commitment(secret):
        raise Refusal("the secret is not the one that the tournament was opened with")
    return [TournamentClosed(round=record.finished_rounds, secret=secret.hex())]
