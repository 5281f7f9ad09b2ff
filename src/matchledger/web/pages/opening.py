"""Opening a tournament from the desk: its rulebook, name and policies."""

from __future__ import annotations

import re
from typing import Annotated, Any
from uuid import uuid4

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse, Response
from msgspec import Struct
from pydantic import ValidationError

from matchledger.commands.refusal import Refusal
from matchledger.commands.tournaments import OpenTournament
from matchledger.ledger import Clerk, Conflict, Ledger
from matchledger.notation.problems import UsageProblem, wrong_value
from matchledger.service.opening import SameName, open_once
from matchledger.web.choices import Choice, choices_of
from matchledger.web.pages.asking import TheDoors, TheOffice, key_of
from matchledger.web.problems import problem_of
from matchledger.web.rendering import private_page
from matchledger.web.security import LARGEST_FORM
from matchledger_projections.message import sentence
from matchledger_projections.rulebook.clock import LONGEST
from matchledger_projections.rulebook.house import MOST_POINTS, house_rulebook, house_rules
from matchledger_projections.rulebook.rulebook import (
    NEEDED,
    Rulebook,
    RulebookError,
    TiebreakName,
    parse_rulebook,
    rulebook_text,
    shipped_rulebooks,
)

router = APIRouter(include_in_schema=False)

OWN = "own"  # what the form asks for instead of a shipped rulebook
NO_TIE = "none"  # the answer that no further tiebreaker follows
_TIE_FIELDS = ("tie1", "tie2", "tie3")


def _ties(*names: TiebreakName) -> dict[str, str]:
    return {field: names[at] if at < len(names) else NO_TIE for at, field in enumerate(_TIE_FIELDS)}


# What the form proposes for a game of one's own, by the name of the proposal.
_SCORINGS = {
    "": {"win": "3", "draw": "1", "loss": "0", "bye": "3", "best_of": "none"}
    | _ties("opponents_match_win_percentage", "opponents_opponents_match_win_percentage"),
    "chess": {"win": "1", "draw": "½", "loss": "0", "bye": "1", "best_of": "none"}
    | _ties("strength_of_schedule", "extended_strength_of_schedule", "head_to_head"),
    "win": {"win": "1", "draw": "", "loss": "0", "bye": "1", "best_of": "none"}
    | _ties("opponents_match_win_percentage", "opponents_opponents_match_win_percentage"),
}

# The tiebreakers that the form offers for a game of one's own.
_TIES: tuple[TiebreakName, ...] = (
    "opponents_match_win_percentage",
    "opponents_opponents_match_win_percentage",
    "head_to_head",
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "cumulative_tiebreak",
    "opponents_cumulative_tiebreak",
    "defeated_opponents_points",
    "opponents_wins",
    "game_win_percentage",
    "opponents_game_win_percentage",
)

# The beginning of the text after the game's name in the title of a rulebook.
_AFTER_THE_GAME = re.compile(
    r",| as | Swiss | single-sided | Organized | Tournament | TCG | CCG |: The Card Game|(?= TCG,)"
)


class Law(Struct, frozen=True):
    """A rulebook that can be chosen: its game, its document, its policies and its age divisions.

    `own_pod` is the number of players that a division needs to play apart. `oldest` is the division of the players
    who were born before all `years`, or "". `best_of` is the number of games in a match, or None if a match has no
    games. `draws` says whether a match can be drawn.
    """

    id: str
    game: str
    title: str
    edition: str
    choices: list[Choice]
    divisions: tuple[str, ...]
    own_pod: int
    years: dict[str, int]
    oldest: str
    best_of: int | None
    draws: bool


def _host(request: Request, doors: TheDoors) -> Clerk:
    host = doors.host(key_of(request))
    request.scope["most"] = LARGEST_FORM
    return host


# The person who started the server, in a role that may open tournaments. NotLetIn is raised for everybody else.
AHost = Annotated[Clerk, Depends(_host)]


