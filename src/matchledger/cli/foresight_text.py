"""Plain text about the consequences of an entry, and about the options for a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matchledger.cli.tables import columns
from matchledger.text.columns import place_text, result_text
from matchledger.text.labels import HEADINGS, value_text
from matchledger_projections.document import Cited
from matchledger_projections.pairing.repair import RepairOption, RepairPlan, Reseated
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.rulebook.scoring import points_text, unit_name
from matchledger_projections.stages.bracket import in_elimination, seeded_games, stage_now
from matchledger_projections.stages.bracket_draw import fields_of
from matchledger_projections.stages.leaving import of_leaver
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.changes import (
    CutAhead,
    CutChange,
    MatchChange,
    PairingChange,
    PlaceChange,
    PlayerToTell,
    SeatingChange,
)
from matchledger_projections.views.consequences import Consequences

LISTED = 40
"""The most lines shown of a table, before a count of the rest. --json has all of them."""
_NAMED = 12  # the most players that one line names


def consequence_lines(record: Record, found: Consequences, cited: Cited) -> Iterator[str]:
    """List everything that a command would change. `record` already includes the command's entries."""
    text = _Text(record)
    yield from (f"Open: {question}" for question in found.left_open)
    for match in found.matches:
        yield text.match(match)
    yield from text.people(found)
    if found.finished[0] != found.finished[1]:
        yield f"Finished rounds: {found.finished[0]} -> {found.finished[1]}"
    for seating in found.seatings:
        yield text.seating(seating)
    yield from text.places(found)
    for cut in found.cuts:
        yield from text.cut(cut)
    for ahead in found.new_cuts:
        yield from text.new_cut(ahead)
    yield from text.byes(found)
    for posting in found.postings:
        entry = cited(posting.position)
        at = "" if entry is None else f", {entry.recorded_at.astimezone():%H:%M}"
        yield (
            f"Posted: standings after round {posting.round}, entry {posting.position}{at}: "
            f"{_counted(len(posting.lines), 'line')} would differ"
        )
    for pairing in found.pairings:
        yield from text.pairing(pairing)
    for change in found.bracket:
        yield (
            f"Elimination round {change.round} is paired with {text.name(change.out)}, who would be out; "
            f"{text.name(change.instead)} would be in"
        )
    for title in found.champions:
        was, is_now = ("nobody" if player is None else text.name(player) for player in (title.before, title.after))
        yield f"Champion{f', {title.division}' if title.division else ''}: {was} -> {is_now}"
    yield from text.to_tell(found.to_tell)


def repair_lines(record: Record, plan: RepairPlan) -> Iterator[str]:
    """List the options for a round with their costs."""
    text = _Text(record)
    changed = ", ".join(map(str, plan.corrections))
    yield f"Round {plan.round} was paired before entry {changed} changed earlier records."
    yield f"Pairings: {'still' if plan.sound else 'no longer'} right by the corrected records."
    yield f"Play: {_play(plan)}."
    for option in plan.options:
        yield ""
        yield from text.option(option)


def _play(plan: RepairPlan) -> str:
    if not plan.started:
        return "not begun"
    run = plan.clock.run
    length = f" of {plan.clock.minutes}" if plan.clock.minutes is not None else ""
    minutes = f", {int(run.total_seconds() // 60)}{length} minutes run" if run is not None else ""
    return f"begun{minutes}, {_counted(plan.reported, 'result')} in"


