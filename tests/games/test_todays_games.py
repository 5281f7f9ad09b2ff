"""The rulebooks of today's games. An independent computation, from a one-line description of each game, checks
every rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchledger.commands import roster
from matchledger.commands.refusal import Refusal
from matchledger.formats.text import FormatError
from matchledger.notation.outcomes import outcome_help, outcome_keys
from matchledger.service.importing import Transcription
from matchledger.text.columns import standings_columns
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import TiebreakName, parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.rulebook.scoring import unit_of
from matchledger_projections.rulebook.sources import open_points, policies_of
from matchledger_projections.stages.placing import places
from matchledger_projections.standings.column import Column
from matchledger_projections.standings.standings import standings
from matchledger_projections.standings.tiebreakers import TIEBREAKERS
from matchledger_projections.views.catalogue import grade_line, source_grade
from matchledger_projections.views.explanation import explain

Replay = Callable[[str], Transcription]
Games = tuple[int, int, int]


@dataclass
class Player:
    """What an independent scorer notes about one player.

    A bye has None as opponent. A player who `left` plays no further rounds.

    For a late player, the lists begin after the `missed` rounds.
    """

    opponents: list[int | None] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    games: list[Games] = field(default_factory=list)
    lost: list[bool] = field(default_factory=list)
    left: bool = False
    missed: int = 0


@dataclass(frozen=True)
class Event:
    """A random event: its sheet and the scorer's notes."""

    sheet: str
    players: Mapping[int, Player]
    rounds: int


@dataclass(frozen=True)
class Scoring:
    """The points for a win and a draw, and the possible scores of a match."""

    win: int
    draw: int | None
    scores: tuple[Games, ...]
    plain: Games


_BEST_OF_3 = ((2, 0, 0), (2, 1, 0), (2, 1, 1), (1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1), (0, 0, 3), (0, 0, 0))
_WON_ONLY = ((2, 0, 0), (2, 1, 0), (0, 0, 0))
_ONE = ((1, 0, 0), (0, 0, 1), (0, 0, 0))
_NONE = ((1, 0, 0), (0, 0, 1))
SCORING = {
    "magic-mtr": Scoring(3, 1, _BEST_OF_3, (2, 0, 0)),
    "magic-melee": Scoring(3, 1, _BEST_OF_3, (2, 0, 0)),
    "star-wars-unlimited": Scoring(3, 1, _BEST_OF_3, (2, 0, 0)),
    "lorcana": Scoring(3, 1, _BEST_OF_3, (2, 0, 0)),
    "pokemon-2026": Scoring(3, 1, _BEST_OF_3, (2, 0, 0)),
    "yu-gi-oh": Scoring(3, None, _WON_ONLY, (2, 0, 0)),
    "flesh-and-blood": Scoring(1, 0, _ONE, (1, 0, 0)),
    "one-piece": Scoring(3, None, ((1, 0, 0), (0, 0, 0)), (1, 0, 0)),
    "netrunner-aesops": Scoring(3, 1, _NONE, (1, 0, 0)),
}


def _event(rulebook: str, seed: int, size: int, rounds: int) -> Event:
    """Return an event whose pairings ignore points, so that the rules meet unusual cases."""
    chance, scoring = Random(seed), SCORING[rulebook]  # noqa: S311 - a test event, not a secret
    players = {number: Player() for number in range(1, size + 1)}
    sheet = [f"rulebook {rulebook}", "players " + " ".join(f"P{number}" for number in players)]
    for round_ in range(1, rounds + 1):
        order = [number for number in chance.sample(sorted(players), len(players)) if not players[number].left]
        sheet.append(f"round {round_}")
        for first, second in zip(order[::2], order[1::2], strict=False):
            games = chance.choice(scoring.scores)
            sheet.append(_line(rulebook, first, second, games) + " rematch" * (second in players[first].opponents))
            _note(players, scoring, (first, second), games)
        if len(order) % 2:
            sheet.append(f"  P{order[-1]} bye")
            bye = players[order[-1]]
            bye.opponents.append(None)
            bye.points.append(scoring.win)
            bye.games.append(scoring.plain)
            bye.lost.append(False)
        if round_ < rounds and len(order) > 3 and chance.random() < 0.4:
            sheet.append(f"drop P{order[0]}")
            players[order[0]].left = True
        if round_ < rounds and chance.random() < 0.3:
            late = len(players) + 1
            sheet.append(f"late P{late} {round_}")
            players[late] = Player(missed=round_)
    if len(order) > 2:
        sheet += [f"cut 2 P{order[1]} P{order[2]}", "elimination 1", f"  P{order[2]} > P{order[1]}"]
    return Event("\n".join(sheet) + "\n", players, rounds)


