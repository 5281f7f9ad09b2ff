"""Certain, impossible and open places in the cut. The tests compare `clinch` with every possible end of the
rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.audit.random_events import TOURNAMENT, chance_of, play, report_all
from tests.desk import RunCli
from tests.event import SECRET
from tests.tv_x import TWO_PLAYED, tv_x

from matchledger.cli import run
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import Refusal
from matchledger.events import Bye, Entry, Seating, StructureAnnounced
from matchledger.ledger import Clerk, Draft, open_ledger
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record, fold
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.clinch import Clinch, clinch
from matchledger_projections.views.prospects import gains, outcomes

Replay = Callable[[str], Transcription]
Fates = dict[str, tuple[str, bool | None]]


def pair_on(draft: Draft) -> None:
    """Pair the next round, even if the rulebook's table gives no further round (ASH-ROUNDS)."""
    draft.decide(partial(rounds.pair_round, secret=SECRET, allow_rematch=True, deviating=True))


def fates(record: Record, found: Clinch) -> Fates:
    return {
        record.players[prospect.player].name: (prospect.fate, prospect.draw_is_safe) for prospect in found.prospects
    }


def fates_of(found: Clinch) -> dict[int, str]:
    return {prospect.player: prospect.fate for prospect in found.prospects}


# -- brute force, by the decisions of a real event


def _ways(record: Record) -> list[Written]:
    law = record.rulebook
    ways: list[Written] = []
    for kind, result in law.results.items():
        if kind not in ("no-show", "concession", "time-tiebreak") and not result.as_written:
            ways += [Written(kind=kind, winner=side) for side in ((0, 1) if result.winner is not None else (None,))]
    return ways


def _reported(entries: list[Entry]) -> Iterator[Draft]:
    """Yield every way in which the open tables can end."""
    latest = fold(entries).latest_round()
    assert latest is not None
    for ways in product(_ways(fold(entries)), repeat=len(latest.outstanding)):
        draft = Draft(TOURNAMENT, fold(entries))
        for table, way in zip(latest.outstanding, ways, strict=True):
            draft.decide(partial(slips.report, table=table, written=way, deviating=True))
        yield draft


def _paired(entries: list[Entry]) -> Iterator[list[Entry]]:
    """Yield every pairing of the next round that the program accepts by hand and that has no rematch."""
    active = [player.number for player in fold(entries).active_players()]
    seen: set[frozenset[frozenset[int]]] = set()
    for order in permutations(active):
        games = [order[index : index + 2] for index in range(0, len(order) - 1, 2)]
        byes = order[len(games) * 2 :]
        key = frozenset(frozenset(game) for game in [*games, byes])
        if key in seen:
            continue
        seen.add(key)
        draft = Draft(TOURNAMENT, fold(entries))
        if any(bye.player in byes for round_ in draft.record.rounds() for bye in round_.byes):
            continue  # no player has a second bye
        seatings = [Seating(table=table, players=(game[0], game[1])) for table, game in enumerate(games, 1)]
        try:
            anybodys = [Bye(player=bye) for bye in byes]  # the staff may give the bye to any player for any reason
            draft.decide(partial(rounds.pair_by_hand, games=seatings, byes=anybodys, deviating=True))
        except Refusal:
            continue
        yield [*entries, *draft.entries]


def by_force(entries: list[Entry], cut: int) -> dict[int, str]:
    latest = fold(entries).latest_round()
    assert latest is not None
    starts = [entries] if latest.outstanding else list(_paired(entries))
    inside: set[int] = set()
    outside: set[int] = set()
    for start in starts:
        for draft in _reported(start):
            reached = draft.record.latest_round()
            assert reached is not None
            place = 0
            for group in standings(draft.record, reached.number).groups:
                members = [player for player in group if draft.record.status(player) == "active"]
                if place < cut:
                    inside |= set(members)
                if place + len(members) > cut:
                    outside |= set(members)
                place += len(members)
    active = [player.number for player in fold(entries).active_players()]
    words = {(True, True): "open", (True, False): "certain", (False, True): "impossible"}
    return {player: words[player in inside, player in outside] for player in active}


