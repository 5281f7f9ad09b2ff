"""The public pages as HTML text, for the server and for a folder of files."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, Literal, NamedTuple, get_args

from markupsafe import Markup
from msgspec import Struct, field

from matchledger.drawings import points_of_the_field, rank_over_rounds
from matchledger.events import AnyFact, Entry, Stage
from matchledger.text.columns import csv_table, named_places, provisional_column, standings_csv
from matchledger.text.labels import HEADINGS, value_text
from matchledger.text.translation import in_all_languages, speaker, with_decimal_mark, word_of
from matchledger.web.log_lines import continued, tally_of, topic_of
from matchledger.web.public.card import card
from matchledger.web.public.comparison import STAGES, comparison
from matchledger.web.public.crossing import crossed
from matchledger.web.public.hall import Hall
from matchledger.web.public.honours import honours, is_title
from matchledger.web.public.knockout import knockouts
from matchledger.web.public.links import Links
from matchledger.web.public.places import Tally, structure_of, tally
from matchledger.web.public.seating import Part, absent, by_division, finals, letters, seats, tables
from matchledger.web.public.travel import after_round, at_entry
from matchledger.web.rendering import render
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.document import Document
from matchledger_projections.message import Sentence, word
from matchledger_projections.narration import in_plain_words, tell, under_round
from matchledger_projections.record.erasures import news
from matchledger_projections.record.roster import plain_letters
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.rulebook.scoring import unit_name
from matchledger_projections.views.charts import course_of, field_of
from matchledger_projections.views.explanation import explain
from matchledger_projections.views.history import history_of_table
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.stages import places
from matchledger_projections.views.tables import standings, standings_of

LOG_LINES = 200  # how many entries a page of the log shows
MOST_NEAR = 5  # the most names that an unsuccessful search suggests


class Face(Struct, frozen=True, dict=True):
    """The look of pages: the language, the links, and other values for the templates."""

    language: str
    links: Links
    values: Mapping[str, Any] = field(default_factory=dict)

    def picture(self, draw: Callable[..., str], document: Document) -> Markup:
        """Return a drawing of a document, for use inside a page."""
        return Markup(draw(document, say=speaker(self.language)))  # noqa: S704 - it escapes every text

    def show(self, template: str, hall: Hall, **values: Any) -> str:
        own = {
            "hall": hall,
            "round_name": hall.round_name,
            "clock": hall.timing,
            "links": self.links,
            "unit": speaker(self.language)(unit_name(hall.rulebook.unit)),
            "accent": hall.description.accent,
            "logo": hall.description.logo and self.links.logo(hall.description.logo),
        }

        def shown(name: TiebreakName, value: Fraction | None) -> str:
            return with_decimal_mark(value_text(name, value, hall.rulebook.decimals(name)), self.language)

        def term(name: TiebreakName, value: Fraction | None) -> str:
            return with_decimal_mark(value_text(name, value), self.language)

        helpers = {
            "headings": HEADINGS,
            "value_text": shown,
            "term_text": term,
        }
        return render(template, self.language, **own, **helpers, **self.values, **values)


def seating_page(face: Face, hall: Hall, wanted: str = "") -> str:
    """Show players and their tables, by name. A search shows only matching names."""
    found = [] if hall.now is None or hall.is_over else seats(hall, hall.now)
    key = plain_letters(wanted.strip())
    shown = [seat for seat in found if key in seat.key] if key else found
    away = absent(hall)
    others = [one for one in away if key in plain_letters(one.name)]
    listed = [seat.player for seat in shown] or [one.player for one in others]
    return face.show(
        "seating.html",
        hall,
        seats=shown,
        others=others,
        near=[]
        if listed
        else _near(key, [*((seat.player, seat.name) for seat in found), *((one.player, one.name) for one in away)]),
        wanted=wanted,
        sort_key=plain_letters,
        letters=letters(hall, listed),
    )


def _near(key: str, names: Iterable[tuple[int, str]]) -> list[int]:
    """Return the players with a name, or a part of a name, that is most like the plain letters of a search."""
    import difflib  # noqa: PLC0415 - only an unknown name needs it

    found: dict[str, list[int]] = {}
    for player, name in names:
        plain = plain_letters(name)
        for part in [plain] if " " in key else plain.split():
            found.setdefault(part, []).append(player)
    close = difflib.get_close_matches(key, found, n=MOST_NEAR)
    return list(dict.fromkeys(player for part in close for player in found[part]))[:MOST_NEAR]


def event_page(face: Face, hall: Hall) -> str:
    """Show the organizer's text about the event, and the news, the latest first."""
    posted = [(hall.entries[position].recorded_at, fact.text) for position, fact in news(hall.whole)]
    plan = structure_of(hall.whole)
    return face.show("event.html", hall, said=hall.description, news=posted, plan=plan, honours=honours(hall))