def _line(rulebook: str, first: int, second: int, games: Games) -> str:
    written = "" if rulebook == "netrunner-aesops" else " " + "-".join(map(str, games))
    return f"  P{first} {'>' if games[0] > games[1] else '='} P{second}{written}"


def _note(players: Mapping[int, Player], scoring: Scoring, two: tuple[int, int], games: Games) -> None:
    won, level = games[0] > games[1], sum(games) > 0
    for number, other, seen in (
        (two[0], two[1], games),
        (two[1], two[0], (games[1], games[0], games[2])),
    ):
        player, wins = players[number], won and number == two[0]
        player.opponents.append(other)
        player.points.append(scoring.win if wins else (scoring.draw or 0) if not won and level else 0)
        player.games.append(seen)
        player.lost.append(not wins and (won or not level))


Numbers = dict[int, Fraction]


def _mean(event: Event, base: Numbers, empty: Fraction = Fraction()) -> Numbers:
    found = {}
    for number, player in event.players.items():
        met = [base[other] for other in player.opponents if other]
        found[number] = sum(met, Fraction()) / len(met) if met else empty
    return found


def _points_share(event: Event, floor: Fraction) -> Numbers:
    return {
        number: max(floor, Fraction(sum(player.points), 3 * len(player.points)))
        for number, player in event.players.items()
    }


def _game_share(event: Event, floor: Fraction) -> Numbers:
    found = {}
    for number, player in event.players.items():
        points = sum(3 * won + drawn for won, _, drawn in player.games)
        games = sum(map(sum, player.games))
        found[number] = max(floor, Fraction(points, 3 * games)) if games else floor
    return found


def _tenths(numbers: Numbers) -> Numbers:
    return {number: Fraction(round(value * 1000), 1000) for number, value in numbers.items()}


def _with_games(event: Event, floor: Fraction) -> list[Numbers]:
    games = _game_share(event, floor)
    return [_mean(event, _points_share(event, floor), floor), games, _mean(event, games, floor)]


def _pokemon(event: Event) -> list[Numbers]:
    own = {}
    for number, player in event.players.items():
        played = [points for points, other in zip(player.points, player.opponents, strict=True) if other]
        won = sum((Fraction(1) if points == 3 else Fraction(points, 2) for points in played), Fraction())
        matches = len(played) + player.missed  # a missed round counts as lost
        quotient = won / matches if matches else Fraction()
        own[number] = max(Fraction(1, 4), min(quotient, Fraction(3, 4)) if player.left else quotient)
    opponents = _mean(event, own)
    return [opponents, _mean(event, opponents)]


def _two_means(event: Event, floor: Fraction) -> list[Numbers]:
    opponents = _mean(event, _points_share(event, floor), floor)
    return [_tenths(opponents), _tenths(_mean(event, opponents, floor))]


def _yugioh(event: Event) -> list[Numbers]:
    squares = {
        number: Fraction(sum(round_**2 for round_, lost in enumerate(player.lost, player.missed + 1) if lost))
        for number, player in event.players.items()
    }
    return [*_two_means(event, Fraction()), squares]


