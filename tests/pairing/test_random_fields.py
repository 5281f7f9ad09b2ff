"""Random small fields: the engine is compared with docs/recompute_pairings.py, and its shortcut with the full
search.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Collection, Mapping
from types import ModuleType

import pytest
from msgspec.structs import replace

from matchledger_projections.pairing import divisions as reading
from matchledger_projections.pairing.field import ByeInLowestGroup, ByeTakenFirst, Field, NoLegalPairing, Pairing
from matchledger_projections.pairing.pairings import pair, pair_with_fewest_rematches
from matchledger_projections.record.opponents import Encounters, nobody_met


@pytest.fixture(scope="module")
def page() -> ModuleType:
    """docs/recompute_pairings.py, which shares no code with the engine."""
    spec = importlib.util.spec_from_file_location("recompute_pairings", "docs/recompute_pairings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def field(chance: random.Random, *, divided: bool, twice: bool = False, even: bool = False) -> Field:
    """Return up to twelve players in up to four groups, with any history and any right to the bye."""
    size = chance.choice([4, 6, 8, 10, 12]) if even else chance.randint(2, 12)
    groups: list[list[int]] = [[] for _ in range(chance.randint(1, 4))]
    for player in chance.sample(range(1, size + 1), size):
        chance.choice(groups).append(player)
    met: dict[int, set[int]] = {player: set() for player in range(1, size + 1)}
    for _ in range(chance.randint(0, size * 3 // 2)):
        one, other = chance.sample(range(1, size + 1), 2)
        met[one].add(other)
        met[other].add(one)
    entitled = [player for player in chance.sample(range(1, size + 1), size) if chance.random() < 0.7]
    bye = ByeInLowestGroup(entitled) if chance.random() < 0.5 else ByeTakenFirst(entitled)
    return Field(
        [group for group in groups if group],
        met,
        bye,
        divisions={player: chance.choice("JSM") for player in met} if divided else None,
        any_may_go_down_twice=twice,
        seed=chance.randbytes(32),
    )


def by_round(met: Mapping[int, Collection[int]]) -> Encounters:
    """Return the same history by rounds, with one encounter in each."""
    size = max(met) + 1
    rounds = []
    for one, other in {(min(two), max(two)) for player in met for two in ((player, past) for past in met[player])}:
        rounds.append(nobody_met(size))
        rounds[-1][one], rounds[-1][other] = other, one
    return Encounters(size, rounds)


def paired_on_the_page(page: ModuleType, found: Field, *, rematches: bool) -> object:
    """Return the tables and the bye that docs/recompute_pairings.py finds for a field, or None if it finds none."""
    on_page = page.Field(found.groups, found.met, found.divisions, found.any_may_go_down_twice, found.seed)
    taken_first = isinstance(found.bye, ByeTakenFirst)
    if isinstance(found.bye, ByeTakenFirst):
        classes = [list(found.bye.candidates)]
    else:
        eligible = set(found.bye.eligible)
        classes = [[player for player in group if player in eligible] for group in reversed(found.groups)]
    classes = [equals for equals in classes if equals]
    pairs, bye = page.paired(on_page, classes, taken_first, rematches=False)
    if pairs is None and rematches:
        pairs, bye = page.paired(on_page, classes, taken_first, rematches=True)
    return None if pairs is None else (page.tables_of(on_page, pairs), bye)


@pytest.mark.parametrize("divided", [False, True])
@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize("rematches", [False, True])
def test_the_independent_program_pairs_every_field_as_the_engine_does(
    page: ModuleType, *, divided: bool, twice: bool, rematches: bool
) -> None:
    if divided and twice:
        pytest.skip("no rulebook has both")
    chance = random.Random(f"{divided} {twice} {rematches}")  # noqa: S311 - made-up fields
    engine = pair_with_fewest_rematches if rematches else pair
    for _ in range(250):
        found = field(chance, divided=divided, twice=twice)
        try:
            pairing = engine(found)
            expected: object = ([tuple(table) for table in pairing.tables], pairing.bye)
        except NoLegalPairing:
            expected = None
        assert paired_on_the_page(page, found, rematches=rematches) == expected


def test_two_odd_divisions_are_paired_as_an_exact_matching_pairs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(2)  # noqa: S311 - made-up fields
    short_cuts = 0
    for _ in range(600):
        found = field(chance, divided=True, even=True)
        with monkeypatch.context() as patch:
            patch.setattr(reading, "_read_two", lambda *_: None)
            expected = paired_or_none(found)
        assert paired_or_none(found) == expected
        short_cuts += expected is not None and not paired_exactly(found)
    assert short_cuts > 100


def paired_or_none(found: Field) -> object:
    try:
        pairing = pair(found)
    except NoLegalPairing:
        return None
    downs = [(down.player, down.opponent, down.origin, down.destination) for down in pairing.pair_downs]
    return pairing.tables, pairing.bye, downs


def paired_exactly(found: Field) -> bool:
    pairing: Pairing = pair(found)
    return bool(pairing.exact)


@pytest.mark.parametrize("divided", [False, True])
@pytest.mark.parametrize("twice", [False, True])
def test_earlier_meetings_stored_by_round_give_the_same_pairing(*, divided: bool, twice: bool) -> None:
    chance = random.Random(f"{divided} {twice}")  # noqa: S311 - made-up fields
    paired = 0
    for _ in range(400):
        found = field(chance, divided=divided, twice=twice)
        kept_by_round = replace(found, met=by_round(found.met))
        try:
            pairing = pair(found)
        except NoLegalPairing:
            with pytest.raises(NoLegalPairing):
                pair(kept_by_round)
            continue
        assert pair(kept_by_round) == pairing
        paired += 1
    assert paired > 200
