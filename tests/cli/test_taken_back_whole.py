"""A player leaves the elimination stage. The departure and its effects on the bracket are taken back together."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Desk

from matchledger.events import EntryRetracted
from matchledger.ledger import Clerk, open_ledger

RULEBOOKS = ("l5r-2018", "pokemon-2009", "street-warriors-2004", "ashes-2022")
ORGANIZER = "--role organizer --reason seen --yes"


def won(rulebook: str, table: int) -> str:
    return f"report {table} a" + (":0" if rulebook == "ashes-2022" else "")


def done(desk: Desk, *lines: str) -> None:
    for line in lines:
        said = desk(line)
        assert said.code == 0, (line, said.err)


def semifinals(desk: Desk, rulebook: str = "l5r-2018") -> dict[int, list[str]]:
    """An event of eight players before its semifinals. Returns the players of each table."""
    done(desk, f"open Cup -b {rulebook}", *(f"register P{number}" for number in range(1, 9)))
    done(desk, "announce --rounds 1 --cut 4 --reason short", "pair")
    done(desk, *(won(rulebook, table) for table in range(1, 5)))
    if desk("tie --yes").code:
        names = [row["player"] for row in desk("standings --json").document["standings"]]
        done(desk, f"tie {' '.join(names[:4])}")
    done(desk, "cut --yes", "pair")
    return {row["table"]: row["players"] for row in desk("pairings --json").document["pairings"]}


def state(desk: Desk) -> list[Any]:
    """Return everything that changes when a player leaves."""
    seats, bracket = desk("pairings --json").document, desk("bracket --json").document
    return [desk("players --json").document, seats["pairings"], seats["byes"], bracket["rounds"]]


def length(desk: Desk) -> int:
    return int(desk("log --tail 1").lines[-1].split()[0])


def each_half(desk: Desk, line: str) -> Iterator[int]:
    """Carry out a command and yield each of its entries, each time with the ledger as it was after the command."""
    first = length(desk)
    done(desk, line)
    last = length(desk)
    assert last > first + 1, "the command has several entries"
    shutil.copy("event.ledger", "after.ledger")
    for entry in range(first + 1, last + 1):
        shutil.copy("after.ledger", "event.ledger")
        yield entry


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("leave", ["drop {open}", "disqualify {open}", "drop {winner} --during"])
def test_one_retraction_brings_a_leaver_and_the_match_back(desk: Desk, rulebook: str, leave: str) -> None:
    """Before the fix, the drop stayed: the player then won the match and was left out of the final."""
    seats = semifinals(desk, rulebook)
    done(desk, won(rulebook, 1))
    before = state(desk)
    line = leave.format(open=seats[2][0], winner=seats[1][0]) + f" {ORGANIZER}"
    for entry in each_half(desk, line):
        after = state(desk)
        done(desk, f"retract {entry} {ORGANIZER}")
        assert state(desk) == before, entry
        done(desk, f"retract {length(desk)} {ORGANIZER}")
        assert state(desk) == after, entry
        done(desk, f"undo {ORGANIZER}")
        assert state(desk) == before, entry


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("leave", ["drop", "disqualify"])
def test_a_drop_tells_the_desk_which_opponent_wins_without_playing(desk: Desk, rulebook: str, leave: str) -> None:
    seats = semifinals(desk, rulebook)
    done(desk, won(rulebook, 1))
    said = desk(f"{leave} {seats[2][0]} {ORGANIZER}")
    assert f"tell {seats[2][1]}, who wins without playing" in said.err


@pytest.mark.parametrize("leave", ["drop {0}", "disqualify {0}", "replace {0}"])
def test_one_retraction_brings_a_qualifier_and_the_bracket_back(desk: Desk, leave: str) -> None:
    seats = semifinals(desk)
    before = state(desk)
    for entry in each_half(desk, leave.format(*seats[1]) + f" {ORGANIZER}"):
        done(desk, f"retract {entry} {ORGANIZER}")
        assert state(desk) == before, entry


def leaves_before_winning(desk: Desk, rulebook: str) -> tuple[str, str]:
    """Let a player leave whom a later slip makes the winner: a correction, or a slip after the table was seated
    again.
    """
    seats = semifinals(desk, rulebook)
    done(desk, won(rulebook, 1), won(rulebook, 2).replace(" a", " b"), f"drop {seats[2][0]}")
    at = str(length(desk))
    done(desk, "correct --elimination 1 2 a" + (":0" if rulebook == "ashes-2022" else "") + " --yes")
    return seats[2][0], at


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_final_waits_for_a_winner_who_had_left_before(desk: Desk, rulebook: str) -> None:
    """Before the fix, the final was paired without the winner who had left, and no message said so."""
    winner, dropped = leaves_before_winning(desk, rulebook)
    said = (
        f"{winner} won table 2 of elimination round 1, but had left before "
        f"(retract entry {dropped} if the player goes on)"
    )
    assert desk("pair").refused.startswith(f"{said}: ")
    assert desk("close --yes").refused.startswith(f"{said}; ")
    done(desk, "pair --reason agreed")
    kinds = [item["kind"] for item in desk("integrity --json").document["items"]]
    assert "went on over open questions" in kinds
    done(desk, "undo", f"retract {dropped} --yes", "pair")
    [final] = desk("pairings --json").document["pairings"]
    assert winner in final["players"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_winner_who_leaves_afterwards_does_not_delay_the_final(desk: Desk, rulebook: str) -> None:
    """The slip is corrected later, but the winner stays the same."""
    seats = semifinals(desk, rulebook)
    done(desk, won(rulebook, 1), won(rulebook, 2), f"drop {seats[2][0]}")
    if rulebook == "ashes-2022":
        done(desk, "correct --elimination 1 2 a:3 --yes")
    done(desk, "pair")


def two_divisions(desk: Desk) -> None:
    """Two divisions that play separately, with round 1 reported and all ties drawn."""
    done(desk, "open Cup -b pokemon-2009 --division-from junior=1999 --division-from senior=1995")
    born = [f"{name}{number},{year}" for name, year in (("J", 2000), ("M", 1980)) for number in range(1, 9)]
    Path("field.csv").write_text("\n".join(["name,born", *born, ""]), "utf-8")
    cuts = "--division-cut junior=4 --division-cut masters=4"
    rounds = "--division-rounds junior=1 --division-rounds masters=1"
    done(desk, "register --csv field.csv", f"announce {rounds} {cuts} --reason short", "pair")
    done(desk, "report " + " ".join(f"{table} a" for table in range(1, 9)), "tie --yes", "post")


def playing(desk: Desk) -> set[str]:
    """Return the players of the elimination round."""
    seats = desk("pairings --elimination --json").document["pairings"]
    return {player for row in seats for player in row["players"]}


def test_one_retraction_takes_the_cuts_of_all_divisions_back(desk: Desk) -> None:
    """Before the fix, one division lost its cut alone. After that, `cut` refused to make the lost cut again, and
    `pair` left the division out.
    """
    two_divisions(desk)
    before = desk("places --json").document["places"]
    for entry in each_half(desk, "cut --yes"):
        after = desk("places --json").document["places"]
        done(desk, f"retract {entry} --yes")
        assert desk("places --json").document["places"] == before, entry
        done(desk, f"retract {length(desk)} --yes")
        assert desk("places --json").document["places"] == after, entry
        done(desk, f"undo {ORGANIZER}", "cut --yes", "pair")
        assert len(playing(desk)) == 8, entry


def test_one_retraction_takes_the_brackets_of_all_divisions_back(desk: Desk) -> None:
    """Before the fix, one division lost its bracket alone. After that, `pair` left the division out, and no message
    said so.
    """
    two_divisions(desk)
    done(desk, "cut --yes")
    for entry in each_half(desk, "pair"):
        pairing = length(desk)
        if entry == pairing:
            continue
        everybody = playing(desk)
        done(desk, f"retract {pairing} --yes", f"retract {entry} --yes")
        assert desk("bracket").code == 2, entry
        done(desk, "pair")
        assert playing(desk) == everybody, entry


def test_a_missing_bracket_is_drawn_beside_the_others(desk: Desk) -> None:
    """The round with both brackets was undone, and an earlier version of this program brought one bracket back."""
    two_divisions(desk)
    done(desk, "cut --yes", "pair")
    everybody = playing(desk)
    done(desk, "undo --round --yes")
    with open_ledger("event.ledger") as ledger:
        [tournament] = ledger.tournaments()
        back = EntryRetracted(retracts=length(desk) - 1, undo=True)
        ledger.decide(tournament, lambda _: [back], clerk=Clerk(role="organizer"))
    done(desk, "pair")
    assert playing(desk) == everybody
    done(desk, "report 1 a 2 a 3 a 4 a", "pair", "report 1 a 2 a", f"close {ORGANIZER}", "verify")
    firsts = [row["division"] for row in desk("places --json").document["places"] if row["first"] == 1]
    assert sorted(firsts) == ["junior", "masters"]


def test_the_log_still_names_the_bracket_of_a_round_that_was_undone(desk: Desk) -> None:
    """Before the fix, the log said that the undone round was paired by hand."""
    semifinals(desk)
    done(desk, "undo --round --yes")
    [paired] = [line for line in desk("log").lines if "elimination round 1 paired" in line]
    assert "paired by the bracket" in paired


def test_the_bracket_marks_a_disqualified_player(desk: Desk) -> None:
    seats = semifinals(desk)
    done(desk, "report 1 a", "report 2 a", f"disqualify {seats[2][1]} {ORGANIZER}")
    assert f"{seats[2][1]} (disqualified)" in desk("bracket").out


def test_a_corrected_semifinal_says_at_once_that_the_posted_final_seats_the_loser(desk: Desk) -> None:
    """Before the fix, only the refusal of the final's slip said so, when the wrong players had played it."""
    seats = semifinals(desk)
    done(desk, won("l5r-2018", 1), won("l5r-2018", 2), "pair")
    said = f"{seats[1][1]} should have a seat, {seats[1][0]} should have no seat (take the whole round back, "
    assert said not in desk("pairings").out
    corrected = desk(f"correct 1 1 b --elimination {ORGANIZER}")
    assert said in corrected.err + corrected.out
    assert said in desk("pairings").out
    done(desk, f"undo {ORGANIZER}")
    assert said not in desk("pairings").out
    again = desk("redo --yes --role organizer --reason seen")
    assert said in again.err + again.out
    done(desk, f"undo --round {ORGANIZER}", "pair")
    assert said not in desk("pairings").out


