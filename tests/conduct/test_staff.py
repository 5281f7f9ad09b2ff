"""The staff: one organizer, who is on duty, leaders who play, and who rules in their games (L5R I, VI)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from tests.conduct.conftest import Desk
from tests.event import Rule, deciding

from matchledger.commands import results as slips
from matchledger.commands import roster, staff
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import Person, PersonErased
from matchledger.ledger import Draft
from matchledger_projections.conduct.staff import leaders, responsible_leader
from matchledger_projections.record.record import Record
from matchledger_projections.record.snapshot import restored, snapshot
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text

OPEN = "open Friday -b l5r-2018"


def opened(desk: Desk, *lines: str, tier: str = "relaxed") -> None:
    """Open a tournament of a tier, after some actions of the organizer."""
    desk(f"{OPEN} -p POL-L5R-TIER={tier}", *(f"{line} --role organizer" for line in lines))


def ruling(record: Record, *names: str) -> str | None:
    """Return the leader who rules in a game of two players."""
    numbers = [player.number for name in names if (player := record.named(name)) is not None]
    leader = responsible_leader(record, numbers)
    return None if leader is None else leader.name


def problems(desk: Desk, *line: str) -> list[str]:
    """Return the objections that a preview shows, except the objection that nothing was announced."""
    found = json.loads(desk(" ".join([*line, "--preview", "--json"])).out)["problems"]
    return [problem["text"] for problem in found if problem["kind"] != "not announced"]


def interventions(desk: Desk) -> list[str]:
    return [item["kind"] for item in json.loads(desk("integrity --json").out)["items"]]


# -- one organizer, marshals and judges


def test_an_event_has_one_organizer(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer")
    assert desk("staff add Otto organizer").refused == (
        "Olga is the organizer, and there is one: Olga has to leave the staff first (L5R-I.1-ORG); use staff leave"
    )
    assert "(L5R-I.1-ORG)" in desk("staff rest Olga", "staff add Otto organizer").refused, "she comes back"
    assert desk("staff leave Olga", "staff add Otto organizer").code == 0


def test_an_event_whose_only_organizer_left_is_listed_until_another_comes(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "staff add Max marshal")
    assert interventions(desk) == []
    left = desk("staff leave Olga --role organizer")
    assert "the event has no organizer now: assign one (L5R-I.1-ORG)" in left.out + left.err
    items = desk("integrity --json").document["items"]
    assert [(item["kind"], item["rules"]) for item in items] == [("departure from a rule", ["L5R-I.1-ORG"])]
    desk("staff add Zoe organizer --role organizer")
    assert desk("integrity --json").document["items"] == []


def test_an_event_that_continued_without_an_organizer_stays_listed(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "register Ann", "register Bo")
    desk("announce --rounds 1 --structure custom --role organizer")
    desk("staff leave Olga --role organizer", "pair", "staff add Zoe organizer --role organizer", "start")
    items = desk("integrity --json").document["items"]
    assert [(item["kind"], item["rules"]) for item in items] == [("departure from a rule", ["L5R-I.1-ORG"])]


def test_a_rulebook_without_an_organizer_rule_allows_two(desk: Desk) -> None:
    assert desk("open Friday -b pokemon-2009", "staff add Olga organizer", "staff add Otto organizer").code == 0


def test_only_the_organizer_assigns_staff_and_leaders_record_who_is_on_duty(desk: Desk) -> None:
    opened(desk, "staff add Mia marshal")
    assert desk("staff add Dee judge --role judge").refused == (
        "a judge may not assign staff: only the organizer may, or a scorekeeper in the organizer's name "
        "(L5R-I.1-ORG)"
    )
    assert "(L5R-I.2-MARSHAL)" in desk("staff rest Mia --role player").refused
    assert desk("staff rest Mia --role marshal").out == "Mia is off duty, and a spectator (entry 3).\n"
    assert desk("staff rest Mia --role marshal").refused == "Mia is a spectator already"
    assert desk("staff return Mia --role marshal").out == "Mia is on duty again (entry 4).\n"


def test_a_person_has_one_role(desk: Desk) -> None:
    opened(desk, "staff add Mia marshal")
    assert (
        desk("staff add mia judge").refused
        == "Mia is marshal already (entry 2): to change the role, let Mia leave the staff first"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("staff add Dee boss", "there is no role 'boss': there are organizer, marshal, judge"),
        ("staff leave Mio", "there is no 'Mio' on the staff; did you mean 'Mia'?"),
        ("staff rest Xaver", "there is no 'Xaver' on the staff; see staff list"),
        ("staff add Dee judge --plays Zed", "there is no player 'Zed'; see players"),
    ],
)
def test_bad_input_gets_one_line(desk: Desk, line: str, problem: str) -> None:
    opened(desk, "staff add Mia marshal")
    said = desk(line)
    assert (said.code, said.err) == (2, f"matchledger: {problem}\n")


@pytest.mark.parametrize(
    ("staff", "judge", "final"),
    [
        (("Max marshal", "Judy judge"), "Judy", False),
        (("Max marshal", "Olga organizer"), "Olga", False),
        (("Max marshal", "Judy judge"), "Max", True),
        (("Olga organizer", "Judy judge"), "Olga", True),
        (("Olga organizer", "Judy judge"), "Jo of another hall", True),
    ],
)
def test_a_final_ruling_by_a_leader_without_that_right_is_refused(
    desk: Desk, staff: tuple[str, ...], judge: str, final: bool
) -> None:
    """Before the fix, `--final` made every ruling final, and no marshal could review it."""
    desk(OPEN, *(f"staff add {person}" for person in staff))
    said = desk(f"ruling Legal? No --by '{judge}' --final")
    refusal = f"{judge} cannot give a final ruling: only a marshal on duty can, or the organizer"
    assert (said.code == 0) is final
    assert final or said.refused.startswith(refusal)


def test_a_marshal_off_duty_gives_no_final_ruling(desk: Desk) -> None:
    desk(OPEN, "staff add Max marshal", "staff add Olga organizer", "staff rest Max")
    assert "Max cannot give a final ruling" in desk("ruling Legal? No --by Max --final").refused
    assert desk("ruling Legal? No --by Olga --final").code == 0


def test_without_a_marshal_on_duty_the_ruling_of_the_organizer_is_final(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "staff add Dee judge", "staff add Mia marshal")
    marshal, organizer = "Final rulings: Mia (L5R-I.2-MARSHAL)\n", "Final rulings: Olga (L5R-I.1-ORG)\n"
    assert marshal in desk("staff list").out
    assert organizer in desk("staff rest Mia", "staff list").out
    assert marshal in desk("staff return Mia", "staff list").out
    assert organizer in desk("staff leave Mia", "staff list").out


# -- leaders who play


@pytest.mark.parametrize("line", [pytest.param("register Olga", id="TV-L5R-ROLE-1")])
def test_a_leader_does_not_play_without_another_leader(desk: Desk, line: str) -> None:
    opened(desk, "staff add Olga organizer")
    assert desk(line).refused == (
        "Olga is organizer of this event. To play, Olga needs another leader, announced before round 1, "
        "who rules in those games: assign one first (L5R-I.6-LEADERPLAY); use staff add"
    )


@pytest.mark.parametrize("judge", [pytest.param("Dee", id="TV-L5R-ROLE-2")])
def test_a_leader_may_play_if_another_leader_was_announced_for_that_match(desk: Desk, judge: str) -> None:
    opened(desk, "staff add Olga organizer", f"staff add {judge} judge", "register Olga", "register Bo")
    assert problems(desk, "pair") == []
    said = desk("pair --role organizer", "staff list")
    *staff_, game = said.out.splitlines()
    assert [line.split() for line in staff_] == [
        ["Entry", "Name", "Role", "Rule"],
        ["2", "Olga", "organizer", "plays", "as", "Olga", "L5R-I.1-ORG"],
        ["3", judge, "judge", "L5R-I.3-JUDGE"],
        ["Final", "rulings:", "Olga", "(L5R-I.1-ORG)"],
        ["Tier:", "relaxed", "(L5R-VI-TIER)"],
    ]
    assert game in {f"Table 1, Olga - Bo: {judge} rules", f"Table 1, Bo - Olga: {judge} rules"}
    assert not set(interventions(desk)) & {"game that no leader can rule in", "game without a leader let stand"}


@pytest.mark.parametrize(
    "tier", [pytest.param("formal", id="TV-L5R-ROLE-3"), pytest.param("premier", id="L5R-VI-TIER-premier")]
)
def test_leaders_play_only_in_relaxed_events(desk: Desk, tier: str) -> None:
    opened(desk, "staff add Olga organizer", "staff add Dee judge", tier=tier)
    refusal = f"Dee is judge of this event, and leaders do not play in a {tier} event (L5R-I.6-LEADERPLAY)"
    assert desk("register Dee").refused == refusal
    assert desk("register Bo", "register Cy", "pair --role organizer", "late Dee").refused == refusal
    assert desk("staff add Bo judge").refused == refusal.replace("Dee", "Bo")
    assert desk("staff leave Dee", "late Dee").code == 0


@pytest.mark.parametrize("third", [pytest.param("Tom", id="TV-L5R-ROLE-4")])
def test_a_match_of_two_leaders_needs_a_third_or_the_round_gets_an_objection(desk: Desk, third: str) -> None:
    opened(desk, "staff add Olga organizer", "staff add Mia marshal", "register Olga", "register Mia")
    objection = (
        "no leader: no other leader announced before round 1 can rule in the game of Olga and Mia at table 1: "
        "seat them elsewhere, or pair with a reason (L5R-I.6-LEADERPLAY)"
    )
    by_hand = "pair --table Olga/Mia --role organizer"
    assert problems(desk, by_hand) == [objection]
    assert problems(desk, by_hand, "--reason", "'the shop owner rules'") == []
    assert desk(by_hand).refused == (
        "no leader can rule in the game of Olga and Mia: seat them otherwise, or pair with a reason "
        "(L5R-I.6-LEADERPLAY); use --reason"
    )
    assert desk(f"{by_hand} --reason 'the shop owner rules'").code == 0
    assert "Table 1, Olga - Mia: nobody can rule" in desk("staff list").out
    assert "game without a leader let stand" in interventions(desk)
    desk("retract 6 --role organizer", f"staff add {third} judge --role organizer")
    assert problems(desk, by_hand) == []
    assert "Table 1, Olga - Mia: Tom rules" in desk(by_hand, "staff list").out


def test_a_game_needs_a_leader_who_rules_or_a_reason(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "staff add Mia marshal", "register Olga", "register Mia")
    assert desk("pair --role organizer").refused.startswith("no leader can rule in the game of")
    said = desk("pair --role organizer --reason 'the shop owner rules'")
    assert (said.code, "no leader" in said.err) == (0, False)
    assert "game without a leader let stand" in interventions(desk)
    assert "game that no leader can rule in" not in interventions(desk)


def test_a_leader_who_played_a_game_gives_no_penalty_for_it_after_its_end(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "staff add Mia marshal", "register Olga", "register Ann")
    desk("pair --role organizer", "report 1 a")
    penalty = "penalty Ann warning --for slow-play --by Olga"
    assert desk(f"{penalty} --table 1 --role organizer").code == 3
    assert desk(f"{penalty} --role organizer").code == 0, "it is not about that game"


def test_a_table_reseated_by_hand_needs_a_leader_who_can_rule(desk: Desk) -> None:
    opened(
        desk, "staff add Olga organizer", "staff add Mia marshal", *(f"register {name}" for name in ("Olga", "Mia"))
    )
    desk("register Bo", "register Cy", "pair --table Olga/Bo --table Cy/Mia --role organizer")
    amended = "amend Olga/Mia Bo/Cy --role organizer"
    assert desk(amended).refused.startswith("no leader can rule in the game of Olga and Mia: seat them otherwise")
    assert desk(f"{amended} --reason 'the shop owner rules'").code == 0
    assert interventions(desk)[-2:] == ["amended pairing", "game that no leader can rule in"]


class Event:
    """A tournament under l5r-2018 on a draft."""

    def __init__(self) -> None:
        self.draft = Draft(UUID(int=1))
        law = rulebook_text("l5r-2018")
        self.decide(opening.open_tournament, name="Friday", law=law, policies={}, secret=bytes(32))

    @property
    def record(self) -> Record:
        return self.draft.record

    def decide(self, rule: Rule, **asked: object) -> int:
        """Record a fact, and return the position of the last entry."""
        return self.draft.decide(deciding(rule, **asked))[-1].position

    def assign(self, name: str, role: str, player: int | None = None) -> int:
        return self.decide(staff.AssignStaff, name=name, role=role, player=player)

    def register(self, *names: str) -> int:
        return [self.decide(roster.register, person=Person(name=name)) for name in names][-1]

    def retract(self, position: int) -> int:
        return self.decide(slips.retract, entry=self.draft.entries[position - 1])

    def pair(self) -> int:
        return self.decide(rounds.pair_round, secret=bytes(32))

    def refusal(self, what: Callable[[], int]) -> str:
        """Return the reason for a refusal. Nothing is recorded."""
        before = self.record.position
        with pytest.raises(Refusal) as refused:
            what()
        assert self.record.position == before
        return str(refused.value)


def test_the_marshal_rules_before_other_leaders_who_do_not_play() -> None:
    event = Event()
    for name, role in (("Dee", "judge"), ("Olga", "organizer"), ("Moe", "marshal"), ("Mia", "marshal")):
        event.assign(name, role)
    event.register("Ann", "Dee", "Moe")
    assert ruling(event.record, "Dee", "Ann") == "Mia"
    event.register("Mia")
    assert ruling(event.record, "Dee", "Ann") == "Moe"
    assert ruling(event.record, "Dee", "Moe") == "Mia"
    assert ruling(event.record, "Moe", "Mia") == "Olga"
    event.decide(roster.drop, player=3)
    event.decide(staff.ChangeDuty, name=leaders(event.record)[3].name, duty="spectator")
    assert ruling(event.record, "Dee", "Ann") == "Moe"


def test_a_leader_added_after_round_1_does_not_rule_in_the_games_of_leaders() -> None:
    event = Event()
    event.assign("Olga", "organizer")
    event.assign("Mia", "marshal")
    event.register("Olga", "Ann")
    event.pair()
    event.assign("Dee", "judge")
    assert [leader.announced for leader in leaders(event.record)] == [True, True, False]
    event.decide(staff.ChangeDuty, name=leaders(event.record)[1].name, duty="left")
    assert ruling(event.record, "Olga", "Ann") is None
    event.assign("Mia", "judge")
    assert ruling(event.record, "Olga", "Ann") == "Mia", "who takes another role was announced in the first"


def test_a_number_or_name_that_finds_a_player_also_finds_a_leader() -> None:
    event = Event()
    event.assign("Olga", "organizer")
    event.register("Ann Lee", "dee")
    event.assign("Judge Ann", "judge", player=1)
    event.assign("Dee", "judge")
    assert [leader.player for leader in leaders(event.record)] == [None, 1, 2]
    assert event.refusal(lambda: event.assign("Ann again", "judge", player=1)) == (
        "Ann Lee is Judge Ann, who is judge already"
    )


def test_a_dropped_player_who_became_a_judge_returns_only_as_leaders_may() -> None:
    event = Event()
    event.register("Ann", "Bo")
    event.decide(roster.drop, player=1)
    event.assign("Ann", "judge")
    assert "needs another leader" in event.refusal(lambda: event.decide(roster.rejoin, player=1))
    event.assign("Olga", "organizer")
    event.decide(roster.rejoin, player=1)
    assert leaders(event.record)[0].plays


def test_the_log_names_a_leader_who_plays_only_in_the_registration() -> None:
    event = Event()
    event.assign("Olga", "organizer")
    event.register("Ann")
    event.assign("ann", "judge")
    assert [getattr(entry.fact, "name", None) for entry in event.draft.entries[1:]] == ["Olga", None, None]
    event.draft.decide(lambda _: [PersonErased(player=1)])
    assert [leader.name for leader in leaders(event.record)] == ["Olga", "Player 1"]


# -- retractions


def test_an_assignment_can_be_retracted_and_restored_if_the_person_is_free() -> None:
    event = Event()
    olga = event.assign("Olga", "organizer")
    back = event.retract(olga)
    assert leaders(event.record) == []
    event.assign("Otto", "organizer")
    assert event.refusal(lambda: event.retract(back)) == (
        "Olga and Otto would be organizers, but an event has only one (L5R-I.1-ORG)"
    )


def test_a_leader_who_rules_for_a_playing_leader_cannot_leave() -> None:
    event = Event()
    event.assign("Olga", "organizer")
    dee = event.assign("Dee", "judge")
    olga_plays = event.register("Olga")
    assert event.refusal(lambda: event.retract(dee)).startswith("Olga is organizer of this event. To play, ")
    event.retract(olga_plays)
    event.retract(dee)
    assert [leader.name for leader in leaders(event.record)] == ["Olga"]


def test_a_drop_that_let_a_player_judge_is_not_retracted() -> None:
    event = Event()
    event.register("Ann", "Bo")
    dropped = event.decide(roster.drop, player=1)
    event.assign("Ann", "judge")
    assert "L5R-I.6-LEADERPLAY" in event.refusal(lambda: event.retract(dropped))


def test_a_leader_may_leave_and_a_playing_leader_gets_a_warning(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "staff add Dee judge", "register Olga")
    said = desk("staff leave Dee")
    assert said.out == "Dee is on the staff no longer (entry 5).\n"
    assert said.err.startswith("note: Olga is organizer of this event. To play, Olga needs another leader")
    assert desk("retract 5").code == 0
    assert "Final rulings: Olga" in desk("staff list").out


# -- what is shown


def test_the_staff_are_listed_as_json_and_in_the_log(desk: Desk) -> None:
    opened(desk, "staff add Olga organizer", "register Ann", "staff add Dee judge --plays Ann", "staff rest Olga")
    document = json.loads(desk("staff list --json").out)
    assert document["tier"] == "relaxed"
    assert document["final_rulings"] == []
    assert document["games"] == []
    assert document["staff"] == [
        {
            "entry": 2,
            "name": "Olga",
            "role": "organizer",
            "rule": "L5R-I.1-ORG",
            "announced": True,
            "duty": "spectator",
            "player": None,
            "plays": False,
        },
        {
            "entry": 4,
            "name": "Dee",
            "role": "judge",
            "rule": "L5R-I.3-JUDGE",
            "announced": True,
            "duty": "active",
            "player": "Ann",
            "plays": True,
        },
    ]
    log = desk("log").out
    assert "Olga is organizer" in log
    assert "Dee is judge, plays as Ann" in log
    assert "Olga is off duty, and a spectator" in log
    assert "Dee is judge, plays as Ann" in desk("history Ann").out


def test_an_empty_staff_is_reported(desk: Desk) -> None:
    opened(desk)
    assert desk("staff list").out == "The staff list is empty: staff add NAME organizer\n"


def test_a_record_from_a_snapshot_knows_the_staff() -> None:
    event = Event()
    event.assign("Olga", "organizer")
    event.assign("Dee", "judge")
    event.decide(staff.ChangeDuty, name=leaders(event.record)[1].name, duty="spectator")
    assert leaders(restored(snapshot(event.record))) == leaders(event.record)
    assert [leader.duty for leader in leaders(event.record.as_of(3))] == ["active", "active"]


def test_without_a_section_on_the_staff_a_rulebook_lets_leaders_play() -> None:
    before, _, after = rulebook_text("l5r-2018").partition("[staff]")
    law = before + "[policies]" + after.partition("[policies]")[2]
    assert parse_rulebook(law).staff is None
    draft = Draft(UUID(int=1))
    draft.decide(partial(opening.open_tournament, name="Old", law=law, policies={}, secret=bytes(32)))
    draft.decide(deciding(staff.AssignStaff, name="Olga", role="organizer"))
    draft.decide(partial(roster.register, person=Person(name="Olga")))
    assert leaders(draft.record)[0].plays


# -- the tier


def test_a_deck_check_uses_the_tier_of_the_event(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "ann.txt").write_text("[dynasty]\n1 Togashi Initiate\n", "utf-8")
    look = "deck check Ann --sleeves uniform,distinct --dry-run"
    opened(desk, "register Ann", "deck submit Ann ann.txt", tier="formal")
    assert "formal events need opaque sleeves" in desk(look).out
    assert "opaque sleeves" not in desk(f"{look} --tier relaxed").out


@pytest.mark.parametrize("tier", ["formal", "premier"])
def test_an_event_gets_no_tier_that_forbids_its_leaders_to_play(desk: Desk, tier: str) -> None:
    change = f"change-policy POL-L5R-TIER {tier} --yes --reason announced --role organizer"
    desk(OPEN, "staff add Max marshal", "register Olga", "staff add Olga organizer")
    refused = desk(change).refused
    assert refused.startswith(f"Olga is organizer of this event, and leaders do not play in a {tier} event")
    desk("drop Olga", change)
    assert json.loads(desk("staff list --json").out)["tier"] == tier


@pytest.mark.parametrize(
    "rulebook_and_policy",
    [
        "l5r-2018 -p POL-L5R-TIER=formal",
        "street-warriors-2004 -p POL-SWR-APPROVED-HOST=no",
        "pokemon-2026 -p POL-PTR-DAY-1=5",
    ],
)
def test_choosing_the_kind_of_event_is_no_departure(desk: Desk, rulebook_and_policy: str) -> None:
    """Before the fix, a formal event and an event with an unapproved host were listed as changed rules."""
    desk(f"open Friday -b {rulebook_and_policy}")
    assert desk("integrity").out == "Nothing was done by hand: every entry follows the rulebook.\n"
    desk("change-policy POL-ALL-REPAIR never --yes --reason late --role organizer")
    assert [item["kind"] for item in json.loads(desk("integrity --json").out)["items"]] == [
        "policy changed during the event"
    ]


def test_without_tiers_in_the_rulebook_an_event_has_none(desk: Desk) -> None:
    desk("open Friday -b street-warriors-2004", "staff add Olga organizer")
    assert json.loads(desk("staff list --json").out)["tier"] is None
    assert desk("staff list").out.splitlines()[1:] == ["    2  Olga  organizer", "Final rulings: Olga"]


@pytest.mark.parametrize("tier", ["grand", "none"])
def test_l5r_events_have_three_tiers(desk: Desk, tier: str) -> None:
    said = desk(f"{OPEN} -p POL-L5R-TIER={tier}")
    assert f"POL-L5R-TIER cannot be '{tier}'; it can be relaxed, formal, premier" in said.err


# -- the format


def announced(desk: Desk) -> str:
    return desk("structure").out.splitlines()[-1]


def test_ashes_is_constructed_unless_another_format_is_announced_before_round_1(desk: Desk) -> None:
    desk("open Friday -b ashes-2022", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")))
    assert announced(desk) == "Format: constructed (ASH-FORMAT)"
    assert desk("announce --format Draft").out.startswith("Announced: draft, 2 Swiss rounds")
    assert announced(desk) == "Format: draft (ASH-FORMAT)"
    assert json.loads(desk("structure --json").out)["format"] == "draft"
    assert json.loads(desk("structure --json").out)["announced"]["deviations"] == []


def test_a_format_announced_after_round_1_needs_a_reason_and_departs_from_the_rule(desk: Desk) -> None:
    desk("open Friday -b ashes-2022", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")), "pair")
    assert desk("announce --format draft").refused == (
        "round 1 is paired: to announce another format than constructed now, give a reason "
        "(ASH-FORMAT); use --reason"
    )
    said = desk("announce --format draft --reason 'the decks were stolen'")
    assert "departs from ASH-FORMAT" in said.out
    assert announced(desk) == "Format: draft (ASH-FORMAT)"


def test_an_announcement_without_a_format_leaves_the_format_alone(desk: Desk) -> None:
    desk("open Friday -b ashes-2022", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")))
    desk("announce --format draft", "announce --rounds 3 --reason short")
    assert announced(desk) == "Format: draft (ASH-FORMAT)"


@pytest.mark.parametrize("format_", ["''", "x" * 61])
def test_a_format_is_written_with_one_or_two_words(desk: Desk, format_: str) -> None:
    desk("open Friday -b ashes-2022", *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di")))
    said = desk(f"announce --format {format_}")
    assert (said.code, said.err) == (
        2,
        "matchledger: a format is one or two words such as draft, with 60 characters at most\n",
    )
