"""Both sides of the dispute in `docs/dispute.md`, and the undo vectors.

The slip of round 2, table 1 says that Ann beat Cy, but Cy won. The mistake is found in round 4, and the result is
disputed again after the cut.
"""

from __future__ import annotations

import json
import re
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from tests.conftest import Replay
from tests.event import deciding
from tests.tv_x import SCORED, tv_x

from matchledger.cli import run
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import Seating
from matchledger.formats.text import FormatError
from matchledger.ledger import Clerk, Decision, Draft, open_ledger
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.two_clocks import about_rounds, position_when_known
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.consequences import consequences

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dispute.md"
GAINS, LOSES = "Cy", "Ann"


# -- the dispute, from both sides


class Event:
    """The event on the page, command by command."""

    def __init__(self, ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.ledger = ledger
        self._capsys = capsys

    def __call__(self, command: str, *, code: int = 0) -> str:
        """Return the output of a command. If the command is refused, return its one line of error."""
        self._capsys.readouterr()
        assert run(shlex.split(command)) == code, self._capsys.readouterr()
        printed = self._capsys.readouterr()
        return printed.err if code else printed.out

    def json(self, command: str) -> Any:
        return json.loads(self(f"{command} --json"))

    def line(self, player: str, moment: str = "") -> tuple[int, int]:
        """Return the rank and the points of a player."""
        table = self.json(f"standings {moment}")["standings"]
        return next((row["rank"], row["points"]) for row in table if row["player"] == player)

    def entries(self) -> list[Any]:
        return [json.loads(line) for line in self("log --json").splitlines()]

    def decide(self, decision: Decision) -> None:
        with open_ledger(self.ledger) as ledger:
            ledger.decide(ledger.tournaments()[0], decision, clerk=Clerk())


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Event:
    """The event after the posting of round 4, while the slip of round 2 is still wrong."""
    sheet = re.search(r"<!-- file: .*? -->\n```\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert sheet is not None
    (tmp_path / "spring-open.sheet").write_text(sheet[1], "utf-8")
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "spring-open.ledger"))
    found = Event(tmp_path / "spring-open.ledger", capsys)
    with freeze_time("2026-05-02 13:00"):
        found(
            f"import {shlex.quote(str(tmp_path / 'spring-open.sheet'))} --ledger {shlex.quote(str(found.ledger))}"
        )
        found("post")
        found("pair --table Ann/Bo --table Cy/Flo --table Dee/Eva --table Gus/Hal")
        found("report 1 a 2 a 3 b 4 b")
        found("post")
        found("pair --table Ann/Dee --table Bo/Eva --table Cy/Hal --table Flo/Gus")
    return found


def corrected(event: Event) -> Event:
    event("correct 2 1 b --reason 'the copy says so' --actor 'Kim Ode' --role judge")
    event("repair --choose minimal --reason 'play has not begun' --actor 'Kim Ode' --role judge")
    return event


def after_the_cut(event: Event) -> Event:
    corrected(event)
    event("report 1 a 2 a 3 b 4 a")
    event("post")
    event("cut 2 --reason short")
    return event


def told(event: Event, command: str, player: str) -> Any:
    return next(told for told in event.json(f"{command} --preview")["to_tell"] if told["player"] == player)


def test_the_player_who_gains_learns_the_place_the_points_and_the_new_table(event: Event) -> None:
    found = told(event, "correct 2 1 b", GAINS)
    line = found["line"]
    assert (
        (line["before"]["rank"], line["before"]["points"]),
        (line["after"]["rank"], line["after"]["points"]),
    ) == (
        (3, 2),
        (1, 3),
    )
    assert found["reseated"]


def test_the_player_who_loses_learns_place_and_points_and_keeps_the_table(event: Event) -> None:
    found = told(event, "correct 2 1 b", LOSES)
    line = found["line"]
    assert (
        (line["before"]["rank"], line["before"]["points"]),
        (line["after"]["rank"], line["after"]["points"]),
    ) == (
        (1, 3),
        (2, 2),
    )
    assert not found["reseated"]


