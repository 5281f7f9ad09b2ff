"""The pairing engine, compared with an independent enumeration of all pairings of small fields."""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import pytest

from matchledger_projections.pairing.pairings import (
    ByeInLowestGroup,
    ByeTakenFirst,
    Field,
    NoLegalPairing,
    Pairing,
    pair,
    pair_with_fewest_rematches,
)

Outcome = tuple[int | None, tuple[tuple[int, int], ...]]


def couplings(players: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to couple an even number of players."""
    if not players:
        yield ()
        return
    first, *others = players
    for place, other in enumerate(others):
        for rest in couplings(others[:place] + others[place + 1 :]):
            yield ((first, other), *rest)


def bye_choices(field: Field) -> list[list[int]]:
    """Return the players who may take the bye as sets of equals, the preferred set first."""
    players = [player for group in field.groups for player in group]
    if isinstance(field.bye, ByeTakenFirst):
        return [[player] for player in field.bye.candidates if player in players]
    eligible = field.bye.eligible
    lowest_first = [[player for player in group if player in eligible] for group in reversed(field.groups)]
    if field.divisions is not None:
        return [[player] for group in lowest_first for player in reversed(group)]
    return [group for group in lowest_first if group]


def rematches(field: Field, pairs: Sequence[tuple[int, int]]) -> int:
    return sum(other in field.met.get(one, ()) for one, other in pairs)


def outcomes(field: Field, *, allowed: int = 0) -> list[Outcome]:
    """Return all pairings with a number of rematches, and with the bye in the right place."""
    players = [player for group in field.groups for player in group]
    if len(players) % 2 == 0:
        return [(None, pairs) for pairs in couplings(players) if rematches(field, pairs) == allowed]
    for equals in bye_choices(field):
        found: list[Outcome] = [
            (bye, pairs)
            for bye in equals
            for pairs in couplings([player for player in players if player != bye])
            if rematches(field, pairs) == allowed
        ]
        if found:
            return found
    return []


def worth(field: Field, outcome: Outcome) -> list[list[int]]:
    """Return the counts that decide between two pairings, computed as the docstring of Floats defines them."""
    bye, pairs = outcome
    taken_first = isinstance(field.bye, ByeTakenFirst) or field.divisions is not None
    groups = [[player for player in group if player != bye or not taken_first] for group in field.groups]
    homes = {p: place for place, group in enumerate(filter(None, groups)) for p in group}
    height = len(groups)
    sides = [tuple(sorted((homes[one], homes[other]))) for one, other in pairs]
    if field.any_may_go_down_twice:
        crossing = [sum(upper <= edge < lower for upper, lower in sides) for edge in range(height)]
        return [[across(field, pairs)], crossing]
    inside: list[int] = []
    between: list[int] = []
    for group in range(height):
        for into, crosses in ((inside, False), (between, True)):
            downs = [
                lower - upper
                for (upper, lower), table in zip(sides, pairs, strict=True)
                if upper == group < lower and crosses == bool(across(field, [table]))
            ]
            into += [len(downs), sum(downs)]
    return [[across(field, pairs)], inside, between]


def across(field: Field, pairs: Sequence[tuple[int, int]]) -> int:
    divisions = field.divisions
    return 0 if divisions is None else sum(divisions[one] != divisions[other] for one, other in pairs)


def random_field(chance: random.Random) -> Field:
    """Return up to 8 players in random groups with a random history, for both bye rules, with and without
    divisions.
    """
    players = chance.sample(range(20), chance.randint(1, 8))
    groups: list[list[int]] = [[] for _ in range(chance.randint(1, len(players)))]
    for player in players:
        chance.choice(groups).append(player)
    density = chance.choice((0.0, 0.2, 0.4, 0.6, 0.75))
    met: dict[int, set[int]] = {}
    for one in players:
        for other in players:
            if one < other and chance.random() < density:
                met.setdefault(one, set()).add(other)
                met.setdefault(other, set()).add(one)
    eligible = [player for player in players if chance.random() < 0.6]
    return Field(
        groups=[group for group in groups if group],
        met=met,
        bye=chance.choice((ByeTakenFirst, ByeInLowestGroup))(eligible),
        divisions={player: chance.choice("JSM") for player in players} if chance.random() < 0.4 else None,
        any_may_go_down_twice=chance.random() < 0.3,
    )


def divided_field(chance: random.Random) -> Field:
    """Return eight players in one or two groups. One to three players are juniors, who have met each other; the
    other five or more are masters, enough for a crowd.
    """
    players = chance.sample(range(20), 8)
    juniors = players[: chance.randint(1, 3)]
    height = chance.randint(1, 2)
    groups: list[list[int]] = [[] for _ in range(height)]
    for player in chance.sample(players, 8):
        groups[chance.randrange(height) if player in juniors else chance.choice((0, 0, 0, height - 1))].append(
            player
        )
    met = {player: set(juniors) - {player} for player in juniors}
    for one, other in chance.sample(list(combinations(players, 2)), chance.randint(0, 5)):
        met.setdefault(one, set()).add(other)
        met.setdefault(other, set()).add(one)
    return Field(
        groups=[group for group in groups if group],
        met=met,
        bye=ByeTakenFirst(()),
        divisions={player: "J" if player in juniors else "M" for player in players},
        any_may_go_down_twice=chance.random() < 0.2,
    )


def as_set(outcome: Outcome | Pairing) -> tuple[int | None, frozenset[frozenset[int]]]:
    bye, pairs = (outcome.bye, outcome.tables) if isinstance(outcome, Pairing) else outcome
    return bye, frozenset(map(frozenset, pairs))


@pytest.mark.parametrize("made", [random_field, divided_field])
@pytest.mark.parametrize("seed", range(20))
def test_the_chosen_pairing_is_as_good_as_the_best_of_all_pairings(
    seed: int, made: Callable[[random.Random], Field]
) -> None:
    chance = random.Random(seed)  # noqa: S311 -- test data, not secrets
    for _ in range(150 if made is random_field else 30):
        field = made(chance)
        legal = outcomes(field)
        try:
            pairing = pair(field)
        except NoLegalPairing:
            assert not legal, field
            continue
        assert as_set(pairing) in set(map(as_set, legal)), field
        best = min(worth(field, outcome) for outcome in legal)
        assert worth(field, (pairing.bye, pairing.tables)) == best, field


@pytest.mark.parametrize("made", [random_field, divided_field])
@pytest.mark.parametrize("seed", range(8))
def test_the_engine_chooses_the_optimal_pairing_that_is_first_in_the_order_of_the_draw(
    seed: int, made: Callable[[random.Random], Field]
) -> None:
    """The test applies the rule in `piles` to all optimal pairings, because the engine must choose as the rule
    says.
    """
    chance = random.Random(seed)  # noqa: S311 -- test data, not secrets
    for _ in range(120 if made is random_field else 60):
        field = made(chance)
        if field.any_may_go_down_twice or not (legal := outcomes(field)):
            continue
        best = min(worth(field, outcome) for outcome in legal)
        optimal = {as_set(outcome) for outcome in legal if worth(field, outcome) == best}
        assert as_set(pair(field)) == first_in_reading_order(field, optimal), field


def first_in_reading_order(
    field: Field, optimal: set[tuple[int | None, frozenset[frozenset[int]]]]
) -> tuple[int | None, frozenset[frozenset[int]]]:
    guests: list[int] = []
    for group in field.groups:
        taker = next((p for p in reversed(group) if any(p == bye for bye, _ in optimal)), None)
        if taker is not None:
            optimal = {outcome for outcome in optimal if outcome[0] == taker}
        free = [*guests, *(player for player in group if player != taker)]
        guests = []
        while free:
            player = free.pop(0)
            for other in free:
                completed = {outcome for outcome in optimal if {player, other} in outcome[1]}
                if completed:
                    optimal = completed
                    free.remove(other)
                    break
            else:
                guests.append(player)
    (only,) = optimal
    return only


@pytest.mark.parametrize("seed", range(4))
def test_an_override_has_the_fewest_rematches_in_an_enumeration(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 -- test data, not secrets
    for _ in range(150):
        field = random_field(chance)
        if sum(map(len, field.groups)) % 2 and not bye_choices(field):
            continue
        fewest = next(count for count in range(5) if outcomes(field, allowed=count))
        pairing = pair_with_fewest_rematches(field)
        assert len(pairing.rematches) == fewest == rematches(field, pairing.tables), field
        best = min(worth(field, outcome) for outcome in outcomes(field, allowed=fewest))
        if fewest == 0 or isinstance(field.bye, ByeInLowestGroup):
            assert worth(field, (pairing.bye, pairing.tables)) == best, field
