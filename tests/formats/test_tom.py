"""TOM files: reading one gives the steps of the event and the official order of the standings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
)


def player(name: str, beside: str = "") -> str:
    return f"""<player userid="{name}"><firstname>{name}</firstname><lastname>Lee</lastname>
      <birthdate>02/27/1998</birthdate>{beside}</player>"""


def match(text: str, outcome: int, table: int | None = None) -> str:
    """Return a match: `A B` has two players, and in `A` the player is alone."""
    names = text.split()
    tags = ["player"] if len(names) == 1 else ["player1", "player2"]
    sides = "".join(f'<{tag} userid="{name}"/>' for tag, name in zip(tags, names, strict=True))
    number = "" if table is None else f"<tablenumber>{table}</tablenumber>"
    return f'<match outcome="{outcome}">{sides}{number}</match>'


def round_of(number: int, *matches: str, kind: int = 2) -> str:
    return f'<round number="{number}" type="{kind}"><matches>{"".join(matches)}</matches></round>'


def pod(*rounds: str, category: int = 2, players: str = "") -> str:
    members = "".join(f'<player userid="{name}"/>' for name in players.split())
    return (
        f'<pod category="{category}"><subgroups><subgroup number="1"><players>{members}</players></subgroup>'
        f"</subgroups><rounds>{''.join(rounds)}</rounds></pod>"
    )


def places(order: str, category: int = 2, kind: str = "finished") -> str:
    listed = "".join(f'<player id="{name}" place="{place}"/>' for place, name in enumerate(order.split(), start=1))
    return f'<pod category="{category}" type="{kind}">{listed}</pod>'


def tournament(players: Sequence[str], *pods: str, standings: str = "", beside: str = "") -> str:
    """Return a TDF file. Players are names or ready elements."""
    entered = "".join(name if name.startswith("<") else player(name) for name in players)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <tournament type="2" stage="5" version="1.80"><data><name>League Cup</name></data>
    <players>{entered}</players><pods>{"".join(pods)}</pods><standings>{standings}</standings>{beside}</tournament>"""


def read(text: str) -> Transcript:
    return read_transcript(text.encode())


def by_first_name(transcript: Transcript) -> list[str]:
    """Return the steps in short form, with first names."""
    return [text.replace(" Lee", "") for text in movements_of(transcript)]


def refusal(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        read(text)
    return str(caught.value)


def test_a_file_is_read_with_divisions_tables_and_byes() -> None:
    rounds = [round_of(1, match("C", 5, 0), match("A B", 2, 4))]
    transcript = read(tournament("ABC", pod(*rounds, players="A B C"), standings=places("B C A")))
    assert (transcript.format, transcript.rulebook, transcript.name) == ("tom", "pokemon-tom", "League Cup")
    assert transcript.steps == (
        Register(None, Entrant("A Lee", "masters", 1998, {"membership": "A"})),
        Register(None, Entrant("B Lee", "masters", 1998, {"membership": "B"})),
        Register(None, Entrant("C Lee", "masters", 1998, {"membership": "C"})),
        PlayRound(
            6,
            "swiss",
            1,
            (Game(6, "A Lee", "B Lee", Outcome("win", "B Lee"), 4),),
            (ByeLine(6, "C Lee"),),
        ),
        Close(None),
    )
    assert transcript.official == OfficialNumbers(orders={"masters": ("B Lee", "C Lee", "A Lee")})
    assert not transcript.notes


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        (0, None),
        (1, Outcome("win", "A Lee")),
        (2, Outcome("win", "B Lee")),
        (3, Outcome("draw")),
        (8, Outcome("double-loss")),
        (10, Outcome("double-loss")),
        (7, None),
    ],
)
def test_each_code_of_a_match_gives_its_outcome(code: int, outcome: Outcome | None) -> None:
    transcript = read(tournament("AB", pod(round_of(1, match("A B", code)))))
    assert rounds_of(transcript)[0].games[0].outcome == outcome
    assert bool(transcript.notes) == (code in {7, 8})


def test_a_late_player_is_charged_with_the_losses_in_the_file() -> None:
    rounds = [
        round_of(1, match("A B", 1), match("C", 8)),
        round_of(2, match("A C", 1), match("D", 5), match("B", 5)),
        round_of(3, match("A D", 1), match("B C", 1)),
    ]
    transcript = read(tournament("ABCD", pod(*rounds)))
    assert by_first_name(transcript) == [
        *("A", "B", "swiss 1", "late C 1 (1,)", "late D 1 ()", "swiss 2", "swiss 3"),
    ]
    assert transcript.notes == (
        "line 7: C Lee has a loss without an opponent",
        "C Lee: first in round 2, so a late arrival, charged with a loss for round 1",
        "D Lee: first in round 2, so a late arrival",
    )


