"""What is true in every tournament: random tournaments with every kind of action.

The module checks what appendix B of the rule catalogue says about Swiss rounds, replay and undo.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.budgets import LONG_TOURNAMENTS, TOURNAMENTS, at_length
from tests.documents import standings_document
from tests.event import SECRET, deciding

from matchledger.commands import cuts, roster, ties
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Bye, Entry, Person, PlayerDisqualified, RematchAllowed, RoundPaired, Seating
from matchledger.ledger import Clerk, Decision, open_ledger, verify
from matchledger.ledger.recorder import EntryRow
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.standings.standings import Standings, standings
from matchledger_projections.standings.tiebreaks import Tiebreaks
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.tables import pairings_of

Item = TypeVar("Item")

# The sum of both players' points for a match, the points for a bye, and those for a missed round (appendix B, 4).
WORTH: dict[str, tuple[dict[str, int], int, int]] = {
    "l5r-2018": (
        {"win": 11, "modified-win": 6, "modified-loss": 10, "concession": 11, "no-show": 11, "double-loss": 2},
        10,
        1,
    ),
    "street-warriors-2004": ({"win": 3, "draw": 2, "concession": 3, "no-show": 3, "double-loss": 0}, 3, 0),
    "pokemon-2009": ({"win": 1, "concession": 1, "no-show": 1, "double-loss": 0}, 1, 0),
    "pokemon-tom": ({"win": 3, "draw": 2, "concession": 3, "no-show": 3, "double-loss": 0}, 3, 0),
    "ashes-2022": ({"win": 1, "concession": 1, "no-show": 1, "double-loss": 0}, 1, 0),
    "netrunner-2023": ({"win": 6, "draw": 6, "concession": 6, "no-show": 6, "double-loss": 0}, 6, 0),
}
NOBODY_WINS = {"draw", "double-loss"}

some = st.integers(min_value=0, max_value=2**16)


class Tournament(RuleBasedStateMachine):
    """A random tournament in a ledger."""

    @initialize(
        rulebook=st.sampled_from(sorted(WORTH)),
        players=st.integers(min_value=3, max_value=11),
        played=st.lists(some, min_size=1, max_size=3),
    )
    def opens(self, rulebook: str, players: int, played: list[int]) -> None:
        self.rulebook = rulebook
        self.ledger = open_ledger(":memory:")
        self.known: list[EntryRow] = []
        decision = partial(
            opening.open_tournament, name="Random", law=rulebook_text(rulebook), policies={}, secret=SECRET
        )
        self.tournament, _ = self.ledger.begin(decision, secret=SECRET, clerk=Clerk())
        for number in range(1, players + 1):
            self.do(partial(roster.register, person=Person(name=f"P{number}")))
        for bits in played:
            self.play_a_round(bits)

    # -- the state, read

    @property
    def record(self) -> Record:
        return self.ledger.record(self.tournament)

    @property
    def entries(self) -> list[Entry]:
        return list(self.ledger.entries(self.tournament))

    @property
    def is_open(self) -> bool:
        return hasattr(self, "tournament") and self.record.closing is None

    @property
    def open_tables(self) -> tuple[int, ...]:
        latest = self.record.latest_round() if self.is_open else None
        return latest.outstanding if latest is not None else ()

    @property
    def can_pair(self) -> bool:
        return self.is_open and not self.open_tables and self.record.cut is None and len(self.record.rounds()) < 6

    def do(self, decision: Decision) -> list[Entry]:
        """Return the entries of a decision, or an empty list if the decision is refused."""
        before = self.ledger.head(self.tournament)
        try:
            entries = self.ledger.decide(self.tournament, decision, clerk=Clerk())
        except Refusal as refusal:
            reason = str(refusal)
            note(f"refused: {reason}")
        else:
            note(", ".join(f"{entry.position} {entry.fact.kind}" for entry in entries))
            return entries
        assert "\n" not in reason
        assert self.ledger.head(self.tournament) == before
        return []

    def written(self, kind: int, side: int, extra: int) -> Written:
        """Return a slip that is valid under the rulebook."""
        if self.rulebook == "netrunner-2023" and extra % 3 == 0:
            return Written("score", scores=(side % 7, extra % 7))
        name = pick(sorted(WORTH[self.rulebook][0]), kind)
        winner = None if name in NOBODY_WINS else side % 2
        blood = extra % 20 if self.rulebook == "ashes-2022" and winner is not None else None
        return Written(name, winner, blood_points=blood)

    # -- what happens

    @precondition(lambda self: self.can_pair)
    @rule(bits=some)
    def play_a_round(self, bits: int) -> None:
        self.pair(allow_rematch=bits % 7 == 0)
        if self.open_tables:
            self.report_all(bits)

    @precondition(lambda self: self.can_pair)
    @rule(allow_rematch=st.booleans())
    def pair(self, allow_rematch: bool) -> None:
        before = fold(self.entries)
        entries = self.do(partial(rounds.pair_round, secret=SECRET, allow_rematch=allow_rematch))
        if entries:
            assert_derived_round_is_legal(before, [entry.fact for entry in entries])

    @precondition(lambda self: self.can_pair)
    @rule(order=st.randoms(use_true_random=False))
    def pair_by_hand(self, order: Any) -> None:
        latest = self.record.latest_round()
        number = latest.number + 1 if latest is not None else 1
        players = sorted(to_be_paired(self.record, number))
        order.shuffle(players)
        games = [
            Seating(table=table, players=two)
            for table, two in enumerate(zip(players[::2], players[1::2], strict=False), 1)
        ]
        byes = [Bye(player=players[-1])] if len(players) % 2 else []
        again = [game.players for game in games if rounds.meeting(self.record, *game.players)]
        self.do(partial(rounds.pair_by_hand, games=games, byes=byes, rematches=again))

    @precondition(lambda self: self.open_tables)
    @rule()
    def start(self) -> None:
        self.do(clock.start_round)

    @precondition(lambda self: self.open_tables)
    @rule(kind=some, side=some, extra=some, which=some)
    def report(self, kind: int, side: int, extra: int, which: int) -> None:
        table = pick(self.open_tables, which)
        self.do(partial(slips.report, table=table, written=self.written(kind, side, extra)))

    @precondition(lambda self: self.open_tables)
    @rule(bits=some)
    def report_all(self, bits: int) -> None:
        for table in self.open_tables:
            written = self.written(WINS[self.rulebook], bits >> table % 16, 1 + 3 * (bits % 5))
            self.do(partial(slips.report, table=table, written=written))

    @precondition(lambda self: self.open_tables)
    @rule(which=some, side=some)
    def concede(self, which: int, side: int) -> None:
        players = latest_of(self.record).tables[pick(self.open_tables, which)]
        self.do(partial(slips.concede, by=players[side % 2], blood_points=3))

    @precondition(lambda self: self.open_tables)
    @rule(which=some, side=st.integers(min_value=0, max_value=2), stays=st.booleans())
    def does_not_appear(self, which: int, side: int, stays: bool) -> None:
        players = latest_of(self.record).tables[pick(self.open_tables, which)]
        absent = players if side == 2 else (players[side],)
        self.do(partial(slips.no_show, absent=absent, stays=stays))

    @precondition(lambda self: self.open_tables)
    @rule(which=some, other=some)
    def amend(self, which: int, other: int) -> None:
        tables = latest_of(self.record).tables
        (a, b), (c, d) = tables[pick(self.open_tables, which)], tables[pick(self.open_tables, other)]
        self.do(partial(rounds.amend_pairing, games=[(a, c), (b, d)]))

    @precondition(lambda self: self.is_open)
    @rule(which=some, rounds_between=st.lists(st.booleans(), min_size=1, max_size=4), bits=some)
    def come_and_go(self, which: int, rounds_between: list[bool], bits: int) -> None:
        """Let a player drop, rejoin and drop again, with or without rounds in between."""
        player = pick(sorted(self.record.players), which)
        for between in rounds_between:
            is_in = self.record.status(player) == "active"
            self.do(partial(roster.drop if is_in else roster.rejoin, player=player))
            if between and self.can_pair:
                self.play_a_round(bits)

    @precondition(lambda self: self.is_open and len(self.record.players) > 4)
    @rule(which=some, reluctantly=st.integers(min_value=0, max_value=3))
    def disqualify(self, which: int, reluctantly: int) -> None:
        if reluctantly == 0:
            self.do(partial(roster.disqualify, player=pick(sorted(self.record.players), which)))

    @precondition(lambda self: self.is_open and len(self.record.players) < 14)
    @rule(waits=st.booleans())
    def arrive_late(self, waits: bool) -> None:
        latest = self.record.latest_round()
        started = latest.number if waits and latest is not None else None
        person = Person(name=f"P{len(self.record.players) + 1}")
        self.do(partial(roster.arrive_late, person=person, rounds_started=started))

    @precondition(lambda self: self.is_open and self.record.rounds())
    @rule(which=some, kind=some, side=some, extra=some, override=st.booleans())
    def correct(self, which: int, kind: int, side: int, extra: int, override: bool) -> None:
        round_ = pick(self.record.rounds(), which)
        if not round_.tables:
            return
        before = self.all_tables()
        entries = self.do(
            partial(
                slips.correct,
                table=pick(sorted(round_.tables), extra),
                round_=round_.number,
                written=self.written(kind, side, extra),
                override=override,
            )
        )
        if entries and kind % 2:
            length = self.ledger.head(self.tournament).size
            assert self.do(partial(slips.retract, entry=entries[0], override=True))
            assert self.all_tables() == before, "a correction and its retraction restore the standings"
            assert self.ledger.head(self.tournament).size == length + 1

    @precondition(lambda self: hasattr(self, "tournament"))
    @rule(back=st.integers(min_value=0, max_value=12), override=st.booleans())
    def retract(self, back: int, override: bool) -> None:
        size = self.ledger.head(self.tournament).size
        if size - back > 1:
            entry = self.ledger.entry(self.tournament, size - back)
            self.do(partial(slips.retract, entry=entry, override=override))

    @precondition(lambda self: self.is_open)
    @rule(back=st.integers(min_value=0, max_value=12), between=st.integers(min_value=0, max_value=4), which=some)
    def undo_and_redo(self, back: int, between: int, which: int) -> None:
        """Retract an entry, perhaps do something else, and retract the retraction."""
        position = self.ledger.head(self.tournament).size - back
        if position < 2:
            return
        before = self.all_tables()
        entry = self.ledger.entry(self.tournament, position)
        undone = self.do(partial(slips.retract, entry=entry, override=True))
        if not undone:
            return
        match between:
            case 1 if self.can_pair:
                self.pair(allow_rematch=False)
            case 2:
                self.do(partial(roster.drop, player=pick(sorted(self.record.players), which)))
            case 3 if self.open_tables:
                self.amend(which, which + 1)
            case 4:
                number = getattr(entry.fact, "player", None) or 1
                self.do(partial(roster.rejoin, player=number))
        redone = self.do(partial(slips.retract, entry=undone[0], override=True))
        if between == 0 and self.record.closing is None:
            assert redone, "what was taken back can come back when nothing has happened since"
            assert self.all_tables() == before

    @precondition(lambda self: self.is_open and self.record.finished_rounds)
    @rule(by_hand=st.booleans())
    def settle_ties(self, by_hand: bool) -> None:
        tied = standings(self.record).ties
        if by_hand and tied:
            self.do(partial(ties.order_tie, players=tied[0][::-1]))
        else:
            self.do(deciding(ties.DrawTies))

    @precondition(lambda self: self.is_open)
    @rule()
    def post(self) -> None:
        self.do(deciding(opening.PostStandings))

    @precondition(lambda self: self.is_open and len(self.record.rounds()) >= 2)
    @rule(size=st.integers(min_value=2, max_value=4), reluctantly=st.integers(min_value=0, max_value=2))
    def cut(self, size: int, reluctantly: int) -> None:
        if reluctantly == 0:
            self.do(partial(cuts.make_cut, size=size, deviating=True))

    @precondition(lambda self: self.is_open and len(self.record.rounds()) >= 3)
    @rule(reluctantly=st.integers(min_value=0, max_value=3))
    def close(self, reluctantly: int) -> None:
        if reluctantly == 0:
            self.do(partial(opening.close, secret=SECRET, deviating=True))

    # -- invariants

    def all_tables(self) -> list[str]:
        return tables_of(self.record)

    @invariant()
    def the_log_only_grows(self) -> None:
        if not hasattr(self, "tournament"):
            return
        rows = list(self.ledger.recorder.entry_rows(self.tournament))
        assert rows[: len(self.known)] == self.known
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        self.known = rows

    @invariant()
    def nobody_is_in_a_round_twice(self) -> None:
        if not hasattr(self, "tournament"):
            return
        for round_ in self.record.rounds():
            seated = [player for two in round_.tables.values() for player in two]
            seated += [bye.player for bye in round_.byes]
            assert len(set(seated)) == len(seated)
        table = standings(self.record).table
        for player in table.players:
            on_record = [line.round for line in table.lines(player)]
            assert len(set(on_record)) == len(on_record), (
                "a round is played, missed or a bye, and only one of these"
            )

    @invariant()
    def points_are_what_the_rulebook_gives(self) -> None:
        if not hasattr(self, "tournament"):
            return
        record = self.record
        through = record.finished_rounds
        assert sum(standings(record).table.points) == points_given(record, self.rulebook, through)

    @invariant()
    def everybody_has_one_place(self) -> None:
        if not hasattr(self, "tournament"):
            return
        table = standings(self.record)
        listed = [row.player for row in table.rows]
        assert sorted(listed) == sorted(player.number for player in self.record.entered(table.round))
        assert all((row.rank is None) == (row.status == "disqualified") for row in table.rows), (
            "only who is disqualified has no place"
        )
        ranks = [row.rank for row in table.rows if row.rank is not None]
        assert all(later in (earlier, place) for place, (earlier, later) in enumerate(pairwise(ranks), 2))

    @invariant()
    def tiebreakers_stay_within_their_bounds(self) -> None:
        if hasattr(self, "tournament"):
            holds = BOUNDS.get(self.rulebook, _nothing)
            holds(self.record, standings(self.record))

    def teardown(self) -> None:
        if not hasattr(self, "tournament"):
            return
        entries = self.entries
        live = tables_of(self.record)
        assert tables_of(fold(entries)) == live, "a replay gives the same standings and pairings, byte for byte"
        assert tables_of(fold(entries)) == live, "and so does another"
        assert_past_rounds_know_nothing_later(self.record, entries)
        assert verify(self.ledger, self.tournament, known=self.ledger.head(self.tournament)) == []
        self.ledger.close()


# The position of "win" in each rulebook's list of kinds.
WINS = {rulebook: sorted(kinds).index("win") for rulebook, (kinds, _, _) in WORTH.items()}


def pick(items: Sequence[Item], index: int) -> Item:
    return items[index % len(items)]


def latest_of(record: Record) -> Round:
    latest = record.latest_round()
    assert latest is not None
    return latest


def to_be_paired(record: Record, number: int) -> set[int]:
    """Return every active player who was not told to wait for the next round."""
    return {
        player.number
        for player in record.active_players()
        if number not in record.charged_rounds(player.number, number)
    }


def tables_of(record: Record) -> list[str]:
    """Return every document with standings or pairings of a tournament."""
    sight = Sight.of(record)
    sheets = [{**standings_document(record, number), "position": 0} for number in range(record.finished_rounds + 1)]
    pairings = [{**sight.document(pairings_of(sight, round_)), "position": 0} for round_ in record.rounds()]
    for sheet in pairings:
        for table in sheet["pairings"]:
            if table["result"] is not None:
                del table["result"]["entry"]  # only the number of the reporting entry may change
    return [json.dumps(document, ensure_ascii=False) for document in [*sheets, *pairings]]


def results_of(record: Record, through: int) -> Iterator[tuple[Round, tuple[int, int], Any]]:
    for round_ in record.rounds():
        if round_.number <= through:
            for _, players, report in round_.results():
                if report is not None:
                    yield round_, players, report


def assert_derived_round_is_legal(before: Record, facts: Sequence[AnyFact]) -> None:
    """Appendix B, 1 to 3: everybody is paired once, nobody meets an opponent twice, and the bye goes to a player
    who had none.
    """
    paired = facts[-1]
    assert isinstance(paired, RoundPaired)
    assert paired.seed is not None
    active = to_be_paired(before, paired.round)
    seated = [player for table in paired.tables for player in table.players] + [bye.player for bye in paired.byes]
    assert sorted(seated) == sorted(active), "every active player is in the round exactly once, and nobody else is"
    allowed = {frozenset(fact.players) for fact in facts if isinstance(fact, RematchAllowed)}
    met = {frozenset(players) for _, players, _ in results_of(before, paired.round)}
    again = {frozenset(table.players) for table in paired.tables} & met
    assert again == allowed, "nobody meets twice unless the log says that it was allowed"
    assert len(paired.byes) == len(active) % 2
    had_bye = {bye.player for round_ in before.rounds() for bye in round_.byes}
    assert {bye.player for bye in paired.byes}.isdisjoint(had_bye) or active <= had_bye


def points_given(record: Record, rulebook: str, through: int) -> int:
    """Appendix B, 4: return the points of all slips, byes and missed rounds up to a round."""
    kinds, bye, missed = WORTH[rulebook]
    entered = {player.number for player in record.entered(through)}
    slips_worth = sum(
        sum(report.scores) if report.scores is not None else kinds[report.kind]
        for _, _, report in results_of(record, through)
    )
    byes = sum(len(round_.byes) for round_ in record.rounds() if round_.number <= through)
    absences = sum(len(record.charged_rounds(player, through)) for player in entered)
    return slips_worth + byes * bye + absences * missed


def assert_past_rounds_know_nothing_later(record: Record, entries: Sequence[Entry]) -> None:
    """Appendix B, 9: standings after a round equal the standings of a log without later rounds.

    A player disqualified after the cut has no place in any table (L5R-IV.2-DQ), so logs with such a player are not
    checked. A disqualification in the current round changes only the latest table, so it is ignored in that table.
    """
    if any(
        isinstance(fact, PlayerDisqualified) and fact.stage == "elimination"
        for moved in record.movements.values()
        for _, fact in moved
    ):
        return
    through = record.finished_rounds
    all_out_before = all(
        record.standing_of(player, through)[0] == "disqualified"
        for player in record.players
        if record.status(player) == "disqualified"
    )
    for number in range(through + 1):
        alone = fold(about_rounds(entries, number))
        for latest in (False, None) if number < through or all_out_before else (False,):
            now, then = (standings(one, number, latest=latest).rows for one in (record, alone))
            assert list(now) == list(then), f"as of round {number}"


# -- bounds: appendix B, 6 to 8


def _percentages(record: Record, table: Standings) -> None:
    law = record.rulebook
    own = Tiebreaks(table.table, law, lambda _: table.table).win_percentage
    for row in table.rows:
        share = own.value(row.player)
        assert Fraction(1, 4) <= share <= 1
        if row.player in table.table.left_after:
            assert share <= Fraction(3, 4)
        if any(table.table.opponents_of(row.player)):
            assert Fraction(1, 4) <= row.tiebreaks["opponents_win_percentage"] <= 1
            assert Fraction(1, 4) <= row.tiebreaks["opponents_opponents_win_percentage"] <= 1


def _schedules(_: Record, table: Standings) -> None:
    for row in table.rows:
        assert 0 <= row.tiebreaks["strength_of_schedule"] <= 10
        assert 0 <= row.tiebreaks["extended_strength_of_schedule"] <= 10


def _wins(record: Record, table: Standings) -> None:
    decided = sum(report.winner is not None for _, _, report in results_of(record, table.round))
    byes = sum(len(round_.byes) for round_ in record.rounds() if round_.number <= table.round)
    assert sum(table.table.wins(player) for player in table.table.players) == decided + byes
    assert all(row.tiebreaks["blood_points"] >= 0 for row in table.rows)


def _nothing(_: Record, __: Standings) -> None:
    """Check nothing, because the rulebook's tiebreakers have no bounds."""


BOUNDS: dict[str, Callable[[Record, Standings], None]] = {
    "l5r-2018": _schedules,
    "pokemon-2009": _percentages,
    "ashes-2022": _wins,
}

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]

TestTournament = Tournament.TestCase
TestTournament.settings = settings(
    max_examples=at_length(TOURNAMENTS), stateful_step_count=40, suppress_health_check=QUIET
)


class LongTournament(Tournament):
    """The same search as `Tournament`, for a longer time."""


TestLongTournament = LongTournament.TestCase
TestLongTournament.settings = settings(
    max_examples=at_length(LONG_TOURNAMENTS),
    stateful_step_count=100,
    suppress_health_check=QUIET,
)