EXACT = ("l5r-2018", "pokemon-2009", "pokemon-tom", "street-warriors-2004")


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(EXACT), st.integers(4, 7), st.integers(0, 2), st.integers(1, 4))
def test_an_open_round_is_searched_exactly(seed: int, rulebook: str, players: int, played: int, cut: int) -> None:
    event = play(seed, rulebook, players, played, calm=True)
    draft = Draft(TOURNAMENT, fold(event.entries))
    pair_on(draft)
    entries = [*event.entries, *draft.entries]
    found = clinch(entries, rounds_left=1, cut=cut)
    assert found.basis == "exact"
    assert fates_of(found) == by_force(entries, cut)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(EXACT), st.integers(4, 5), st.integers(1, 3))
def test_an_unpaired_round_is_searched_exactly(seed: int, rulebook: str, players: int, cut: int) -> None:
    event = play(seed, rulebook, players, 1, calm=True)
    found = clinch(event.entries, rounds_left=1, cut=cut)
    assert found.basis == "exact"
    assert fates_of(found) == by_force(event.entries, cut)


@settings(max_examples=40)
@given(
    st.integers(0, 2**32),
    st.sampled_from([*EXACT, "ashes-2022"]),
    st.integers(4, 6),
    st.integers(1, 2),
    st.booleans(),
    st.integers(1, 4),
)
@example(0, "ashes-2022", 4, 2, True, 2)
def test_clinch_by_bounds_never_contradicts_the_exact_search(
    seed: int, rulebook: str, players: int, played: int, open_round: bool, cut: int
) -> None:
    event = play(seed, rulebook, players, played)
    draft = Draft(TOURNAMENT, fold(event.entries))
    active = len(draft.record.active_players())
    if open_round and active >= 2:
        pair_on(draft)
    entries = [*event.entries, *draft.entries]
    exact = clinch(entries, rounds_left=1, cut=cut, most_endings=10**6)
    bound = clinch(entries, rounds_left=1, cut=cut, most_endings=0)
    replayed = "results" if rulebook == "ashes-2022" else "exact"  # coming slips can have any blood points
    assert (exact.basis, bound.basis, bound.endings) == (replayed, "bound", None)
    for searched, counted in zip(exact.prospects, bound.prospects, strict=True):
        assert counted.fate in ("undecided", searched.fate) or searched.fate == "undecided"
        assert searched.draw_is_safe or not counted.draw_is_safe


@settings(max_examples=6)
@given(st.integers(0, 2**32), st.sampled_from(["pokemon-tom", "street-warriors-2004"]), st.integers(1, 3))
def test_clinch_by_bounds_is_correct_over_two_rounds(seed: int, rulebook: str, cut: int) -> None:
    event = play(seed, rulebook, 4, 1, calm=True)
    exact = clinch(event.entries, rounds_left=2, cut=cut, most_endings=10**6)
    bound = clinch(event.entries, rounds_left=2, cut=cut, most_endings=0)
    assert exact.basis == "exact"
    for searched, counted in zip(exact.prospects, bound.prospects, strict=True):
        assert counted.fate in ("undecided", searched.fate)
        assert searched.draw_is_safe or not counted.draw_is_safe


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from([*EXACT, "ashes-2022"]), st.integers(4, 7), st.integers(1, 4))
@example(127741165, "l5r-2018", 4, 3)
@example(403123852, "l5r-2018", 7, 4)
@example(0, "ashes-2022", 4, 2)
def test_certain_places_are_reached_in_every_ending_and_impossible_places_in_none(
    seed: int, rulebook: str, players: int, cut: int
) -> None:
    event = play(seed, rulebook, players, 2, calm=True)
    draft = Draft(TOURNAMENT, fold(event.entries))
    pair_on(draft)
    found = clinch([*event.entries, *draft.entries], rounds_left=1, cut=cut)
    playing = draft.record.active_players()
    report_all(draft, chance_of(seed + 1))
    # A no-show drops a player, and the claims assume that nobody drops.
    assume(draft.record.active_players() == playing)
    # A dropped player keeps a place in the standings but takes no place in the cut.
    groups = [
        [player for player in group if draft.record.status(player) == "active"]
        for group in standings(draft.record).groups
    ]
    for prospect in found.prospects:
        at = next((place for place, group in enumerate(groups) if prospect.player in group), len(groups))
        ahead, level = sum(map(len, groups[:at])), groups[at] if at < len(groups) else []
        if prospect.fate == "certain":
            assert ahead + len(level) <= cut
        if prospect.fate == "impossible" and level:
            assert ahead >= cut


