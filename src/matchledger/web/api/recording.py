"""The API's routes for commands: execute and record a command, or preview a command."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from matchledger.commands.registry import union
from matchledger.events import Entry
from matchledger.ledger import Ledger, new_command
from matchledger.service.execute import Done
from matchledger.service.execute import Request as Asked
from matchledger.service.execute import preview as look_ahead
from matchledger.service.preview import facts_in_words, foreseen_document
from matchledger.service.wording import in_words
from matchledger.text.translation import told
from matchledger.web.api.asking import A_KEY, OF_TOURNAMENT, PROBLEMS, as_json
from matchledger.web.api.models import model_of
from matchledger.web.desk.carrying import carry_out
from matchledger.web.doors import Visitor
from matchledger.web.entrance import Staffed
from matchledger.web.office import Office
from matchledger.web.pages.asking import visitor_at
from matchledger.web.rendering import language_of
from matchledger.web.settings import Settings
from matchledger_projections.document import Document, written
from matchledger_projections.views.consequences import Consequences

router = APIRouter(prefix="/api", tags=["matchledger"], route_class=Staffed)

if TYPE_CHECKING:
    from matchledger.commands.command import Command as AnyCommand
else:
    AnyCommand = union()

CommandId = Annotated[
    str | None,
    Header(min_length=1, max_length=200, pattern="^[!-~]+$", description="The same key twice records once."),
]
Reason = Annotated[str | None, Query(max_length=2000, description="The reason, which the log keeps.")]


class Sender(NamedTuple):
    """The sender of a command, at an existing tournament."""

    tournament: UUID
    visitor: Visitor
    office: Office


async def _sender(request: Request, tournament: UUID) -> Sender:
    visitor = await visitor_at(request, tournament)
    return Sender(tournament, visitor, cast(Office, request.app.state.office))


# One input and not four: each costs processor time of every slip.
TheSender = Annotated[Sender, Depends(_sender)]


class Recorded(NamedTuple):
    """The entries of a command.

    The entries are on disk.

    `repeated` says that nothing new was recorded: the same id was executed before, or the `same` slip is in the
    log. `said` has each entry in words.
    """

    position: int
    repeated: bool
    entries: list[Entry]
    said: list[str]
    warnings: list[str]
    same: bool


class Foretold(NamedTuple):
    """The effects that a command would have. Nothing is recorded. `seen` is the length of the log on which the
    preview is based. `said` has each entry that would be recorded, in words.
    """

    seen: int
    consequences: Consequences
    said: list[str]


@router.post(
    OF_TOURNAMENT + "commands", responses=PROBLEMS, response_model=model_of(Recorded), dependencies=[A_KEY]
)
async def carry(
    request: Request,
    sender: TheSender,
    command: AnyCommand,
    idempotency_key: CommandId = None,
    reason: Reason = None,
    seen: Annotated[int | None, Query(ge=0, le=10**9, description="Only if the log is this long.")] = None,
) -> Response:
    """Execute a command and record its entries."""
    language, tournament = language_of(request), sender.tournament
    key = cast(Settings, request.app.state.settings).signing_key
    asked = Asked(command, sender.visitor.writing, idempotency_key or new_command(), reason, seen)

    def write(ledger: Ledger) -> tuple[Done, list[str]]:
        done = carry_out(ledger, tournament, asked, key=key)
        before = partial(done.record.as_of, done.entries[0].position - 1 if done.entries else 0)
        said = (in_words(ledger, tournament, done.record, entry.fact, before=before) for entry in done.entries)
        return done, list(said)

    done, said = await sender.office.tell(write, together=tournament if command.is_slip else None)
    return _json(
        {
            "position": done.record.position,
            "repeated": done.repeated,
            "entries": [written(entry) for entry in done.entries],
            "said": [told(line, language) for line in said],
            "warnings": [told(line, language) for line in done.warnings],
            "same": done.same,
        }
    )


@router.post(OF_TOURNAMENT + "preview", responses=PROBLEMS, response_model=model_of(Foretold), dependencies=[A_KEY])
async def preview(
    request: Request,
    sender: TheSender,
    command: AnyCommand,
    reason: Reason = None,
) -> Response:
    """Return the effects that a command would have, in the form of `--preview --json`."""
    language, tournament = language_of(request), sender.tournament

    def read(ledger: Ledger) -> Document:
        asked = Asked(command, sender.visitor.writing, new_command(), reason)
        foreseen = look_ahead(ledger, tournament, asked)
        return {
            "seen": ledger.record(tournament).position,
            "consequences": foreseen_document(ledger, tournament, foreseen),
            "said": [told(line, language) for line in facts_in_words(ledger, tournament, foreseen)],
        }

    return _json(await sender.office.ask(read))


def _json(document: Document) -> Response:
    return Response(as_json(document), media_type="application/json")
