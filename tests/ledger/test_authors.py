"""Every entry proves its author: stations sign, and SQL alone cannot write in their name."""

from __future__ import annotations

import json
import runpy
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import StoredEvent

from matchledger.commands import access, roster
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands.draft import Draft
from matchledger.events import Person, PersonErased, Seating, TokenAdmitted, TokenKeyTrusted
from matchledger.evidence.erasure import erase
from matchledger.evidence.export import export_lines, read_export, restore
from matchledger.ledger import Clerk, Ledger, now, open_ledger, verify
from matchledger.ledger.authors import Authors
from matchledger.ledger.verification import remarks
from matchledger.notation.slip import Written
from matchledger.proof import authorship
from matchledger.proof.keys import KEY_ID_BYTES, SigningKey, to_base64
from matchledger.proof.station_token import StationToken, issue, read
from matchledger.service.verification import verification

pytestmark = pytest.mark.finding("A-3")

DOCS = Path(__file__).parents[2] / "docs"
RECOMPUTE, VERIFY = (runpy.run_path(str(DOCS / page)) for page in ("recompute_pairings.py", "verify.py"))
KEY = SigningKey.generate("organizer")


class Hall(NamedTuple):
    """A match of two players, where every write needs a token."""

    ledger: Ledger
    tournament: UUID
    organizer: Clerk
    station: Clerk

    def size(self) -> int:
        return self.ledger.head(self.tournament).size

    def row(self, position: int) -> Any:
        return next(self.ledger.recorder.entry_rows(self.tournament, after=position - 1, through=position))

    def found(self) -> list[str]:
        return [str(finding) for finding in verify(self.ledger, self.tournament)]

    def write(self, topic: str, state: bytes) -> int:
        """Append a row with its hashes, as a person with SQL can."""
        position = self.size() + 1
        self.ledger.recorder.insert_events([StoredEvent(self.tournament, position, topic, state)])
        return position

    def winner(self) -> int | None:
        round_ = self.ledger.record(self.tournament).round(1)
        assert round_ is not None
        report = round_.report(1, round_.tables[1])
        return None if report is None else report.slip.winner

    def forged(self, clerk: Clerk, fact: dict[str, Any], **said: Any) -> bytes:
        """The bytes of an entry in another person's name, with that token id and no signature."""
        head = {
            "tournament": str(self.tournament),
            "position": self.size() + 1,
            "recorded_at": now().isoformat(),
            "actor": clerk.actor,
            "role": clerk.role,
            "station": clerk.station,
            "command": "forged",
            "reason": None,
            "token": None if clerk.token is None else clerk.token.id,
        }
        return json.dumps({**head, **said, "fact": fact}, separators=(",", ":")).encode()

    def correction(self, winner: int) -> dict[str, Any]:
        """The fact that another player won the match."""
        found = json.loads(authorship.unsigned(self.row(self.size()).state))["fact"]
        assert found["kind"] == "result-corrected"
        return {**found, "supersedes": self.size(), "slip": {**found["slip"], "winner": winner}}


def token(role: str, *, signer: SigningKey = KEY, **other: object) -> str:
    start = now()
    said = {"role": role, "actor": role.title(), "station": f"{role}'s", "issued": start, "not_before": start}
    return issue(signer, StationToken.model_validate({**said, "expires": start + timedelta(days=1), **other}))


@pytest.fixture
def hall(begin: Callable[..., UUID]) -> Iterator[Hall]:
    with open_ledger(":memory:", create=True) as ledger:
        tournament = begin(ledger, "A", "B", name="T")
        trust = partial(access.trust_key, role="organizer", key=str(KEY.verification), demanded=True)
        ledger.decide(tournament, trust, clerk=Clerk("Olga", "organizer"))
        organizer, station = (ledger.admit(tournament, token(role)) for role in ("organizer", "scorekeeper"))
        paired = partial(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2))])
        ledger.decide(tournament, paired, clerk=organizer)
        ledger.decide(tournament, partial(slips.report, table=1, written=Written(winner=1)), clerk=station)
        won = partial(slips.correct, table=1, round_=1, written=Written(winner=0))
        ledger.decide(tournament, won, clerk=organizer, reason="misread")
        yield Hall(ledger, tournament, organizer, station)


