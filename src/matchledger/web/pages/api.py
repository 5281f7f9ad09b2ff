"""The API: the same documents as the command line prints, and the same commands as the desk sends.

Reading needs no key and shows what everybody may see; with the key of a station, if not a player's, it shows all.
Whatever is recorded needs a key, in the header `Authorization: Bearer KEY` or in the desk's cookie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Depends, Header, HTTPException, Query, Request, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel, TypeAdapter

from matchledger.commands import AnyCommand
from matchledger.discretion import Discretion
from matchledger.documents.document import title
from matchledger.documents.tables import entry_document, pairings_document, standings_document
from matchledger.documents.typed import (
    EntryLine,
    PairingsPage,
    PlayerLine,
    Problem,
    StandingsPage,
    TournamentLine,
)
from matchledger.events import Entry, Stage
from matchledger.foresight import foreseen_document
from matchledger.ledger import Ledger, new_command
from matchledger.moments import Moment, moment_of
from matchledger.web.cache import Rendered
from matchledger.web.desk.carrying import Asked, carry_out, look_ahead
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import (
    ATournament,
    AVisitor,
    MaybeVisitor,
    NoSuchPage,
    TheCache,
    TheOffice,
    TheSettings,
)
from matchledger_projections.record import Record
from matchledger_projections.round import Round
from matchledger_projections.sentence import sentence
from matchledger_projections.standings import standings as rank

LONGEST_PAGE = 1000  # entries

_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": text, "content": {"application/problem+json": {}}}
    for status, text in (
        (400, "It cannot be understood."),
        (401, "It needs the key of a station."),
        (403, "The key does not let you, or another site sent this."),
        (404, "There is nothing here."),
        (409, "Somebody else was first; `other` is the entry that stands."),
        (429, "You ask too often."),
        (422, "The rules refuse it (`rule` says which), or a value is not of its kind."),
    )
}
_NOT_READ: dict[int | str, dict[str, Any]] = {status: _PROBLEMS[status] for status in (400, 401, 404, 422, 429)}

router = APIRouter(prefix="/api", tags=["matchledger"])

# It says in the description how a key is shown; whether it opens is asked of the doors.
A_KEY = Depends(HTTPBearer(auto_error=False, scheme_name="station", description="The key of a station."))
READS, SECONDS = 120, 60.0  # of one visitor without a key, in so many seconds


async def _allowed(request: Request, visitor: MaybeVisitor) -> None:
    """A stranger may ask for any moment of a long log, and each costs the time of the one thread."""
    limit: Limit = request.app.state.reads
    if visitor is None and not limit.allows(request.client.host if request.client is not None else ""):
        raise HTTPException(429, f"more than {READS} questions in a minute: wait, or come with a key")


async def _document(
    asked: _Asked, name: tuple[object, ...], read: Callable[[Ledger], BaseModel | list[Any]]
) -> Response:
    """A document as JSON: made once per change for strangers, and now for whoever has a key."""

    def written(ledger: Ledger) -> str:
        return _JSON.dump_json(read(ledger)).decode()

    if asked.visitor is not None:
        return _answer(asked.request, await asked.office.ask(written))
    page = await asked.cache.page(asked.tournament, ("api", *name), written, media_type=_MEDIA_TYPE)
    return page.answer(asked.request)


def _answer(request: Request, text: str) -> Response:
    """A document that is kept by nobody but whoever asked: 304 where that is what they have."""
    answer = Rendered(text.encode(), _MEDIA_TYPE).answer(request)
    answer.headers["cache-control"] = "private, no-cache"
    return answer


_MEDIA_TYPE = "application/json"
_JSON: TypeAdapter[Any] = TypeAdapter(Any)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What every question about a tournament comes with."""

    request: Request
    tournament: ATournament
    office: TheOffice
    cache: TheCache
    visitor: MaybeVisitor
    settings: TheSettings

    def shown(self, record: Record) -> Record:
        """A record as whoever asks may see it."""
        return record if self.is_staff else self.discretion.record(record)

    @property
    def is_staff(self) -> bool:
        """Whether whoever asks may see years of birth and reasons: a player's token is for the player alone."""
        return self.visitor is not None and self.visitor.role != "player"

    @property
    def discretion(self) -> Discretion:
        return Discretion.about(self.settings.initials)


Asking = Annotated[_Asked, Depends()]

RoundNumber = Annotated[int | None, Query(ge=0, le=999_999, alias="round", description="Look at this round.")]
AsOf = Annotated[str | None, Query(max_length=40, description="The log up to a position, or a time.")]
AsKnown = Annotated[
    bool | None, Query(description="What was known when that round counted, or what should have been known.")
]


@router.get("/tournaments", responses={503: {"model": Problem}}, response_model=list[TournamentLine])
async def tournaments(request: Request, office: TheOffice) -> Response:
    """The tournaments of the ledger, in the order in which they were opened."""
    lines = await office.ask(lambda ledger: [_line(ledger.record(one), one) for one in ledger.tournaments()])
    return _answer(request, _JSON.dump_json(lines).decode())


def _line(record: Record, tournament: UUID) -> TournamentLine:
    latest = record.latest_round()
    return TournamentLine(
        id=tournament,
        name=title(record),
        rulebook=record.rulebook.id,
        position=record.position,
        players=len(record.active_players()),
        round=0 if latest is None else latest.number,
        closed=record.closing is not None,
    )