def _flesh_and_blood(event: Event) -> list[Numbers]:
    cumulative, losses = {}, {}
    for number, player in event.players.items():
        total, ctb = 0, Fraction()
        played = [0] * player.missed + player.points
        for points in [*played, *([0] * (event.rounds - len(played)))]:
            total += points
            ctb = ctb / 4 + total
        cumulative[number] = ctb
        matches = sum(other is not None for other in player.opponents)
        losses[number] = Fraction(sum(player.lost), matches) if matches else Fraction()
    return [cumulative, losses, _mean(event, losses), _mean(event, cumulative)]


def _aesop(event: Event) -> list[Numbers]:
    def schedule(base: Numbers) -> Numbers:
        sums = {
            number: sum((base[other] for other in player.opponents if other), Fraction())
            / (len(player.opponents) or 1)
            for number, player in event.players.items()
        }
        return {number: Fraction(round(value * 1000), 1000) for number, value in sums.items()}

    average = {
        number: Fraction(sum(player.points), len(player.points) or 1) for number, player in event.players.items()
    }
    first = schedule(average)
    return [first, schedule(first)]


SECOND: dict[str, Callable[[Event], list[Numbers]]] = {
    "magic-mtr": lambda event: _with_games(event, Fraction(33, 100)),
    "magic-melee": lambda event: _with_games(event, Fraction(1, 3)),
    "star-wars-unlimited": lambda event: _with_games(event, Fraction(1, 3)),
    "lorcana": lambda event: _with_games(event, Fraction(33, 100)),
    "pokemon-2026": _pokemon,
    "yu-gi-oh": _yugioh,
    "flesh-and-blood": _flesh_and_blood,
    "one-piece": lambda event: _two_means(event, Fraction(1, 3)),
    "netrunner-aesops": _aesop,
}
LOWER = {"match_loss_percentage", "opponents_match_loss_percentage"}


@pytest.mark.parametrize("rulebook", SECOND)
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32), size=st.integers(2, 9), rounds=st.integers(1, 6))
def test_standings_match_an_independent_computation(
    replay: Replay, rulebook: str, seed: int, size: int, rounds: int
) -> None:
    event = _event(rulebook, seed, size, rounds)
    record = replay(event.sheet).draft.record
    table, law = standings(record, rounds), record.rulebook
    expected = SECOND[rulebook](event)
    names = [name for name in law.tiebreaks if TIEBREAKERS[name].hangs_on in ("results", "slips")]
    numeric = [name for name in names if name != "head_to_head"]
    assert {row.player: row.points for row in table.rows} == {
        number: sum(player.points) for number, player in event.players.items()
    }
    for name, numbers in zip(numeric, expected, strict=True):
        assert {row.player: row.tiebreaks[name] for row in table.rows} == numbers, name

    def key(player: int) -> tuple[Fraction, ...]:
        signs = [1 if name in LOWER else -1 for name in numeric]
        return (
            Fraction(-sum(event.players[player].points)),
            Fraction(event.players[player].missed > 0 if law.readings.late_arrivals == "behind" else 0),
            *(sign * numbers[player] for sign, numbers in zip(signs, expected, strict=True)),
        )

    keys = [key(player) for player in table.order]
    assert keys == sorted(keys)


def test_every_tiebreaker_is_declared_once_and_named_in_the_rulebooks() -> None:
    assert set(TIEBREAKERS) == set(get_args(TiebreakName))
    for tiebreaker in TIEBREAKERS.values():
        assert tiebreaker.heading
        assert tiebreaker.phrase


# -- single sentences of the documents


def _row(record: Record, name: str) -> Mapping[TiebreakName, Fraction]:
    return next(row for row in standings(record).rows if record.players[row.player].name == name).tiebreaks


def test_in_the_example_of_appendix_c_three_wins_two_losses_and_a_bye_are_nine_of_fifteen(replay: Replay) -> None:
    sheet = (
        "rulebook magic-mtr\nplayers A B C D E\n"
        "round 1\n  A bye\n  B > C\n  D > E\nround 2\n  A > B\n  C > D\n  E bye\nround 3\n  A > C\n  B > E\n"
        "round 4\n  D > A\n  B > C rematch\nround 5\n  E > A\n  C > B rematch\n"
    )
    record = replay(sheet).draft.record
    ignored = record.rulebook.under({"POL-MTR-BYE-MW": "ignored"})
    assert [standings(record, 5, law).numbers.match_win_percentage.value(1) for law in (None, ignored)] == [
        Fraction(9, 15),
        Fraction(6, 12),
    ]


