"""Permissions (rules 0.3): the rulebook decides, every command is checked, and a refusal says who may act."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from tests.conduct.conftest import Desk

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands.refusal import Refusal
from matchledger.events import ROLES, Action, AnyFact, EntryRetracted, Role
from matchledger.ledger import Clerk, Draft
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger_projections.conduct.permissions import (
    ACTIONS,
    FINAL_RULING,
    ORGANIZERS_OWN,
    action_of,
    may,
    who_may,
)
from matchledger_projections.record.snapshot import restored, snapshot
from matchledger_projections.rulebook.rulebook import (
    RulebookError,
    parse_rulebook,
    rulebook_text,
    shipped_rulebooks,
)

Replay = Callable[[str], Transcription]
STAFF = {"organizer", "marshal", "judge", "scorekeeper"}


def test_every_fact_names_its_action_in_words() -> None:
    recorded = {
        kind.action for kind in set(get_args(AnyFact)) - {EntryRetracted}
    }  # a retraction needs the permission of the entry that it retracts
    assert set(ACTIONS) == set(get_args(Action)) == {*recorded, FINAL_RULING}


# The permissions in the table of rules 0.3. Actions that the table omits are open to the staff.
TABLE: list[tuple[str, Action, set[str], str]] = [
    ("l5r-2018", "report", STAFF | {"player"}, "L5R-IV.3a-70"),
    ("l5r-2018", "concede", STAFF | {"player"}, "L5R-IV.3-END"),
    ("l5r-2018", "drop", STAFF | {"player"}, "L5R-IV.2-DROP"),
    ("l5r-2018", "no-show", STAFF, "L5R-IV.2-NOSHOW"),
    ("l5r-2018", "rejoin", {"organizer", "scorekeeper"}, "L5R-IV.2-REJOIN"),
    ("l5r-2018", "disqualify", {"organizer", "scorekeeper"}, "L5R-IV.2-DQ"),
    ("l5r-2018", "accept-late", STAFF, "POL-ALL-SILENT-ROLES"),
    ("l5r-2018", "re-pair", STAFF, "POL-ALL-SILENT-ROLES"),
    ("street-warriors-2004", "report", {"organizer", "judge", "scorekeeper"}, "SWR-SCORECARD"),
    ("street-warriors-2004", "correct", {"organizer", "judge", "scorekeeper"}, "SWR-SCORECARD"),
    ("street-warriors-2004", "re-pair", {"organizer", "scorekeeper"}, "SWR-SWISS-NOREMATCH"),
    ("street-warriors-2004", "disqualify", STAFF, "POL-ALL-SILENT-ROLES"),
    ("pokemon-2009", "accept-late", STAFF, "PKM-3.1.4-LATE"),
    ("pokemon-2009", "re-pair", STAFF, "PKM-4-REPAIR"),
    ("pokemon-2009", "drop", STAFF | {"player"}, "PKM-3.2-NODROP"),
    ("pokemon-2009", "report", STAFF, "POL-ALL-SILENT-ROLES"),
    ("ashes-2022", "report", STAFF, "ASH-SLIP"),
    ("ashes-2022", "re-pair", STAFF, "ASH-NOREMATCH"),
    ("ashes-2022", "rejoin", STAFF, "POL-ALL-SILENT-ROLES"),
    ("netrunner-2023", "report", STAFF, "POL-ALL-SILENT-ROLES"),
    ("pokemon-tom", "disqualify", STAFF, "POL-ALL-SILENT-ROLES"),
]


@pytest.mark.parametrize(("rulebook", "action", "roles", "rule"), TABLE)
def test_the_rulebook_decides_who_may_act(rulebook: str, action: Action, roles: set[str], rule: str) -> None:
    law = parse_rulebook(rulebook_text(rulebook))
    assert {role for role in ROLES if may(law, role, action)} == roles
    assert who_may(law, action).rule == rule


# The actions that each document allows to the organizer (o), marshal (m), judge (j) and player (p). No person may
# act in the name of a person with another role.
DOCUMENTS: dict[str, dict[str, str]] = {
    "l5r-2018": {
        "o": "open rejoin disqualify close assign-staff",
        "om": "give-penalty give-final-ruling",
        "omj": (
            "announce pair start-round run-clock extend-time no-show cut replace-qualifier give-ruling note-card "
            "amend-deck change-duty"
        ),
        "omjp": "report concede drop submit-deck",
    },
    "street-warriors-2004": {"oj": "report concede no-show correct", "o": "pair re-pair file-overview"},
    "pokemon-2009": {"o": "announce accept-late re-pair", "op": "drop"},
    "ashes-2022": {"o": "report correct pair re-pair order-tie cut give-penalty"},
}
# Actions that no document mentions and no policy changes.
_OURS = dict.fromkeys(
    ("change-policy", "erase", "merge-copies", "allow-plain-http", "run-event"), "o"
) | dict.fromkeys(("contribute", "take-part"), "omjp")


@pytest.mark.parametrize(("silent", "others"), [("anyone", "omjp"), ("organizer", "o")])
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_each_action_belongs_to_the_roles_that_the_document_names(rulebook: str, silent: str, others: str) -> None:
    alone = {"POL-ALL-DELEGATION": "none", "POL-ALL-SILENT-ROLES": silent}
    law = parse_rulebook(rulebook_text(rulebook)).under(alone)
    stated = {action: roles for roles, actions in DOCUMENTS[rulebook].items() for action in actions.split()}
    roles = [role for role in ROLES if role != "scorekeeper"]
    found = {action: "".join(role[0] for role in roles if may(law, role, action)) for action in ACTIONS}
    assert found == dict.fromkeys(ACTIONS, others) | _OURS | stated


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_the_organizer_may_do_everything_under_every_shipped_rulebook(rulebook: str) -> None:
    law = parse_rulebook(rulebook_text(rulebook))
    assert [action for action in ACTIONS if not may(law, "organizer", action)] == []


@pytest.mark.parametrize(
    ("choice", "action", "role", "expected"),
    [
        ("POL-ALL-SILENT-ROLES=organizer", "re-pair", "judge", False),
        ("POL-ALL-SILENT-ROLES=staff", "re-pair", "judge", True),
        ("POL-ALL-SILENT-ROLES=staff", "re-pair", "player", False),
        ("POL-ALL-SILENT-ROLES=anyone", "register", "player", True),
        ("POL-ALL-DELEGATION=none", "disqualify", "scorekeeper", False),
        ("POL-ALL-DELEGATION=scorekeeper", "disqualify", "judge", False),
        ("POL-ALL-DELEGATION=staff", "disqualify", "judge", True),
        ("POL-ALL-DELEGATION=staff", "disqualify", "player", False),
        ("POL-ALL-SILENT-ROLES=anyone", "run-event", "judge", False),
        ("POL-ALL-DELEGATION=none", "run-event", "scorekeeper", False),
        ("POL-ALL-DELEGATION=scorekeeper", "run-event", "scorekeeper", True),
        ("POL-ALL-DELEGATION=staff", "run-event", "judge", True),
    ],
)
def test_a_policy_can_open_permissions_to_everybody(
    choice: str, action: Action, role: Role, expected: bool
) -> None:
    law = parse_rulebook(rulebook_text("l5r-2018")).under(dict([choice.split("=")]))
    assert may(law, role, action) is expected


def without_permissions(rulebook: str) -> str:
    """Return the text of a rulebook from before permissions existed."""
    kept = rulebook_text(rulebook)
    before, _, after = kept.partition("[permissions]")
    return before + "[policies]" + after.partition("[policies]")[2]


def test_a_rulebook_without_permissions_reserves_only_the_actions_of_the_organizer() -> None:
    law = parse_rulebook(without_permissions("l5r-2018"))
    assert law.permissions is None
    assert all(may(law, role, action) for role in ROLES for action in ACTIONS.keys() - ORGANIZERS_OWN)
    assert not any(may(law, role, action) for role in set(ROLES) - {"organizer"} for action in ORGANIZERS_OWN)


def test_a_rulebook_that_names_an_unknown_action_or_role_is_refused() -> None:
    text = rulebook_text("l5r-2018")
    with pytest.raises(RulebookError, match=r"permissions\.rejion"):
        parse_rulebook(text.replace("\nrejoin =", "\nrejion ="))
    with pytest.raises(RulebookError, match=r"permissions\.rejoin\.roles"):
        parse_rulebook(text.replace('rejoin = { roles = ["organizer"]', 'rejoin = { roles = ["boss"]'))


# -- what is refused, and in which words


@pytest.mark.parametrize("rulebook", [pytest.param("street-warriors-2004", id="TV-SWR-CARD-1")])
def test_a_result_that_a_player_wrote_is_refused(desk: Desk, rulebook: str) -> None:
    said = desk(
        f"open Friday -b {rulebook}",
        "register Ann",
        "register Bo",
        "pair --table Ann/Bo",
        "report 1 a --role player --actor Ann",
    )
    assert said.refused == (
        "a player may not write a result: only the organizer or judge may, or a scorekeeper in the "
        "organizer's name "
        "(SWR-SCORECARD)"
    )
    assert desk("report 1 a --role judge --actor Dee").code == 0


@pytest.mark.parametrize("line", ["concede Ann", "no-show Ann", "correct 1 2 b"])
def test_a_player_writes_nothing_on_a_scoring_card(desk: Desk, line: str) -> None:
    seated(desk, "street-warriors-2004")
    assert desk("report 2 a --role judge --actor Dee").code == 0
    refused = desk(f"{line} --role player --actor Ann").refused
    assert refused.startswith("a player may not ")
    assert refused.endswith("(SWR-SCORECARD)")


def seated(desk: Desk, rulebook: str = "l5r-2018", *options: str) -> None:
    """In round 1, Ann plays Bo, and Cy plays Di."""
    desk(
        " ".join(["open", "Friday", "-b", rulebook, *options]),
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")),
        "pair --table Ann/Bo --table Cy/Di --role organizer",
    )


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        (
            "disqualify Bo --role judge",
            (
                "a judge may not disqualify a player: only the organizer may, or a scorekeeper in the "
                "organizer's name "
                "(L5R-IV.2-DQ)"
            ),
        ),
        (
            "disqualify Bo --role marshal",
            (
                "a marshal may not disqualify a player: "
                "only the organizer may, or a scorekeeper in the organizer's name (L5R-IV.2-DQ)"
            ),
        ),
        (
            "no-show Bo --role player --actor Ann",
            (
                "a player may not record a no-show: only the organizer, marshal or judge may, or a "
                "scorekeeper in the organizer's name (L5R-IV.2-NOSHOW)"
            ),
        ),
        (
            "late Ed --role player --actor Ed",
            (
                "a player may not accept a late entry: the organizer, marshal, judge or scorekeeper may "
                "(POL-ALL-SILENT-ROLES)"
            ),
        ),
        (
            "concede Bo --role player --actor Ann",
            (
                "Ann may not record a concession for somebody else: players act only for themselves, "
                "in their own name (L5R-IV.3-END); use --actor"
            ),
        ),
        (
            "report 2 a --role player --actor Ann",
            (
                "Ann may not write a result for somebody else: players act only for themselves, "
                "in their own name (L5R-IV.3a-70); use --actor"
            ),
        ),
        (
            "drop Bo --role player --actor Nobody",
            (
                "Nobody may not drop a player for somebody else: players act only for themselves, "
                "in their own name (L5R-IV.2-DROP); use --actor"
            ),
        ),
    ],
)
def test_a_refusal_names_the_action_and_the_role_and_the_rule_and_records_nothing(
    desk: Desk, line: str, refusal: str
) -> None:
    seated(desk)
    before = desk("log --json").out
    assert desk(line).refused == refusal
    assert desk("log --json").out == before


@pytest.mark.parametrize(
    "line",
    [
        "concede Bo --role player --actor Bo",
        "concede Bo --role player --actor '#2'",
        "concede Bo --role judge --actor Dee",
        "report 1 a --role player --actor ann",
        "drop Di --role player --actor Di",
        "disqualify Bo --yes --role organizer",
        "no-show Bo --role marshal",
    ],
)
def test_a_role_with_permission_can_record(desk: Desk, line: str) -> None:
    seated(desk)
    assert desk(line).code == 0


def test_a_preview_is_refused_in_the_same_words_as_the_command(desk: Desk) -> None:
    seated(desk)
    assert "disqualify a player" in desk("disqualify Bo --role judge --preview").refused


def test_only_a_role_that_may_make_an_entry_may_retract_it(desk: Desk) -> None:
    seated(desk)
    desk("disqualify Bo --yes --role organizer")
    assert "a judge may not disqualify a player" in desk("retract 7 --role judge").refused
    assert desk("retract 7 --role organizer").code == 0
    assert "a judge may not disqualify a player" in desk("retract 8 --role judge").refused


@pytest.mark.parametrize(
    ("policy", "line", "allowed"),
    [
        ("POL-ALL-SILENT-ROLES=anyone", "token plain-http", {"organizer"}),  # whatever the policies say
        ("POL-ALL-SILENT-ROLES=staff", "announce --rounds 2", STAFF),
        ("POL-ALL-SILENT-ROLES=organizer", "announce --rounds 2", {"organizer"}),
        ("POL-ALL-SILENT-ROLES=staff", "allow-phones judge", {"organizer"}),
        ("POL-ALL-SILENT-ROLES=staff", "report 1 a", STAFF),
    ],
)
@pytest.mark.parametrize("role", ["marshal", "judge", "scorekeeper"])
def test_a_role_takes_back_and_restores_only_what_it_may_record(
    desk: Desk, policy: str, line: str, allowed: set[str], role: str
) -> None:
    desk(
        f"open Friday -b magic-mtr -p {policy} -p POL-ALL-DELEGATION=none",
        *(f"register {name} --role organizer" for name in ("Ann", "Bo", "Cy", "Di")),
        "pair --table Ann/Bo --table Cy/Di --role organizer",
    )
    assert desk(f"{line} --reason why --role organizer").code == 0
    for position in (7, 8, 9):  # the entry, its retraction, and the retraction of the retraction
        said = desk(f"retract {position} --reason why --yes --role {role}")
        if role in allowed:
            assert said.code == 0
        else:
            assert f"a {role} may not" in said.refused
            assert desk(f"retract {position} --reason why --yes --role organizer").code == 0


def test_a_restored_record_knows_the_action_of_each_entry(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers A B\nround 1\nA > B\ndisqualify B").draft.record
    again = restored(snapshot(record))
    assert [again.kind_at(position) for position in range(record.position + 2)] == [
        record.kind_at(position) for position in range(record.position + 2)
    ]
    assert action_of(again, EntryRetracted(retracts=record.position)) == "disqualify"


def test_without_delegation_a_scorekeeper_is_refused(desk: Desk) -> None:
    seated(desk, "street-warriors-2004", "-p", "POL-ALL-DELEGATION=none")
    assert (
        desk("report 1 a").refused
        == "a scorekeeper may not write a result: the organizer or judge may (SWR-SCORECARD)"
    )


def test_any_role_may_call_the_desk_and_only_the_staff_may_answer(desk: Desk) -> None:
    seated(desk)
    assert desk("call Ann --role player").code == 0
    assert "a player may not answer a call" in desk("answer 7 --role player").refused
    assert "a player may not answer a call" in desk("retract 7 --role player --actor Ann").refused
    assert desk("retract 7 --role judge").code == 0


def test_a_transcribed_sheet_acts_for_the_organizer(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\noption POL-ALL-DELEGATION=none\nplayers A B\nround 1\nA > B").draft
    assert {entry.role for entry in draft.entries} == {"organizer"}


def test_an_old_log_without_permissions_lets_everybody_act(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(without_permissions("street-warriors-2004"), "utf-8")
    seated(desk, "old.toml")
    assert desk("report 1 a --role player --actor Zoe").code == 0


def test_a_refusal_leaves_a_draft_unchanged(replay: Replay) -> None:
    sheet = replay("rulebook street-warriors-2004\nplayers A B\nround 1\nA - B").draft
    draft = Draft(sheet.tournament, sheet.record, Clerk("A", "player"))
    with pytest.raises(Refusal, match="SWR-SCORECARD"):
        draft.decide(partial(slips.report, table=1, written=Written("win", 0)))
    with pytest.raises(Refusal, match="POL-ALL-SILENT-ROLES"):
        draft.decide(partial(roster.drop, player=1))
    assert draft.entries == []
