"""An event of 200 players on the command line, with every mishap of a Saturday."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from tests.cli.conftest import Desk


def _done(desk: Desk, line: str) -> None:
    said = desk(line)
    assert said.code == 0, (line, said.err)


def _put_right_before_play(desk: Desk) -> None:
    """Correct mistakes before play: a misspelled name, a double registration, a fixed table, and two awarded
    byes.
    """
    for line in (
        "rename P003 'Petra Three'",
        "correct-player 'Petra Three' --born 1991",
        "register 'P004 again'",
        "merge P004 'P004 again' --yes",
        "register 'P005 again'",
        "merge P005 'P005 again' --yes",
        "fix-table P006 --table 50",
        "award-byes P007",
        "award-byes P008",
        "transfer P009 'Quinn Nine' --yes",
    ):
        _done(desk, line)


def _change_a_policy_and_back(desk: Desk) -> None:
    change = "change-policy POL-ALL-REPAIR never --reason agreed --role organizer"
    assert "PREVIEW" in desk(f"{change} --preview").out
    _done(desk, change)
    assert "policy changed during the event" in desk("integrity").out
    _done(desk, "undo --role organizer --reason 'asked back'")


def _go_on_without_the_network(desk: Desk) -> None:
    """Continue on a laptop whose key file is missing, so that the program asks for the file. Afterwards merge the
    laptop's ledger at the desk.
    """
    for end in ("", ".keys"):
        shutil.copy(f"event.ledger{end}", f"laptop.ledger{end}")
    keys = Path("laptop.ledger.keys").rename("first.keys")
    late = "late Zoe --losses 1 --ledger laptop.ledger"
    assert desk(late).problem.endswith("to start a second key file, use keys new")
    _done(desk, "keys new --yes --ledger laptop.ledger")
    _done(desk, late)
    _done(desk, f"keys merge {keys} --ledger laptop.ledger")
    names = {row["name"] for row in desk("players --json --ledger laptop.ledger").document}
    assert {"Petra Three", "Zoe"} <= names
    _done(desk, "drop P010")  # meanwhile, the desk drops the player
    _done(desk, "merge-copy laptop.ledger --role organizer --yes")
    assert {row["name"]: row["status"] for row in desk("players --json").document}["Zoe"] == "active"
    assert "cannot be taken back" in desk("undo --role organizer").refused


def _replace_a_qualifier(desk: Desk) -> None:
    """Replace a qualifier who leaves before the first game. The next player takes the last seed."""
    seeds = desk("standings --json").document["standings"]
    first, next_ = (row["player"] for row in (seeds[0], seeds[4]))
    _done(desk, f"drop '{first}'")
    assert desk(f"replace '{first}'").lines[-1].split(maxsplit=1) == ["4", next_]


def test_an_event_of_200_players_survives_every_mishap(desk: Desk) -> None:
    names = [f"P{number:03}" for number in range(1, 201)]
    Path("field.csv").write_text("\n".join(["name", *names, ""]), "utf-8")

    done = partial(_done, desk)

    def pile() -> str:
        open_ = [row["table"] for row in desk("pairings --outstanding --json").document["pairings"]]
        return " ".join(f"{table} a" for table in open_)

    done("open Saturday -b l5r-2018")
    done("register --csv field.csv")
    done("announce --structure custom --rounds 2 --cut 4 --prizes 4 --reason short")
    # A round by hand that leaves players out is refused. After `undo --round`, every player is paired again.
    assert "198 players would have no opponent and no bye" in desk("pair --table P001/P002").refused
    _put_right_before_play(desk)
    done("pair")
    for again in ("undo --round", "redo", "undo --round", "pair"):
        done(again)
    assert "Print again: pairings, and slips 1 2." in desk("swap-tables 1 2 --yes").lines
    _change_a_policy_and_back(desk)
    # A player who was recorded as a no-show arrives after all. One slip comes twice, a second slip contradicts the
    # result, and a player protests.
    first = desk("pairings --json").document["pairings"][0]["players"]
    done(f"no-show {first[0]}")
    done("undo")
    assert {row["status"] for row in desk("players --json").document} == {"active"}
    done(f"report {first[0]} win")
    assert "the same slip is there already" in desk("report 1 a 2 a").out
    assert desk("report 2 b").code == 4
    done(f"report {pile()}")
    done(f"call {first[1]}")
    for step in ("pair", "post", "cut 4", "close --yes"):
        assert "contradicts the result of table 2" in desk(f"{step}").err, step
    [call], [slip] = (desk("calls --json").document[kind] for kind in ("calls", "contradictions"))
    done(f"answer {call['position']}")
    done(f"retract {slip['position']}")
    # A player leaves an open table. A second player is disqualified, and the round goes on.
    done("post")
    _go_on_without_the_network(desk)
    done("pair")
    assert desk("disqualify P011 --reason cheated").code == 2
    done("disqualify P011 --reason cheated --yes")
    done(f"report {pile()}")
    assert desk("close --yes").code == 3
    done("tie")
    done("cut")
    _replace_a_qualifier(desk)
    done("pair")
    done("report 1 a 2 a")
    assert desk("close --yes").code == 3
    done("pair")
    done("report 1 a")
    assert desk("erase P012 --role organizer --reason asked").code == 2
    done("erase P012 --role organizer --reason asked --yes")
    done("close --yes")
    assert desk("places --csv").lines[1].startswith("1,")
    assert desk("verify").code == 0
    # The commands for one tournament do not change a second tournament with the same name.
    assert "note: Saturday is open in this ledger already" in desk("open Saturday -b l5r-2018").err
    assert desk("register Zed").problem.count("Saturday") == 2