def test_a_bye_is_two_won_games_for_the_player_and_nothing_for_opponents(replay: Replay) -> None:
    record = replay("rulebook magic-melee\nplayers A B C\nround 1\n  B > C 2-1\n  A bye\n").draft.record
    assert _row(record, "A") == {
        "opponents_match_win_percentage": Fraction(1, 3),
        "game_win_percentage": Fraction(1),
        "opponents_game_win_percentage": Fraction(1, 3),
    }
    assert _row(record, "C")["opponents_game_win_percentage"] == Fraction(2, 3)


def test_a_policy_removes_the_floor_of_the_own_game_win_percentage(replay: Replay) -> None:
    sheet = "rulebook magic-melee\n{}players A B\nround 1\n  A > B 2-0\n"
    floored = replay(sheet.format("")).draft.record
    bare = replay(sheet.format("option POL-MELEE-OWN-GW=bare\n")).draft.record
    assert _row(floored, "B")["game_win_percentage"] == Fraction(1, 3)
    assert _row(bare, "B")["game_win_percentage"] == 0
    assert _row(bare, "A")["opponents_game_win_percentage"] == Fraction(1, 3)


def test_a_policy_can_remove_the_cap_for_players_who_leave_after_day_1(replay: Replay) -> None:
    sheet = (
        "rulebook pokemon-2026\n{}players A B C D\nround 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\n"
        "drop A\nround 3\n  B > C\n  D bye\n"
    )
    capped = replay(sheet.format("")).draft.record
    uncapped = replay(sheet.format("option POL-PTR-DAY-1=2\n")).draft.record
    assert [standings(record).numbers.win_percentage.value(1) for record in (capped, uncapped)] == [
        Fraction(3, 4),
        Fraction(1),
    ]


@pytest.mark.parametrize("name", [name for name in shipped_rulebooks() if name in SECOND])
def test_every_value_names_a_graded_source(name: str) -> None:
    law = parse_rulebook(rulebook_text(name))
    assert law.grade is not None
    rules = {kind.rule for kind in law.results.values()} | set(law.tiebreak_rules.values())
    rules |= {law.bye.rule, law.no_show.rule, law.clock.rule} | {policy.rule for policy in law.policies.values()}
    parts = (law.games, law.match_win_percentage, law.game_win_percentage, law.decks)
    rules |= {part.rule for part in parts if part}
    if law.conduct.penalties:
        assert law.conduct.penalties_rule is not None
        rules.add(law.conduct.penalties_rule)
    assert rules - {"POLICY"} <= set(law.sources)
    assert set(law.sources) <= rules | {mark.rule for mark in law.clock.marks} | _structures(name)


@pytest.mark.parametrize("name", [name for name in shipped_rulebooks() if name in SECOND])
def test_every_open_point_has_a_policy_in_the_rulebook(name: str) -> None:
    law = parse_rulebook(rulebook_text(name))
    for id_, source in law.sources.items():
        if source.certainty == "open":
            assert policies_of(law, id_), id_
            named = ", ".join(policies_of(law, id_))
            number = "points: policies" if "," in named else "point: policy"
            assert source_grade(law, id_) == f"open {number} {named}"
    assert all(flag in grade_line(law) for flag in open_points(law))


