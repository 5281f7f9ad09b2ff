"""docs/recompute_pairings.py is independent of the engine, and gives the same rounds."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.divisions.conftest import Event as DividedEvent
from tests.docs.test_docs import block
from tests.event import SECRET, DraftedEvent, deciding
from tests.pairing.conftest import Event, Play
from tests.pairing.test_rederivation import closed_early, replaced, with_bracket, with_two_opponents_exchanged

from matchledger.cli import run
from matchledger.commands import cuts, eliminations, replacements
from matchledger.commands import swiss as rounds
from matchledger.events import BracketDrawn, CutMade, Entry, Seating
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.chance import bracket_purpose, results_digest
from matchledger_projections.rulebook.rulebook import shipped_rulebooks
from matchledger_projections.stages.bracket import seeds_of_cut

SCRIPT = Path("docs/recompute_pairings.py")
CHANCE = Path("docs/chance.md")

READINGS = [
    ("street-warriors-2004", {"POL_SWR_DOUBLE_DOWN": "any"}),
    ("ashes-2022", {"POL_ASH_BYE_AMONG_WEAKEST": "lowest-ranked", "POL_ASH_H2H_RESTART": "reapplied"}),
    ("l5r-2018", {"POL_L5R_ROUNDS_DENOM": "paired-rounds", "POL_L5R_EMPTY_SOS": "last"}),
    ("l5r-2018", {"POL_L5R_BYE": "by-rank", "POL_ALL_REMATCH_FALLBACK": "fewest"}),
    ("l5r-2018", {"POL_L5R_NOSHOW": "bye", "POL_ALL_REMATCH_FALLBACK": "fewest"}),
    *((rulebook, {}) for rulebook in shipped_rulebooks()),
]


def recomputed(
    played: Event | DividedEvent | DraftedEvent, folder: Path, *, entries: Sequence[Entry] | None = None
) -> subprocess.CompletedProcess[str]:
    """Return the verdict of docs/recompute_pairings.py, which runs with the standard library alone, on an event."""
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
def test_the_independent_program_derives_small_events_to_their_last_possible_round(
    event: Play, tmp_path: Path, rulebook: str, readings: dict[str, str], players: int
) -> None:
    for chance in range(2):
        played = event(rulebook, chance=chance, **readings)
        played.enter(players)
        played.play(5)
        played.close()
        assert recomputed(played, tmp_path).stdout == as_derived(5)


@pytest.mark.parametrize("sizes", [(7, 6, 9), (3, 8, 8), (2, 5, 7), (1, 1, 8)])
def test_the_independent_program_derives_an_event_with_divisions(
    event: Play, tmp_path: Path, sizes: tuple[int, int, int]
) -> None:
    played = event("pokemon-2009", chance=1)
    for division, size in zip(("junior", "senior", "masters"), sizes, strict=True):
        played.enter(size, division)
    played.play(4)
    played.close()
    assert recomputed(played, tmp_path).stdout == as_derived(4)


def test_the_independent_program_derives_nine_rounds_of_64_players(event: Play, tmp_path: Path) -> None:
    played = event("l5r-2018", chance=64)
    played.enter(64)
    played.play(9)
    played.close()
    assert recomputed(played, tmp_path).stdout == as_derived(9)


def test_the_independent_program_derives_unavoidable_rematches(event: Play, tmp_path: Path) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    played.play_plainly(3)
    played.pair(allow_rematch=True)
    played.report()
    played.close()
    assert recomputed(played, tmp_path).stdout == as_derived(4)


def test_one_swapped_table_is_found(event: Play, tmp_path: Path) -> None:
    played = event("pokemon-2009")
    played.enter(8)
    played.play(3)
    played.close()
    forged = with_two_opponents_exchanged(played.draft.entries, round_=2)
    found = recomputed(played, tmp_path, entries=forged)
    assert found.returncode == 1
    assert found.stdout.splitlines()[:2] == ["Round 1: as derived", "Round 2: DIFFERENT"]


def test_an_export_and_a_log_give_the_same_verdict(event: Play, tmp_path: Path, run_cli: RunCli) -> None:
    played = event("street-warriors-2004")
    played.enter(6)
    played.play(2)
    played.close()
    ledger = played.keep(tmp_path / "event.ledger")
    assert run(["export", str(tmp_path / "export.jsonl"), "--ledger", ledger]) == 0
    (tmp_path / "log.jsonl").write_text(run_cli("log", "--json", "--ledger", ledger).out, "utf-8")
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


@pytest.mark.parametrize("text", ["", "no JSON\n", "[" * 200_000, "[]\n", '{"position": 1}\n', '{"fact": 1}\n'])
def test_a_file_that_is_not_a_log_gets_no_verdict(tmp_path: Path, text: str) -> None:
    (tmp_path / "log.jsonl").write_text(text, "utf-8")
    found = subprocess.run(  # noqa: S603 - our own page, on our own file
        [sys.executable, "-I", str(SCRIPT), str(tmp_path / "log.jsonl")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 2
    assert len((found.stdout + found.stderr).splitlines()) == 1


@pytest.mark.parametrize("release", [file.stem for file in sorted(Path("fixtures/logs").glob("*.ledger-sql"))])
def test_the_independent_program_and_the_engine_agree_about_the_log_of_a_past_release(
    release: str, tmp_path: Path, run_cli: RunCli
) -> None:
    ledger = tmp_path / "old.ledger"
    with closing(sqlite3.connect(ledger)) as file:
        file.executescript(Path(f"fixtures/logs/{release}.ledger-sql").read_text("utf-8"))
    assert run(["export", str(tmp_path / "log.jsonl"), "--ledger", str(ledger)]) == 0
    engine = [
        line
        for line in run_cli("verify", "--pairings", "--ledger", str(ledger)).lines
        if line.startswith(("Round", "Bracket", "beacon"))
    ]
    page = subprocess.run(  # noqa: S603 - our own page, on our own file
        [sys.executable, "-I", str(SCRIPT), str(tmp_path / "log.jsonl")], capture_output=True, text=True, check=True
    )
    assert page.stdout.splitlines() == engine


# -- brackets

METHODS = [
    ("pokemon-2009", 0, "random-seeds"),
    ("street-warriors-2004", 0, "random-places"),
    ("l5r-2018", 0, "random-numbers"),
    ("street-warriors-2004", 6, "random-places"),
    ("pokemon-2009", 5, "cut-seeds"),
    ("ashes-2022", 4, "cut-seeds"),
]


def drawn_in(played: Event) -> list[BracketDrawn]:
    return [fact for entry in played.draft.entries if isinstance(fact := entry.fact, BracketDrawn)]


@pytest.mark.parametrize(("rulebook", "cut", "method"), METHODS)
def test_a_bracket_of_each_method_matches_its_derivation(
    event: Play, tmp_path: Path, rulebook: str, cut: int, method: str
) -> None:
    played = with_bracket(event, rulebook, cut=cut)
    closed_early(played)
    (drawn,) = drawn_in(played)
    assert (drawn.method, len(drawn.games)) == (method, 4 if cut > 4 else 2 if cut else 8)
    found = recomputed(played, tmp_path)
    assert (found.stdout, found.returncode) == (as_derived(4 if cut else 0) + "Bracket: as derived\n", 0)


@pytest.mark.parametrize(("rulebook", "cut", "method"), METHODS)
def test_two_swapped_games_of_a_bracket_are_found(
    event: Play, tmp_path: Path, rulebook: str, cut: int, method: str
) -> None:
    played = with_bracket(event, rulebook, cut=cut)
    closed_early(played)
    (drawn,) = drawn_in(played)
    assert drawn.method == method
    forged = drawn.model_copy(update={"games": (*drawn.games[1::-1], *drawn.games[2:])})
    found = recomputed(played, tmp_path, entries=replaced(played.draft.entries, drawn, forged))
    assert (found.stdout.splitlines()[-1], found.returncode) == ("Bracket: DIFFERENT", 1)


@pytest.mark.parametrize("change", [{"method": "random-seeds"}, {"seed": "0" * 64}, {"numbers_seed": "0" * 64}])
def test_a_bracket_with_another_method_or_seed_is_found(
    event: Play, tmp_path: Path, change: dict[str, str]
) -> None:
    played = with_bracket(event, "l5r-2018")
    closed_early(played)
    (drawn,) = drawn_in(played)
    forged = replaced(played.draft.entries, drawn, drawn.model_copy(update=change))
    assert recomputed(played, tmp_path, entries=forged).stdout == "Bracket: DIFFERENT\n"


def test_a_bracket_seeded_by_policy_matches_its_derivation(event: Play, tmp_path: Path) -> None:
    played = event("street-warriors-2004", POL_SWR_CUT_BRACKET="seeded")
    played.enter(9)
    played.play_plainly(3)
    played.draft.decide(partial(cuts.make_cut, size=8, deviating=True))
    played.draft.decide(partial(eliminations.pair_elimination, secret=SECRET))
    closed_early(played)
    assert [drawn.method for drawn in drawn_in(played)] == ["cut-seeds"]
    assert recomputed(played, tmp_path).stdout == as_derived(3) + "Bracket: as derived\n"


def test_a_bracket_drawn_again_for_a_replaced_qualifier_matches_its_derivation(event: Play, tmp_path: Path) -> None:
    played = with_bracket(event, "l5r-2018", cut=4)
    (cut,) = played.record.cuts
    played.drop(cut.seeds[1])
    played.draft.decide(deciding(replacements.ReplaceQualifier, player=cut.seeds[1]))
    played.draft.decide(partial(eliminations.pair_elimination, secret=SECRET))
    closed_early(played)
    first, second = drawn_in(played)
    assert first.games != second.games
    assert set(second.games[0]) == {cut.seeds[0], seeds_of_cut(played.record, cut)[-1]}
    assert recomputed(played, tmp_path).stdout == as_derived(4) + "Bracket: as derived\n" * 2


@pytest.fixture
def divided(event: Play) -> Event:
    """Two divisions that play apart. Each division has its own cut and bracket."""
    played = event("pokemon-2009")
    played.enter(8, "junior")
    played.enter(12, "masters")
    cut = partial(cuts.make_cut, division_sizes={"junior": 2, "masters": 4}, deviating=True)
    played.play_plainly(3)
    played.draft.decide(cut)
    played.draft.decide(partial(eliminations.pair_elimination, secret=SECRET))
    closed_early(played)
    return played


def test_the_bracket_of_each_division_matches_its_derivation(divided: Event, tmp_path: Path) -> None:
    assert recomputed(divided, tmp_path).stdout == (
        f"{as_derived(3)}Bracket of junior: as derived\nBracket of masters: as derived\n"
    )


def test_a_swap_in_the_bracket_of_a_division_is_found(divided: Event, tmp_path: Path) -> None:
    _, masters = drawn_in(divided)
    (a, b), (c, d) = masters.games
    forged = replaced(divided.draft.entries, masters, masters.model_copy(update={"games": ((a, c), (b, d))}))
    found = recomputed(divided, tmp_path, entries=forged)
    by_hand = "Elimination round 1: entered by hand\n"
    assert found.stdout == f"{as_derived(3)}Bracket of junior: as derived\nBracket of masters: DIFFERENT\n{by_hand}"
    assert found.returncode == 1


def test_the_bracket_exposes_a_cut_that_was_altered_later(divided: Event, tmp_path: Path) -> None:
    cut = next(fact for entry in divided.draft.entries if isinstance(fact := entry.fact, CutMade))
    forged = replaced(divided.draft.entries, cut, cut.model_copy(update={"seeds": cut.seeds[::-1]}))
    assert "Bracket of junior: DIFFERENT\n" in recomputed(divided, tmp_path, entries=forged).stdout


def test_the_independent_program_and_the_engine_name_a_bracket_made_by_hand(event: Play, tmp_path: Path) -> None:
    played = event("ashes-2022")
    played.enter(6)
    played.play_plainly(2)
    played.draft.decide(partial(cuts.make_cut, seeds=(1, 2, 3, 4)))
    games = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
    played.draft.decide(partial(rounds.pair_by_hand, games=games, stage="elimination", deviating=True))
    closed_early(played)
    found = recomputed(played, tmp_path)
    assert (found.stdout, found.returncode) == (as_derived(2) + "Bracket: entered by hand\n", 0)
    draw = rederive(played.draft.entries).draws[-1]
    assert (draw.bracket, draw.round, draw.verdict) == ("", 2, "entered by hand")


@pytest.fixture
def shown() -> dict[str, Callable[..., object]]:
    """Return the code that docs/chance.md shows."""
    text = CHANCE.read_text("utf-8")
    code: dict[str, Callable[..., object]] = {}
    for mark in ("In Python:", "the first games of a bracket, from"):
        exec(block(text, mark, "python"), code)  # noqa: S102 - the document's own code
    return code


def test_the_example_bracket_on_the_chance_page_equals_the_draw_of_the_program(
    event: Play, shown: dict[str, Callable[..., object]]
) -> None:
    nothing_yet, players = results_digest(event("l5r-2018").record, 0), list(range(1, 12))
    (numbered,) = drawn_in(with_bracket(event, "l5r-2018"))
    assert shown["numbered_games"](SECRET, nothing_yet, players) == [list(game) for game in numbered.games]
    (seeded,) = drawn_in(with_bracket(event, "pokemon-2009"))
    order = shown["random_order"](SECRET, bracket_purpose(players), nothing_yet, players)
    assert shown["seeded_games"](order) == [list(game) for game in seeded.games]
