"""Pages of the desk: their parameters, their data from the ledger, and their templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import takewhile
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID, uuid4

from msgspec import Struct

from matchledger.commands.draft import line_of
from matchledger.commands.registration import LONGEST_ROSTER
from matchledger.commands.repairs import repair_advised
from matchledger.commands.undo import last_action, last_undo, same_command, undone_pairing
from matchledger.events import ByesAwarded, Entry, EntryRetracted, PlayerRegistered, TournamentClosed
from matchledger.ledger import Ledger
from matchledger.ledger.lost_names import names_elsewhere
from matchledger.notation.outcomes import outcome_help
from matchledger.notation.player_lookup import number_typed
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import CHECKPOINT, context_of
from matchledger.service.sign_up import is_open
from matchledger.service.warnings import warnings
from matchledger.text.labels import in_brief
from matchledger.web.desk import charts
from matchledger.web.desk.asked import (
    Asked,
    AskedConduct,
    AskedHand,
    AskedLog,
    AskedMatch,
    AskedPlayers,
    AskedRounds,
)
from matchledger.web.desk.charts import course_of, field_of, pace_of
from matchledger.web.desk.conduct import conduct_view
from matchledger.web.desk.corrections import corrections_view
from matchledger.web.desk.cutting import cuts_ahead
from matchledger.web.desk.decks import decks_view
from matchledger.web.desk.event import event_view
from matchledger.web.desk.floor import chosen_table, zones
from matchledger.web.desk.hand import hand_view
from matchledger.web.desk.landing import NOWHERE, landing
from matchledger.web.desk.log import history_view, log_view
from matchledger.web.desk.phones import phones_view
from matchledger.web.desk.players import players_view
from matchledger.web.desk.rounds import rounds_view
from matchledger.web.desk.sheets import UP, sheets_now
from matchledger.web.desk.state import latest_round
from matchledger.web.desk.steps import all_rounds_played, next_step, usual_minutes
from matchledger.web.desk.verification import last_checkpoint
from matchledger.web.doors import Visitor
from matchledger.web.naming import naming
from matchledger.web.rendering import Values
from matchledger_projections.conduct.permissions import who_may
from matchledger_projections.message import numbered, sentence
from matchledger_projections.narration import tell
from matchledger_projections.record.desk_calls import (
    asked_said,
    closed_over,
    contested_at_close,
    open_contradictions,
)
from matchledger_projections.record.phones import undone
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import bracket_of, brackets, round_name
from matchledger_projections.stages.placing import champions
from matchledger_projections.views.sight import title

SAID = 8  # how many new players the page names. For more players, the page gives their number


class Page(Struct, frozen=True):
    """A page of the desk: its template, its parameters, and the function that reads its contents."""

    template: str
    asked: type[Asked]
    read: Callable[[Ledger, UUID, Any], Values]


def _slips(ledger: Ledger, tournament: UUID, asked: Asked) -> Values:  # noqa: ARG001 - as for every page
    record = ledger.record(tournament)
    return {
        "outcomes": outcome_help(record.rulebook),
        "questions": [] if record.closing is not None else asked_said(record),
    }


def _players(ledger: Ledger, tournament: UUID, asked: AskedPlayers) -> Values:
    record = ledger.record(tournament)
    view = players_view(record, asked.q, asked.player, asked.show)
    shown = {"view": view, "longest_roster": LONGEST_ROSTER, "checked": None, "form": None}
    return shown | {"course": None if view["chosen"] is None else course_of(record, view["chosen"].number)}


def _rounds(ledger: Ledger, tournament: UUID, asked: AskedRounds) -> Values:
    record = ledger.record(tournament)
    latest = latest_round(record)
    halls = [] if latest is None else zones(record, latest)
    return {
        "chosen": None if latest is None else chosen_table(record, latest, halls, asked.table),
        "view": rounds_view(ledger, tournament, allow_rematch=asked.rematch),
        "zones": halls,
        "all_played": all_rounds_played(record),
        "contested": [] if record.closing is not None else open_contradictions(record),
        "minutes": usual_minutes(record),
        "pace": None if latest is None else pace_of(ledger, tournament, record, latest),
    }


def _decks(ledger: Ledger, tournament: UUID, asked: AskedPlayers) -> Values:
    return {"view": decks_view(ledger.record(tournament), asked.q, asked.player, asked.show)}


def _hand(ledger: Ledger, tournament: UUID, asked: AskedHand) -> Values:
    return {"view": hand_view(ledger, tournament, drawn=asked.drawn), "checked": None, "form": None}


def _corrections(ledger: Ledger, tournament: UUID, asked: AskedMatch) -> Values:
    return {"view": corrections_view(ledger, tournament, asked.stage, asked.round, asked.table)}


def _conduct(ledger: Ledger, tournament: UUID, asked: AskedConduct) -> Values:
    number = asked.player
    if number is None and asked.name:
        with suppress(UsageProblem):  # if no player or several players match, the field stays empty
            number = number_typed(ledger.record(tournament), asked.name)
    return {"view": conduct_view(ledger, tournament, number)}


def _phones(ledger: Ledger, tournament: UUID, asked: Asked) -> Values:  # noqa: ARG001 - as for every page
    return {"view": phones_view(ledger, tournament)}


def _event(ledger: Ledger, tournament: UUID, asked: Asked) -> Values:  # noqa: ARG001 - as for every page
    record = ledger.record(tournament)
    return {
        "view": event_view(ledger, tournament),
        "field": field_of(record),
        "cuts": cuts_ahead(record),
        "unit": record.rulebook.unit,
    }


def _log(ledger: Ledger, tournament: UUID, asked: AskedLog) -> Values:
    return {"view": log_view(ledger, tournament, asked)}


def _match(ledger: Ledger, tournament: UUID, asked: AskedMatch) -> Values:
    found = history_view(ledger, tournament, asked.stage, asked.round, asked.table)
    if found is None:
        raise UsageProblem(sentence("there is no such match: choose one from the log, or from a round"))
    return {"view": found, "given_by": who_may(ledger.record(tournament).rulebook, "hand-names-out").everybody}


def _verify(ledger: Ledger, tournament: UUID, asked: Asked) -> Values:  # noqa: ARG001 - as for every page
    record = ledger.record(tournament)
    return {"found": None, "head": "", "draws": False, "signed": last_checkpoint(record)}


def _print(ledger: Ledger, tournament: UUID, asked: Asked) -> Values:  # noqa: ARG001 - as for every page
    return {"sheets": sheets_now(ledger.record(tournament)), "up": UP}


FIRST = "slips"
PAGES: dict[str, Page] = {
    FIRST: Page("desk/slips.html", Asked, _slips),
    "players": Page("desk/players.html", AskedPlayers, _players),
    "rounds": Page("desk/rounds.html", AskedRounds, _rounds),
    "hand": Page("desk/hand.html", AskedHand, _hand),
    "event": Page("desk/event.html", Asked, _event),
    "corrections": Page("desk/corrections.html", AskedMatch, _corrections),
    "log": Page("desk/log.html", AskedLog, _log),
    "match": Page("desk/match.html", AskedMatch, _match),
    "verify": Page("desk/verify.html", Asked, _verify),
    "print": Page("desk/print.html", Asked, _print),
    "decks": Page("desk/decks.html", AskedPlayers, _decks),
    "phones": Page("desk/phones.html", Asked, _phones),
    "conduct": Page("desk/conduct.html", AskedConduct, _conduct),
}


MENU = (
    *("slips", "players", "rounds", "event", "corrections", "conduct"),
    *("decks", "log", "verify", "print", "phones", "stations"),
)
JUDGES_MENU = ("phones", "conduct", "players", "decks", "corrections", "log")
# The commands of a judge's work. A judge's link records nothing else from a page of the desk.
JUDGES_COMMANDS = frozenset(
    {
        *("answer-call", "answer-request", "check-in"),
        *("report-slip", "correct-slip", "concede-match", "record-no-show", "extend-time"),
        *("give-penalty", "give-ruling", "review-ruling", "note-card", "change-duty"),
        *("submit-deck", "amend-deck", "check-decks"),
        "retract-entry",
    }
)


def is_judges(name: str) -> bool:
    """Return whether a page is part of a judge's work."""
    return name in JUDGES_MENU or name == "match"


