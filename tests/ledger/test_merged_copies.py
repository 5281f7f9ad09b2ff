"""Two copies of a ledger that diverged become one. The merge loses no entry and guesses no result."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest
from tests.desk import RunCli, Terminal
from tests.event import deciding
from tests.ledger.behind import behind
from tests.ledger.laptops import ORGANIZER, TABLES, Laptop, Two, facts, fork, holds, one_slip

from matchledger.commands import access, calls
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import tournaments as opening
from matchledger.commands.phones import AllowPhones, ClaimResult, ConfirmClaim
from matchledger.commands.refusal import Refusal
from matchledger.events import (
    CopiedEntry,
    CopyMerged,
    EntryRetracted,
    PenaltyGiven,
    PlayerArrivedLate,
    ResultClaimed,
    ResultReported,
)
from matchledger.ledger import Clerk, LedgerError, now, open_ledger, sign_checkpoint, verify
from matchledger.ledger.copies import merge_copy
from matchledger.notation.slip import Written
from matchledger.proof.checkpoint import origin_of
from matchledger.proof.keys import SigningKey
from matchledger.proof.merkle import Frontier, leaf_hash
from matchledger.proof.station_token import StationToken, issue

PAGE = Path(__file__).parents[2] / "docs" / "verify.py"


pytestmark = pytest.mark.usefixtures("own_keys")


# -- what counts


def test_slips_of_both_laptops_count_and_identical_slips_count_once(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    there.report(2, 0)
    there.report(3, 1)
    assert list(here.merge(there).values()) == ["same", "counts"]
    assert [here.winner(table) for table in TABLES] == [1, 3, 6, None]
    assert len(facts(here, ResultReported)) == 3
    assert holds(here)


def test_a_merged_result_by_phone_names_the_new_position_of_its_claim(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    for laptop in two:
        laptop.give(AllowPhones(may=("report",)))
    there.give(ClaimResult(player=5, outcome="win"))
    claim = there.entries[-1].position
    there.give(ConfirmClaim(player=6, claim=claim))
    here.merge(there)
    [said] = [entry for entry in here.entries if isinstance(entry.fact, ResultClaimed)]
    confirmed = [getattr(fact, "confirms", None) for fact in facts(here, ResultReported)]
    assert said.position != claim
    assert [position for position in confirmed if position is not None] == [said.position]
    assert holds(here)


def test_a_merged_entry_keeps_its_clerk_its_station_and_its_time(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    theirs = there.ledger.entry(there.tournament, there.report(3, 1))
    here.merge(there)
    ours = here.entries[-1]
    assert ours.model_copy(update={"position": theirs.position}) == theirs
    assert ours.position == theirs.position + 2


def test_the_log_can_compute_the_tree_head_that_the_merge_names(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    there.report(3, 1)
    there.drop(8)
    here.merge(there)
    [merged] = facts(here, CopyMerged)
    assert isinstance(merged, CopyMerged)
    head = there.ledger.head(there.tournament)
    assert (merged.origin, merged.fork, merged.size, merged.root) == (
        origin_of(here.tournament),
        11,
        13,
        head.root.hex(),
    )
    frontier = Frontier()
    for row in here.ledger.recorder.entry_rows(here.tournament, through=merged.fork):
        frontier.append(leaf_hash(*row))
    for position, taken in enumerate(merged.entries, merged.fork + 1):
        frontier.append(leaf_hash(position, taken.topic, taken.state.encode()))
    assert frontier.head == head


def test_a_contradicting_slip_waits_at_the_desk_as_refused(two: Two) -> None:
    here, there = two
    position = here.report(2, 0)
    there.report(2, 1)
    assert list(here.merge(there).values()) == ["refused"]
    assert here.winner(2) == 3
    [(_, refused)] = here.record.slips_refused
    assert (refused.slip.winner, refused.contradicts) == (4, position)
    assert holds(here)


def test_a_slip_that_both_laptops_refused_is_refused_once(two: Two) -> None:
    here, there = two
    for laptop in two:
        laptop.report(1, 1)
    assert list(here.merge(there).values()) == ["same"]
    assert len(here.record.slips_refused) == 1
    assert holds(here)


def test_a_correction_back_to_an_earlier_result_counts(tmp_path: Path) -> None:
    """The other desk corrected the slip twice: first away from the result, then back."""
    for here, there in fork(tmp_path, before=one_slip):
        here.drop(8)
        for winner in (1, 0, 1):
            there.correct(1, winner)
        assert list(here.merge(there).values()) == ["counts", "counts", "counts"]
        assert here.winner(1) == there.winner(1) == 2
        assert holds(here)


def test_correcting_the_slip_of_the_other_desk_does_not_correct_the_slip_here(two: Two) -> None:
    """Both slips have the same position in their own copy."""
    here, there = two
    assert here.report(2, 0) == there.report(2, 1)
    there.decide(partial(slips.correct, table=2, round_=1, written=Written("draw")))
    assert list(here.merge(there).values()) == ["kept", "refused"]
    assert here.winner(2) == 3
    assert holds(here)


def test_a_contradicting_no_show_drops_nobody(tmp_path: Path) -> None:
    for here, there in fork(tmp_path, rulebook="l5r-2018"):
        here.report(2, 0)
        there.decide(partial(slips.no_show, absent=(3,)))
        assert list(here.merge(there).values()) == ["refused", "kept"]
        assert here.record.status(3) == "active"
        assert holds(here)


def test_a_slip_corrected_on_the_other_laptop_does_not_contradict(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    there.report(2, 1)
    there.correct(2, 0)
    assert list(here.merge(there).values()) == ["kept", "same"]
    assert here.record.slips_refused == []


def test_a_slip_corrected_here_is_still_the_same_slip(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    here.correct(2, 1)
    there.report(2, 0)
    assert list(here.merge(there).values()) == ["same"]
    assert here.winner(2) == 4
    there.merge(here)
    assert there.winner(2) == 4


def test_the_first_correction_of_a_shared_slip_counts_and_the_second_is_refused(two: Two) -> None:
    here, there = two
    there.correct(1, 1)
    here.report(2, 0)
    assert list(here.merge(there).values()) == ["counts"]
    assert here.winner(1) == 2
    assert holds(here)


def test_of_two_different_corrections_the_second_is_refused(tmp_path: Path) -> None:
    for here, there in fork(tmp_path, rulebook="street-warriors-2004", before=one_slip):
        here.correct(1, 1)
        there.decide(partial(slips.correct, table=1, round_=1, written=Written("draw")))
        assert list(here.merge(there).values()) == ["refused"]
        assert here.winner(1) == 2


def test_a_command_sent_to_both_laptops_is_recorded_once(two: Two) -> None:
    here, there = two
    position = here.report(2, 0, command="phone-7")
    there.report(3, 0)
    again = there.report(2, 0, command="phone-7")
    there.retract(again)
    assert list(here.merge(there).values()) == ["counts", "same", "counts"]
    assert here.record.is_dead(position)  # the retraction names this copy's entry
    assert holds(here)


def test_merged_retractions_name_the_same_entries_as_before(two: Two) -> None:
    here, there = two
    here.drop(8)
    shared = 11
    there.retract(shared)
    wrong = there.report(3, 0)
    there.retract(wrong)
    there.report(3, 1)
    assert list(here.merge(there).values()) == ["counts", "kept", "kept", "counts"]
    assert [fact.retracts for fact in facts(here, EntryRetracted)] == [shared]  # type: ignore[union-attr] # of one kind
    assert (here.winner(1), here.winner(3)) == (None, 6)
    assert holds(here)
    there.merge(here)
    assert (there.winner(1), there.winner(3), there.record.status(8)) == (None, 6, "dropped")


def test_a_slip_retracted_on_both_laptops_is_retracted_once(two: Two) -> None:
    here, there = two
    here.retract(11)
    there.retract(11)
    assert list(here.merge(there).values()) == ["same"]
    assert len(facts(here, EntryRetracted)) == 1


def test_a_merge_adds_the_penalties_extensions_and_calls_of_the_other_copy(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    warning = PenaltyGiven(player=1, penalty="warning", offence="notes")
    there.decide(partial(clock.extend, table=3, minutes=4, reason="deck check"))
    there.decide(lambda _: [warning])
    call = there.decide(partial(calls.call_desk, player=2, round_=1, disputes=11))[0].position
    there.decide(deciding(calls.AnswerCall, position=call))
    assert set(here.merge(there).values()) == {"counts"}
    assert facts(here, PenaltyGiven) == [warning]
    assert [fact.call for _, fact in here.record.call_answers] == [
        position for position, _ in here.record.desk_calls
    ]
    assert holds(here)


def test_postings_and_checkpoints_of_the_other_copy_are_kept_and_verified(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    for table in (2, 3, 4):
        there.report(table, 0)
    there.decide(deciding(opening.PostStandings))
    sign_checkpoint(there.ledger, there.tournament, SigningKey.generate("org"), clerk=ORGANIZER)
    assert list(here.merge(there).values()) == ["same", "counts", "counts", "kept", "kept"]
    assert here.record.postings == []
    assert holds(here)
    sign_checkpoint(here.ledger, here.tournament, SigningKey.generate("org"), clerk=ORGANIZER)
    assert holds(here)


def test_a_drop_recorded_on_both_laptops_counts_once(two: Two) -> None:
    here, there = two
    here.drop(8)
    there.drop(8)
    assert list(here.merge(there).values()) == ["same"]


# -- late entries


def test_different_players_with_equal_numbers_need_a_decision(two: Two) -> None:
    here, there = two
    here.late("Zoe")
    there.late("Max")
    there.late("Kim")
    there.drop(9)
    assert here.questions(there) == [
        "#9 is Max in the other copy and Zoe here: Max can be #10 here",
        "#10 is Kim in the other copy and Max here: Kim can be #11 here",
    ]
    here.merge(there, renumber=True)
    assert [player.name for player in here.record.entered()][8:] == ["Zoe", "Max", "Kim"]
    assert [here.record.status(number) for number in (9, 10, 11)] == ["active", "dropped", "active"]
    assert holds(here)


def test_a_late_player_registered_on_both_laptops_is_one_player(two: Two) -> None:
    here, there = two
    here.late("Zoe")
    here.late("Max")
    there.late("Max")
    there.drop(9)
    assert here.questions(there) == ["#9 is Max in the other copy and Zoe here: Max can be #10 here"]
    here.merge(there, renumber=True)
    assert here.record.status(10) == "dropped"
    assert len(facts(here, PlayerArrivedLate)) == 2


def test_a_name_from_the_other_laptop_is_encrypted_with_a_key_here(two: Two) -> None:
    here, there = two
    here.late("Zoe")
    there.late("Max")
    here.merge(there, renumber=True)
    key = there.ledger.ring.key(there.tournament, 9)
    assert here.ledger.ring.key(here.tournament, 10) == key
    assert all(b"Max" not in row.state for row in here.ledger.recorder.entry_rows(here.tournament))


# -- again, the other way round, and on


def test_a_copy_that_was_merged_adds_nothing(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    there.report(2, 1)
    there.report(3, 0)
    here.merge(there)
    size = here.ledger.head(here.tournament).size
    assert here.plan(there).is_empty
    there.merge(here)
    assert here.plan(there).is_empty
    assert there.plan(here).is_empty
    assert here.ledger.head(here.tournament).size == size


def test_a_copy_that_grew_after_a_merge_is_merged_again(two: Two) -> None:
    here, there = two
    here.late("Zoe")
    there.late("Max")
    here.merge(there, renumber=True)
    there.drop(9)
    there.report(4, 1)
    assert list(here.merge(there).values()) == ["same", "counts", "counts"]
    assert (here.record.status(9), here.record.status(10), here.winner(4)) == ("active", "dropped", 8)
    assert holds(here)


def test_a_copy_without_its_own_entries_takes_the_other_entries_unchanged(two: Two) -> None:
    here, there = two
    there.late("Max")
    there.report(2, 1)
    here.merge(there)
    assert here.ledger.head(here.tournament) == there.ledger.head(there.tournament)
    assert here.record.players[9].name == "Max"
    assert here.plan(there).is_empty
    here.report(3, 0)
    assert here.plan(there).is_empty  # an older copy has nothing new
    assert holds(here)


# -- what is refused at once


@pytest.mark.finding("A-3")
def test_slips_signed_by_a_revoked_token_are_merged_only_with_a_reason(tmp_path: Path) -> None:
    """The organizer revoked the token of a stolen laptop. The copy on the laptop has a slip that the token
    signed.
    """
    key, start = SigningKey.generate("organizer"), now()
    lost = issue(
        key,
        StationToken(
            role="scorekeeper",
            actor="Sam",
            station="south",
            issued=start,
            not_before=start,
            expires=start + timedelta(days=1),
        ),
    )

    def trust(first: Laptop) -> None:
        trusted = partial(access.trust_key, role="organizer", key=str(key.verification), demanded=False)
        first.ledger.decide(first.tournament, trusted, clerk=ORGANIZER)
        first.ledger.admit(first.tournament, lost)

    for here, there in fork(tmp_path, before=trust):
        sam = there.ledger.admit(there.tournament, lost)
        assert sam.token is not None
        [slip] = there.ledger.decide(
            there.tournament, partial(slips.report, table=3, written=Written(winner=1), round_=1), clerk=sam
        )
        revoke = partial(access.revoke_token, role="organizer", token=sam.token.id)
        [revoked] = here.ledger.decide(here.tournament, revoke, clerk=ORGANIZER, reason="lost laptop")
        [question] = here.questions(there)
        assert question == (
            f"Sam at station south signed entries {slip.position} of the other copy with a token that entry "
            f"{revoked.position} revoked: compare them with the slips, and give a reason"
        )
        assert here.winner(3) is None
        merge_copy(here.ledger, here.plan(there, reason="Sam brought the paper"))
        assert here.winner(3) == 6


def test_only_the_organizer_merges(two: Two) -> None:
    here, there = two
    there.report(2, 0)
    with pytest.raises(Refusal, match="a scorekeeper may not merge another copy of the ledger: the organizer may"):
        here.plan(there, clerk=Clerk())


def test_a_copy_that_was_altered_is_not_merged(two: Two, tmp_path: Path) -> None:
    here, there = two
    position = there.report(2, 0)
    with behind(str(tmp_path / "there.ledger")) as store:
        store.disarm()
        store.set_state(position, b"{}")
    with pytest.raises(
        LedgerError, match=f"other.ledger does not pass the check, so nothing is merged: entry {position}: was"
    ):
        here.plan(there)


def test_if_the_key_file_of_a_copy_is_missing_the_error_says_which_file_to_copy(tmp_path: Path) -> None:
    for here, there in fork(tmp_path):
        here.drop(8)
        there.late("Max")
        (tmp_path / "there.ledger.keys").unlink()
        with open_ledger(tmp_path / "there.ledger", own_keys=True) as without:
            message = "the key to #9 of the other copy is not here: copy other.ledger.keys from its machine"
            with pytest.raises(LedgerError, match=message):
                here.plan(Laptop(without, there.tournament, "south"))


def test_a_copy_of_another_event_is_refused(two: Two, tmp_path: Path) -> None:
    here, _ = two
    (tmp_path / "next").mkdir()
    for other, _ in fork(tmp_path / "next"):
        with pytest.raises(LedgerError, match=r"other\.ledger does not hold this tournament: name a copy of it"):
            here.plan(other)


# -- what verify finds


def _forged(here: Laptop, fact: CopyMerged) -> list[str]:
    here.ledger.decide(here.tournament, lambda _: [fact], clerk=ORGANIZER)
    return [str(finding) for finding in verify(here.ledger, here.tournament)]


def test_a_merge_that_names_another_tree_head_or_log_is_found(two: Two) -> None:
    here, _ = two
    copied = (CopiedEntry(topic="x", state="{}"),)
    fact = CopyMerged(
        source="x", origin=origin_of(here.tournament), fork=11, size=12, root="0" * 64, entries=copied
    )
    assert _forged(here, fact) == ["entry 12: merged a copy with another tree head than it names"]
    assert _forged(here, fact.model_copy(update={"origin": "other"}))[1:] == [
        "entry 13: merged a copy of another log"
    ]


@pytest.mark.finding("A-11")
@pytest.mark.parametrize(
    ("fork", "entry", "said"),
    [
        (2**70, None, "merged a copy of another log"),
        (11, 2**70, f"names entry {2**70} for entry 12 of the copy: no such entry counts"),
    ],
)
def test_a_merge_with_an_impossible_position_is_found(two: Two, fork: int, entry: int | None, said: str) -> None:
    here, there = two
    there.report(2, 0)
    [last] = there.ledger.recorder.entry_rows(there.tournament, after=11)
    fact = CopyMerged(
        source="x",
        origin=origin_of(here.tournament),
        fork=fork,
        size=12,
        root=there.ledger.head(there.tournament).root.hex(),
        entries=(CopiedEntry(topic=last.topic, state=last.state.decode(), entry=entry),),
    )
    assert _forged(here, fact) == [f"entry 12: {said}"]


def test_an_entry_that_the_other_copy_never_recorded_is_found(two: Two) -> None:
    here, there = two
    here.drop(8)
    there.report(2, 0)
    plan = here.plan(there)
    assert plan.draft is not None
    [merged, slip] = plan.draft.entries
    assert isinstance(slip.fact, ResultReported)
    wrong = slip.fact.slip.model_copy(update={"winner": 4})
    plan.draft.entries[1] = slip.model_copy(update={"fact": slip.fact.model_copy(update={"slip": wrong})})
    here.ledger.keep(plan.draft)
    assert [str(finding) for finding in verify(here.ledger, here.tournament)] == [
        f"entry {slip.position}: is not what entry 12 of the copy was that entry {merged.position} merged"
    ]


# -- the command


@pytest.fixture
def friday(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files that diverged: each has slips, a late player and a drop."""
    monkeypatch.chdir(tmp_path)
    for here, there in fork(tmp_path, before=one_slip):
        here.report(2, 0)
        here.late("Zoe")
        there.report(2, 1)
        there.report(3, 1)
        there.late("Max")
        there.drop(8)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "here.ledger"))
    return tmp_path


