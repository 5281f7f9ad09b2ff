"""The integrity report: what people changed by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.audit.scripted_dispute import Dispute, by_hand
from tests.desk import RunCli
from tests.event import SECRET, DraftedEvent

from matchledger.cli import run
from matchledger.commands import cuts, roster, swiss, tournaments
from matchledger.commands import results as slips
from matchledger.events import Bye, ByesAwarded, CutMade, RepairChosen, RoundPaired, Seating
from matchledger.ledger import open_ledger
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.views.integrity import integrity

Replay = Callable[[str], Transcription]

EVENT = """
rulebook l5r-2018
option POL-L5R-NOSHOW=bye
players A B C D
round 1
  A > B
  C > D
round 2
  A > C
  B > D
correct 1 A > B modified-win
retract 1 A B
draw C B
cut 2
elimination 1
  A > C
"""


def report(replay: Replay, sheet: str, rulebook: str = "l5r-2018") -> list[tuple[int, str]]:
    items = integrity(replay(sheet.lstrip()).draft.entries, shipped_laws=[rulebook_text(rulebook)])
    return [(item.entry.position, item.kind if item.counts else f"{item.kind}, taken back") for item in items]


def test_every_intervention_is_listed_in_order(replay: Replay) -> None:
    assert report(replay, EVENT) == [
        (1, "policy choice"),
        (2, "import"),
        (7, "manual pairing"),
        (10, "manual pairing"),
        (13, "correction, taken back"),
        (14, "retraction"),
        (15, "order of a tie set by hand"),
        (17, "manual pairing"),
    ]


def orders_listed(run_cli: RunCli, rulebook: str) -> list[list[str]]:
    """Order the winners of a first round by hand. Return the rules of each order that the report lists."""
    run_cli("open", "Friday", "-b", rulebook)
    for name in ("Ann", "Bo", "Cy", "Di"):
        run_cli("register", name)
    run_cli("announce", "--structure", "custom", "--rounds", "2", "--cut", "0", "--reason", "short")
    run_cli("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
    said = ("1", "a:9", "2", "a:9") if rulebook == "ashes-2022" else ("1", "a", "2", "a")
    run_cli("report", *said)
    run_cli("tie", "Ann", "Cy")
    items = run_cli("integrity", "--json").document["items"]
    return [item["rules"] for item in items if item["kind"] == "order of a tie set by hand"]


@pytest.mark.parametrize(
    ("rulebook", "rules"),
    [("street-warriors-2004", []), ("l5r-2018", [["L5R-IV.4a-RANDOM"]]), ("ashes-2022", [["ASH-TB4"]])],
)
def test_an_order_from_the_game_that_the_rulebook_demands_is_not_by_hand(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rulebook: str, rules: list[list[str]]
) -> None:
    """SWR-TB ends in rock, paper, scissors. Before the fix, no event with such a tie followed the rulebook."""
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    assert orders_listed(run_cli, rulebook) == rules


@pytest.mark.parametrize(
    ("years", "rules"),
    [
        ("junior=2010 senior=2006", [["PKM-3.1.1-POD"]]),
        ("junior=1999 senior=1995", []),  # the document's own years
    ],
)
def test_other_years_of_birth_than_the_document_has_are_a_listed_choice(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, years: str, rules: list[list[str]]
) -> None:
    """Before the fix, the report did not name the other years."""
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    given = [word for year in years.split() for word in ("--division-from", year)]
    run_cli("open", "Friday", "-b", "pokemon-2009", *given)
    items = run_cli("integrity", "--json").document["items"]
    assert [item["rules"] for item in items if item["kind"] == "policy choice"] == rules


def test_an_intervention_by_a_rule_is_listed_with_the_rule(replay: Replay) -> None:
    listed = integrity(replay(EVENT.lstrip()).draft.entries, shipped_laws=[rulebook_text("l5r-2018")])
    assert [(item.kind, item.rules) for item in listed] == [
        ("policy choice", ("POL-L5R-NOSHOW",)),
        ("import", ("POLICY",)),
        ("manual pairing", ("L5R-IV.2a-R1",)),
        ("manual pairing", ("L5R-IV.2a-GROUP",)),
        ("correction", ("POLICY",)),
        ("retraction", ("POLICY",)),
        ("order of a tie set by hand", ("L5R-IV.4a-RANDOM",)),
        ("manual pairing", ("L5R-IV.2c-SEED",)),
    ]


def test_awarded_byes_repairs_and_cuts_by_hand_are_listed_with_their_rules() -> None:
    event = DraftedEvent("pokemon-2009")
    event.register("A", "B", "C", "D")
    for fact in (
        ByesAwarded(player=1, rounds=1),
        RoundPaired(round=1, tables=(Seating(table=1, players=(2, 3)),), byes=(Bye(player=1), Bye(player=4))),
        CutMade(round=1, seeds=(4, 1)),
        RoundPaired(round=1, stage="elimination", tables=(Seating(table=1, players=(1, 4)),)),
        RepairChosen(round=1, choice="leave", correction=6),
    ):
        event.decide(lambda _, fact=fact: [fact])
    rules = {item.kind: item.rules for item in integrity(event.draft.entries)}
    assert rules["bye awarded"] == ("PKM-3.1-BYE",)
    assert rules["cut set by hand"] == ("PKM-3.3-CUT",)
    assert rules["repair"] == ("PKM-4-REPAIR",)
    assert all(rules.values())


def test_a_chosen_policy_is_listed(replay: Replay) -> None:
    assert integrity(replay(EVENT.lstrip()).draft.entries)[1].rules == ("POL-L5R-NOSHOW",)


def test_a_policy_with_its_default_value_is_not_listed(replay: Replay) -> None:
    said_aloud = EVENT.lstrip().replace("POL-L5R-NOSHOW=bye", "POL-L5R-NOSHOW=loss")
    assert "policy choice" not in [item.kind for item in integrity(replay(said_aloud).draft.entries)]


def test_a_table_across_divisions_is_listed_with_the_age_modified_rule() -> None:
    event = DraftedEvent("pokemon-2009")
    for division in ("junior", "senior"):
        event.register(*(f"{division} {number}" for number in range(4)), division=division)
    games = [Seating(table=table, players=two) for table, two in enumerate([(1, 5), (2, 3), (4, 6), (7, 8)], 1)]
    event.decide(swiss.pair_by_hand, games=games, deviating=True)
    assert ("manual pairing", ("PKM-3.1.2-MOD",)) in [
        (item.kind, item.rules) for item in integrity(event.draft.entries)
    ]


def test_an_elimination_round_with_a_forged_seed_is_listed_as_manual(replay: Replay) -> None:
    *before, paired, result = replay(EVENT.lstrip()).draft.entries
    assert isinstance(paired.fact, RoundPaired)
    forged = paired.model_copy(update={"fact": paired.fact.model_copy(update={"seed": "00" * 32})})
    listed = [(item.entry.position, item.kind) for item in integrity([*before, forged, result])]
    assert listed[-1] == (17, "manual pairing")


def test_a_house_rulebook_is_listed_as_an_intervention(replay: Replay) -> None:
    assert report(replay, "rulebook l5r-2018\nplayers A B\n", "ashes-2022")[0] == (1, "rules other than shipped")


@pytest.mark.parametrize(
    ("seeds", "listed"), [((1, 3), []), ((3, 1), ["cut set by hand"]), ((1, 2), ["cut set by hand"])]
)
def test_a_cut_that_contradicts_the_standings_is_listed(
    replay: Replay, seeds: tuple[int, ...], listed: list[str]
) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\ndraw A C\ndraw B D\n").draft
    before = len(integrity(draft.entries))
    draft.decide(lambda record: cuts.make_cut(record, size=2, seeds=seeds))
    assert [item.kind for item in integrity(draft.entries)[before:]] == listed


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Four players, and a round with every kind of intervention by hand."""
    ledger = tmp_path / "event.ledger"
    script(ledger, "open", "Open", "--rulebook", "netrunner-2023")
    for name in "ABCD":
        script(ledger, "register", name)
    script(ledger, "pair")
    script(ledger, "drop", "D")
    script(ledger, "rejoin", "D")
    script(ledger, "report", "1", "3-0", "2", "3-0")
    script(ledger, "pair", "--allow-rematch", "--reason", "small field", *by_hand(tables_again(ledger)))
    script(ledger, "amend", *tables_again(ledger, crossed=True), "--reason", "table 1 is broken")
    return ledger


