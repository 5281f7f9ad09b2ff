"""Rules that the ledger only records: an event with an entry for each, and where an auditor finds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conduct.conftest import Desk

from matchledger.ledger import open_ledger
from matchledger_projections.rulebook.catalogue import Rule, rules

RECORDED = [rule for rule in rules().values() if rule.state == "recorded"]


@pytest.fixture
def facts(desk: Desk, tmp_path: Path, ledger: Path) -> list[dict[str, object]]:
    """The facts of an event in which the staff rules, warns, and checks a deck."""
    (tmp_path / "list.txt").write_text("[dynasty]\n3 Dash\n")
    lines = (
        "open Friday -b l5r-2018 -p POL-ALL-DECKS=legacy-bigdeck",
        "register Ann",
        "register Bo",
        "announce --style swiss --rounds 1 --house-rule LEG-OPT-LOBBY --role organizer --reason short",
        "deck submit Ann list.txt",
        "pair",
        "ruling 'Is a coin an indicator?' Yes --table 1 --source 'a spectator' --role judge",
        "penalty Bo warning --for unsporting --role marshal",
        "penalty Bo warning --for notes --role marshal",
        "deck check Ann --role judge",
    )
    for line in lines:
        assert desk(line).code in (0, 1), line
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        return [entry.fact.model_dump(mode="json") for entry in kept.entries(tournament)]


def test_every_recorded_rule_is_in_its_field(facts: list[dict[str, object]]) -> None:
    empty: list[Rule] = []
    for rule in RECORDED:
        kind, _, field = rule.about.partition(".")
        if not any(fact["kind"] == kind and fact.get(field) for fact in facts):
            empty.append(rule)
    assert empty == []
    [ruling] = [fact for fact in facts if fact["kind"] == "ruling-given"]
    assert (ruling["source"], ruling["outcome"]) == ("a spectator", "Yes")
    assert [fact["offence"] for fact in facts if fact["kind"] == "penalty-given"] == ["unsporting", "notes"]
    [announced] = [fact for fact in facts if fact["kind"] == "structure-announced"]
    assert (announced["rounds"], announced["house_rules"]) == (1, ["LEG-OPT-LOBBY"])
    opened = facts[0]
    assert opened["policies"] == {"POL-ALL-DECKS": "legacy-bigdeck"}
    assert 'edition = "' in str(opened["law"])
    [paired] = [fact for fact in facts if fact["kind"] == "round-paired"]
    assert isinstance(paired["tables"], list)
    assert [table["table"] for table in paired["tables"]] == [1]