def tables_page(face: Face, hall: Hall, stage: Stage | None = None, number: int = 0) -> str:
    """Show players and results of a round, by table. Without a stage, show the current round.

    Raises KeyError for an unknown round.
    """
    round_ = hall.now if stage is None else hall.whole.round(number, stage)
    if round_ is None and stage is not None:
        raise KeyError(number)
    parts = finals(hall) if stage is None and hall.is_over else []
    if not parts and round_ is not None:
        parts = by_division(hall, round_)
    finished = hall.standings.round
    through = finished if round_ is None or round_.stage == "elimination" else min(round_.number, finished)
    return face.show(
        "tables.html",
        hall,
        round=round_,
        is_now=round_ is not None and round_ == hall.now,
        rounds=[one for kind in STAGES for one in hall.whole.rounds(kind)],
        parts=parts,
        through=through,
        records=_records(hall, parts, through),
    )


def _records(hall: Hall, parts: Iterable[Part], through: int) -> dict[int, Tally]:
    """Return the record after a Swiss round of each player in some parts of a round."""
    seated = [player for part in parts for table in part.tables for player in table.players]
    free = [bye.player for part in parts for bye in part.byes]
    return {player: tally(hall.standings.table, player, through) for player in (*seated, *free)} if through else {}


def player_page(face: Face, hall: Hall, player: int) -> str:
    """Show one player's card. Raises KeyError for an unknown number."""
    return face.show("player.html", hall, card=card(hall, player))


def why_page(face: Face, hall: Hall, player: int) -> str:
    """Show the reasons for a player's place. Raises KeyError for a player outside the standings."""
    why = explain(hall.whole, standings_of(hall.whole, player), hall.rulebook, player)
    course = hall.document(course_of(hall.record, player)) if hall.standings.round > 1 else None
    picture = None if course is None else face.picture(rank_over_rounds, course)
    return face.show(
        "why.html", hall, player=player, why=why, document=hall.document(why), course=course, picture=picture
    )


def round_page(face: Face, hall: Hall, round_: int, clock: Clock) -> str:
    """Show the standings after a round, as known then or as corrected since."""
    field = None
    if clock == "as-corrected":
        field = face.picture(points_of_the_field, hall.document(field_of(hall.record, through=round_)))
    return face.show(
        "standings.html",
        hall,
        moment=after_round(hall, round_, clock),
        entries=EntriesInWords(hall),
        field=field,
        early=False,
    )


def entry_page(face: Face, hall: Hall, position: int, *, early: bool = False) -> str:
    """Show the standings at the moment when the log had `position` entries. `early` says that the event had no
    standings yet.
    """
    moment = at_entry(hall, position)
    return face.show("standings.html", hall, moment=moment, entries=EntriesInWords(hall), field=None, early=early)


def standings_page(face: Face, hall: Hall) -> str:
    """Show the standings after the last finished round, or say that there are none."""
    finished = hall.whole.finished_rounds
    if finished:
        return round_page(face, hall, finished, "as-corrected")
    return entry_page(face, hall, hall.position, early=True)


def crosstable_page(face: Face, hall: Hall) -> str:
    """Show all opponents of each player, and the players who are certain of the cut."""
    return face.show("crosstable.html", hall, sections=crossed(hall))


def standings_file(hall: Hall) -> str:
    """Return the standings after the last finished round as CSV, with public names."""
    return _file(standings_csv(hall.record, standings(Sight(hall.whole, hall.record))))


def places_file(hall: Hall) -> str:
    """Return the final places as CSV, with public names."""
    page = places(Sight(hall.whole, hall.record))
    shown = [*named_places(hall.record, page), *provisional_column(page.said)]
    return _file(csv_table(shown, page.divisions))


def _file(lines: Iterable[str]) -> str:
    return "".join(f"{line}\r\n" for line in lines)


def bracket_page(face: Face, hall: Hall) -> str:
    """Show the brackets of the elimination stage."""
    paired = [(round_.number, tables(hall, round_)) for round_ in hall.whole.rounds("elimination")]
    return face.show("bracket.html", hall, brackets=knockouts(hall), paired=paired)


def podium_page(face: Face, hall: Hall) -> str:
    """Show the champions and the final places."""
    return face.show("podium.html", hall, honours=honours(hall))


Kind = Literal["results", "rounds", "clock", "players", "event"]
# The kind of an entry, by the module that declares its fact. Entries from other modules are about the event.
_KINDS: dict[str, Kind] = {
    "slips": "results",
    "rounds": "rounds",
    "stages": "rounds",
    "postings": "rounds",
    "clock": "clock",
    "players": "players",
    "divisions": "players",
}
_ABOUT_EVENT = frozenset({"event-described", "news-posted"})


def kind_of(entry: Entry) -> Kind:
    """Return the kind under which the page of the log lists an entry."""
    return "event" if entry.fact.kind in _ABOUT_EVENT else _KINDS.get(topic_of(entry), "event")


class LogLine(NamedTuple):
    """An entry of the log in words. `counts` is False if the entry is retracted."""

    entry: Entry
    what: str
    counts: bool
    match: tuple[Stage, int, int] | None


class LogPart(NamedTuple):
    """The entries of the log from one round to the next. `by` is the role and the station of most
    entries. `whole` is the number of entries on all pages, and `tally` counts their results and corrections. The
    runs at the edges of the page continue with `newer` and `older` entries on other pages.
    """

    round: Round | None
    lines: list[LogLine]
    by: tuple[str, str]
    whole: int
    tally: list[Sentence]
    newer: int
    older: int


