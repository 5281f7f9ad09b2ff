"""The pairing engine, tested with the rulebooks' vectors and with properties of every pairing."""

import random
import string
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from matchledger_projections.pairing.pairings import (
    ByeInLowestGroup,
    ByeTakenFirst,
    Field,
    NoLegalPairing,
    Obstruction,
    PairDown,
    Pairing,
    pair,
    pair_with_fewest_rematches,
)

ORDERS = 150


def number(letter: str) -> int:
    return string.ascii_uppercase.index(letter)


def met(*games: str) -> dict[int, set[int]]:
    """Return the earlier opponents from games such as "AB"."""
    past: dict[int, set[int]] = {}
    for one, other in (map(number, game) for game in games):
        past.setdefault(one, set()).add(other)
        past.setdefault(other, set()).add(one)
    return past


def field(groups: str, *games: str, first: str = "", lowest: str = "", divisions: str = "") -> Field:
    """Return a field from groups such as "ACE BD", games, and who can have the bye: `first` in order, or the
    `lowest` group.
    """
    parts: list[str] = groups.split()
    return Field(
        groups=[[number(letter) for letter in part] for part in parts],
        met=met(*games),
        bye=ByeTakenFirst([number(letter) for letter in first])
        if first
        else ByeInLowestGroup([number(letter) for letter in lowest]),
        divisions=dict(zip(map(number, "".join(parts)), divisions, strict=True)) if divisions else None,
    )


def shuffled(fixed: Field, seed: int) -> Field:
    """Return the field with a new random order in each group, and of the players for the bye."""
    chance = random.Random(seed)  # noqa: S311 -- test data, not secrets
    groups = [chance.sample(group, len(group)) for group in fixed.groups]
    return replace(fixed, groups=groups, seed=seed.to_bytes(4))


def spelled(pairing: Pairing) -> str:
    """Return a pairing as text, such as "AD CE bye B"."""
    letters = string.ascii_uppercase
    tables = sorted("".join(sorted((letters[one], letters[other]))) for one, other in pairing.tables)
    return " ".join([*tables, *([] if pairing.bye is None else [f"bye {letters[pairing.bye]}"])])


def outcomes(fixed: Field) -> set[str]:
    return {spelled(pair(shuffled(fixed, seed))) for seed in range(ORDERS)}


TV_X = ("GB", "CH", "DE", "FA", "FD", "CG", "AH", "BE")
LEGAL_SETS = {
    "TV-SET-L5R-1-R2": (field("AE C B D", "AB", "CD", first="DBAC"), {"AE BC bye D"}),
    "TV-SET-L5R-1-R3": (field("A C E B D", "AB", "CD", "AE", "BC", first="BCA"), {"AC DE bye B"}),
    "TV-SET-L5R-3": (field("A BCD", "AB", "CD", "AC", "BD"), {"AD BC"}),
    "TV-SET-SWR-1": (
        field("ACE BD", "AB", "CD", lowest="ABCD"),
        {"AD CE bye B", "AE BC bye D", "AC DE bye B", "AC BE bye D"},
    ),
    "TV-SET-SWR-2": (field("E AC D B", "AB", "CD", "AC", "BE", lowest="ABC"), {"AD CE bye B"}),
    "TV-SWR-A-R3": (field("E AC D B", "AB", "CD", "AC", "BE", lowest="ABC"), {"AD CE bye B"}),
    "TV-SET-PKM-1": (
        field("ACEG BDH", "AB", "CD", "EF", lowest="ABCDEH"),
        {
            " ".join([*sorted(f"{top} {low}".split()), f"bye {bye}"])
            for top in ("AC EG", "AE CG", "AG CE")
            for low, bye in (("BD", "H"), ("BH", "D"), ("DH", "B"))
        },
    ),
    "TV-SET-PKM-2": (
        field("AG BCDE H", "AB", "CD", "EF", "AC", "EG", "DH", lowest="ACDEH"),
        {"AG BC DE bye H", "AG BD CE bye H"},
    ),
    "TV-SET-ASH-1": (field("AE CD B", "AB", "CD", "AC", "BE", first="BAC"), {"AD CE bye B"}),
    "TV-ASH-A-R3": (field("AE CD B", "AB", "CD", "AC", "BE", first="BAC"), {"AD CE bye B"}),
    "TV-SET-X-1": (field("FC AGBD HE", *TV_X), {"AB CF DG EH", "AG BD CF EH"}),
    "TV-SWR-PASSUP-1": (
        field("RS PQ X", lowest="PQRS"),
        {"QX RS bye P", "PX RS bye Q"},
    ),
    "TV-PKM-MOD-1": (field("AC BD", divisions="MSMS"), {"AB CD"}),
    "TV-PKM-MOD-2": (field("AC BD", "AB", divisions="MSMS"), {"AC BD"}),
    "DV-PKM-MOD": (field("ACE B", divisions="MSSM"), {"AB CE"}),
}


