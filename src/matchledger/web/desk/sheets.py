"""Sheets: what can be printed of the event as it stands, as PDF. Typesetting is done by `matchledger.printing`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal
from urllib.parse import urlencode
from uuid import UUID

from matchledger.commands.draft import now
from matchledger.documents.document import Document
from matchledger.documents.paper import overview_document, score_cards_document
from matchledger.documents.sheets import (
    blank_document,
    note_of_posting,
    pairing_list_document,
    posting_document,
    slips_document,
)
from matchledger.documents.stages import bracket_document
from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.redaction import Discretion
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import brackets

ListOrder = Literal["name", "table"]
STAGES: tuple[Stage, ...] = ("elimination", "swiss")
UP = 4  # slips on a sheet


@dataclass(frozen=True, slots=True)
class SheetAsked:
    """Which sheet, of which round (the last one, if None), for which division's bracket, or which player's card."""

    sheet: str
    round: int | None = None
    stage: Stage | None = None
    division: str | None = None
    player: int | None = None
    initials: tuple[str, ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that is ready to be typeset; `composition` names the one of `matchledger.printing` that does it."""

    composition: str
    name: str
    document: Document
    head: str
    created: datetime
    players: Mapping[str, int]
    language: str
    options: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SheetLink:
    """A sheet that there is now: its name, and what stands behind the `?` of its address."""

    sheet: str
    query: str
    division: str | None = None


def sheets_now(record: Record) -> list[tuple[Stage, int | None, list[SheetLink]]]:
    """Every sheet that can be printed as the event stands: those of rounds first, the last in front."""
    posted = {fact.round for _, fact in record.postings}
    groups: list[tuple[Stage, int | None, list[SheetLink]]] = []
    for stage in STAGES:
        for round_ in reversed(record.rounds(stage)):
            query = f"?round={round_.number}&stage={stage}"
            found = ["pairings-by-name", *(("pairings-by-table", "slips") if round_.tables else ())]
            if stage == "swiss" and round_.number in posted:
                found.append("standings")
            groups.append((stage, round_.number, [SheetLink(sheet, query) for sheet in found]))
    whole = [_of_bracket(drawn.division) for drawn in brackets(record)]
    whole += [SheetLink(sheet, "") for sheet in ("score-cards", "overview", "emergency-set")]
    return [*groups, ("swiss", None, whole)]


def _of_bracket(division: str | None) -> SheetLink:
    query = "" if division is None else f"?{urlencode({'division': division})}"
    return SheetLink("bracket", query, division)


def sheet(ledger: Ledger, tournament: UUID, asked: SheetAsked) -> Sheet:
    """What a sheet says. Raises UsageProblem for one that there is not."""
    if (compose := _SHEETS.get(asked.sheet)) is None:
        raise UsageProblem(
            sentence(
                "there is no sheet %(sheet)r: there are %(known)s", sheet=asked.sheet, known=", ".join(_SHEETS)
            )
        )
    record = ledger.record(tournament)
    shown = Discretion.about(asked.initials).record(record) if asked.initials else record
    composed = compose(Source(ledger, tournament, record, shown, asked))
    position = composed.document["position"]
    return Sheet(
        composed.composition,
        composed.name,
        composed.document,
        str(ledger.head(tournament, position)),
        ledger.entry(tournament, position).recorded_at,
        {player.name: player.number for player in shown.players.values()},
        asked.language,
        composed.options,
    )


def typeset(made: Sheet) -> bytes:
    """The PDF of a sheet. Raises UsageProblem where nothing is there to typeset it with."""
    try:
        from matchledger import printing  # noqa: PLC0415 - it comes with an extra
    except ModuleNotFoundError as missing:
        raise UsageProblem(
            sentence("printing needs %(module)s: pip install 'matchledger[print]'", module=missing.name)
        ) from None
    setting = printing.Setting(printed_at=now(), created=made.created, head=made.head, language=made.language)
    try:
        return printing.print_sheets(
            getattr(printing, made.composition),
            made.document,
            setting,
            players=made.players,
            **made.options,  # type: ignore[arg-type] # the composition's own, which are numbers
        ).pdf
    except printing.PressMissing as missing:
        raise UsageProblem(missing.args[0]) from None


