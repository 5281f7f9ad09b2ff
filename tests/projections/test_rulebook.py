"""Rulebooks: what the shipped files contain, and the one line about a wrong file."""

from __future__ import annotations

import pytest

from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import (
    Rulebook,
    RulebookError,
    parse_rulebook,
    rulebook_text,
    shipped_rulebooks,
)

L5R = rulebook_text("l5r-2018")
KNOWN_READINGS = ", ".join(Readings.model_fields)

# The default of every policy. A default comes from the errata of the rules, else from rules 0.4, else from the
# document.
FLAGS = {
    "l5r-2018": {
        "POL-L5R-ROUNDS-DENOM": "all-rounds",
        "POL-L5R-UNPAIRED-LOSS-TP": "1",
        "POL-L5R-EMPTY-SOS": "0",
        "POL-L5R-NOSHOW": "loss",
        "POL-L5R-BYE": "avoid-rematch",
        "POL-L5R-FINAL-CLOCK": "offsets",
        "POL-L5R-TIER": "relaxed",
        "POL-L5R-SE-PLACING": "seed",
        "POL-ALL-DECKS": "l5r-2018",
        "POL-ALL-DELEGATION": "scorekeeper",
    },
    "street-warriors-2004": {
        "POL-SWR-LT8-ROUNDS": "3",
        "POL-SWR-DOUBLE-DOWN": "last-resort",
        "POL-SWR-CUT-BRACKET": "random",
        "POL-SWR-APPROVED-HOST": "yes",
        "POL-ALL-DECKS": "street-warriors-2004",
        "POL-ALL-DELEGATION": "scorekeeper",
    },
    "pokemon-2009": {
        "POL-PKM-BYE-WP": "removed",
        "POL-PKM-PARTICIPATED": "on-record",
        "POL-PKM-H2H-RESIDUE": "reapplied",
        "POL-PKM-LASTOPP-CYCLE": "draw",
        "POL-PKM-DIVISIONS": "automatic",
        "POL-PKM-FLIGHTS": "apart",
        "POL-PKM-EMPTY-DIV": "ignored",
        "POL-PKM-FLIGHT-EVEN": "even",
        "POL-PKM-LATE-FLIGHT": "random",
        "POL-PKM-NO-DIVISION": "ask",
        "POL-PKM-TARDY": "any",
        "POL-PKM-REDRAW": "refused",
        "POL-PKM-POST": "said",
        "POL-ALL-DELEGATION": "staff",
    },
    "ashes-2022": {
        "POL-ASH-H2H-RESTART": "once",
        "POL-ASH-BYE-AMONG-WEAKEST": "random",
        "POL-ASH-FIRST-BYE": "random",
        "POL-ASH-CHAINED": "on",
        "POL-ALL-DECKS": "ashes-2022",
        "POL-ALL-DELEGATION": "staff",
    },
}
# Policies with the same default in every rulebook.
SHARED = {
    "POL-ALL-REMATCH-FALLBACK": "refuse",
    "POL-ALL-CORRECTION-WINDOW": "until-cut",
    "POL-ALL-REPAIR": "before-start",
    "POL-ALL-SILENT-ROLES": "staff",
}
# The points for a win and a bye (rules 2A).
POINTS = {
    "l5r-2018": ((10, 1), 10),
    "street-warriors-2004": ((3, 0), 3),
    "pokemon-2009": ((1, 0), 1),
    "ashes-2022": ((1, 0), 1),
    "netrunner-2023": ((6, 0), 6),
    "pokemon-tom": ((3, 0), 3),
}
# The points that each result gives to winner and loser, or to both (L5R-IV.3, L5R-IV.4-POINTS, SWR-POINTS,
# PKM-3.1-R1, ASH-PLACE).
ENDS = {
    "l5r-2018": {
        (10, 1): "win judgment concession game-loss no-show",
        (6, 0): "modified-win",
        (10, 0): "modified-loss",
        (1, 1): "double-loss",
    },
    "street-warriors-2004": {
        (3, 0): "win concession game-loss no-show time-tiebreak",
        (1, 1): "draw",
        (0, 0): "double-loss",
    },
    "pokemon-2009": {(1, 0): "win concession game-loss no-show", (0, 0): "double-loss"},
    "ashes-2022": {(1, 0): "win concession game-loss no-show", (0, 0): "double-loss"},
}
CHAINS = {
    "l5r-2018": ["strength_of_schedule", "extended_strength_of_schedule", "random_draw"],
    "street-warriors-2004": [
        "defeated_opponents_points",
        "undefeated_opponents_points",
        "first_loss_or_draw",
        "rock_paper_scissors",
    ],
    "pokemon-2009": [
        "tardiness",
        "opponents_win_percentage",
        "opponents_opponents_win_percentage",
        "head_to_head",
        "standing_of_last_opponent",
        "random_draw",
    ],
    "ashes-2022": ["head_to_head", "opponents_wins", "blood_points", "random_draw"],
}