# -- cases worked out by hand


def test_two_of_eight_players_are_certain_of_the_cut_before_the_last_round(replay: Replay) -> None:
    # E (2 points, lower SoS) can reach 12 points, but stays behind four others in every ending. H can reach 12
    # points too, and can still pass other players on tiebreaks.
    draft = replay(tv_x(TWO_PLAYED, "l5r-2018")).draft
    found = clinch(draft.entries, rounds_left=1, cut=4)
    assert (found.basis, found.endings) == ("exact", 7**4)
    certain = {name for name, (fate, _) in fates(draft.record, found).items() if fate == "certain"}
    assert certain == {"F", "C"}


def test_without_rounds_left_every_place_is_decided(replay: Replay) -> None:
    draft = replay(tv_x(TWO_PLAYED, "l5r-2018").replace(" - ", " > ")).draft
    found = clinch(draft.entries, rounds_left=0, cut=1)
    assert {name: fate for name, (fate, _) in fates(draft.record, found).items() if fate != "impossible"} == {
        "F": "certain"
    }


def test_an_intentional_draw_is_safe_only_for_a_player_who_stays_ahead(replay: Replay) -> None:
    # A has 6 points, B and C have 3 each, D has 0. Two players go on. In every ending, A is in the cut. After a
    # draw B and C have 4 points each. B and C are level in the points of the players that they beat (D) and did
    # not beat (A, each other). C lost later than B (in round 2), and so stays ahead of B. D goes on only if D
    # wins while B and C both lose their match. If D wins and B and C lose, all three have 3 points.
    sheet = """\
rulebook street-warriors-2004
players A B C D
round 1
  A > B
  C > D
round 2
  A > C
  B > D
round 3
  A - D
  B - C
"""
    draft = replay(sheet).draft
    found = clinch(draft.entries, rounds_left=1, cut=2)
    assert fates(draft.record, found) == {
        "A": ("certain", True),
        "B": ("open", False),
        "C": ("open", True),
        "D": ("open", False),
    }


def test_clinch_mentions_no_draws_if_the_rulebook_has_none(replay: Replay) -> None:
    draft = replay(tv_x(TWO_PLAYED, "l5r-2018")).draft
    found = clinch(draft.entries, rounds_left=1, cut=4)
    assert {prospect.draw_is_safe for prospect in found.prospects} == {None}


def test_a_player_with_a_bye_is_offered_no_intentional_draw(replay: Replay) -> None:
    sheet = "rulebook pokemon-tom\nplayers A B C\nround 1\n A - B\n C bye\n"
    draft = replay(sheet).draft
    found = fates(draft.record, clinch(draft.entries, rounds_left=1, cut=1))
    assert found["C"][1] is None
    assert found["A"][1] is not None


def test_players_who_left_take_no_place(replay: Replay) -> None:
    draft = replay(tv_x(TWO_PLAYED, "l5r-2018").replace(" - ", " > ") + "drop F\n").draft
    found = fates(draft.record, clinch(draft.entries, rounds_left=0, cut=1))
    assert "F" not in found
    assert sum(fate == "certain" for fate, _ in found.values()) <= 1