def test_a_policy_freezes_the_cumulative_tiebreaker_of_a_player_who_left(replay: Replay) -> None:
    sheet = (
        "rulebook flesh-and-blood\n{}players A B C D\nround 1\n  A > B\n  C > D\ndrop A\n"
        "round 2\n  C > B\n  D bye\n"
    )
    moving = replay(sheet.format("")).draft.record
    frozen = replay(sheet.format("option POL-FAB-LEFT-CTB=frozen\n")).draft.record
    assert [_row(record, "A")["cumulative_tiebreak"] for record in (moving, frozen)] == [Fraction(5, 4), 1]
    assert [_row(record, "B")["opponents_cumulative_tiebreak"] for record in (moving, frozen)] == [
        (Fraction(5, 4) + Fraction(9, 4)) / 2,
        (1 + Fraction(9, 4)) / 2,
    ]
    for record in (moving, frozen):
        assert explain(record, standings(record), record.rulebook, 1).tiebreaks


OTHER_DOCUMENTS = tuple(name for name in shipped_rulebooks() if not name.startswith(("l5r", "ashes")))


@pytest.mark.parametrize("rulebook", OTHER_DOCUMENTS)
def test_refusals_and_explanations_cite_rules_of_their_own_game_only(replay: Replay, rulebook: str) -> None:
    """A message about a return, a late player or a missed round cites a rule of the event's own game or none."""
    sheet = f"rulebook {rulebook}\nplayers A B C D\nround 1\n  A > B\n  C > D\n"
    said = []
    for player, after in ((2, "disqualify B\n"), (4, "drop D\ndraw A C\ncut 2\n")):
        with pytest.raises(Refusal) as refused:
            replay(sheet + after).draft.decide(partial(roster.rejoin, player=player))
        said.append(str(refused.value))
    assert said == [
        "B is disqualified and cannot come back",
        "the stage that D left is over: no player rejoins after the cut",
    ]
    record = replay(f"{sheet}drop D\nlate E 1\nround 2\n  A > C\n  B > E\nrejoin D\n").draft.record
    own = record.rulebook.permission_rule("accept-late")
    for player, rule in ((4, None), (5, own)):
        [missed] = [
            line
            for line in explain(record, standings(record), record.rulebook, player).rounds
            if line.outcome == "absence"
        ]
        assert missed.rule == (rule or "POLICY")


def test_the_explanation_of_a_missed_round_cites_no_rule_of_another_game(replay: Replay) -> None:
    record = replay("rulebook one-piece\nplayers A B\nround 1\n  A > B\nlate C 1\n").draft.record
    missed = explain(record, standings(record), record.rulebook, 3).rounds[0]
    assert (missed.outcome, missed.rule) == ("absence", "POLICY")


@pytest.mark.parametrize(
    ("rulebook", "decimals"), [("one-piece", 1), ("yu-gi-oh", 1), ("netrunner-aesops", 3), ("magic-mtr", 2)]
)
def test_a_tiebreaker_shows_its_rounded_decimals(replay: Replay, rulebook: str, decimals: int) -> None:
    """A number that the rulebook rounds has no trailing zeros."""
    sheet = f"rulebook {rulebook}\nplayers A B C\nround 1\n  A > B\n  C bye\nround 2\n  A > C\n  B bye\n"
    record = replay(sheet).draft.record
    table, law = standings(record), record.rulebook
    shown = standings_columns(record, law, law.tiebreaks[:2])[3:5]
    for row in table.rows:
        assert all(re.fullmatch(rf"\d+\.\d{{{decimals}}}", column.cell(row)) for column in shown)


def test_one_point_is_singular_and_two_are_plural(replay: Replay) -> None:
    assert [unit_of(count, "points") for count in (0, 1, 2)] == ["points", "point", "points"]
    assert [unit_of(1, unit) for unit in ("wins", "TP")] == ["win", "TP"]
    record = replay("rulebook magic-mtr\nplayers A B\nround 1\n  A = B 1-1-1\nclose\n").draft.record
    assert {place.why for place in places(record)} == {"place 1 of the Swiss rounds, 1 point"}


def test_half_of_a_tenth_is_rounded_to_even_or_up_by_policy() -> None:
    column = Column([5, 15, 25], 10_000)
    assert column.rounded(3).numerators == [0, 2, 2]
    assert column.rounded(3, half_up=True).numerators == [1, 2, 3]
    law = parse_rulebook(rulebook_text("one-piece")).under({"POL-OP-DECIMALS": "half-up"})
    assert law.decimals("opponents_match_win_percentage") == 3


