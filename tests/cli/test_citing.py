"""What a rule id stands for, and what a rulebook says, is looked up where it is cited."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from matchledger.cli import run
from matchledger_projections.rulebook.catalogue import DOCUMENTS, UnknownRule, rule, rules
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks

Printed = pytest.CaptureFixture[str]


def test_a_rule_is_said_in_a_sentence(capsys: Printed) -> None:
    assert run(["rules", "pkm-4-post"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Pokémon TCG Tournament Operation (2009)",
        "Rule        Says",
        "PKM-4-POST  Standings are posted and can be checked before the next round is paired and posted.  applied",
    ]


def test_every_rule_is_listed_under_its_document(capsys: Printed) -> None:
    assert run(["rules"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) == len(rules()) + 2 * len(DOCUMENTS)


def test_the_rules_as_json(capsys: Printed) -> None:
    assert run(["rules", "LEG-GAME", "--json"]) == 0
    [said] = json.loads(capsys.readouterr().out)
    assert list(said) == ["id", "document", "says", "state", "about"]
    assert said["state"] == "outside"


def test_an_unknown_rule_is_answered_with_ids_like_it(capsys: Printed) -> None:
    with pytest.raises(UnknownRule, match=r"no rule 'ASH-TB'; ids like it: ASH-TB1-H2H, ASH-TB2-OW"):
        rule("ASH-TB")
    assert run(["rules", "nonsense"]) == 2
    assert capsys.readouterr().err == "matchledger: there is no rule 'nonsense'; see rules\n"


def test_every_document_has_rules_and_every_rule_is_a_sentence() -> None:
    assert len({known.document for known in rules().values()}) == len(DOCUMENTS)
    assert all(known.says.endswith(".") for known in rules().values())


def test_the_rulebooks_are_listed(capsys: Printed) -> None:
    assert run(["rulebook"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["Rulebook", *shipped_rulebooks()]


def test_a_rulebook_says_how_it_scores_ranks_pairs_and_what_can_be_chosen(capsys: Printed) -> None:
    assert run(["rulebook", "l5r-2018"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "modified-win 6 / 0 L5R-IV.3a-75" in printed
    assert "bye 10 L5R-IV.2a-BYE" in printed
    assert "random draw L5R-IV.4a-RANDOM" in printed
    assert "pair down L5R-IV.2a-PAIRDOWN" in printed
    assert "POL-L5R-EMPTY-SOS 0 0, last L5R-IV.4a-SOS" in printed


@pytest.mark.parametrize("name", shipped_rulebooks())
def test_every_rulebook_can_be_shown(name: str, capsys: Printed) -> None:
    assert run(["rulebook", name]) == 0
    assert run(["rulebook", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["id"] == name


def test_a_house_rulebook_is_shown_from_its_file(tmp_path: Path, capsys: Printed) -> None:
    file = tmp_path / "house.toml"
    file.write_text(rulebook_text("ashes-2022").replace('id = "ashes-2022"', 'id = "house"'), "utf-8")
    assert run(["rulebook", str(file)]) == 0
    assert run(["rulebook", str(tmp_path / "none.toml")]) == 2
    assert "none.toml cannot be read" in capsys.readouterr().err