class _Text:
    def __init__(self, record: Record) -> None:
        self._record = record

    def name(self, player: int) -> str:
        return self._record.players[player].name

    def names(self, players: Sequence[int]) -> str:
        more = "" if len(players) <= _NAMED else f" and {len(players) - _NAMED} more"
        return ", ".join(map(self.name, players[:_NAMED])) + more

    def match(self, match: MatchChange) -> str:
        stage = "Elimination round" if match.stage == "elimination" else "Round"
        before, after = (
            result_text(self._record, match.players, report) or "no result"
            for report in (match.before, match.after)
        )
        before_points, after_points = (self._points(match, report) for report in (match.before, match.after))
        return (
            f"{stage} {match.round}, table {match.table}, {' - '.join(map(self.name, match.players))}: "
            f"{before} -> {after} ({unit_name(self._record.rulebook.unit)} {before_points} -> {after_points})"
        )

    def _points(self, match: MatchChange, report: Report | None) -> str:
        if report is None:
            return "-"
        law = self._record.rulebook
        first, second = law.points(report.kind, report.winner, report.scores, match.players)
        return "-".join(points_text(count, law.unit) for count in (first, second))

    def people(self, found: Consequences) -> Iterator[str]:
        for status in found.statuses:
            yield f"{self.name(status.player)}: {status.before or 'not in'} -> {status.after or 'not in'}"
        for change in found.people:
            yield f"{self.name(change.player)}: {change.field} {change.before or '-'} -> {change.after or '-'}"

    def seating(self, seating: SeatingChange) -> str:
        stage = "Elimination round" if seating.stage == "elimination" else "Round"
        where = "bye" if seating.table is None else f"table {seating.table}"
        before, after = (
            " - ".join(map(self.name, players)) or "nobody" for players in (seating.before, seating.after)
        )
        return f"{stage} {seating.round}, {where}: {before} -> {after}"

    # -- standings

    def places(self, found: Consequences) -> Iterator[str]:
        if not found.places:
            yield f"Standings after round {found.round}: nothing changes"
            return
        plain = sum(place.is_plain for place in found.places)
        yield (
            f"Standings after round {found.round}: {_counted(len(found.places), 'player')} affected, "
            f"{plain} in rank or points"
        )
        shown = sorted(found.places, key=lambda place: not place.is_plain)[:LISTED]
        tiebreaks = [name for name in HEADINGS if any(_differs(place, name) for place in shown)]
        heads = [
            "",
            "Player",
            "rank",
            unit_name(self._record.rulebook.unit),
            *(HEADINGS[name] for name in tiebreaks),
            "",
        ]
        rows = [
            [
                "",
                self.name(place.player),
                _arrow(_rank(place.before), _rank(place.after)),
                _arrow(self.points(place.before), self.points(place.after)),
                *(_arrow(self.measure(place.before, name), self.measure(place.after, name)) for name in tiebreaks),
                "",
            ]
            for place in shown
        ]
        yield from columns(heads, rows)
        if len(found.places) > len(shown):
            yield f"  and {len(found.places) - len(shown)} more (--json lists all)"

    def cut(self, cut: CutChange) -> Iterator[str]:
        made = "made" if cut.made else "planned"
        parts = [f"{self.name(player)} in" for player in cut.entering]
        parts += [f"{self.name(player)} out" for player in cut.leaving]
        if cut.level_after != cut.level_before and cut.level_after:
            parts.append(f"{self.names(sorted(cut.level_after))} level at the edge")
        of_division = f" of {cut.division}" if cut.division else ""
        yield f"Cut to top {cut.size}{of_division} ({made}): {', '.join(parts) or 'same players, other seeds'}"
        if cut.after:
            yield f"  seeds would be {self.names(cut.after)}"

    def new_cut(self, cut: CutAhead) -> Iterator[str]:
        yield f"Cut to top {len(cut.seeds)}{f' of {cut.division}' if cut.division else ''}, by seed:"
        for seed, player in enumerate(cut.seeds, 1):
            yield f"{seed:>3}  {self.name(player)}"
        if not cut.games:
            yield "Chance draws the first games."
        for number, players in enumerate(cut.games, 1):
            bye = ", bye" if len(players) == 1 else ""
            yield f"Game {number}: {' - '.join(map(self.name, players))}{bye}"

    # -- rounds

    def byes(self, found: Consequences) -> Iterator[str]:
        for bye in found.byes:
            yield (
                f"Bye of round {bye.round}: {self.name(bye.player)} has it, and it would fall to "
                f"{' or '.join(map(self.name, bye.candidates[:_NAMED]))}"
            )
        if stage_now(self._record) == "elimination":
            yield from self.bracket_places(found)
            return
        before, after = found.next_byes
        if before != after:
            byes = "without a bye" if not after else "with a bye" if after == 1 else f"with {after} byes"
            yield f"Next round: {found.active[1]} players, {byes}"

    def bracket_places(self, found: Consequences) -> Iterator[str]:
        """Say what happens to the bracket places of players who leave."""
        stopped = {player for match in found.matches if match.stage == "elimination" for player in match.players}
        stopped |= {player for seats in found.seatings if seats.stage == "elimination" for player in seats.before}
        if not in_elimination(self._record):
            byes = sum(len(game) == 1 for _, field in fields_of(self._record) for game in seeded_games(field))
            yield f"Elimination round 1: {found.active[1]} players, {_counted(byes, 'bye')}"
            return
        for player in (status.player for status in found.statuses if status.before == "active"):
            left = of_leaver(self._record, player)
            if left is not None and left.what == "replaced":
                yield f"Elimination: the place of {self.name(player)} is free until `replace` fills it"
            elif left is not None and left.what == "bye":
                yield f"Elimination round {left.round}: the opponent of {self.name(player)} has a bye"
            elif left is not None:
                yield f"Elimination round {left.round}: {self.name(player)} loses the match"
            elif player not in stopped:
                yield f"Elimination: {self.name(player)} has no further game, the bracket stays as it is"

    def pairing(self, pairing: PairingChange) -> Iterator[str]:
        fits = "would fit the records again" if pairing.sound else "would no longer fit the records"
        state = "already played" if pairing.finished else "begun" if pairing.started else "not begun"
        yield f"Pairings of round {pairing.round} ({state}) {fits}"
        if pairing.reseated is not None:
            yield from self.reseated(pairing.reseated)
        if not pairing.sound and not pairing.finished:
            yield "  matchledger repair lists your options"

    def reseated(self, reseated: Reseated) -> Iterator[str]:
        proof = "fewest possible" if reseated.is_proven else f"at least {reseated.at_least} by any way"
        yield f"  {_counted(len(reseated.moved), 'player')} moved ({proof}):"
        now = {seating.table: seating.players for seating in reseated.removed}
        then = {seating.table: seating.players for seating in reseated.added}
        rows = [
            ["", str(table), *(" - ".join(map(self.name, seats.get(table, ()))) or "-" for seats in (now, then))]
            for table in reseated.tables
        ]
        if reseated.byes_removed or reseated.byes_added:
            rows.append(
                ["", "bye", *(self.names(who) or "-" for who in (reseated.byes_removed, reseated.byes_added))]
            )
        yield from columns(["", "Table", "now", "then"], rows, right=[1])

    def option(self, option: RepairOption) -> Iterator[str]:
        mark = "recommended" if option.recommended else "allowed" if option.allowed else "not allowed"
        rule = f" ({option.rule})" if option.rule else ""
        yield f"{option.choice}: {mark}{rule}; {option.because}"
        if option.reseated is not None:
            yield from self.reseated(option.reseated)
        elif option.choice == "all" and option.allowed:
            yield f"  up to {_counted(option.players, 'player')} at {_counted(option.tables, 'table')} moved"

    def measure(self, row: Row | None, name: TiebreakName) -> str:
        if row is None:
            return ""
        return value_text(name, row.tiebreaks.get(name), self._record.rulebook.decimals(name))

    def points(self, row: Row | None) -> str:
        return "-" if row is None else points_text(row.points, self._record.rulebook.unit)

    def to_tell(self, told: Sequence[PlayerToTell]) -> Iterator[str]:
        if not told:
            return
        yield f"To be told ({len(told)}):"
        for someone in told[:LISTED]:
            what = []
            if (line := someone.line) is not None:
                points = _arrow(self.points(line.before), self.points(line.after))
                what.append(
                    f"posted rank {_arrow(_rank(line.before), _rank(line.after))}, "
                    f"{unit_name(self._record.rulebook.unit)} {points}"
                )
            if someone.reseated:
                what.append("would sit elsewhere")
            if someone.cut is not None:
                what.append("would get into the cut" if someone.cut == "in" else "would be out of the cut")
            if someone.walkover:
                what.append("would go on without playing")
            yield f"  {self.name(someone.player)}: {'; '.join(what)}"
        if len(told) > LISTED:
            yield f"  and {len(told) - LISTED} more (--json lists all)"


def _differs(place: PlaceChange, name: TiebreakName) -> bool:
    before, after = (None if row is None else row.tiebreaks.get(name) for row in (place.before, place.after))
    return before != after


def _rank(row: Row | None) -> str:
    return place_text(None if row is None else row.rank, tied=row is not None and row.tied)


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before or '-'} -> {after or '-'}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
