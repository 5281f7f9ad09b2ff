"""Witnesses: their cosignatures in the log, and a log that was rolled back."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen
from uuid import UUID

import pytest
from tests.audit.scripted_dispute import rewrite
from tests.web.chromium import serving

from matchledger.cli import run
from matchledger.ledger import open_ledger
from matchledger.proof.checkpoint import Checkpoint, SignedNote
from matchledger.proof.keys import CheckpointError, SigningKey, VerificationKey, to_base64
from matchledger.proof.merkle import TreeHead
from matchledger.proof.witness import MOST_HASHES, Submission, sighting
from matchledger.service.witnessing import Witness
from matchledger.web.security import LARGEST_OF_A_STRANGER
from matchledger.web.settings import Settings
from matchledger.web.witness import TIMES, create_witness

VERIFIER = Path(__file__).parents[2] / "docs" / "verify.py"
JUDGES, WITNESS = SigningKey("example.org/judges", bytes(32)), SigningKey("example.net/w1", bytes([1]) * 32)
VKEY, WKEY = str(JUDGES.verification), str(WITNESS.of_witness)
SHEET = "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\n"


@dataclass
class Desk:
    """A ledger, and the folder of a witness."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def ledger(self) -> Path:
        return self.folder / "event.ledger"

    def run(self, *words: str, code: int = 0) -> str:
        """Return what a command on the ledger prints."""
        self.capsys.readouterr()
        assert run([*words, "--ledger", str(self.ledger)]) == code, self.capsys.readouterr().err
        printed = self.capsys.readouterr()
        return printed.out + printed.err

    def sign(self, *more: str) -> Path:
        """Make a new checkpoint in a file."""
        self.run("news", "Lunch")
        self.capsys.readouterr()
        assert run(["checkpoint", "--key", str(self.folder / "j.key"), *more, "--ledger", str(self.ledger)]) == 0
        (file := self.folder / "checkpoint.txt").write_text(self.capsys.readouterr().out, "utf-8")
        return file

    def witness(self, source: Path | str, *more: str, code: int = 0) -> str:
        """Return what the witness prints on stdout, and write the output to a file for other commands."""
        self.capsys.readouterr()
        ended = run(["witness", str(source), "--key", str(self.folder / "w.key"), "--vkey", VKEY, *more])
        printed = self.capsys.readouterr()
        assert ended == code, printed.err
        (self.folder / "cosigned.txt").write_text(printed.out, "utf-8")
        return printed.out + (printed.err if code else "")

    def keep(self, source: str | None = None, *, code: int = 0) -> str:
        return self.run("witnessed", source or str(self.folder / "cosigned.txt"), "--vkey", WKEY, code=code)


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    for name, key in (("j.key", JUDGES), ("w.key", WITNESS)):
        (tmp_path / name).write_text(f"{key}\n")
        (tmp_path / name).chmod(0o600)
    (tmp_path / "event.sheet").write_text(SHEET)
    made = Desk(tmp_path, capsys)
    made.run("import", str(tmp_path / "event.sheet"))
    return made


def head_size(note: str) -> int:
    return Checkpoint.parse(SignedNote.parse(note).text).head.size


# -- the form


def test_a_cosignature_signs_the_time_and_the_text_with_the_key_id_of_a_witness() -> None:
    text = "log\n3\nAAAA\n"
    note = SignedNote.parse(f"{text}\n{WITNESS.cosign(text, 1679315147)}")
    [line] = note.signatures
    assert line.signature[:8] == (1679315147).to_bytes(8, "big")
    assert WITNESS.verification.verifies(f"cosignature/v1\ntime 1679315147\n{text}", line.signature[8:])
    assert note.signers([WITNESS.of_witness]) == [WITNESS.of_witness]
    assert note.signers([WITNESS.verification]) == [], "the other type of key has another id"


def test_the_key_of_a_witness_is_read_only_where_a_witness_is_expected() -> None:
    with pytest.raises(CheckpointError, match="is not a verification key"):
        VerificationKey.parse(WKEY)
    with pytest.raises(CheckpointError, match="is not a verification key"):
        VerificationKey.parse(VKEY, types=(b"\x04",))


