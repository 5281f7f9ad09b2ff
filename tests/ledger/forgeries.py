"""Forgeries: stations sign their entries, but a person with SQL and no key writes rows into the ledger."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from matchledger.commands import access
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.events import PersonErased, Seating, TokenKeyTrusted
from matchledger.ledger import Clerk, Ledger, now, verify
from matchledger.notation.slip import Written
from matchledger.proof import authorship
from matchledger.proof.keys import SigningKey, to_base64
from matchledger.proof.merkle import leaf_hash
from matchledger.proof.station_token import StationToken, issue, read

KEY = SigningKey.generate("organizer")


class Hall(NamedTuple):
    """A match of two players in a ledger where every recording command needs a token."""

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
        """Append a row with its hashes, as a person with SQL can do."""
        position = self.size() + 1
        self.ledger.recorder.insert_events([StoredEvent(self.tournament, position, topic, state)])
        return position

    def winner(self) -> int | None:
        round_ = self.ledger.record(self.tournament).round(1)
        assert round_ is not None
        report = round_.report(1, round_.tables[1])
        return None if report is None else report.slip.winner

    def forged(self, clerk: Clerk, fact: dict[str, Any], **said: Any) -> bytes:
        """Return the bytes of an entry in another person's name, with that person's token id and no signature."""
        head = {
            "tournament": str(self.tournament),
            "position": self.size() + 1,
            "recorded_at": f"{now():%Y-%m-%dT%H:%M:%SZ}",
            "actor": clerk.actor,
            "role": clerk.role,
            "station": clerk.station,
            "command": "forged",
            "reason": None,
            "token": None if clerk.token is None else clerk.token.id,
        }
        return json.dumps({**head, **said, "fact": fact}, separators=(",", ":")).encode()

    def signed(self, state: bytes, token: StationToken, *, back: int = 0) -> bytes:
        """Return the bytes of an entry, signed for the end of this log, or for a place `back` entries before."""
        return authorship.signed(state, token, leaf_hash(*self.row(self.size() - back)))

    def correction(self, winner: int) -> dict[str, Any]:
        """Return a fact in which the other player won the match."""
        found = json.loads(authorship.unsigned(self.row(self.size()).state))["fact"]
        assert found["kind"] == "result-corrected"
        return {**found, "supersedes": self.size(), "slip": {**found["slip"], "winner": winner}}


def token(role: str, *, signer: SigningKey = KEY, **other: object) -> str:
    start = now()
    said = {"role": role, "actor": role.title(), "station": f"{role}'s", "issued": start, "not_before": start}
    return issue(signer, StationToken.model_validate({**said, "expires": start + timedelta(days=1), **other}))


def sit_down(ledger: Ledger, tournament: UUID) -> Hall:
    """Demand tokens, admit an organizer and a scorekeeper, and play a match that is then corrected."""
    trust = partial(access.trust_key, role="organizer", key=str(KEY.verification), demanded=True)
    ledger.decide(tournament, trust, clerk=Clerk("Olga", "organizer"))
    organizer, station = (ledger.admit(tournament, token(role)) for role in ("organizer", "scorekeeper"))
    paired = partial(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2))])
    ledger.decide(tournament, paired, clerk=organizer)
    ledger.decide(tournament, partial(slips.report, table=1, written=Written(winner=1)), clerk=station)
    won = partial(slips.correct, table=1, round_=1, written=Written(winner=0))
    ledger.decide(tournament, won, clerk=organizer, reason="misread")
    return Hall(ledger, tournament, organizer, station)


def without_signature(hall: Hall) -> tuple[str, bytes]:
    return "result-corrected", hall.forged(hall.organizer, hall.correction(2))


def signed_by_another_station(hall: Hall) -> tuple[str, bytes]:
    topic, state = without_signature(hall)
    assert hall.station.token is not None
    return topic, hall.signed(state, hall.station.token)


def with_a_signature_of_another_entry(hall: Hall) -> tuple[str, bytes]:
    topic, state = without_signature(hall)
    return topic, state[:-1] + hall.row(hall.size()).state[-104:]


def with_another_role(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2), role="organizer")
    return "result-corrected", hall.signed(state, hall.station.token)


def said_twice(hall: Hall) -> tuple[str, bytes]:
    """Return an entry with two actors: one reader takes the first, another reader the last."""
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2))
    return "result-corrected", hall.signed(b'%b,"role":"organizer"}' % state[:-1], hall.station.token)


def without_a_token(hall: Hall) -> tuple[str, bytes]:
    return "result-corrected", hall.forged(Clerk("Olga", "organizer"), hall.correction(2))


def with_a_list_of_tokens(hall: Hall) -> tuple[str, bytes]:
    return "result-corrected", hall.forged(hall.organizer, hall.correction(2), token=[])


def admitted_without_certificate(hall: Hall) -> tuple[str, bytes]:
    admitted = next(
        row for row in hall.ledger.recorder.entry_rows(hall.tournament) if row.topic == "token-admitted"
    )
    fact = {**json.loads(authorship.unsigned(admitted.state))["fact"], "token": "0" * 12, "certificate": None}
    return "token-admitted", hall.forged(hall.organizer, fact, token="0" * 12)


def trusts_another_key(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    fact = TokenKeyTrusted(key=str(SigningKey.generate("foe").verification), signed=True).model_dump()
    return "token-key-trusted", hall.signed(hall.forged(hall.station, fact), hall.station.token)


def _admission(certificate_end: str = "", **more: object) -> Callable[[Hall], tuple[str, bytes]]:
    """Return the fact that admits a genuine token of the organizer's key, with some more fields."""

    def forge(hall: Hall) -> tuple[str, bytes]:
        new = read([KEY.verification], token("scorekeeper", actor="Sue", station="Sue's"), now())
        said = new.model_dump(mode="json", include={"actor", "role", "station", "issued", "expires"})
        fact = {
            "kind": "token-admitted",
            "token": new.id,
            **said,
            "certificate": f"{new.certificate}{certificate_end}",
        }
        clerk = Clerk(new.actor, "scorekeeper", new.station, new)
        return "token-admitted", hall.signed(hall.forged(clerk, {**fact, **more}), new)

    return forge