@pytest.mark.parametrize(("fixed", "legal"), LEGAL_SETS.values(), ids=LEGAL_SETS)
def test_every_legal_pairing_occurs_in_some_order_and_no_other_does(fixed: Field, legal: set[str]) -> None:
    assert outcomes(fixed) == legal


@pytest.mark.vector("DV-L5R-PAIR")
def test_one_of_three_players_in_a_group_is_paired_down() -> None:
    """DV-L5R-PAIR."""
    found = {
        (len(pairing.pair_downs), pairing.pair_downs[0].player, pairing.pair_downs[0].opponent)
        for pairing in (pair(shuffled(field("JSL KMN"), seed)) for seed in range(ORDERS))
    }
    assert found == {(1, number(upper), number(lower)) for upper in "JSL" for lower in "KMN"}


def test_the_player_left_over_meets_the_next_group() -> None:
    """The next group is then odd, and its own odd player goes down. No player skips a group."""
    found = {
        tuple(down.opponent for down in pair(shuffled(field("JSL KM P"), seed)).pair_downs)
        for seed in range(ORDERS)
    }
    assert found == {(number("K"), number("P")), (number("M"), number("P"))}


def test_a_player_goes_to_the_next_pile_and_not_to_a_lower_one() -> None:
    """F has met D and E. A may not go down to F, even though B and C could then meet."""
    assert outcomes(field("A BC DE F", "DF", "EF")) == {"AB CF DE", "AC BF DE"}


@pytest.mark.vector("DV-SWR-10")
def test_two_groups_of_five_need_one_pair_down_and_no_bye() -> None:
    """DV-SWR-10."""
    fixed = field("ABCDE FGHIJ", lowest="ABCDEFGHIJ")
    downs = set()
    for seed in range(ORDERS):
        pairing = pair(shuffled(fixed, seed))
        (down,) = pairing.pair_downs
        assert pairing.bye is None
        assert (down.origin, down.destination, down.because) == (0, 1, "odd")
        downs.add(down.player)
    assert downs == set(range(5))


def test_without_earlier_meetings_neighbours_in_the_drawn_order_meet() -> None:
    pairing = pair(field("DABC EF GIH", lowest="GHI"))
    assert spelled(pairing) == "AD BC EF GI bye H"
    assert pairing.tables[0] == (number("D"), number("A"))
    assert pairing.exact == ()


def test_a_player_who_was_paired_down_is_paired_first_and_the_odd_player_is_from_the_group() -> None:
    pairing = pair(field("ABC DE F"))
    assert pairing.tables == ((0, 1), (2, 3), (4, 5))
    assert pairing.pair_downs == (PairDown(2, 3, 0, 1, "odd"), PairDown(4, 5, 1, 2, "odd"))


def test_if_the_host_says_so_any_player_of_the_pile_may_go_down() -> None:
    """POL-SWR-DOUBLE-DOWN = any."""
    fixed = replace(field("A BC D"), any_may_go_down_twice=True)
    assert outcomes(fixed) == {"AB CD", "AC BD", "AD BC"}
    assert outcomes(field("A BC D")) == {"AB CD", "AC BD"}


def test_a_player_who_met_the_whole_next_group_stays() -> None:
    """L5R-IV.2a-PAIRDOWN: the higher group is drawn again."""
    assert outcomes(field("ABC D", "AD", "BD")) == {"AB CD"}


def test_players_of_an_even_group_are_paired_down_if_their_group_has_no_legal_pairing() -> None:
    pairing = pair(field("AE CD", "CD", "AC"))
    assert {down.because for down in pairing.pair_downs} == {"tangled"}
    assert pairing.exact == (0, 1)


