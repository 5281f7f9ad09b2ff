"""Previews: what they show, that they record nothing, and when a command asks first."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random

import pytest
from freezegun import freeze_time
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audit.random_events import RandomEvent, events, written
from tests.conftest import Replay
from tests.desk import RunCli, Terminal
from tests.documents import standings_document
from tests.event import deciding

from matchledger.cli import run
from matchledger.cli.foresight_text import consequence_lines
from matchledger.cli.session import Session
from matchledger.commands import cuts, roster, structures
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import Seating, StandingsPosted
from matchledger.ledger import Clerk, Decision, Draft, open_ledger
from matchledger.notation.slip import Written
from matchledger.service.preview import foresee
from matchledger_projections.record.record import Record, fold
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.consequences import Consequences, consequences

MORNING = datetime(2026, 5, 2, 13, tzinfo=UTC)

SHEET = """
rulebook l5r-2018
event "Preview"
players A B C D E F G H
round 1
  A > E
  B > F
  C > G
  D > H
round 2
  A > C
  B > D
  E > G
  F > H
"""


# -- a preview agrees with the result


def kept(event: RandomEvent) -> Session:
    """A random tournament in its own ledger."""
    ledger = open_ledger(":memory:", create=True)
    draft = Draft(event.entries[0].tournament)
    for entry in event.entries:
        draft.record.apply(entry)
        draft.entries.append(entry)
    ledger.keep(draft)
    return Session(ledger, draft.tournament)


def some_decision(record: Record, event: RandomEvent, chance: Random) -> Decision:
    """One of the five decisions that have a preview, at random."""
    player = chance.choice(list(record.players))
    round_ = chance.choice(record.rounds())
    table = chance.choice(list(round_.tables))
    entry = chance.choice([entry for entry in event.entries if entry.fact.kind != "tournament-opened"])
    choices: list[Decision] = [
        partial(slips.correct, table=table, round_=round_.number, written=written(record, chance), override=True),
        partial(slips.retract, entry=entry, override=True),
        partial(roster.drop, player=player),
        partial(roster.rejoin, player=player),
        partial(roster.disqualify, player=player),
    ]
    return chance.choice(choices)


def document(record: Record, round_: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = standings_document(record, round_)["standings"]
    return found


@settings(max_examples=120)
@given(event=events(), seed=st.integers(0, 2**32))
def test_a_preview_matches_the_result(event: RandomEvent, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - test data, not secrets
    session = kept(event)
    decision = some_decision(session.record, event, chance)
    before = fold(event.entries)
    try:
        foreseen = foresee(session.ledger, session.tournament, decision, cut=2)
    except Refusal as refused:
        with pytest.raises(Refusal, match=f"^{re.escape(str(refused))}$"):
            session.decide(decision)
        return
    assert session.ledger.head(session.tournament).size == len(event.entries)
    recorded = session.decide(decision)
    after = session.ledger.record_as_of(session.tournament, session.record.position)
    assert tuple(entry.fact for entry in recorded) == foreseen.consequences.facts
    assert consequences(before, after, cut=2, facts=foreseen.consequences.facts) == foreseen.consequences
    _is_every_difference(foreseen.consequences, before, after)


def _is_every_difference(found: Consequences, before: Record, after: Record) -> None:
    """Assert that the preview names exactly the lines that differ between the two tables."""
    tables = [{line["player"]: line for line in document(record, found.round)} for record in (before, after)]
    differing = {name for name in tables[0] | tables[1] if tables[0].get(name) != tables[1].get(name)}
    assert {after.players[place.player].name for place in found.places} == differing


@settings(max_examples=60)
@given(event=events(), seed=st.integers(0, 2**32))
def test_the_previews_of_a_correction_and_of_its_retraction_cancel_out(event: RandomEvent, seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - test data, not secrets
    draft = Draft(event.entries[0].tournament, event.record)
    before = fold(event.entries)
    round_ = chance.choice(before.rounds())
    table = chance.choice(list(round_.tables))
    slip = written(before, chance)
    try:
        [entry] = draft.decide(
            partial(slips.correct, table=table, round_=round_.number, written=slip, override=True)
        )
    except Refusal:
        return
    draft.decide(partial(slips.retract, entry=entry, override=True))
    found = consequences(before, draft.record)
    assert not found.reaches_further
    assert found.matches == ()
    assert found.places == ()
    assert found.to_tell == ()


# -- what is shown


def after_two_rounds(replay: Replay, rulebook: str = "l5r-2018") -> Draft:
    return replay(SHEET.replace("l5r-2018", rulebook).strip()).draft


def followed_by(draft: Draft, decision: Decision, *, cut: int | None = None) -> tuple[Record, Consequences]:
    """Return the record of the draft after one more decision, and what the decision changed."""
    after = Draft(draft.tournament, fold(draft.entries))
    after.decide(decision)
    return after.record, consequences(draft.record, after.record, cut=cut)


def names(record: Record, players: tuple[int, ...]) -> str:
    return "".join(record.players[player].name for player in players)


def wrong_slip(winner: int = 1, round_: int = 2) -> Decision:
    return partial(slips.correct, round_=round_, table=1, written=Written(winner=winner))


def test_a_preview_names_changed_points_ranks_and_tiebreakers(replay: Replay) -> None:
    record, found = followed_by(after_two_rounds(replay), wrong_slip())
    lines = "\n".join(consequence_lines(record, found, lambda _: None))
    assert lines.startswith("Round 2, table 1, A - C: > A -> < C (TP 10-1 -> 1-10)\nStandings after round 2: ")
    assert re.search(r"^  A +1= -> 3 +20 -> 11 +5.5000 -> 7.7500 ", lines, re.MULTILINE)
    assert re.search(r"^  C +3= -> 2 +11 -> 20 ", lines, re.MULTILINE)
    assert {player for match in found.matches for player in match.players} == {1, 3}
    assert found.reaches_further


def test_a_planned_cut_shows_its_players(replay: Replay) -> None:
    record, found = followed_by(after_two_rounds(replay), wrong_slip(), cut=2)
    assert found.cuts
    assert names(record, found.cuts[0].entering) == "C"
    assert names(record, found.cuts[0].leaving) == "A"
    assert "Cut to top 2 (planned): C in, A out" in list(consequence_lines(record, found, lambda _: None))


def test_a_preview_always_compares_the_announced_cut(replay: Replay) -> None:
    draft = after_two_rounds(replay)
    draft.decide(deciding(structures.AnnounceStructure, style="swiss-with-cut", rounds=2, cut=2, deviating=True))
    _, found = followed_by(draft, wrong_slip())
    assert found.cuts
    assert (found.cuts[0].size, found.cuts[0].made) == (2, False)


def test_a_preview_shows_the_corrected_seeds_while_a_finished_cut_keeps_its_seeds(replay: Replay) -> None:
    draft = after_two_rounds(replay)
    draft.decide(partial(cuts.make_cut, seeds=(1, 2)))
    record, found = followed_by(draft, wrong_slip())
    assert found.cuts
    assert found.cuts[0].made
    assert names(record, found.cuts[0].after) == "BC"
    assert record.cut is not None
    assert record.cut.seeds == (1, 2)


def test_a_preview_names_a_changed_posting_with_entry_and_time(replay: Replay) -> None:
    draft = after_two_rounds(replay)
    [posting] = draft.decide(deciding(opening.PostStandings))
    record, found = followed_by(draft, wrong_slip())
    assert [(change.round, change.position) for change in found.postings] == [(2, posting.position)]
    shown = list(consequence_lines(record, found, {posting.position: posting}.get))
    clock = posting.recorded_at.astimezone().strftime("%H:%M")
    assert f"Posted: standings after round 2, entry {posting.position}, {clock}: 8 lines would differ" in shown


def test_a_preview_names_players_whose_posted_rank_or_points_change(replay: Replay) -> None:
    draft = after_two_rounds(replay)
    assert followed_by(draft, wrong_slip())[1].to_tell == ()
    [posting] = draft.decide(deciding(opening.PostStandings))
    record, found = followed_by(draft, wrong_slip())
    assert isinstance(posting.fact, StandingsPosted)
    hung = {row.player: (row.rank, row.points) for row in posting.fact.rows}
    then = {row.player: (row.rank, row.points) for row in standings(record, 2).rows}
    assert {told.player for told in found.to_tell} == {player for player in hung if hung[player] != then[player]}


def test_a_preview_names_players_who_change_seats(replay: Replay) -> None:
    draft = after_two_rounds(replay, "pokemon-2009")
    games = [("A", "B"), ("C", "F"), ("D", "E"), ("G", "H")]
    seatings = [
        Seating(table=table, players=("ABCDEFGH".index(one) + 1, "ABCDEFGH".index(other) + 1))
        for table, (one, other) in enumerate(games, 1)
    ]
    draft.decide(partial(rounds.pair_by_hand, games=seatings))
    record, found = followed_by(draft, wrong_slip())
    assert names(record, tuple(told.player for told in found.to_tell if told.reseated)) == "ABCF"
    assert "Pairings of round 3 (not begun) would no longer fit the records" in list(
        consequence_lines(record, found, lambda _: None)
    )


def test_a_preview_names_a_bye_for_the_wrong_player(replay: Replay) -> None:
    sheet = """
