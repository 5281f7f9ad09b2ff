"""Where the cursor lands when a page of the desk opens: at the field of what is done next, often the same again.

Nobody with a queue before the desk takes a hand off the keyboard to find the place. Where no field follows, the
cursor lands on what was recorded, so that Tab goes on from there and not from the top of the page.
"""

from __future__ import annotations

from collections.abc import Callable

from matchledger.web.desk.corrections import CorrectionsView
from matchledger.web.desk.decks import DecksView
from matchledger.web.desk.event import EventView
from matchledger.web.desk.players import PlayersView
from matchledger.web.desk.rounds import RoundsView

DONE = "done"  # what says what was recorded
FAILED = "failed"  # the refusal at the head of a form
FOUND = "found"  # the first that a search found, or what was verified
TO_REPAIR = "to-repair"  # the way to the choices about a round that rests on a wrong result
NOWHERE = ""

# The field of a form that is filled in several times, one after the other.
_JUDGED = {"give-ruling": "ruling-table", "note-card": "card-player", "assign-staff": "staff-name"}
_CLOCKED = {"extend-time": "extended", "call-mark": "mark", "set-first-player": "first-player"}


def landing(page: str, view: object, after: str | None) -> str:
    """The id of what has the cursor on a page; `after` is the form that was recorded from it, if one was."""
    find = _LANDINGS.get(page)
    return _elsewhere(after) if find is None else find(view, after)


def _elsewhere(after: str | None) -> str:
    return NOWHERE if after is None else DONE


def _players(view: PlayersView, after: str | None) -> str:
    if after is not None:
        return "name" if after in ("", "register-player") else "q"  # a tournament was opened by no form of the desk
    if view.chosen is not None:
        return "why"
    return _searched(view.wanted, bool(view.lines)) or ("q" if view.late else "name")


def _searched(wanted: str, found: bool) -> str | None:
    """Whoever has searched looks at what was found, or searches again."""
    return (FOUND if found else "q") if wanted else None


def _decks(view: DecksView, after: str | None) -> str:
    if after is None and view.chosen is None:
        return _searched(view.wanted, bool(view.lines)) or "deck-player"
    return {None: "deck-player", "submit-deck": "deck-player", "check-decks": "checked-player"}.get(after, DONE)


def _rounds(view: RoundsView, after: str | None) -> str:
    if view.repair is not None:
        return "repair-choice"
    if view.latest is None or not view.outstanding:
        return "next-heading"
    return _CLOCKED.get(after or "", "extended") if view.latest.has_started else "minutes"


def _event(view: EventView, after: str | None) -> str:
    if after == "make-cut":
        return "to-rounds"
    if view.finished and not view.cuts and (view.cut or view.division_cuts) and not view.outstanding:
        return "stages-heading" if view.ties else "size"
    return _elsewhere(after)


def _corrections(view: CorrectionsView, after: str | None) -> str:
    if view.repair is not None and after in ("correct-slip", "retract-entry"):
        return TO_REPAIR
    if after is not None:
        return DONE
    if view.match is not None and view.match.now is not None:
        return "right"
    return "round" if view.round is None else "at"


def _conduct(_: object, after: str | None) -> str:
    return "penalty-player" if after in (None, "give-penalty") else _JUDGED.get(after, DONE)


_LANDINGS: dict[str, Callable[..., str]] = {
    "players": _players,
    "decks": _decks,
    "rounds": _rounds,
    "event": _event,
    "corrections": _corrections,
    "conduct": _conduct,
    "hand": lambda _view, after: "seat-1-a" if after is None else DONE,
    "log": lambda _view, after: "q" if after is None else DONE,
    "verify": lambda _view, after: "verify-now" if after is None else DONE,
}
