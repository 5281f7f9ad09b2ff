"""The peers: each pairs the same round. `python -m tests.benchmarks.peers NAME FILE` prints the seconds.

FILE holds `order` (players, best first), `points`, `opponents` and `byes`. Each peer runs in its own process. The
project's type check runs without the peers and their types.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Round = dict[str, Any]


def swisspair(data: Round) -> float:
    from swisspair import Player, create_matches  # type: ignore[import-untyped,unused-ignore]

    players = [
        Player(
            id=str(player),
            points=data["points"][str(player)],
            rank=rank,
            can_get_bye=player not in data["byes"],
            cannot_be_paired_against_ids={str(other) for other in data["opponents"][str(player)]},
        )
        for rank, player in enumerate(data["order"], 1)
    ]
    start = time.process_time()
    create_matches(players)
    return time.process_time() - start


def networkx(data: Round) -> float:
    import networkx as nx  # type: ignore[import-untyped,unused-ignore]

    edges = _edges(data)
    start = time.process_time()
    graph = nx.Graph()
    graph.add_weighted_edges_from(edges)
    nx.max_weight_matching(graph, maxcardinality=True)
    return time.process_time() - start


def rustworkx(data: Round) -> float:
    import rustworkx as rx

    edges = _edges(data)
    start = time.process_time()
    graph = rx.PyGraph()
    graph.add_nodes_from(range(len(data["order"]) + 1))
    graph.add_edges_from(edges)
    rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return time.process_time() - start


def _edges(data: Round) -> list[tuple[int, int, int]]:
    """Build the complete graph of players who have not met, with minus the squared distance as weight. Most peers
    build this graph.
    """
    order, points = data["order"], data["points"]
    met = {player: set(data["opponents"][str(player)]) for player in order}
    return [
        (one, other, -((points[str(one)] - points[str(other)]) ** 2))
        for place, one in enumerate(order)
        for other in order[place + 1 :]
        if other not in met[one]
    ]


def py4swiss(data: Round) -> float:
    from py4swiss.engines import DutchEngine  # type: ignore[import-untyped,unused-ignore]
    from py4swiss.trf import TrfParser  # type: ignore[import-untyped,unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "round.trf"
        file.write_text(_trf(data), "utf-8")
        parsed = TrfParser.parse(file)
        start = time.process_time()
        DutchEngine.generate_pairings(parsed)
        return time.process_time() - start


def _trf(data: Round) -> str:
    """Write the history as a FIDE report file. Colours alternate, because the engine needs colours."""
    rank = {player: place for place, player in enumerate(data["order"], 1)}
    rounds = len(data["opponents"][str(data["order"][0])])
    lines = ["012 Open", f"XXR {rounds + 1}"]
    for player in data["order"]:
        results = "".join(
            f"  {rank[other]:4d} {'wb'[(place + (rank[player] > rank[other])) % 2]} {score}"
            for place, (other, score) in enumerate(
                zip(data["opponents"][str(player)], data["scores"][str(player)], strict=True)
            )
        )
        number = rank[player]
        points = data["points"][str(player)]
        lines.append(
            f"001 {number:4d}      {f'Player {number}':33} 2000 {'':26} {points:4.1f} {number:4d}{results}"
        )
    return "\n".join(lines) + "\n"


def caissify(data: Round) -> float:
    """Run caissify's fast engine for casual events."""
    from caissify_pairings import generate_pairings  # type: ignore[import-untyped,unused-ignore]

    players = [
        {
            "id": player,
            "name": f"Player {player}",
            "score": data["points"][str(player)],
            "rating": 2000,
            "starting_number": player,
            "color_hist": [],
            "float_history": [],
            "bye_count": 0,
        }
        for player in data["order"]
    ]
    met = {(player, other) for player in data["order"] for other in data["opponents"][str(player)]}
    number = 1 + len(data["opponents"][str(data["order"][0])])
    start = time.process_time()
    generate_pairings("casual", players, met, number, number + 1)
    return time.process_time() - start


def _node(package: str, script: str) -> Callable[[Round], float]:
    """Run a peer from the npm registry, which is installed into a temporary folder."""

    def run(data: Round) -> float:
        npm = shutil.which("npm")
        if npm is None:
            raise ModuleNotFoundError("npm")
        with tempfile.TemporaryDirectory() as folder:
            install = [npm, "install", "--no-audit", "--no-fund", "--silent", package]
            subprocess.run(install, cwd=folder, check=True, timeout=60, capture_output=True)
            (Path(folder) / "round.json").write_text(json.dumps(data), "utf-8")
            (Path(folder) / "run.mjs").write_text(script, "utf-8")
            done = subprocess.run(["node", "run.mjs"], cwd=folder, check=True, capture_output=True, text=True)  # noqa: S607
            return float(done.stdout.split()[-1])

    return run


_READ = """
import { readFileSync } from 'fs';
const d = JSON.parse(readFileSync('round.json'));
"""
TOURNAMENT_PAIRINGS = f"""import {{ Swiss }} from 'tournament-pairings';{_READ}
const p = d.order.map(i => ({{id: String(i), score: d.points[i], receivedBye: d.byes.includes(i),
                             avoid: d.opponents[i].map(String)}}));
const t = performance.now(); Swiss(p, 9); console.log((performance.now() - t) / 1000);
"""
SWISS_PAIRING = f"""import swiss from 'swiss-pairing';{_READ}
const rank = new Map(d.order.map((p, i) => [p, i])), matches = [];
for (const p of d.order) d.opponents[p].forEach((o, r) => {{
  if (rank.get(p) < rank.get(o)) matches.push({{round: r + 1,
    home: {{id: String(p), points: d.scores[p][r]}}, away: {{id: String(o), points: 1 - d.scores[p][r]}}}}); }});
const s = swiss({{maxPerRound: 1, rematchWeight: 100, standingPower: 2, seedMultiplier: 6781}});
const people = d.order.map((p, i) => ({{id: String(p), seed: i + 1}}));
const t = performance.now(); s.getMatchups(d.opponents[d.order[0]].length + 1, people, matches);
console.log((performance.now() - t) / 1000);
"""

PEERS: dict[str, Callable[[Round], float]] = {
    "swisspair": swisspair,
    "py4swiss": py4swiss,
    "caissify-pairings": caissify,
    "rustworkx": rustworkx,
    "networkx": networkx,
    "tournament-pairings": _node("tournament-pairings", TOURNAMENT_PAIRINGS),
    "swiss-pairing": _node("swiss-pairing", SWISS_PAIRING),
}

if __name__ == "__main__":
    name, file = sys.argv[1:]
    print(PEERS[name](json.loads(Path(file).read_text("utf-8"))))
