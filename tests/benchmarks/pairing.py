"""The time to pair a round: matchledger and its peers with the same history, and fields that are hard to pair."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.events import SECRET, Played
from tests.benchmarks.measuring import markdown, ratio, seconds, seconds_apart, shown
from tests.benchmarks.peers import PEERS

from matchledger.commands.swiss import pair_round
from matchledger_projections.pairing.field import ByeInLowestGroup, ByeTakenFirst, Field, Pairing
from matchledger_projections.pairing.lineup import drawn_groups
from matchledger_projections.pairing.pairings import pair
from matchledger_projections.standings.crosstable import Crosstable, crosstable

RULEBOOK = "pokemon-2009"
ROUND = 9
WHOLE = {
    "matchledger, the whole decision": False,
    "matchledger, the whole decision in a new process": True,
}
"""The decisions, and whether the columns of all rounds are new to the process, or only that of the last round."""
SLOW = {
    "py4swiss": 2_000,
    "networkx": 2_000,
    "tournament-pairings": 2_000,
    "swiss-pairing": 2_000,
    "rustworkx": 5_000,
    "caissify-pairings": 20_000,
}
"""Sizes at which a peer is skipped: it takes tens of seconds at smaller ones, and grows faster than linearly."""


def shuffled_and_zipped(players: list[int]) -> list[tuple[int, int]]:
    """Pair at random without any rule, which gives the shortest possible time."""
    order = list(players)
    random.shuffle(order)
    return list(zip(order[::2], order[1::2], strict=True))


def paired(table: Crosstable, seed: bytes) -> Pairing:
    """Pair a round from the crosstable: the order, the groups, the earlier opponents, and the pairing."""
    groups = drawn_groups(table, table.players, seed)
    return pair(Field(groups, table.encounters, ByeTakenFirst(()), seed=seed))


def best_decision(played: Played, *, all_rounds: bool) -> float:
    """Return the seconds of `matchledger pair`, when it has to compute the columns of all earlier rounds or only of
    the last one.
    """
    best = float("inf")
    for _ in range(5):
        played.forget_columns(all_rounds=all_rounds)
        best = min(best, seconds(partial(pair_round, played.record, secret=SECRET), runs=1))
    return best


def table_of_sizes(sizes: list[int], folder: Path, limit: float) -> Iterator[str]:
    """Compare our time for round 9 with the peers', for several numbers of players."""
    found: dict[str, list[float | str]] = defaultdict(list)
    for size in sizes:
        played = Played(RULEBOOK, size)
        played.play(ROUND - 1)
        table = crosstable(played.record, played.record.rulebook, ROUND - 1)
        found["shuffle and zip"].append(seconds(partial(shuffled_and_zipped, table.players), runs=5))
        found["matchledger, from the crosstable"].append(seconds(partial(paired, table, bytes(32)), runs=5))
        for name, all_rounds in WHOLE.items():
            found[name].append(best_decision(played, all_rounds=all_rounds))
        data = _as_peers_want_it(table)
        for peer in PEERS:
            too_large = size >= SLOW.get(peer, sizes[-1] + 1)
            found[peer].append(
                "not tried"
                if too_large
                else seconds_apart("tests.benchmarks.peers", peer, data, folder, limit=limit)
            )
    ours = found["matchledger, from the crosstable"]
    rows = []
    for name, values in found.items():
        cells = [f"{shown(value)} ({ratio(value, float(own))})" for value, own in zip(values, ours, strict=True)]
        rows.append([name, *cells])
    yield markdown(["", *(f"{size:,} players (ratio to ours)" for size in sizes)], rows)
    for name in ("shuffle and zip", "matchledger, from the crosstable", *WHOLE):
        times = found[name]
        steps = [
            f"{sizes[place]:,} to {sizes[place + 1]:,}: {ratio(times[place + 1], float(times[place]))}-fold"
            for place in range(len(sizes) - 1)
        ]
        yield f"Growth of {name}: {', '.join(steps)}.\n"


def _as_peers_want_it(table: Crosstable) -> dict[str, Any]:
    order = sorted(table.players, key=lambda player: -table.points[player])
    won = {"win": 1, "loss": 0}
    return {
        "order": order,
        "points": {str(player): table.points[player] for player in order},
        "opponents": {str(player): table.opponents_of(player) for player in order},
        "scores": {str(player): [won[outcome] for outcome in table.outcomes[player]] for player in order},
        "byes": [],
    }