def test_a_loss_without_an_opponent_is_read_in_every_round() -> None:
    rounds = [
        round_of(1, match("A B", 1), match("C D", 1), match("E", 8)),
        round_of(2, match("A C", 1), match("B", 8), match("D", 5)),
        round_of(3, match("A B", 1), match("C", 8), match("D", 5)),
    ]
    transcript = read(tournament("ABCDE", pod(*rounds)))
    assert by_first_name(transcript) == [
        *("A", "B", "C", "D", "swiss 1", "drop B", "late E 1 (1,)", "drop E"),
        *("swiss 2", "drop C", "rejoin B (2,)", "swiss 3", "rejoin C (3,)"),
    ]


def test_a_dropped_player_leaves_after_the_last_match() -> None:
    def dropped(after: int) -> str:
        return f"<dropped><status>1</status><round>{after}</round></dropped>"

    rounds = [round_of(1, match("A B", 1), match("C D", 1)), round_of(2, match("A C", 1), match("E", 5))]
    players = [
        "A",
        player("B", dropped(1)),
        player("C", dropped(1)),
        player("D", dropped(2)),
        player("E", dropped(2)),
    ]
    transcript = read(tournament(players, pod(*rounds)))
    assert by_first_name(transcript) == [
        *("A", "B", "C", "D", "swiss 1", "drop B", "drop D", "late E 1 ()", "swiss 2", "drop E"),
    ]
    assert transcript.notes == (
        "C Lee: left after round 1 by the file, but round 2 was the last one played",
        "D Lee: left after round 2 by the file, but round 1 was the last one played",
        "E Lee: first in round 2, so a late arrival",
    )


def test_pods_play_the_same_round_at_the_same_time() -> None:
    juniors = pod(round_of(1, match("A B", 1, 1)), category=0, players="A B")
    masters = pod(round_of(1, match("C D", 1, 1)), round_of(2, match("D C", 1, 1)), category=2, players="C D")
    transcript = read(
        tournament("ABCD", juniors, masters, standings=places("A B", category=0) + places("C D", category=2))
    )
    assert [[(game.first, game.table) for game in round_.games] for round_ in rounds_of(transcript)] == [
        [("A Lee", 1), ("C Lee", 2)],
        [("D Lee", 1)],
    ]
    assert transcript.official is not None
    assert list(transcript.official.orders) == ["junior", "masters"]
    assert "round 1: table 1 is taken, so C Lee - D Lee is table 2" in transcript.notes


def test_in_a_combined_pod_the_standings_tell_the_divisions() -> None:
    combined = pod(round_of(1, match("A B", 1), match("C D", 1), kind=3), category=8, players="A B C D")
    standings = places("A", category=0) + places("C B", category=1) + places("D", category=1, kind="dnf")
    transcript = read(tournament("ABCD", combined, standings=standings))
    registered = [step.entrant for step in transcript.steps if isinstance(step, Register)]
    assert [entrant.division for entrant in registered] == ["junior", "senior", "senior", "senior"]
    assert transcript.official is not None
    assert transcript.official.orders == {"junior": ("A Lee",), "senior": ("C Lee", "B Lee")}
    assert "D Lee did not finish (dnf), so their places are not compared" in transcript.notes


def test_the_seeds_make_the_top_cut_and_are_also_the_swiss_order() -> None:
    players = [player(name, f"<seed>{seed}</seed>") for name, seed in (("A", 2), ("B", 1))]
    rounds = [
        round_of(1, match("A C", 1), match("B D", 1)),
        round_of(2, match("A B", 1, 1), kind=1),
    ]
    transcript = read(tournament([*players, "C", "D"], pod(*rounds), standings=places("A B C D")))
    assert by_first_name(transcript)[4:] == ["swiss 1", "cut", "elimination 1", "close"]
    assert transcript.steps[5] == Cut(None, 2, ("B Lee", "A Lee"))
    assert transcript.official is not None
    assert transcript.official.orders == {"masters": ("B Lee", "A Lee", "C Lee", "D Lee")}


def test_places_in_a_top_cut_without_seeds_are_not_compared() -> None:
    rounds = [round_of(1, match("A C", 1), match("B D", 1)), round_of(2, match("B A", 1), kind=1)]
    transcript = read(tournament("ABCD", pod(*rounds), standings=places("A B C D")))
    assert transcript.steps[5] == Cut(None, 2, ("B Lee", "A Lee"))
    assert transcript.official is not None
    assert transcript.official.orders == {"masters": ("C Lee", "D Lee")}
    assert transcript.notes == (
        "no seeds for B Lee, A Lee: taken in the order of the first tables",
        "the places of B Lee, A Lee are those of the top cut, so not compared",
    )


