"""Plain CSV: the standings of an event, and the columns that TCG+ and Carde.io need."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from matchledger.formats.left_out import entrants_of
from matchledger.formats.transcript import OfficialNumbers, PlayRound, Transcript

_PERCENTAGES = {
    f"{whose}{of}win_percentage" for whose in ("opponents_", "opponents_opponents_") for of in ("match_", "")
}
_NO_FORMULA = re.compile(r"-|[+-][0-9]+(?:[.,][0-9]+)?")
_SECOND_FORMULA = re.compile(r"(?<=;)(?=[=+@-])")
_CARDE = ("Ranking", "Membership Number", "User Name", "Win Points", "OMW %", "OOMW %")


def write_standings_csv(transcript: Transcript) -> tuple[bytes, list[str]]:
    """Return the Swiss standings, one line for each player. Tiebreakers have twelve decimals. The column `status`
    says who dropped or was disqualified. While results are missing or contested, a last column `provisional` says
    so.
    """
    official = transcript.official or OfficialNumbers()
    provisional = [official.provisional] if official.provisional else []
    names = list(dict.fromkeys(name for values in official.values.values() for name in values))
    rows = [
        [
            division,
            rank,
            player,
            *(official.values[player].get(name, "") for name in names),
            official.left.get(player, ""),
            *provisional,
        ]
        for division, order in official.orders.items()
        for rank, player in _ranked(transcript, order)
    ]
    heading = ["division", "rank", "player", *names, "status", *(["provisional"] if provisional else [])]
    return _csv(heading, rows), [*_left_out(transcript)]


def write_membership_csv(transcript: Transcript) -> tuple[bytes, list[str]]:
    """Return the standings in the columns of TCG+ and Carde.io. Percentages have two decimals."""
    official = transcript.official or OfficialNumbers()
    members = {entrant.name: entrant.membership for entrant in entrants_of(transcript)}
    rows = []
    for order in official.orders.values():
        for rank, player in _ranked(transcript, order):
            values = official.values.get(player, {})
            percentages = (
                values.get("opponents_match_win_percentage") or values.get("opponents_win_percentage"),
                values.get("opponents_opponents_match_win_percentage")
                or values.get("opponents_opponents_win_percentage"),
            )
            member = members[player] or ""
            rows.append([rank, member, player, values.get("points", ""), *(_percent(text) for text in percentages)])
    left_out = [*_left_out(transcript)]
    if any(status == "dropped" for status in official.left.values()):
        left_out.append("who dropped")
    numbers = {name for values in official.values.values() for name in values}
    if others := sorted(numbers - _PERCENTAGES - {"points"}):
        left_out.append(f"tiebreakers without a column: {', '.join(others)}")
    if empty := [
        name
        for column, name in enumerate(_CARDE)
        if column > 1 and rows and not any(str(row[column]) for row in rows)
    ]:
        left_out.append(f"nothing to write under {', '.join(empty)}")
    if missing := sum(1 for row in rows if not row[1]):
        left_out.append(f"membership numbers of {missing} players: none was registered")
    return _csv(_CARDE, rows), left_out


def _ranked(transcript: Transcript, order: Sequence[str]) -> Iterator[tuple[int | str, str]]:
    """Return the players with their ranks. A disqualified player has no rank (L5R-IV.2-DQ)."""
    out = set(_disqualified(transcript))
    return (("" if player in out else rank, player) for rank, player in enumerate(order, 1))


def _disqualified(transcript: Transcript) -> list[str]:
    left = {} if transcript.official is None else transcript.official.left
    return [player for player, status in left.items() if status == "disqualified"]


def _left_out(transcript: Transcript) -> Iterator[str]:
    yield "the rounds"
    if out := _disqualified(transcript):
        yield f"disqualifications: {', '.join(out)} listed last, without a rank"
    if any(isinstance(step, PlayRound) and step.stage == "elimination" for step in transcript.steps):
        yield "the elimination stage and the final places: these are the Swiss standings"


def _percent(text: str | None) -> str:
    if not text:
        return ""
    hundredths = round(Fraction(text) * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _csv(heading: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heading)
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def safe_cell(cell: object) -> object:
    """Return a cell that a spreadsheet never reads as a formula, even if a name begins like one. Dashes and numbers
    do not change.

    A spreadsheet in German also splits a cell at semicolons.
    """
    if not isinstance(cell, str) or _NO_FORMULA.fullmatch(cell):
        return cell
    cell = _SECOND_FORMULA.sub(" ", cell)
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t")) else cell
