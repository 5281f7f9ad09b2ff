"""Changing a policy during an event: by the organizer, for a reason, and back again."""

from __future__ import annotations

import pytest
from tests.event import SECRET, DraftedEvent, deciding

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.commands.tournaments import ChangePolicy
from matchledger.events import Person, PolicyChanged
from matchledger.ledger import Clerk
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import Written
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.catalogue import policies
from matchledger_projections.views.coherence import incoherence
from matchledger_projections.views.integrity import integrity
from matchledger_projections.views.sight import Sight

ORGANIZER = Clerk("Olga", "organizer", "desk")
FLAG = "POL-PKM-BYE-WP"


@pytest.fixture
def event() -> DraftedEvent:
    """Three players with a bye in each of two rounds. The policy about byes has its default."""
    event = DraftedEvent("pokemon-2009", {"POL-PKM-DIVISIONS": "none"})
    event.draft.clerk = ORGANIZER
    event.register("Ann", "Bo", "Cy")
    for _ in range(2):
        event.decide(rounds.pair_round, secret=SECRET, deviating=True)
        event.decide(slips.report, table=1, written=Written(winner=0))
    return event


def _percentages(event: DraftedEvent, position: int | None = None) -> list[str]:
    record = event.record if position is None else event.record.as_of(position)
    return [str(row.tiebreaks["opponents_win_percentage"]) for row in standings(record, 2).rows]


def _change(event: DraftedEvent, value: str, flag: str = FLAG) -> int:
    [entry] = event.draft.decide(deciding(ChangePolicy, flag=flag, value=value), reason="as announced")
    return entry.position


def test_a_changed_policy_affects_present_standings_and_no_past_ones(event: DraftedEvent) -> None:
    before = _percentages(event)
    position = _change(event, "win")
    assert _percentages(event) != before
    assert _percentages(event, position - 1) == before
    event.retract_last()
    assert _percentages(event) == before


def test_rounds_paired_under_the_earlier_value_can_still_be_derived(event: DraftedEvent) -> None:
    _change(event, "numerator")
    _change(event, "fewest", "POL-ALL-REMATCH-FALLBACK")
    entries = list(event.draft.entries)
    found = [one.verdict for one in rederive(entries, held=SECRET).draws]
    assert found == ["as derived", "as derived"]


def test_integrity_lists_a_changed_policy_and_policies_name_the_entry(event: DraftedEvent) -> None:
    position = _change(event, "win")
    shipped = [rulebook_text(id_) for id_ in shipped_rulebooks()]
    listed = [item for item in integrity(event.draft.entries, shipped_laws=shipped) if item.rules == (FLAG,)]
    assert [(item.kind, item.entry.position, item.counts) for item in listed] == [
        ("policy changed during the event", position, True)
    ]
    page = policies(Sight.of(event.record))
    assert {one.policy: (one.value, one.changed) for one in page.policies}[FLAG] == ("win", position)
    assert {one.policy: one.value for one in page.policies}["POL-PKM-DIVISIONS"] == "none", "chosen at the opening"


def test_only_the_organizer_changes_a_policy_and_gives_a_reason(event: DraftedEvent) -> None:
    assert str(ChangePolicy(flag=FLAG, value="win").needs_reason()) == (
        "a changed policy needs a reason in the log: give one"
    )
    event.draft.clerk = Clerk("Kim", "scorekeeper", "desk")
    assert event.refusal(ChangePolicy, flag=FLAG, value="win") == (
        "a scorekeeper may not change a policy of the event: the organizer may (POLICY)"
    )
    entry = event.draft.entries[-1]
    event.draft.clerk = ORGANIZER
    _change(event, "win")
    event.draft.clerk = Clerk("Kim", "scorekeeper", "desk")
    assert "may not change a policy" in event.refusal(slips.retract, entry=event.draft.entries[-1])
    assert event.draft.entries[-1].position == entry.position + 1


def test_an_unknown_policy_or_value_and_an_unchanged_value_are_refused(event: DraftedEvent) -> None:
    assert event.refusal(ChangePolicy, flag=FLAG, value="lots") == (
        "POL-PKM-BYE-WP cannot be 'lots'; it can be removed, win, numerator"
    )
    assert event.refusal(ChangePolicy, flag="POL-L5R-TIER", value="formal").startswith(
        "pokemon-2009 has no policy POL-L5R-TIER; it has "
    )
    with pytest.raises(UsageProblem, match="POL-PKM-BYE-WP is removed already: nothing would change"):
        event.decide(ChangePolicy, flag=FLAG, value="removed")


def test_a_log_from_outside_cannot_change_a_policy_that_its_rulebook_lacks(event: DraftedEvent) -> None:
    _change(event, "win")
    entry = event.draft.entries[-1]
    wrong = entry.model_copy(update={"fact": PolicyChanged(flag="POL-NONE", value="x")})
    before = event.record.as_of(entry.position - 1)
    assert incoherence(before, entry) is None
    assert "has no policy POL-NONE" in (incoherence(before, wrong) or "")


def test_permissions_follow_a_changed_policy(event: DraftedEvent) -> None:
    """POL-ALL-SILENT-ROLES: a judge may register a player until the policy reserves registrations for the
    organizer.
    """
    event.draft.clerk = Clerk("Jude", "judge", "desk")
    event.decide(roster.arrive_late, person=Person(name="Di"))
    event.draft.clerk = ORGANIZER
    _change(event, "none", "POL-ALL-DELEGATION")
    _change(event, "organizer", "POL-ALL-SILENT-ROLES")
    event.draft.clerk = Clerk("Jude", "judge", "desk")
    assert "may not" in event.refusal(roster.arrive_late, person=Person(name="Ed"))