# -- shipped files


def test_every_rulebook_ships_under_its_own_id() -> None:
    assert set(shipped_rulebooks()) >= set(POINTS)
    for name in shipped_rulebooks():
        assert parse_rulebook(rulebook_text(name)).id == name


@pytest.mark.parametrize("name", POINTS)
def test_a_win_and_a_bye_give_the_points_in_the_rulebook(name: str) -> None:
    rulebook = parse_rulebook(rulebook_text(name))
    win, bye = POINTS[name]
    assert rulebook.points("win", 7, None, (7, 9)) == win
    assert rulebook.points("win", 9, None, (7, 9)) == win[::-1]
    assert rulebook.bye.points == bye


@pytest.mark.parametrize("name", ENDS)
def test_each_result_gives_the_points_in_the_document(name: str) -> None:
    rulebook = parse_rulebook(rulebook_text(name))
    worth = {kind: points for points, kinds in ENDS[name].items() for kind in kinds.split()}
    without_winner = {"draw", "double-loss"}
    assert {
        kind: rulebook.points(kind, None if kind in without_winner else 7, None, (7, 9))
        for kind in rulebook.results
    } == worth


@pytest.mark.parametrize("name", CHAINS)
def test_the_tiebreakers_are_in_the_order_of_the_document(name: str) -> None:
    rulebook = parse_rulebook(rulebook_text(name))
    assert list(rulebook.tiebreaks) == CHAINS[name]
    assert set(rulebook.tiebreak_rules) == set(CHAINS[name]), "every step cites its rule"


@pytest.mark.parametrize("name", FLAGS)
def test_every_policy_has_the_default_of_the_errata_or_the_document(name: str) -> None:
    policies = parse_rulebook(rulebook_text(name)).policies
    assert {flag: policy.default for flag, policy in policies.items()} == FLAGS[name] | SHARED


@pytest.mark.parametrize("name", POINTS)
def test_every_policy_cites_a_rule_and_can_take_each_of_its_values(name: str) -> None:
    rulebook = parse_rulebook(rulebook_text(name))
    for flag, policy in rulebook.policies.items():
        assert policy.rule, flag
        for value in ("0", "1", "7") if policy.takes_numbers else policy.values:
            assert getattr(rulebook.under({flag: value}).readings, policy.reading) == value


def test_choosing_a_policy_copies_the_rulebook_and_changes_one_value() -> None:
    rulebook = parse_rulebook(L5R)
    chosen = rulebook.under({"POL-L5R-NOSHOW": "bye"})
    assert (rulebook.readings.no_show, chosen.readings.no_show) == ("loss", "bye")
    assert chosen.readings.denominator == rulebook.readings.denominator


def test_a_copy_with_another_policy_has_no_cached_values() -> None:
    rulebook = parse_rulebook(L5R)
    assert rulebook.unpaired_loss_points == 1
    assert rulebook.under({"POL-L5R-UNPAIRED-LOSS-TP": "0"}).unpaired_loss_points == 0