@pytest.mark.parametrize(
    ("player", "wrong", "right"), [(GAINS, (3, 2), (1, 3)), (LOSES, (1, 3), (2, 2))], ids=["gains", "loses"]
)
def test_both_players_get_the_places_that_the_preview_promised(
    event: Event, player: str, wrong: tuple[int, int], right: tuple[int, int]
) -> None:
    assert event.line(player) == wrong
    corrected(event)
    assert event.line(player) == right
    assert event.line(player, "--round 3 --as-known") == wrong


def test_both_sides_get_the_posted_sheet_byte_for_byte(event: Event) -> None:
    hung = {round_: event(f"standings --round {round_} --as-known") for round_ in (2, 3)}
    after_the_cut(event)
    assert {round_: event(f"standings --round {round_} --as-known") for round_ in (2, 3)} == hung


@pytest.mark.parametrize(("player", "place"), [(GAINS, 2), (LOSES, 3)], ids=["gains", "loses"])
def test_the_cut_uses_the_corrected_results(event: Event, player: str, place: int) -> None:
    after_the_cut(event)
    assert event.line(player)[0] == place
    [cut] = [entry["fact"] for entry in event.entries() if entry["fact"]["kind"] == "cut-made"]
    numbers = {"Ann": 1, "Cy": 3}
    assert (numbers[player] in cut["seeds"]) == (place <= 2)


def test_the_protest_of_the_loser_shows_its_consequences(event: Event) -> None:
    after_the_cut(event)
    found = event.json("retract 29 --preview")
    assert (found["cut"]["made"], found["cut"]["before"], found["cut"]["after"]) == (
        True,
        ["Bo", "Cy"],
        ["Ann", "Bo"],
    )


def test_a_protest_that_is_granted_and_then_dismissed_changes_no_standings(event: Event) -> None:
    after_the_cut(event)
    table, entries = event.json("standings")["standings"], event.entries()
    event("retract 29 --reason protest --actor 'Kim Ode' --role judge")
    assert [event.line(player) for player in (GAINS, LOSES)] == [(3, 2), (1, 4)]
    event("retract 38 --reason 'the slip is found' --actor 'Kim Ode' --role judge")
    assert event.json("standings")["standings"] == table
    now = event.entries()
    assert now[: len(entries)] == entries
    assert [(entry["actor"], entry["reason"]) for entry in now[len(entries) :]] == [
        ("Kim Ode", "protest"),
        ("Kim Ode", "the slip is found"),
    ]


def test_once_the_final_is_played_both_sides_need_an_override(event: Event) -> None:
    after_the_cut(event)
    final = [Seating(table=1, players=(2, 3))]
    event.decide(partial(rounds.pair_by_hand, stage="elimination", games=final))
    event.decide(partial(slips.report, stage="elimination", table=1, written=Written(winner=0)))
    stands = "matchledger: an elimination game was played, so the Swiss results are final (PKM-3.3.6-FREEZE); "
    stands += "use --override\n"
    assert event("retract 29", code=3) == event("correct 2 1 a", code=3) == stands
    assert event.json("retract 29 --override --preview")["cut"]["after"] == ["Ann", "Bo"]
    event("retract 29 --override --reason 'the organizer rules'")
    assert event.line(LOSES) == (1, 4)


@pytest.mark.parametrize("window", ["until-next-posting", "any"])
def test_a_policy_sets_how_long_a_result_can_be_corrected(replay: Replay, window: str) -> None:
    sheet = f"""
rulebook pokemon-2009
option POL-ALL-CORRECTION-WINDOW={window}
players A B C D
round 1
  A > B
  C > D
round 2
  A > C
  B > D
""".strip()
    draft = replay(sheet).draft
    flip = partial(slips.correct, round_=1, table=1, written=Written(winner=1))
    draft.decide(flip)
    draft.decide(partial(slips.retract, entry=draft.entries[-1]))
    draft.decide(deciding(opening.PostStandings))
    if window == "any":
        draft.decide(flip)
        return
    with pytest.raises(
        Refusal,
        match=r"^the standings of a later round are posted, so results of round 1 are final "
        r"\(PKM-3\.3\.6-FREEZE\)$",
    ):
        draft.decide(flip)
    draft.decide(partial(slips.correct, round_=2, table=1, written=Written(winner=1)))
    draft.decide(partial(flip, override=True))


