"""Measure matchledger and its peers in one run, and write docs/benchmarks.md: `python -m tests.benchmarks`.

`--quick` measures small sizes and writes nothing. The comparison leaves out peers that are not installed. The
dependency group `peers` contains the peers from PyPI. If npm is installed, npm fetches the other peers.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.benchmarks import pairing, ranking, replay, serving, slip_parts, starting, stations

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
PEERS = ("swisspair", "py4swiss", "caissify-pairings", "rustworkx", "networkx", "cardarena-tournament-core")


def sections(folder: Path, *, quick: bool, limit: float) -> Iterator[tuple[str, Iterator[str]]]:
    sizes = [1_000, 5_000] if quick else [1_000, 10_000, 100_000]
    yield f"Pairing round {pairing.ROUND}", pairing.table_of_sizes(sizes, folder, limit)
    yield "Round by round", pairing.round_by_round(1_000 if quick else 10_000, folder, limit)
    yield "Fields that are hard to pair", pairing.hard_fields()
    yield "Full standings", ranking.every_rulebook(1_000 if quick else 10_000, 15)
    yield "Standings against a peer", ranking.against_a_peer(200 if quick else 1_000, 4, folder, limit)
    yield "From the file to standings", replay.moments(folder / "event.ledger", 10_000 if quick else 100_000, 9)
    yield "The start of a command", starting.commands(200, folder, 3 if quick else 15)
    yield "Phones at a posting", serving.phones(500 if quick else 5_000, folder, 5 if quick else 15)
    yield (
        "Slips from several stations",
        stations.slips_per_second(folder, 1 if quick else 5, 500 if quick else 4_000),
    )
    yield "The parts of a slip", slip_parts.parts(folder, 200 if quick else 4_000)
    yield (
        "A league in one database",
        stations.league((200, 1_000) if quick else (10_000, 100_000), 2 if quick else 15),
    )
    yield "The memory of a server", stations.memory(folder, 50 if quick else 1_000)


def introduction() -> str:
    peers = ", ".join(_with_version(peer) for peer in PEERS)
    machine = f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}"
    return f"""# Benchmarks

How fast matchledger is, measured by one command:

    pip install --upgrade pip
    pip install -e '.[test]' --group peers
    python -m tests.benchmarks

The command rewrites this page. Each figure is the best of a few runs without Python's garbage collector, in
processor time: other work of the machine hardly changes it. Peers in JavaScript, phones and stations are measured
by the clock. Each peer runs in a process of its own. If a peer takes too long or dies, the table says so. No test
asserts a time.

Measured with {machine}, Python {platform.python_version()}.
Each section gives its date, and the load of the machine before it. `--renew WORD` measures only the sections with
the word in their title.
Peers: {peers}.
If npm is installed, also tournament-pairings and swiss-pairing.

"From the crosstable" is the work that the peers do too: it begins with players, points and opponents, and ends with
tables. "The whole decision" is everything behind `matchledger pair`: the players, the digest of all points, the
crosstable, the draw, and the tables as facts. A running server already has the results of the earlier rounds
in columns; it adds the last round. A new process makes all columns from the results. The Dutch engines also choose
colours: compare them only with each other.
"""


def _with_version(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes; write nothing")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a peer is given for a round")
    parser.add_argument("--only", help="measure only sections whose title has this in it; write nothing")
    parser.add_argument("--renew", help="measure only such sections, and put them into the page as it is")
    options = parser.parse_args()
    wanted = options.only or options.renew or ""
    page = {"": introduction()}
    with tempfile.TemporaryDirectory() as folder:
        for title, parts in sections(Path(folder), quick=options.quick, limit=options.limit):
            if wanted not in title:
                continue
            print(f"\n## {title}\n", flush=True)
            when = (
                f"Measured on {datetime.now(UTC):%Y-%m-%d}. Load of the machine before: {os.getloadavg()[0]:.1f}."
            )
            text = f"{''.join(parts)}\n{when}\n"
            print(text, flush=True)
            page[title] = f"{title}\n\n{text}"
    if options.renew:
        del page[""]  # keep the old introduction, which has the versions of the other measurements
        page = {**_sections(), **page}
    if not options.quick and not options.only:
        PAGE.write_text(_BETWEEN.join(page.values()), "utf-8")
    return 0


_BETWEEN = "\n## "


def _sections() -> dict[str, str]:
    """Return the sections of the page by title. The introduction has no title."""
    introduction_, *others = PAGE.read_text("utf-8").split(_BETWEEN)
    return {"": introduction_} | {section.partition("\n")[0]: section for section in others}


if __name__ == "__main__":
    sys.exit(main())
