"""Opening and closing a tournament, its cut, its ties and its postings."""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.event import SECRET, deciding

from matchledger.commands import cuts, decklists, divisions, refusal, retraction, revival, roster, ties, written
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import CutMade, StandingsPosted, TieResolved, TournamentClosed, TournamentOpened
from matchledger.ledger import Decision, Draft
from matchledger.notation.slip import Written
from matchledger_projections.message import PLACE
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.standings.standings import standings

Play = Callable[[str], Draft]
Refused = Callable[[Draft, Decision], str]

A, B, C, D = range(1, 5)
FOUR = "rulebook l5r-2018\nplayers A B C D\n"
PLAYED = FOUR + "round 1\n  A > B\n  C > D\n"


def opened(name: str = "Open", law: str | None = None, policies: dict[str, str] | None = None) -> Decision:
    text = rulebook_text("l5r-2018") if law is None else law
    return partial(opening.open_tournament, name=name, law=text, policies=policies or {}, secret=SECRET)


@pytest.fixture
def nothing() -> Draft:
    return Draft(UUID(int=1))


# -- opening


def test_the_opening_has_the_rulebook_and_a_commitment_to_the_secret(nothing: Draft) -> None:
    [entry] = nothing.decide(opened(policies={"POL-L5R-NOSHOW": "bye"}))
    assert entry.fact == TournamentOpened(
        name="Open",
        rulebook="l5r-2018",
        law=rulebook_text("l5r-2018"),
        policies={"POL-L5R-NOSHOW": "bye"},
        commitment=hashlib.sha256(SECRET).hexdigest(),
        sealed=True,
    )
    assert nothing.record.rulebook.readings.no_show == "bye"


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"name": ""}, "a tournament needs a name of 1 to 200 printable characters"),
        ({"name": "   "}, "a tournament needs a name of 1 to 200 printable characters"),
        ({"name": "x" * 201}, "a tournament needs a name of 1 to 200 printable characters"),
        ({"name": "a\nb"}, "a tournament needs a name of 1 to 200 printable characters"),
        ({"policies": {"POL-L5R-NOSHOW": "maybe"}}, "POL-L5R-NOSHOW cannot be 'maybe'; it can be loss, bye"),
        ({"law": "id ="}, "the rulebook is not valid TOML: Invalid value (at end of document)"),
    ],
)
def test_an_impossible_opening_is_refused(
    nothing: Draft, refused: Refused, asked: dict[str, Any], reason: str
) -> None:
    assert refused(nothing, opened(**asked)) == reason


def test_opening_with_an_unknown_policy_lists_the_known_ones(nothing: Draft, refused: Refused) -> None:
    message = refused(nothing, opened(policies={"POL-X": "1"}))
    assert message.startswith("l5r-2018 has no policy POL-X; it has POL-L5R-ROUNDS-DENOM, ")


def test_a_tournament_can_be_opened_once(nothing: Draft, refused: Refused) -> None:
    nothing.decide(opened())
    assert refused(nothing, opened()) == "the tournament 'Open' is open already"


# -- posting


def test_posted_standings_stay_exactly_as_posted(play: Play) -> None:
    draft = play(PLAYED)
    [entry] = draft.decide(deciding(opening.PostStandings))
    assert isinstance(entry.fact, StandingsPosted)
    posted = [(row.rank, row.player, row.points, row.tied) for row in entry.fact.rows]
    assert posted == [(1, A, 10, True), (1, C, 10, True), (3, B, 1, True), (3, D, 1, True)]
    assert entry.fact.rows[0].tiebreaks == {"strength_of_schedule": "1/1", "extended_strength_of_schedule": "10/1"}
    draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    [(position, kept)] = draft.record.postings
    assert (position, kept) == (entry.position, entry.fact)


def test_posting_needs_a_finished_round(play: Play, refused: Refused) -> None:
    assert (
        refused(play(FOUR), deciding(opening.PostStandings))
        == "no round is finished: there are no standings to post"
    )


# -- ties


def test_every_tie_is_drawn_and_the_seed_is_recorded(play: Play) -> None:
    draft = play(PLAYED)
    entries = draft.decide(deciding(ties.DrawTies))
    facts = [entry.fact for entry in entries]
    assert all(isinstance(fact, TieResolved) and fact.seed is not None for fact in facts)
    assert [set(fact.players) for fact in facts if isinstance(fact, TieResolved)] == [{A, C}, {B, D}]
    assert standings(draft.record).ties == []
    assert standings(draft.record).order == [player for fact in facts for player in fact.players]  # type: ignore[union-attr]


def test_without_a_tie_no_draw_is_possible(play: Play, refused: Refused) -> None:
    draft = play(PLAYED + "draw A C\ndraw B D\n")
    assert refused(draft, deciding(ties.DrawTies)) == "no players are tied after round 1"


def test_a_tie_can_be_ordered_by_hand(play: Play) -> None:
    draft = play(PLAYED)
    [entry] = draft.decide(partial(ties.order_tie, players=[C, A]))
    assert entry.fact == TieResolved(round=1, players=(C, A), method="random")
    assert standings(draft.record).order[:2] == [C, A]


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        ([A, B], "A, B are not tied after round 1"),
        ([A, A], "A, A are not tied after round 1"),
        ([A], "C is tied too: order all tied players"),
    ],
)
def test_an_order_must_include_the_whole_tie(play: Play, refused: Refused, players: list[int], reason: str) -> None:
    assert refused(play(PLAYED), partial(ties.order_tie, players=players)) == reason