def page_values(ledger: Ledger, tournament: UUID, visitor: Visitor, name: str, asked: Asked) -> Values:
    """Return the contents of a page, and the place of the cursor."""
    values = common_values(ledger, tournament, visitor, name, asked) | PAGES[name].read(ledger, tournament, asked)
    after = asked.form if values["done"] else None
    return values | {"lands": landing(name, values.get("view"), after)}


def common_values(
    ledger: Ledger, tournament: UUID, visitor: Visitor, tab: str, asked: Asked | None = None
) -> Values:
    """Return what all pages of the desk contain: the location, the visitor, and the length of the log."""
    record = ledger.record(tournament)
    done = [] if asked is None or asked.done is None else _done(ledger, tournament, record, asked.done)
    drawn = brackets(record)
    return {
        "tournament": tournament,
        "home": f"/t/{tournament}/desk",
        "title": title(record),
        "round_name": partial(round_name, drawn),
        "bracket_of": partial(bracket_of, drawn),
        "visitor": visitor,
        "menu": JUDGES_MENU if visitor.role == "judge" else MENU,
        "runs_event": visitor.clerk is not None and visitor.role in who_may(record.rulebook, "run-event").everybody,
        "tab": tab,
        "position": record.position,
        "pairing": None if record.current_round is None else record.current_round.position,
        "step": next_step(record, repair=repair_advised(record)),
        "closed": record.closing is not None,
        "signs_up": record.closing is None and is_open(record),
        "closing": max((position for position, _ in record.counting(TournamentClosed)), default=None),
        "undone": undone(record),
        "crowned": []
        if record.closing is None
        else [(division, record.players[player].name) for division, player in champions(record).items()],
        "closed_over": closed_over(contested_at_close(record)),
        "new_id": lambda: str(uuid4()),
        "done": _said(record, done),
        "warnings": list(warnings(record, done)),
        "names_elsewhere": names_elsewhere(ledger, tournament),
        "address": "" if asked is None else asked.address,
        "redo": _to_redo(ledger, tournament, visitor) if tab in ("rounds", "log") else None,
        "last_action": _last_action(ledger, tournament, visitor) if tab == "log" else None,
        "charts": charts,
        "bold": naming(record.players.values()),
        "failed": None,
        "wrong": frozenset(),
        "problem": None,
        "lands": NOWHERE,
    }