def test_a_policy_drops_an_absent_player(replay: Replay) -> None:
    sheet = "rulebook lorcana\n{}players A B C D\nround 1\n  A > B no-show\n  C > D\n"
    kept = replay(sheet.format("")).draft.record
    dropped = replay(sheet.format("option POL-LOR-NO-SHOW=drops\n")).draft.record
    assert [record.status(2) for record in (kept, dropped)] == ["active", "dropped"]


@pytest.mark.parametrize("name", ["lorcana", "star-wars-unlimited", "one-piece", "pokemon-2026"])
def test_a_rulebook_says_that_it_has_no_table_of_rounds_and_cuts(name: str) -> None:
    law = parse_rulebook(rulebook_text(name))
    assert law.structures is None
    assert any(re.search("no table of rounds|announces the rounds", source.says) for source in law.sources.values())


def _structures(name: str) -> set[str]:
    structures = parse_rulebook(rulebook_text(name)).structures
    return set() if structures is None else {table.rule for table in structures.tables.values()}


def test_an_unfinished_match_that_both_players_lose_is_no_win(replay: Replay) -> None:
    """Konami counts an unfinished match as a double loss, so 1-0 of three games is not a win."""
    sheet = "rulebook yu-gi-oh\nplayers A B\nround 1\n  A > B {}\n"
    with pytest.raises(FormatError, match="1-0 is not finished: write 1-0 unfinished, or 1-0 concession"):
        replay(sheet.format("1-0"))
    for typed in ("concession 1-0", "2-1", "1-0 as-found"):
        assert replay(sheet.format(typed)).draft.record.rounds()[0].outstanding == ()
    law = parse_rulebook(rulebook_text("yu-gi-oh"))
    assert [key.outcome for key in outcome_keys(law)] == ["2-0", "0-2", "2-1", "1-2", "double-loss"]
    magic = parse_rulebook(rulebook_text("magic-mtr"))
    assert "1-0" in [key.outcome for key in outcome_keys(magic)]
    assert "2-1 (games)" in outcome_help(magic)
    assert "1-0 (games)" in outcome_help(parse_rulebook(rulebook_text("one-piece")))


def test_a_round_that_a_late_player_missed_is_not_lost_in_the_loss_percentage(replay: Replay) -> None:
    sheet = (
        "rulebook flesh-and-blood\nplayers A B C D\nround 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\n"
        "late E 2\nround 3\n  A > E\n  C > B\n  D bye\nround 4\n  E > B\n  A > D\n  C bye\n"
    )
    assert _row(replay(sheet).draft.record, "E")["match_loss_percentage"] == Fraction(1, 2)


def test_in_yugioh_a_round_that_a_late_player_missed_counts_in_both_tiebreakers_or_in_neither(
    replay: Replay,
) -> None:
    sheet = (
        "rulebook yu-gi-oh\n{}players A B C D\nround 1\n  A > B\n  C > D\nlate E 1\n"
        "round 2\n  A > E\n  B > C\n  D bye\nround 3\n  E > B\n  A > D\n  C bye\n"
    )
    numbers = {}
    for reading in ("no", "yes"):
        record = replay(sheet.format(f"option POL-YGO-MISSED={reading}\n")).draft.record
        late, opponent = _row(record, "E"), _row(record, "B")
        numbers[reading] = late["lost_round_squares"], opponent["opponents_match_win_percentage"]
        told = explain(record, standings(record), record.rulebook, 5)
        squares = next(found for found in told.tiebreaks if found.name == "lost_round_squares")
        assert any(f"(POL-YGO-MISSED={reading})" in note for note in squares.notes)
    # B's opponents are A, C and E: A won 3 of 3 matches, C won 2 of 3. E won 1 of 2 matches, or 1 of 3 if the
    # missed round counts.
    assert numbers == {"no": (Fraction(4), Fraction(722, 1000)), "yes": (Fraction(5), Fraction(667, 1000))}