def test_a_submission_is_read_and_written_as_an_add_checkpoint_request() -> None:
    note = SignedNote.parse(f"log\n3\nAAAA\n\n{JUDGES.sign('log')}")
    submission = Submission(2, (bytes(32), bytes([1]) * 32), note)
    assert str(submission).startswith("old 2\nAAAAAAAAAAA")
    assert Submission.parse(str(submission)) == submission
    for text in (
        str(submission).replace("old 2", "old x"),
        str(submission).replace("old 2", "old 02"),
        str(Submission(2, (bytes(32),) * (MOST_HASHES + 1), note)),
    ):
        with pytest.raises(CheckpointError):
            Submission.parse(text)


def test_a_cosignature_with_an_impossible_time_is_ignored() -> None:
    text = Checkpoint.parse("log\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n").text
    assert sighting(SignedNote.parse(f"{text}\n{WITNESS.cosign(text, 5)}"), WITNESS.of_witness) is not None
    assert sighting(SignedNote.parse(f"{text}\n{WITNESS.cosign(text, 2**62)}"), WITNESS.of_witness) is None


# -- a witness with files


def test_a_witness_cosigns_and_the_ledger_says_what_the_witness_saw_and_when(desk: Desk) -> None:
    cosigned = desk.witness(desk.sign())
    assert "cosigned with example.net/w1" in desk.keep()
    said = desk.run("verify", "--vkey", VKEY, "--vkey", WKEY)
    assert f"Witness {WKEY} saw entries 1 to {head_size(cosigned)} at 20" in said
    assert "not checked" not in said
    assert "(not checked with a --vkey)" in desk.run("verify", "--vkey", VKEY)
    assert desk.keep(code=3).startswith("matchledger: example.net/w1 cosigned this checkpoint already: entry ")


def test_verify_reports_a_witness_who_saw_nothing(desk: Desk) -> None:
    assert "cosigned no checkpoint of this log" in desk.run("verify", "--vkey", WKEY, code=1)


def test_a_later_checkpoint_needs_a_proof_that_it_extends_the_log_that_the_witness_saw(desk: Desk) -> None:
    size = head_size(desk.witness(desk.sign()))
    assert f"a proof from entry {size} is needed, and this one begins at 0" in desk.witness(desk.sign(), code=2)
    assert head_size(desk.witness(desk.sign("--since", str(size)))) > size


@pytest.mark.parametrize("since", [True, False])
def test_a_rolled_back_log_is_not_cosigned(desk: Desk, since: bool) -> None:
    old = desk.ledger.read_bytes()
    desk.run("news", "one")
    desk.run("news", "two")
    size = head_size(desk.witness(desk.sign()))
    kept = next((desk.folder / "w.key.seen").iterdir())
    desk.ledger.write_bytes(old)
    for _ in range(5 if since else 0):
        desk.run("news", "other")
    said = desk.witness(desk.sign("--since", str(size)), code=1)
    assert said.startswith("ROLLED BACK OR REWRITTEN: ")
    assert (f"the first {size} of" if since else f"you saw {size} entries, and the checkpoint has") in said
    assert head_size(kept.read_text("utf-8")) == size, "the evidence is kept"
    assert desk.run("verify", "--checkpoint", str(kept), "--vkey", VKEY, code=1)


def test_the_checkpoint_of_a_stranger_is_not_cosigned(desk: Desk) -> None:
    file = desk.sign()
    (desk.folder / "j.key").write_text(f"{SigningKey('example.org/judges', bytes([2]) * 32)}\n")
    assert "not signed with the key given" in desk.witness(desk.sign(), code=2)
    assert not (desk.folder / "w.key.seen").exists()
    assert desk.witness(file, "--seen", str(desk.folder / "elsewhere"), code=2)


def test_a_false_cosignature_is_not_kept(desk: Desk) -> None:
    cosigned = desk.witness(desk.sign())
    size = head_size(cosigned)
    (desk.folder / "cosigned.txt").write_text(cosigned.replace(f"\n{size}\n", f"\n{size + 1}\n"), "utf-8")
    assert "example.net/w1 did not cosign this checkpoint" in desk.keep(code=3)
    (desk.folder / "cosigned.txt").write_text(cosigned.partition("\u2014 example.net")[0], "utf-8")
    assert "example.net/w1 did not cosign this checkpoint" in desk.keep(code=3)


def test_the_cosignature_of_another_log_is_refused(desk: Desk, tmp_path: Path) -> None:
    text = "matchledger/another\n3\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
    (tmp_path / "cosigned.txt").write_text(f"{text}\n{WITNESS.cosign(text, 1)}", "utf-8")
    assert "this checkpoint is not one of this log" in desk.keep(code=3)


