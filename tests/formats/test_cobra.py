"""Cobra and NRTM exports: JSON goes in, and steps and official numbers come out."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.formats.transcripts import movements_of, rounds_of

from matchledger.formats.reader import read_transcript
from matchledger.formats.text import FormatError
from matchledger.formats.transcript import (
    ByeLine,
    Close,
    Cut,
    Entrant,
    Game,
    OfficialNumbers,
    Outcome,
    PlayRound,
    Register,
    Transcript,
    printed_as,
)

JSON = dict[str, Any]


def side(player: object, points: object = None) -> JSON:
    return {"id": player, "combinedScore": points, "runnerScore": 0, "corpScore": 0}


def match(first: object, mine: object, theirs: object, second: object, **more: object) -> JSON:
    return {"table": None, "player1": side(first, mine), "player2": side(second, theirs)} | more


def decider(first: int, second: int, winner: int | None) -> JSON:
    sides: list[JSON] = [{"id": player, "role": "corp", "winner": None} for player in (first, second)]
    if winner is not None:
        sides = [each | {"winner": each["id"] == winner} for each in sides]
    return {"table": 1, "player1": sides[0], "player2": sides[1], "eliminationGame": True}


def export(rounds: list[list[JSON]], players: int = 4, **more: object) -> JSON:
    """An event of the players A, B, C, ... with the ids 1, 2, 3, ..."""
    named: list[JSON] = [{"id": number, "name": "ABCDEFGH"[number - 1]} for number in range(1, players + 1)]
    return {"name": "Store Championship", "players": named, "rounds": rounds} | more


def read(content: object) -> Transcript:
    return read_transcript(json.dumps(content).encode(), "cobra")


def refusal(content: object) -> str:
    with pytest.raises(FormatError) as caught:
        read(content)
    return str(caught.value)


def test_a_match_has_its_scores_as_in_the_file_and_a_missing_opponent_means_a_bye() -> None:
    transcript = read(export([[match(1, 4, 1, 2, table=7), match(3, 6, 0, None)]], players=3))
    assert (transcript.format, transcript.rulebook, transcript.name) == (
        "cobra",
        "netrunner-2023",
        "Store Championship",
    )
    assert transcript.steps == (
        Register(None, Entrant("A")),
        Register(None, Entrant("B")),
        Register(None, Entrant("C")),
        PlayRound(
            None,
            "swiss",
            1,
            (Game(None, "A", "B", Outcome("score", "A", (4, 1)), 7),),
            (ByeLine(None, "C", 6),),
        ),
        Close(None),
    )


@pytest.mark.parametrize(
    ("first", "second", "scores"),
    [
        ({"combinedScore": 0}, {"combinedScore": 0}, (0, 0)),
        ({"combinedScore": "6"}, {"combinedScore": 0.0}, (6, 0)),
        ({"runnerScore": 3, "corpScore": 1}, {"runnerScore": "0", "corpScore": 1}, (4, 1)),
        ({"combinedScore": None, "runnerScore": 3, "corpScore": 0}, {"combinedScore": 3}, (3, 3)),
        ({"combinedScore": 6}, {"combinedScore": None}, (6, 0)),
        ({"combinedScore": None, "runnerScore": 0, "corpScore": 0}, {"combinedScore": None}, None),
        ({}, {}, None),
    ],
)
def test_every_notation_of_scores_can_be_read(first: JSON, second: JSON, scores: tuple[int, int] | None) -> None:
    [round_] = rounds_of(read(export([[{"player1": {"id": 1} | first, "player2": {"id": "2"} | second}]], 2)))
    outcome = round_.games[0].outcome
    assert (None if outcome is None else outcome.scores) == scores


@pytest.mark.parametrize("nobody", [{"id": None}, {"id": 0}, None, {}])
def test_every_notation_of_a_missing_opponent_can_be_read(nobody: JSON | None) -> None:
    content = export([[{"player1": nobody, "player2": {"id": 1, "combinedScore": 0}}]], 1)
    assert rounds_of(read(content))[0].byes == (ByeLine(None, "A", 0),)


def test_a_player_may_have_the_id_0() -> None:
    content = export([[match(0, 6, 0, 1)]], 1)
    content["players"].append({"id": 0, "name": "Z"})
    assert rounds_of(read(content))[0].games[0].first == "Z"


def test_players_come_and_go_as_the_tables_show() -> None:
    rounds = [
        [match(1, 6, 0, 2), match(3, 6, 0, 4)],
        [match(1, 6, 0, 3), match(5, 6, 0, None)],
        [match(1, 6, 0, 5), match(2, 3, 3, 3)],
    ]
    transcript = read(export(rounds, players=6))
    assert movements_of(transcript) == [
        *("A", "B", "C", "D", "F", "drop F"),
        *("swiss 1", "drop B", "drop D", "late E 1 ()"),
        *("swiss 2", "rejoin B ()"),
        *("swiss 3", "close"),
    ]
    assert transcript.notes == (
        "B: away after round 1, back in round 3",
        "D: in no round after round 1, so dropped then",
        "E: first in round 2, so a late arrival",
        "F: in no round, so never in",
    )


def test_a_forfeited_match_means_that_the_player_drops_after_the_last_match() -> None:
    content = export([[match(1, 6, 0, 2)], [match(1, 6, 0, None)]], 2)
    content["players"][0]["forfeit"] = content["players"][1]["forfeit"] = True
    assert movements_of(read(content)) == ["A", "B", "swiss 1", "drop B", "swiss 2", "drop A", "close"]
    assert not read(content).notes


def test_a_bye_won_elsewhere_is_a_bye_in_round_1() -> None:
    content = export([[match(1, 6, 0, 2)], [match(1, 6, 0, 3)]], 3)
    content["players"][2]["superBye"] = True
    assert rounds_of(read(content))[0].byes == (ByeLine(None, "C"),)


def test_the_seeds_make_the_cut_and_elimination_rounds_count_from_one() -> None:
    content = export(
        [[match(1, 6, 0, 2), match(3, 6, 0, 4)], [decider(1, 3, 3)], [decider(1, 3, 1)]],
        cutToTop=2,
        preliminaryRounds=1,
        eliminationPlayers=[{"id": 3, "rank": 1, "seed": 2}, {"id": 1, "rank": 2, "seed": 1}],
    )
    transcript = read(content)
    assert movements_of(transcript)[4:] == ["swiss 1", "cut", "elimination 1", "elimination 2", "close"]
    assert transcript.steps[5] == Cut(None, 2, ("A", "C"))
    assert [round_.games[0].outcome for round_ in rounds_of(transcript)[1:]] == [
        Outcome("win", "C"),
        Outcome("win", "A"),
    ]


def test_a_cut_without_seeds_follows_the_order_of_the_tables() -> None:
    transcript = read(export([[match(1, 6, 0, 2)], [decider(2, 1, None)]], 2))
    assert transcript.steps[3] == Cut(None, 2, ("B", "A"))
    assert transcript.notes == ("no seeds for B, A: taken in the order of the first tables",)
    assert rounds_of(transcript)[1].games[0].outcome is None


def test_a_cut_match_without_a_winner_is_a_double_loss_unless_a_player_continues() -> None:
    rounds = [[match(1, 6, 0, 2)], [decider(1, 2, 0)]]
    assert rounds_of(read(export(rounds, 2)))[1].games[0].outcome == Outcome("double-loss")
    transcript = read(export([*rounds, [decider(2, 1, 2)]], 2))
    assert rounds_of(transcript)[1].games[0].outcome is None
    assert "elimination round 1: A - B has no winner, so no result" in transcript.notes


def test_a_player_in_the_cut_has_not_dropped() -> None:
    content = export(
        [[match(1, 6, 0, 2)], [match(1, 6, 0, None)], [decider(1, 2, 1)]],
        2,
        eliminationPlayers=[{"id": 1, "seed": 1}, {"id": 2, "seed": 2}],
    )
    assert "drop B" not in movements_of(read(content))


def test_a_round_with_swiss_and_elimination_matches_is_split() -> None:
    transcript = read(export([[match(1, 6, 0, 2), decider(3, 4, 3)]]))
    assert [(round_.stage, round_.number) for round_ in rounds_of(transcript)] == [("swiss", 1), ("elimination", 1)]
    assert "rounds[0]: Swiss and elimination matches, read as two rounds" in transcript.notes


def test_tables_without_their_own_numbers_get_numbers() -> None:
    rounds = [[match(1, 6, 0, 2, table=2), match(3, 6, 0, 4, table=2), match(5, 6, 0, 6)]]
    transcript = read(export(rounds, 6))
    assert [game.table for game in rounds_of(transcript)[0].games] == [2, 1, 3]
    assert transcript.notes == ("rounds[0]: table 2 is taken, so C - D is table 1",)


def test_data_that_have_no_place_in_the_log_are_noted() -> None:
    rounds = [[match(1, 3, 3, 2, intentionalDraw=True), match(3, 6, 0, 4, twoForOne=True)], [match(1, 6, 0, 2)]]
    transcript = read(export(rounds))
    assert transcript.notes[:3] == (
        "rounds[0][0]: A - B was an intentional draw",
        "rounds[0][1]: C - D was a 2-for-1",
        "round 2: A and B had met before",
    )
    assert rounds_of(transcript)[1].games[0].rematch


def test_players_without_their_own_names_get_names() -> None:
    content = export([[match(1, 6, 0, 2), match(3, 6, 0, 4)]])
    for player, name in zip(content["players"], ("Ann Lee", " ann  Lee ", "Ann Lee (2)", None), strict=True):
        player["name"] = name
    transcript = read(content)
    assert movements_of(transcript)[:4] == ["Ann Lee", "ann Lee (3)", "Ann Lee (2)", "Player 4"]
    assert transcript.notes == (
        "players[3]: no name, so Player 4",
        "ann Lee: another player has this name, so player 2 is ann Lee (3)",
    )


def test_official_numbers_stay_as_printed() -> None:
    content = export([[match(1, 6, 0, 2)]], 2)
    content["players"][0] |= {"rank": 2, "matchPoints": 6, "strengthOfSchedule": "3.50"}
    content["players"][1] |= {"rank": "1", "matchPoints": "0", "extendedStrengthOfSchedule": 3.0625}
    assert read(content).official == OfficialNumbers(
        {
            "A": {"points": "6", "strength_of_schedule": "3.50"},
            "B": {"points": "0", "extended_strength_of_schedule": "3.0625"},
        },
        {"": ("B", "A")},
        {"B": 1, "A": 2},
    )


def test_seeds_replace_ranks_that_count_the_elimination_stage() -> None:
    content = export(
        [[match(1, 6, 0, 2), match(3, 6, 0, 4)], [decider(1, 3, 3)]],
        eliminationPlayers=[{"id": 1, "seed": 1}, {"id": 3, "seed": 2}],
    )
    for player, rank in zip(content["players"], (2, 4, 1, 3), strict=True):
        player["rank"] = rank
    transcript = read(content)
    assert transcript.official is not None
    assert transcript.official.orders == {"": ("A", "C", "D", "B")}
    assert transcript.notes == ("the ranks include the elimination stage: its players are listed by seed",)


def test_unexplained_ranks_are_compared_unchanged() -> None:
    """C won the final, but the ranks put A first. The ranks cannot be Swiss ranks either, because C has seed 1."""
    content = export(
        [[match(1, 6, 0, 2), match(3, 6, 0, 4)], [decider(1, 3, 3)]],
        eliminationPlayers=[{"id": 1, "seed": 2, "rank": 2}, {"id": 3, "seed": 1, "rank": 1}],
    )
    for player, rank in zip(content["players"], (1, 4, 2, 3), strict=True):
        player["rank"] = rank
    transcript = read(content)
    assert transcript.official is not None
    assert transcript.official.orders == {"": ("A", "C", "D", "B")}
    assert transcript.notes == ()


def test_an_undecided_place_in_the_cut_is_left_out() -> None:
    content = export(
        [[match(1, 6, 0, 2)], [decider(1, 2, None)]],
        2,
        eliminationPlayers=[
            {"id": None, "name": None, "rank": 1, "seed": None},
            {"id": None, "name": None, "rank": 2, "seed": None},
        ],
    )
    transcript = read(content)
    assert transcript.notes[0] == "eliminationPlayers[0]: a place that is not decided yet, left out"
    assert "close" not in movements_of(transcript)


def test_a_file_without_official_numbers_says_so() -> None:
    assert read(export([[match(1, 6, 0, 2)]], 2)).official is None


@pytest.mark.parametrize(
    "more",
    [
        {"preliminaryRounds": 2},
        {"cutToTop": 2},
        {"eliminationPlayers": [{"id": 1, "seed": 1}, {"id": 2, "seed": 2}]},
    ],
)
def test_an_unfinished_event_is_not_closed(more: JSON) -> None:
    assert "close" not in movements_of(read(export([[match(1, 6, 0, 2)]], 2, **more)))


def test_an_event_with_an_open_last_round_is_not_closed() -> None:
    assert "close" not in movements_of(read(export([[match(1, None, None, 2)]], 2)))


def broken(path: list[str | int], value: object) -> JSON:
    """Return a valid event in which one value is replaced."""
    content = export([[match(1, 6, 0, 2)]], 2, eliminationPlayers=[{"id": 1}])
    part: Any = content
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return content


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["rounds", 0, 0, "player1", "id"], 9, "rounds[0][0].player1.id: no player has the id '9'"),
        (
            ["rounds", 0, 0, "player1", "id"],
            True,
            "rounds[0][0].player1.id: an id is a number or a short text, not true",
        ),
        (["rounds", 0, 0, "player2", "id"], 1, "rounds[0]: A is in this round twice"),
        (["rounds", 0, 0, "player1"], 7, "rounds[0][0].player1: an object belongs here"),
        (
            ["rounds", 0, 0, "player1", "combinedScore"],
            -0.5,
            "rounds[0][0].player1.combinedScore: a whole number from 0 to 999999 belongs here, not",
        ),
        (
            ["rounds", 0, 0, "player2", "combinedScore"],
            10**400,
            "rounds[0][0].player2.combinedScore: a whole number from 0 to 999999 belongs here, not 10000000",
        ),
        (
            ["rounds", 0, 0, "table"],
            [1],
            "rounds[0][0].table: a whole number from 0 to 999999 belongs here, not a list",
        ),
        (["rounds", 0, 0, "eliminationGame"], "maybe", "rounds[0][0].eliminationGame: true or false belongs here"),
        (["rounds", 0, 0], None, "rounds[0][0]: an object belongs here"),
        (["rounds", 0], "x", 'rounds[0]: a list belongs here, not "x"'),
        (["rounds"], {}, "rounds: a list belongs here, not an object"),
        (["players", 1, "id"], 1, "players[1].id: 1 is the id of an earlier player too"),
        (["players", 1, "id"], None, "players[1].id: an id is missing"),
        (["players", 1, "name"], ["B"], "players[1].name: a text belongs here, not a list"),
        (["players", 1, "name"], "B\x1b[31m", "players[1].name: the name 'B\\x1b[31m' has a character that"),
        (
            ["players", 1, "name"],
            "B" * 201,
            "players[1].name: the name 'BBBBBBBBBBBBBBBBBBBB'... has 201 characters",
        ),
        (
            ["players", 1, "strengthOfSchedule"],
            "3,5",
            'players[1].strengthOfSchedule: a number belongs here, not "3,5"',
        ),
        (["eliminationPlayers", 0, "id"], 9, "eliminationPlayers[0].id: no player has the id '9'"),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(path: list[str | int], value: object, message: str) -> None:
    assert refusal(broken(path, value)).startswith(message)


def test_points_removed_by_the_organizer_may_be_negative() -> None:
    transcript = read(export([[match(1, 6, -3, 2)]], 2))
    assert rounds_of(transcript)[0].games[0].outcome == Outcome("score", "A", (6, -3), as_found=True)
    assert "rounds[0][0]: A - B has negative points, kept as written" in transcript.notes


def test_a_game_with_two_winners_is_refused() -> None:
    game = decider(1, 2, 1)
    game["player2"]["winner"] = True
    assert refusal(export([[game]], 2)) == "rounds[0][0]: A and B have both won; one winner can be true"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "the JSON is not the export of a tournament: it is no object with players and rounds"),
        ({}, "players: is missing"),
        ({"players": []}, "rounds: is missing"),
    ],
)
def test_json_of_another_kind_is_refused(content: object, message: str) -> None:
    assert refusal(content) == message


def test_every_real_event_is_read_completely(real_events: Path) -> None:
    files = sorted((real_events / "netrunner-cobra").glob("*.json"))
    assert files
    for file in files:
        content = json.loads(file.read_bytes())
        transcript = read_transcript(file.read_bytes())
        rounds = rounds_of(transcript)
        assert len(rounds) == len(content["rounds"]), file.name
        assert sum(len(round_.games) + len(round_.byes) for round_ in rounds) == sum(map(len, content["rounds"]))
        assert len([round_ for round_ in rounds if round_.stage == "swiss"]) == content["preliminaryRounds"]
        assert transcript.steps[-1] == Close(None)
        assert transcript.official is not None
        assert len(transcript.official.orders[""]) == len(content["players"])
        assert all(len(numbers) == 3 for numbers in transcript.official.values.values())


def test_points_in_the_file_add_up_to_the_official_points_of_real_events(real_events: Path) -> None:
    for file in sorted((real_events / "netrunner-cobra").glob("*.json")):
        transcript = read_transcript(file.read_bytes())
        assert transcript.official is not None
        points = dict.fromkeys(transcript.official.values, 0)
        for round_ in rounds_of(transcript):
            if round_.stage == "swiss":
                for game in round_.games:
                    assert game.outcome is not None
                    assert game.outcome.scores is not None
                    points[game.first] += game.outcome.scores[0]
                    points[game.second] += game.outcome.scores[1]
                for bye in round_.byes:
                    points[bye.player] += bye.points or 0
        assert {name: str(total) for name, total in points.items()} == {
            name: numbers["points"] for name, numbers in transcript.official.values.items()
        }, file.name


def test_a_player_listed_twice_for_the_cut_is_refused() -> None:
    content = export([[match(1, 6, 0, 2)]], 2, eliminationPlayers=[{"id": 1}, {"id": 1}])
    assert refusal(content) == "eliminationPlayers[1].id: A is listed twice"


@pytest.mark.parametrize(
    ("value", "text", "same"),
    [
        (Fraction(22, 9), "2.444444444444444333333333333333333333", True),
        (Fraction(22, 9), "2.4444", True),
        (Fraction(22, 9), "2.4445", False),
        (Fraction(22, 9), "2.444444444445", False),
        (Fraction(7, 2), "3.5", True),
        (Fraction(7, 2), "4", True),
        (Fraction(7, 2), "3", True),
        (Fraction(37, 25), "1.480", True),
        (Fraction(37, 25), "1.481", False),
    ],
)
def test_an_official_number_is_compared_to_its_printed_decimals(value: Fraction, text: str, same: bool) -> None:
    assert printed_as(value, text) is same


def test_points_that_contradict_the_two_games_are_refused() -> None:
    contradictory = match(1, 6, 0, 2)
    contradictory["player1"] |= {"runnerScore": 3, "corpScore": 0}
    assert refusal(export([[contradictory]])) == (
        "rounds[0][0].player1: combinedScore is 6, and the two games add up to 3; correct the one that is wrong"
    )