def test_stations_with_keys_sign_their_entries(hall: Hall) -> None:
    assert hall.found() == []
    assert remarks(hall.ledger, hall.tournament) == ["stations signed 5 entries; 0 since then name no token"]
    assert authorship.signature_of(hall.row(hall.size()).state) is not None
    assert authorship.signature_of(hall.row(1).state) is None


def _without_signature(hall: Hall) -> tuple[str, bytes]:
    return "result-corrected", hall.forged(hall.organizer, hall.correction(2))


def _signed_by_another_station(hall: Hall) -> tuple[str, bytes]:
    topic, state = _without_signature(hall)
    assert hall.station.token is not None
    return topic, authorship.signed(state, hall.station.token)


def _with_a_signature_of_another_entry(hall: Hall) -> tuple[str, bytes]:
    topic, state = _without_signature(hall)
    return topic, state[:-1] + hall.row(hall.size()).state[-104:]


def _with_another_role(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2), role="organizer")
    return "result-corrected", authorship.signed(state, hall.station.token)


def _said_twice(hall: Hall) -> tuple[str, bytes]:
    """An entry with two actors: one reader takes the first, another reader the last."""
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2))
    return "result-corrected", authorship.signed(b'%b,"role":"organizer"}' % state[:-1], hall.station.token)


def _without_a_token(hall: Hall) -> tuple[str, bytes]:
    return "result-corrected", hall.forged(Clerk("Olga", "organizer"), hall.correction(2))


def _with_a_list_of_tokens(hall: Hall) -> tuple[str, bytes]:
    return "result-corrected", hall.forged(hall.organizer, hall.correction(2), token=[])


def _admitted_without_certificate(hall: Hall) -> tuple[str, bytes]:
    admitted = next(
        row for row in hall.ledger.recorder.entry_rows(hall.tournament) if row.topic == "token-admitted"
    )
    fact = {**json.loads(authorship.unsigned(admitted.state))["fact"], "token": "0" * 12, "certificate": None}
    return "token-admitted", hall.forged(hall.organizer, fact, token="0" * 12)


