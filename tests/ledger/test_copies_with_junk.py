"""A merge leaves out the other copy's entries that do not count, and loses no genuine entry."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.desk import RunCli
from tests.event import deciding
from tests.ledger.behind import behind
from tests.ledger.forgeries import (
    FORGERIES,
    Hall,
    a_copy,
    erases_a_player,
    garbage,
    signed_by_another_station,
    sit_down,
    token,
    without_a_token,
    without_signature,
)

from matchledger.commands import access, roster
from matchledger.commands import results as slips
from matchledger.commands.witnesses import KeepCosignature
from matchledger.events import CheckpointSigned, CopyMerged, Entry, Person, ResultCorrected
from matchledger.evidence.erasure import erase
from matchledger.evidence.export import export_lines, read_export
from matchledger.ledger import Ledger, LedgerError, open_ledger, sign_checkpoint, verify
from matchledger.ledger.copies import CopyPlan, merge_copy, plan_merge
from matchledger.notation.slip import Written
from matchledger.proof import authorship
from matchledger.proof.checkpoint import Signature, SignedNote
from matchledger.proof.keys import SigningKey

pytestmark = [pytest.mark.finding("A-3"), pytest.mark.usefixtures("own_keys")]

Halls = tuple[Hall, Hall]
JUNK = (b"\xff\xfe{", b"{")


@pytest.fixture
def halls(tmp_path: Path, begin: Callable[..., UUID]) -> Iterator[Halls]:
    """Two copies of a ledger with a second tournament. Every recording command needs a token."""
    here, there = tmp_path / "here.ledger", tmp_path / "there.ledger"
    with open_ledger(here, create=True) as ledger:
        begin(ledger, "Zoe", name="Sunday")
        hall = sit_down(ledger, begin(ledger, "A", "B", name="T"))
    for suffix in ("", ".keys"):
        shutil.copyfile(f"{here}{suffix}", f"{there}{suffix}")
    with open_ledger(here, own_keys=True) as one, open_ledger(there, own_keys=True) as other:
        yield hall._replace(ledger=one), hall._replace(ledger=other)


def _drop(hall: Hall, player: int = 2) -> Entry:
    [entry] = hall.ledger.decide(hall.tournament, partial(roster.drop, player=player), clerk=hall.organizer)
    return entry


def _late(hall: Hall, name: str = "Cy") -> None:
    hall.ledger.decide(hall.tournament, partial(roster.arrive_late, person=Person(name=name)), clerk=hall.organizer)


def _correct(hall: Hall, winner: int) -> Entry:
    correct = partial(slips.correct, table=1, round_=1, written=Written(winner=winner))
    [entry] = hall.ledger.decide(hall.tournament, correct, clerk=hall.organizer, reason="misread")
    return entry


def _plan(here: Hall, there: Hall) -> CopyPlan:
    return plan_merge(here.ledger, here.tournament, there.ledger, source="there.ledger", clerk=here.organizer)


def _merge(here: Hall, there: Hall) -> CopyPlan:
    plan = _plan(here, there)
    assert list(plan.questions) == []
    merge_copy(here.ledger, plan)
    return plan


def _merged(hall: Hall) -> CopyMerged:
    [(_, fact)] = hall.ledger.record(hall.tournament).every(CopyMerged)
    return fact


def _outcomes(plan: CopyPlan) -> list[tuple[int, str]]:
    return [(outcome.theirs.position, outcome.how) for outcome in plan.outcomes]


each_forgery = pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)


@each_forgery
def test_a_merge_leaves_out_a_forged_entry_of_the_other_copy(
    halls: Halls, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    here, there = halls
    _late(here)
    topic, state = forge(there)
    junk = there.write(topic, state)
    genuine = _drop(there)
    plan = _merge(here, there)
    assert _outcomes(plan) == [(genuine.position, "counts")]
    assert list(plan.left_out) == [junk]
    assert (here.winner(), here.ledger.record(here.tournament).status(2)) == (1, "dropped")
    assert [(copied.state.encode(), copied.entry is None) for copied in _merged(here).entries] == [
        (state, True),
        (there.row(genuine.position).state, False),
    ]
    assert here.found() == []
    assert _plan(here, there).is_empty


@each_forgery
def test_a_copy_without_its_own_entries_takes_a_forged_entry_that_does_not_count(
    halls: Halls, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    here, there = halls
    junk = there.write(*forge(there))
    _drop(there)
    there.write(*garbage(there))
    plan = _merge(here, there)
    assert list(plan.left_out) == [junk, junk + 2]
    assert here.ledger.head(here.tournament) == there.ledger.head(there.tournament, junk + 1)
    assert (here.winner(), here.ledger.record(here.tournament).status(2)) == (1, "dropped")
    assert here.found() == there.found()[:1]
    assert _plan(here, there).is_empty


@pytest.mark.parametrize("own", [(), (_late,)], ids=["unchanged", "diverged"])
def test_a_copy_with_only_forged_entries_adds_nothing(halls: Halls, own: Sequence[Callable[[Hall], None]]) -> None:
    here, there = halls
    for act in own:
        act(here)
    size = here.size()
    positions = [there.write(*without_a_token(there)) for _ in range(3)]
    there.write("x", JUNK[0])
    plan = _merge(here, there)
    assert plan.is_empty
    assert list(plan.left_out) == [*positions, positions[-1] + 1]
    assert (here.size(), here.found()) == (size, [])


def test_a_forged_entry_here_does_not_stop_a_merge(halls: Halls) -> None:
    here, there = halls
    here.write(*without_signature(here))
    genuine = _drop(there)
    plan = _merge(here, there)
    assert (_outcomes(plan), plan.left_out) == ([(genuine.position, "counts")], {})
    assert here.ledger.record(here.tournament).status(2) == "dropped"
    assert len(here.found()) == 1


def test_a_copied_entry_does_not_hide_a_genuine_entry(halls: Halls) -> None:
    """After each entry of a station in the other copy, somebody appends the same entry again."""
    here, there = halls
    _late(here)
    for winner in (1, 0, 1):
        _correct(there, winner)
        there.write(*a_copy(there))
    plan = _merge(here, there)
    assert [how for _, how in _outcomes(plan)] == ["counts", "counts", "counts"]
    assert here.winner() == 2
    assert here.found() == []
    _correct(there, 0)
    assert [how for _, how in _outcomes(_merge(here, there))] == ["same", "same", "same", "counts"]
    assert here.winner() == 1
    assert here.found() == []


def test_entries_before_the_revocation_of_their_token_count_and_later_ones_are_left_out(halls: Halls) -> None:
    here, there = halls
    _late(here)
    correction = there.correction(2)
    before, after = (json.dumps(text) for text in ("before", "after"))
    assert there.station.token is not None
    made = there.forged(there.station, {**correction}, command=before)
    genuine = there.write("result-corrected", there.signed(made, there.station.token))
    revoke = partial(access.revoke_token, role="organizer", token=there.station.token.id)
    [revoked] = there.ledger.decide(there.tournament, revoke, clerk=there.organizer)
    late = there.forged(
        there.station,
        {**correction, "supersedes": genuine, "slip": {**correction["slip"], "winner": 1}},
        command=after,
    )
    forged = there.write("result-corrected", there.signed(late, there.station.token))
    _drop(there)
    plan = _merge(here, there)
    assert _outcomes(plan) == [(genuine, "counts"), (revoked.position, "counts"), (forged + 1, "counts")]
    assert list(plan.left_out) == [forged]
    assert here.winner() == 2
    assert here.found() == []


def test_an_erased_person_stays_erased_and_a_forged_erasure_destroys_no_key(halls: Halls) -> None:
    here, there = halls
    _late(here)
    there.write(*erases_a_player(there))
    erase(there.ledger, there.tournament, 1, clerk=there.organizer, reason="asked")
    there.write(*erases_a_player(there))
    _drop(there)
    _merge(here, there)
    record = here.ledger.record(here.tournament)
    assert [record.players[number].name for number in (1, 2, 3)] == ["Player 1", "B", "Cy"]
    assert set(here.ledger.keys(here.tournament)) == {2, 3}
    assert here.found() == []


def test_a_merge_asks_for_no_key_to_a_forged_name(halls: Halls) -> None:
    """The bytes claim to encrypt the name of a player who does not exist."""
    here, there = halls
    _late(here)
    person = {"of": 77, "sealed": "AAAA"}
    fact = {"kind": "player-registered", "number": 77, "person": person}
    there.write("player-registered", there.forged(there.organizer, fact))
    _drop(there)
    assert [how for _, how in _outcomes(_merge(here, there))] == ["counts"]
    assert here.found() == []


def test_another_tournament_in_the_file_has_no_effect(halls: Halls) -> None:
    here, there = halls
    _late(here)
    other = next(one for one in there.ledger.tournaments() if one != there.tournament)
    beside = there._replace(tournament=other)
    beside.write("player-dropped", b"{")
    junk = there.write(*without_a_token(there))
    _drop(there)
    assert list(_merge(here, there).left_out) == [junk]
    assert here.found() == []
    with pytest.raises(LedgerError, match=r"there\.ledger does not pass the check, so nothing is merged: entry 3"):
        _plan(here._replace(tournament=other), beside)


def test_rows_outside_every_tournament_do_not_stop_a_merge(halls: Halls, tmp_path: Path) -> None:
    here, there = halls
    _late(here)
    _drop(there)
    with behind(str(tmp_path / "there.ledger")) as store:
        store.disarm()
        store.execute(
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
            "SELECT ?, originator_version, topic, state FROM stored_events WHERE originator_version = 2 LIMIT 1",
            "junk",
        )
    assert there.found() != []
    _merge(here, there)
    assert here.ledger.record(here.tournament).status(2) == "dropped"


@pytest.mark.parametrize("own", [(), (_late,)], ids=["unchanged", "diverged"])
def test_a_witnessed_checkpoint_after_a_forged_entry_is_valid_after_the_merge(
    halls: Halls, own: Sequence[Callable[[Hall], None]]
) -> None:
    here, there = halls
    for act in own:
        act(here)
    organizer, witness = SigningKey.generate("Olga"), SigningKey.generate("league")
    sign_checkpoint(there.ledger, there.tournament, organizer, clerk=there.organizer)
    there.write(*a_copy(there))
    signed = sign_checkpoint(there.ledger, there.tournament, organizer, clerk=there.organizer)
    assert isinstance(signed.fact, CheckpointSigned)
    note = SignedNote.parse(signed.fact.note)
    cosigned = note.cosigned(Signature.parse(witness.cosign(note.text, 1_790_000_000).removesuffix("\n")))
    keep = deciding(KeepCosignature, note=str(cosigned), key=str(witness.of_witness))
    there.ledger.decide(there.tournament, keep, clerk=there.organizer)
    there.write(*a_copy(there))
    _drop(there)
    [*forged, _] = there.found()
    plan = _merge(here, there)
    assert here.ledger.record(here.tournament).status(2) == "dropped"
    if own:
        assert [how for _, how in _outcomes(plan)] == ["kept", "kept", "kept", "counts"]
        assert here.found() == []
    else:
        keys = [organizer.verification, witness.of_witness]
        assert [str(one) for one in verify(here.ledger, here.tournament, keys=keys)] == there.found()
        assert forged != []


# -- entries beyond a role


def _of_a_player(hall: Hall, fact: dict[str, Any]) -> int:
    """With a changed program and a valid signature, record an action that no player may do."""
    player = hall.ledger.admit(hall.tournament, token("player"))
    assert player.token is not None
    state = hall.forged(player, fact, command=f"beyond {hall.size()}")
    return hall.write(fact["kind"], hall.signed(state, player.token))


@pytest.mark.parametrize("own", [(), (_late,)], ids=["unchanged", "diverged"])
def test_a_merge_leaves_out_an_entry_that_its_station_may_not_make(
    halls: Halls, own: Sequence[Callable[[Hall], None]]
) -> None:
    here, there = halls
    for act in own:
        act(here)
    beyond = _of_a_player(there, there.correction(2))
    genuine = _drop(there)
    assert there.winner() == 2
    plan = _merge(here, there)
    assert plan.left_out == {beyond: "was recorded by Player at player's: a player may not correct"}
    assert _outcomes(plan)[-1] == (genuine.position, "counts")
    assert (here.winner(), here.ledger.record(here.tournament).status(2)) == (1, "dropped")
    assert here.found() == []
    assert _plan(here, there).is_empty
    _merge(there, here)
    assert len(there.found()) == 1


def test_a_retraction_that_its_station_may_not_make_does_not_remove_a_slip(halls: Halls) -> None:
    here, there = halls
    _late(here)
    correction = _correct(there, 1)
    beyond = _of_a_player(there, {"kind": "entry-retracted", "retracts": correction.position})
    assert there.winner() == 1
    plan = _merge(here, there)
    assert list(plan.left_out) == [beyond]
    assert here.winner() == 2
    assert here.found() == []


def test_an_unpermitted_entry_in_both_copies_does_not_stop_a_merge(halls: Halls) -> None:
    here, there = halls
    beyond = _of_a_player(here, here.correction(2))
    for position in (beyond - 1, beyond):  # the entry that admits the token, and the entry itself
        row = here.row(position)
        there.write(row.topic, row.state)
    _late(here)
    _drop(there)
    assert _merge(here, there).left_out == {}
    assert here.ledger.record(here.tournament).status(2) == "dropped"
    assert [said.split(":")[0] for said in here.found()] == [f"entry {beyond}"]


def test_a_slip_in_a_round_paired_without_permission_asks_a_question(halls: Halls) -> None:
    here, there = halls
    _late(here)
    [paired] = [entry.fact for entry in there.ledger.entries(there.tournament) if entry.fact.kind == "round-paired"]
    beyond = _of_a_player(there, {**paired.model_dump(mode="json"), "round": 2})
    reported = partial(slips.report, table=1, written=Written(winner=0))
    [slip] = there.ledger.decide(there.tournament, reported, clerk=there.station)
    plan = _plan(here, there)
    assert list(plan.left_out) == [beyond]
    assert [str(question) for question in plan.questions] == [
        "round 2 is not paired here, and the other copy went on with it: pair it here too, or undo it there"
    ]
    retract = partial(slips.retract, entry=slip)
    there.ledger.decide(there.tournament, retract, clerk=there.organizer, reason="no such round")
    _merge(here, there)
    assert len(here.ledger.record(here.tournament).rounds()) == 1
    assert here.found() == []


def test_an_entry_that_depends_on_an_unpermitted_entry_must_be_retracted_first(halls: Halls) -> None:
    """An entry drops a player whose registration does not count. The next entry registers Dee."""
    here, there = halls
    registered = {"kind": "player-registered", "number": 3, "person": {"name": "Nobody"}}
    beyond = _of_a_player(there, registered)
    dropped = _drop(there, 3)
    _late(there, "Dee")
    with pytest.raises(
        LedgerError, match=f"entry {dropped.position} of there.ledger rests on entry {beyond}, which"
    ):
        _plan(here, there)
    retract = partial(slips.retract, entry=dropped)
    there.ledger.decide(there.tournament, retract, clerk=there.organizer, reason="nobody")
    plan = plan_merge(
        here.ledger, here.tournament, there.ledger, source="there.ledger", clerk=here.organizer, renumber=True
    )
    assert (list(plan.left_out), list(plan.questions)) == ([beyond, dropped.position], [])
    merge_copy(here.ledger, plan)
    record = here.ledger.record(here.tournament)
    assert [player.name for player in record.players.values()] == ["A", "B", "Dee"]
    assert here.found() == []


# -- what is still refused


def test_a_forged_entry_that_was_altered_later_is_refused(halls: Halls, tmp_path: Path) -> None:
    """The tree of the other copy must be valid even where an entry does not count."""
    here, there = halls
    junk = there.write(*without_signature(there))
    _drop(there)
    with behind(str(tmp_path / "there.ledger")) as store:
        store.disarm()
        store.set_state(junk, b"{}")
    with pytest.raises(LedgerError, match="the log was altered, so it proves nothing"):
        _plan(here, there)


def test_a_forged_entry_that_follows_a_missing_entry_is_named_and_refused(halls: Halls, tmp_path: Path) -> None:
    here, there = halls
    junk = there.write(*without_signature(there))
    with behind(str(tmp_path / "there.ledger")) as store:
        store.disarm()
        for table in ("stored_events", "merkle_tree"):
            store.execute(
                f"UPDATE {table} SET originator_version = originator_version + 1 "  # noqa: S608 - own names
                "WHERE originator_version = ?",
                junk,
            )
    assert f"entry {junk + 1}: follows entry {junk - 1}: the hashes between them are missing" in there.found()
    with pytest.raises(LedgerError, match="so nothing is merged: entry"):
        _plan(here, there)


def test_a_copy_with_an_entry_that_is_not_text_must_be_the_target_of_the_merge(halls: Halls) -> None:
    here, there = halls
    _late(here)
    junk = there.write("x", JUNK[0])
    _drop(there)
    with pytest.raises(
        LedgerError,
        match=f"^entry {junk} of there.ledger is not text, so this ledger cannot keep it: merge this ledger into "
        r"there\.ledger$",
    ):
        _plan(here, there)
    _merge(there, here)
    record = there.ledger.record(there.tournament)
    assert (record.players[3].name, record.status(2)) == ("Cy", "dropped")
    assert len(there.found()) == 1


def test_an_export_names_an_entry_that_is_not_text(halls: Halls) -> None:
    _, there = halls
    junk = there.write("x", JUNK[0])
    with pytest.raises(LedgerError, match=f"^entry {junk} is not text, so no export can hold it: copy the ledger"):
        list(export_lines(there.ledger, there.tournament))


def test_junk_with_a_long_kind_can_be_exported_and_imported(halls: Halls) -> None:
    _, there = halls
    there.write("x" * 900, JUNK[1])
    export = read_export("".join(export_lines(there.ledger, there.tournament)).encode())
    assert export.head == there.ledger.head(there.tournament)


def test_an_entry_of_a_newer_version_in_the_other_copy_is_refused(halls: Halls, tmp_path: Path) -> None:
    """The merge is refused, because the unreadable entry may be a slip that must not be left out."""
    here, there = halls
    _late(here)
    assert there.organizer.token is not None
    cheer = there.forged(there.organizer, {"kind": "crowd-cheered"})
    newer = there.write("crowd-cheered", there.signed(cheer, there.organizer.token))
    said = f"entry {newer} was recorded by a newer version of matchledger"
    with (
        open_ledger(tmp_path / "there.ledger", own_keys=True) as unread,
        pytest.raises(LedgerError, match=said),
    ):
        _plan(here, there._replace(ledger=unread))


# -- what verify finds


def _count_the_junk(plan: CopyPlan, ledger: Ledger) -> int:
    """Record a merge plan in which the junk entry counts, as a changed program could do.

    Return the position of the merge.
    """
    assert plan.draft is not None
    [merge, drop] = plan.draft.entries
    assert isinstance(merge.fact, CopyMerged)
    junk, genuine = merge.fact.entries
    forged = json.loads(authorship.unsigned(junk.state.encode()))["fact"]
    fact = ResultCorrected.model_validate(forged)
    entries = (junk.model_copy(update={"entry": drop.position + 1}), genuine)
    plan.draft.entries[0] = merge.model_copy(update={"fact": merge.fact.model_copy(update={"entries": entries})})
    plan.draft.entries.append(
        drop.model_copy(update={"position": drop.position + 1, "command": "junk", "fact": fact})
    )
    ledger.keep(plan.draft)
    return merge.position


@pytest.mark.parametrize("forge", [without_signature, signed_by_another_station, without_a_token])
def test_a_merge_that_counts_a_forged_entry_is_found(
    halls: Halls, forge: Callable[[Hall], tuple[str, bytes]]
) -> None:
    here, there = halls
    _late(here)
    there.write(*forge(there))
    _drop(there)
    merged = _count_the_junk(_plan(here, there), here.ledger)
    [said] = here.found()
    assert said.startswith(f"entry {merged}: merged an entry that names ")


# -- the command


def test_merge_lists_what_it_leaves_out(
    halls: Halls, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here, there = halls
    _late(here)
    there.write(*without_a_token(there))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_TOKEN", token("organizer"))
    words = ("merge-copy", "there.ledger", "--ledger", "here.ledger", "--tournament", "T")
    problem = "names no token where tokens are demanded, as Olga (organizer, desk)."
    left_out = f"Entry 10 of there.ledger is left out: it {problem}"
    assert run_cli(*words).lines == ["there.ledger has nothing that is not here.", left_out]
    _drop(there)
    there.write("x", JUNK[1])
    assert run_cli(*words).lines == [
        "there.ledger left this log after entry 9, and has 1 entry since.",
        "Entry 11 counts: B dropped after round 1 (request)",
        f"Entries 10, 12 of there.ledger are left out: entry 10 {problem}",
        "Merged: 2 entries added (entry 12). Next: verify.",
    ]
