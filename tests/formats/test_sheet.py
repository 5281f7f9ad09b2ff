"""Score sheets: text goes in, and steps come out."""

from __future__ import annotations

from typing import TypeVar

import pytest
from tests.conftest import Replay

from matchledger.formats.reader import read_transcript
from matchledger.formats.text import FormatError
from matchledger.formats.transcript import (
    ArriveLate,
    ByeLine,
    Close,
    Correct,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    Game,
    OrderTie,
    Outcome,
    PlayRound,
    Register,
    Rejoin,
    Retract,
    Step,
    Transcript,
)

Kind = TypeVar("Kind", bound=Step)

HEADING = "rulebook ashes-2022\nplayers A B C D E\n"


def read(text: str) -> Transcript:
    return read_transcript(text.encode(), "sheet")


def steps(text: str, kind: type[Kind]) -> list[Kind]:
    """Return the steps of one kind in a sheet of A, B, C, D and E."""
    return [step for step in read(HEADING + text).steps if isinstance(step, kind)]


def slip(line: str) -> Game:
    """Return the only table of the round."""
    [round_] = steps(f"round 1\n  {line}\n", PlayRound)
    [game] = round_.games
    return game


def refusal(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        read(text)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_heading_has_the_rulebook_the_event_and_the_policies() -> None:
    transcript = read("# a comment\n\nrulebook l5r-2018\nevent Kotei Warsaw # 2018\noption POL-L5R-NOSHOW=bye\n")
    assert (transcript.format, transcript.rulebook, transcript.name) == ("sheet", "l5r-2018", "Kotei Warsaw")
    assert transcript.policies == {"POL-L5R-NOSHOW": "bye"}
    assert transcript.lines == {"rulebook": 3, "POL-L5R-NOSHOW": 5}


def test_the_name_of_the_event_may_be_quoted() -> None:
    assert read('rulebook l5r-2018\nevent "Kotei #1"\n').name == "Kotei #1"


def test_players_are_registered_in_order_with_quoted_names_and_attributes() -> None:
    transcript = read(
        'rulebook l5r-2018\nplayers A "Ann Lee" # two\nplayer H division=junior born=2001 clan="red crab"\n'
    )
    assert transcript.steps == (
        Register(2, Entrant("A")),
        Register(2, Entrant("Ann Lee")),
        Register(3, Entrant("H", "junior", 2001, {"clan": "red crab"})),
    )


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("A > B", Outcome("win", "A")),
        ("A > B modified-win", Outcome("modified-win", "A")),
        ("A > B no-show", Outcome("no-show", "A")),
        ("A > B (9)", Outcome("win", "A", blood_points=9)),
        ("A > B ( 9 )", Outcome("win", "A", blood_points=9)),
        ("A > B concession (9)", Outcome("concession", "A", blood_points=9)),
        ("A > B (25-9)", Outcome("win", "A", blood_points=9, winner_blood_points=25)),
        ("A = B", Outcome("draw")),
        ("A = B double-loss", Outcome("double-loss")),
        ("A 4-1 B", Outcome("score", "A", (4, 1))),
        ("A 1-4 B", Outcome("score", "B", (1, 4))),
        ("A 3-3 B", Outcome("score", None, (3, 3))),
        ("A - B", None),
    ],
)
def test_a_slip_gives_winner_and_kind(line: str, outcome: Outcome | None) -> None:
    assert slip(line) == Game(4, "A", "B", outcome, 1)
    assert slip(line + " rematch") == Game(4, "A", "B", outcome, 1, rematch=True)


def test_tables_are_numbered_in_order_and_byes_have_no_number() -> None:
    [round_] = steps("round 1\n A > B\n E bye (7)\nC = D # late\n", PlayRound)
    assert [(game.first, game.table) for game in round_.games] == [("A", 1), ("C", 2)]
    assert round_.byes == (ByeLine(5, "E", 7),)
    assert (round_.stage, round_.number, round_.line) == ("swiss", 1, 3)