def test_a_rulebook_has_draws_if_it_has_a_result_for_them() -> None:
    known = {name for name in POINTS if parse_rulebook(rulebook_text(name)).knows_draws}
    assert known == {"street-warriors-2004", "netrunner-2023", "pokemon-tom"}


# -- a log read under another rulebook


def test_a_kind_of_win_that_the_rulebook_does_not_name_is_a_plain_win() -> None:
    ashes = parse_rulebook(rulebook_text("ashes-2022"))
    assert ashes.points("modified-win", 2, None, (1, 2)) == (0, 1)


def test_without_draws_in_the_rulebook_a_draw_gives_no_points() -> None:
    assert parse_rulebook(L5R).points("draw", None, None, (1, 2)) == (0, 0)


def test_a_written_score_counts_only_under_a_rulebook_with_scores() -> None:
    netrunner = parse_rulebook(rulebook_text("netrunner-2023"))
    assert netrunner.points("score", 1, (4, 1), (1, 2)) == (4, 1)
    assert parse_rulebook(L5R).points("score", 1, (4, 1), (1, 2)) == (10, 1)
    assert parse_rulebook(rulebook_text("street-warriors-2004")).points("score", None, (3, 3), (1, 2)) == (1, 1)


# -- house rulebooks


def test_a_house_rulebook_is_a_copy_with_other_values() -> None:
    house = L5R.replace('id = "l5r-2018"', 'id = "house"').replace(
        "winner = 10, loser = 1", "winner = 5, loser = 2"
    )
    assert parse_rulebook(house).points("win", 1, None, (1, 2)) == (5, 2)


@pytest.mark.parametrize(
    ("wrong", "right", "problem"),
    [
        ('id = "l5r-2018"', 'id = "L5R 2018"', "id: String should match pattern '^[a-z0-9][a-z0-9-]{1,60}$'"),
        ('unit = "TP"', 'unit = "TP"\ncolour = "red"', "colour: Extra inputs are not permitted"),
        ('unit = "TP"', "", "unit: Field required"),
        ('"random_draw"]', '"random_draw", "random_draw"]', "a tiebreaker is named twice"),
        (
            '"random_draw"]',
            '"opponents_win_percentage"]',
            "tiebreaker opponents_win_percentage needs the section [win_percentage]",
        ),
        ('"random_draw"]', '"blood_points"]', "tiebreaker blood_points needs the section [blood_points]"),
        (
            "points = 10",
            'points = "ten"',
            "bye.points: Input should be a valid integer, unable to parse string as an integer",
        ),
        (
            'choice = "lowest-ranked"',
            'choice = "youngest"',
            "bye.choice: Input should be 'lowest-ranked', 'weakest-record' or 'lowest-group'",
        ),
        ("drops = true", "drops = true\nfines = 5", "no_show.fines: Extra inputs are not permitted"),
        (
            "win = { winner = 10, loser = 1,",
            "victory = { winner = 10, loser = 1,",
            "results.win is missing, or does not name winner and loser",
        ),
        (
            "double-loss = { each = 1,",
            "double-loss = { winner = 1,",
            "results.double-loss: a result names winner and loser, or each, or as_written = true",
        ),
        (
            "double-loss = { each = 1,",
            "double-loss = { each = 1, as_written = true,",
            "results.double-loss: a result names winner and loser, or each, or as_written = true",
        ),
        (
            'reading = "denominator"',
            'reading = "denominators"',
            f"policies.POL-L5R-ROUNDS-DENOM: unknown reading 'denominators'; known are {KNOWN_READINGS}",
        ),
    ],
)
def test_the_error_about_an_unusable_rulebook_names_the_key(wrong: str, right: str, problem: str) -> None:
    assert wrong in L5R
    with pytest.raises(RulebookError) as error:
        parse_rulebook(L5R.replace(wrong, right, 1))
    assert str(error.value) == f"the rulebook is not valid: {problem}"


