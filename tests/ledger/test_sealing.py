"""Encryption: personal data are unreadable without the player's key, and cannot be moved."""

from __future__ import annotations

import base64
import os
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.behind import behind

from matchledger.commands import roster
from matchledger.commands import tournaments as opening
from matchledger.commands.draft import now
from matchledger.events import (
    AnyFact,
    DeckAmended,
    DeckChecked,
    DeckDifference,
    DeckFinding,
    DeckList,
    DeckSubmitted,
    Entry,
    ListedCard,
    Person,
    PlayerArrivedLate,
    PlayerRegistered,
)
from matchledger.ledger import Clerk, Ledger, LedgerError, open_ledger, verify
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.location import is_database
from matchledger.ledger.mapper import decode, field_keys
from matchledger.ledger.sealing import PADDED_TO, sealed
from matchledger_projections.rulebook.rulebook import rulebook_text

CARDS = (ListedCard(part="main", name="Secret Weapon", count=3),)
PERSON = Person(name="Zoë Quux", born=1999, contact="zoe@example.org")
SECRETS = ("Zoë", "Quux", "1999", "zoe@example.org", "Secret Weapon", "Hidden Reason")
HASH = "0" * 64
FACTS: list[AnyFact] = [
    PlayerRegistered(number=7, person=PERSON, attributes={"clan": "crane"}),
    PlayerArrivedLate(number=7, person=PERSON, losses=(1, 2)),
    DeckSubmitted(player=7, sha256=HASH, deck=DeckList(cards=CARDS)),
    DeckAmended(player=7, leader="Mo", sha256=HASH, difference=DeckDifference(added=CARDS)),
    DeckChecked(player=7, rule="R", ok=False, sha256=HASH, finding=DeckFinding(text="Hidden Reason")),
]


def entry(fact: AnyFact, *, tournament: UUID | None = None, position: int = 9) -> Entry:
    return Entry(
        tournament=tournament or UUID(int=1),
        position=position,
        recorded_at=now(),
        actor="Mo",
        role="scorekeeper",
        station="desk",
        command="c",
        fact=fact,
    )


def stored(recorded: Entry, ring: KeyRing) -> bytes:
    ring.ensure(recorded.tournament, [7])
    return sealed(recorded, recorded.model_dump_json().encode(), field_keys(ring))


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_encrypted_data_are_unreadable_without_the_key(fact: AnyFact) -> None:
    ring, recorded = KeyRing(), entry(fact)
    state = stored(recorded, ring)
    assert not [secret for secret in SECRETS if secret.encode() in state]
    assert decode(recorded.tournament, 9, fact.kind, state, ring) == recorded


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_without_the_key_a_number_replaces_the_name(fact: AnyFact) -> None:
    recorded = entry(fact)
    read = decode(recorded.tournament, 9, fact.kind, stored(recorded, KeyRing()))
    read_text = read.model_dump_json(
        exclude={"tournament", "recorded_at", "command"}
    )  # chance can write any number there
    assert not [secret for secret in SECRETS if secret in read_text]
    if isinstance(read.fact, PlayerRegistered | PlayerArrivedLate):
        assert read.fact.person == Person(name="Player 7")
        assert read.fact.attributes == getattr(fact, "attributes", None)


def test_an_encrypted_text_opens_only_in_its_own_place() -> None:
    ring, recorded = KeyRing(), entry(FACTS[0])
    state = stored(recorded, ring)
    keys = ring.of(recorded.tournament)
    for position, moved, name in (
        (10, state.replace(b'"position":9', b'"position":10'), "Player 7"),
        (9, state.replace(b'"of":7', b'"of":8'), "Player 8"),
    ):
        again = KeyRing()
        again.put(recorded.tournament, {7: keys[7] or b"", 8: b"8" * 32})
        found = decode(recorded.tournament, position, "player-registered", moved, again).fact
        assert isinstance(found, PlayerRegistered)
        assert found.person.name == name


def test_an_encrypted_text_cannot_move_to_another_tournament() -> None:
    ring, there = KeyRing(), uuid4()
    recorded = entry(FACTS[0])
    state = stored(recorded, ring).replace(str(recorded.tournament).encode(), str(there).encode())
    ring.put(there, {7: ring.key(recorded.tournament, 7) or b""})
    found = decode(there, 9, "player-registered", state, ring).fact
    assert isinstance(found, PlayerRegistered)
    assert found.person.name == "Player 7"


def test_one_person_is_encrypted_differently_each_time() -> None:
    ring = KeyRing()
    assert stored(entry(FACTS[0]), ring) != stored(entry(FACTS[0]), ring)


def test_the_encrypted_text_hides_the_length_of_a_name() -> None:
    ring = KeyRing()
    lengths = {
        len(stored(entry(PlayerRegistered(number=7, person=Person(name="A" * n))), ring)) for n in range(1, 20)
    }
    assert len(lengths) == 1
    assert PADDED_TO == 64


@given(
    name=st.text(min_size=1, max_size=200).filter(lambda name: name.encode("utf-8", "ignore").decode() == name),
    reason=st.none() | st.just('"person":{"of":7,"sealed":"AAAA"}'),
)
def test_any_name_can_be_encrypted_and_decrypted(name: str, reason: str | None) -> None:
    ring = KeyRing()
    recorded = entry(PlayerRegistered(number=7, person=Person(name=name))).model_copy(update={"reason": reason})
    assert decode(recorded.tournament, 9, "player-registered", stored(recorded, ring), ring) == recorded


