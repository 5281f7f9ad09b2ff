"""The policies of an event: their values, and which ones were chosen or changed."""

from __future__ import annotations

from dataclasses import dataclass

from matchledger_projections.document import CitedEntry
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.views.sight import Headed, Sight, answers, heading


@dataclass(frozen=True, slots=True)
class EventPolicy:
    """A policy with its value in the event, and the entry that changed it; `means` explains the value."""

    policy: str
    value: str
    default: str
    changed: CitedEntry | None
    decides: str
    means: str
    rule: str


@dataclass(frozen=True, slots=True)
class PoliciesPage:
    """The policies of an event, as `matchledger policies --json` prints them."""

    head: Headed
    policies: tuple[EventPolicy, ...]


@answers("policies")
def policies(sight: Sight) -> PoliciesPage:
    """The policies of the event at a moment, and which ones were changed during the event."""
    record = sight.record
    law, changed = record.rulebook, record.policies_changed
    return PoliciesPage(
        heading(record),
        tuple(
            EventPolicy(
                policy=flag,
                value=(value := str(getattr(law.readings, policy.reading))),
                default=policy.default,
                changed=changed[flag][0] if flag in changed else None,
                decides=Readings.decides(policy.reading),
                means=Readings.meaning_of(policy.reading, value),
                rule=policy.rule,
            )
            for flag, policy in law.policies.items()
        ),
    )
