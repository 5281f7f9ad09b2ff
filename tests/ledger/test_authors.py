"""Every entry proves its author: stations sign, and SQL alone cannot write in their name."""

from __future__ import annotations

import json
import runpy
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.event import deciding
from tests.ledger.forgeries import FORGERIES, KEY, Hall, a_copy, sit_down, token, without_signature

from matchledger.commands import access, roster, tournaments
from matchledger.commands import results as slips
from matchledger.commands.draft import Draft
from matchledger.events import KINDS, CopiedEntry, CopyMerged, Person, TokenAdmitted, TokenKeyTrusted
from matchledger.evidence.erasure import erase
from matchledger.evidence.export import export_lines, read_export, restore
from matchledger.ledger import Clerk, now, open_ledger, sign_checkpoint, verify
from matchledger.ledger.authors import Authors
from matchledger.ledger.recorder import EntryRow
from matchledger.ledger.tree import Tree
from matchledger.ledger.verification import remarks
from matchledger.notation.slip import Written
from matchledger.proof import authorship
from matchledger.proof.checkpoint import origin_of
from matchledger.proof.keys import KEY_ID_BYTES, SigningKey
from matchledger.proof.station_token import StationToken, read
from matchledger.service.verification import verification

pytestmark = pytest.mark.finding("A-3")

DOCS = Path(__file__).parents[2] / "docs"
RECOMPUTE, VERIFY = (runpy.run_path(str(DOCS / page)) for page in ("recompute_pairings.py", "verify.py"))


@pytest.fixture
def hall(begin: Callable[..., UUID]) -> Iterator[Hall]:
    with open_ledger(":memory:", create=True) as ledger:
        yield sit_down(ledger, begin(ledger, "A", "B", name="T"))


