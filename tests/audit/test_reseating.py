"""Reseating: the fewest moves that make a round valid. The tests compare the result with every possible pairing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.audit.random_events import chance_of, play

from matchledger_projections.pairing import reseating
from matchledger_projections.pairing.lineup import Lineup
from matchledger_projections.pairing.posted_pools import posted_pools
from matchledger_projections.pairing.reseating import NoReseating, reseat
from matchledger_projections.pairing.soundness import Seats, best_seats, is_sound
from matchledger_projections.rulebook.rulebook import shipped_rulebooks

T = TypeVar("T")


def pairings(players: Sequence[T]) -> Iterator[tuple[tuple[T, T], ...]]:
    if not players:
        yield ()
        return
    first, *others = players
    for index, other in enumerate(others):
        for rest in pairings(others[:index] + others[index + 1 :]):
            yield ((first, other), *rest)


def all_seats(players: Sequence[int]) -> Iterator[Seats]:
    if len(players) % 2 == 0:
        yield from map(Seats, pairings(players))
        return
    for bye in players:
        yield from (Seats(pairs, bye) for pairs in pairings([player for player in players if player != bye]))


def sound_by_definition(lineup: Lineup, everything: Sequence[Seats]) -> list[Seats]:
    """Return every valid pairing out of all pairings: legal, with the bye in the first class possible, and with
    the fewest players paired down.
    """
    legal = [seats for seats in everything if not any(other in lineup.met[one] for one, other in seats.pairs)]
    if legal and legal[0].bye is not None:
        bearers = {seats.bye for seats in legal}
        equals = next((equals for equals in lineup.byes if bearers & set(equals)), ())
        legal = [seats for seats in legal if seats.bye in equals]
    if not lineup.bye_first:
        return fewest_floats(lineup, legal)
    by_bye = {seats.bye: [other for other in legal if other.bye == seats.bye] for seats in legal}
    return [seats for group in by_bye.values() for seats in fewest_floats(lineup, group)]


def fewest_floats(lineup: Lineup, legal: Sequence[Seats]) -> list[Seats]:
    best = min((floats(lineup, seats) for seats in legal), default=[])
    return [seats for seats in legal if floats(lineup, seats) == best]


def floats(lineup: Lineup, seats: Seats) -> list[int]:
    # A group that has only the player with the bye does not exist in the pairing.
    groups = [group for group in lineup.groups if not (lineup.bye_first and group == (seats.bye,))]
    place = {player: place for place, group in enumerate(groups) for player in group}
    crossing = [sorted((place[one], place[other])) for one, other in seats.pairs]
    levels = range(len(lineup.groups))
    division = lineup.divisions or dict.fromkeys(place, "")
    outside = [division[one] != division[other] for one, other in seats.pairs]
    if lineup.any_may_go_down_twice:
        return [sum(outside), *(sum(upper <= level < lower for upper, lower in crossing) for level in levels)]
    sides = zip(crossing, outside, strict=True)
    downs = [(upper, lower - upper, apart) for (upper, lower), apart in sides if upper < lower]
    return [sum(outside)] + [
        count
        for side in (False, True)
        for level in levels
        for down in [[distance for upper, distance, apart in downs if (upper, apart) == (level, side)]]
        for count in (len(down), sum(down) - len(down))
    ]


@st.composite
def lineups(draw: st.DrawFn) -> Lineup:
    players = list(range(1, draw(st.integers(4, 8)) + 1))
    chance = chance_of(draw(st.integers(0, 2**32)))
    chance.shuffle(players)
    groups = split(players, chance)
    met: dict[int, set[int]] = {player: set() for player in players}
    for _ in range(chance.randint(0, 2 * len(players))):
        one, other = chance.sample(players, 2)
        met[one].add(other)
        met[other].add(one)
    eligible = [player for player in players if chance.random() < 0.7]
    divisions = {player: chance.choice("JSM") for player in players} if chance.random() < 0.5 else None
    bye_first = divisions is not None or chance.random() < 0.5
    from_below = [tuple(player for player in group if player in eligible) for group in reversed(groups)]
    byes = split(eligible, chance) if bye_first else [equals for equals in from_below if equals]
    history = {player: frozenset(past) for player, past in met.items()}
    return Lineup(2, tuple(groups), history, tuple(byes), bye_first, chance.random() < 0.3, divisions)


def split(players: Sequence[int], chance: Random) -> list[tuple[int, ...]]:
    parts = []
    while players:
        size = chance.randint(1, len(players))
        parts.append(tuple(players[:size]))
        players = players[size:]
    return parts


def same(one: Seats, other: Seats) -> bool:
    return one.bye == other.bye and set(map(frozenset, one.pairs)) == set(map(frozenset, other.pairs))


def test_nobody_counts_as_paired_down_from_a_group_that_the_bye_empties() -> None:
    """Player 5 is alone in a group and gets the bye. If the program counted this empty group as paired down, it
    would choose another pairing.
    """
    meetings = "1-2 1-3 1-4 1-6 1-8 2-4 2-9 2-10 3-5 3-8 3-10 3-11 4-5 4-8 5-10 5-11 6-7 6-8 7-9 7-10"
    meetings += " 8-9 8-10 8-11 9-10"
    met: dict[int, set[int]] = {player: set() for player in range(1, 12)}
    for one, other in (map(int, meeting.split("-")) for meeting in meetings.split()):
        met[one].add(other)
        met[other].add(one)
    groups = ((1, 2), (3, 4), (5,), (6, 7, 8), (9, 10), (11,))
    history = {player: frozenset(others) for player, others in met.items()}
    lineup = Lineup(2, groups, history, ((5,),), bye_first=True, any_may_go_down_twice=False)
    paired = best_seats(lineup, 5)
    assert paired == Seats(((1, 7), (2, 8), (3, 4), (6, 9), (10, 11)), 5)
    assert is_sound(lineup, paired)
    assert reseat(lineup, paired).moved == frozenset()


@settings(max_examples=250)
@given(lineup=lineups(), pick=st.integers(0, 2**32))
def test_no_valid_pairing_moves_fewer_players_than_the_reseating(lineup: Lineup, pick: int) -> None:
    everything = list(all_seats(sorted(lineup.players)))
    posted = everything[pick % len(everything)]
    sound = sound_by_definition(lineup, everything)
    assert [seats for seats in everything if is_sound(lineup, seats)] == sound
    if not sound:
        with pytest.raises(NoReseating):
            reseat(lineup, posted)
        return
    found = reseat(lineup, posted)
    assert any(same(found.seats, seats) for seats in sound)
    assert len(found.moved) == min(len(seats.moved_from(posted)) for seats in sound)
    assert found.is_proven


@settings(max_examples=250)
@given(lineup=lineups(), pick=st.integers(0, 2**32))
def test_in_a_large_field_an_unproven_minimum_is_never_claimed(lineup: Lineup, pick: int) -> None:
    everything = list(all_seats(sorted(lineup.players)))
    posted = everything[pick % len(everything)]
    sound = sound_by_definition(lineup, everything)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reseating, "EXACT", 4)
        try:
            found = reseat(lineup, posted)
        except NoReseating:
            return
    assert any(same(found.seats, seats) for seats in sound)
    fewest = min(len(seats.moved_from(posted)) for seats in sound)
    assert found.at_least <= fewest <= len(found.moved)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(4, 13),
    number_of_rounds=st.integers(1, 5),
    rulebook=st.sampled_from(shipped_rulebooks()),
    divisions=st.sampled_from(["", "JM", "JSM"]),
)
def test_every_drawn_pairing_is_valid(
    seed: int, players: int, number_of_rounds: int, rulebook: str, divisions: str
) -> None:
    event = play(seed, rulebook, players, number_of_rounds, calm=True, divisions=divisions)
    for round_ in event.record.rounds():
        assert all(pool.is_sound for pool in posted_pools(event.record, round_)), round_.number


@pytest.mark.vector("TV-PKM-REPAIR")
def test_a_repair_is_minimal_among_all_pairings() -> None:
    """In the vector, two pairings are legal: one moves four players, the other six."""
    posted = Seats(((1, 2), (3, 6), (4, 5), (7, 8)))
    records = {"A": 1, "B": 2, "C": 2, "D": 1, "E": 1, "F": 1, "G": 0, "H": 0}
    met = {frozenset(two) for two in ("AE", "BF", "CG", "DH", "AC", "BD", "EG", "FH")}
    legal = {}
    for pairs in pairings(list("ABCDEFGH")):
        if not any(frozenset(two) in met or records[two[0]] != records[two[1]] for two in pairs):
            seats = Seats(tuple(("ABCDEFGH".index(one) + 1, "ABCDEFGH".index(other) + 1) for one, other in pairs))
            legal["-".join("".join(two) for two in pairs)] = len(seats.moved_from(posted))
    assert legal == {"AD-BC-EF-GH": 6, "AF-BC-DE-GH": 4}


def test_the_bye_goes_to_the_player_who_causes_the_fewest_moves() -> None:
    """Player 5 had a bye before, so 3 or 6 gets it. Players 4 and 5 have met, so a bye for 3 also breaks up the
    table 6-7.
    """
    lineup = Lineup(
        round=2,
        groups=((1, 2), (3, 4, 5, 6, 7)),
        met={player: frozenset({4: {5}, 5: {4}}.get(player, ())) for player in range(1, 8)},
        byes=((3, 6),),
        bye_first=True,
        any_may_go_down_twice=False,
        divisions={player: "junior" if player < 3 else "masters" for player in range(1, 8)},
    )
    reseated = reseat(lineup, Seats(((1, 2), (3, 4), (6, 7)), 5))
    assert (reseated.seats.bye, reseated.moved) == (6, frozenset({5, 6, 7}))


def test_a_player_who_gets_or_loses_the_bye_counts_as_moved() -> None:
    """Two possible reseatings change three tables each. The program takes the reseating that keeps the bye, because
    it moves fewer players.
    """
    met = {1: {3, 5, 6}, 2: {3}, 3: {1, 2, 6, 7}, 4: {7}, 5: {1, 6}, 6: {1, 3, 5}, 7: {3, 4}}
    lineup = Lineup(
        round=2,
        groups=((2, 1), (6, 7, 4, 5, 3)),
        met={player: frozenset(past) for player, past in met.items()},
        byes=((6, 7, 4, 5), (2, 1)),
        bye_first=False,
        any_may_go_down_twice=False,
    )
    found = reseat(lineup, Seats(((1, 4), (2, 5), (3, 6)), bye=7))
    assert found.seats.bye == 7
    assert len(found.moved) == 6