def registered(place: str | Path, *names: str, in_clear: bool = False) -> UUID:
    """A ledger whose players gave all kinds of data."""
    with open_ledger(place, create=True) as ledger:
        tournament, _ = ledger.begin(
            partial(
                opening.open_tournament,
                name="T",
                law=rulebook_text("l5r-2018"),
                policies={},
                secret=bytes(32),
                sealed=not in_clear,
            ),
            secret=bytes(32),
            clerk=Clerk(),
        )
        for name in names:
            person = Person(name=name, born=1999, contact=f"{name}@example.org")
            ledger.decide(tournament, partial(roster.register, person=person), clerk=Clerk())
    return tournament


def names(place: str | Path) -> list[str]:
    with open_ledger(place) as ledger:
        return [player.name for player in ledger.record(ledger.tournaments()[0]).entered()]


def test_keys_are_only_in_the_key_file_and_names_in_no_file(path: Path, tmp_path: Path) -> None:
    registered(path, "Quuxley", "Zorro")
    ring = Path(f"{path}.keys")
    keys = re.findall(rb"[0-9a-f]{64}", ring.read_bytes())
    assert len(keys) == 2
    assert ring.stat().st_mode & 0o777 == 0o600
    for file in tmp_path.rglob("*"):
        content = file.read_bytes()
        assert not [secret for secret in (b"Quuxley", b"Zorro", b"example.org") if secret in content], file.name
        if file != ring:
            assert not [key for key in keys if bytes.fromhex(key.decode()) in content or key in content], file.name


@pytest.fixture
def ring(place: str, path: Path) -> Path:
    """The key file: next to a ledger file, or for a database the file that MATCHLEDGER_KEYS names."""
    return Path(os.environ["MATCHLEDGER_KEYS"] if is_database(place) else f"{path}.keys")


def test_names_appear_with_the_key_file_and_numbers_without_it(place: str, ring: Path) -> None:
    registered(place, "Ann", "Bo")
    assert names(place) == ["Ann", "Bo"]
    ring.rename(ring.with_name("elsewhere"))
    assert names(place) == ["Player 1", "Player 2"]
    with open_ledger(place) as ledger:
        [tournament] = ledger.tournaments()
        assert verify(ledger, tournament) == []


def test_the_key_ring_can_be_elsewhere(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "stick.keys"))
    registered(path, "Ann")
    assert not Path(f"{path}.keys").exists()
    assert names(path) == ["Ann"]


def test_a_tournament_with_unencrypted_names_needs_no_key_ring(place: str, ring: Path) -> None:
    registered(place, "Ann", in_clear=True)
    assert not ring.exists()
    assert names(place) == ["Ann"]


def test_keys_are_on_the_disk_before_an_entry_needs_them(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = registered(place, "Ann")

    def lost(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with open_ledger(place) as ledger:
        monkeypatch.setattr("matchledger.ledger.keyring._append", lost)
        with pytest.raises(
            LedgerError, match=r"^the keys to personal data cannot be kept in .*No space left on device"
        ):
            ledger.decide(tournament, partial(roster.register, person=Person(name="Bo")), clerk=Clerk())
    assert names(place) == ["Ann"]


def test_two_stations_share_a_key_ring(place: str) -> None:
    tournament = registered(place, "Ann")
    with open_ledger(place) as north, open_ledger(place) as south:
        for ledger, name in ((north, "Bo"), (south, "Cy"), (north, "Di")):
            ledger.decide(tournament, partial(roster.register, person=Person(name=name)), clerk=Clerk())
        everybody = ["Ann", "Bo", "Cy", "Di"]
        assert [player.name for player in north.record(tournament).entered()] == everybody
        assert [player.name for player in south.record(tournament).entered()] == everybody


def test_an_altered_encrypted_text_is_found_by_its_hash(place: str) -> None:
    tournament = registered(place, "Ann")
    with behind(place) as store:
        store.disarm()
        state = store.state(2)
        text = re.search(rb'"sealed":"([^"]+)"', state)
        assert text is not None
        data = bytearray(base64.b64decode(text[1]))
        data[20] ^= 1
        store.set_state(2, state.replace(text[1], base64.b64encode(bytes(data))))
    with open_ledger(place) as ledger:
        assert [str(found) for found in verify(ledger, tournament)] == [
            "entry 2: was altered after it was recorded"
        ]
        assert [player.name for player in ledger.record(tournament).entered()] == ["Player 1"]


@pytest.mark.parametrize("players", [10_000])
def test_ten_thousand_names_are_decrypted_quickly(players: int) -> None:
    """The limit is generous: the test only detects a cost that grows with the square of the number of players."""
    ring, tournament = KeyRing(), UUID(int=1)
    ring.ensure(tournament, range(1, players + 1))
    keys = field_keys(ring)
    rows = []
    for number in range(1, players + 1):
        recorded = entry(PlayerRegistered(number=number, person=Person(name=f"P{number}")), position=number)
        rows.append((number, sealed(recorded, recorded.model_dump_json().encode(), keys)))
    begin = time.perf_counter()
    for number, state in rows:
        decode(tournament, number, "player-registered", state, ring)
    assert time.perf_counter() - begin < 10


def test_every_view_of_the_ledger_works_without_keys(
    place: str, ring: Path, play_everything: Callable[[Ledger], UUID]
) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = play_everything(ledger)
        with_names = [player.number for player in ledger.record(tournament).entered()]
    ring.unlink()
    with open_ledger(place) as ledger:
        assert [player.number for player in ledger.record(tournament).entered()] == with_names
        assert verify(ledger, tournament) == []