def seats_by_table(desk: Desk) -> dict[int, list[str]]:
    return {row["table"]: row["players"] for row in desk("pairings --json").document["pairings"]}


def finals_of_two_divisions(desk: Desk) -> tuple[str, str, str]:
    """Two divisions in their finals, when a semifinal of junior is corrected. The final of masters is over. Returns
    the wrong and the right finalist of junior, and the other finalist.
    """
    two_divisions(desk)
    done(desk, "cut --yes", "pair", "report 1 a 2 a 3 a 4 a", "pair", "report 2 a")
    semifinals = {
        row["table"]: row["players"] for row in desk("pairings --round 1 --elimination --json").document["pairings"]
    }
    (other, _), (wrong, right) = semifinals[1], semifinals[2]
    done(desk, f"correct 1 2 b --elimination {ORGANIZER}")
    return wrong, right, other


def test_seating_the_right_finalist_keeps_the_final_of_the_other_division(desk: Desk) -> None:
    """Before the fix, only the whole round could be taken back, with the played final of the other division."""
    wrong, right, other = finals_of_two_divisions(desk)
    final = seats_by_table(desk)[2]
    note = desk("pairings").out
    assert (
        f"{right} should have a seat, {wrong} should have no seat (seat {other}/{right}: the other tables stay)"
        in note
    )
    assert note.rstrip().endswith("use amend")
    assert "the other tables stay" in desk("repair").refused
    done(desk, f"amend {other}/{right}")
    assert seats_by_table(desk) == {1: [other, right], 2: final}
    assert desk("pairings").out.count("does not follow") == 0
    [_, played] = desk("pairings --json").document["pairings"]
    assert played["result"]["winner"] == final[0]
    done(desk, "report 1 a", "post", f"close {ORGANIZER}")
    firsts = {row["player"] for row in desk("places --json").document["places"] if row["first"] == 1}
    assert firsts == {other, final[0]}