def tables_again(ledger: Path, *, crossed: bool = False) -> list[str]:
    """The tables of round 1, ready to be paired again. With `crossed`, two players have changed places."""
    with open_ledger(ledger) as kept:
        record = kept.record(kept.tournaments()[0])
    round_ = record.round(1)
    assert round_ is not None
    (one, two), (three, four) = round_.tables.values()
    tables = [(one, three), (two, four)] if crossed else [(one, two), (three, four)]
    return ["/".join(record.players[player].name for player in table) for table in tables]


def script(ledger: Path, *arguments: str) -> None:
    assert run([*arguments, "--ledger", str(ledger)]) == 0


def kinds(ledger: Path, rulebook: str = "netrunner-2023") -> list[str]:
    with open_ledger(ledger) as kept:
        items = integrity(kept.entries(kept.tournaments()[0]), shipped_laws=[rulebook_text(rulebook)])
    return [item.kind for item in items]


def test_a_drawn_round_is_not_listed_but_its_change_by_hand_is(ledger: Path) -> None:
    assert kinds(ledger) == [
        "return of a player",
        "rematch allowed",
        "rematch allowed",
        "manual pairing",
        "amended pairing",
    ]


def test_a_correction_after_an_elimination_game_is_listed(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "event.sheet", tmp_path / "event.ledger"
    sheet.write_text(EVENT.lstrip())
    script(ledger, "import", str(sheet))
    script(ledger, "correct", "1", "1", "b", "--override", "--reason", "the head judge decides")
    assert kinds(ledger, "l5r-2018")[-1] == "correction after the cut was played on"


def test_the_report_says_who_when_and_why(dispute: Dispute, run_cli: RunCli) -> None:
    lines = [line.rstrip() for line in run_cli("integrity", "--ledger", str(dispute.ledger), "--as-of", "40").lines]
    told = [line.split(":", 2)[-1][4:] if line[0] != " " else line for line in lines]
    corrected, retracted = (
        next(told[place : place + 3] for place, line in enumerate(told) if line.endswith(kind))
        for kind in ("correction (POLICY), taken back since", "retraction (L5R-IV.2b-CUT)")
    )
    assert corrected[1:] == [
        "      round 2, table 1 corrected (was entry 18): Cy Dane beat Ann Lee",
        "      both signed the wrong side",
    ]
    assert retracted[1:] == ["      entry 32 retracted", "      Ann Lee protests"]
    assert corrected[0].startswith("head judge (judge, desk)")
    assert sum("manual pairing" in line for line in lines) == 4


def test_the_report_as_json_holds_the_whole_entries(dispute: Dispute, run_cli: RunCli) -> None:
    document = run_cli("integrity", "--ledger", str(dispute.ledger), "--json").document
    assert list(document) == ["tournament", "rulebook", "position", "items"]
    assert (document["tournament"], document["rulebook"], document["position"]) == ("Spring Open", "l5r-2018", 42)
    correction = next(item for item in document["items"] if item["kind"] == "correction")
    assert list(correction) == [
        "kind",
        "counts",
        "tournament",
        "position",
        "recorded_at",
        "actor",
        "role",
        "station",
        "command",
        "reason",
        "token",
        "fact",
        "rules",
        "over",
    ]
    assert (correction["kind"], correction["counts"], correction["position"]) == ("correction", True, 32)
    assert (correction["actor"], correction["reason"]) == ("head judge", "both signed the wrong side")


def test_a_tournament_without_interventions_has_an_empty_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "event.ledger"
    script(ledger, "open", "Open", "--rulebook", "l5r-2018")
    capsys.readouterr()
    script(ledger, "integrity")
    assert capsys.readouterr().out == "Nothing was done by hand: every entry follows the rulebook.\n"


def test_an_imported_event_names_its_tables_without_a_result(replay: Replay) -> None:
    """L5R-IV.2-ANNOUNCE: the imported event pairs round 2 while a table of round 1 is open, and closes with open
    tables.
    """
    draft = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C - D\n").draft
    games = [Seating(table=1, players=(1, 3)), Seating(table=2, players=(2, 4))]
    draft.decide(lambda record: swiss.pair_by_hand(record, games=games, unfinished=True))
    draft.decide(lambda record: slips.report(record, table=1, written=Written(winner=0)))
    draft.decide(lambda record: tournaments.close(record, secret=SECRET, unfinished=True))
    open_first, open_last = "table 2 of round 1 has no result", "table 2 of round 2 has no result"
    found = [(item.kind, item.rules, item.over) for item in integrity(draft.entries) if item.over]
    assert found == [
        ("went on over open questions", ("POLICY",), (open_first,)),
        ("went on over open questions", ("POLICY",), (open_first, open_last)),
    ]
    assert integrity(draft.entries)[-1].rules == ("L5R-IV.2-ANNOUNCE",)


@pytest.mark.finding("S-W7")
@pytest.mark.parametrize(
    ("rulebook", "rule"),
    [("l5r-2018", "L5R-IV.2a-BYE"), ("ashes-2022", "ASH-BYE"), ("pokemon-2009", "PKM-3.1-BYE")],
)
def test_an_old_round_by_hand_without_a_mark_is_listed_with_the_bye_rule(rulebook: str, rule: str) -> None:
    """Player A won round 1, and C had its bye. In round 2 the bye should have gone to B."""
    event = DraftedEvent(rulebook)
    event.register("A", "B", "C")
    for number, two, bye in ((1, (1, 2), 3), (2, (2, 3), 1)):
        seating = Seating(table=1, players=two)
        fact = RoundPaired(round=number, tables=(seating,), byes=(Bye(player=bye),))
        event.decide(lambda _, fact=fact: [fact])
        event.decide(
            slips.report, table=1, written=Written(winner=0, blood_points=5 if rule == "ASH-BYE" else None)
        )
    by_hand = [item.rules for item in integrity(event.draft.entries) if item.kind == "manual pairing"]
    assert by_hand == [(event.record.rulebook.pairing.first_round,), (rule,)]


def test_a_disqualification_that_is_taken_back_is_listed_with_its_rule() -> None:
    event = DraftedEvent()
    event.register("A", "B", "C", "D")
    event.decide(roster.disqualify, player=1)
    event.retract_last()
    items = integrity(event.draft.entries, shipped_laws=[rulebook_text("l5r-2018")])
    assert [(item.kind, item.rules) for item in items] == [("retraction", ("L5R-IV.2-DQ",))]