def admitted_with_another_base64(hall: Hall) -> tuple[str, bytes]:
    return _admission("=")(hall)


def admitted_with_more_than_that(hall: Hall) -> tuple[str, bytes]:
    return _admission(note="welcome")(hall)


def under_another_topic(hall: Hall) -> tuple[str, bytes]:
    """Return an entry in the station's own name, under a topic that belongs to another kind of fact."""
    assert hall.station.token is not None
    return "token-admitted", hall.signed(hall.forged(hall.station, hall.correction(2)), hall.station.token)


def erases_a_player(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    erased = hall.forged(hall.station, PersonErased(player=2).model_dump())
    return "person-erased", hall.signed(erased, hall.station.token)


def signed_in_another_copy(hall: Hall) -> tuple[str, bytes]:
    """Return what a station genuinely signed in a copy that went on from an earlier entry."""
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2))
    return "result-corrected", hall.signed(state, hall.station.token, back=1)


def signed_without_a_place(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2))
    return "result-corrected", authorship.signed(state, hall.station.token)


def a_copy(hall: Hall) -> tuple[str, bytes]:
    row = hall.row(hall.size())
    return row.topic, row.state.replace(b'"position":%d,' % row.position, b'"position":%d,' % (row.position + 1))


def a_copy_with_other_base64(hall: Hall) -> tuple[str, bytes]:
    """Return a signature with another letter before the padding. The letter's last four bits decode to nothing."""
    topic, state = a_copy(hall)
    before, letter, end = state[:-5], state[-5:-4], state[-4:]
    assert end == b'=="}'
    return topic, before + chr(ord(letter) + 1).encode() + end


def with_a_line_break(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2)) + b"\n"
    signature = hall.station.token.signature(authorship.signed_text(state))
    assert signature is not None
    return "result-corrected", b'%b,"signature":"%b"}\n' % (state[:-2], to_base64(signature).encode())


def under_an_earlier_command(hall: Hall) -> tuple[str, bytes]:
    assert hall.station.token is not None
    reported = json.loads(authorship.unsigned(hall.row(hall.size() - 1).state))
    state = hall.forged(hall.station, hall.correction(2), command=reported["command"])
    return "result-corrected", hall.signed(state, hall.station.token)


def written_with(pattern: str, text: str) -> Callable[[Hall], tuple[str, bytes]]:
    """Return a correction that its own station signed in a form that no station writes, but that pydantic reads."""

    def forge(hall: Hall) -> tuple[str, bytes]:
        assert hall.station.token is not None
        state = hall.forged(hall.station, hall.correction(2)).decode()
        odd, count = re.subn(pattern, text, state, count=1)
        assert count == 1
        return "result-corrected", hall.signed(odd.encode(), hall.station.token)

    forge.__name__ = text
    return forge


