"""A live event of 32 players and 5 rounds, typed as it happens, with many mishaps."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import pytest
from freezegun import freeze_time
from tests.cli.conftest import Desk

ON_TIME = [f"P{number:02}" for number in range(1, 32)]
LATE = "P32"
MINUTES = 65


class Clock(Protocol):
    def tick(self, delta: timedelta) -> object: ...


@dataclass
class Event:
    """The event as the person at the desk sees it."""

    desk: Desk
    clock: Clock
    posted: dict[int, str] = field(default_factory=dict)

    def do(self, line: str, *more: str, typed: str = "") -> list[str]:
        """Run a command that must succeed, half a minute after the command before."""
        self.clock.tick(timedelta(seconds=30))
        said = self.desk(line, *more, typed=typed)
        assert said.code == 0, said.err
        return said.lines

    def pairings(self) -> list[tuple[int, str, str]]:
        document = self.desk("pairings --json").document
        return [(table["table"], *table["players"]) for table in document["pairings"] if table["result"] is None]

    def pair(self) -> int:
        """Pair and start a round. Returns the number of tables."""
        self.do("pair")
        self.do(f"start --minutes {MINUTES}")
        return len(self.pairings())

    def play(self, *, wrong: str | None = None) -> None:
        """Play all matches: the lower number wins, and the slips come at the end of the round in piles of five.

        The slip of the player `wrong` is reversed.
        """
        self.clock.tick(timedelta(minutes=MINUTES))
        slips = [
            f"{table} {'a' if (one < other) != (wrong in (one, other)) else 'b'}"
            for table, one, other in self.pairings()
        ]
        for begin in range(0, len(slips), 5):
            self.do("report " + " ".join(slips[begin : begin + 5]))

    def post(self, round_: int) -> None:
        self.do("post")
        self.posted[round_] = "\n".join(self.do("standings"))

    def opponent(self, player: str) -> tuple[int, str]:
        """Return a player's table in the current round, and the opponent."""
        return next(
            (table, other if player == one else one)
            for table, one, other in self.pairings()
            if player in (one, other)
        )


@pytest.fixture
def event(desk: Desk) -> Any:
    with freeze_time("2026-05-02 09:00:00", ignore=["_pytest.timing"]) as clock:
        yield Event(desk, clock)


def test_a_live_event_from_the_first_registration_to_the_final_standings(event: Event, tmp_path: Path) -> None:
    register(event, tmp_path)
    first_round(event)
    second_round(event)
    third_round(event)
    fourth_round(event)
    fifth_round(event)
    end(event)


def register(event: Event, folder: Path) -> None:
    roster = folder / "roster.csv"
    roster.write_text("name,born,clan\n" + "".join(f"{name},1990,Crab\n" for name in ON_TIME), "utf-8")
    keys = folder / "event.ledger.keys"
    assert event.do("open 'Kotei Warsaw' --rulebook l5r-2018") == [
        "Kotei Warsaw is open under l5r-2018. Next: register players.",
        f"The keys to the players' names go into {keys}: it belongs to the ledger, copy both together.",
    ]
    assert event.do("register --csv", str(roster)) == ["31 players registered."]


def first_round(event: Event) -> None:
    assert event.pair() == 15
    assert sum("signed" in line for line in event.do("slip")) == 30
    refused = event.desk("pair")
    assert (refused.code, refused.problem) == (
        3,
        "round 1 is not finished: tables " + ", ".join(map(str, range(1, 16))) + " have no result",
    )
    assert event.do(f"late {LATE}") == [f"{LATE} is in, charged with 1 loss."]
    event.play()
    event.post(1)


def second_round(event: Event) -> None:
    """Play round 2: a player does not appear and is dropped, one slip is reversed, and two players drop
    afterwards.
    """
    assert event.pair() == 16
    _, waiting = event.opponent("P05")
    assert event.do("no-show P05")[0] == "P05 did not appear, and has dropped."
    event.play(wrong="P01")
    assert waiting in winners(event, 2)
    event.post(2)
    for player in ("P10", "P20"):
        assert event.do(f"drop {player}")[0].startswith(f"{player} has dropped (entry ")


def third_round(event: Event) -> None:
    """Enter round 3 at the desk, slip by slip: table, Enter, outcome, Enter."""
    assert event.pair() == 14
    seated = {name for _, *two in event.pairings() for name in two}
    assert seated.isdisjoint({"P05", "P10", "P20"})
    event.clock.tick(timedelta(minutes=MINUTES))
    typed = "".join(f"{table}\n{'a' if one < other else 'b'}\n" for table, one, other in event.pairings())
    assert event.do("desk", typed=typed + "q\n")[-2].endswith("Round 3: all 14 tables reported.")
    event.post(3)


def fourth_round(event: Event) -> None:
    """Play round 4. A player finds that P01 won in round 2, and another player is disqualified."""
    event.pair()
    before = event.desk("pairings --json").document["pairings"]
    winner = next(name for name in winners(event, 2) if "P01" in met(event, 2)[name])
    table, outcome = slip_of(event, 2, "P01")
    said = event.do(f"correct 2 {table} {outcome} --reason 'both signed the wrong side' --actor 'Head Judge'")
    assert said[0].startswith(f"Round 2, table {table}: ")
    assert winner not in winners(event, 2)
    assert "P01" in winners(event, 2)
    assert event.desk("pairings --json").document["pairings"] == before, "nobody who sits is moved"
    known = event.desk("standings --round 2 --as-known")
    assert known.out.splitlines() == event.posted[2].splitlines(), "what hung on the wall that day, byte for byte"
    corrected = event.desk("standings --round 2 --json").document
    assert corrected["clock"] == "as-corrected"
    assert points_of(corrected)["P01"] == 20
    assert event.do("disqualify P07 --recommended-by Marshal --reason bribery --yes")[0].startswith(
        "P07 is disqualified"
    )
    event.play()
    event.post(4)