def test_the_first_candidate_gets_the_bye_unless_the_others_cannot_be_paired() -> None:
    assert pair(field("ABC", first="CBA")).bye == number("C")
    assert pair(field("ABC", "AB", first="CBA")).bye == number("B")


def test_pairing_reports_that_no_player_may_take_the_bye() -> None:
    with pytest.raises(NoLegalPairing, match="every player has had a bye") as refusal:
        pair(field("ABC"))
    assert refusal.value.obstruction is None


def test_without_a_legal_pairing_the_refusal_has_the_proof() -> None:
    """Three players have all met each other, and a fourth can meet only one of them."""
    with pytest.raises(NoLegalPairing, match="2 or more players stay without an opponent") as refusal:
        pair(field("ABC D", "AB", "AC", "BC"))
    letters = [frozenset({number(letter)}) for letter in "ABC"]
    assert refusal.value.obstruction == Obstruction(frozenset({number("D")}), tuple(letters))
    assert refusal.value.unpaired == 2


def test_an_override_gives_the_fewest_rematches_and_names_them() -> None:
    """POL-ALL-REMATCH-FALLBACK."""
    pairing = pair_with_fewest_rematches(field("ABC D", "AB", "AC", "BC"))
    assert pairing.rematches == ((number("A"), number("B")),)
    assert spelled(pairing) == "AB CD"


def test_an_override_still_prefers_a_legal_pairing() -> None:
    pairing = pair_with_fewest_rematches(field("ABCD", "AB"))
    assert pairing == pair(field("ABCD", "AB"))
    assert pairing.rematches == ()


def test_an_override_does_not_give_a_second_bye() -> None:
    with pytest.raises(NoLegalPairing, match="second one"):
        pair_with_fewest_rematches(field("ABC"))


def test_an_empty_group_is_refused() -> None:
    with pytest.raises(ValueError, match="a score group is empty: leave it out"):
        pair(Field([[1, 2], []], {}, ByeTakenFirst(())))


def test_an_empty_field_has_no_tables() -> None:
    assert pair(Field([], {}, ByeTakenFirst(()))).tables == ()


def test_a_single_player_has_the_bye() -> None:
    assert pair(field("A", first="A")).bye == 0
    assert pair(field("A", lowest="A")).bye == 0


def simulate(
    players: int,
    rounds: int,
    *,
    seed: int = 0,
    draws: float = 0.0,
    drops: float = 0.0,
    twice: bool = False,
    divisions: Mapping[int, str] | None = None,
) -> Iterator[tuple[Field, Pairing]]:
    """Play an event with random results, or with draws only, and check every round."""
    chance = random.Random(seed)  # noqa: S311 -- test data, not secrets
    points = dict.fromkeys(range(players), 0)
    past: dict[int, set[int]] = {player: set() for player in points}
    byes: set[int] = set()
    for _ in range(rounds):
        groups: dict[int, list[int]] = {}
        for player, score in points.items():
            groups.setdefault(score, []).append(player)
        current = Field(
            [chance.sample(group, len(group)) for _, group in sorted(groups.items(), reverse=True)],
            past,
            ByeInLowestGroup(points.keys() - byes),
            divisions and {player: divisions[player] for player in points},
            twice,
        )
        pairing = pair(current)
        check(current, pairing)
        yield current, pairing
        for one, other in pairing.tables:
            past[one].add(other)
            past[other].add(one)
            drawn = chance.random() < draws
            winner = one if chance.random() < 0.5 else other
            for player in (one, other):
                points[player] += 1 if drawn else 3 * (player == winner)
        if pairing.bye is not None:
            byes.add(pairing.bye)
            points[pairing.bye] += 3
        points = {player: score for player, score in points.items() if chance.random() >= drops}


def check(current: Field, pairing: Pairing) -> None:
    """Assert that everybody is paired once, without a rematch, and that the bye is legal."""
    seated = [player for table in pairing.tables for player in table]
    seated += [] if pairing.bye is None else [pairing.bye]
    assert sorted(seated) == sorted(player for group in current.groups for player in group)
    assert all(other not in current.met.get(one, ()) for one, other in pairing.tables)
    assert pairing.rematches == ()
    assert (pairing.bye is not None) == (len(seated) % 2 == 1)
    if pairing.bye is not None:
        bye = current.bye
        assert pairing.bye in (bye.eligible if isinstance(bye, ByeInLowestGroup) else bye.candidates)
    homes = {player: place for place, group in enumerate(current.groups) for player in group}
    uneven = {table for table in pairing.tables if homes[table[0]] != homes[table[1]]}
    assert all(homes[one] <= homes[other] for one, other in pairing.tables)
    assert uneven == {(down.player, down.opponent) for down in pairing.pair_downs}
    assert all(homes[down.player] == down.origin for down in pairing.pair_downs)
    assert all(homes[down.opponent] == down.destination for down in pairing.pair_downs)