# -- what stands on each


@dataclass(frozen=True, slots=True)
class Source:
    """What a sheet is made from: the record, and the record as the public may see it."""

    ledger: Ledger
    tournament: UUID
    record: Record
    shown: Record
    asked: SheetAsked

    @property
    def round(self) -> Round:
        """The round that was asked for. Raises UsageProblem where it is not paired."""
        stage = self.asked.stage or ("elimination" if self.record.rounds("elimination") else "swiss")
        number = self.asked.round
        found = self.record.latest_round(stage) if number is None else self.record.round(number, stage)
        if found is None:
            raise UsageProblem(sentence("that round is not paired"))
        return found


@dataclass(frozen=True, slots=True)
class Composed:
    """A document, the composition that sets it, and what the file is called."""

    composition: str
    document: Document
    name: str
    options: Mapping[str, int] = field(default_factory=dict)


def _pairings(by: ListOrder) -> Callable[[Source], Composed]:
    def compose(source: Source) -> Composed:
        round_ = source.round
        document = pairing_list_document(source.shown, round_, by=by)
        return Composed("pairings", document, f"pairings-{_name(round_)}-by-{by}")

    return compose


def _slips(source: Source) -> Composed:
    round_ = source.round
    if not round_.tables:
        raise UsageProblem(sentence("round %(round)s has no tables, and needs no slips", round=round_.number))
    return Composed("slips", slips_document(source.shown, round_, ()), f"slips-{_name(round_)}", {"up": UP})


def _name(round_: Round) -> str:
    return f"{'elimination-' if round_.stage == 'elimination' else ''}{round_.number}"


def _standings(source: Source) -> Composed:
    wanted = source.asked.round
    postings = [found for found in source.record.postings if wanted in (None, found[1].round)]
    if not postings:
        raise UsageProblem(sentence("no such standings were posted: post them first, and print what was posted"))
    position, posted = postings[-1]
    document = posting_document(
        source.shown,
        position,
        posted,
        posted_at=source.ledger.entry(source.tournament, position).recorded_at,
        tree_head=str(source.ledger.head(source.tournament, position)),
        note=note_of_posting(source.record, position),
    )
    return Composed("standings", document, f"standings-{posted.round}")


def _bracket(source: Source) -> Composed:
    drawn = [found for found in brackets(source.record) if source.asked.division in (None, found.division)]
    if not drawn:
        raise UsageProblem(sentence("no such bracket is drawn"))
    name = "bracket" if drawn[0].division is None else f"bracket-{drawn[0].division}"
    return Composed("bracket", bracket_document(source.shown, drawn[0]), name)


def _cards(source: Source) -> Composed:
    entered = [player.number for player in source.record.entered()]
    wanted = source.asked.player
    if wanted is not None and wanted not in entered:
        raise UsageProblem(sentence("there is no player #%(player)s", player=wanted))
    numbers = entered if wanted is None else [wanted]
    entries = source.ledger.entries(source.tournament)
    return Composed("cards", score_cards_document(source.shown, entries, numbers), "score-cards")


def _overview(source: Source) -> Composed:
    entries = source.ledger.entries(source.tournament)
    return Composed("overview", overview_document(source.shown, entries), "overview")


def _blank(source: Source) -> Composed:
    tables = max(1, len(source.record.active_players()) // 2)
    return Composed("blank", blank_document(source.record, tables=tables), "emergency-set")


_SHEETS: dict[str, Callable[[Source], Composed]] = {
    "pairings-by-name": _pairings("name"),
    "pairings-by-table": _pairings("table"),
    "slips": _slips,
    "standings": _standings,
    "bracket": _bracket,
    "score-cards": _cards,
    "overview": _overview,
    "emergency-set": _blank,
}
