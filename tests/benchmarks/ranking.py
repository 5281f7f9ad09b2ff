"""The time to compute full standings under each rulebook, compared with adding up points and with another
program.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks.events import Played
from tests.benchmarks.measuring import markdown, ratio, seconds, seconds_apart, shown

from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import shipped_rulebooks
from matchledger_projections.standings.standings import Row, standings


def rows_of(record: Record) -> tuple[Row, ...]:
    """Return the full standings, with every tiebreaker and every place."""
    return tuple(standings(record).rows)


def summed(record: Record, size: int) -> list[int]:
    """Sum the points in a plain loop over the results."""
    win, loss = record.rulebook.results["win"].winner or 0, record.rulebook.results["win"].loser or 0
    points = [0] * (size + 1)
    for round_ in record.rounds():
        for (one, other), report in round_.reported():
            if report.winner == one:
                points[one] += win
                points[other] += loss
            elif report.winner == other:
                points[other] += win
                points[one] += loss
            else:
                points[one] += 1
                points[other] += 1
    return points


def every_rulebook(players: int, rounds: int) -> Iterator[str]:
    """Compute full standings of each rulebook, as a multiple of the plain loop."""
    rows = []
    for rulebook in shipped_rulebooks():
        played = Played(rulebook, players)
        played.play(rounds)
        base = seconds(partial(summed, played.record, players), runs=5)
        row = [rulebook, shown(base)]
        for all_rounds in (False, True):
            full = float("inf")
            for _ in range(3):
                played.forget_columns(all_rounds=all_rounds)
                full = min(full, seconds(partial(rows_of, played.record), runs=1))
            row += [shown(full), ratio(full, base)]
        rows.append(row)
    headings = ["bare sum", "full standings", "ratio", "in a new process", "ratio"]
    yield markdown([f"{players:,} players, {rounds} rounds", *headings], rows)


def against_a_peer(players: int, rounds: int, folder: Path, limit: float) -> Iterator[str]:
    """Compare our time with that of a peer that has the same tiebreakers, for this number of players."""
    played = Played("pokemon-tom", players)
    played.play(rounds)
    ours = seconds(partial(rows_of, played.record))
    theirs = seconds_apart(
        "tests.benchmarks.ranking", "cardarena", {"players": players, "rounds": rounds}, folder, limit=limit
    )
    rows = [["matchledger, pokemon-tom", shown(ours), "1.0"], ["cardarena", shown(theirs), ratio(theirs, ours)]]
    yield markdown([f"{players:,} players, {rounds} rounds", "full standings", "ratio"], rows)


def cardarena(data: dict[str, int]) -> float:
    from cardarena_tournament_core import MatchupOutcome, Player, PokemonTCG, Swiss, Tournament

    players = [Player(id=str(number), name=str(number)) for number in range(data["players"])]
    tournament = Tournament(pairing=Swiss(players), scoring=PokemonTCG())
    for _ in range(data["rounds"]):
        round_ = tournament.pair()
        for matchup in round_.matchups:
            matchup.outcome = MatchupOutcome.PLAYER1_WINS
        tournament.submit_results(round_)
    start = time.process_time()
    tournament.standings()
    return time.process_time() - start


if __name__ == "__main__":
    print(cardarena(json.loads(Path(sys.argv[2]).read_text("utf-8"))))