def asked_again(name: str, address: str) -> Asked:
    """Return the parameters that a page had when its form was filled in, or the default parameters if these are
    invalid.
    """
    asked = PAGES[name].asked
    try:
        return asked.of(dict(parse_qsl(address)))
    except (UsageProblem, ValueError):
        return asked()


def _to_redo(ledger: Ledger, tournament: UUID, visitor: Visitor) -> tuple[str, int | None] | None:
    """Return what this station can bring back, in words, or None. A whole round is described by its pairing. If the
    round was undone before the station's last action, also return the position of the undo.
    """
    if visitor.clerk is None:
        return None
    record, context = ledger.record(tournament), context_of(ledger, tournament, visitor.clerk)
    last = last_undo(record, context)
    undone = last or undone_pairing(record, context)
    if undone is None or not isinstance(undone.fact, EntryRetracted):
        return None
    said = tell(record, ledger.entry(tournament, undone.fact.retracts).fact)
    if last is None:
        return said, undone.position
    more = len(same_command(record, last, context)) - 1
    return said if not more else _with_more(said, more), None


def _last_action(ledger: Ledger, tournament: UUID, visitor: Visitor) -> str | None:
    """Return the action of this station that an undo would take back, in words, or None without an action."""
    if visitor.clerk is None:
        return None
    record = ledger.record(tournament)
    taken = last_action(record, context_of(ledger, tournament, visitor.clerk))
    if not taken:
        return None
    said = tell(record, taken[0].fact)
    return said if len(taken) == 1 else _with_more(said, len(taken) - 1)


def _with_more(said: str, more: int) -> str:
    return numbered("%(said)s, and %(count)s more entry", "%(said)s, and %(count)s more entries", more, said=said)


def _done(ledger: Ledger, tournament: UUID, record: Record, position: int) -> list[Entry]:
    """Return the entries of one command or of one typed line, with the checkpoint that signs them."""
    if position > record.position:
        return []
    command = ledger.entry(tournament, position).command
    its, line = {command, f"{command}{CHECKPOINT}"}, line_of(command)
    found = ledger.entries(tournament, after=position - 1)
    return list(takewhile(lambda entry: entry.command in its or (line and line_of(entry.command) == line), found))


def _said(record: Record, done: Sequence[Entry]) -> list[tuple[str, str]]:
    """Describe the recorded entries in one line each. A registered roster gets one line in total, and so do the
    people whom one click accepted from the waiting list.
    """
    players = sum(isinstance(entry.fact, PlayerRegistered) for entry in done)
    if players > 1 and line_of(done[0].command) is not None:
        accepted = numbered("%(count)s person accepted", "%(count)s people accepted", players)
        return [(f"{done[0].position}-{done[-1].position}", accepted)]
    if len(done) > SAID and all(isinstance(entry.fact, PlayerRegistered | ByesAwarded) for entry in done):
        registered = numbered("%(count)s player registered", "%(count)s players registered", players)
        return [(f"{done[0].position}-{done[-1].position}", registered)]
    return [(str(entry.position), in_brief(record, entry.fact)) for entry in done]