def test_the_error_about_an_unknown_tiebreaker_lists_the_known_ones() -> None:
    with pytest.raises(RulebookError) as error:
        parse_rulebook(L5R.replace('"random_draw"]', '"coin_toss"]'))
    known = [
        "strength_of_schedule",
        "extended_strength_of_schedule",
        "tardiness",
        "opponents_win_percentage",
        "opponents_opponents_win_percentage",
        "head_to_head",
        "standing_of_last_opponent",
        "defeated_opponents_points",
        "undefeated_opponents_points",
        "first_loss_or_draw",
        "opponents_wins",
        "blood_points",
        "random_draw",
    ]
    listed = ", ".join(map(repr, known))
    assert str(error.value).startswith(
        f"the rulebook is not valid: tiebreaks.2: Input should be {listed}, 'rock_paper_scissors'"
    )


def test_the_error_about_a_file_that_is_not_toml_names_the_place() -> None:
    with pytest.raises(RulebookError) as error:
        parse_rulebook('id = "house"\nunit = = "TP"')
    assert str(error.value) == "the rulebook is not valid TOML: Invalid value (at line 2, column 8)"


def test_an_invalid_default_of_a_policy_is_refused_as_the_file_is_read() -> None:
    with pytest.raises(RulebookError) as error:
        parse_rulebook(
            L5R.replace('reading = "no_show", default = "loss"', 'reading = "no_show", default = "maybe"')
        )
    assert str(error.value) == "l5r-2018: no_show: Input should be 'loss' or 'bye'"


def test_the_error_about_an_unknown_rulebook_lists_the_known_ones() -> None:
    with pytest.raises(RulebookError) as error:
        rulebook_text("l5r-2019")
    known = ", ".join(shipped_rulebooks())
    assert str(error.value) == (f"there is no rulebook 'l5r-2019'; there are {known}, or give a .toml file")


def test_a_path_is_not_a_rulebook_id() -> None:
    with pytest.raises(RulebookError, match=r"there is no rulebook '\.\./rulebooks/l5r-2018'"):
        rulebook_text("../rulebooks/l5r-2018")


# -- choices


def _l5r() -> Rulebook:
    return parse_rulebook(L5R)


def test_the_error_about_an_unknown_policy_lists_the_known_ones() -> None:
    with pytest.raises(RulebookError) as error:
        _l5r().under({"POL-L5R-NO-SHOW": "bye"})
    assert str(error.value) == f"l5r-2018 has no policy POL-L5R-NO-SHOW; it has {', '.join(_l5r().policies)}"


def test_the_error_about_an_unknown_value_lists_the_known_ones() -> None:
    with pytest.raises(RulebookError) as error:
        _l5r().under({"POL-L5R-NOSHOW": "win"})
    assert str(error.value) == "POL-L5R-NOSHOW cannot be 'win'; it can be loss, bye"


@pytest.mark.vector("POL-L5R-UNPAIRED-LOSS-TP")
@pytest.mark.parametrize("value", ["", "-1", "1.5", "one", "2", "1000"])
def test_a_policy_gives_a_missed_round_one_point_or_none(value: str) -> None:
    with pytest.raises(RulebookError) as error:
        _l5r().under({"POL-L5R-UNPAIRED-LOSS-TP": value})
    assert str(error.value) == f"POL-L5R-UNPAIRED-LOSS-TP cannot be {value!r}; it can be 0, 1"


@pytest.mark.parametrize(
    ("rulebook", "policy", "most"),
    [("l5r-2018", "POL-L5R-UNPAIRED-LOSS-TP", "999"), ("pokemon-2026", "POL-PTR-DAY-1", "99")],
)
def test_a_number_in_a_policy_has_bounds(rulebook: str, policy: str, most: str) -> None:
    house = parse_rulebook(rulebook_text(rulebook).replace(', without = ["number"]', ""))
    house.under({policy: most})
    for value in ("", "-1", "1.5", "one", f"{most}0"):
        with pytest.raises(RulebookError, match="should match pattern"):
            house.under({policy: value})