def test_steps_between_rounds_stay_in_the_order_of_the_sheet() -> None:
    text = """
    round 1
      A > B
    drop C
    drop D "lost the deck"
    late H 1 division=junior
    rejoin C
    disqualify B
    draw A C E
    correct 1 B > A (16)
    retract 1 A B
    cut 2
    elimination 1
      A > C
    close
    """
    assert read(HEADING + text).steps[6:] == (
        Drop(6, "C"),
        Drop(7, "D", "lost the deck"),
        ArriveLate(8, Entrant("H", "junior"), 1),
        Rejoin(9, "C"),
        Disqualify(10, "B"),
        OrderTie(11, ("A", "C", "E")),
        Correct(12, 1, "B", "A", Outcome("win", "B", blood_points=16)),
        Retract(13, 1, "A", "B"),
        Cut(14, 2),
        PlayRound(15, "elimination", 1, (Game(16, "A", "C", Outcome("win", "A"), 1),)),
        Close(17),
    )


def test_quotes_allow_any_name() -> None:
    transcript = read('rulebook l5r-2018\nplayers ">" "drop" "A#1"\nround 1\n"drop" > ">"\n"A#1" bye\n')
    round_ = transcript.steps[-1]
    assert isinstance(round_, PlayRound)
    assert (round_.games[0].first, round_.games[0].second) == ("drop", ">")
    assert round_.byes == (ByeLine(5, "A#1"),)


def test_beside_a_sign_a_name_like_an_instruction_needs_no_quotes() -> None:
    transcript = read("rulebook l5r-2018\nplayers late cut\nround 1\nlate > cut\n")
    assert isinstance(transcript.steps[-1], PlayRound)


