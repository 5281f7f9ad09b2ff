"""A machine without the ledger's key file, and merging two key files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Desk

OR_NAMED = "from the machine that has it, or set MATCHLEDGER_KEYS to the file with the keys"
COPY = f"copy event.ledger.keys {OR_NAMED}"


@pytest.mark.finding("C-D7")
def test_only_a_command_starts_a_second_key_file_and_two_key_files_can_be_merged(
    played: Desk, ledger: Path
) -> None:
    keys = Path(f"{ledger}.keys")
    first = keys.rename("first.keys")
    assert played("players").err.endswith(f"numbers stand for them; copy that file {OR_NAMED}\n")
    assert played("late Eve").problem == (
        f"the names are sealed with keys that are not here: {COPY}; to start a second key file, use keys new"
    )
    assert played("keys new").problem.endswith(
        "would be a second key file: copy the first, or add --yes to start a second"
    )
    assert not keys.exists()
    assert played("keys new --yes").code == 0
    assert played("late Eve").code == 0
    assert [row["name"] for row in played("players --json").document] == [
        "Eve",
        "Player 1",
        "Player 2",
        "Player 3",
        "Player 4",
    ]
    assert played(f"keys merge {first}").lines == ["4 keys added to " + str(keys) + "."]
    assert [row["name"] for row in played("players --json").document] == ["Ann", "Bo", "Cy", "Di", "Eve"]
    assert played(f"keys merge {first}").lines == ["0 keys added to " + str(keys) + "."]
    assert played("keys new").problem.endswith("is there already: copy it, or merge another with keys merge")


@pytest.mark.finding("C-D7")
def test_another_tournament_never_starts_a_second_key_file_by_itself(played: Desk, ledger: Path) -> None:
    Path(f"{ledger}.keys").rename("first.keys")
    refused = f"the names are sealed with keys that are not here: {COPY}; to start a second key file, use keys new"
    opened = played("open Second -b magic-mtr")
    assert (opened.code, opened.err) == (0, f"note: {refused}\n")
    assert "The keys to the players' names" not in opened.out
    assert played("register Eve -t Second").problem == refused
    assert played("keys new --yes").code == 0
    assert played("register Eve -t Second").code == 0


@pytest.mark.finding("C-D7")
def test_the_key_file_of_another_ledger_gets_no_new_keys(played: Desk, ledger: Path) -> None:
    keys, other = Path(f"{ledger}.keys"), Path("other.ledger")
    for line in (f"open Other -b magic-mtr --ledger {other}", f"register Uma --ledger {other}"):
        assert played(line).code == 0
    foreign = Path(f"{other}.keys").read_bytes()
    own = keys.read_bytes()
    keys.write_bytes(foreign)
    assert "has the keys of another ledger, and no key to a name here" in played("late Eve").problem
    assert keys.read_bytes() == foreign
    keys.write_bytes(own)
    assert played("late Eve").code == 0


@pytest.mark.finding("C-D7")
def test_the_event_goes_on_with_the_key_file_of_the_other_laptop(played: Desk, ledger: Path) -> None:
    """Each laptop registered a different #5. Then one key file was copied over the other."""
    keys, other = Path(f"{ledger}.keys"), Path("b.ledger")
    shutil.copy(ledger, other)
    shutil.copy(keys, f"{other}.keys")
    for line in ("late Eve", f"late Fay --ledger {other}"):
        assert played(line).code == 0
    own = Path("own.keys")
    shutil.copy(keys, own)
    shutil.copy(f"{other}.keys", keys)
    said = played("players")
    assert "Player 5" in said.out
    assert "the key to 1 name is not in" in said.err
    assert played("late Gus").code == 0
    assert f"does not open with the key of #5 in {keys}: restore that key" in played("verify").out
    assert played(f"keys merge {own}").lines == [f"1 key added to {keys}."]
    names = [row["name"] for row in played("players --json").document]
    assert names == ["Ann", "Bo", "Cy", "Di", "Eve", "Gus"]
    assert played("verify").code == 0


@pytest.mark.finding("C-D7")
def test_an_empty_file_does_not_count_as_a_key_file(played: Desk, ledger: Path) -> None:
    """Before the fix, an interrupted copy left an empty file, and new keys were written into it."""
    keys = Path(f"{ledger}.keys")
    whole = keys.read_bytes()
    keys.write_bytes(b"")
    assert played("late Eve").problem.startswith("the names are sealed with keys that are not here")
    assert keys.read_bytes() == b""
    keys.write_bytes(whole)
    assert played("late Eve").code == 0


NAMING = (
    "report Ann win",
    "drop Ann",
    "no-show Ann",
    "call Ann",
    "rename Ann Anna",
    "fix-table Ann --table 5",
    "pair --table Ann/Bo",
    "amend Ann/Bo",
    "tie Ann Bo",
    "merge Ann Bo",
    "erase Ann --role organizer --reason asked --yes",
    "penalty Ann warning --for late",
    "history Ann",
    "explain Ann",
    "whatif --drop Ann",
    "scorecard Ann",
    "deck show Ann",
)


@pytest.mark.finding("C-D7")
def test_every_command_that_needs_a_name_says_which_key_file_to_copy(played: Desk, ledger: Path) -> None:
    Path(f"{ledger}.keys").rename("first.keys")
    missing = "there is no player 'Ann' among the names that can be read: "
    for line in NAMING:
        said = played(line)
        assert (said.code, said.problem) == (
            2,
            f"{missing}{COPY}",
        ), line
    Path("first.keys").rename(f"{ledger}.keys")
    assert played("history Ann").code == 0
    whole = Path(f"{ledger}.keys").read_bytes()
    # Keep only the first line, as in a key file that somebody started on this machine.
    Path(f"{ledger}.keys").write_bytes(whole[: whole.index(b"\n") + 1])
    assert played("history Ann").problem == (
        f"{missing}the keys to the others are not in event.ledger.keys; use keys merge with the key file that has "
        "them"
    )


