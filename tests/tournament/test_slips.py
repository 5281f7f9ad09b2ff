"""Slips: reports from the tables in the rulebook's words, and corrections of wrong slips."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.event import SECRET, deciding

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import ResultCorrected, ResultReported, Seating, Slip
from matchledger.ledger import Decision, Draft
from matchledger.notation.outcomes import outcome_help
from matchledger.notation.slip import Written
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.standings.standings import standings

Play = Callable[[str], Draft]
Refused = Callable[[Draft, Decision], str]

A, B, C, D, E = range(1, 6)
OPEN_ROUND = "rulebook l5r-2018\nplayers A B C D E\nround 1\n  A > B\n  C > D\n  E bye\n"
CUT = "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\ndraw A C\ncut 2\n"
FINAL_PLAYED = CUT + "elimination 1\n  A > C\n"


def two(rulebook: str) -> str:
    return f"rulebook {rulebook}\nplayers A B\n"


def paired(play: Play, rulebook: str) -> Draft:
    """A and B at table 1, without a result."""
    draft = play(two(rulebook))
    draft.decide(partial(rounds.pair_by_hand, games=[Seating(table=1, players=(A, B))]))
    return draft


def points(draft: Draft) -> list[int]:
    return [standings(draft.record).table.points[player] for player in (A, B)]


# -- reporting


@pytest.mark.parametrize(
    ("rulebook", "written", "slip", "scored"),
    [
        ("l5r-2018", Written(winner=0), Slip(kind="win", winner=A), [10, 1]),
        ("l5r-2018", Written("modified-win", 1), Slip(kind="modified-win", winner=B), [0, 6]),
        ("l5r-2018", Written("modified-loss", 0), Slip(kind="modified-loss", winner=A), [10, 0]),
        ("l5r-2018", Written("double-loss"), Slip(kind="double-loss"), [1, 1]),
        ("street-warriors-2004", Written("draw"), Slip(kind="draw"), [1, 1]),
        ("netrunner-2023", Written("score", scores=(4, 1)), Slip(kind="score", winner=A, scores=(4, 1)), [4, 1]),
        ("netrunner-2023", Written("score", scores=(3, 3)), Slip(kind="score", scores=(3, 3)), [3, 3]),
        ("ashes-2022", Written(winner=1, blood_points=9), Slip(kind="win", winner=B, blood_points=9), [0, 1]),
        (
            "ashes-2022",
            Written(winner=1, blood_points=0, winner_blood_points=25),
            Slip(kind="win", winner=B, blood_points=0),
            [0, 1],
        ),
    ],
)
def test_a_slip_accepts_the_outcomes_of_the_rulebook(
    play: Play, rulebook: str, written: Written, slip: Slip, scored: list[int]
) -> None:
    draft = paired(play, rulebook)
    [entry] = draft.decide(partial(slips.report, table=1, written=written, deviating=True))
    assert isinstance(entry.fact, ResultReported)
    assert entry.fact.slip == slip
    assert points(draft) == scored


@pytest.mark.parametrize(
    ("rulebook", "written", "reason"),
    [
        ("l5r-2018", Written("draw"), "l5r-2018 has no draws: write {} (L5R-IV.4-POINTS)"),
        (
            "street-warriors-2004",
            Written("modified-win", 0),
            "street-warriors-2004 has no result 'modified-win': write {}",
        ),
        (
            "pokemon-2009",
            Written("score", scores=(2, 1)),
            "pokemon-2009 accepts no points on a slip: write {}",
        ),
        ("l5r-2018", Written("modified-win"), "a modified-win needs a winner"),
        ("l5r-2018", Written("double-loss", 0), "a double-loss has no winner"),
        ("street-warriors-2004", Written("draw", 1), "a draw has no winner"),
        (
            "netrunner-2023",
            Written("score", 0),
            "netrunner-2023 scores a score as written: give both players' points, such as 4-1",
        ),
        ("netrunner-2023", Written("score", scores=(6, -1)), "points on a slip cannot be negative"),
        ("ashes-2022", Written(winner=0), "the slip does not give the loser's blood points (ASH-BP)"),
        (
            "ashes-2022",
            Written(winner=0, blood_points=9, winner_blood_points=24),
            "the winner scores 25 blood points, not 24 (ASH-BP)",
        ),
    ],
)
def test_an_outcome_outside_the_rulebook_is_refused(
    play: Play, refused: Refused, rulebook: str, written: Written, reason: str
) -> None:
    known = outcome_help(parse_rulebook(rulebook_text(rulebook)))
    decision = partial(slips.report, table=1, written=written)
    assert refused(paired(play, rulebook), decision) == reason.format(known)


def test_a_slip_belongs_to_an_open_table(play: Play, refused: Refused) -> None:
    draft = paired(play, "l5r-2018")
    [entry] = draft.decide(partial(slips.report, table=1, written=Written(winner=0)))
    assert refused(draft, partial(slips.report, table=1, written=Written(winner=0))) == (
        f"table 1 of round 1 has a result already (entry {entry.position}): correct it if it is wrong"
    )


@pytest.mark.parametrize(
    ("sheet", "table", "round_", "reason"),
    [
        (OPEN_ROUND, 3, None, "round 1 has no table 3: its tables are 1 to 2"),
        (OPEN_ROUND, 0, None, "round 1 has no table 0: its tables are 1 to 2"),
        (OPEN_ROUND, 1, 2, "round 2 is not paired"),
        (two("l5r-2018"), 1, None, "no round is paired: pair one first"),
        (FINAL_PLAYED, 2, None, "round 1 has no table 2: its tables are 1 to 1"),
    ],
)
def test_a_slip_needs_an_existing_table(
    play: Play, refused: Refused, sheet: str, table: int, round_: int | None, reason: str
) -> None:
    decision = partial(slips.report, table=table, written=Written(winner=0), round_=round_)
    assert refused(play(sheet), decision) == reason


def test_a_round_of_byes_has_no_table(play: Play, refused: Refused) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C\nround 1\n  A bye\n")
    assert refused(draft, partial(slips.report, table=1, written=Written(winner=0))) == (
        "round 1 has no table 1: the round has only byes"
    )


def test_a_slip_can_be_written_from_the_other_side() -> None:
    written = Written("win", 0, scores=(4, 1), blood_points=9)
    assert written.turned() == Written("win", 1, scores=(1, 4), blood_points=9)
    assert written.turned().turned() == written
    assert Written("draw").turned() == Written("draw")


# -- concessions and no-shows


@pytest.mark.parametrize("by", [A, B])
def test_only_a_player_of_the_table_concedes_and_loses(play: Play, by: int) -> None:
    draft = paired(play, "l5r-2018")
    [entry] = draft.decide(partial(slips.concede, by=by, table=1))
    assert entry.fact.kind == "match-conceded"
    assert points(draft) == ([1, 10] if by == A else [10, 1])


def test_a_slip_with_a_concession_is_a_concession(play: Play) -> None:
    draft = paired(play, "l5r-2018")
    [entry] = draft.decide(partial(slips.report, table=1, written=Written("concession", 1)))
    assert entry.fact.kind == "match-conceded"
    assert entry.fact.by == A


def test_a_concession_gives_the_blood_points_so_far(play: Play) -> None:
    draft = paired(play, "ashes-2022")
    draft.decide(partial(slips.concede, by=B, blood_points=7))
    assert [row.tiebreaks["blood_points"] for row in standings(draft.record).rows] == [25, 7]


@pytest.mark.parametrize(
    ("player", "table", "reason"),
    [
        (E, None, "E has no opponent in round 1"),
        (A, 2, "A has no opponent in table 2 of round 1"),
    ],
)
def test_only_a_player_of_the_match_can_concede(
    play: Play, refused: Refused, player: int, table: int | None, reason: str
) -> None:
    assert refused(play(OPEN_ROUND), partial(slips.concede, by=player, table=table)) == reason


def test_a_finished_match_cannot_be_conceded(play: Play, refused: Refused) -> None:
    draft = play(OPEN_ROUND)
    result = draft.entries[-2].position
    assert refused(draft, partial(slips.concede, by=A)) == (
        f"table 1 of round 1 has a result already (entry {result}): correct it if it is wrong"
    )


@pytest.mark.parametrize(
    ("rulebook", "stays", "kinds", "status"),
    [
        ("l5r-2018", False, ["no-show-recorded", "player-dropped"], "dropped"),
        ("l5r-2018", True, ["no-show-recorded"], "active"),
        ("ashes-2022", False, ["no-show-recorded"], "active"),
    ],
)
def test_an_absent_player_loses_and_drops_if_the_rulebook_says_so(
    play: Play, rulebook: str, stays: bool, kinds: list[str], status: str
) -> None:
    """L5R-IV.2-NOSHOW."""
    draft = paired(play, rulebook)
    entries = draft.decide(partial(slips.no_show, absent=(B,), stays=stays, deviating=stays))
    assert [entry.fact.kind for entry in entries] == kinds
    assert draft.record.status(B) == status
    assert points(draft) == ([10, 1] if rulebook == "l5r-2018" else [1, 0])


@pytest.mark.parametrize("absent", [(A, B), (B, A), (A, B, A)])
def test_if_neither_player_appears_both_lose_and_drop(play: Play, absent: tuple[int, ...]) -> None:
    draft = paired(play, "l5r-2018")
    entries = draft.decide(partial(slips.no_show, absent=absent))
    assert [entry.fact.kind for entry in entries] == ["no-show-recorded", "player-dropped", "player-dropped"]
    assert points(draft) == [1, 1]
    assert draft.record.active_players() == []


def test_a_slip_with_a_no_show_is_a_no_show(play: Play) -> None:
    draft = paired(play, "l5r-2018")
    entries = draft.decide(partial(slips.report, table=1, written=Written("no-show", 0)))
    assert [entry.fact.kind for entry in entries] == ["no-show-recorded", "player-dropped"]
    assert draft.record.status(B) == "dropped"


def test_a_dropped_player_is_not_dropped_again(play: Play) -> None:
    draft = paired(play, "l5r-2018")
    draft.decide(partial(roster.drop, player=B))
    entries = draft.decide(partial(slips.no_show, absent=(B,)))
    assert [entry.fact.kind for entry in entries] == ["no-show-recorded"]


def test_absent_players_at_two_tables_are_two_no_shows(play: Play, refused: Refused) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C D\n")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    (one, _), (other, _) = draft.record.round(1).tables.values()  # type: ignore[union-attr] # it was just paired
    name = draft.record.players[other].name
    assert refused(draft, partial(slips.no_show, absent=(one, other))) == f"{name} does not sit at table 1"


# -- corrections


def test_a_correction_names_the_entry_that_it_replaces(play: Play) -> None:
    draft = play(OPEN_ROUND)
    wrong = draft.record.round(1).report(1, (A, B))  # type: ignore[union-attr] # it is paired
    assert wrong is not None
    [entry] = draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    assert isinstance(entry.fact, ResultCorrected)
    assert entry.fact.supersedes == wrong.position
    assert points(draft) == [1, 10]


def test_a_correction_of_a_correction_names_the_correction(play: Play) -> None:
    draft = play(OPEN_ROUND)
    [first] = draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    [second] = draft.decide(partial(slips.correct, table=1, round_=1, written=Written("modified-win", 1)))
    assert second.fact.supersedes == first.position  # type: ignore[union-attr] # a correction
    assert points(draft) == [0, 6]


@pytest.mark.parametrize(
    ("table", "round_", "written", "reason"),
    [
        (1, 1, Written(winner=0), "table 1 of round 1 has this result already (entry 9)"),
        (7, 1, Written(winner=0), "round 1 has no table 7: its tables are 1 to 2"),
        (1, 2, Written(winner=0), "round 2 is not paired"),
        (1, 1, Written("modified-win"), "a modified-win needs a winner"),
    ],
)
def test_a_correction_follows_the_rules_of_a_slip(
    play: Play, refused: Refused, table: int, round_: int, written: Written, reason: str
) -> None:
    decision = partial(slips.correct, table=table, round_=round_, written=written)
    assert refused(play(OPEN_ROUND), decision) == reason


def test_a_missing_result_is_reported_and_not_corrected(play: Play, refused: Refused) -> None:
    decision = partial(slips.correct, table=1, round_=1, written=Written(winner=0))
    assert refused(paired(play, "l5r-2018"), decision) == "table 1 of round 1 has no result yet: report it"


def test_a_swiss_result_can_be_corrected_until_an_elimination_game_is_played(play: Play) -> None:
    draft = play(CUT)
    draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    assert points(draft) == [1, 10]


def test_a_correction_after_an_elimination_game_needs_an_override(play: Play, refused: Refused) -> None:
    """TV-UNDO-5."""
    draft = play(FINAL_PLAYED)
    decision = partial(slips.correct, table=1, round_=1, written=Written(winner=1))
    message = refused(draft, decision)
    assert message.startswith("an elimination game was played, so the Swiss results are final (")
    draft.decide(partial(decision, override=True))
    assert points(draft) == [1, 10]
    assert draft.record.cut is not None
    assert draft.record.cut.seeds == (A, C)


def test_the_next_posting_can_end_corrections(play: Play, refused: Refused) -> None:
    """POL-ALL-CORRECTION-WINDOW."""
    draft = play(
        "rulebook l5r-2018\noption POL-ALL-CORRECTION-WINDOW=until-next-posting\nplayers A B C D\n"
        "round 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\n"
    )
    decision = partial(slips.correct, table=1, round_=1, written=Written(winner=1))
    draft.decide(deciding(opening.PostStandings))
    assert refused(draft, decision).startswith(
        "the standings of a later round are posted, so results of round 1 are final ("
    )
    draft.decide(partial(decision, override=True))
    draft.decide(partial(slips.correct, table=1, round_=2, written=Written(winner=1)))
    assert points(draft) == [2, 20]


def test_an_elimination_result_can_be_corrected(play: Play) -> None:
    draft = play(FINAL_PLAYED)
    draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1), stage="elimination"))
    final = draft.record.round(1, "elimination")
    assert final is not None
    assert [report.winner for _, _, report in final.results() if report is not None] == [C]


# -- the last correction of a match


def test_the_last_correction_can_be_retracted(play: Play) -> None:
    draft = play(OPEN_ROUND + "correct 1 A > B modified-win\ncorrect 1 B > A\n")
    assert slips.last_correction(draft.record, table=1, round_=1).position == draft.record.position


def test_a_slip_without_corrections_has_no_last_correction(play: Play) -> None:
    with pytest.raises(Refusal) as caught:
        slips.last_correction(play(OPEN_ROUND).record, table=1, round_=1)
    assert str(caught.value) == "the slip of table 1, round 1, was never corrected: there is nothing to take back"