@pytest.mark.usefixtures("friday")
def test_one_command_merges_two_laptops(run_cli: RunCli) -> None:
    shown = run_cli("merge-copy", "there.ledger", "--role", "organizer", code=3)
    assert shown.lines == [
        "there.ledger left this log after entry 11, and has 4 entries since.",
        "Entry 12 refused, contradicts this copy: round 1, table 2: Di beat Cy",
        "Entry 13 counts: round 1, table 3: Flo beat Ed",
        "Entry 14 counts: Max entered late as number 9, charged with round 1",
        "Entry 15 counts: Hal dropped after round 1 (request)",
        "Open: #9 is Max in the other copy and Zoe here: Max can be #10 here; use --renumber",
    ]
    assert shown.refused == "1 question is open: settle it, then merge"
    words = ("merge-copy", "there.ledger", "--role", "organizer", "--renumber", "--reason", "no network")
    assert run_cli(*words, "--preview").lines[-1] == "PREVIEW: nothing is recorded."
    assert run_cli(*words).lines[-1] == "Merged: 5 entries added (entry 14). Next: verify."
    assert run_cli(*words).lines == ["there.ledger has nothing that is not here."]
    assert "18 entries, none altered." in run_cli("verify").out
    assert any(line.endswith("copy merged (POLICY)") for line in run_cli("integrity").lines)
    assert "no network" in run_cli("integrity").out
    assert "4 entries merged from there.ledger, a copy that branched off after entry 11" in run_cli("log").out
    assert "Max" in run_cli("players").out
    assert run_cli("replay").code == 0