def _trusts_another_key(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    fact = TokenKeyTrusted(key=str(SigningKey.generate("foe").verification), signed=True).model_dump()
    return "token-key-trusted", authorship.signed(hall.forged(hall.station, fact), hall.station.token)


def _erases_a_player(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    erased = hall.forged(hall.station, PersonErased(player=2).model_dump())
    return "person-erased", authorship.signed(erased, hall.station.token)


def _a_copy(hall: Hall) -> tuple[str, bytes]:
    row = hall.row(hall.size())
    return row.topic, row.state.replace(b'"position":%d,' % row.position, b'"position":%d,' % (row.position + 1))


def _a_copy_with_other_base64(hall: Hall) -> tuple[str, bytes]:
    """A signature with another letter before the padding, whose last four bits decode to nothing."""
    topic, state = _a_copy(hall)
    before, letter, end = state[:-5], state[-5:-4], state[-4:]
    assert end == b'=="}'
    return topic, before + chr(ord(letter) + 1).encode() + end


def _with_a_line_break(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2)) + b"\n"
    signature = hall.station.token.signature(authorship.signed_text(state))
    assert signature is not None
    return "result-corrected", b'%b,"signature":"%b"}\n' % (state[:-2], to_base64(signature).encode())


def _under_an_earlier_command(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    reported = json.loads(authorship.unsigned(hall.row(hall.size() - 1).state))
    state = hall.forged(hall.station, hall.correction(2), command=reported["command"])
    return "result-corrected", authorship.signed(state, hall.station.token)


def _garbage(_: Hall) -> tuple[str, bytes]:
    return "result-corrected", b"{"


def _a_kind_of_tomorrow(hall: Hall) -> tuple[str, bytes]:
    return "crowd-cheered", hall.forged(hall.organizer, {"kind": "crowd-cheered"})


FORGERIES: dict[Callable[[Hall], tuple[str, bytes]], str] = {
    _without_signature: "without the signature of its station, as Organizer (organizer, organizer's)",
    _signed_by_another_station: "and its station did not sign it, as Organizer (organizer, organizer's)",
    _with_a_signature_of_another_entry: "and its station did not sign it",
    _with_another_role: "says Scorekeeper (organizer, scorekeeper's), and token",
    _said_twice: "cannot be read, and no station signed it",
    _without_a_token: "names no token where tokens are demanded, as Olga (organizer, desk)",
    _with_a_list_of_tokens: "cannot be read: token",
    _admitted_without_certificate: "lets in token 000000000000 without a certificate that a trusted key signed",
    _trusts_another_key: "decides who comes in, as Scorekeeper (scorekeeper, scorekeeper's)",
    _erases_a_player: "is for the organizer alone to record, as Scorekeeper (scorekeeper, scorekeeper's)",
    _a_copy: "repeats an entry of command",
    _a_copy_with_other_base64: "without the signature of its station",
    _with_a_line_break: "cannot be read",
    _under_an_earlier_command: "repeats an entry of command",
    _garbage: "cannot be read",
    _a_kind_of_tomorrow: "without the signature of its station",
}


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.strip("_"))
def test_an_entry_under_a_false_name_never_counts_and_is_reported(
    hall: Hall, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    position = hall.write(*forge(hall))
    assert hall.winner() == 1
    [said] = hall.found()
    assert said.startswith(f"entry {position}: ")
    assert FORGERIES[forge] in said
    hall.ledger.decide(hall.tournament, partial(roster.drop, player=2), clerk=hall.organizer)
    assert hall.ledger.record(hall.tournament).status(2) == "dropped"
    assert [str(one) for one in verify(hall.ledger, hall.tournament)] == [said]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.strip("_"))
def test_the_pages_of_python_leave_the_same_entry_out(
    hall: Hall, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    """An entry that does not count also draws nothing and decides no dispute."""
    position = hall.write(*forge(hall))
    assert _left_out_by_the_pages(hall) == ([position], [position])


def _left_out_by_the_pages(hall: Hall) -> tuple[list[int], list[int]]:
    """The entries that each page leaves out."""
    export = "".join(export_lines(hall.ledger, hall.tournament))
    _, leaves, left_out = RECOMPUTE["entries_of"](export)
    assert len(leaves) == hall.size()
    stations = VERIFY["Stations"]()
    rows = [json.loads(line) for line in export.splitlines()[1:]]
    return left_out, [row["position"] for row in rows if not stations.counts(row["stored"].encode())]


def _signed_by_another_key() -> tuple[StationToken, str]:
    """A token, and a certificate that names the organizer's key."""
    foe = SigningKey.generate("organizer")
    text = token("organizer", signer=foe)
    version, said, seal, _ = text.split(".")
    other = KEY.verification.id + urlsafe_b64decode(f"{seal}==")[KEY_ID_BYTES:]
    certificate = ".".join((version, said, urlsafe_b64encode(other).decode().rstrip("=")))
    return read([foe.verification], text, now()), certificate


def _of_another_tournament() -> tuple[StationToken, str]:
    found = read([KEY.verification], token("organizer", tournament=uuid4()), now())
    assert found.certificate is not None
    return found, found.certificate


@pytest.mark.parametrize("made", [_signed_by_another_key, _of_another_tournament])
def test_a_false_certificate_lets_no_station_in(hall: Hall, made: Callable[[], tuple[StationToken, str]]) -> None:
    """The next entry uses the token of the certificate."""
    false, certificate = made()
    admitted = TokenAdmitted(
        token=false.id,
        **{name: getattr(false, name) for name in ("actor", "role", "station", "issued", "expires")},
        certificate=certificate,
    )
    clerk = Clerk(false.actor, "organizer", false.station, false)
    written = [
        hall.write(fact["kind"], authorship.signed(hall.forged(clerk, fact, command=fact["kind"]), false))
        for fact in (admitted.model_dump(mode="json"), hall.correction(2))
    ]
    assert hall.winner() == 1
    assert _left_out_by_the_pages(hall) == (written, written)


def test_a_forged_entry_is_exported_and_never_counts(hall: Hall) -> None:
    hall.write(*_without_signature(hall))
    said = hall.found()
    lines = "".join(export_lines(hall.ledger, hall.tournament)).encode()
    with open_ledger(":memory:", create=True) as elsewhere:
        restore(elsewhere, read_export(lines))
        there = hall._replace(ledger=elsewhere)
        assert there.winner() == 1
        assert there.found() == said


def test_a_revoked_token_signs_nothing(hall: Hall) -> None:
    """The station still has its secret, and access to the database."""
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2))
    revoke = partial(access.revoke_token, role="organizer", token=hall.station.token.id)
    [entry] = hall.ledger.decide(hall.tournament, revoke, clerk=hall.organizer)
    state = state.replace(b'"position":%d,' % entry.position, b'"position":%d,' % (entry.position + 1))
    position = hall.write("result-corrected", authorship.signed(state, hall.station.token))
    assert f"which entry {entry.position} revoked" in "".join(hall.found())
    assert hall.winner() == 1
    assert _left_out_by_the_pages(hall) == ([position], [position])


