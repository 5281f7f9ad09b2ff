"""Permission: whether the clerk may record a fact, and which roles may record the fact."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Role
from matchledger_projections.conduct.permissions import ACTIONS, Allowed, action_of, is_own, who_may
from matchledger_projections.message import Sentence, demanding, joined, sentence, word
from matchledger_projections.record.record import Record


def need_permission(record: Record, facts: Iterable[AnyFact], *, actor: str, role: Role) -> None:
    """Refuse facts that the clerk's role may not record.

    The refusal names the action, the rule, and the roles with permission.

    No other function checks permissions (rules 0.3). Every entry of a live log or a draft passes this check before
    the entry is stamped. The opening entry needs no permission, because there is no rulebook yet.
    """
    if record.opening is None:
        return
    for fact in facts:
        action = action_of(record, fact)
        if action is None:
            continue
        allowed = who_may(record.rulebook, action)
        if role not in allowed.everybody:
            raise Refusal(
                sentence(
                    "a %(role)s may not %(action)s: %(others)s",
                    role=word(role),
                    action=ACTIONS[action],
                    others=_those(allowed),
                ),
                allowed.rule,
            )
        if role == "player" and record.rulebook.permissions is not None and not is_own(record, actor, fact):
            raise Refusal(
                demanding(
                    sentence(
                        "%(actor)s may not %(action)s for somebody else: players act only for "
                        "themselves, in their own name",
                        actor=actor,
                        action=ACTIONS[action],
                    ),
                    "one's own name",
                ),
                allowed.rule,
            )


def _those(allowed: Allowed) -> Sentence:
    if not allowed.delegates:
        return sentence("the %(roles)s may", roles=_either(allowed.roles))
    return sentence(
        "only the %(roles)s may, or a %(delegates)s in the organizer's name",
        roles=_either(allowed.roles),
        delegates=_either(allowed.delegates),
    )


def _either(roles: Sequence[str]) -> Sentence:
    *others, last = map(word, roles)
    return sentence("%(first)s or %(last)s", first=joined(others), last=last) if others else last
