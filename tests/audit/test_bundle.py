"""Bundles: what the dispute file of one match contains."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from tests.audit.scripted_dispute import PLAYERS, Dispute, by_hand, positions, stored
from tests.desk import RunCli

from matchledger.cli import run
from matchledger.events import RepairChosen
from matchledger.ledger import Clerk, open_ledger

ANN_AND_CY = ("Ann Lee", "Cy Dane")


def write(ledger: Path, folder: Path, *options: str, match: tuple[str, ...] = ("2", "1")) -> dict[str, Any]:
    """Write the bundle of a match, and return it."""
    file = folder / "match.bundle"
    assert run(["bundle", *match, "--ledger", str(ledger), "--out", str(file), *options]) == 0
    document: dict[str, Any] = json.loads(file.read_text())
    return document


def entries(bundle: dict[str, Any]) -> list[tuple[int, str]]:
    return [(line["position"], line["topic"]) for line in bundle["entries"]]


@pytest.fixture
def bundle(dispute: Dispute, tmp_path: Path) -> dict[str, Any]:
    return write(dispute.ledger, tmp_path)


def test_a_bundle_contains_every_entry_about_the_match_unchanged(dispute: Dispute, bundle: dict[str, Any]) -> None:
    assert entries(bundle) == [
        (1, "tournament-opened"),
        (2, "player-registered"),
        (4, "player-registered"),
        (17, "round-paired"),
        (dispute.slip, "result-reported"),
        (dispute.correction, "result-corrected"),
        (dispute.protest, "entry-retracted"),
        (dispute.restored, "entry-retracted"),
    ]
    kept = {position: state for position, _, state in stored(dispute.ledger)}
    assert all(b64decode(line["stored"]) == kept[line["position"]] for line in bundle["entries"])


def test_a_bundle_names_only_the_two_players(dispute: Dispute, tmp_path: Path) -> None:
    text = json.dumps(write(dispute.ledger, tmp_path))
    inside = "".join(b64decode(line["stored"]).decode() for line in json.loads(text)["entries"])
    assert all(name in text for name in ANN_AND_CY)
    assert "Cy Dane" not in inside, "what is stored is sealed; Ann Lee is named in a reason"
    others = [name for name in PLAYERS if name not in ANN_AND_CY]
    assert len(others) == 6
    assert not [name for name in others if name in text]
    assert not [word for name in others for word in name.split() if re.search(rf"\b{word}\b", inside)]


def test_a_bundle_can_leave_names_out(dispute: Dispute, tmp_path: Path) -> None:
    bundle = write(dispute.ledger, tmp_path, "--numbers-only")
    assert bundle["match"]["names"] == ["player 1", "player 3"]
    assert [topic for _, topic in entries(bundle)].count("player-registered") == 0
    assert bundle["explanation"][-1] == "What counts is entry 32: entry 18 was wrong, and player 3 won (win)."


def test_a_bundle_shows_who_recorded_each_entry_when_and_what_replaced_it(
    bundle: dict[str, Any],
) -> None:
    assert bundle["match"] == {
        "stage": "swiss",
        "round": 2,
        "table": 1,
        "players": [1, 3],
        "names": ["Ann Lee", "Cy Dane"],
    }
    assert bundle["explanation"][3:] == [
        (
            "Entry 17, 2026-05-03 12:10:00Z, scorekeeper (scorekeeper, desk): "
            "swiss round 2 is paired by hand, Ann Lee and Cy Dane at table 1."
        ),
        (
            "Entry 18, 2026-05-03 12:20:00Z, scorekeeper (scorekeeper, desk): "
            "the slip says that Ann Lee won (win). Replaced by entry 32."
        ),
        (
            "Entry 32, 2026-05-03 13:20:00Z, head judge (judge, desk): "
            "entry 18 was wrong, and Cy Dane won (win). Reason: both signed the wrong side."
        ),
        (
            "Entry 40, 2026-05-03 14:00:00Z, head judge (judge, desk): "
            "entry 32 is taken back. Reason: Ann Lee protests. No longer counts: entry 41 took it back."
        ),
        (
            "Entry 41, 2026-05-03 14:10:00Z, head judge (judge, desk): "
            "entry 40 is taken back. Reason: the paper slip is found."
        ),
        "What counts is entry 32: entry 18 was wrong, and Cy Dane won (win).",
    ]


def test_a_bundle_contains_every_checkpoint_and_the_last_one_signs_its_tree(
    dispute: Dispute, bundle: dict[str, Any]
) -> None:
    sizes = [int(checkpoint["note"].split("\n")[1]) for checkpoint in bundle["checkpoints"]]
    assert sizes == [position - 1 for position in positions(dispute.ledger, "checkpoint-signed")]
    assert bundle["tree"]["size"] == sizes[-1] == dispute.restored


@pytest.fixture
def unsigned(dispute: Dispute, tmp_path: Path) -> Path:
    """The dispute with entries that no checkpoint signs."""
    ledger = dispute.copied_to(tmp_path)
    assert run(["retract", str(dispute.restored), "--override", "--reason", "wrong", "--ledger", str(ledger)]) == 0
    return ledger


def test_unsigned_entries_are_marked_as_unsigned(
    unsigned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    bundle = write(unsigned, tmp_path)
    assert capsys.readouterr().err == (
        "note: no checkpoint covers all of these entries: sign one, or the dispute file proves little; use --key\n"
    )
    assert bundle["tree"]["size"] == 44, "the entry that says the bundle was made comes first"
    assert bundle["explanation"][-1].startswith("What counts is entry 18: the slip says that Ann Lee won")


def test_a_key_signs_the_entries_that_no_checkpoint_covers(
    unsigned: Path, dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = write(unsigned, tmp_path, "--key", str(dispute.key))
    assert (bundle["tree"]["size"], len(bundle["checkpoints"])) == (44, 6)
    assert positions(unsigned, "checkpoint-signed")[-1] == 45
    (tmp_path / "match.bundle").unlink()
    write(unsigned, tmp_path, "--key", str(dispute.key))
    assert positions(unsigned, "checkpoint-signed")[-1] == 45
    assert positions(unsigned, "names-handed-out") == [44, 46]
    assert capsys.readouterr().err == ""


def test_an_existing_file_is_never_overwritten(dispute: Dispute, tmp_path: Path, run_cli: RunCli) -> None:
    ledger = dispute.copied_to(tmp_path)
    before = ledger.read_bytes()
    assert (
        run_cli("bundle", "2", "1", "--ledger", str(ledger), "--out", str(ledger), code=2).err
        == f"matchledger: {ledger} is there already: name another file\n"
    )
    assert ledger.read_bytes() == before


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (["5", "1"], "Swiss round 5 is not paired"),
        (["2", "9"], "Swiss round 2 has no table 9"),
        (["1", "1", "--elimination"], "elimination round 1 is not paired"),
    ],
)
def test_a_match_that_was_never_paired_has_no_bundle(
    dispute: Dispute, tmp_path: Path, match: list[str], message: str, run_cli: RunCli
) -> None:
    output = tmp_path / "match.bundle"
    assert (
        run_cli("bundle", *match, "--ledger", str(dispute.ledger), "--out", str(output), code=2).err
        == f"matchledger: {message}\n"
    )
    assert not output.exists()


# -- other matches


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tournament of four players whose round 1 was paired, and reseated before play."""
    ledger = tmp_path / "small.ledger"
    script(ledger, "open", "Small", "--rulebook", "l5r-2018")
    for name in ("Ann", "Bo", "Cy"):
        script(ledger, "register", name)
    script(ledger, "register", "Dee", "--born", "2001")
    script(ledger, "pair", *by_hand(["Ann/Bo", "Cy/Dee"]))
    script(ledger, "amend", "Ann/Dee", "Cy/Bo", "--reason", "Bo and Ann came together")
    return ledger