def test_an_altered_cosignature_is_named(desk: Desk) -> None:
    desk.witness(desk.sign())
    desk.keep()
    with open_ledger(desk.ledger) as ledger:
        [tournament] = ledger.tournaments()
        position, fact = ledger.record(tournament).cosignatures[-1]
    false = str(SigningKey("example.net/w1", bytes([3]) * 32).of_witness)
    rewrite(desk.ledger, position, lambda text: text.replace(fact.key, false))
    said = desk.run("verify", code=1)
    assert f"entry {position}: holds a cosignature that its witness did not make" in said


# -- dispute files


def test_a_dispute_file_says_how_much_each_witness_saw(desk: Desk) -> None:
    size = head_size(desk.witness(desk.sign()))
    desk.keep()
    desk.run("bundle", "1", "1", "-o", str(desk.folder / "b.json"), "--key", str(desk.folder / "j.key"))
    text = (desk.folder / "b.json").read_text("utf-8")
    assert verified(desk.folder, text)[0] == 0
    code, said = verified(desk.folder, text, "--witness", WKEY)
    assert code == 0
    assert f"Witness example.net/w1 saw entries 1 to {size} at 20" in said
    other = str(SigningKey("example.net/w2", bytes(32)).of_witness)
    assert verified(desk.folder, text, "--witness", other)[1].startswith("DOES NOT HOLD: witness example.net/w2")
    false = str(SigningKey("example.net/w1", bytes(32)).of_witness)
    assert verified(desk.folder, text, "--witness", false)[0] == 1
    bundle = json.loads(text)
    [note] = [one for one in bundle["checkpoints"] if "example.net/w1" in one["note"]]
    note["note"] = note["note"].replace("\u2014 example.net/w1 ", "\u2014 example.net/w1 A")[:-5] + "=\n"
    assert verified(desk.folder, json.dumps(bundle, indent=1) + "\n", "--witness", WKEY)[0] == 1
    note["note"] = note["note"].partition("\u2014 example.net/w1")[0]
    said = verified(desk.folder, json.dumps(bundle, indent=1) + "\n")[1]
    assert said.startswith("DOES NOT HOLD: cosignatures are missing or were added")


def verified(folder: Path, text: str, *more: str) -> tuple[int, str]:
    """Return the exit code and the output of docs/verify.py."""
    (file := folder / "given.json").write_text(text, "utf-8")
    words = [sys.executable, str(VERIFIER), str(file), "--vkey", VKEY, *more]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    return ended.returncode, ended.stdout


# -- a witness with the address of the event


def test_a_witness_reads_the_public_page_and_sends_back_a_cosignature(desk: Desk) -> None:
    with serving(desk.ledger, Settings(watch_seconds=0.05, key="desk-key")) as address:
        with open_ledger(desk.ledger) as ledger:
            [tournament] = ledger.tournaments()
            page = f"{address}t/{tournament}/"
        assert "no checkpoint was signed yet" in desk.witness(page, code=2)

        def noticed() -> int:
            """Return the size of the log that the server reports. The server repeats an old answer until it looks
            at the log again.
            """
            with urlopen(f"{address}api/tournaments/{tournament}/consistency?earlier=1") as answer:  # noqa: S310 - own server
                return int(json.load(answer)["size"])

        def signed() -> None:
            before = noticed()
            desk.sign()
            while noticed() == before:
                time.sleep(0.02)

        signed()
        size = head_size(desk.witness(page, "--token", "desk-key"))
        signed()
        assert head_size(desk.witness(f"{page}standings", "--token", "desk-key")) > size
        assert "refuses" in desk.witness(page, "--token", "no-key", code=2)
    assert desk.run("verify", "--vkey", WKEY).count(f"Witness {WKEY} saw") == 2


def test_a_witness_notices_that_a_server_rolled_its_log_back(desk: Desk) -> None:
    old = desk.ledger.read_bytes()
    desk.sign()
    with open_ledger(desk.ledger) as ledger:
        page = f"t/{ledger.tournaments()[0]}/"
    with serving(desk.ledger) as address:
        desk.witness(f"{address}{page}")
    desk.ledger.write_bytes(old)
    with serving(desk.ledger) as address:
        assert desk.witness(f"{address}{page}", code=1).startswith("ROLLED BACK OR REWRITTEN: you saw ")


# -- a witness as a server