@pytest.mark.usefixtures("friday")
def test_at_a_terminal_merge_asks_first(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("merge-copy", "there.ledger", "--role", "organizer", "--renumber")
    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    assert run_cli(*words).lines[-1] == "Merge the copy? [y/N]: Nothing was recorded."
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert run_cli(*words).lines[-1] == "Merge the copy? [y/N]: Merged: 5 entries added (entry 14). Next: verify."


def test_a_merged_log_is_exported_and_imported_and_proved_to_a_stranger(friday: Path, run_cli: RunCli) -> None:
    run_cli("report", "4", "2-0")  # `games` lists the games of a match here, not players
    run_cli("merge-copy", "there.ledger", "--role", "organizer", "--renumber")
    run_cli("bundle", "1", "3", "--out", "match.bundle", "--role", "organizer")
    run_cli("export", "whole.jsonl", "--role", "organizer")
    head = run_cli("verify").out.split("Tree head ")[1].strip()
    command = [sys.executable, "-I", str(PAGE), "match.bundle", "--head", head, "--log", "whole.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=friday)  # noqa: S603 - our page
    assert done.returncode == 0, done.stdout + done.stderr
    run_cli("import", "whole.jsonl", "--ledger", "again.ledger")
    assert "none altered" in run_cli("verify", "--ledger", "again.ledger").out
    one, other = (run_cli("standings", "--ledger", at).lines[2:] for at in ("here.ledger", "again.ledger"))
    assert [line.split()[-4:] for line in one] == [line.split()[-4:] for line in other]


@pytest.mark.usefixtures("friday")
def test_merging_a_ledger_with_itself_adds_nothing(run_cli: RunCli) -> None:
    assert run_cli("merge-copy", "here.ledger", "--role", "organizer").lines == [
        "here.ledger has nothing that is not here."
    ]


def test_a_mirror_follows_a_merge(friday: Path, run_cli: RunCli) -> None:
    (friday / "stick").mkdir()
    for table in ("4",):
        run_cli("report", table, "2-0")
    run_cli("merge-copy", "there.ledger", "--role", "organizer", "--renumber", "--mirror", "stick")
    assert (friday / "stick" / "here.ledger").exists()