def script(ledger: Path, *arguments: str) -> None:
    assert run([*arguments, "--ledger", str(ledger)]) == 0


def test_a_bundle_shows_the_seating_that_counts_and_the_replaced_seating(small: Path, tmp_path: Path) -> None:
    script(small, "concede", "Dee")
    bundle = write(small, tmp_path, match=("1", "1"))
    assert [topic for _, topic in entries(bundle)][3:] == ["round-paired", "pairing-amended", "match-conceded"]
    said = [line.split("): ")[1] for line in bundle["explanation"][3:6]]
    assert said == [
        "swiss round 1 is paired by hand.",
        "the pairing of swiss round 1 is amended, Ann and Dee at table 1. Reason: Bo and Ann came together.",
        "Dee concedes.",
    ]


def test_a_bundle_includes_the_drop_that_follows_a_no_show(small: Path, tmp_path: Path) -> None:
    script(small, "no-show", "Dee")
    script(small, "drop", "Ann")
    bundle = write(small, tmp_path, match=("1", "1"))
    assert [topic for _, topic in entries(bundle)][-2:] == ["no-show-recorded", "player-dropped"]
    assert [line.split("): ")[1] for line in bundle["explanation"][-3:-1]] == [
        "Dee did not appear.",
        "Dee drops (no-show).",
    ]


def test_a_bundle_says_when_its_match_has_no_result(small: Path, tmp_path: Path) -> None:
    assert write(small, tmp_path, match=("1", "2"))["explanation"][-1] == "No result counts."


def test_writing_a_bundle_warns_of_personal_data_and_missing_signatures(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    write(small, tmp_path, match=("1", "1"))
    assert capsys.readouterr().err.splitlines() == [
        "note: no checkpoint covers all of these entries: sign one, or the dispute file proves little; use --key",
        "note: the registration of Dee also has born: a file without names leaves them out; use --numbers-only",
        "note: the text of entry 7 contains the name of Bo, which cannot be removed",
    ]


def test_a_bundle_includes_rulings_about_the_match(dispute: Dispute, tmp_path: Path) -> None:
    ledger = dispute.copied_to(tmp_path)
    with open_ledger(ledger) as kept:
        ruling = RepairChosen(round=4, choice="leave", correction=dispute.correction)
        judge = Clerk("head judge", "judge")
        kept.decide(kept.tournaments()[0], lambda _: [ruling], clerk=judge, reason="in play")
    bundle = write(ledger, tmp_path, "--key", str(dispute.key))
    assert entries(bundle)[-1] == (43, "repair-chosen")
    assert bundle["explanation"][-2].endswith("head judge (judge, desk): repair chosen. Reason: in play.")


def test_an_elimination_match_has_its_own_bundle(tmp_path: Path) -> None:
    sheet = tmp_path / "cut.sheet"
    sheet.write_text(
        "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\n"
        "draw C B\ncut 2\nelimination 1\n  A > C\n"
    )
    ledger = tmp_path / "cut.ledger"
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    bundle = write(ledger, tmp_path, "--elimination", match=("1", "1"))
    assert bundle["match"]["stage"] == "elimination"
    assert [topic for _, topic in entries(bundle)][3:] == ["round-paired", "result-reported"]
    assert "elimination round 1 is paired by hand" in bundle["explanation"][3]
