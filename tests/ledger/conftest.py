"""Ledgers for tests: one has every kind of fact, and one is small enough to change every byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from pathlib import Path
from uuid import UUID

import pytest
from tests.event import SECRET, deciding
from tests.ledger.behind import Behind, behind
from tests.ledger.laptops import Two, fork, one_slip

from matchledger.commands import calls, cuts, eliminations, roster, ties
from matchledger.commands import chance as contributions
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.chance import on_basis
from matchledger.events import AnyFact, Bye, Derivation, FileImported, Person, Seating, Stage
from matchledger.ledger import Clerk, Contradiction, Decision, Ledger, open_ledger
from matchledger.notation.slip import Written
from matchledger.service.execute import context_of
from matchledger_projections.record.chance import derivation_of, word_digest
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.standings.standings import standings

More = Callable[[Ledger, UUID], None]
CLERK = Clerk("Ann", "scorekeeper", "north")

# A minimal house rulebook keeps the opening entry short.
HOUSE_RULES = """\
id = "house"
title = "House"
edition = "1"
unit = "points"
tiebreaks = ["random_draw"]
[bye]
rule = "H"
points = 1
choice = "lowest-group"
[no_show]
rule = "H"
drops = false
[results]
win = { winner = 1, loser = 0, rule = "H" }
"""


@pytest.fixture
def begin() -> Callable[..., UUID]:
    """Open a tournament in a ledger and register its players."""

    def begin(
        ledger: Ledger, *names: str, rules: str = "l5r-2018", name: str = "Open", derivation: Derivation = 1
    ) -> UUID:
        law = HOUSE_RULES if rules == "house" else rulebook_text(rules)
        tournament, _ = ledger.begin(
            partial(opening.open_tournament, name=name, law=law, policies={}, secret=SECRET, derivation=derivation),
            secret=SECRET,
            clerk=CLERK,
        )
        for player in names:
            ledger.decide(tournament, partial(roster.register, person=Person(name=player)), clerk=CLERK)
        return tournament

    return begin


@pytest.fixture
def small(place: str, begin: Callable[..., UUID]) -> Iterator[Ledger]:
    """A ledger with two players and one match."""
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "A", "B", rules="house", name="T")
        script = Script(ledger, tournament)
        script.decide(partial(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2))]))
        script.decide(partial(slips.report, table=1, written=Written(winner=0)))
        script.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
        script.decide(deciding(opening.PostStandings))
        yield ledger


class Script:
    """Commands for one tournament, in order. Each command has its own id."""

    def __init__(self, ledger: Ledger, tournament: UUID) -> None:
        self._ledger = ledger
        self._tournament = tournament

    @property
    def record(self) -> Record:
        return self._ledger.record(self._tournament)

    def found(self) -> None:
        """Record the inputs of the next draw, if the log lacks them."""
        context = context_of(self._ledger, self._tournament, CLERK)
        self.decide(lambda record: on_basis(record, context)[1])

    def round(self, number: int) -> Round:
        found = self.record.round(number)
        assert found is not None
        return found

    def decide(self, decision: Decision, reason: str | None = None) -> None:
        command = f"command-{self.record.position}"
        self._ledger.decide(self._tournament, decision, clerk=CLERK, command=command, reason=reason)

    def report_the_rest(self, stage: Stage = "swiss") -> None:
        """At every table that is still open, let the first player win."""
        latest = self.record.latest_round(stage)
        for table in latest.outstanding if latest is not None else ():
            self.decide(partial(slips.report, table=table, written=Written(winner=0)))

    def counting(self, round_: int, table: int) -> int | None:
        where = self.round(round_)
        report = where.report(table, where.tables[table])
        return None if report is None else report.position

    def retract_last(self) -> None:
        entry = self._ledger.entry(self._tournament, self.record.position)
        self.decide(partial(slips.retract, entry=entry))

    def draw_what_is_level(self) -> None:
        if standings(self.record).ties:
            self.decide(deciding(ties.DrawTies))


@pytest.fixture
def play_everything(begin: Callable[..., UUID]) -> Callable[[Ledger], UUID]:
    """Play a tournament that uses every feature of rounds, a cut and a clock. `more` adds entries before the
    tournament is closed.
    """

    def play_everything(ledger: Ledger, derivation: Derivation = 1, more: More | None = None) -> UUID:
        names = ("Ann", "Bo", "Cy", "Di", "Ed", "Fay")
        tournament = begin(ledger, *names, name="Every fact", derivation=derivation)
        script = Script(ledger, tournament)
        imported = FileImported(name="roster.csv", format="csv", sha256="0" * 64, notes=("line 2: a note",))
        script.decide(lambda _: [imported])
        _play_first_round(script)
        _play_second_round(script)
        _play_third_round(script)
        script.draw_what_is_level()
        script.decide(partial(cuts.make_cut, size=2, deviating=True))
        drawn = partial(eliminations.pair_elimination, secret=SECRET)
        script.decide(_pair_the_final if derivation == 1 else drawn)
        script.report_the_rest("elimination")
        if more is not None:
            more(ledger, tournament)
        script.decide(partial(opening.close, secret=SECRET, deviating=True))
        return tournament

    return play_everything


def _play_first_round(script: Script) -> None:
    if derivation_of(script.record) > 1:
        script.decide(deciding(contributions.PledgeWord, player=1, digest=word_digest("otter")))
        script.decide(deciding(contributions.PledgeWord, player=2, digest=None))
        script.decide(deciding(contributions.OpenWords, words=("#1=otter", "#2=blue")))
        script.decide(deciding(contributions.NameBeacon, chain="quicknet", number=999_999_999))
        script.decide(deciding(contributions.ReadBeacon, chain="quicknet", number=999_999_999, signature="ab" * 48))
        script.found()
    script.decide(partial(rounds.pair_round, secret=SECRET))
    script.decide(partial(clock.start_round, minutes=50))
    tables = script.round(1).tables
    script.decide(deciding(clock.SetFirstPlayer, player=tables[3][0], decider=tables[3][1]))
    script.decide(partial(clock.extend, table=3, minutes=4, reason="deck check"))
    script.decide(deciding(clock.PauseClock), "fire alarm")
    script.decide(deciding(clock.ResumeClock))
    script.decide(deciding(clock.CallMark, mark="time", table=3, turn=tables[3][1]))
    script.decide(partial(slips.concede, by=tables[1][1]))
    script.decide(partial(slips.no_show, absent=(tables[2][0],)))
    script.report_the_rest()
    script.decide(deciding(ties.DrawTies))
    script.decide(partial(slips.correct, table=3, round_=1, written=Written("modified-win", 1)), "misread")
    script.retract_last()
    with pytest.raises(Contradiction):
        script.decide(partial(slips.report, table=1, written=Written(winner=1)))
    script.retract_last()
    script.decide(partial(calls.call_desk, player=tables[1][0], round_=1, disputes=script.counting(1, 1)))
    script.decide(deciding(calls.AnswerCall, position=script.record.position))
    script.decide(deciding(opening.PostStandings))
    script.decide(partial(roster.rejoin, player=tables[2][0]))
    script.decide(partial(roster.arrive_late, person=Person(name="Gus", born=1999), division="senior"))


def _play_second_round(script: Script) -> None:
    if derivation_of(script.record) > 1:
        script.found()
    script.decide(partial(rounds.pair_round, secret=SECRET))
    script.decide(_swap_the_bye)
    script.report_the_rest()
    script.decide(partial(roster.drop, player=script.round(1).tables[1][1], cause="ill"))
    script.decide(partial(roster.disqualify, player=7, recommended_by="Mo"), "bribery")


def _play_third_round(script: Script) -> None:
    script.decide(_pair_a_rematch)
    script.report_the_rest()


def _swap_the_bye(record: Record) -> list[AnyFact]:
    """Seat the player with the bye at table 1, and give the bye to that table's first player."""
    latest = record.latest_round()
    assert latest is not None
    first, second = latest.tables[1]
    return rounds.amend_pairing(record, games=[(latest.byes[0].player, second)], byes=[first])


