"""Privacy: erasing a person's data, and recording copies that contain names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, NamesHandedOut, PersonErased
from matchledger_projections.message import demanding, sentence
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record

_LONGEST_NAME = 200  # the most characters of a file name that the log keeps


def erase(record: Record, *, player: int, reason: str | None) -> list[AnyFact]:
    """Erase a player's data, even after the close. The player's results stay, under the player's number."""
    if record.opening is None or not record.opening.sealed:
        raise Refusal(sentence("this log holds unencrypted names and cannot be changed: no erasure is possible"))
    if (position := erased(record).get(player)) is not None:
        raise Refusal(
            sentence("player %(player)s was erased already (entry %(entry)s)", player=player, entry=position)
        )
    if not (reason or "").strip():
        raise Refusal(
            demanding(sentence("an erasure cannot be undone: give a reason without the name"), "a reason")
        )
    return [PersonErased(player=player)]


def hand_names_out(
    record: Record,  # noqa: ARG001 - every decision gets one
    *,
    form: Literal["export", "bundle"],
    to: str,
    players: Iterable[int] = (),
) -> list[AnyFact]:
    """Record that somebody makes a copy with names. A later erasure lists such copies outside the ledger."""
    return [NamesHandedOut(form=form, to=to[-_LONGEST_NAME:], players=tuple(players))]