def a_call_by_the_organizer(hall: Hall) -> tuple[str, bytes]:
    fact = {"kind": "desk-called", "round": 1, "table": 1, "players": [1, 2], "by": 1}
    return "desk-called", hall.forged(Clerk("Olga", "organizer"), fact)


def garbage(_: Hall) -> tuple[str, bytes]:
    return "result-corrected", b"{"


def a_call_that_cannot_be_read(_: Hall) -> tuple[str, bytes]:
    """Return an unreadable call to the desk. A call needs no token, so an outsider could stop every command with
    it.
    """
    return "desk-called", b'{"fact":{"kind":"desk-called"}}'


def a_correction_as_a_call(hall: Hall) -> tuple[str, bytes]:
    return "desk-called", hall.forged(Clerk("Olga", "organizer"), hall.correction(2))


def a_basis_without_a_token(hall: Hall) -> tuple[str, bytes]:
    fact = {"kind": "draw-basis-fixed", "registrations": "ab" * 32, "registered": 2}
    return "draw-basis-fixed", hall.forged(Clerk("Olga", "organizer"), fact)


def a_kind_of_tomorrow(hall: Hall) -> tuple[str, bytes]:
    return "crowd-cheered", hall.forged(hall.organizer, {"kind": "crowd-cheered"})


FORGERIES: dict[Callable[[Hall], tuple[str, bytes]], str] = {
    without_signature: "without the signature of its station, as Organizer (organizer, organizer's)",
    signed_by_another_station: "and its station did not sign it, as Organizer (organizer, organizer's)",
    with_a_signature_of_another_entry: "and its station did not sign it",
    with_another_role: "says Scorekeeper (organizer, scorekeeper's), and token",
    said_twice: "cannot be read, and no station signed it",
    without_a_token: "names no token where tokens are demanded, as Olga (organizer, desk)",
    with_a_list_of_tokens: "cannot be read: token",
    admitted_without_certificate: "lets in token 000000000000 without a certificate that a trusted key signed",
    admitted_with_another_base64: "without a certificate that a trusted key signed, as Sue (scorekeeper, Sue's)",
    admitted_with_more_than_that: "cannot be read: fact.token-admitted.note",
    under_another_topic: "rows were moved or renamed",
    trusts_another_key: "decides who comes in, as Scorekeeper (scorekeeper, scorekeeper's)",
    erases_a_player: "is for the organizer alone to record, as Scorekeeper (scorekeeper, scorekeeper's)",
    signed_in_another_copy: "was signed for another place in a log, as Scorekeeper (scorekeeper, scorekeeper's)",
    signed_without_a_place: "was signed for another place in a log",
    a_copy: "repeats an entry of command",
    a_copy_with_other_base64: "without the signature of its station",
    with_a_line_break: "cannot be read",
    under_an_earlier_command: "repeats an entry of command",
    **dict.fromkeys(
        (
            written_with(r'"winner":(\d)', r'"winner":"\1"'),
            written_with(r'"winner":(\d)', r'"winner":\1.0'),
            written_with(r'"winner":(\d)', r'"winner":\1e0'),
            written_with(r'"players":\[(\d),', r'"players":["\1",'),
            written_with(r'"round":1', '"round":true'),
            written_with(r'"table":(\d)', r'"table":" \1 "'),
            written_with(r'"position":(\d+)', r'"position":"\1"'),
            written_with(r'"recorded_at":"([^"]*)Z"', r'"recorded_at":"\1+00:00"'),
            written_with(r'"recorded_at":"([^"]*)T([^"]*)"', r'"recorded_at":"\1 \2"'),
            written_with(r'"recorded_at":"[^"]*"', '"recorded_at":1790000000'),
            written_with(r'"ended":null', '"ended":"64"'),
            written_with(r'"received":null', '"received":64.0'),
            written_with(r'"tournament":"([^"]*)"', r'"tournament":"urn:uuid:\1"'),
            written_with(r'"tournament":"([^"]*)"', r'"tournament":"{\1}"'),
        ),
        "is written in a form that no station writes",
    ),
    a_call_by_the_organizer: "names no token where tokens are demanded, as Olga (organizer, desk)",
    garbage: "cannot be read",
    a_call_that_cannot_be_read: "cannot be read: tournament",
    a_correction_as_a_call: "rows were moved or renamed",
    a_basis_without_a_token: "names no token where tokens are demanded, as Olga (organizer, desk)",
    a_kind_of_tomorrow: "without the signature of its station",
}