def test_an_unfinished_tournament_is_not_closed_and_has_no_official_order() -> None:
    transcript = read(tournament("AB", pod(round_of(1, match("A B", 0)))))
    assert transcript.official is None
    assert by_first_name(transcript) == ["A", "B", "swiss 1"]


def test_a_tournament_that_still_needs_its_top_cut_is_not_closed() -> None:
    announced = "<finalsoptions><categorycut key='2'><cut>2</cut></categorycut></finalsoptions>"
    rounds = pod(round_of(1, match("A B", 1)))
    assert movements_of(read(tournament("AB", rounds, standings=places("A B"))))[-1] == "close"
    assert movements_of(read(tournament("AB", rounds, standings=places("A B"), beside=announced)))[-1] == "swiss 1"


def test_only_the_year_of_a_birthdate_is_kept() -> None:
    odd = player("A").replace("02/27/1998", "unknown")
    transcript = read(tournament([odd, "B"], pod(round_of(1, match("A B", 1)))))
    assert [step.entrant.born for step in transcript.steps if isinstance(step, Register)] == [None, 1998]


def test_players_without_their_own_names_get_names() -> None:
    nameless = '<player userid="7"><firstname/><lastname/></player>'
    double = player("A").replace('userid="A"', 'userid="8"')
    transcript = read(tournament(["A", double, nameless], pod(round_of(1, match("A 8", 1), match("7", 5)))))
    assert by_first_name(transcript)[:3] == ["A", "A (2)", "Player 7"]
    assert transcript.notes == (
        "line 5: no name, so Player 7",
        "A Lee: another player has this name, so player 8 is A Lee (2)",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<html/>", "line 1: the XML is a <html>, not the <tournament> of a TOM file"),
        ("<tournament/>", "line 1: <players> is missing in <tournament>"),
        (tournament(["<player/>"]), "line 3: <player> has no userid"),
        (tournament("AA"), "line 4: userid A is the id of the player in line 3 too"),
        (tournament("A", pod(round_of(1, match("A B", 1)))), "line 4: no player has the userid 'B'"),
        (tournament("A", pod(players="B")), "line 4: no player has the userid 'B'"),
        (tournament("A", standings=places("B")), "line 4: no player has the id 'B'"),
        (tournament("AB", pod(round_of(1, match("A A", 1)))), "line 5: round 1: A Lee is in this round twice"),
        (tournament("AB", pod(round_of(1, match("A B", 5)))), "line 5: A Lee - B Lee is a bye (outcome 5) of two"),
        (
            tournament("AB", pod(round_of(1, match("A B", 1), match("A", 8)))),
            "line 5: round 1: A Lee has a match and a loss without one",
        ),
        (
            tournament("AB", pod(round_of(1, match("A B", 1)), round_of(1, match("A B", 1)))),
            "line 5: round 1 is in this pod twice",
        ),
        (
            tournament("AB", pod(round_of(1, match("A B", 1))), standings=places("A B A")),
            "line 5: A Lee has two places in the standings",
        ),
        (
            tournament("A", pod(round_of(1, '<match outcome="5"><player1 userid="A"/></match>'))),
            "line 4: a match has either a <player> or a <player1> and a <player2>",
        ),
        (
            tournament("A", pod(round_of(1, match("A", 5).replace('"5"', '"won"')))),
            "line 4: the outcome is a whole number from 0 to 999999, not 'won'",
        ),
        (
            tournament("A", pod(round_of(1, match("A", 5).replace('outcome="5"', "")))),
            "line 4: <match> has no outcome",
        ),
        (
            tournament("A", pod(round_of(1, match("A", 5, 7).replace(">7<", ">seven<")))),
            "line 4: <tablenumber> is a whole number from 0 to 999999, not 'seven'",
        ),
    ],
)
def test_an_error_names_the_line(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


def test_every_real_event_is_read_completely(real_events: Path) -> None:
    files = sorted((real_events / "pokemon-tom").glob("*.tdf"))
    assert files
    for file in files:
        transcript = read_transcript(file.read_bytes())
        text = file.read_text("utf-8")
        rounds = rounds_of(transcript)
        assert sum(len(round_.games) + len(round_.byes) for round_ in rounds) == text.count("<match "), file.name
        assert transcript.steps[-1] == Close(None)
        assert transcript.official is not None
        assert sum(map(len, transcript.official.orders.values())) == text.count("<firstname>")
        assert not transcript.notes
