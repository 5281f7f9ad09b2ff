"""Exit codes, and one line for every failure. The tests list, explain and run every command."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib import metadata
from pathlib import Path

import pytest
from tests.cli.conftest import Desk

from matchledger.cli import COMMANDS, GROUPS, run
from matchledger.cli.contents import HEADINGS
from matchledger.cli.suggesting import MEANT
from matchledger.ledger import Conflict, Ledger


def test_success_exits_with_0(played: Desk) -> None:
    said = played("standings")
    assert (said.code, said.err) == (0, "")


def test_a_check_that_fails_exits_with_1(played: Desk, ledger: Path) -> None:
    with closing(sqlite3.connect(ledger)) as connection:
        connection.execute("DROP TRIGGER stored_events_no_update")
        connection.execute("UPDATE stored_events SET state = x'00' WHERE originator_version = 3")
        connection.commit()
    said = played("verify")
    assert (said.code, said.err) == (1, "")
    assert said.lines[0].startswith("entry 3: was altered after it was recorded")
    document = played("verify --json")
    assert document.code == 1
    assert '"position": 3' in document.out


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("frobnicate", "No such command 'frobnicate'; matchledger --help lists them"),
        ("standings --frobnicate", "No such option: --frobnicate"),
        ("delete", "No such command 'delete': retract takes an entry back, drop takes a player out; "),
        ("deck frobnicate", "No such command 'frobnicate'; matchledger deck --help lists them"),
        (
            "report",
            "Missing argument 'words'; write matchledger report [OPTIONS] WORDS..., --help says more",
        ),
        (
            "correct 8 a",
            "Invalid value for 'table': this is not a whole number; write matchledger correct [OPTIONS] ",
        ),
        ("retract", "Missing argument 'position'; write matchledger retract [OPTIONS] POSITION, --help says more"),
        (
            "drop Ann Bo",
            "the command takes fewer words (Bo); write matchledger drop [OPTIONS] PLAYER, --help says more",
        ),
        ("drop Zed", "there is no player 'Zed'; see players"),
        ("drop Anne", "there is no player 'Anne'; did you mean 'Ann'?"),
        ("explain 3", "there is no player '3': to name the player with that number, write '#3'"),
        ("explain 9", "there is no player '9'; see players"),
        ("verify --all -t Friday", "--all is about every log: --tournament, --head and --checkpoint are about one"),
        ("drop '#9'", "there is no player '#9'; see players"),
        ("drop '#99999999999999999999'", "there is no player '#99999999999999999999'; see players"),
        ("report a", "an outcome is missing: "),
        ("report 1 x", "'x' is not an outcome: "),
        ("report 1 4-1 modified-win", "write only the points: 4-1, not 4-1 modified-win"),
        ("report 1 a 2-0", "write only the score: 2-0, not a 2-0"),
        ("report 1 a modified-win win", "'a modified-win win' has too many words for one result: "),
        ("report 1", "an outcome is missing: "),
        ("report 12345678 a", "there is no player '12345678'"),
        ("report 1 99999999-0", "'99999999-0' is not an outcome: "),
        ("retract 99", "there is no entry 99: the log has 6 entries"),
        ("retract 99999999999999999999999", "there is no entry 99999999999999999999999: the log has 6 entries"),
        ("standings --round 7", "round 7 was not paired at that moment"),
        ("standings --as-of 99", "there is no entry 99: the log has 6 entries"),
        ("standings --as-of 0", "there is no entry 0: the log has 6 entries"),
        ("standings --as-of noon", "'noon' is neither a position nor a time such as 14:20 or 2026-05-03T14:20"),
        ("standings --as-of 25:00", "'25:00' is neither a position nor a time such as 14:20 or 2026-05-03T14:20"),
        ("standings --as-of 2001-01-01", "nothing was recorded before 2001-01-01"),
        (
            "standings --as-of 3 --as-corrected",
            "a past moment of the log leaves out later corrections: ",
        ),
        (
            "standings --rulebook chess",
            "there is no rulebook 'chess'; there are ashes-2022, flesh-and-blood, ",
        ),
        ("standings --rulebook none.toml", "none.toml cannot be read: "),
        ("standings --tournament Monday", "there is no tournament 'Monday': the ledger holds 'Friday'"),
        (
            "standings --ledger nowhere.ledger",
            "there is no ledger nowhere.ledger: open or import a tournament into ",
        ),
        ("slip 7", "round 1 has no table 7"),
        ("pairings --elimination", "no round is paired at that moment"),
        (
            "drop Ann --role boss",
            "there is no role 'boss': there are organizer, marshal, judge, scorekeeper, player",
        ),
        ("register", "name a player, or give a roster with --csv"),
        ("register Ann --csv roster.csv", "name a player, or give a roster with --csv"),
        (
            "register Ann Lee",
            'one player at a time, and a name with spaces in quotes: register "Ann Lee"',
        ),
        ("register field.CSV", "field.CSV is a roster, not a player: register --csv field.CSV"),
        ("register ''", "the name is empty"),
        ("register 'A\nB'", r"the name 'A\nB' has a character that cannot be printed; remove it"),
        ("late Ed --born 3", "year of birth: this is too small: 1900 or more"),
        ("verify --head 12", "'12' is not a tree head: write SIZE:ROOT, as on posted standings"),
        ("pair --table Ann/Bo/Cy", "'Ann/Bo/Cy' names 3 players: a table has two, a bye one"),
        ("desk --command-id x", "one id cannot stand for the many slips of a desk: leave --command-id out, or "),
        *(
            (f"{line} /dev/null", "/dev/null is a pipe or a device: name a file")
            for line in ("import --ledger new.ledger", "register --csv", "keys merge", "checkpoint --key")
        ),
        ("import nothing.sheet --ledger new.ledger", "nothing.sheet cannot be read: No such file or directory"),
        ("open Saturday", "Missing option '--rulebook'"),
        ("open Saturday -b l5r-2018 --policy X", "'X' is not a policy: write POL-...=value"),
    ],
)
def test_an_ambiguous_command_exits_with_2_and_lists_the_choices(four: Desk, line: str, problem: str) -> None:
    said = four(line)
    assert said.code == 2
    assert said.problem.startswith(problem)
    assert four("log --json").out.count("\n") == 6, "nothing was recorded"


def test_the_log_keeps_a_repeated_contradicting_slip_once(played: Desk) -> None:
    kept = played("log --json").out.count("\n") + 1
    first, again = played("report 1 b"), played("report 1 b --station south")
    assert (again.code, again.problem) == (first.code, first.problem)
    assert f"kept as refused (entry {kept})" in again.problem
    assert played("log --json").out.count("\n") == kept


def test_entering_the_counting_result_again_settles_the_contradicting_slips(played: Desk) -> None:
    played("report 1 b")
    played("report 1 2-0 --station south")
    settled = played("correct 1 1 a")
    assert settled.code == 0
    assert "stays; refused slip settled: entry " in settled.lines[0]
    assert played("calls").lines == ["No call waits."]
    again = played("correct 1 1 a")
    assert (again.code, again.problem) == (3, "table 1 of round 1 has this result already (entry 7)")


@pytest.mark.parametrize(("typed", "code"), [("1 b\n", 4), ("1 zzz\n", 2), ("?\nq\n", 0), ("1 zzz\n? \n", 2)])
def test_slips_through_a_pipe_exit_with_the_code_of_the_refused_slip(played: Desk, typed: str, code: int) -> None:
    assert played("desk", typed=typed).code == code


def test_a_contradicting_slip_exits_with_4_and_the_log_keeps_it_as_refused(played: Desk) -> None:
    problem = (
        "table 1 of round 1 has another result already (entry 7): this slip is kept as refused (entry {0}); "
        "correct the result, or retract entry {0}"
    )
    kept = played("log --json").out.count("\n") + 1
    for _ in range(2):
        said = played("report 1 b --command-id south-1 --station south")
        assert (said.code, said.problem) == (4, problem.format(kept))
    [line] = [line for line in played("log").lines if "was refused, because" in line]
    assert line.endswith(
        "round 1, table 1: a slip saying that Bo beat Ann was refused, because entry 7 has another result"
    )


@pytest.mark.parametrize("line", ["concede Ann", "no-show Ann", "report 1 b"])
def test_the_refusal_of_a_slip_says_how_to_settle_it(played: Desk, line: str) -> None:
    """Before the fix, a concession after the result left a refused slip, and the message did not say how to remove
    it.
    """
    for settled, said in (("retract", "retract entry "), ("correct 1 1 b --yes", "correct the result")):
        problem = played(line).problem
        assert said in problem
        assert played("calls").lines != ["No call waits."]
        kept = problem.rpartition(" ")[2]
        assert played(f"retract {kept}" if settled == "retract" else settled).code == 0
        assert played("calls").lines == ["No call waits."]


def test_an_identical_slip_exits_with_0_and_records_nothing(played: Desk) -> None:
    """Before the fix, an identical slip was refused alone and accepted in a pile."""
    for said in (played("report 1 a"), played("report 1 a --station north"), played("desk", typed="1 a\n")):
        assert said.code == 0
        assert "Table 1: the same slip is there already (entry 7)." in said.out
    assert played("log --json").out.count("\n") == 8


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("report 9 a", "round 1 has no table 9: its tables are 1 to 2"),
        ("register Ed", "round 1 is paired: enter Ed as a late arrival; use late"),
        ("rejoin Ann", "Ann has not dropped"),
        ("correct 1 1 draw", "l5r-2018 has no draws: write a or b (the winner), "),
        ("retract 1", "entry 1 (Friday opened under l5r-2018) cannot be taken back"),
        ("tie Ann Bo", "Ann, Bo are not tied after round 1"),
        ("amend Ann/Cy", "table 1 has a result: to reseat its players, retract entry 7 first"),
        ("start", "round 1 has started already"),
        ("cut 9 --reason short", "a cut of 9 is not possible: there are 4 active players: make a smaller cut"),
        ("open '' -b l5r-2018", "a tournament needs a name of 1 to 200 printable characters"),
        ("open X -b l5r-2018 -p POL-Y=1", "l5r-2018 has no policy POL-Y; it has POL-L5R-ROUNDS-DENOM, "),
    ],
)
def test_a_refusal_by_the_rules_exits_with_3(played: Desk, line: str, problem: str) -> None:
    said = played(line)
    assert said.code == 3
    assert said.problem.startswith(problem)
    assert played("log --json").out.count("\n") == 8, "nothing was recorded"


def test_a_conflict_with_another_station_exits_with_4(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise Conflict("other stations kept writing to this tournament: nothing was recorded, try again")

    monkeypatch.setattr(Ledger, "decide", late)
    said = played("drop Ann")
    assert (said.code, said.problem) == (
        4,
        "other stations kept writing to this tournament: nothing was recorded, try again",
    )


def test_an_interrupted_command_says_so(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("matchledger.cli.desk._ask", interrupted)
    said = played("desk")
    assert (said.code, said.err.splitlines()[-1]) == (130, "matchledger: interrupted")


def test_without_a_command_the_commands_are_listed(desk: Desk) -> None:
    said = desk("--help")
    assert said.code == 0
    listed = [line.split()[0] for line in said.lines if line[:2] == "  " and line[2:3].isalpha()]
    assert "..." not in said.out.replace("[ARGS]...", ""), "nothing is cut off"
    assert set(listed) >= {*COMMANDS, *GROUPS}


def test_every_command_is_listed_under_one_heading() -> None:
    listed = [name for names in HEADINGS.values() for name in names]
    assert len(listed) == len(set(listed))
    assert set(listed) == {*COMMANDS, *GROUPS}


@pytest.mark.parametrize("word", sorted(MEANT))
def test_an_unknown_word_suggests_existing_commands(word: str) -> None:
    assert word not in {*COMMANDS, *GROUPS}
    assert {*COMMANDS, *GROUPS} & set(MEANT[word].split())


def test_version_option_prints_the_package_version(desk: Desk) -> None:
    assert desk("--version").lines == [f"matchledger {metadata.version('matchledger')}"]


def test_help_has_a_short_form(desk: Desk) -> None:
    assert desk("report -h").out == desk("report --help").out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(desk: Desk, command: str) -> None:
    said = desk(f"{command} --help")
    assert (said.code, said.err) == (0, "")
    assert said.lines[0].startswith(f"Usage: matchledger {command} ")


def test_every_command_is_run_by_some_test() -> None:
    tests = Path(__file__).resolve().parents[1]
    typed = {word for path in tests.rglob("*.py") for word in _first_words(ast.parse(path.read_text("utf-8")))}
    assert [command for command in COMMANDS if command not in typed] == []


def _first_words(tree: ast.AST) -> Iterator[str]:
    """Yield the first word of every line that a test types: the first argument of a call, or the first item of a
    list.
    """
    for node in ast.walk(tree):
        first = node.args[:1] if isinstance(node, ast.Call) else getattr(node, "elts", [])[:1]
        for item in first:
            text = item.values[0] if isinstance(item, ast.JoinedStr) and item.values else item
            if isinstance(text, ast.Constant) and isinstance(text.value, str) and text.value.strip():
                yield text.value.split()[0]


def test_the_console_script_exits_with_the_code(desk: Desk) -> None:
    assert desk("standings").code == run(["standings"]) == 2


def test_an_unexpected_error_is_one_line_without_details(four: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("Ann")

    monkeypatch.delenv("MATCHLEDGER_TRACEBACK")
    monkeypatch.setattr("matchledger.cli.reading.look", fail)
    said = four("standings")
    assert said.code == 2
    assert said.problem.startswith("this went wrong inside (KeyError in test_exit_codes.py, line ")
    assert "Ann" not in said.err