def _reading(path: str, document: Any) -> Callable[..., Any]:
    """A question that strangers may ask, so often; `document` is the type of what it is answered with."""
    return router.get(
        f"/tournaments/{{tournament}}/{path}",
        responses=_NOT_READ,
        response_model=document,
        dependencies=[Depends(_allowed)],
    )


@_reading("standings", StandingsPage)
async def standings(
    asking: Asking, round_: RoundNumber = None, as_of: AsOf = None, as_known: AsKnown = None
) -> Response:
    """The standings after the last finished round, or at any moment."""

    def read(ledger: Ledger) -> StandingsPage:
        moment = moment_of(ledger, asking.tournament, round_, as_of, as_known=as_known)
        record = moment.record
        table = rank(record, moment.round)
        document = standings_document(asking.shown(record), table, clock=moment.clock, rulebook=record.rulebook)
        return StandingsPage.model_validate(document)

    return await _document(asking, ("standings", round_, as_of, as_known), read)


@_reading("pairings", PairingsPage)
async def pairings(
    asking: Asking,
    round_: RoundNumber = None,
    as_of: AsOf = None,
    as_known: AsKnown = None,
    stage: Annotated[Stage, Query(description="Of the Swiss rounds, or of the elimination.")] = "swiss",
) -> Response:
    """The tables of the last round, or of any, with what came in from each."""

    def read(ledger: Ledger) -> PairingsPage:
        swiss = round_ if stage == "swiss" else None
        moment = moment_of(ledger, asking.tournament, swiss, as_of, as_known=as_known)
        found = _round(moment, stage, round_)
        document = pairings_document(asking.shown(moment.record), found, clock=moment.clock)
        return PairingsPage.model_validate(document)

    return await _document(asking, ("pairings", round_, as_of, as_known, stage), read)


def _round(moment: Moment, stage: Stage, number: int | None) -> Round:
    record = moment.record
    found = record.latest_round(stage) if number is None else record.round(number, stage)
    if found is None:
        raise NoSuchPage(sentence("no such round is paired at that moment"))
    return found


@_reading("players", list[PlayerLine])
async def players(asking: Asking) -> Response:
    """Who is in, and who was."""

    def read(ledger: Ledger) -> list[PlayerLine]:
        record = ledger.record(asking.tournament)
        return [
            PlayerLine(
                number=player.number,
                name=player.name,
                division=player.division,
                status=record.status(player.number),
            )
            for player in asking.shown(record).entered()
        ]

    return await _document(asking, ("players",), read)


@_reading("entries", list[EntryLine])
async def entries(
    asking: Asking,
    after: Annotated[int, Query(ge=0, le=10**9, description="Begin behind this position.")] = 0,
    limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE, description="How many positions.")] = 100,
) -> Response:
    """The log, a page at a time: the entries behind `after`, as many positions as `limit` says."""

    def read(ledger: Ledger) -> list[EntryLine]:
        page: Iterable[Entry] = ledger.entries(asking.tournament, after=after, through=after + limit)
        if not asking.is_staff:
            page = asking.discretion.entries(page, asking.shown(ledger.record(asking.tournament)))
        return [_entry(entry) for entry in page]

    return await _document(asking, ("entries", after, limit), read)


def _entry(entry: Entry) -> EntryLine:
    return EntryLine.model_validate(entry_document(entry))


class Recorded(BaseModel):
    """What a command has led to. It is on disk. `repeated`: the same id was carried out before, and nothing now."""

    position: int
    repeated: bool
    entries: list[EntryLine]
    said: list[str]
    warnings: list[str]


class Foretold(BaseModel):
    """What a command would lead to; nothing is recorded. `seen` is the log that this holds for."""

    seen: int
    consequences: dict[str, Any]


CommandId = Annotated[
    str | None,
    Header(min_length=1, max_length=200, pattern="^[!-~]+$", description="The same key twice records once."),
]
Reason = Annotated[str | None, Query(max_length=2000, description="Why, where that is worth keeping.")]


@router.post("/tournaments/{tournament}/commands", responses=_PROBLEMS, dependencies=[A_KEY])
async def carry(
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,
    command: AnyCommand,
    idempotency_key: CommandId = None,
    reason: Reason = None,
    seen: Annotated[int | None, Query(ge=0, le=10**9, description="Only if the log is this long.")] = None,
) -> Recorded:
    """Records what a command leads to."""
    asked = Asked(command, idempotency_key or new_command(), reason, seen)
    done = await office.tell(lambda ledger: carry_out(ledger, tournament, visitor.writing, asked))
    return Recorded(
        position=done.position,
        repeated=done.repeated,
        entries=[_entry(entry) for entry in done.entries],
        said=list(done.said),
        warnings=list(done.warnings),
    )


@router.post("/tournaments/{tournament}/preview", responses=_PROBLEMS, dependencies=[A_KEY])
async def preview(
    tournament: ATournament, office: TheOffice, visitor: AVisitor, command: AnyCommand, reason: Reason = None
) -> Foretold:
    """What a command would lead to, as `--preview --json` prints it."""

    def read(ledger: Ledger) -> Foretold:
        asked = Asked(command, new_command(), reason)
        foreseen = look_ahead(ledger, tournament, visitor.writing, asked)
        return Foretold(
            seen=ledger.record(tournament).position,
            consequences=foreseen_document(ledger, tournament, foreseen),
        )

    return await office.ask(read)