def log_page(face: Face, hall: Hall, wanted: str = "", page: int = 1, kind: Kind | None = None) -> str:
    """Show the public log by round, the newest entry first. With a kind or a search, show only matching entries."""
    entries = EntriesInWords(hall)
    words = plain_letters(wanted).split()
    lines = [
        entries.line(entry) for entry in reversed(hall.entries.values()) if kind is None or kind_of(entry) == kind
    ]
    if words:
        lines = [line for line in lines if _holds(line, words)]
    pages = max(1, -(-len(lines) // LOG_LINES))
    page = min(max(page, 1), pages)
    shown = lines[(page - 1) * LOG_LINES : page * LOG_LINES]
    starts = [(round_.position, round_) for stage in STAGES for round_ in hall.whole.rounds(stage)]
    positions = [position for position, _ in starts]

    def before(line: LogLine) -> int:
        return bisect_right(positions, line.entry.position)

    at_round = {at: list(part) for at, part in groupby(lines, before)}
    edges = (shown[0].entry.position, shown[-1].entry.position) if shown else (0, 0)

    return face.show(
        "log.html",
        hall,
        parts=[
            _part(hall, starts[at - 1][1] if at else None, lines_there, edges)
            for at, lines_there in at_round.items()
            if any(edges[1] <= line.entry.position <= edges[0] for line in lines_there)
        ],
        found=len(lines),
        page=page,
        pages=pages,
        wanted=wanted,
        kind=kind,
        kinds=get_args(Kind),
        hidden=hall.position - len(hall.entries),
    )


def _part(hall: Hall, round_: Round | None, whole: list[LogLine], edges: tuple[int, int]) -> LogPart:
    """Return the entries of a round between the `edges` of a page, which are its newest and its oldest position."""
    newest, oldest = edges
    lines = [line for line in whole if oldest <= line.entry.position <= newest]
    newer = [line.entry for line in reversed(whole) if line.entry.position > newest]
    older = [line.entry for line in whole if line.entry.position < oldest]
    recorded = Counter((line.entry.role, line.entry.station) for line in lines)
    return LogPart(
        round_,
        [_under(hall, line, round_) for line in lines],
        recorded.most_common(1)[0][0],
        len(whole),
        tally_of(whole),
        continued(lines[0].entry, newer),
        continued(lines[-1].entry, older),
    )


def _under(hall: Hall, line: LogLine, round_: Round | None) -> LogLine:
    if round_ is None:
        return line
    title = hall.round_name(round_.number) if round_.stage == "elimination" else None
    return line._replace(what=under_round(line.what, round_.stage, round_.number, title))


def pages_of_log(hall: Hall) -> int:
    """Return how many pages the whole public log has."""
    return max(1, -(-len(hall.entries) // LOG_LINES))


def _holds(line: LogLine, words: Sequence[str]) -> bool:
    entry = line.entry
    text = in_all_languages(line.what, word_of(entry.fact.kind), word(entry.role))
    text = plain_letters(f"#{entry.position} {text} {entry.fact.kind} {entry.station}")
    return all(asked in text for asked in words)


class EntriesInWords:
    """Entries in words, for the public."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def text(self, position: int) -> str | None:
        """Return an entry in words, or None if the entry is private."""
        entry = self._hall.entries.get(position)
        return None if entry is None else self._plain(entry.fact)

    def _plain(self, fact: AnyFact) -> str:
        return in_plain_words(self._hall.record, tell(self._hall.record, fact))

    def line(self, entry: Entry) -> LogLine:
        fact = entry.fact
        match: tuple[Stage, int, int] | None = None
        if (table := getattr(fact, "table", None)) is not None:
            match = getattr(fact, "stage", "swiss"), getattr(fact, "round", 0), table
        return LogLine(entry, self._plain(fact), not self._hall.whole.is_dead(entry.position), match)


def match_page(face: Face, hall: Hall, stage: Stage, round_: int, table: int) -> str:
    """Show all records of a match. Raises KeyError for a table outside the round."""
    where = hall.whole.round(round_, stage)
    if where is None:
        raise KeyError(round_)
    players = where.tables[table]
    report = next(report for at, _, report, _ in hall.results(where) if at == table)
    winner = None if report is None else report.winner
    if winner == players[1]:
        players = players[::-1]  # the winner comes first
    touches = [
        touch._replace(what=under_round(touch.what, stage, round_))
        for touch in history_of_table(list(hall.entries.values()), hall.record, stage, round_, table)
    ]
    return face.show(
        "match.html",
        hall,
        stage=stage,
        round=round_,
        table=table,
        players=players,
        crowned=winner is not None and is_title(hall, stage, round_, winner),
        division=division_of(hall.whole, players[0]) if stage == "elimination" and len(hall.brackets) > 1 else "",
        compared=comparison(hall, players),
        touches=[hall.document(touch) for touch in touches],
        entries={touch.entry.position: touch.entry for touch in touches},
    )
