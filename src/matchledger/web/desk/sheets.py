"""Sheets: everything that can be printed about the event, as PDF. `matchledger.printing` does the typesetting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from urllib.parse import urlencode
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from matchledger.commands.draft import now
from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.logo import printed_logo
from matchledger.service.readings import code_of, posting
from matchledger.service.redaction import Discretion
from matchledger.service.window import Moment, Window, open_window
from matchledger_projections.document import Document
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import brackets
from matchledger_projections.views.overview import overview
from matchledger_projections.views.score_card import score_cards_page
from matchledger_projections.views.sheets import (
    ListOrder,
    blank,
    pairing_list_of,
    player_list,
    round_sheets_of,
    slips_of,
)
from matchledger_projections.views.stages import drawn_bracket, places

STAGES: tuple[Stage, ...] = ("elimination", "swiss")
UP = 4  # the number of slips on a sheet


class SheetAsked(Struct, frozen=True):
    """The requested sheet: of a round (None means the last one), of a division's bracket, or of one player's
    score card.
    """

    sheet: str
    round: int | None = None
    stage: Stage | None = None
    division: str | None = None
    player: int | None = None
    initials: tuple[str, ...] = ()
    language: str = "en"


class Sheet(Struct, frozen=True):
    """A sheet ready for typesetting. `composition` names the function in `matchledger.printing` that lays the
    sheet out.
    """

    composition: str
    name: str
    document: Document
    head: str
    created: datetime
    players: Mapping[str, int]
    language: str
    options: Mapping[str, int] = field(default_factory=dict)
    logo: tuple[str, bytes] | None = None


class SheetLink(Struct, frozen=True):
    """A sheet that can be printed: its name, and the query string of its address. `after` is the round of posted
    standings.
    """

    sheet: str
    query: str
    division: str | None = None
    after: int | None = None


class RoundSheets(Struct, frozen=True):
    """The sheets of a round."""

    stage: Stage
    number: int
    links: list[SheetLink]


class SheetsNow(Struct, frozen=True):
    """The sheets that can be printed now. `wanted` is the name of the sheet that the desk needs first, and `round`
    are the sheets of the round in play.
    """

    wanted: str
    round: RoundSheets | None
    event: list[SheetLink]
    earlier: list[RoundSheets]


def sheets_now(record: Record) -> SheetsNow:
    """Return the sheets for this moment: a list for the check-in, then the sheets of a round, then the places."""
    rounds = [round_ for stage in STAGES for round_ in reversed(record.rounds(stage))]
    whole = [_of_bracket(drawn.division) for drawn in brackets(record)]
    if record.postings:
        posted = record.postings[-1][1].round
        whole.insert(0, SheetLink("standings", f"?round={posted}", after=posted))
    if record.closing is not None:
        results = [SheetLink(sheet, "") for sheet in ("places", "overview")]
        whole = [*results, *whole, SheetLink("score-cards", "")]
        return SheetsNow("places", None, whole, [_later(record, round_) for round_ in rounds])
    if record.rounds("elimination"):
        whole.insert(0, SheetLink("places", ""))
    whole.append(SheetLink("player-list", ""))
    if rounds:
        whole += [SheetLink(sheet, "") for sheet in ("score-cards", "overview")]
    whole.append(SheetLink("emergency-set", ""))
    return SheetsNow(
        "round" if rounds else "player-list",
        _in_play(rounds[0]) if rounds else None,
        whole,
        [_later(record, round_) for round_ in rounds[1:]],
    )


def _in_play(round_: Round) -> RoundSheets:
    names = ("round", "pairings-by-name", *(("pairings-by-table", "slips") if round_.tables else ()))
    return _of_round(round_, names)


def _later(record: Record, round_: Round) -> RoundSheets:
    """Return the sheets of a round that is over. Nobody needs its slips again."""
    names = ["pairings-by-name", *(["pairings-by-table"] if round_.tables else [])]
    if round_.stage == "swiss" and any(fact.round == round_.number for _, fact in record.postings):
        names.append("standings")
    return _of_round(round_, names)


def _of_round(round_: Round, sheets: Iterable[str]) -> RoundSheets:
    query = f"?round={round_.number}&stage={round_.stage}"
    return RoundSheets(round_.stage, round_.number, [SheetLink(sheet, query) for sheet in sheets])


def _of_bracket(division: str | None) -> SheetLink:
    query = "" if division is None else f"?{urlencode({'division': division})}"
    return SheetLink("bracket", query, division)


def sheet(ledger: Ledger, tournament: UUID, asked: SheetAsked) -> Sheet:
    """Return a requested sheet, ready for typesetting. Raises UsageProblem for an unavailable sheet."""
    if (compose := _SHEETS.get(asked.sheet)) is None:
        raise UsageProblem(
            sentence(
                "there is no sheet %(sheet)r: there are %(known)s", sheet=asked.sheet, known=", ".join(_SHEETS)
            )
        )
    record = ledger.record(tournament)
    shown = Discretion.about(asked.initials).record(record) if asked.initials else record
    source = Source(ledger, tournament, record, shown, asked)
    composed = compose(source)
    document = source.window.document(composed.view)
    position = document["position"]
    return Sheet(
        composed.composition,
        composed.name,
        document,
        str(ledger.head(tournament, position)),
        ledger.entry(tournament, position).recorded_at,
        {player.name: player.number for player in shown.players.values()},
        asked.language,
        composed.options,
        printed_logo(ledger, tournament),
    )


def typeset(made: Sheet) -> bytes:
    """Return the PDF of a sheet. Raises UsageProblem if typst is not installed."""
    try:
        from matchledger import printing  # noqa: PLC0415 - it comes with an extra
    except ModuleNotFoundError as missing:
        raise UsageProblem(
            sentence("printing needs %(module)s: pip install 'matchledger[print]'", module=missing.name)
        ) from None
    setting = printing.Setting(
        printed_at=now(), created=made.created, head=made.head, language=made.language, logo=made.logo
    )
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


# -- the contents of each


class Source(Struct, frozen=True):
    """The source of a sheet: the full record, and `shown`, the record for the public."""

    ledger: Ledger
    tournament: UUID
    record: Record
    shown: Record
    asked: SheetAsked

    @property
    def window(self) -> Window:
        """Return the present state of the tournament, with public names."""
        moment = Moment(self.record, None, "as-known")
        return replace(open_window(self.ledger, self.tournament, moment), record=self.shown)

    @property
    def round(self) -> Round:
        """Return the requested round. Raises UsageProblem if the round is not paired."""
        stage = self.asked.stage or ("elimination" if self.record.rounds("elimination") else "swiss")
        number = self.asked.round
        found = self.record.latest_round(stage) if number is None else self.record.round(number, stage)
        if found is None:
            raise UsageProblem(sentence("that round is not paired"))
        return found


class Composed(Struct, frozen=True):
    """The view that a sheet shows, the function that lays the sheet out, and the name of the file."""

    composition: str
    view: object
    name: str
    options: Mapping[str, int] = field(default_factory=dict)


def _pairings(by: ListOrder) -> Callable[[Source], Composed]:
    def compose(source: Source) -> Composed:
        round_ = source.round
        found = pairing_list_of(source.shown, round_, by=by)
        return Composed("pairings", found, f"pairings-{_name(round_)}-by-{by}")

    return compose


def _slips(source: Source) -> Composed:
    round_ = source.round
    found = slips_of(source.shown, round_, code_of(source.record))
    return Composed("slips", found, f"slips-{_name(round_)}", {"up": UP})


def _whole_round(source: Source) -> Composed:
    round_ = source.round
    found = round_sheets_of(source.shown, round_, code_of(source.record))
    return Composed("round_sheets", found, f"round-{_name(round_)}", {"up": UP})


def _name(round_: Round) -> str:
    return f"{'elimination-' if round_.stage == 'elimination' else ''}{round_.number}"


def _standings(source: Source) -> Composed:
    found = posting(replace(source.window, round=source.asked.round))
    return Composed("standings", found, f"standings-{found.round}")


def _bracket(source: Source) -> Composed:
    drawn = [found for found in brackets(source.record) if source.asked.division in (None, found.division)]
    if not drawn:
        raise UsageProblem(sentence("no such bracket is drawn"))
    name = "bracket" if drawn[0].division is None else f"bracket-{drawn[0].division}"
    return Composed("bracket", drawn_bracket(source.shown, drawn[0]), name)


def _cards(source: Source) -> Composed:
    entered = [player.number for player in source.record.entered()]
    wanted = source.asked.player
    if wanted is not None and wanted not in entered:
        raise UsageProblem(sentence("there is no player #%(player)s", player=wanted))
    found = score_cards_page(source.window, player=() if wanted is None else (wanted,))
    return Composed("cards", found, "score-cards")


def _players(source: Source) -> Composed:
    return Composed("players", player_list(source.window), "player-list")


def _places(source: Source) -> Composed:
    return Composed("places", places(source.window), "places")


def _overview(source: Source) -> Composed:
    return Composed("overview", overview(source.window), "overview")


def _blank(source: Source) -> Composed:
    return Composed("blank", blank(source.window), "emergency-set")


_SHEETS: dict[str, Callable[[Source], Composed]] = {
    "player-list": _players,
    "round": _whole_round,
    "pairings-by-name": _pairings("name"),
    "pairings-by-table": _pairings("table"),
    "slips": _slips,
    "standings": _standings,
    "bracket": _bracket,
    "places": _places,
    "score-cards": _cards,
    "overview": _overview,
    "emergency-set": _blank,
}
