"""Explanations of rule ids and rulebooks, as people look them up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.desk import RunCli

from matchledger.cli import run
from matchledger_projections.rulebook.catalogue import DOCUMENTS, UnknownRule, policy_flags, rule, rules
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks

Printed = pytest.CaptureFixture[str]


def test_a_rule_is_explained_in_a_sentence(run_cli: RunCli) -> None:
    assert run_cli("rules", "pkm-4-post").lines == [
        "Pokémon TCG Tournament Operation (2009)",
        "Rule        Says",
        "PKM-4-POST  Standings are posted and can be checked before the next round is paired and posted.  applied",
    ]


def test_every_rule_is_listed_under_its_document(run_cli: RunCli) -> None:
    printed = run_cli("rules").lines
    assert len(printed) == len(rules()) + 2 * len(DOCUMENTS)


def test_rules_are_printed_as_json(run_cli: RunCli) -> None:
    [said] = run_cli("rules", "LEG-GAME", "--json").document
    assert list(said) == ["id", "document", "says", "state", "about"]
    assert said["state"] == "outside"


def test_an_unknown_rule_is_answered_with_similar_ids(run_cli: RunCli) -> None:
    with pytest.raises(UnknownRule, match=r"no rule 'ASH-TB'; similar ids: ASH-TB1-H2H, ASH-TB2-OW"):
        rule("ASH-TB")
    assert run_cli("rules", "nonsense", code=2).problem == "there is no rule 'nonsense'; see rules"
    assert "The document is silent here." in run_cli("rules", "POLICY").out


def test_every_document_has_rules_and_every_rule_has_a_sentence() -> None:
    assert len({known.document for known in rules().values()}) == len(DOCUMENTS)
    assert all(known.says.endswith(".") for known in rules().values())


@pytest.mark.finding("C-D17")
def test_every_policy_and_every_value_is_explained_in_one_sentence(run_cli: RunCli) -> None:
    for flag in policy_flags().values():
        sentences = [flag.says, *flag.values.values()]
        assert all(said.endswith(".") and ". " not in said for said in sentences), flag.id
        assert all(len(said.split()) > 1 for said in sentences), f"{flag.id}: a value that says only yes or no"
        assert set(flag.defaults.values()) <= set(flag.values), flag.id
        printed = " ".join(run_cli("rules", flag.id).out.split())
        assert all(said in printed for said in sentences), flag.id


@pytest.mark.parametrize("name", shipped_rulebooks())
def test_each_rulebook_explains_its_policies(name: str, run_cli: RunCli) -> None:
    lines = run_cli("rulebook", name).lines
    for id_ in parse_rulebook(rulebook_text(name)).policies:
        flag = policy_flags()[id_]
        first = lines.index(f"{id_}: {flag.says}") + 1
        assert lines[first : first + len(flag.values)] == [
            f"  {value}: {says}" for value, says in flag.values.items()
        ]


def test_the_rulebooks_are_listed(run_cli: RunCli) -> None:
    assert [line.split()[0] for line in run_cli("rulebook").lines] == ["Rulebook", *shipped_rulebooks()]


def test_a_rulebook_says_that_its_final_may_have_no_time_limit(run_cli: RunCli) -> None:
    [line] = [line for line in run_cli("rulebook", "ashes-2022").lines if line.startswith("final ")]
    assert line.split()[-1] == "ASH-CUT"
    assert not any(line.startswith("final ") for line in run_cli("rulebook", "l5r-2018").lines)


def test_rulebook_shows_scoring_ranking_pairing_and_policies(run_cli: RunCli) -> None:
    printed = " ".join(run_cli("rulebook", "l5r-2018").out.split())
    assert "modified-win 6 / 0 L5R-IV.3a-75" in printed
    assert "bye 10 L5R-IV.2a-BYE" in printed
    assert "random draw L5R-IV.4a-RANDOM" in printed
    assert "pair down L5R-IV.2a-PAIRDOWN" in printed
    assert "POL-L5R-EMPTY-SOS 0 0, last L5R-IV.4a-SOS" in printed


@pytest.mark.parametrize("name", shipped_rulebooks())
def test_every_rulebook_can_be_shown(name: str, run_cli: RunCli) -> None:
    assert run(["rulebook", name]) == 0
    assert json.loads(run_cli("rulebook", name, "--json").lines[-1])["id"] == name


def test_a_house_rulebook_is_shown_from_its_file(tmp_path: Path, run_cli: RunCli) -> None:
    file = tmp_path / "house.toml"
    file.write_text(rulebook_text("ashes-2022").replace('id = "ashes-2022"', 'id = "house"'), "utf-8")
    assert run(["rulebook", str(file)]) == 0
    assert "none.toml cannot be read" in run_cli("rulebook", str(tmp_path / "none.toml"), code=2).err


def test_a_shipped_rulebook_can_be_copied_for_changes(tmp_path: Path, run_cli: RunCli) -> None:
    mine = tmp_path / "mine.toml"
    run_cli("rulebook", "l5r-2018", "--out", str(mine))
    assert mine.read_text("utf-8") == rulebook_text("l5r-2018")
    run_cli("open", "Club", "--rulebook", str(mine), "--ledger", str(tmp_path / "club.ledger"))
