"""Pokédata divisions: JSON goes in, and steps and official percentages come out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.transcripts import rounds_of

from matchledger.formats.reader import read_transcript
from matchledger.formats.text import FormatError
from matchledger.formats.transcript import (
    ArriveLate,
    ByeLine,
    Cut,
    Drop,
    Outcome,
    Transcript,
)
from matchledger.service.importing import transcribe
from matchledger.service.official_numbers import compare

JSON = dict[str, Any]
SECRET = bytes(32)


def player(name: str, *rounds: tuple[str, str | None], drop: int = -1, stale: bool = False) -> JSON:
    """Return a player with an opponent (or BYE, or LATE) and a result for each round."""
    share = 0.25 if stale else 0.5
    return {
        "name": name,
        "placing": 1,
        "record": {"wins": sum(result == "W" for _, result in rounds), "losses": 0, "ties": 0},
        "resistances": {"self": share, "opp": share, "oppopp": share},
        "drop": drop,
        "rounds": {str(n): {"name": other, "result": result} for n, (other, result) in enumerate(rounds, 1)},
    }


def read(*players: JSON) -> Transcript:
    return read_transcript(json.dumps(players).encode())


def test_the_two_rows_of_a_match_are_read_as_one_match() -> None:
    transcript = read(
        player("A", ("B", "W"), ("C", "T")),
        player("B", ("A", "L"), ("BYE", "W")),
        player("C", ("LATE", "L"), ("A", "T")),
    )
    first, second = rounds_of(transcript)
    assert [(game.first, game.second, game.outcome) for game in first.games] == [("A", "B", Outcome("win", "A"))]
    assert [(game.first, game.second, game.outcome) for game in second.games] == [("A", "C", Outcome("draw"))]
    assert second.byes == (ByeLine(None, "B"),)
    assert [step.losses for step in transcript.steps if isinstance(step, ArriveLate)] == [(1,)]


def test_rounds_after_the_percentages_stop_changing_are_elimination_rounds() -> None:
    transcript = read(
        player("A", ("C", "W"), ("B", "W"), stale=True),
        player("B", ("D", "W"), ("A", "L"), stale=True),
        player("C", ("A", "L")),
        player("D", ("B", "L")),
    )
    assert [(round_.stage, round_.number) for round_ in rounds_of(transcript)] == [("swiss", 1), ("elimination", 1)]
    assert [step for step in transcript.steps if isinstance(step, Cut)] == [Cut(None, 2, ("A", "B"))]
    assert transcript.official is not None
    assert sorted(transcript.official.values) == ["C", "D"]


def test_a_match_without_a_result_is_a_double_loss_if_both_players_drop_after_it() -> None:
    transcript = read(
        player("A", ("B", None), drop=1),
        player("B", ("A", None), drop=1),
        player("C", ("D", "W"), ("D", "L")),
        player("D", ("C", "L"), ("C", "W")),
    )
    assert rounds_of(transcript)[0].games[0].outcome == Outcome("double-loss")
    assert [step.player for step in transcript.steps if isinstance(step, Drop)] == ["A", "B"]


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (
            [player("A", ("B", "W")), player("B", ("A", "W"))],
            "A and B, round 1: their two results do not fit together",
        ),
        ([player("A", ("Z", "W"))], "A, round 1: there is no player 'Z'"),
        ([player("A", ("B", "W")), player("B", ("BYE", "W"))], "A, round 1: met B, who met somebody else"),
        ([player("A"), player("A")], "[1].name: 'A' cannot be told apart from another"),
        ([{"name": "A"}], "the JSON is not a Pokédata division: it is no list of players with their rounds"),
        ([player("A") | {"rounds": {"x": {}}}], "[0].rounds.x.[key]: a round number belongs here, not 'x'"),
    ],
)
def test_the_error_about_inconsistent_data_names_the_place(players: list[JSON], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(*players)
    assert str(caught.value) == message


def test_the_percentages_of_every_real_division_are_reproduced(real_events: Path) -> None:
    files = sorted((real_events / "pokemon-pokedata").glob("*.json"))
    assert files
    for file in files:
        data = file.read_bytes()
        transcript = read_transcript(data)
        comparison = compare(
            transcribe(transcript, data=data, source=file.name, secret=SECRET).draft.record, transcript.official
        )
        assert comparison.mismatches == [], file.name
        assert comparison.compared["opponents_opponents_win_percentage"][1] > 0