rulebook ashes-2022
players A B C D E
round 1
  A > B (9)
  C > D (9)
  E bye
round 2
  A > C (9)
  E > B (9)
  D bye
""".strip()
    draft = replay(sheet).draft
    record, found = followed_by(
        draft, partial(slips.correct, round_=1, table=2, written=Written(winner=1, blood_points=3))
    )
    assert [(bye.round, record.players[bye.player].name, names(record, bye.candidates)) for bye in found.byes] == [
        (2, "D", "BC")
    ]
    lines = list(consequence_lines(record, found, lambda _: None))
    assert "Bye of round 2: D has it, and it would fall to B or C" in lines
    assert [(change.round, change.finished, change.sound) for change in found.pairings] == [(2, True, False)]


def test_a_preview_of_a_drop_says_that_the_next_round_has_a_bye(replay: Replay) -> None:
    record, found = followed_by(after_two_rounds(replay), partial(roster.drop, player=8))
    shown = list(consequence_lines(record, found, lambda _: None))
    assert shown[0] == "H: active -> dropped"
    assert shown[-1] == "Next round: 7 players, with a bye"


def test_a_drop_under_a_cap_changes_the_tiebreakers_of_opponents(replay: Replay) -> None:
    """PKM-3.1.5.1-WP: if a player leaves early, the player's percentage is at most three quarters for the
    opponents.
    """
    draft = after_two_rounds(replay, "pokemon-2009")
    draft.decide(partial(roster.drop, player=1))
    draft.decide(partial(rounds.pair_round, secret=bytes(32)))
    for table in list(draft.record.rounds()[-1].tables):
        draft.decide(partial(slips.report, table=table, written=Written(winner=0)))
    _, found = followed_by(draft, partial(roster.rejoin, player=1))
    assert found.reaches_further


def test_a_preview_of_a_retracted_pairing_shows_every_lost_table(replay: Replay) -> None:
    draft = after_two_rounds(replay)
    [*_, paired] = draft.decide(partial(rounds.pair_round, secret=bytes(32)))
    _, found = followed_by(draft, partial(slips.retract, entry=paired))
    assert [(seating.round, seating.table, seating.after) for seating in found.seatings] == [
        (3, table, ()) for table in (1, 2, 3, 4)
    ]
    assert found.reaches_further


def test_a_preview_of_a_retracted_slip_says_that_its_round_is_not_finished(replay: Replay) -> None:
    draft = after_two_rounds(replay)
    last = draft.entries[-1]
    record, found = followed_by(draft, partial(slips.retract, entry=last))
    assert found.finished == (2, 1)
    assert "Finished rounds: 2 -> 1" in list(consequence_lines(record, found, lambda _: None))


def test_a_preview_names_the_next_elimination_round_if_it_has_the_wrong_player(replay: Replay) -> None:
    sheet = SHEET.strip() + "\ncut 4\nelimination 1\n  A > D\n  B > C\nelimination 2\n  A > B\n"
    draft = replay(sheet.replace("cut 4", "draw A B\ndraw C D E F\ncut 4")).draft
    record, found = followed_by(
        draft, partial(slips.correct, round_=1, table=1, stage="elimination", written=Written(winner=1))
    )
    assert [(change.round, names(record, (change.out, change.instead))) for change in found.bracket] == [(2, "AD")]


# -- the commands


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two rounds whose pairings were posted at 13:00."""
    sheet = tmp_path / "event.sheet"
    sheet.write_text(SHEET.strip(), "utf-8")
    ledger = tmp_path / "event.ledger"
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(ledger))
    with freeze_time(MORNING):
        assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
        assert run(["post"]) == 0
    capsys.readouterr()
    return ledger


