"""Games of a match: possible slips, their results, and impossible scores."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from matchledger.commands import results as slips
from matchledger.commands.refusal import Refusal
from matchledger.commands.written import slip_of
from matchledger.formats.text import FormatError
from matchledger.notation.outcomes import outcome_help, outcome_keys, outcome_of_key, read_outcome
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.house import house_rulebook, house_rules
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.score_card import score_cards

Replay = Callable[[str], Transcription]
OPEN = "rulebook {}\nplayers A B\nround 1\n  A - B\n"


def _reported(replay: Replay, typed: str, rulebook: str = "magic-mtr") -> Record:
    draft = replay(OPEN.format(rulebook)).draft
    draft.decide(lambda record: slips.report(record, table=1, written=read_outcome(typed.split(), record.rulebook)))
    return draft.record


def _report(record: Record) -> tuple[str, int | None, tuple[int, int, int] | None]:
    round_ = record.round(1)
    assert round_ is not None
    report = round_.report(1, (1, 2))
    assert report is not None
    return report.kind, report.winner, report.games


@pytest.mark.parametrize(
    ("typed", "kind", "winner", "games"),
    [
        ("2-1", "win", 1, (2, 1, 0)),
        ("0-2", "win", 2, (0, 2, 0)),
        ("2-1-1", "win", 1, (2, 1, 1)),
        ("1-0", "win", 1, (1, 0, 0)),
        ("0-0-3", "draw", None, (0, 0, 3)),
        ("1-1-1", "draw", None, (1, 1, 1)),
        ("1-1", "draw", None, (1, 1, 0)),
        ("0-0 double-loss", "double-loss", None, (0, 0, 0)),
        ("0-2 concession", "concession", 2, (0, 2, 0)),
        ("2-1 concession", "concession", 1, (2, 1, 0)),
        ("2-0-1 match-loss", "match-loss", 1, (2, 0, 1)),
        ("1-0 unfinished", "win", 1, (1, 0, 0)),
        ("1-1 unfinished", "draw", None, (1, 1, 0)),
        ("a", "win", 1, None),
        ("b concession", "concession", 2, None),
    ],
)
def test_games_decide_the_winner(
    replay: Replay, typed: str, kind: str, winner: int | None, games: tuple[int, int, int] | None
) -> None:
    assert _report(_reported(replay, typed)) == (kind, winner, games)


@pytest.mark.parametrize(
    ("rulebook", "typed", "problem"),
    [
        ("magic-mtr", "3-0", "3-0 is impossible: a match ends with 2 won games (best of 3)"),
        ("magic-mtr", "2-2", "2-2 is impossible: only one player can win 2 games"),
        ("magic-mtr", "2-1-9", "2-1-9 is impossible: a match has at most 3 drawn games"),
        ("magic-mtr", "0-0-0", "0-0 has no finished game: write one of unfinished, draw, double-loss"),
        ("magic-mtr", "0-0 draw", "0-0 has no finished game: write one of unfinished, draw, double-loss"),
        ("one-piece", "0-0", "0-0 has no finished game: write one of unfinished, double-loss"),
        ("magic-mtr", "2-1 draw", "2-1 is not a draw: leave draw out, or correct the games"),
        (
            "magic-mtr",
            "1-1 concession",
            "1-1 has no winner: count the conceded game too, such as 2-1 concession",
        ),
        ("magic-mtr", "2-0 no-show", "a no-show has no games: leave 2-0 out"),
        ("one-piece", "2-1", "2-1 is impossible: a match ends with 1 won games (best of 1)"),
        ("yu-gi-oh", "1-1", "yu-gi-oh has no draws: write "),
        ("l5r-2018", "2-1-1", "l5r-2018 counts no games: write "),
        ("l5r-2018", "2-1", "l5r-2018 accepts no points on a slip: write a or b (the winner), a modified-win"),
    ],
)
def test_an_impossible_score_is_refused_in_one_line(
    replay: Replay, rulebook: str, typed: str, problem: str
) -> None:
    with pytest.raises(Refusal) as refused:
        _reported(replay, typed, rulebook)
    assert str(refused.value).startswith(problem)
    assert "\n" not in str(refused.value)


def test_an_unfinished_match_is_a_draw_in_magic_and_a_double_loss_in_yugioh(replay: Replay) -> None:
    assert _report(_reported(replay, "unfinished")) == ("draw", None, None)
    assert _report(_reported(replay, "unfinished", "yu-gi-oh")) == ("double-loss", None, None)


def test_the_games_of_an_unfinished_match_stay_on_its_double_loss(replay: Replay) -> None:
    assert _report(_reported(replay, "1-0 unfinished", "yu-gi-oh")) == ("double-loss", None, (1, 0, 0))


def test_a_concession_in_the_third_game_keeps_the_games(replay: Replay) -> None:
    draft = replay("rulebook magic-mtr\nplayers A B\nround 1\n  B > A concession 2-1\n").draft
    told = [tell(draft.record, entry.fact) for entry in draft.entries]
    assert told[-1].endswith("table 1: A conceded to B 2-1")
    values = standings(draft.record).rows
    assert [row.tiebreaks["game_win_percentage"] for row in values] == [Fraction(2, 3), Fraction(1, 3)]


@pytest.mark.parametrize("games", ["", " 1-0"])
def test_the_log_says_that_both_players_lost(replay: Replay, games: str) -> None:
    draft = replay(f"rulebook yu-gi-oh\nplayers A B\nround 1\n  A = B double-loss{games}\n").draft
    assert tell(draft.record, draft.entries[-1].fact) == f"round 1, table 1: A and B both lost{games}"


def test_the_help_offers_unfinished_if_the_rulebook_judges_by_time() -> None:
    known = {name: outcome_help(parse_rulebook(rulebook_text(name))) for name in ("yu-gi-oh", "netrunner-aesops")}
    assert known["yu-gi-oh"].endswith(", unfinished")
    assert "unfinished" not in known["netrunner-aesops"]


def test_the_keys_with_digits_are_the_scores_of_the_match() -> None:
    keys = {key.key: key.outcome for key in outcome_keys(parse_rulebook(rulebook_text("magic-mtr")))}
    assert keys == {
        "1": "2-0",
        "2": "0-2",
        "3": "2-1",
        "4": "1-2",
        "5": "1-0",
        "6": "0-1",
        "0": "1-1-1",
        "9": "double-loss",
    }
    for outcome in keys.values():
        read_outcome([outcome], parse_rulebook(rulebook_text("magic-mtr")))


def test_a_match_without_games_has_no_key_for_a_game_loss() -> None:
    chess = parse_rulebook(house_rulebook(house_rules(id="own-chess", win="1", draw="1/2", best_of="none")))
    keys = {key.key: key.outcome for key in outcome_keys(chess)}
    losses = {"3": "a match-loss", "4": "b match-loss", "9": "double-loss"}
    assert keys == {"1": "a", "2": "b", "0": "draw"} | losses
    assert read_outcome(["a", "game-loss"], chess).kind == "game-loss", "the desk can still type it"
    netrunner = parse_rulebook(rulebook_text("netrunner-aesops"))
    assert "a game-loss" in [key.outcome for key in outcome_keys(netrunner)], "this game has no match loss"


def test_an_elimination_match_has_no_key_for_a_draw_and_its_own_scores() -> None:
    magic = parse_rulebook(rulebook_text("magic-mtr"))
    keys = {key.key: key.outcome for key in outcome_keys(magic, "elimination")}
    assert "0" not in keys
    assert keys["9"] == "double-loss"
    assert outcome_of_key(magic, "0", "elimination") == "1-1-1", "the refusal gives the reason"
    longer = parse_rulebook(rulebook_text("magic-mtr").replace("best_of = 3", "best_of = 3\nelimination = 5"))
    assert outcome_keys(longer, "elimination")[0].outcome == "3-0"


SHEET = "rulebook magic-mtr\nplayers A B C D\nround 1\n  A > B 2-1\n  C = D 1-1-1\ncorrect 1 A > B 2-0\n"


def test_games_are_on_the_sheet_in_the_log_and_on_the_card(replay: Replay) -> None:
    draft = replay(SHEET).draft
    told = [tell(draft.record, entry.fact) for entry in draft.entries]
    assert "round 1, table 1: A beat B 2-1" in told
    assert "round 1, table 2: C and D drew 1-1-1" in told
    assert any(line.endswith(": A beat B 2-0") and "corrected" in line for line in told)
    [card] = score_cards(draft.record, [2])
    assert [(line.outcome, line.games) for line in card.swiss] == [("loss", (0, 2, 0))]


@pytest.mark.parametrize("line", ["A > B 1-2", "A = B 2-1", "A > B 1-1-1"])
def test_if_a_sheet_contradicts_its_games_the_error_names_the_line(replay: Replay, line: str) -> None:
    with pytest.raises(FormatError, match="line 4"):
        replay(f"rulebook magic-mtr\nplayers A B\nround 1\n  {line}\n")


def test_games_with_another_winner_are_refused_with_both_named() -> None:
    written = Written(winner=1, games=(2, 1, 0))
    refused = "the games 2-1 do not make the named player the winner: correct the games or the winner"
    with pytest.raises(Refusal, match=refused):
        slip_of(parse_rulebook(rulebook_text("magic-mtr")), (1, 2), written)


def test_games_are_refused_under_a_rulebook_without_games() -> None:
    with pytest.raises(Refusal) as refused:
        slip_of(parse_rulebook(rulebook_text("l5r-2018")), (1, 2), Written(games=(2, 1, 1)))
    assert " counts no games: write " in str(refused.value)


def test_a_slip_without_games_has_the_same_stored_form_as_in_old_logs(replay: Replay) -> None:
    draft = replay(SHEET).draft
    facts = [entry.model_dump_json() for entry in draft.entries]
    assert sum('"games":[2,1,0]' in fact for fact in facts) == 1
    plain = replay(SHEET.replace(" 2-1", "").replace(" 1-1-1", "").replace(" 2-0", " concession")).draft
    assert not any('"games"' in entry.model_dump_json() for entry in plain.entries)


def test_slips_with_different_games_contradict_each_other(replay: Replay) -> None:
    draft = replay(OPEN.format("magic-mtr")).draft
    draft.decide(lambda record: slips.report(record, table=1, written=read_outcome(["2-0"], record.rulebook)))
    with pytest.raises(Refusal, match="has a result already"):
        draft.decide(lambda record: slips.report(record, table=1, written=read_outcome(["2-1"], record.rulebook)))
