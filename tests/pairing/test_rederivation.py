"""Every draw of a log is repeated: derived rounds match, rounds by hand are named, and a swap is found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from tests.conftest import Replay
from tests.desk import RunCli
from tests.event import SECRET, deciding
from tests.pairing.conftest import Event, Play

from matchledger.commands import cuts, eliminations, structures
from matchledger.commands import tournaments as opening
from matchledger.events import BracketDrawn, Entry, RematchAllowed, RoundPaired, TieResolved
from matchledger_projections.pairing.rederivation import Rederivation, Rederived, rederive
from matchledger_projections.rulebook.rulebook import shipped_rulebooks

SHEETS = [
    sheet
    for sheet in sorted(Path("fixtures").glob("*/event.sheet"))
    if "refused" not in json.loads(sheet.with_name("expected.json").read_text("utf-8"))
]


def rounds_of(found: Rederivation) -> list[tuple[int, str]]:
    return [(draw.round, draw.verdict) for draw in found.draws if not draw.players and draw.bracket is None]


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
@pytest.mark.parametrize("players", [8, 9, 13])
def test_every_round_of_an_event_matches_its_derivation(event: Play, rulebook: str, players: int) -> None:
    played = event(rulebook, chance=players)
    played.enter(players)
    played.play(4)
    played.close()
    found = rederive(played.draft.entries)
    assert found.revelation == "revealed"
    assert rounds_of(found) == [(number, "as derived") for number in (1, 2, 3, 4)]
    assert found.holds


@pytest.mark.parametrize("sheet", SHEETS, ids=[sheet.parent.name for sheet in SHEETS])
def test_a_round_from_a_score_sheet_was_paired_by_hand(sheet: Path, replay: Replay) -> None:
    found = rederive(replay(sheet.read_text("utf-8")).draft.entries)
    assert found.holds
    assert {verdict for _, verdict in rounds_of(found)} == {"entered by hand"}


def test_one_swapped_table_is_found_and_named(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(8)
    played.play(3)
    played.close()
    found = rederive(with_two_opponents_exchanged(played.draft.entries, round_=2))
    assert not found.holds
    assert rounds_of(found)[1] == (2, "different")
    tables = next(draw.differences for draw in found.draws if draw.round == 2)
    assert [difference.split(":")[0] for difference in tables] == ["table 1", "table 2"]
    assert ", derived Player " in tables[0]


def test_a_swapped_bye_is_found(event: Play) -> None:
    played = event("street-warriors-2004")
    played.enter(7)
    played.pair()
    (paired,) = [entry.fact for entry in played.draft.entries if isinstance(entry.fact, RoundPaired)]
    bye, first = paired.byes[0].player, paired.tables[0].players[0]
    forged = paired.model_copy(
        update={
            "byes": (paired.byes[0].model_copy(update={"player": first}),),
            "tables": (
                paired.tables[0].model_copy(update={"players": (bye, paired.tables[0].players[1])}),
                *paired.tables[1:],
            ),
        }
    )
    (draw,) = rederive(replaced(played.draft.entries, paired, forged)).draws
    assert draw.differences[-1] == f"bye: Player {first}, derived Player {bye}"


def test_another_seed_is_found_after_the_secret_is_revealed(event: Play) -> None:
    played = event("ashes-2022")
    played.enter(6)
    played.pair()
    played.report()
    entries = list(played.draft.entries)
    (paired,) = [entry.fact for entry in entries if isinstance(entry.fact, RoundPaired)]
    forged = replaced(entries, paired, paired.model_copy(update={"seed": "ab" * 32}))
    before = rederive(forged)
    assert before.revelation == "not revealed"
    assert rounds_of(before) == [(1, "different")]
    played.close()
    after = rederive([*forged, played.draft.entries[-1]])
    assert after.draws[0].differences == ("its seed is not that of the secret",)


def test_a_secret_without_its_commitment_is_named(event: Play) -> None:
    played = event("ashes-2022")
    played.enter(6)
    played.play(1)
    played.close()
    *entries, closing = played.draft.entries
    other = closing.fact.model_copy(update={"secret": "cd" * 32})
    found = rederive([*entries, closing.model_copy(update={"fact": other})])
    assert found.revelation == "not the one committed to"
    assert not found.holds


def test_an_amended_round_is_checked_against_its_draw(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(8)
    played.pair()
    (one, two) = [two for _, two in sorted(played.record.round(1).tables.items())][:2]  # type: ignore[union-attr]
    played.amend((one[0], two[0]), (one[1], two[1]))
    (draw,) = rederive(played.draft.entries).draws
    assert draw.verdict == "as derived"
    assert draw.amendments == (played.record.position,)


def test_a_drawn_tie_is_checked_against_its_draw(event: Play) -> None:
    played = event("l5r-2018")
    played.enter(8)
    played.pair()
    played.report()
    played.draw_ties()
    found = rederive(played.draft.entries)
    assert [draw.verdict for draw in found.draws] == ["as derived"] * len(found.draws)
    assert any(draw.players for draw in found.draws)
    (tie, *_) = [entry.fact for entry in played.draft.entries if isinstance(entry.fact, TieResolved)]
    forged = tie.model_copy(update={"players": tie.players[::-1]})
    wrong = [draw for draw in rederive(replaced(played.draft.entries, tie, forged)).draws if draw.differences]
    assert [draw.players for draw in wrong] == [forged.players]
    assert wrong[0].differences[0].startswith("in order of the draw: Player ")


def test_unavoidable_rematches_are_also_derived(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    played.play_plainly(3)
    played.pair(allow_rematch=True)
    assert any(isinstance(entry.fact, RematchAllowed) for entry in played.draft.entries)
    found = rederive(played.draft.entries)
    assert rounds_of(found)[-1] == (4, "as derived")
    without = [entry for entry in played.draft.entries if not isinstance(entry.fact, RematchAllowed)]
    assert rederive(without).draws[-1].differences[0].startswith("no pairing without a rematch exists")


@pytest.mark.parametrize("sizes", [(7, 6, 9), (3, 8, 8), (1, 9, 7)])
def test_an_event_with_divisions_matches_its_derivation(event: Play, sizes: tuple[int, int, int]) -> None:
    played = event("pokemon-2009", chance=sum(sizes))
    for division, size in zip(("junior", "senior", "masters"), sizes, strict=True):
        played.enter(size, division)
    played.play(3)
    played.close()
    found = rederive(played.draft.entries)
    assert rounds_of(found) == [(number, "as derived") for number in (1, 2, 3)]


def test_an_undone_round_is_still_checked(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(8)
    played.pair()
    played.retract_last()
    played.pair()
    first, second = rederive(played.draft.entries).draws
    assert (first.verdict, first.counts) == ("as derived", False)
    assert (second.verdict, second.counts) == ("as derived", True)


# -- brackets


def with_bracket(event: Play, rulebook: str, *, cut: int = 0) -> Event:
    """Eleven players in a drawn elimination stage, after a cut or without Swiss rounds."""
    played = event(rulebook)
    played.enter(11)
    if cut:
        played.play_plainly(4)
        played.draft.decide(partial(cuts.make_cut, size=cut, deviating=True))
    else:
        played.draft.decide(deciding(structures.AnnounceStructure, deviating=True, style="elimination"))
    played.draft.decide(partial(eliminations.pair_elimination, secret=SECRET))
    return played


def closed_early(played: Event) -> None:
    played.draft.decide(partial(opening.close, secret=SECRET, unfinished=True))


def bracket_of(entries: Sequence[Entry]) -> Rederived:
    (found,) = [draw for draw in rederive(entries).draws if draw.bracket is not None]
    return found


@pytest.mark.parametrize(
    ("rulebook", "cut"),
    [("l5r-2018", 0), ("pokemon-2009", 0), ("street-warriors-2004", 0), ("l5r-2018", 4), ("ashes-2022", 4)],
)
@pytest.mark.parametrize("closed", [False, True])
def test_a_bracket_matches_its_derivation(event: Play, rulebook: str, cut: int, *, closed: bool) -> None:
    played = with_bracket(event, rulebook, cut=cut)
    if closed:
        closed_early(played)
    found = bracket_of(played.draft.entries)
    assert (found.verdict, found.round) == ("as derived", 4 if cut else 0)


@pytest.mark.parametrize(("rulebook", "cut"), [("l5r-2018", 0), ("pokemon-2009", 0), ("ashes-2022", 4)])
def test_two_swapped_games_of_a_bracket_are_found(event: Play, rulebook: str, cut: int) -> None:
    played = with_bracket(event, rulebook, cut=cut)
    drawn = next(fact for entry in played.draft.entries if isinstance(fact := entry.fact, BracketDrawn))
    forged = drawn.model_copy(update={"games": (*drawn.games[1::-1], *drawn.games[2:])})
    found = bracket_of(replaced(played.draft.entries, drawn, forged))
    assert found.verdict == "different"
    assert [difference.split(":")[0] for difference in found.differences] == ["game 1", "game 2"]


def test_a_bracket_with_another_seed_is_found_after_the_secret_is_revealed(event: Play) -> None:
    played = with_bracket(event, "l5r-2018")
    closed_early(played)
    drawn = next(fact for entry in played.draft.entries if isinstance(fact := entry.fact, BracketDrawn))
    forged = drawn.model_copy(update={"numbers_seed": "0" * 64})
    found = bracket_of(replaced(played.draft.entries, drawn, forged))
    assert found.differences == ("its seed is not that of the secret",)


def test_the_command_line_reports_that_a_bracket_matches_its_derivation(
    event: Play, tmp_path: Path, run_cli: RunCli
) -> None:
    ledger = with_bracket(event, "pokemon-2009").keep(tmp_path / "event.ledger")
    assert run_cli("verify", "--pairings", "--ledger", ledger).lines[2:] == ["Bracket: as derived"]
    (draw,) = run_cli("verify", "--pairings", "--json", "--ledger", ledger).document["pairings"]["draws"]
    assert (draw["draw"], draw["verdict"]) == ("bracket", "as derived")


def with_two_opponents_exchanged(entries: Sequence[Entry], *, round_: int) -> list[Entry]:
    """Return the log with the second players of a round's first two tables exchanged, only in the pairing."""
    paired = next(fact for entry in entries if isinstance(fact := entry.fact, RoundPaired) and fact.round == round_)
    one, two, *others = paired.tables
    (a, b), (c, d) = one.players, two.players
    swapped = (one.model_copy(update={"players": (a, d)}), two.model_copy(update={"players": (c, b)}))
    return replaced(entries, paired, paired.model_copy(update={"tables": (*swapped, *others)}))


def replaced(entries: Sequence[Entry], old: object, new: object) -> list[Entry]:
    return [entry.model_copy(update={"fact": new}) if entry.fact == old else entry for entry in entries]


def test_the_command_line_reports_each_round(event: Play, tmp_path: Path, run_cli: RunCli) -> None:
    played = event("pokemon-2009")
    played.enter(8)
    played.play(2)
    played.close()
    good, forged = tmp_path / "good.ledger", tmp_path / "forged.ledger"
    played.keep(good)
    played.draft.entries = with_two_opponents_exchanged(played.draft.entries, round_=2)
    played.keep(forged)
    said = run_cli("verify", "--pairings", "--ledger", str(good)).lines
    assert said[1:] == [
        "The revealed secret matches the opening entry.",
        "Round 1: as derived",
        "Round 2: as derived",
    ]
    said = run_cli("verify", "--pairings", "--ledger", str(forged), code=1).lines
    assert said[2:4] == ["Round 1: as derived", "Round 2: DIFFERENT"]
    assert said[4].startswith("  table 1: Player ")