def fifth_round(event: Event) -> None:
    tables = event.pair()
    seated = {name for _, *two in event.pairings() for name in two}
    assert tables == 14
    assert "P07" not in seated
    event.play()
    event.post(5)


def end(event: Event) -> None:
    while event.desk("standings --json").document["standings"][8 - 1]["tied"]:
        event.do("tie")
    _, *seeded = event.do("cut 8 --reason short")
    seeds = [line.split()[-1] for line in seeded]
    final = event.desk("standings --json").document
    assert [row["player"] for row in final["standings"][:8]] == seeds
    assert seeds[0] == "P01"
    assert_standings_are_as_the_log_says(event, final)
    [closing] = event.do("close --yes --reason short")
    head = closing.removeprefix("The tournament is closed. Tree head ")
    assert event.do(f"verify --head {head}")[0].endswith(f" entries, none altered. Tree head {head}")
    assert event.desk("drop P02").problem.startswith("the tournament is closed: retract entry ")
    assert_the_past_is_as_it_was(event)


def winners(event: Event, round_: int) -> set[str]:
    tables = event.desk(f"pairings --round {round_} --json").document["pairings"]
    return {table["result"]["winner"] for table in tables if table["result"] is not None}


def met(event: Event, round_: int) -> dict[str, set[str]]:
    tables = event.desk(f"pairings --round {round_} --json").document["pairings"]
    return {name: set(table["players"]) for table in tables for name in table["players"]}


def slip_of(event: Event, round_: int, winner: str) -> tuple[int, str]:
    """Return the slip of a player's win: the table, and a or b."""
    tables = event.desk(f"pairings --round {round_} --json").document["pairings"]
    table = next(table for table in tables if winner in table["players"])
    return table["table"], "ab"[table["players"].index(winner)]


def points_of(document: Any) -> dict[str, int]:
    return {row["player"]: row["points"] for row in document["standings"]}


def assert_the_past_is_as_it_was(event: Event) -> None:
    for round_, sheet in event.posted.items():
        known = event.desk(f"standings --round {round_} --as-known").out
        assert known.splitlines() == sheet.splitlines()
    at_noon = event.desk("standings --as-of 12:00 --json").document
    assert at_noon["round"] == 2
    assert points_of(at_noon)["P01"] == 11, "the wrong slip was what was known at noon"
    assert event.desk("standings --as-of 32 --json").document["round"] == 0
    log = event.desk("log").lines
    assert log[1].split()[1:3] == ["2026-05-02", "09:00:30"]
    assert any("both signed the wrong side" in line and "Head Judge" in line for line in log)


def assert_standings_are_as_the_log_says(event: Event, final: Any) -> None:
    """Compute points, strength of schedule and its extension again from the log, with fractions only."""
    points, rounds, opponents = replayed_by_hand(event)
    own = {player: Fraction(points[player], rounds[player]) for player in rounds}
    schedule = {player: mean(own, others) for player, others in opponents.items()}
    extended = {player: mean(schedule, others) for player, others in opponents.items()}
    rows = final["standings"]
    assert len(rows) == 32
    keys = []
    for row in rows:
        number = row["number"]
        assert row["points"] == points[number]
        assert Fraction(row["tiebreaks"]["strength_of_schedule"]) == schedule[number]
        assert Fraction(row["tiebreaks"]["extended_strength_of_schedule"]) == extended[number]
        if row["rank"] is not None:
            keys.append((points[number], schedule[number], extended[number]))
    assert all(above >= below for above, below in pairwise(keys))
    out = {row["player"]: row["status"] for row in rows if row["status"] != "active"}
    assert out == {"P05": "dropped", "P07": "disqualified", "P10": "dropped", "P20": "dropped"}
    assert [row["player"] for row in rows if row["rank"] is None] == ["P07"]


def replayed_by_hand(event: Event) -> tuple[dict[int, int], dict[int, int], dict[int, list[int]]]:
    """Compute the points, rounds and opponents of every player from the log's entries alone."""
    points: dict[int, int] = defaultdict(int)
    rounds: dict[int, int] = defaultdict(int)
    opponents: dict[int, list[int]] = defaultdict(list)
    matches: dict[tuple[int, int], tuple[list[int], int]] = {}
    for line in event.desk("log --json").lines:
        fact = json.loads(line)["fact"]
        match fact["kind"]:
            case "player-arrived-late":
                points[fact["number"]] += len(fact["losses"])
                rounds[fact["number"]] += len(fact["losses"])
            case "round-paired":
                for bye in fact["byes"]:
                    points[bye["player"]] += 10
                    rounds[bye["player"]] += 1
            case "result-reported" | "result-corrected":
                matches[fact["round"], fact["table"]] = (fact["players"], fact["slip"]["winner"])
            case "no-show-recorded":
                [present] = [player for player in fact["players"] if player not in fact["absent"]]
                matches[fact["round"], fact["table"]] = (fact["players"], present)
    for players, winner in matches.values():
        for player, other in (players, players[::-1]):
            points[player] += 10 if player == winner else 1
            rounds[player] += 1
            opponents[player].append(other)
    return points, rounds, {player: opponents[player] for player in rounds}


def mean(values: dict[int, Fraction], players: list[int]) -> Fraction:
    return sum((values[player] for player in players), Fraction(0)) / len(players) if players else Fraction(0)