def test_stations_with_keys_sign_their_entries(hall: Hall) -> None:
    assert hall.found() == []
    assert remarks(hall.ledger, hall.tournament) == ["stations signed 5 entries; 0 since then name no token"]
    assert authorship.signature_of(hall.row(hall.size()).state) is not None
    assert authorship.signature_of(hall.row(1).state) is None


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_an_entry_under_a_false_name_is_reported_and_never_counts(
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


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_the_python_programs_in_the_docs_leave_out_the_same_entry(
    hall: Hall, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    """docs/recompute_pairings.py and docs/verify.py ignore an entry that does not count."""
    position = hall.write(*forge(hall))
    assert _left_out_by_the_pages(hall) == ([position], [position])


def _left_out_by_the_pages(hall: Hall) -> tuple[list[int], list[int]]:
    """Return the entries that docs/recompute_pairings.py leaves out, and those that docs/verify.py leaves out."""
    export = "".join(export_lines(hall.ledger, hall.tournament))
    _, leaves, left_out = RECOMPUTE["entries_of"](export)
    assert len(leaves) == hall.size()
    stations = VERIFY["Stations"]()
    rows = [json.loads(line) for line in export.splitlines()[1:]]
    pairs = zip(rows, [b"", *leaves.values()], strict=False)
    return left_out, [
        row["position"] for row, leaf in pairs if not stations.counts(row["topic"], row["stored"].encode(), leaf)
    ]


@pytest.mark.parametrize("page", [RECOMPUTE, VERIFY], ids=["recompute_pairings.py", "verify.py"])
def test_the_python_programs_in_the_docs_know_which_values_are_numbers_flags_and_times(
    page: dict[str, Any],
) -> None:
    found = {"integer": {"position"}, "boolean": set[str](), "string": {"recorded_at"}, "map": set[str]()}
    for kind in KINDS.values():
        schema = kind.model_json_schema()
        _name_values(schema, schema.get("$defs", {}), "", found)
    either = found["integer"] & found["string"]
    assert either == {"ended", "received"}
    # An event's prizes are a text, and `sealed` is also the name of an encrypted text.
    assert set(page["NUMBERS"].split()) == found["integer"] - either - {"prizes"}
    assert set(page["FLAGS"].split()) == found["boolean"] - {"sealed"}
    [times] = [names for names, form in page["FORMS"] if form == page["TIME"]]
    assert set(times.split()) == found["string"] - either
    assert set(page["MAPS"].split()) == found["map"] & found["integer"]
    assert set(page["TEXTS"].split()) == found["map"] - found["integer"] - {"policies"}


def _name_values(schema: dict[str, Any], parts: dict[str, Any], name: str, found: dict[str, set[str]]) -> None:
    """Note the name of each number, flag, time and map in the JSON schema of a fact."""
    schema = parts[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if schema.get("type") in found and (schema["type"] != "string" or schema.get("format", "").startswith("date")):
        found[schema["type"]].add(name)
    if isinstance(schema.get("additionalProperties"), dict):
        found["map"].add(name)
    inside = [*schema.get("anyOf", ()), *schema.get("prefixItems", ()), schema.get("items")]
    for one in [*inside, schema.get("additionalProperties")]:
        if isinstance(one, dict):
            _name_values(one, parts, name, found)
    for member, one in schema.get("properties", {}).items():
        _name_values(one, parts, member, found)


def _signed_by_another_key() -> tuple[StationToken, str]:
    """Return a token, and a certificate that names the organizer's key but is signed by another."""
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


def _of_a_reader() -> tuple[StationToken, str]:
    found = read([KEY.verification], token("read-only"), now())
    assert found.certificate is not None
    return found, found.certificate


@pytest.mark.parametrize("made", [_signed_by_another_key, _of_another_tournament, _of_a_reader])
def test_a_false_certificate_admits_no_station(hall: Hall, made: Callable[[], tuple[StationToken, str]]) -> None:
    """The entry after the certificate uses its token."""
    false, certificate = made()
    admitted = TokenAdmitted(
        token=false.id,
        **{name: getattr(false, name) for name in ("actor", "role", "station", "issued", "expires")},
        certificate=certificate,
    )
    clerk = Clerk(false.actor, "organizer", false.station, false)
    written = [
        hall.write(
            fact["kind"], hall.signed(hall.forged(clerk, fact, command=fact["kind"], role=false.role), false)
        )
        for fact in (admitted.model_dump(mode="json"), hall.correction(2))
    ]
    assert hall.winner() == 1
    assert _left_out_by_the_pages(hall) == (written, written)


@pytest.mark.parametrize("name", ["issued", "expires"])
def test_an_admission_whose_times_differ_from_its_certificate_admits_no_station(hall: Hall, name: str) -> None:
    """The log would show another time for the token than the organizer signed."""
    late = read([KEY.verification], token("scorekeeper"), now())
    times = {"issued": late.issued, "expires": late.expires, name: late.expires + timedelta(days=9)}
    admitted = TokenAdmitted(
        token=late.id,
        actor=late.actor,
        role="scorekeeper",
        station=late.station,
        certificate=late.certificate,
        **times,
    )
    clerk = Clerk(late.actor, "scorekeeper", late.station, late)
    written = [
        hall.write(fact["kind"], hall.signed(hall.forged(clerk, fact, command=fact["kind"]), late))
        for fact in (admitted.model_dump(mode="json"), hall.correction(2))
    ]
    assert hall.winner() == 1
    assert _left_out_by_the_pages(hall) == (written, written)


def _a_repeated_checkpoint(hall: Hall) -> tuple[str, bytes]:
    sign_checkpoint(hall.ledger, hall.tournament, SigningKey.generate("Olga"), clerk=hall.organizer)
    return a_copy(hall)


def _a_repeated_posting(hall: Hall) -> tuple[str, bytes]:
    hall.ledger.decide(hall.tournament, deciding(tournaments.PostStandings), clerk=hall.organizer)
    return a_copy(hall)


def _a_merge(hall: Hall, ahead: int) -> tuple[str, bytes]:
    """Return a merge that names a future entry as the first entry of a copy."""
    size, opening = hall.size() + 1, hall.row(1)
    state = opening.state.replace(b'"position":1,', b'"position":%d,' % size)
    tree = Tree(hall.ledger.recorder.entry_rows(hall.tournament))
    tree.append(EntryRow(size, opening.topic, state))
    merged = CopyMerged(
        source="there.ledger",
        origin=origin_of(hall.tournament),
        fork=size - 1,
        size=size,
        root=tree.head.root.hex(),
        entries=(CopiedEntry(topic=opening.topic, state=state.decode(), entry=size + ahead),),
    )
    return merged.kind, hall.forged(hall.organizer, merged.model_dump(mode="json"))


@pytest.mark.parametrize(
    "forge",
    [_a_repeated_checkpoint, _a_repeated_posting, partial(_a_merge, ahead=1), partial(_a_merge, ahead=2)],
    ids=["checkpoint", "posting", "merge-of-the-next-entry", "merge-of-no-entry"],
)
def test_a_forged_entry_does_not_discredit_other_entries(
    hall: Hall, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    """The checks of checkpoints and merged copies skip an entry that does not count."""
    forged = hall.write(*forge(hall))
    sign_checkpoint(hall.ledger, hall.tournament, SigningKey.generate("Olga"), clerk=hall.organizer)
    [said] = hall.found()
    assert said.startswith((f"entry {forged}: repeats an entry of", f"entry {forged}: names token"))


def test_a_token_with_a_line_break_stays_on_the_line_of_its_finding(hall: Hall) -> None:
    dropped, two_lines = {"kind": "player-dropped", "player": 2, "after_round": 0}, "x\nentry 99: fine"
    position = hall.write("player-dropped", hall.forged(hall.organizer, dropped, token=two_lines))
    [said] = hall.found()
    assert said.startswith(f"entry {position}: ")
    assert said.isprintable()


def test_a_forged_entry_is_exported_but_never_counts(hall: Hall) -> None:
    hall.write(*without_signature(hall))
    said = hall.found()
    lines = "".join(export_lines(hall.ledger, hall.tournament)).encode()
    with open_ledger(":memory:", create=True) as elsewhere:
        restore(elsewhere, read_export(lines))
        there = hall._replace(ledger=elsewhere)
        assert there.winner() == 1
        assert there.found() == said


def test_a_revoked_token_signs_nothing(hall: Hall) -> None:
    """The station still has the secret of its token, and access to the database."""
    assert hall.station.token is not None
    state = hall.forged(hall.station, hall.correction(2))
    revoke = partial(access.revoke_token, role="organizer", token=hall.station.token.id)
    [entry] = hall.ledger.decide(hall.tournament, revoke, clerk=hall.organizer)
    state = state.replace(b'"position":%d,' % entry.position, b'"position":%d,' % (entry.position + 1))
    position = hall.write("result-corrected", hall.signed(state, hall.station.token))
    assert f"which entry {entry.position} revoked" in "".join(hall.found())
    assert hall.winner() == 1
    assert _left_out_by_the_pages(hall) == ([position], [position])


def test_an_entry_that_its_station_may_not_make_is_reported(hall: Hall) -> None:
    """In its own name, the station signs a fact that the rulebook reserves for others.

    An earlier forged entry must not hide this finding, nor stop the check of the draws.
    """
    hall.write(*without_signature(hall))
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
    position = hall.write("result-corrected", hall.signed(state, player.token))
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
    moved = authorship.without_signature(row.state).replace(b'"position":%d,' % row.position, b'"position":1234,')
    assert token.verifies(authorship.signed_text(moved), signature)
    erase(hall.ledger, hall.tournament, 3, clerk=hall.organizer, reason="asked")
    assert b"Young" not in row.state
    assert hall.found() == []


def test_entries_of_an_older_log_count_without_signatures(begin: Callable[..., UUID]) -> None:
    """If an older version recorded the demand for tokens, entries need no signatures."""
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


def test_a_cached_record_has_the_stations_of_the_log(hall: Hall) -> None:
    """A reader who starts from a cache finds the same forgery."""
    record = hall.ledger.record(hall.tournament)
    behind = Authors(hall.tournament, record, hall.row(record.position))
    assert hall.station.token is not None
    before_any_key = json.loads(hall.row(1).state)["command"]
    state = hall.forged(hall.station, hall.correction(1), command=before_any_key)
    hall.write("result-corrected", hall.signed(state, hall.station.token))
    assert behind.counts(hall.row(hall.size()))
    assert hall.found() == []
    hall.write(*a_copy(hall))
    assert not behind.counts(hall.row(hall.size()))
    hall.write(*_without_signature_of_last(hall))
    assert not behind.counts(hall.row(hall.size()))
    hall.ledger.decide(hall.tournament, partial(roster.drop, player=2), clerk=hall.organizer)
    assert behind.counts(hall.row(hall.size()))


def _without_signature_of_last(hall: Hall) -> tuple[str, bytes]:
    return "player-dropped", hall.forged(hall.organizer, {"kind": "player-dropped", "player": 1, "after_round": 0})


def test_a_draft_in_the_name_of_a_station_is_signed(hall: Hall) -> None:
    draft = Draft(hall.tournament, hall.ledger.record_as_of(hall.tournament, hall.size()), hall.station)
    draft.decide(partial(roster.drop, player=2))
    hall.ledger.keep(draft)
    assert hall.found() == []
