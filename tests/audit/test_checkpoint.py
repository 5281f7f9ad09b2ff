"""Checkpoints: signed tree heads in the log, which verify compares with the log."""

from __future__ import annotations

import json
import re
import stat
from base64 import b64encode
from pathlib import Path
from uuid import UUID

import pytest
from tests.audit.scripted_dispute import Dispute, alter, positions, replace, rewrite, stored
from tests.desk import RunCli

from matchledger.cli import run
from matchledger.events import CheckpointSigned
from matchledger.ledger import open_ledger
from matchledger.ledger.verification import verify
from matchledger.proof.checkpoint import Checkpoint, Posted, SignedNote, matches_line, origin_of
from matchledger.proof.keys import CheckpointError, SigningKey, VerificationKey
from matchledger.proof.merkle import TreeHead, leaf_hash

# The example in the documentation of Go's note package, which first described the form of a note.
GO_KEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
GO_LINE = (
    "\u2014 PeterNeumann "
    "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# The example from the C2SP description of checkpoints.
C2SP_TEXT = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
C2SP_LINE = (
    "\u2014 example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)

ROOT = b64encode(bytes(32)).decode()
KEY = SigningKey("example.org/judges", bytes(32))
OTHER = SigningKey("example.org/judges", bytes([1]) * 32)
CHECKPOINT = Checkpoint(origin_of(UUID(int=7)), TreeHead(3, bytes(32)))

# The most bytes in a QR code of version 15 (77 by 77 modules) at error correction level M (ISO/IEC 18004).
QR_15_M = 412


# -- the form


def test_a_note_signed_by_another_program_verifies() -> None:
    key = VerificationKey.parse(GO_VKEY)
    assert SignedNote.parse(f"{GO_TEXT}\n{GO_LINE}").signers([key]) == [key]


def test_our_signature_equals_the_signature_of_another_program() -> None:
    key = SigningKey.parse(GO_KEY)
    assert key.sign(GO_TEXT) == GO_LINE
    assert str(key.verification) == GO_VKEY
    assert str(key) == GO_KEY


def test_the_example_checkpoint_is_read_and_written_back_unchanged() -> None:
    note = SignedNote.parse(f"{C2SP_TEXT}\n{C2SP_LINE}")
    checkpoint = Checkpoint.parse(note.text)
    assert (checkpoint.origin, checkpoint.head.size) == ("example.com/behind-the-sofa", 20852163)
    assert checkpoint.text == C2SP_TEXT
    assert str(note) == f"{C2SP_TEXT}\n{C2SP_LINE}"


def test_a_checkpoint_contains_the_name_size_and_root_of_the_log_and_the_posted_standings() -> None:
    posted = Posted(round=3, position=2, leaf=bytes(32))
    checkpoint = Checkpoint(origin_of(UUID(int=7)), TreeHead(3, bytes(32)), posted.lines)
    assert checkpoint.text == (
        f"matchledger/00000000-0000-0000-0000-000000000007\n3\n{ROOT}\nround 3\nstandings 2 {ROOT}\n"
    )
    assert Checkpoint.parse(checkpoint.text) == checkpoint


@pytest.mark.parametrize(
    "text",
    [
        f"log\n03\n{ROOT}\n",
        f"log\n+3\n{ROOT}\n",
        f"log\n-3\n{ROOT}\n",
        f"log\n3 \n{ROOT}\n",
        f"log\n\u0663\n{ROOT}\n",
        f"\n3\n{ROOT}\n",
        f"log\n3\n{ROOT}",
        f"log\n3\n{ROOT}\n\n",
        f"log\n3\n{ROOT}\nround 3\n\nstandings\n",
        f"log\n3\n{ROOT[:-2]}B=\n",
        f"log\n3\n{ROOT[4:]}\n",
        "log\n3\n",
        "",
    ],
)
def test_a_malformed_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(CheckpointError, match=r"^this is not a checkpoint: "):
        Checkpoint.parse(text)


@pytest.mark.parametrize(
    ("note", "message"),
    [
        (f"{GO_TEXT}{GO_LINE}", "no blank line stands before the signatures"),
        (f"{GO_TEXT}\n{GO_LINE}".rstrip("\n"), "it ends with a line break and has no other controls"),
        (f"a\tb\n\n{GO_LINE}", "it ends with a line break and has no other controls"),
        (f"\n\n{GO_LINE}", "no blank line stands before the signatures"),
        (f"{GO_TEXT}\n{GO_LINE.replace(chr(0x2014), '-')}", "it has a dash, a name and Base64"),
        (f"{GO_TEXT}\n{GO_LINE.replace('Peter', 'Peter ')}", "it has a dash, a name and Base64"),
        (f"{GO_TEXT}\n{GO_LINE.replace('Peter', 'Peter+')}", "it has a dash, a name and Base64"),
        (f"{GO_TEXT}\n{GO_LINE.replace('=', '')}", "it has a dash, a name and Base64"),
        (f"{GO_TEXT}\n\u2014 PeterNeumann x08gow==\n", "the signature is missing"),
        (f"{GO_TEXT}\n{GO_LINE * 17}", "more than 16 signatures"),
    ],
)
def test_a_malformed_note_is_refused(note: str, message: str) -> None:
    with pytest.raises(CheckpointError, match=re.escape(message)):
        SignedNote.parse(note)


def test_a_note_with_changed_text_has_no_valid_signature() -> None:
    key = VerificationKey.parse(GO_VKEY)
    assert SignedNote.parse(f"{GO_TEXT.replace('know', 'knew')}\n{GO_LINE}").signers([key]) == []


def test_signatures_by_unknown_keys_are_ignored() -> None:
    note = CHECKPOINT.signed(KEY)
    assert note.signers([KEY.verification]) == [KEY.verification]
    assert note.signers([OTHER.verification]) == []
    both = SignedNote.parse(f"{note}{OTHER.sign(CHECKPOINT.text)}")
    assert both.signers([OTHER.verification]) == [OTHER.verification]


def test_a_false_signature_under_the_name_of_a_known_key_invalidates_the_note() -> None:
    false = SignedNote.parse(f"{CHECKPOINT.signed(OTHER)}{KEY.sign('another text')}")
    assert false.signers([OTHER.verification]) == [OTHER.verification]
    assert false.signers([OTHER.verification, KEY.verification]) == []


# -- keys


def test_a_printed_key_hides_its_secret() -> None:
    assert repr(KEY) == "SigningKey('example.org/judges')"
    assert len({str(SigningKey.generate("a")) for _ in range(5)}) == 5


@pytest.mark.parametrize("name", ["", "two words", "a+b", "tab\there", "nul\0", "x" * 49, "\u00e9" * 25])
def test_a_forbidden_key_name_is_refused(name: str) -> None:
    with pytest.raises(CheckpointError, match="cannot name a key: 1 to 48 bytes without spaces and pluses"):
        SigningKey.generate(name)


def test_a_verification_key_with_a_wrong_letter_is_refused() -> None:
    for index, letter in enumerate(GO_VKEY):
        wrong = GO_VKEY[:index] + ("A" if letter != "A" else "B") + GO_VKEY[index + 1 :]
        with pytest.raises(CheckpointError, match="is not a verification key"):
            VerificationKey.parse(wrong)


def test_a_damaged_signing_key_is_refused_and_not_printed() -> None:
    for index in range(len("PRIVATE+KEY+"), len(GO_KEY)):
        wrong = GO_KEY[:index] + ("A" if GO_KEY[index] != "A" else "B") + GO_KEY[index + 1 :]
        with pytest.raises(CheckpointError) as caught:
            SigningKey.parse(wrong)
        assert str(caught.value) == "this signing key is damaged: use a copy, or make a new one"
    with pytest.raises(CheckpointError, match=r"^this is not a signing key: make one with `matchledger key`$"):
        SigningKey.parse(GO_VKEY)


def test_the_key_command_makes_a_file_that_only_its_owner_can_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "judges.key"
    assert run(["key", str(file), "--name", "example.org/judges"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("example.org/judges+")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = file.read_text()
    assert kept.startswith("PRIVATE+KEY+example.org/judges+")
    assert run(["key", str(file)]) == 2
    assert capsys.readouterr().err == f"matchledger: {file} is there already: --show it, or name another file\n"
    assert file.read_text() == kept
    assert run(["key", str(file), "--show"]) == 0
    assert capsys.readouterr() == (shown, "")


def test_a_key_without_a_name_is_named_after_its_file(tmp_path: Path, run_cli: RunCli) -> None:
    assert run_cli("key", str(tmp_path / "warsaw.key")).out.startswith("warsaw+")
    assert run_cli("key", str(tmp_path / "head judge.key"), code=2).err == (
        "matchledger: 'head judge' cannot name a key: 1 to 48 bytes without spaces and pluses, "
        "such as example.org/judges: give a --name\n"
    )
    assert not (tmp_path / "head judge.key").exists()


def test_a_warning_follows_when_others_can_read_a_key(tmp_path: Path, run_cli: RunCli) -> None:
    file = tmp_path / "judges.key"
    file.write_text(f"{KEY}\n")
    file.chmod(0o644)
    assert run_cli("key", str(file), "--show").err == f"note: others can read the key {file}: chmod 600 it\n"


def test_a_file_without_a_key_is_refused_in_one_line(tmp_path: Path, run_cli: RunCli) -> None:
    (tmp_path / "x").write_bytes(b"\xff\xfe")
    for file, message in (
        (tmp_path / "x", f"{tmp_path / 'x'}: this is not a signing key: make one with `matchledger key`"),
        (tmp_path / "y", f"the key {tmp_path / 'y'} cannot be read: No such file or directory"),
    ):
        assert run_cli("key", str(file), "--show", code=2).problem == f"{message}"


# -- signing


def checkpoints(ledger: Path) -> list[tuple[int, CheckpointSigned, Checkpoint]]:
    with open_ledger(ledger) as kept:
        record = kept.record(kept.tournaments()[0])
    return [
        (position, fact, Checkpoint.parse(SignedNote.parse(fact.note).text))
        for position, fact in record.checkpoints
    ]


def test_with_a_key_every_posting_is_followed_by_a_checkpoint(dispute: Dispute) -> None:
    rows = {position: leaf_hash(position, topic, state) for position, topic, state in stored(dispute.ledger)}
    postings = positions(dispute.ledger, "standings-posted")
    found = checkpoints(dispute.ledger)
    assert [position for position, _, _ in found[:-1]] == [position + 1 for position in postings]
    for number, (position, _, checkpoint) in enumerate(found[:-1], 1):
        assert checkpoint.head.size == position - 1
        assert checkpoint.extensions[:-1] == Posted(number, position - 1, rows[position - 1]).lines
        assert checkpoint.matches is not None


def test_each_checkpoint_links_to_the_checkpoint_before(dispute: Dispute) -> None:
    found = checkpoints(dispute.ledger)
    assert [fact.previous for _, fact, _ in found] == [None, *(position for position, _, _ in found[:-1])]
    assert found[0][1].consistency == ()
    assert all(fact.consistency for _, fact, _ in found[1:])


def test_the_checkpoint_command_prints_the_last_note(dispute: Dispute, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["checkpoint", "--ledger", str(dispute.ledger)]) == 0
    shown = capsys.readouterr()
    position, fact, _ = checkpoints(dispute.ledger)[-1]
    assert shown.out == fact.note
    assert shown.err == f"Checkpoint, kept as entry {position}; it verifies with {dispute.vkey}\n"


def test_a_log_that_has_not_grown_is_not_signed_again(dispute: Dispute, tmp_path: Path) -> None:
    ledger = dispute.copied_to(tmp_path)
    assert run(["checkpoint", "--ledger", str(ledger), "--key", str(dispute.key)]) == 0
    assert stored(ledger) == stored(dispute.ledger)


def test_a_posting_that_is_sent_twice_is_signed_once(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = dispute.copied_to(tmp_path)
    post = ["post", "--ledger", str(ledger), "--key", str(dispute.key), "--command-id", "posting-5"]
    assert run(post) == 0
    first = capsys.readouterr().out
    size = len(stored(ledger))
    assert size == len(stored(dispute.ledger)) + 2
    assert run(post) == 0
    assert capsys.readouterr().out == first
    assert len(stored(ledger)) == size


def test_without_a_key_the_log_has_no_checkpoint(tmp_path: Path, run_cli: RunCli) -> None:
    ledger = str(tmp_path / "event.ledger")
    assert run(["open", "Open", "--rulebook", "l5r-2018", "--ledger", ledger]) == 0
    assert (
        run_cli("checkpoint", "--ledger", ledger, code=2).err
        == "matchledger: no checkpoint was signed yet: give a --key to sign one\n"
    )


def test_a_checkpoint_cannot_be_taken_back(dispute: Dispute, run_cli: RunCli) -> None:
    position, _, _ = checkpoints(dispute.ledger)[0]
    assert (
        run_cli("retract", str(position), "--ledger", str(dispute.ledger), code=3).problem.partition(" with ")[0]
        == f"entry {position} (checkpoint signed"
    )


def test_the_log_shows_a_checkpoint_on_one_line(dispute: Dispute, run_cli: RunCli) -> None:
    lines = run_cli("log", "--ledger", str(dispute.ledger)).lines
    assert len(lines) == 1 + len(stored(dispute.ledger))
    assert sum(f"checkpoint signed with {dispute.vkey}" in line for line in lines) == 5


def test_an_altered_log_is_never_signed(dispute: Dispute, tmp_path: Path, run_cli: RunCli) -> None:
    ledger = dispute.copied_to(tmp_path)
    alter(ledger, dispute.slip, lambda text: text.replace('"winner":1', '"winner":3'))
    assert (
        run_cli("post", "--ledger", str(ledger), "--key", str(dispute.key), code=2).problem
        == "entry 43 is recorded. After that: the log was altered, so it proves nothing: run verify"
    )
    assert len(positions(ledger, "checkpoint-signed")) == 5


def test_a_log_rewritten_after_its_last_checkpoint_is_never_signed(
    dispute: Dispute, tmp_path: Path, run_cli: RunCli
) -> None:
    ledger = dispute.copied_to(tmp_path)
    rewrite(ledger, dispute.slip, lambda text: text.replace('"winner":1', '"winner":3'))
    assert (
        run_cli("post", "--ledger", str(ledger), "--key", str(dispute.key), code=2).problem
        == "entry 43 is recorded. After that: the log does not go on from the checkpoint in entry 42: run verify"
    )
    assert len(positions(ledger, "checkpoint-signed")) == 5


def test_the_longest_checkpoint_fits_in_a_qr_code_that_a_phone_can_read_from_paper() -> None:
    longest = Checkpoint(
        origin_of(UUID(int=2**128 - 1)),
        TreeHead(999_999, bytes(32)),
        (*Posted(99, 999_998, bytes(32)).lines, matches_line(bytes(32))),
    ).signed(SigningKey.generate("x" * 48))
    assert len(str(longest).encode()) == 372
    assert len(str(longest).encode()) <= QR_15_M


# -- verifying


def findings(ledger: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    """The findings that `verify` prints."""
    capsys.readouterr()
    assert run(["verify", "--ledger", str(ledger), *options]) == 1
    return capsys.readouterr().out.splitlines()


def test_verify_names_the_keys_behind_an_intact_log(dispute: Dispute, run_cli: RunCli) -> None:
    assert run_cli("verify", "--ledger", str(dispute.ledger)).lines[1] == (
        f"Checkpoints are signed with {dispute.vkey} (not checked with a --vkey)"
    )
    document = run_cli("verify", "--ledger", str(dispute.ledger), "--vkey", dispute.vkey, "--json").document
    assert list(document) == ["size", "root", "keys", "findings", "witnesses"]
    assert (document["keys"], document["findings"]) == ([dispute.vkey], [])


def test_checkpoints_expose_a_log_rewritten_with_its_whole_tree(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = dispute.copied_to(tmp_path)
    rewrite(ledger, dispute.slip, lambda text: text.replace('"winner":1', '"winner":3'))
    first, second, *_ = positions(ledger, "checkpoint-signed")
    posted, signed, *_ = findings(ledger, capsys)
    assert posted.startswith(f"entry {second - 1}: the posted standings after round 2 say 1 Ann Lee")
    assert signed == (
        f"entry {second}: signed another log than the one before it: look at entries {first} to {second - 1}"
    )


def test_the_next_checkpoint_exposes_a_missing_entry_under_a_new_tree(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = dispute.copied_to(tmp_path)
    rows = [row for row in stored(ledger) if row[0] != dispute.slip]
    renumbered = [
        (at, topic, re.sub(rb'"position":\d+', b'"position":%d' % at, state))
        for at, (_, topic, state) in enumerate(rows, 1)
    ]
    replace(ledger, renumbered)
    first, second, *_ = positions(ledger, "checkpoint-signed")
    posted, signed, *_ = findings(ledger, capsys)
    assert posted.startswith(f"entry {second - 1}: the posted standings after round 2 say 1 Ann Lee")
    assert signed == (
        f"entry {second}: signed another log than the one before it: look at entries {first} to {second - 1}"
    )


def test_printed_standings_expose_a_log_shortened_with_its_tree_and_checkpoints(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "paper.txt"
    paper.write_text(checkpoints(dispute.ledger)[-1][1].note, encoding="utf-8")
    ledger = dispute.copied_to(tmp_path)
    replace(ledger, stored(ledger)[: dispute.correction - 1])
    assert run(["verify", "--ledger", str(ledger), "--vkey", dispute.vkey]) == 0
    assert findings(ledger, capsys, "--checkpoint", str(paper), "--vkey", dispute.vkey) == [
        (
            f"entry {dispute.restored}: the log ends with entry {dispute.correction - 1}, "
            f"and once had {dispute.restored}"
        )
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_printed_checkpoint_is_read_with_any_line_endings(
    dispute: Dispute, tmp_path: Path, end: str, run_cli: RunCli
) -> None:
    paper = tmp_path / "paper.txt"
    note = checkpoints(dispute.ledger)[1][1].note
    paper.write_bytes((note.replace("\n", end) if end else note.rstrip("\n")).encode())
    options = ["--checkpoint", str(paper), "--vkey", dispute.vkey]
    assert run_cli("verify", "--ledger", str(dispute.ledger), *options).out.startswith("42 entries, none altered.")


def test_without_a_signature_an_outside_checkpoint_proves_nothing(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = tmp_path / "paper.txt"
    paper.write_text(str(CHECKPOINT.signed(OTHER)), encoding="utf-8")
    options = ["--checkpoint", str(paper), "--vkey"]
    assert findings(dispute.ledger, capsys, *options, dispute.vkey) == [
        "entry 3: the checkpoint from outside is not signed with the key given: it proves nothing"
    ]
    by_other = findings(dispute.ledger, capsys, *options, str(OTHER.verification))
    assert by_other[0] == (
        "entry 3: the checkpoint from outside is about another log, "
        "matchledger/00000000-0000-0000-0000-000000000007"
    )


def test_an_outside_checkpoint_needs_a_key_and_the_right_form(
    dispute: Dispute, tmp_path: Path, run_cli: RunCli
) -> None:
    paper = tmp_path / "paper.txt"
    paper.write_text("nothing")
    ledger = ["verify", "--ledger", str(dispute.ledger)]
    missing = tmp_path / "missing.txt"
    for options, message in (
        (["--checkpoint", str(paper)], "without the key of who signed it: give its --vkey"),
        (["--checkpoint", str(paper), "--vkey", dispute.vkey], "no blank line stands before the signatures"),
        (["--checkpoint", str(missing), "--vkey", dispute.vkey], "cannot be read: No such file or directory"),
        (["--vkey", "judges"], "'judges' is not a verification key: it is NAME+ID+BASE64"),
        (["--head", "judges"], "'judges' is not a tree head: write SIZE:ROOT, as on posted standings"),
    ):
        error = run_cli(*ledger, *options, code=2).err
        assert message in error
        assert error.count("\n") == 1


def test_the_key_of_the_organizer_exposes_the_checkpoints_of_strangers(
    dispute: Dispute, capsys: pytest.CaptureFixture[str]
) -> None:
    found = findings(dispute.ledger, capsys, "--vkey", str(OTHER.verification))
    assert found == [
        f"entry {position}: its checkpoint is not signed with any of the keys given"
        for position in positions(dispute.ledger, "checkpoint-signed")
    ]


def test_a_changed_checkpoint_is_found_even_in_a_rebuilt_tree(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, second, third, *_ = positions(dispute.ledger, "checkpoint-signed")
    first_proof = checkpoints(dispute.ledger)[2][1].consistency[0]
    for number, (old, new, message) in enumerate(
        (
            ('"previous":23', '"previous":16', "its checkpoint is not tied to the one before it"),
            (first_proof, ROOT, f"its checkpoint does not go on from the one in entry {second}"),
            (first_proof, "?", f"its checkpoint does not go on from the one in entry {second}"),
            ("round 3", "round 4", "its checkpoint is not signed with the key that it names"),
            (dispute.vkey, str(KEY.verification), "its checkpoint is not signed with the key that it names"),
            (dispute.vkey, "nobody", "its checkpoint is not signed with the key that it names"),
            ("\u2014", "-", "holds a checkpoint that cannot be read"),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        ledger = dispute.copied_to(folder)
        rewrite(ledger, third, lambda text, old=old, new=new: text.replace(old, new))  # type: ignore[misc] # bound
        assert f"entry {third}: {message}" in findings(ledger, capsys), (old, new)


def test_a_checkpoint_signed_with_the_right_key_for_other_standings_is_found(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = dispute.copied_to(tmp_path)
    key = SigningKey.parse(dispute.key.read_text())
    position, fact, checkpoint = checkpoints(ledger)[0]
    for extensions, origin, message in (
        ((), checkpoint.origin, "its checkpoint does not cover the standings that were posted last"),
        (checkpoint.extensions, "other", "its checkpoint is about another log, other"),
    ):
        resigned = json.dumps(str(Checkpoint(origin, checkpoint.head, extensions).signed(key)), ensure_ascii=False)
        kept = json.dumps(fact.note, ensure_ascii=False)
        rewrite(ledger, position, lambda text: text.replace(kept, resigned))  # noqa: B023 - called at once
        assert f"entry {position}: {message}" in findings(ledger, capsys)
        rewrite(ledger, position, lambda text: text.replace(resigned, kept))  # noqa: B023 - called at once


def test_an_unreadable_entry_is_found_and_named(
    dispute: Dispute, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = dispute.copied_to(tmp_path)
    rewrite(ledger, dispute.slip, lambda text: text.replace('"winner":1', '"winner":"Ann"'))
    found = findings(ledger, capsys)
    assert found[0].startswith(f"entry {dispute.slip}: cannot be read: fact.result-reported.slip.winner")


def test_verify_accepts_a_tree_head(dispute: Dispute, capsys: pytest.CaptureFixture[str]) -> None:
    with open_ledger(dispute.ledger) as kept:
        tournament = kept.tournaments()[0]
        head = kept.head(tournament, dispute.slip)
        assert verify(kept, tournament, known=head) == []
    wrong = TreeHead(head.size, bytes(32))
    assert findings(dispute.ledger, capsys, "--head", str(wrong)) == [
        f"entry {dispute.slip}: the log up to here does not match the known tree head"
    ]


def test_the_checkpoint_in_the_documentation_verifies() -> None:
    page = (Path(__file__).parents[2] / "docs" / "checkpoints.md").read_text("utf-8")
    shown = dict(re.findall(r"<!-- (.*?) -->\n```\n(.*?)```\n", page, flags=re.DOTALL))
    note, key = SignedNote.parse(shown["a checkpoint"]), VerificationKey.parse(shown["its key"])
    assert note.signers([key]) == [key]
    assert Checkpoint.parse(note.text).head.size == 37