# -- the undo vectors of the rule catalogue, which names TV-UNDO-2 but does not define it


def of_tv_x(replay: Replay, rulebook: str = "l5r-2018", end: str = "") -> Draft:
    return replay(tv_x(SCORED, rulebook) + end).draft


def order(record: Record, round_: int | None = None) -> str:
    table = standings(record, round_)
    return " ".join("".join(record.players[player].name for player in group) for group in table.groups)


@pytest.mark.vector("TV-UNDO-1")
@pytest.mark.parametrize(
    ("rulebook", "expected"),
    [
        ("l5r-2018", "F C G A D B H E"),
        ("street-warriors-2004", "F C G D A B H E"),
        ("pokemon-2009", "F C G A D B H E"),
        ("ashes-2022", "F C G A D B H E"),
    ],
)
def test_a_past_round_is_shown_under_each_rulebook(replay: Replay, rulebook: str, expected: str) -> None:
    assert order(of_tv_x(replay, rulebook).record, 2) == expected


@pytest.mark.vector("TV-UNDO-3")
def test_a_round_is_shown_as_known_and_as_corrected(replay: Replay) -> None:
    draft = of_tv_x(replay, end="correct 1 A > F (16)\n")
    known = fold(draft.entries[: position_when_known(draft.record, draft.entries, 1)])
    right = fold(about_rounds(draft.entries, 1))
    assert [order(record, 1).split()[0] for record in (known, right)] == ["CDFG", "ACDG"]
    second = draft.record.round(2)
    assert second is not None
    assert second.tables[1] == ("ABCDEFGH".index("F") + 1, "ABCDEFGH".index("D") + 1)


@pytest.mark.vector("TV-UNDO-4")
def test_retracting_the_correction_restores_the_final_table(replay: Replay) -> None:
    original = of_tv_x(replay)
    undone = of_tv_x(replay, end="correct 1 A > F (16)\nretract 1 A F\n")
    assert len(undone.entries) == len(original.entries) + 2
    assert list(standings(undone.record).rows) == list(standings(original.record).rows)
    facts = [entry.fact for entry in undone.entries]
    assert [fact for fact in facts if fact.kind != "file-imported"][: len(original.entries) - 1] == [
        entry.fact for entry in original.entries if entry.fact.kind != "file-imported"
    ]
    found = consequences(original.record, undone.record)
    assert (found.matches, found.places, found.reaches_further) == ((), (), False)


CUT_PLAYED = "draw C A\ncut 4\nelimination 1\n  F > B\n  C > A\n"


@pytest.mark.vector("TV-UNDO-5")
def test_undo_is_refused_after_an_elimination_game(replay: Replay) -> None:
    with pytest.raises(FormatError, match="an elimination game was played, so the Swiss results are final"):
        of_tv_x(replay, end=CUT_PLAYED + "correct 1 A > F\n")


@pytest.mark.vector("TV-UNDO-5")
def test_an_override_shows_the_effect_of_the_undo_on_the_cut(replay: Replay) -> None:
    draft = of_tv_x(replay, end=CUT_PLAYED)
    before = fold(draft.entries)
    flip = partial(slips.correct, round_=2, table=4, written=Written(winner=1), override=True)
    draft.decide(flip)
    found = consequences(before, draft.record)
    assert found.cuts
    assert found.cuts[0].made
    for players, expected in (
        (found.cuts[0].before, "FCAB"),
        (found.cuts[0].after, "FCA"),
        (sorted(found.cuts[0].level_after), "GH"),
    ):
        assert "".join(draft.record.players[player].name for player in players) == expected
    assert draft.record.cut == before.cut