def test_rock_paper_scissors_is_played_by_the_players_and_not_drawn(play: Play, refused: Refused) -> None:
    """SWR-TB."""
    draft = play("rulebook street-warriors-2004\nplayers A B C D\nround 1\n  A > B\n  C > D\n")
    assert refused(draft, deciding(ties.DrawTies)) == (
        "A, C play rock-paper-scissors: record the order of that game (SWR-TB)"
    )
    [entry] = draft.decide(partial(ties.order_tie, players=[C, A]))
    assert entry.fact.method == "rock-paper-scissors"  # type: ignore[union-attr] # a tie


# -- the cut


def test_the_best_active_players_advance(play: Play) -> None:
    draft = play(PLAYED + "draw A C\ndraw D B\ndrop C\n")
    [entry] = draft.decide(partial(cuts.make_cut, size=3, deviating=True))
    assert entry.fact == CutMade(round=1, seeds=(A, D, B))


@pytest.mark.parametrize(
    ("sheet", "size", "reason"),
    [
        (FOUR, 2, "no Swiss round is paired: a cut follows from the standings after one"),
        (PLAYED, 1, "a cut of 1 is not possible: there are 4 active players"),
        (PLAYED, 5, "a cut of 5 is not possible: there are 4 active players: make a smaller cut"),
        (PLAYED + "drop A\n", 4, "a cut of 4 is not possible: there are 3 active players: make a smaller cut"),
        (PLAYED, 2, "A, C are tied, and the top 2 depends on their order (draw every tie)"),
        (
            PLAYED + "draw A C\n",
            3,
            "B, D are tied, and the top 3 depends on their order (draw every tie)",
        ),
        (PLAYED + "draw A C\ncut 2\n", 2, "the cut has been made: retract entry 11 to make another"),
    ],
)
def test_a_cut_is_refused_while_its_players_are_not_certain(
    play: Play, refused: Refused, sheet: str, size: int, reason: str
) -> None:
    assert refused(play(sheet), partial(cuts.make_cut, size=size, deviating=True)) == reason


def test_a_tie_below_the_cut_has_no_effect(play: Play) -> None:
    draft = play(PLAYED + "draw A C\n")
    [entry] = draft.decide(partial(cuts.make_cut, size=2, deviating=True))
    assert entry.fact == CutMade(round=1, seeds=(A, C))


def test_a_tie_with_a_player_who_left_has_no_effect(play: Play) -> None:
    draft = play(PLAYED + "drop C\ndraw B D\n")
    [entry] = draft.decide(partial(cuts.make_cut, size=2, deviating=True))
    assert entry.fact == CutMade(round=1, seeds=(A, B))


def test_an_open_table_prevents_the_cut(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert refused(draft, partial(cuts.make_cut, size=2, deviating=True)) == (
        "round 2 is not finished: tables 1, 2 have no result"
    )


def test_a_cut_by_hand_is_recorded_unchanged(play: Play) -> None:
    draft = play(PLAYED)
    [entry] = draft.decide(partial(cuts.make_cut, size=2, seeds=[D, A]))
    assert entry.fact == CutMade(round=1, seeds=(D, A))


# -- closing


def test_closing_reveals_the_secret(play: Play) -> None:
    draft = play(PLAYED)
    [entry] = draft.decide(partial(opening.close, secret=SECRET, deviating=True))
    assert entry.fact == TournamentClosed(round=1, secret=SECRET.hex())


def test_a_tournament_closes_only_with_the_secret_of_its_opening(play: Play, refused: Refused) -> None:
    assert refused(play(PLAYED), partial(opening.close, secret=bytes(32))) == (
        "this secret does not belong to the tournament"
    )


@pytest.mark.parametrize("stage", ["swiss", "elimination"])
def test_a_tournament_can_close_after_every_table_is_reported(play: Play, refused: Refused, stage: str) -> None:
    draft = play(PLAYED + "draw A C\ncut 2\nelimination 1\n  A > C\n" if stage == "elimination" else PLAYED)
    result = next(entry for entry in reversed(draft.entries) if entry.fact.kind == "result-reported")
    draft.decide(partial(slips.retract, entry=result))
    table = 1 if stage == "elimination" else 2
    round_ = "elimination round 1" if stage == "elimination" else "round 1"
    assert refused(draft, partial(opening.close, secret=SECRET)) == (
        f"table {table} of {round_} has no result: give a reason to deviate from it (L5R-IV.2-ANNOUNCE)"
    )
    draft.decide(partial(opening.close, secret=SECRET, deviating=True))
    assert draft.record.closing is not None


def test_a_player_who_drops_after_a_round_is_not_in_the_next_round(play: Play) -> None:
    draft = play(PLAYED)
    draft.decide(partial(roster.drop, player=A))
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert draft.record.round(2).players == {B, C, D}  # type: ignore[union-attr] # it was just paired


# -- every reason


def test_a_test_asserts_every_refusal_of_a_decision() -> None:
    tests = Path(__file__).resolve().parents[1]
    asserted = "\n".join(
        text for path in sorted(tests.rglob("test_*.py")) for text in _texts(ast.parse(path.read_text("utf-8")))
    )
    assert [reason for reason in sorted(set(_reasons())) if reason not in asserted] == []


def _reasons() -> Iterator[str]:
    """Yield the longest fixed part of every sentence in the decisions that this folder tests."""
    for module in (
        decklists,
        divisions,
        opening,
        refusal,
        retraction,
        revival,
        roster,
        rounds,
        slips,
        ties,
        written,
    ):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("sentence", "numbered"):
                yield max(PLACE.split(next(_texts(node.args[0]))), key=len)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
