"""Files of today's games: a tournament cache or a file of Aesop's Tables goes in, and its official numbers are
compared.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from matchledger.formats.log_transcript import transcript_of
from matchledger.formats.reader import read_transcript
from matchledger.formats.text import FormatError
from matchledger.formats.writer import write_transcript
from matchledger.service.importing import Transcription, transcribe
from matchledger.service.official_numbers import Comparison, best_reading
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.rulebook.sources import grade_of
from matchledger_projections.standings.standings import standings

JSON = dict[str, Any]


def check(content: object) -> tuple[Transcription, Comparison]:
    """Execute the event, and compare it with its official numbers."""
    data = json.dumps(content).encode()
    return best_reading(
        read_transcript(data), lambda read: transcribe(read, data=data, source="event.json", secret=bytes(32))
    )


def cache(rounds: dict[str, list[str]], standings: list[JSON]) -> JSON:
    """Return a cache file. `A 2-1-0 B` is a match, and `A 2-0-0 -` is a bye."""
    listed = [
        {
            "RoundName": name,
            "Matches": [
                dict(zip(("Player1", "Result", "Player2"), match.split(), strict=True)) for match in matches
            ],
        }
        for name, matches in rounds.items()
    ]
    return {"Tournament": {"Name": "Legacy Night"}, "Rounds": listed, "Standings": standings}


def line(rank: int, player: str, points: int, *percentages: float) -> JSON:
    return {"Rank": rank, "Player": player, "Points": points} | dict(
        zip(("OMWP", "GWP", "OGWP"), percentages, strict=False)
    )


ROUNDS = {
    "Round 1": ["A 2-0-0 B", "C 2-1-0 D"],
    "Round 2": ["A 1-1-1 C", "C 1-1-1 A", "B 2-1-0 D"],
}


def test_a_drawn_match_that_both_players_list_counts_once() -> None:
    carried, found = check(
        cache(ROUNDS, [line(1, "C", 4, 0.5), line(2, "A", 4, 0.583333), line(3, "B", 3), line(4, "D", 0)])
    )
    assert [len(round_.tables) for round_ in carried.draft.record.rounds()] == [2, 2]
    assert found.compared["points"] == (4, 4)


def test_the_numbers_of_a_file_tell_how_to_read_it() -> None:
    """B lost without winning a game: a rulebook gives B a game-win percentage of 1/3 or of 0, and the file shows
    which.
    """
    rounds = {"Round 1": ["A 2-0-0 B", "C 2-0-0 D"]}
    third = 0.333333
    floored = [
        line(1, "A", 3, third, 1.0, third),
        line(2, "C", 3, third, 1.0, third),
        line(3, "B", 0, 1.0, third, 1.0),
    ]
    bare = [*floored[:2], line(3, "B", 0, 1.0, 0.0, 1.0)]
    for printed, policies in ((floored, {}), (bare, {"POL-MELEE-OWN-GW": "bare"})):
        carried, found = check(cache(rounds, printed))
        assert found.mismatches == []
        assert carried.draft.record.opening is not None
        assert carried.draft.record.opening.policies == policies


def test_if_matches_are_missing_only_points_are_compared() -> None:
    _, found = check(cache({"Round 1": ROUNDS["Round 1"]}, [line(1, "A", 6, 0.5, 0.5, 0.5), line(2, "C", 3, 0.5)]))
    assert found.compared == {"points": (1, 2)}
    assert found.order == (0, 0)
    assert found.not_comparable == [
        "opponents_match_win_percentage",
        "game_win_percentage",
        "opponents_game_win_percentage",
    ]
    [mismatch] = found.mismatches
    assert mismatch == "A: points is 3, the file says 6"


def test_impossible_games_stay_as_in_the_file() -> None:
    carried, _ = check(cache({"Round 1": ["A 3-0-0 B", "C 2-2-0 D", "D 2-2-0 C"]}, [line(1, "A", 3)]))
    [round_] = carried.draft.record.rounds()
    assert [report.slip.games for _, _, report in round_.results() if report] == [(3, 0, 0), (2, 2, 0)]


def test_an_undecided_final_has_no_result_and_does_not_count_in_swiss_numbers() -> None:
    rounds = ROUNDS | {"Semifinals": ["A 2-0-0 D", "C 2-1-0 B"], "Finals": ["A 0-0-3 C", "C 0-0-3 A"]}
    carried, found = check(cache(rounds, [line(1, "A", 4), line(2, "C", 4), line(3, "B", 3), line(4, "D", 0)]))
    assert [round_.number for round_ in carried.draft.record.rounds("elimination")] == [1, 2]
    assert found.mismatches == []


def test_round_names_decide_the_order_of_play() -> None:
    """Spaces in a result, a bye that is listed twice, and a final listed before round 1 make no difference."""
    rounds = {
        "Finals": ["A 2-0-0 C"],
        "Top 4": ["A 2-0-0 E", "C 2-1-0 B"],
        "Round 2": ["A 1-1-1 C", "B 2-1-0 D", "E 2-0-0 -", "E 2-0-0 -"],
        "Round 1": ["A 2-0-0 B", "C 2-1-0 D", "E 2-0-0 -"],
    }
    content = cache(rounds, [line(1, "E", 6), line(2, "A", 4), line(3, "C", 4), line(4, "B", 3), line(5, "D", 0)])
    content["Rounds"][2]["Matches"][0]["Result"] = "1 - 1 - 1"
    carried, found = check(content)
    record = carried.draft.record
    assert [len(round_.tables) for round_ in record.rounds("elimination")] == [2, 1]
    assert not any("late" in note for note in carried.notes)
    assert found.mismatches == []
    assert found.compared == {"points": (5, 5)}


def test_percentages_are_compared_with_the_decimals_that_the_file_shows() -> None:
    rounds = {"Round 1": ["A 2-0-0 B", "C 2-0-0 D"]}
    printed = line(1, "A", 3, 0.3333, 1.0, 0.3333)
    assert check(cache(rounds, [printed]))[1].mismatches == []
    _, found = check(cache(rounds, [printed | {"OMWP": 0.3334}]))
    assert found.mismatches == ["A: opponents_match_win_percentage is 1/3, the file says 0.3334"]


@pytest.mark.parametrize(
    ("printed", "fits"),
    [(0.666666, True), (0.666667, True), (0.666665, False), (0.666668, False), (0.66666600001, False)],
)
def test_a_file_with_six_decimals_may_have_truncated_them(printed: float, fits: bool) -> None:
    _, found = check(cache({"Round 1": ["A 2-1-0 B"]}, [line(1, "A", 3, 0.333333, printed)]))
    assert (found.mismatches == []) == fits


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"events": []}, "it has neither players nor Rounds"),
        ({"Rounds": [], "Standings": None}, "neither Rounds nor Standings name a player"),
        ({"Rounds": ["Round 1"]}, r"Rounds\[0\]: an object belongs here"),
        ({"players": [], "rounds": [[{"corpPlayer": 1}]]}, "players: nobody is named"),
    ],
)
def test_a_file_without_an_event_is_refused_in_one_line(content: JSON, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        check(content)


def test_a_null_tournament_and_percent_signs_are_read() -> None:
    content = cache(ROUNDS, [line(1, "A", 4) | {"OMWP": "58.33 %"}, line(2, "C", 4) | {"OMWP": "50.00%"}])
    content["Tournament"] = None
    _, found = check(content)
    assert found.compared["opponents_match_win_percentage"] == (2, 2)
    assert found.mismatches == []


def test_names_that_differ_only_in_case_are_one_player_unless_both_play_in_a_round() -> None:
    one = cache({"Round 1": ["ann 2-0-0 Bo"], "Round 2": ["Ann 2-0-0 Cy"]}, [line(1, "ANN", 6)])
    carried, found = check(one)
    assert (len(carried.draft.record.players), found.mismatches) == (3, [])
    assert read_transcript(json.dumps(one).encode()).notes == (
        "Ann is read as ann, the first spelling",
        "ANN is read as ann, the first spelling",
        "Bo: in no round after round 1, so dropped then",
        "Cy: first in round 2, so a late arrival",
    )
    two = cache({"Round 1": ["ann 2-0-0 Bo", "Ann 2-0-0 Cy"]}, [line(1, "ann", 3), line(2, "Ann", 3)])
    carried, found = check(two)
    assert {player.name for player in carried.draft.record.players.values()} == {"ann", "Bo", "Ann (2)", "Cy"}
    assert found.compared["points"] == (2, 2)


def test_a_file_with_only_elimination_rounds_is_refused_in_one_line() -> None:
    with pytest.raises(
        FormatError, match=r"^Rounds: no Swiss round \(Round N\); a cut needs the Swiss rounds before it$"
    ):
        check(cache({"Semifinals": ["A 2-0-0 B", "C 2-0-0 D"], "Finals": ["A 2-0-0 C"]}, [line(1, "A", 4)]))


def test_players_share_an_official_place_only_if_no_tiebreaker_separates_them() -> None:
    rounds = {"Round 1": ["A 2-0-0 B", "C 2-0-0 D"]}
    together = [line(1, "A", 3), line(1, "C", 3), line(3, "D", 0), line(3, "B", 0)]
    assert check(cache(rounds, together))[1].mismatches == []
    _, found = check(
        cache(rounds, [line(7, name, points) for name, points in zip("ABCD", (3, 0, 3, 0), strict=True)])
    )
    assert found.mismatches == ["order: C (1) shares a place with B (3) in the file"]
    games = {"Round 1": ["A 2-0-0 B", "C 2-1-0 D"]}
    _, found = check(cache(games, together[:2]))
    assert found.mismatches == ["order: A (1) shares a place with C (2) in the file"]
    _, found = check(cache(rounds, [line(1, "D", 0), line(2, "A", 3), line(2, "C", 3), line(4, "B", 0)]))
    assert found.mismatches == ["order: D (3) is above A (1) in the file"]


def test_a_player_without_an_official_place_is_named() -> None:
    found = check(
        cache(ROUNDS, [line(1, "C", 4), line(2, "A", 4), line(3, "B", 3), line(4, "D", 0) | {"Rank": None}])
    )[1]
    assert found.unranked == ("D",)
    content = aesops([(1, 3, 0, 2)], players=2)
    content["players"][0]["rank"] = 1
    assert check(content)[1].unranked == ("B",)


def test_one_place_for_all_players_contradicts_their_points() -> None:
    content = aesops([(1, 3, 0, 2)], players=2)
    for player in content["players"]:
        player["rank"] = 7
    assert check(content)[1].order == (0, 1)


@pytest.mark.parametrize("bye", ["- 0-2-0 C", "C 2-0-0 -"])
def test_a_bye_counts_as_won_whatever_games_the_file_gives_it(bye: str) -> None:
    _, found = check(cache({"Round 1": ["A 2-0-0 B", bye]}, [line(1, "A", 3), line(2, "C", 3), line(3, "B", 0)]))
    assert found.compared["points"] == (3, 3)


@pytest.mark.parametrize("nobody", ["-", "\N{EN DASH}", "\N{EM DASH}", "bye", "BYE", "(BYE)", None])
def test_no_notation_of_the_opponent_of_a_bye_makes_a_player(nobody: str | None) -> None:
    rounds = {"Round 1": ["A 2-1-0 B", "C 2-0-0 X"], "Round 2": ["A 2-0-0 C", "B 2-0-0 x"]}
    content = cache(rounds, [line(1, "A", 6), line(2, "B", 3), line(3, "C", 3)])
    content["Rounds"][0]["Matches"][1]["Player2"] = nobody
    content["Rounds"][1]["Matches"][1]["Player2"] = "Bye"
    carried, found = check(content)
    assert (found.mismatches, carried.notes) == ([], [])
    assert [len(round_.byes) for round_ in carried.draft.record.rounds()] == [1, 1]


def test_a_player_in_the_standings_may_have_the_name_bye() -> None:
    carried, found = check(cache({"Round 1": ["A 2-1-0 Bye"]}, [line(1, "A", 3), line(2, "Bye", 0)]))
    assert (found.mismatches, carried.draft.record.rounds()[0].byes) == ([], ())


def test_percentages_without_a_percent_sign_are_read_as_percent() -> None:
    lines = [line(1, "A", 3, 33.3333, 66.6667, 33.3333), line(2, "B", 0, 100, 33.3333, 66.6667)]
    assert check(cache({"Round 1": ["A 2-1-0 B"]}, lines))[1].mismatches == []
    lines[1]["OGWP"] = 66.6661
    [wrong] = check(cache({"Round 1": ["A 2-1-0 B"]}, lines))[1].mismatches
    assert wrong == "B: opponents_game_win_percentage is 2/3, the file says 0.666661"


def test_players_whose_order_rounding_may_have_decided_are_not_compared() -> None:
    rounds = {"Round 1": ["A 2-0-0 B", "C 2-1-0 D"]}
    _, found = check(cache(rounds, [line(1, "C", 3), line(2, "A", 3), line(3, "B", 0), line(4, "D", 0)]))
    assert found.order == (1, 1)


def test_a_round_in_two_parts_is_one_round() -> None:
    content = cache({"Round 1": ["A 2-0-0 B"], "round  01": ["C 2-1-0 D", "B 0-2-0 A"]}, [line(1, "A", 3)])
    carried, _ = check(content)
    [round_] = carried.draft.record.rounds()
    assert len(round_.tables) == 2
    assert carried.notes == ["Round 1 is listed 2 times, read as one round"]


@pytest.mark.parametrize(
    "name",
    ["round 2", "ROUND 2", " Round  2", "Round-2", "Swiss Round 2", "Day 1 - Round 2", "Round 2 (Swiss)", "R2"],
)
def test_every_notation_of_a_swiss_round_is_recognized(name: str) -> None:
    carried, _ = check(cache({"Round 1": ROUNDS["Round 1"], name: ROUNDS["Round 2"]}, []))
    assert [len(round_.tables) for round_ in carried.draft.record.rounds()] == [2, 2]
    assert carried.draft.record.rounds("elimination") == []


def test_rounds_with_other_names_and_missing_rounds_are_noted() -> None:
    """`Quarter-Finals` is recognized. Rounds with two unknown names stay separate."""
    rounds = {"Round 2": ["A 2-0-0 B"], "Final 4": ["A 2-0-0 B"], "Playoff": ["B 2-0-0 A"]}
    carried, _ = check(cache(rounds, []))
    assert len(carried.draft.record.rounds("elimination")) == 2
    assert carried.notes[:3] == [
        "Round 2 is read as round 1: the file lacks a round before it",
        "Rounds[1]: 'Final 4' is no Swiss round (Round N), so one of the cut",
        "Rounds[2]: 'Playoff' is no Swiss round (Round N), so one of the cut",
    ]
    rounds = {"Round 1": ["A 2-0-0 B"], "Quarter-Finals": ["A 2-0-0 B"]}
    assert check(cache(rounds, []))[0].notes == []


@pytest.mark.parametrize("again", ["B 2-1-0 A", "A 2-0-0 B", "A 1-1-1 B"])
def test_two_contradicting_rows_of_a_match_are_refused_with_both_places(again: str) -> None:
    with pytest.raises(FormatError, match=r"Matches\[1\]: . - . has another result in Rounds\[0\].Matches\[0\]"):
        check(cache({"Round 1": ["A 2-1-0 B", again]}, []))


def test_a_match_of_a_player_against_the_same_player_is_refused() -> None:
    with pytest.raises(FormatError, match=r"Rounds\[0\].Matches\[0\]: A plays against A"):
        check(cache({"Round 1": ["A 2-1-0 A"]}, []))


def test_a_loss_without_an_opponent_gives_no_points() -> None:
    lines = [line(1, "A", 3, 0.333333, 0.666667, 0.333333), line(2, "C", 0, 0.333333, 0.333333, 0.333333)]
    carried, found = check(cache({"Round 1": ["A 2-1-0 B", "C 0-2-0 -"]}, lines))
    assert found.mismatches == []
    assert carried.notes == [
        "Rounds[0].Matches[1]: C has a loss without an opponent, read as a round of 0 points and lost games"
    ]


def test_two_equal_lines_of_the_standings_count_once() -> None:
    rounds = {"Round 1": ["A 2-0-0 B"]}
    twice = [
        line(1, "A", 3, 0.333333),
        line(2, "B", 0),
        {"Rank": "1", "Player": " A ", "Points": "3", "OMWP": "0.333333"},
    ]
    carried, found = check(cache(rounds, twice))
    assert carried.notes == ["Standings[2]: A is listed twice, counted once"]
    assert found.compared["points"] == (2, 2)
    with pytest.raises(FormatError, match=r"Standings\[2\]: A is listed twice, with other numbers"):
        check(cache(rounds, [*twice[:2], line(3, "A", 3)]))


@pytest.mark.parametrize("result", ["2:1", "won", "2-1-0-0"])
def test_an_invalid_result_is_refused_with_its_path(result: str) -> None:
    content = cache({"Round 1": ["A 2-0-0 B"]}, [])
    content["Rounds"][0]["Matches"][0]["Result"] = result
    with pytest.raises(FormatError, match=r"Rounds\[0\].Matches\[0\].Result"):
        check(content)


def aesops(scores: list[tuple[object, object, object, object]], players: int = 3, **numbers: JSON) -> JSON:
    return {
        "name": "Game Night Kit",
        "players": [
            {"id": n, "name": "ABCD"[n - 1]} | numbers.get("ABCD"[n - 1], {}) for n in range(1, players + 1)
        ],
        "rounds": [
            [
                {
                    "tableNumber": 1,
                    "corpPlayer": corp,
                    "corpScore": mine,
                    "runnerScore": theirs,
                    "runnerPlayer": runner,
                }
                for corp, mine, theirs, runner in scores
            ]
        ],
        "preliminaryRounds": 1,
        "cutToTop": 0,
        "eliminationPlayers": [],
    }


@pytest.mark.parametrize("nobody", ["(BYE)", "(bye)", "BYE"])
def test_aesops_tables_writes_byes_in_brackets_and_scores_as_texts(nobody: str) -> None:
    content = aesops([(1, "3", "0", 2), (nobody, "0", "3", 3)], A={"matchPoints": 3}, C={"matchPoints": 3})
    carried, found = check(content)
    [round_] = carried.draft.record.rounds()
    assert [bye.player for bye in round_.byes] == [3]
    assert found.compared == {"points": (2, 2)}


def test_points_that_no_game_gives_are_kept_and_noted() -> None:
    """The score sheet of the event keeps impossible points too. A typed slip cannot give points that no game
    gives.
    """
    content = aesops(
        [(1, "2", "1", 2), (3, 0, "-1", 4)], 4, A={"matchPoints": 2}, B={"matchPoints": "1"}, D={"matchPoints": -1}
    )
    carried, found = check(content)
    assert found.compared == {"points": (3, 3)}
    assert sorted(carried.notes) == [
        "rounds[0]: table 1 is taken, so C - D is table 2",
        "rounds[0][0]: A - B: 2-1 is no result of a game, kept as written",
        "rounds[0][1]: C - D has negative points, kept as written",
    ]
    sheet, left_out = write_transcript(transcript_of(carried.draft.record), "sheet")
    assert left_out == []
    again = transcribe(read_transcript(sheet), data=sheet, source="x", secret=bytes(32)).draft.record
    assert [row.points for row in standings(again, 1).rows] == [2, 1, 0, -1]
    typed = read_transcript(sheet.replace(b" as-found", b""))
    with pytest.raises(FormatError, match="accepts no points on a slip"):
        transcribe(typed, data=sheet, source="x", secret=bytes(32))


@pytest.mark.parametrize("points", ["1.5", "three", "1000000", [3], True])
def test_the_error_about_invalid_points_names_round_and_table(points: object) -> None:
    with pytest.raises(FormatError, match=r"^rounds\[0\]\[0\]\.corpScore: a whole number"):
        check(aesops([(1, points, "0", 2)]))


def a_cut_of_aesops_tables(ranks: tuple[int, ...], winner: str = "winner_id") -> JSON:
    """C won 3-0 in the Swiss round. A and B won too. In the final, A beat C."""
    content = aesops([(1, "3", "0", 4), (3, "3", "0", 2)], 4)
    for player, rank in zip(content["players"], ranks, strict=True):
        player["rank"] = rank
    content["rounds"].append([{"tableNumber": 1, "corpPlayer": 1, "runnerPlayer": 2, winner: 2}])
    content["rounds"][1][0]["eliminationGame"] = True
    content["eliminationPlayers"] = [{"id": 1, "seed": 1, "rank": 2}, {"id": 2, "seed": 2, "rank": 1}]
    return content


def test_aesops_tables_ranks_players_in_a_cut_by_the_swiss_rounds() -> None:
    assert check(a_cut_of_aesops_tables((1, 3, 2, 4)))[1].mismatches == []
    _, found = check(a_cut_of_aesops_tables((3, 1, 2, 4)))
    assert found.mismatches == ["order: B (3) is above C (1) in the file"]


def test_the_listed_loser_of_a_game_in_the_cut_shows_who_won() -> None:
    carried, _ = check(a_cut_of_aesops_tables((1, 3, 2, 4), "loser_id"))
    [final] = carried.draft.record.rounds("elimination")
    assert [report.slip.winner for _, _, report in final.results() if report] == [1]


def test_schedules_of_aesops_tables_match_to_three_decimals() -> None:
    """A number halfway between two decimals may be rounded up or down. Any other number must match to three
    decimals.
    """
    scores: list[tuple[object, object, object, object]] = [(1, "3", "0", 2)]
    _, found = check(aesops(scores, 2, A={"strengthOfSchedule": "0.001"}, B={"strengthOfSchedule": "3.000"}))
    assert found.compared == {"strength_of_schedule": (1, 2)}
    assert found.mismatches == ["A: strength_of_schedule is 0, the file says 0.001"]


@pytest.mark.parametrize(
    ("file", "names", "rulebook"),
    [
        ("magic-melee/*.json", 4, "magic-melee"),
        ("netrunner-aesops/*.json", 3, "netrunner-aesops"),
        ("netrunner-cobra/*.json", 3, "netrunner-2023"),
        ("pokemon-tom/*.tdf", 0, "pokemon-tom"),
    ],
)
def test_every_official_number_is_reproduced_and_counts_for_the_grade(
    real_events: Path, file: str, names: int, rulebook: str
) -> None:
    """A rulebook's grade says how many official numbers `matchledger check` compared. TOM files contain only
    places.
    """
    numbers = 0
    for path in sorted(real_events.glob(file)):
        data = path.read_bytes()
        _, found = best_reading(
            read_transcript(data),
            lambda read, data=data: transcribe(read, data=data, source="x", secret=bytes(32)),  # type: ignore[misc]
        )
        if "-gaps-" in path.name:
            assert found.mismatches, path.name
            assert list(found.compared) == ["points"], path.name
        else:
            assert found.mismatches == [], path.name
            assert len(found.compared) == names, path.name
            numbers += found.matched - found.order[0] if names else found.order[0]
    grade = grade_of(parse_rulebook(rulebook_text(rulebook)))
    assert grade is not None
    assert grade.numbers == numbers