def test_clinch_asks_for_the_highest_score_if_slips_have_points(replay: Replay) -> None:
    sheet = "rulebook netrunner-2023\nplayers A B C D\nround 1\n A 6-0 B\n C 3-3 D\nround 2\n A - C\n B - D\n"
    draft = replay(sheet).draft
    with pytest.raises(
        ValueError, match="netrunner-2023 scores points as written: say what one player can score at most"
    ):
        clinch(draft.entries, rounds_left=1, cut=2)
    found = clinch(draft.entries, rounds_left=1, cut=2, highest=6)
    assert found.basis == "bound"


def test_a_large_open_round_is_counted_table_by_table() -> None:
    event = play(3, "pokemon-2009", 64, 5, calm=True)
    draft = Draft(TOURNAMENT, fold(event.entries))
    pair_on(draft)
    found = clinch([*event.entries, *draft.entries], rounds_left=1, cut=8)
    assert found.basis == "bound"
    kinds = {prospect.fate for prospect in found.prospects}
    assert {"impossible", "open"} <= kinds


def test_results_with_equal_points_are_replayed_only_once() -> None:
    l5r = parse_rulebook(rulebook_text("l5r-2018"))
    assert [(outcome.kind, outcome.points) for outcome in outcomes(l5r)] == [
        ("win", (10, 1)),
        ("win", (1, 10)),
        ("modified-win", (6, 0)),
        ("modified-win", (0, 6)),
        ("modified-loss", (10, 0)),
        ("modified-loss", (0, 10)),
        ("double-loss", (1, 1)),
    ]
    assert gains(l5r) == (0, 10, 1)


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    sheet = tmp_path / "event.sheet"
    sheet.write_text(tv_x(TWO_PLAYED, "street-warriors-2004"))
    path = str(tmp_path / "event.ledger")
    assert run(["import", str(sheet), "--ledger", path]) == 0
    return path


def test_clinch_states_its_assumptions(ledger: str, run_cli: RunCli) -> None:
    lines = run_cli("clinch", "--rounds-left", "1", "--cut", "2", "--ledger", ledger).lines
    assert lines[1:3] == [
        "Cut of 2 with 1 round left",
        "Exact: all 256 ways to end were replayed, tiebreakers included.",
    ]
    assert lines[5].split() == ["Player", "TP", "Cut", "A", "draw"]
    assert lines[6] == "F        6  open        is safe"
    assert "BOUND: counted on points alone, because there are too many ways to end to replay each." in (
        run_cli("clinch", "--rounds-left", "3", "--cut", "2", "--ledger", ledger).out
    )


def test_the_json_document_has_stable_keys(ledger: str, run_cli: RunCli) -> None:
    document = run_cli("clinch", "--rounds-left", "1", "--cut", "2", "--ledger", ledger, "--json").document
    assert list(document) == [
        "tournament", "rulebook", "position", "division", "cut", "rounds_left", "basis", "endings", "left_open",
        "players", "unit",
    ]  # fmt: skip
    assert list(document["players"][0]) == ["player", "number", "points", "cut", "draw_is_safe"]


def test_a_round_in_progress_counts_as_a_remaining_round(ledger: str, run_cli: RunCli) -> None:
    assert (
        run_cli("clinch", "--rounds-left", "0", "--cut", "2", "--ledger", ledger, code=2).err
        == "matchledger: round 3 is in progress: at least 1 round is left\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cut", "2"], "no structure was announced: give the number of rounds left; use --rounds-left"),
        (["--rounds-left", "1"], "no cut was announced: give the number of players who go on; use --cut"),
    ],
)
def test_without_an_announcement_clinch_asks_for_rounds_and_cut(
    ledger: str, run_cli: RunCli, arguments: list[str], message: str
) -> None:
    assert run_cli("clinch", *arguments, "--ledger", ledger, code=2).problem == f"{message}"


def test_clinch_uses_the_announced_rounds_and_cut(ledger: str, run_cli: RunCli) -> None:
    announced = StructureAnnounced(style="swiss-with-cut", structure="custom", rounds=4, cut=2)
    with open_ledger(ledger) as kept:
        kept.decide(kept.tournaments()[0], lambda _: [announced], clerk=Clerk())
    assert run_cli("clinch", "--ledger", ledger).lines[1] == "Cut of 2 with 2 rounds left"