@pytest.mark.finding("C-D7")
def test_a_player_whose_key_is_elsewhere_gets_no_new_key_here(played: Desk, ledger: Path) -> None:
    """If the player had two keys, the two files could never be merged, and neither would open the whole log."""
    Path(f"{ledger}.keys").rename("first.keys")
    assert played("keys new --yes").code == 0
    assert played("rename '#2' 'Bob Lee'").problem == (
        "the data of #2 is sealed with a key that is not here, and without that key the name stays a number; use "
        "keys merge with the key file that has them"
    )
    assert played("players").code == 0
    assert played("keys merge first.keys").code == 0
    assert played("rename '#2' 'Bob Lee'").code == 0
    assert [row["name"] for row in played("players --json").document] == ["Ann", "Cy", "Di", "Bob Lee"]


def test_a_key_destroyed_in_one_key_file_stays_destroyed_after_a_merge(played: Desk, ledger: Path) -> None:
    shutil.copy(f"{ledger}.keys", "old.keys")
    assert played("erase Bo --role organizer --yes --reason asked").code == 0
    assert played("keys merge old.keys").code == 0
    assert "Bo" not in [row["name"] for row in played("players --json").document]


@pytest.mark.finding("C-D7")
def test_a_player_with_two_keys_is_named_and_keeps_the_first(played: Desk, ledger: Path) -> None:
    """Two laptops were used separately, and each registered a different fifth player."""
    for end in ("", ".keys"):
        shutil.copy(f"{ledger}{end}", f"other.ledger{end}")
    assert played("late Eve").code == 0
    assert played("late Fay --ledger other.ledger").code == 0
    merged = played("keys merge other.ledger.keys")
    assert (merged.code, merged.lines) == (0, [f"0 keys added to {ledger}.keys."])
    assert merged.err == "note: #5 has another key in each file: keep other.ledger.keys too, for its names\n"
    assert [row["name"] for row in played("players --json").document] == ["Ann", "Bo", "Cy", "Di", "Eve"]
    others = played("players --json --ledger other.ledger").document
    assert [row["name"] for row in others] == ["Ann", "Bo", "Cy", "Di", "Fay"]


def test_a_file_without_keys_is_not_merged(four: Desk) -> None:
    Path("notes.txt").write_text("my notes", "utf-8")
    assert four("keys merge notes.txt").problem == (
        "notes.txt is not a key ring of matchledger: name the key file of the other copy"
    )
    assert four("keys merge none.keys").problem == "there is no none.keys: name the other key file"


def test_the_key_file_of_another_event_is_not_merged(four: Desk, ledger: Path) -> None:
    assert four("open Sunday -b l5r-2018 --ledger sunday.ledger").code == 0
    assert four("register Zoe --ledger sunday.ledger").code == 0
    before = Path(f"{ledger}.keys").read_bytes()
    assert four("keys merge sunday.ledger.keys").problem == (
        f"sunday.ledger.keys has keys to other events alone: name the key file of a copy of {ledger}"
    )
    assert Path(f"{ledger}.keys").read_bytes() == before


def test_an_export_with_names_lists_the_keys_that_are_missing(four: Desk, ledger: Path) -> None:
    Path(f"{ledger}.keys").unlink()
    shown = four("export sunday.jsonl --with-names")
    assert "note: it lacks the keys to 4 names" in shown.err
    assert "the keys to names and deck lists are in it" not in shown.err


def test_a_strangers_key_file_destroys_no_key_and_brings_none_for_later_players(played: Desk, ledger: Path) -> None:
    tournament = Path(f"{ledger}.keys").read_text("ascii").split()[1]
    line = f"{tournament} {{:010}} {{}}\n".format
    Path("foe.keys").write_text(
        "matchledger-keys/1\n" + line(1, "x" * 64) + line(5, "ab" * 32) + line(6, "ab" * 32), "ascii"
    )
    merged = played("keys merge foe.keys")
    assert (merged.code, merged.lines) == (0, [f"0 keys added to {ledger}.keys."])
    assert merged.err.splitlines() == [
        "note: the keys of #5, #6 in foe.keys open nothing in this log: they were left out",
        "note: foe.keys has destroyed the key of #1, and this log has no erasure: the key stays",
    ]
    assert played("late Eve").code == 0
    assert [row["name"] for row in played("players --json").document] == ["Ann", "Bo", "Cy", "Di", "Eve"]
    assert "ab" * 32 not in Path(f"{ledger}.keys").read_text("ascii")


def test_an_import_brings_no_key_for_later_players(played: Desk) -> None:
    """The sender of an imported key would know the personal link of a player who registers later."""
    assert played("export sunday.jsonl --with-names").code == 0
    sent = Path("sunday.jsonl")
    first, rest = sent.read_text("utf-8").split("\n", 1)
    header = json.loads(first)
    header["keys"]["5"] = "ab" * 32
    Path("foe.jsonl").write_text(f"{json.dumps(header)}\n{rest}", "utf-8")
    assert played("import foe.jsonl --ledger there.ledger").code == 0
    assert "ab" * 32 not in Path("there.ledger.keys").read_text("ascii")
    assert [row["name"] for row in played("players --json --ledger there.ledger").document][:2] == ["Ann", "Bo"]