def test_windows_line_endings_and_a_byte_order_mark_are_read() -> None:
    transcript = read_transcript(b"\xef\xbb\xbfrulebook l5r-2018\r\nplayers A B\r\n")
    assert transcript.steps == (Register(2, Entrant("A")), Register(2, Entrant("B")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the sheet is empty; its first line is, for example, rulebook l5r-2018"),
        ("players A B\n", "line 1: a sheet begins with its rulebook; the first line is, for example, rulebook"),
        ("rulebook a b\n", "line 1: write rulebook ID"),
        ("rulebook a\nrulebook b\n", "line 2: the rulebook is already a; a sheet has one"),
        ("rulebook a\nevent X\nevent Y\n", "line 3: the event already has the name 'X'"),
        ("rulebook a\noption X\n", "line 2: write option POLICY=VALUE"),
        ("rulebook a\noption X=1\noption X=2\n", "line 3: X is already 1"),
        ("rulebook a\nplayers A A\n", "line 2: 'A' is already registered (line 2)"),
        ("rulebook a\nplayers >\n", 'line 2: > is a sign; write a player of that name in quotes: ">"'),
        ("rulebook a\nplayers A born=2001\n", "line 2: 'born=2001' is an attribute; those need a line of"),
        ("rulebook a\nplayers “Ann Lee”\n", 'line 2: write names in straight double quotes: "Ann Lee"'),
        ('rulebook a\nplayers "Ann Lee\n', 'line 2: a double quote is opened and not closed; write "Ann Lee"'),
        ('rulebook a\nplayers ""\n', "line 2: the name is empty"),
        ("rulebook a\nplayers A\u200bB\n", "line 2: the name 'A\\u200bB' has a character that cannot be printed"),
        ("rulebook a\nplayers A\u200dB\n", "line 2: the name 'A\\u200dB' has a character that cannot be printed"),
        ("rulebook a\nplayers മ\u200d\u200d\n", "line 2: the name 'മ\\u200d\\u200d' has a character that cannot"),
        ("rulebook a\nplayer A born=98\n", "line 2: born is a year from 1900 to 2100, not '98'"),
        ("rulebook a\nplayer A junior\n", "line 2: 'junior' is not an attribute; write KEY=VALUE"),
        ("rulebook a\nplayer A x=1 x=2\n", "line 2: x is on this line twice"),
        ("rulebook a\nrond 1\n", "line 2: 'rond' begins no line of a sheet; did you mean 'round'?"),
        ("rulebook a\nxyzzy\n", "line 2: 'xyzzy' begins no line of a sheet; a line is a slip (A > B"),
    ],
)
def test_the_error_about_a_wrong_heading_names_the_line(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A > B", "line 3: this slip is outside a round; begin one above it: round 1"),
        ("round 1\nA > B\ndrop C\nD > E", "line 6: this slip is outside a round; begin one above it: round 2"),
        ("round 2", "line 3: round 2 is out of order; round 1 is next"),
        ("round x", "line 3: the number of the round must be a whole number from 1, not 'x'"),
        ("round 1\nround 2", "line 3: round 1 has no slips; a slip is A > B"),
        ("elimination 2", "line 3: elimination 2 is out of order; elimination 1 is next"),
        ("round 1\nA < B", "line 4: write the winner first: B > A"),
        ("round 1\nA > A", "line 4: A cannot play against A"),
        ("round 1\nA > B\nC > A", "line 5: A is already in round 1 (line 4)"),
        ("round 1\nA > B\nA bye", "line 5: A is already in round 1 (line 4)"),
        ("round 1\nA > Ann", "line 4: 'Ann' is not registered"),
        ("round 1\nA > b", "line 4: 'b' is not registered; did you mean 'B'?"),
        ("round 1\nA > B(9)", "line 4: put a blank before the bracket: B (9)"),
        ("round 1\nA>B", "line 4: put blanks around the sign in 'A>B': A > B"),
        ("round 1\nA >", "line 4: a second player is missing; a slip is A > B"),
        ("round 1\nA > B (x)", "line 4: '(x)' is not understood; points are written (9) or (25-9)"),
        ("round 1\nA > B win now", "line 4: 'now' is too much; a slip is A > B"),
        ("round 1\nA > B rematch (9)", "line 4: write rematch at the end of the line"),
        ("round 1\nA = B (9)", "line 4: points in brackets follow only a match with a winner"),
        ("round 1\nA bye (7-0)", "line 4: a bye has one number of points: E bye (7)"),
        ("round 1\nA 4-1", "line 4: a second player is missing"),
        ("round 1\nA beat B", "line 4: 'A' begins no line of a sheet"),
        ("round 1\nA > B\nplayers F", "line 5: a round has begun; a new player is late: late NAME ROUNDS"),
        ("round 1\nA > B\noption X=1", "line 5: options belong above the first round"),
        ("late H", "line 3: write late NAME ROUNDS: how many rounds had started when the player came"),
        ("late A 1", "line 3: 'A' is already registered (line 2)"),
        ("late H 0", "line 3: the number of rounds that had started must be a whole number from 1, not '0'"),
        ("drop", "line 3: write drop NAME, or drop NAME CAUSE"),
        ("drop F", "line 3: 'F' is not registered"),
        ("rejoin A B", "line 3: write rejoin NAME"),
        ("draw A", "line 3: write draw A B C: two players or more, in the order that was drawn, best first"),
        ("draw A B A", "line 3: A is in this order twice"),
        ("correct", "line 3: write correct ROUND and the slip that is right: correct 1 A > F (16)"),
        ("correct 1 A - B", "line 3: a correction is a slip with a result: correct 1 A > F (16)"),
        ("correct 1 A bye", "line 3: a correction is a slip with a result"),
        ("retract 1 A", "line 3: write retract ROUND A B: the slip whose last correction is taken back"),
        ("cut 1", "line 3: the size of the cut must be a whole number from 2, not '1'"),
        ("close now", "line 3: write close alone on its line"),
    ],
)
def test_the_error_about_a_wrong_line_shows_the_right_form(text: str, message: str) -> None:
    assert refusal(HEADING + text + "\n").startswith(message)


@pytest.mark.finding("A-10")
@pytest.mark.parametrize(
    "unseen",
    [*"\u034f\u115f\u1160\u17b4\u17b5\u180f\u2800\u3164\uffa0\ufe0f\u180b\U0001d159\U000e0100", "\u0301" * 9],
    ids=ascii,
)
def test_an_invisible_letter_in_a_name_is_refused(unseen: str) -> None:
    assert "has a character that cannot be printed" in refusal(f"rulebook a\nplayers Ann{unseen}\n")


@pytest.mark.finding("A-12")
@pytest.mark.parametrize(
    "name",
    [
        *("ആര്യന്\u200d", "\u0645\u06cc\u200c\u0646\u0627", "क्\u200dष", "葛\U000e0100飾", "ᠠ\u180bᠡ"),
        *("Nguyễn Thị Ánh", "กฤษณะ", "محمد", "김하늘", "Zoë 🏳\ufe0f"),
    ],
)
def test_letters_of_every_script_stay_in_a_name(replay: Replay, name: str) -> None:
    players = replay(f'rulebook l5r-2018\nplayers "{name}" Bo\n').draft.record.players
    assert players[1].name == name
