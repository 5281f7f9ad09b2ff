"""Where the cursor is when a page of the desk opens: in the field of the next task.

A scorekeeper in a hurry should not need the mouse to find the field. If no task follows, the cursor goes to the
recorded entry, so that Tab continues there and not at the top of the page.
"""

from __future__ import annotations

from collections.abc import Callable

from matchledger.web.rendering import Values

DONE = "done"  # the parameter with the text about the recorded entry
FAILED = "failed"  # the parameter with the refusal, shown at the head of a form
FOUND = "found"  # the parameter with the first match of a search, or the result of a check
TO_REPAIR = "to-repair"  # the parameter that shows the link to the options for a round paired from a wrong result
NOWHERE = ""

# Forms that people fill in several times in a row: the cursor goes to this field.
_JUDGED = {
    "give-ruling": "ruling-table",
    "note-card": "card-player",
    "assign-staff": "staff-name",
    "extend-time": "extended",
}
_CLOCKED = {"extend-time": "extended", "call-mark": "mark", "set-first-player": "first-player"}


def landing(page: str, view: object, after: str | None) -> str:
    """Return the id of the element that gets the cursor. `after` is the name of the form that was just recorded, or
    None.
    """
    find = _LANDINGS.get(page)
    return _elsewhere(after) if find is None else find(view, after)


def _elsewhere(after: str | None) -> str:
    return NOWHERE if after is None else DONE


def _players(view: Values, after: str | None) -> str:
    if after is not None:
        # After a tournament is opened, `after` is empty, because no form of the desk opens a tournament.
        return "name" if after in ("", "register-player") and not view["checks_in"] else "q"
    if view["chosen"] is not None:
        if not view["wanted"]:
            return "chosen-heading"
        # A search is the quick way to a check-in, and later to a drop.
        return "is-here" if view["checks_in"] and not view["chosen"].is_here else "why"
    at_the_door = view["late"] or view["checks_in"]
    return _searched(view["wanted"], bool(view["lines"])) or ("q" if at_the_door else "name")


def _searched(wanted: str, found: bool) -> str | None:
    """Return the id of the player that a search found, or the id of the search field if it found nobody."""
    return (FOUND if found else "q") if wanted else None


def _decks(view: Values, after: str | None) -> str:
    if after is None and view["chosen"] is None:
        return _searched(view["wanted"], bool(view["listed"])) or "q"
    if after is None:
        return "handed-deck" if view["chosen"]["current"] is None else "checked-player"
    return {"submit-deck": "deck-player", "check-decks": "checked-player"}.get(after, DONE)


def _rounds(view: Values, after: str | None) -> str:
    if view["repair"] is not None and _is_changed(view["repair"]):
        return "repair-choice"
    if view["latest"] is None or not view["outstanding"]:
        return "next-heading"
    return _CLOCKED.get(after or "", "extended") if view["latest"].has_started else "minutes"


def _is_changed(plan: Values) -> bool:
    """Return whether nothing recommends to leave the round that was paired from a wrong result."""
    return not any(option["recommended"] and option["choice"] == "leave" for option in plan["options"])


def _event(view: Values, after: str | None) -> str:
    if after == "make-cut":
        return "to-rounds"
    is_due = view["finished"] and not view["cuts"] and not view["outstanding"] and not view["waits"]
    if is_due and (view["cut"] or view["division_cuts"]):
        return "stages-heading" if view["tied"] else "make-cut"
    return _elsewhere(after)


def _corrections(view: Values, after: str | None) -> str:
    if view["repair"] is not None and after in ("correct-slip", "retract-entry"):
        return TO_REPAIR
    if after is not None:
        return DONE
    if view["match"] is not None:
        return "right"
    return "round" if view["round"] is None else "at"


def _conduct(view: Values, after: str | None) -> str:
    if after is None and view["chosen"] is not None:
        return "offence"
    return "penalty-player" if after in (None, "give-penalty") else _JUDGED.get(after, DONE)


def _hand(view: Values, after: str | None) -> str:
    if after is not None:
        return DONE
    return "seat-1-a" if view["games"][0] == ("", "") else "check-round"


def _phones(view: Values, after: str | None) -> str:
    if after is None or after.startswith(("request-", "claim-")):  # the queue is worked from its top
        return "first-request" if view["asking"] or view["questions"] else _elsewhere(after)
    return DONE


_LANDINGS: dict[str, Callable[..., str]] = {
    "players": _players,
    "decks": _decks,
    "rounds": _rounds,
    "event": _event,
    "corrections": _corrections,
    "conduct": _conduct,
    "hand": _hand,
    "log": lambda view, after: (
        DONE if after is not None else _searched(view["asked"].q, bool(view["groups"])) or "q"
    ),
    "phones": _phones,
    "print": lambda _view, after: "whole-round" if after is None else DONE,
    "verify": lambda _view, after: "verify-now" if after is None else DONE,
}