@router.get("/new")
async def ask(
    request: Request,
    office: TheOffice,
    host: AHost,
    rulebook: Annotated[str, Query(max_length=100)] = "",
    scoring: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    """Show the form for a new tournament under a rulebook, or ask for the game first."""
    return _page(request, host, rulebook, {}, None, await office.ask(_last_rulebook), scoring)


@router.post("/new")
async def open_(request: Request, office: TheOffice, host: AHost) -> Response:
    """Open the tournament and continue with registration, or return the form with its problem."""
    filled = {name: str(value).strip() for name, value in (await request.form()).items() if str(value).strip()}
    try:
        command = _command(filled)
        opened = await office.tell(
            lambda ledger: open_once(
                ledger, command, host, filled.get("id") or str(uuid4()), second="second" in filled
            )
        )
    except (UsageProblem, RulebookError, Refusal, Conflict) as problem:
        return _page(request, host, filled.get("rulebook", ""), filled, problem)
    return RedirectResponse(f"/t/{opened}/desk/players?done=1", status_code=303)


def _command(filled: dict[str, str]) -> OpenTournament:
    """Return the filled-in command. A policy with the rulebook's own value counts as not chosen."""
    given: dict[str, Any] = {name: value for name, value in filled.items() if name in OpenTournament.model_fields}
    if given.get("rulebook") == OWN:
        given["house"] = _own(_parts(filled, "own"))
    defaults = {} if "house" in given else _defaults(filled.get("rulebook", ""))
    given["policies"] = {
        flag: value for flag, value in _parts(filled, "policies").items() if value != defaults.get(flag)
    }
    given["division_years"] = _parts(filled, "division_years")
    try:
        return OpenTournament.model_validate(given)
    except ValidationError as error:
        raise UsageProblem(wrong_value(error.errors()[0])) from None


def _own(answers: dict[str, str]) -> str:
    """Return the text of a house rulebook from the answers of the form. Raises UsageProblem."""
    answers = {"title": "", "draw": "none", **answers}
    ties = dict.fromkeys(name for field in _TIE_FIELDS if (name := answers.pop(field, NO_TIE)) != NO_TIE)
    if unknown := ties.keys() - {*_TIES}:
        raise UsageProblem(
            sentence("there is no tiebreaker %(name)r: choose one from the list", name=next(iter(unknown)))
        )
    if ties:
        answers["tiebreaks"] = " ".join(ties)
    if answers.get("best_of") == "none" and any("games" in NEEDED[name] for name in NEEDED if name in ties):
        raise UsageProblem(
            sentence("a game win percentage needs the games of each match: choose the games as the result")
        )
    id_ = re.sub(r"[^a-z0-9]+", "-", answers["title"].lower()).strip("-")
    try:
        return house_rulebook(house_rules(**answers, id=f"{OWN}-{id_}".strip("-")))
    except RulebookError:
        raise UsageProblem(
            sentence(
                "check the scoring: a win gives the most points, all points are whole or half numbers up to "
                "%(points)s, and a round has at most %(minutes)s minutes",
                points=MOST_POINTS,
                minutes=LONGEST,
            )
        ) from None


def _of_form(answers: dict[str, str]) -> dict[str, str]:
    return {f"{OWN}.{key}": value for key, value in answers.items()}


def _is_preset(preset: dict[str, str], answers: dict[str, str]) -> bool:
    """Return whether the form has the answers of a preset."""
    return all(answers.get(name, "") == value for name, value in _of_form(preset).items())


def _defaults(rulebook: str) -> dict[str, str]:
    return {flag: policy.default for flag, policy in parse_rulebook(rulebook_text(rulebook)).policies.items()}


def _parts(filled: dict[str, str], field: str) -> dict[str, str]:
    return {name.partition(".")[2]: value for name, value in filled.items() if name.startswith(f"{field}.")}


def _page(
    request: Request,
    host: Clerk,
    rulebook: str,
    filled: dict[str, str],
    problem: Exception | None,
    last: str | None = None,
    scoring: str = "",
) -> Response:
    status, said = (200, None) if problem is None else problem_of(problem)
    known = shipped_rulebooks()
    laws = [_law(parse_rulebook(rulebook_text(each))) for each in known]
    is_own = rulebook == OWN
    law = next((law for law in laws if law.id == rulebook), laws[0] if filled and not is_own else None)
    answers = filled or _of_form(_SCORINGS.get(scoring, _SCORINGS[""]))
    used = next((law.game for law in laws if law.id == last), None)
    return private_page(
        request,
        "desk/new.html",
        status=status,
        host=host,
        games=sorted(_newest_by_game(laws), key=lambda law: law.game != used),
        own=is_own,
        editions=[] if law is None else [one for one in laws if one.game == law.game],
        law=law,
        last=used,
        asked=[("rulebook", law.id)] if law else [("rulebook", OWN)] if is_own else [],
        filled=filled,
        problem=said,
        scorings={name: _of_form(answers) for name, answers in _SCORINGS.items()},
        scoring=next((name for name, preset in _SCORINGS.items() if _is_preset(preset, answers)), None),
        answers=answers,
        ties=list(_TIES),
        most={"points": MOST_POINTS, "minutes": LONGEST},
        asks_second=isinstance(problem, SameName) or "second" in filled,
        new_id=str(uuid4()),
    )


def _last_rulebook(ledger: Ledger) -> str | None:
    """Return the rulebook of the tournament that was opened last, or None for an empty ledger."""
    opened = ledger.tournaments()
    return ledger.record(opened[-1]).rulebook.id if opened else None


def _newest_by_game(laws: list[Law]) -> list[Law]:
    """Return the newest rulebook of each game, in the order of the games' names."""
    newest = {law.game: law for law in sorted(laws, key=lambda law: law.edition)}
    return sorted(newest.values(), key=lambda law: law.game.casefold())


def _law(law: Rulebook) -> Law:
    divisions = () if law.divisions is None else law.divisions.names
    years = {} if law.divisions is None else dict(law.divisions.born_from)
    return Law(
        law.id,
        _AFTER_THE_GAME.split(law.title, maxsplit=1)[0],
        law.title,
        law.edition,
        choices_of(law),
        divisions,
        0 if law.divisions is None else law.divisions.own_pod,
        years,
        next((name for name in divisions if years and name not in years), ""),
        None if law.games is None else law.games.best_of,
        "draw" in law.results,
    )