def added(address: str, body: str) -> tuple[int, str, str]:
    """Return the status, the type and the text of the answer to `add-checkpoint`."""
    try:
        with urlopen(f"{address}add-checkpoint", body.encode()) as answer:  # noqa: S310 - own server
            return answer.status, answer.headers.get_content_type(), answer.read().decode()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.headers.get_content_type(), refused.read().decode()


def test_a_server_cosigns_a_log_that_extends_the_one_it_saw(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    witness = Witness(WITNESS, [JUDGES.verification], desk.folder / "seen")
    first = desk.sign().read_text("utf-8")
    size = head_size(first)
    later = desk.sign("--since", str(size)).read_text("utf-8")
    hash_ = later.split("\n")[1]
    false = later.replace(hash_, to_base64(bytes(32)))
    forged = Checkpoint(f"matchledger/{UUID(int=1)}", TreeHead(3, bytes(32)))
    twice = Checkpoint(Checkpoint.parse(SignedNote.parse(first).text).origin, TreeHead(size, bytes(32)))
    stranger = SigningKey("example.org/judges", bytes([2]) * 32)
    with serving(desk.ledger, app=create_witness(witness)) as address:
        assert added(address, f"old {size + 1}\n\n{first}")[0] == 400
        assert added(address, "old 0\n\nno note")[0] == 400
        assert added(address, f"old 0\n\n{Checkpoint('other', forged.head).signed(JUDGES)}")[0] == 404
        assert added(address, f"old 0\n\n{forged.signed(stranger)}")[0] == 403
        assert added(address, later)[::2] == (409, "0\n"), "it saw nothing yet"
        assert added(address, f"old 0\n{hash_}\n\n{first}")[0] == 422
        assert not witness.folder.exists()

        status, _, line = added(address, f"old 0\n\n{first}")
        assert status == 200
        assert sighting(SignedNote.parse(first + line), WITNESS.of_witness) is not None
        assert added(address, f"old 0\n\n{first}") == (409, "text/x.tlog.size", f"{size}\n")
        assert added(address, f"old {size}\n\n{twice.signed(JUDGES)}")[0] == 409
        assert f"SIGNED TWO LOGS of {size} entries" in capsys.readouterr().err
        assert added(address, false)[0] == 422
        assert head_size(next(witness.folder.iterdir()).read_text("utf-8")) == size

        status, _, line = added(address, later)
        assert status == 200
        assert (
            witness.seen(twice.origin) == Checkpoint.parse(SignedNote.parse(later.partition("\n\n")[2]).text).head
        )
        assert added(address, "x" * (LARGEST_OF_A_STRANGER + 1))[0] == 413
        assert [added(address, "x")[0] for _ in range(TIMES)][-1] == 429
    desk.folder.joinpath("cosigned.txt").write_text(later.partition("\n\n")[2] + line, "utf-8")
    assert "cosigned with example.net/w1" in desk.keep()


def test_the_organizer_gets_a_cosignature_from_the_server_of_a_witness(desk: Desk) -> None:
    witness = Witness(WITNESS, [JUDGES.verification], desk.folder / "seen")
    with serving(desk.ledger, app=create_witness(witness)) as address:
        assert "no checkpoint was signed yet" in desk.keep(address, code=2)
        desk.sign()
        assert "cosigned with example.net/w1" in desk.keep(address)
        old = desk.ledger.read_bytes()
        size = head_size(desk.sign().read_text("utf-8"))
        assert "cosigned with example.net/w1" in desk.keep(address), "it proves that the log only grew"
        assert f"Witness {WKEY} saw entries 1 to {size} at 20" in desk.run("verify", "--vkey", WKEY)
        desk.ledger.write_bytes(old)
        lost = "ROLLED BACK OR REWRITTEN: "
        assert desk.keep(address, code=1).startswith(f"{lost}{address} saw {size} entries, and")
        desk.run("drop", "A")
        desk.run("checkpoint", "--key", str(desk.folder / "j.key"))
        assert desk.keep(address, code=1).startswith(f"{lost}{address} saw another log of {size} entries")
        desk.sign()
        assert desk.keep(address, code=1).startswith(f"{lost}the first {size} of ")
        (desk.folder / "j.key").write_text(f"{SigningKey('example.org/judges', bytes([2]) * 32)}\n")
        desk.sign()
        assert "not signed with a key that this witness knows" in desk.keep(address, code=2)
    assert "add-checkpoint does not answer: " in desk.keep(address, code=2)
