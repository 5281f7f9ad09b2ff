"""docs/recompute_pairings.py, on its own and by another way, comes to the same rounds as the engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.pairing.conftest import Event, Play
from tests.pairing.test_rederivation import with_two_opponents_exchanged

from matchledger.cli import run
from matchledger.events import Entry
from matchledger_projections.rulebook import shipped_rulebooks

SCRIPT = Path("docs/recompute_pairings.py")

READINGS = [
    ("street-warriors-2004", {"POL_SWR_DOUBLE_DOWN": "any"}),
    ("ashes-2022", {"POL_ASH_BYE_AMONG_WEAKEST": "lowest-ranked", "POL_ASH_H2H_RESTART": "reapplied"}),
    ("l5r-2018", {"POL_L5R_ROUNDS_DENOM": "paired-rounds", "POL_L5R_EMPTY_SOS": "last"}),
    ("l5r-2018", {"POL_L5R_NOSHOW": "bye", "POL_ALL_REMATCH_FALLBACK": "fewest"}),
    *((rulebook, {}) for rulebook in shipped_rulebooks()),
]


def recomputed(
    played: Event, folder: Path, *, entries: Sequence[Entry] | None = None
) -> subprocess.CompletedProcess[str]:
    """What the page says of an event, run with nothing but the standard library."""
    log = folder / "log.jsonl"
    log.write_text("".join(f"{entry.model_dump_json()}\n" for entry in entries or played.draft.entries), "utf-8")
    return subprocess.run(  # noqa: S603 - our own page, on our own file
        [sys.executable, "-I", "-S", str(SCRIPT), str(log)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def as_derived(rounds: int) -> str:
    return "".join(f"Round {number}: as derived\n" for number in range(1, rounds + 1))


@pytest.mark.parametrize(("rulebook", "readings"), READINGS)
@pytest.mark.parametrize("players", [7, 8])
def test_small_events_down_to_the_last_possible_round(
    event: Play, tmp_path: Path, rulebook: str, readings: dict[str, str], players: int
) -> None:
    for chance in range(2):
        played = event(rulebook, chance=chance, **readings)
        played.enter(players)
        played.play(5)
        played.close()
        assert recomputed(played, tmp_path).stdout == as_derived(5)


@pytest.mark.parametrize("sizes", [(7, 6, 9), (3, 8, 8), (2, 5, 7), (1, 1, 8)])
def test_an_event_with_divisions(event: Play, tmp_path: Path, sizes: tuple[int, int, int]) -> None:
    played = event("pokemon-2009", chance=1)
    for division, size in zip(("junior", "senior", "masters"), sizes, strict=True):
        played.enter(size, division)
    played.play(4)
    played.close()
    assert recomputed(played, tmp_path).stdout == as_derived(4)


def test_an_event_of_64_players_over_nine_rounds(event: Play, tmp_path: Path) -> None:
    played = event("l5r-2018", chance=64)
    played.enter(64)
    played.play(9)
    played.close()
    assert recomputed(played, tmp_path).stdout == as_derived(9)


def test_rematches_that_could_not_be_avoided(event: Play, tmp_path: Path) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    played.play_plainly(3)
    played.pair(allow_rematch=True)
    played.report()
    played.close()
    assert recomputed(played, tmp_path).stdout == as_derived(4)


def test_a_single_swapped_table_is_found(event: Play, tmp_path: Path) -> None:
    played = event("pokemon-2009")
    played.enter(8)
    played.play(3)
    played.close()
    forged = with_two_opponents_exchanged(played.draft.entries, round_=2)
    found = recomputed(played, tmp_path, entries=forged)
    assert found.returncode == 1
    assert found.stdout.splitlines()[:2] == ["Round 1: as derived", "Round 2: DIFFERENT"]


def test_an_export_and_a_log_are_read_alike(
    event: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = event("street-warriors-2004")
    played.enter(6)
    played.play(2)
    played.close()
    ledger = played.keep(tmp_path / "event.ledger")
    assert run(["export", str(tmp_path / "export.jsonl"), "--ledger", ledger]) == 0
    assert run(["log", "--json", "--ledger", ledger]) == 0
    (tmp_path / "log.jsonl").write_text(capsys.readouterr().out, "utf-8")
    for name in ("export.jsonl", "log.jsonl"):
        done = subprocess.run(  # noqa: S603 - our own page, on our own file
            [sys.executable, "-I", str(SCRIPT), str(tmp_path / name)], capture_output=True, text=True, check=True
        )
        assert done.stdout == as_derived(2)


def test_a_log_without_the_secret_cannot_be_judged(event: Play, tmp_path: Path) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    played.pair()
    found = recomputed(played, tmp_path)
    assert found.returncode == 2
    assert found.stdout == "the secret is not revealed, or is not the one that was committed to\n"