def test_a_final_that_the_wrong_player_has_played_is_seated_again_after_its_result_is_retracted(
    desk: Desk,
) -> None:
    two_divisions(desk)
    done(desk, "cut --yes", "pair", "report 1 a 2 a 3 a 4 a", "pair", "report 1 a 2 a")
    at = length(desk) - 1
    semifinals = {
        row["table"]: row["players"] for row in desk("pairings --round 1 --elimination --json").document["pairings"]
    }
    (other, _), (_, right) = semifinals[1], semifinals[2]
    final = seats_by_table(desk)[2]
    corrected = desk(f"correct 1 2 b --elimination {ORGANIZER}")
    assert f"(retract the result of table 1, then seat {other}/{right}: the other tables stay)" in corrected.err
    refused = desk(f"amend {other}/{right}").refused
    assert refused == f"table 1 has a result: to reseat its players, retract entry {at} first"
    done(desk, f"retract {at} {ORGANIZER}", f"amend {other}/{right}")
    assert seats_by_table(desk) == {1: [other, right], 2: final}


def test_a_qualifier_who_belongs_in_the_round_is_not_left_without_a_seat(desk: Desk) -> None:
    _, right, _ = finals_of_two_divisions(desk)
    first, second = seats_by_table(desk)[1]
    assert "would be left without an opponent" in desk(f"amend {second}/{right}").refused, f"{first} belongs there"