def test_an_entry_beyond_its_stations_role_is_reported(hall: Hall) -> None:
    """The station signs in its own name a fact that the rulebook reserves for others.

    A forged entry before it hides neither this finding nor the draws.
    """
    hall.write(*_without_signature(hall))
    [forged] = hall.found()
    player = hall.ledger.admit(hall.tournament, token("player"))
    assert player.token is not None
    [won] = hall.ledger.decide(
        hall.tournament,
        partial(slips.correct, table=1, round_=1, written=Written(winner=1)),
        clerk=hall.organizer,
        reason="misread",
    )
    state = hall.forged(player, hall.correction(1))
    position = hall.write("result-corrected", authorship.signed(state, player.token))
    assert position == won.position + 1
    assert hall.found() == [
        forged,
        f"entry {position}: was recorded by Player at player's: a player may not correct",
    ]
    checked = verification(hall.ledger, hall.tournament, draws=True)
    assert checked.drawn is not None


def test_a_signature_stays_valid_after_a_move_or_an_erasure(hall: Hall) -> None:
    late = partial(roster.arrive_late, person=Person(name="Cy Young"))
    [entry, *_] = hall.ledger.decide(hall.tournament, late, clerk=hall.organizer)
    token, row = hall.organizer.token, hall.row(entry.position)
    signature = authorship.signature_of(row.state)
    assert token is not None
    assert signature is not None
    moved = authorship.unsigned(row.state).replace(b'"position":%d,' % row.position, b'"position":1234,')
    assert token.verifies(authorship.signed_text(moved), signature)
    erase(hall.ledger, hall.tournament, 3, clerk=hall.organizer, reason="asked")
    assert b"Young" not in row.state
    assert hall.found() == []


def test_an_older_log_keeps_its_meaning(begin: Callable[..., UUID]) -> None:
    """A key that was trusted before tokens had keys demands no signature."""
    with open_ledger(":memory:", create=True) as ledger:
        tournament = begin(ledger, "A", "B", name="T")
        trust = TokenKeyTrusted(key=str(KEY.verification), demanded=True)
        ledger.decide(tournament, lambda _: [trust], clerk=Clerk("Olga", "organizer"))
        hall = Hall(ledger, tournament, Clerk("Olga", "organizer"), Clerk())
        dropped = {"kind": "player-dropped", "player": 2, "after_round": 0}
        hall.write("player-dropped", hall.forged(hall.organizer, dropped, token="0" * 12))
        assert ledger.record(tournament).status(2) == "dropped"
        assert hall.found() == []
        assert remarks(ledger, tournament) == []


def test_the_stations_of_a_cached_record_are_those_of_the_log(hall: Hall) -> None:
    """A reader that starts from a cache finds the same forgery."""
    record = hall.ledger.record(hall.tournament)
    behind = Authors(hall.tournament, record)
    assert hall.station.token is not None
    before_any_key = json.loads(hall.row(1).state)["command"]
    state = hall.forged(hall.station, hall.correction(1), command=before_any_key)
    hall.write("result-corrected", authorship.signed(state, hall.station.token))
    assert behind.counts(hall.row(hall.size()))
    assert hall.found() == []
    hall.write(*_a_copy(hall))
    assert not behind.counts(hall.row(hall.size()))
    hall.write(*_without_signature_of_last(hall))
    assert not behind.counts(hall.row(hall.size()))
    hall.ledger.decide(hall.tournament, partial(roster.drop, player=2), clerk=hall.organizer)
    assert behind.counts(hall.row(hall.size()))


def _without_signature_of_last(hall: Hall) -> tuple[str, bytes]:
    return "player-dropped", hall.forged(hall.organizer, {"kind": "player-dropped", "player": 1, "after_round": 0})


def test_a_draft_in_a_stations_name_is_signed(hall: Hall) -> None:
    draft = Draft(hall.tournament, hall.ledger.record_as_of(hall.tournament, hall.size()), hall.station)
    draft.decide(partial(roster.drop, player=2))
    hall.ledger.keep(draft)
    assert hall.found() == []