def _pair_a_rematch(record: Record) -> list[AnyFact]:
    """Pair two players who have met. All other players have the bye."""
    active = [player.number for player in record.active_players()]
    again = next(two for two in combinations(active, 2) if rounds.meeting(record, *two) is not None)
    byes = [Bye(player=player) for player in active if player not in again]
    games = [Seating(table=1, players=again)]
    return rounds.pair_by_hand(record, games=games, byes=byes, rematches=[again])


def _pair_the_final(record: Record) -> list[AnyFact]:
    assert record.cut is not None
    first, second = record.cut.seeds
    games = [Seating(table=1, players=(first, second))]
    return rounds.pair_by_hand(record, games=games, stage="elimination")


@pytest.fixture
def raw(place: str, small: Ledger) -> Iterator[Behind]:
    """Direct access to the small ledger, with its guards."""
    assert small.tournaments()
    with behind(place) as store:
        yield store


@pytest.fixture
def tampering(raw: Behind) -> Behind:
    """Direct access to the small ledger, without its guards."""
    raw.disarm()
    return raw


@pytest.fixture
def own_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each ledger has its key file next to it."""
    monkeypatch.delenv("MATCHLEDGER_KEYS", raising=False)


@pytest.fixture
def two(own_keys: None, tmp_path: Path) -> Iterator[Two]:  # noqa: ARG001 - before the ledgers are opened
    """Two laptops with copies of one event: round 1 is paired, and table 1 has reported."""
    yield from fork(tmp_path, before=one_slip)
