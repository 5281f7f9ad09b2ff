"""The pages of the log and of a match: the entries, their recorders, and the later fate of each entry."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice, takewhile
from typing import NamedTuple
from uuid import UUID

from matchledger.events import KINDS, ROLES, Entry, Role, Stage
from matchledger.ledger import Ledger
from matchledger.ledger.lost_names import naming_key_file
from matchledger.notation.player_lookup import has_number, number_typed
from matchledger.notation.problems import UsageProblem
from matchledger.text.labels import in_brief
from matchledger.text.translation import in_all_languages, word_of
from matchledger.web.desk.asked import AskedLog
from matchledger.web.desk.corrections import STAGES, EntryLine, entry_lines
from matchledger.web.desk.players import names_to_type
from matchledger.web.log_lines import continued, topic_of
from matchledger.web.rendering import Values
from matchledger_projections.message import sentence, word
from matchledger_projections.narration import tell_slip, under_round
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import plain_letters
from matchledger_projections.stages.bracket import brackets, round_name
from matchledger_projections.views.history import history_of_player, history_of_table

LINES = 80  # how many entries a page shows
# The topics with a chip: the modules of facts.
ABOUTS = ("slips", "rounds", "clock", "players", "conduct", "decks", "phones", "postings")
_STRIDE = 500  # how many entries one read takes from the end of the log

Match = tuple[Stage, int, int]


def log_view(ledger: Ledger, tournament: UUID, asked: AskedLog) -> Values:
    """Return the entries that match the search, the newest first. `older` is the address of the next page."""
    record = ledger.record(tournament)
    problem: str | None = None
    found: list[Entry] = []
    try:
        with naming_key_file(ledger, tournament):
            fits = _filter(ledger, tournament, record, asked)
        entries = _backwards(ledger, tournament, asked.before or record.position + 1)
        found = list(islice(filter(fits, entries), LINES + 1))
    except UsageProblem as wrong:
        problem = wrong.args[0]
    lines = entry_lines(ledger, tournament, record, [entry.position for entry in found[:LINES]])
    rounds = sorted((one.position, one.stage, one.number) for stage in STAGES for one in record.rounds(stage))
    latest = list(ledger.entries(tournament, after=max(0, record.position - _STRIDE)))
    stations = sorted({entry.station for entry in latest} | {asked.station} - {""})
    groups: list[Group] = []
    for at, those in groupby(lines, lambda line: _round_at(rounds, line.entry.position)):
        on_page = list(those)

        def beyond(entries: Iterable[Entry], at: tuple[Stage, int] | None = at) -> Iterator[Entry]:
            return takewhile(lambda entry: _round_at(rounds, entry.position) == at, filter(fits, entries))

        newest, oldest = on_page[0].entry, on_page[-1].entry
        newer = () if groups else beyond(ledger.entries(tournament, after=newest.position))
        older = beyond(_backwards(ledger, tournament, oldest.position)) if oldest == lines[-1].entry else ()
        whole = _entries_of(rounds, at, record.position)
        groups.append(Group.of(record, at, on_page, whole, continued(newest, newer), continued(oldest, older)))
    return {
        "asked": asked,
        "groups": groups,
        "is_search": asked.model_copy(update={"before": None}).address != "",
        "abouts": [
            (about, asked.toggled(about=about), about == asked.about)
            for about in ABOUTS
            if about == asked.about or any(topic_of(entry) == about for entry in latest)
        ],
        "rounds": [
            (
                (stage, number),
                asked.toggled(round=number, stage=stage),
                (number, stage) == (asked.round, asked.stage),
            )
            for _, stage, number in rounds
        ],
        "stations": [
            (station, asked.toggled(station=station), station == asked.station)
            for station in stations
            if len(stations) > 1
        ],
        "older": asked.continued(found[LINES - 1].position) if len(found) > LINES else None,
        "problem": problem,
        "kinds": tuple(KINDS),
        "roles": ROLES,
        "names": names_to_type(record),
    }


class LogLine(NamedTuple):
    """An entry under the heading of its round, with its topic, and its match if the entry is about one."""

    entry: Entry
    said: str
    counts: bool
    taken_back_by: tuple[Role, ...]
    about: str
    match: Match | None


class Group(NamedTuple):
    """The entries of a round on a page of the log. `by` recorded most of them. `whole` is the number of entries of
    this round in the whole log. The runs at the edges of the page continue with `newer` and `older` entries on
    other pages.
    """

    round: tuple[Stage, int] | None
    lines: list[LogLine]
    by: tuple[str, Role, str]
    whole: int
    newer: int
    older: int

    @classmethod
    def of(
        cls,
        record: Record,
        round_: tuple[Stage, int] | None,
        lines: Sequence[EntryLine],
        whole: int,
        newer: int,
        older: int,
    ) -> Group:
        recorders = Counter((line.entry.actor, line.entry.role, line.entry.station) for line in lines)
        told = [
            LogLine(*_under(record, line, round_), topic_of(line.entry), _match_of(record, line.entry))
            for line in lines
        ]
        return cls(round_, told, recorders.most_common(1)[0][0], whole, newer, older)


def _under(record: Record, line: EntryLine, round_: tuple[Stage, int] | None) -> EntryLine:
    if round_ is None:
        return line
    stage, number = round_
    title = round_name(brackets(record), number) if stage == "elimination" else None
    return line._replace(said=under_round(line.said, stage, number, title))


def _round_at(rounds: Sequence[tuple[int, Stage, int]], position: int) -> tuple[Stage, int] | None:
    """Return the last paired round at the time of an entry, or None before round 1."""
    at = bisect_left(rounds, position + 1, key=lambda round_: round_[0])
    return rounds[at - 1][1:] if at else None


def _entries_of(rounds: Sequence[tuple[int, Stage, int]], round_: tuple[Stage, int] | None, position: int) -> int:
    """Return how many entries of a log with `position` entries are under a round, or before round 1."""
    begins = [1, *(at for at, _, _ in rounds), position + 1]
    at = 0 if round_ is None else 1 + [one[1:] for one in rounds].index(round_)
    return begins[at + 1] - begins[at]


def _backwards(ledger: Ledger, tournament: UUID, before: int) -> Iterator[Entry]:
    while before > 1:
        after = max(0, before - 1 - _STRIDE)
        yield from reversed(list(ledger.entries(tournament, after=after, through=before - 1)))
        before = after + 1


def _filter(ledger: Ledger, tournament: UUID, record: Record, asked: AskedLog) -> Callable[[Entry], bool]:
    """Return a function that says whether an entry matches the search. Raises UsageProblem for an unknown player,
    and for a table without a round.
    """
    positions = _positions(ledger, tournament, record, asked)
    about = {word: _of_member(ledger, tournament, record, word) for word in plain_letters(asked.q).split()}

    def fits(entry: Entry) -> bool:
        return (
            (positions is None or entry.position in positions)
            and asked.kind in ("", entry.fact.kind)
            and asked.about in ("", topic_of(entry))
            and asked.role in ("", entry.role)
            and asked.station in ("", entry.station)
            and (asked.round is None or _is_of_round(entry, asked.stage, asked.round))
            and (not about or _holds(record, entry, about))
        )

    return fits


def _is_of_round(entry: Entry, stage: Stage, round_: int) -> bool:
    fact = entry.fact
    return getattr(fact, "round", None) == round_ and getattr(fact, "stage", stage) == stage


def _positions(ledger: Ledger, tournament: UUID, record: Record, asked: AskedLog) -> set[int] | None:
    """Return the positions of the entries about a given player and a given match, or None if neither is given."""
    if not asked.player and asked.table is None:
        return None
    if asked.table is not None and asked.round is None:
        raise UsageProblem(sentence("a table number needs a round: name the round too"))
    entries = list(ledger.entries(tournament))
    found = []
    if asked.player:
        found.append(history_of_player(entries, record, number_typed(record, asked.player)))
    if asked.table is not None and asked.round is not None:
        found.append(history_of_table(entries, record, asked.stage, asked.round, asked.table))
    return set.intersection(*({touch.entry.position for touch in touches} for touches in found))


def _of_member(ledger: Ledger, tournament: UUID, record: Record, number: str) -> set[int]:
    """Return the positions of the entries about the players with a membership number."""
    found = [player.number for player in record.entered() if has_number(player, number)]
    entries = list(ledger.entries(tournament)) if found else []
    return {touch.entry.position for player in found for touch in history_of_player(entries, record, player)}


def _holds(record: Record, entry: Entry, about: dict[str, set[int]]) -> bool:
    words = in_all_languages(in_brief(record, entry.fact), word_of(entry.fact.kind), word(entry.role))
    kind = f"#{entry.position} {entry.fact.kind} {entry.actor} {entry.station} {entry.reason or ''}"
    text = plain_letters(f"{words} {kind}")
    return all(asked in text or entry.position in positions for asked, positions in about.items())


def _match_of(record: Record, entry: Entry) -> Match | None:
    fact = entry.fact
    round_, table = getattr(fact, "round", None), getattr(fact, "table", None)
    stage: Stage = getattr(fact, "stage", "swiss")
    where = None if round_ is None else record.round(round_, stage)
    return (stage, round_, table) if where is not None and round_ and table in where.tables else None


def history_view(
    ledger: Ledger, tournament: UUID, stage: Stage, round_: int | None, table: int | None
) -> Values | None:
    """Return a match with all entries about the match, the oldest first, or None without such a match."""
    record = ledger.record(tournament)
    where = None if round_ is None else record.round(round_, stage)
    if where is None or table is None or table not in where.tables:
        return None
    players = where.tables[table]
    report = where.report(table, players)
    touches = history_of_table(list(ledger.entries(tournament)), record, stage, where.number, table)
    lines = entry_lines(ledger, tournament, record, [touch.entry.position for touch in touches])
    first, second = ((player, record.players[player].name) for player in players)
    return {
        "stage": stage,
        "round": where.number,
        "table": table,
        "players": (first, second),
        "people": record.players,
        "report": report,
        "now": None if report is None else tell_slip(record, players, report.slip),
        "lines": list(zip(lines, touches, strict=True)),
    }