def size(capsys: pytest.CaptureFixture[str]) -> int:
    capsys.readouterr()
    assert run(["log", "--json"]) == 0
    return len(capsys.readouterr().out.splitlines())


PREVIEWED = [
    ["correct", "2", "1", "b"],
    ["retract", "17"],
    ["drop", "A"],
    ["disqualify", "A"],
]


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("command", PREVIEWED, ids=lambda words: words[0])
def test_a_preview_records_nothing(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    before = size(capsys)
    assert run([*command, "--preview"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("PREVIEW: nothing is recorded.\n")
    assert run([*command, "--preview", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["facts"]
    assert size(capsys) == before
    assert run([*command, "--yes"]) == 0
    assert size(capsys) == before + 1


@pytest.mark.usefixtures("ledger")
def test_rejoining_can_be_previewed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["drop", "A"]) == 0
    before = size(capsys)
    assert run(["rejoin", "A", "--preview"]) == 0
    assert "A: dropped -> active\n" in capsys.readouterr().out
    assert size(capsys) == before


@pytest.mark.usefixtures("ledger")
def test_a_preview_is_one_json_document_with_documented_keys(run_cli: RunCli) -> None:
    found = run_cli("correct", "2", "1", "b", "--preview", "--json", "--cut", "2").document
    assert list(found) == [
        "facts",
        "reaches_further",
        "round",
        "finished_rounds",
        "active_players",
        "next_byes",
        "matches",
        "statuses",
        "people",
        "places",
        "cut",
        "cuts",
        "new_cuts",
        "postings",
        "seatings",
        "pairings",
        "byes",
        "bracket",
        "champions",
        "to_tell",
        "left_open",
    ]
    assert found["matches"][0]["after"]["winner"] == "C"
    assert found["postings"][0]["posted_at"] == "2026-05-02T13:00:00+00:00"
    line = next(place for place in found["places"] if place["player"] == "A")
    assert (line["before"]["points"], line["after"]["points"]) == (20, 11)
    assert line["after"]["tiebreaks"]["strength_of_schedule"] == "31/4"
    assert found["cut"]["after"] == ["B", "C"]


@pytest.mark.usefixtures("ledger")
def test_a_preview_is_refused_in_the_same_words_as_the_command(run_cli: RunCli) -> None:
    assert (
        run_cli("correct", "2", "1", "a", "--preview", code=3).err
        == "matchledger: table 1 of round 2 has this result already (entry 17)\n"
    )


@pytest.mark.usefixtures("ledger")
def test_json_without_preview_is_refused_with_the_missing_option(run_cli: RunCli) -> None:
    assert (
        run_cli("correct", "2", "1", "b", "--json", code=2).err
        == "matchledger: --json shows a preview: give --preview with it\n"
    )


@pytest.mark.usefixtures("ledger")
def test_a_preview_of_a_repeated_command_changes_nothing(run_cli: RunCli) -> None:
    command = ["correct", "2", "1", "b", "--command-id", "slip-7"]
    assert run(command) == 0
    assert run_cli(*command, "--preview").out == (
        "PREVIEW: nothing is recorded.\nStandings after round 2: nothing changes\n"
    )


# -- questions


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return the text that a person types at a terminal."""
    return lambda text: monkeypatch.setattr(sys, "stdin", Terminal(text))


@pytest.mark.usefixtures("ledger")
def test_a_command_asks_at_a_terminal_and_records_after_a_yes(
    run_cli: RunCli, typed: Callable[[str], None]
) -> None:
    typed("y\n")
    shown = run_cli("correct", "2", "1", "b").out
    assert "Record this? [y/N]: " in shown
    assert "To be told (" in shown
    assert "(entry 22 replaces entry 17)" in shown


@pytest.mark.usefixtures("ledger")
def test_answering_no_records_nothing(capsys: pytest.CaptureFixture[str], typed: Callable[[str], None]) -> None:
    before = size(capsys)
    typed("n\n")
    assert run(["correct", "2", "1", "b"]) == 0
    assert "Nothing was recorded." in capsys.readouterr().out
    assert size(capsys) == before


@pytest.mark.usefixtures("ledger")
def test_the_option_yes_skips_the_question(run_cli: RunCli, typed: Callable[[str], None]) -> None:
    typed("")
    assert "Record this?" not in run_cli("correct", "2", "1", "b", "--yes").out


@pytest.mark.usefixtures("ledger")
def test_a_command_that_affects_one_match_asks_nothing(run_cli: RunCli, typed: Callable[[str], None]) -> None:
    tables = [word for table in ("A/B", "C/F", "D/E", "G/H") for word in ("--table", table)]
    assert run(["pair", *tables]) == 0
    assert run(["report", "1", "a"]) == 0
    typed("")
    assert "Record this?" not in run_cli("correct", "3", "1", "b").out


@pytest.mark.usefixtures("ledger")
def test_a_command_in_a_pipe_asks_nothing(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "Record this?" not in run_cli("correct", "2", "1", "b").out


def test_an_entry_of_another_station_causes_a_new_preview(
    ledger: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clerk cannot confirm one preview and record another result."""
    questions: list[str] = []

    def confirm(question: str) -> bool:
        questions.append(question)
        if len(questions) == 1:
            with open_ledger(ledger) as other:
                other.decide(
                    other.tournaments()[0],
                    partial(slips.correct, round_=1, table=1, written=Written(winner=1)),
                    clerk=Clerk(station="other"),
                )
        return True

    monkeypatch.setattr("matchledger.cli.previewing.agreed", confirm)
    monkeypatch.setattr(sys, "stdin", Terminal(""))
    assert run(["correct", "2", "1", "b"]) == 0
    assert questions == ["Record this?", "Record this?"]
    shown = capsys.readouterr().out
    assert "Another station has recorded something since: look again." in shown
    assert "(entry 23 replaces entry 17)" in shown