def round_by_round(size: int, folder: Path, limit: float) -> Iterator[str]:
    """Compare our time for every round of an event with that of the fastest peer."""
    played = Played(RULEBOOK, size)
    rows = []
    for number in range(1, ROUND + 1):
        table = crosstable(played.record, played.record.rulebook, number - 1)
        ours = seconds(partial(paired, table, bytes(32)))
        theirs = seconds_apart("tests.benchmarks.peers", "swisspair", _as_peers_want_it(table), folder, limit=limit)
        rows.append([str(number), shown(ours), shown(theirs), ratio(theirs, ours)])
        played.play_one(number)
    yield markdown(["round", f"matchledger, {size:,} players", "swisspair", "ratio"], rows)


# -- fields that are hard to pair


def simulated(
    players: int,
    rounds: int,
    *,
    draws: bool = False,
    leaving: float = 0,
    divisions: dict[int, str] | None = None,
    chance: int = 1,
) -> tuple[float, int, int]:
    """Return the slowest round, the number of paired rounds, and the number of exact matchings. The function
    checks that every round is legal.
    """
    random_ = random.Random(chance)  # noqa: S311 - results of a made-up event
    points = dict.fromkeys(range(1, players + 1), 0)
    met: dict[int, set[int]] = {player: set() for player in points}
    byes: set[int] = set()
    slowest, exact = 0.0, 0
    for _ in range(rounds):
        order = random_.sample(list(points), len(points))
        groups: dict[int, list[int]] = {}
        for player in order:
            groups.setdefault(points[player], []).append(player)
        field = Field(
            [groups[score] for score in sorted(groups, reverse=True)],
            met,
            ByeInLowestGroup([player for player in order if player not in byes]),
            divisions=divisions,
        )
        start = time.process_time()
        pairing = pair(field)
        slowest = max(slowest, time.process_time() - start)
        exact += bool(pairing.exact)
        _take_in(pairing, points, met, draws=draws, random_=random_)
        if pairing.bye is not None:
            byes.add(pairing.bye)
            points[pairing.bye] += 2
        for player in random_.sample(list(points), int(len(points) * leaving)):
            del points[player]
    return slowest, rounds, exact


def _take_in(
    pairing: Pairing, points: dict[int, int], met: dict[int, set[int]], *, draws: bool, random_: random.Random
) -> None:
    seated = [player for table in pairing.tables for player in table]
    assert len(set(seated)) == len(seated) == len(points) - (pairing.bye is not None), "somebody is left out"
    for one, other in pairing.tables:
        assert other not in met[one], "a rematch"
        met[one].add(other)
        met[other].add(one)
        if draws:
            points[one] += 1
            points[other] += 1
        else:
            points[random_.choice((one, other))] += 2


def _divided(**sizes: int) -> dict[int, str]:
    names = [name for name, size in sizes.items() for _ in range(size)]
    return dict(enumerate(names, 1))


HARD: dict[str, dict[str, Any]] = {
    "12 players, 9 rounds": {"players": 12, "rounds": 9},
    "16 players, 12 rounds": {"players": 16, "rounds": 12},
    "64 players, 20 rounds": {"players": 64, "rounds": 20},
    "200 players, 30 rounds": {"players": 200, "rounds": 30},
    "200 players, all draws, 12 rounds": {"players": 200, "rounds": 12, "draws": True},
    "400 players, 8 % leave after each of 15 rounds": {"players": 400, "rounds": 15, "leaving": 0.08},
    "Age Modified: 5 and 512 and 101 players, 9 rounds": {
        "players": 618,
        "rounds": 9,
        "divisions": _divided(junior=5, senior=101, masters=512),
    },
    "Age Modified: 5 and 1,001 players, 5 rounds (most juniors have met)": {
        "players": 1_006,
        "rounds": 5,
        "divisions": _divided(junior=5, masters=1_001),
    },
    "Age Modified: 5 and 500 and 4,495 players, 11 rounds": {
        "players": 5_000,
        "rounds": 11,
        "divisions": _divided(junior=5, senior=500, masters=4_495),
    },
}


def hard_fields() -> Iterator[str]:
    """Yield the slowest round of each field. All rounds are checked to be legal."""
    rows = []
    for name, options in HARD.items():
        slowest, rounds, exact = simulated(**options)
        rows.append([name, shown(slowest), str(rounds), str(exact)])
    yield markdown(["field", "slowest round", "rounds, all legal", "of these by exact matching"], rows)