HARD: dict[str, dict[str, Any]] = {
    "12x9": {"players": 12, "rounds": 9},
    "11x9": {"players": 11, "rounds": 9},
    "16x12": {"players": 16, "rounds": 12, "draws": 0.15},
    "64x20": {"players": 64, "rounds": 20, "draws": 0.15},
    "63x20": {"players": 63, "rounds": 20},
    "200x30": {"players": 200, "rounds": 30},
    "any-twice": {"players": 63, "rounds": 20, "draws": 0.15, "twice": True},
    "all-draws": {"players": 200, "rounds": 30, "draws": 1.0},
    "all-draws-1000": {"players": 1000, "rounds": 12, "draws": 1.0},
    "many-drops": {"players": 128, "rounds": 12, "draws": 0.1, "drops": 0.1},
    "division-all-met": {
        "players": 32,
        "rounds": 12,
        "divisions": {player: "JSM"[(player > 2) + (player > 9)] for player in range(32)},
    },
}


@pytest.mark.parametrize("event", HARD.values(), ids=HARD)
def test_a_difficult_field_is_paired_to_its_last_round(event: dict[str, Any]) -> None:
    rounds = list(simulate(**event))
    assert len(rounds) == event["rounds"]


def test_a_round_robin_is_found_to_its_last_round() -> None:
    """Six players play five rounds. Some first rounds make the last round impossible, but most do not."""
    finished = 0
    for seed in range(20):
        with suppress(NoLegalPairing):
            finished += len(list(simulate(6, 5, seed=seed, draws=1.0))) == 5
    assert finished


@st.composite
def fields(draw: st.DrawFn) -> Field:
    players = draw(st.permutations(range(draw(st.integers(1, 24)))))
    cuts = sorted(draw(st.sets(st.integers(1, len(players)), max_size=5)) | {0, len(players)})
    groups = [players[start:stop] for start, stop in pairwise(cuts)]
    past: dict[int, set[int]] = {}
    pairs = [(one, other) for one in players for other in players if one < other]
    games = draw(st.lists(st.sampled_from(pairs), max_size=200)) if pairs else []
    for one, other in games:
        past.setdefault(one, set()).add(other)
        past.setdefault(other, set()).add(one)
    eligible = [player for player in players if draw(st.booleans())]
    bye = ByeTakenFirst(eligible) if draw(st.booleans()) else ByeInLowestGroup(eligible)
    divided = draw(st.booleans())
    divisions = {player: draw(st.sampled_from("JSM")) for player in players} if divided else None
    return Field(groups, past, bye, divisions, draw(st.booleans()))


@given(fields())
def test_a_pairing_is_legal_or_the_refusal_has_a_proof(current: Field) -> None:
    try:
        pairing = pair(current)
    except NoLegalPairing as refusal:
        if refusal.obstruction is not None:
            prove(current, refusal)
        return
    check(current, pairing)
    assert pair(current) == pairing


def prove(current: Field, refusal: NoLegalPairing) -> None:
    """Check the proof as anyone could: the islands are odd, separate, and too many."""
    assert refusal.obstruction is not None
    separators, islands = refusal.obstruction.separators, refusal.obstruction.islands
    bye = current.bye
    takers: Collection[int] = bye.eligible if isinstance(bye, ByeInLowestGroup) else bye.candidates
    everybody: set[int | None] = {player for group in current.groups for player in group}
    if len(everybody) % 2:
        everybody.add(None)
    assert len(islands) - len(separators) == refusal.unpaired > 0
    for island in islands:
        assert len(island) % 2 == 1
        for one in island:
            for other in everybody - island - separators:
                if one is None or other is None:
                    assert (other if one is None else one) not in takers
                else:
                    assert other in current.met.get(one, ())
