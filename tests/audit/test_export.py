"""Export and import: a whole log becomes JSON Lines and comes back byte for byte."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.audit.scripted_dispute import Dispute, alter, stored
from tests.desk import RunCli

from matchledger.cli import run
from matchledger.evidence.export import read_export
from matchledger.formats.text import FormatError
from matchledger.ledger import open_ledger

Lines = list[dict[str, Any]]


def head_of(ledger: Path) -> str:
    with open_ledger(ledger) as kept:
        return str(kept.head(kept.tournaments()[0]))


def exported(ledger: Path, folder: Path) -> Path:
    file = folder / "event.jsonl"
    assert run(["export", str(file), "--ledger", str(ledger)]) == 0
    return file


@pytest.fixture
def file(dispute: Dispute, tmp_path: Path) -> Path:
    """The dispute, exported."""
    return exported(dispute.ledger, tmp_path)


def lines_of(file: Path) -> Lines:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n")[:-1]]


def test_an_exported_log_is_imported_byte_for_byte_with_its_tree_head(
    dispute: Dispute, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.ledger"
    capsys.readouterr()
    assert run(["import", str(file), "--ledger", str(copy)]) == 0
    head = head_of(dispute.ledger)
    assert capsys.readouterr().out == f"42 entries under l5r-2018, as exported. Tree head {head}\n"
    assert stored(copy) == stored(dispute.ledger)
    assert head_of(copy) == head
    assert run(["verify", "--ledger", str(copy), "--vkey", dispute.vkey, "--head", head]) == 0
    said = capsys.readouterr().out
    assert f"Entries 1 to {head.partition(':')[0]} match the tree head {head}." in said
    (tmp_path / "again").mkdir()
    assert exported(copy, tmp_path / "again").read_bytes() == file.read_bytes()


def test_each_exported_line_is_the_stored_entry(dispute: Dispute, file: Path) -> None:
    header, *lines = lines_of(file)
    size, root = head_of(dispute.ledger).split(":")
    with open_ledger(dispute.ledger) as kept:
        [tournament] = kept.tournaments()
    assert header == {
        "format": "matchledger-export/1",
        "tournament": str(tournament),
        "size": int(size),
        "root": root,
        "secret": None,
    }
    assert [(line["position"], line["topic"], line["stored"].encode()) for line in lines] == stored(dispute.ledger)
    assert all(line.keys() == {"position", "topic", "stored"} for line in lines)


def test_names_in_every_script_survive_an_export(tmp_path: Path) -> None:
    ledger, copy = tmp_path / "event.ledger", tmp_path / "copy.ledger"
    assert run(["open", 'Z\u00f6e \U0001f3c6 "quoted" \\ Open', "-b", "l5r-2018", "-l", str(ledger)]) == 0
    assert run(["register", "\u674e\u5c0f\u9f99", "-l", str(ledger), "--reason", "two\u2028lines\x85 \x7f"]) == 0
    assert run(["import", str(exported(ledger, tmp_path)), "--ledger", str(copy)]) == 0
    assert stored(copy) == stored(ledger)


def test_a_restored_copy_can_continue_the_event_and_its_hash_tree(
    dispute: Dispute, file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.ledger"
    assert run(["import", str(file), "--ledger", str(copy)]) == 0
    assert run(["post", "--ledger", str(copy), "--key", str(dispute.key)]) == 0
    assert run(["verify", "--ledger", str(copy), "--vkey", dispute.vkey]) == 0
    assert len(stored(copy)) == len(stored(dispute.ledger)) + 2


def test_an_export_has_the_secret_only_after_the_close(tmp_path: Path, run_cli: RunCli) -> None:
    ledger = tmp_path / "event.ledger"
    assert run(["open", "Open", "-b", "l5r-2018", "-l", str(ledger)]) == 0
    with open_ledger(ledger) as kept:
        secret = kept.secret(kept.tournaments()[0]).hex()
    running = exported(ledger, tmp_path)
    assert lines_of(running)[0]["secret"] is None
    assert secret not in running.read_text()
    copy = str(tmp_path / "running.ledger")
    assert run(["import", str(running), "--ledger", copy]) == 0
    assert (
        run_cli("close", "--yes", "--ledger", copy, code=2).problem
        == "this ledger does not hold the secret of the tournament, so it cannot draw or close"
    )
    running.unlink()
    assert run(["close", "--yes", "-l", str(ledger), "--reason", "short"]) == 0
    closed = exported(ledger, tmp_path)
    assert lines_of(closed)[0]["secret"] == secret
    copy = str(tmp_path / "closed.ledger")
    assert run(["import", str(closed), "--ledger", copy]) == 0
    with open_ledger(copy) as kept:
        assert kept.secret(kept.tournaments()[0]).hex() == secret


def test_a_dash_exports_to_stdout(dispute: Dispute, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["export", "-", "--ledger", str(dispute.ledger)]) == 0
    shown = capsys.readouterr()
    assert shown.out == file.read_text("utf-8")
    assert shown.err.splitlines() == [
        f"-: 42 entries, tree head {head_of(dispute.ledger)}",
        "note: names and deck lists are sealed in it, without their keys: see --with-names",
    ]


# -- refusals


def test_an_altered_log_is_not_exported(dispute: Dispute, tmp_path: Path, run_cli: RunCli) -> None:
    ledger, output = dispute.copied_to(tmp_path), tmp_path / "event.jsonl"
    alter(ledger, dispute.slip, lambda text: text.replace('"winner":1', '"winner":3'))
    assert (
        run_cli("export", str(output), "--ledger", str(ledger), code=2).problem
        == "the log was altered, so it proves nothing: run verify"
    )
    assert not output.exists()


def test_a_log_that_lacks_its_last_hash_is_neither_exported_nor_copied(
    dispute: Dispute, tmp_path: Path, run_cli: RunCli
) -> None:
    ledger, export, other = dispute.copied_to(tmp_path), tmp_path / "event.jsonl", tmp_path / "other.ledger"
    with closing(sqlite3.connect(ledger)) as database, database:
        database.execute("DROP TRIGGER merkle_tree_no_delete")
        database.execute("DELETE FROM merkle_tree WHERE originator_version = 42")
    for command in (("export", str(export), "--ledger", str(ledger)), ("migrate", str(ledger), str(other))):
        assert run_cli(*command, code=2).problem.endswith("entry 42 has no hash: run verify"), command
    assert not export.exists()
    assert not other.exists()


def test_an_existing_file_is_never_overwritten(dispute: Dispute, file: Path, run_cli: RunCli) -> None:
    before = file.read_bytes()
    assert (
        run_cli("export", str(file), "--ledger", str(dispute.ledger), code=2).err
        == f"matchledger: {file} is there already: name another file\n"
    )
    assert file.read_bytes() == before


def test_an_export_can_be_imported_only_into_a_new_ledger(
    dispute: Dispute, file: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    ledger = dispute.copied_to(tmp_path)
    assert (
        run_cli("import", str(file), "--ledger", str(ledger), "--format", "jsonl", code=2).problem
        == f"{ledger} holds a tournament already: import into a new ledger"
    )
    assert stored(ledger) == stored(dispute.ledger)


def changed(number: int, **values: object) -> Callable[[Lines], None]:
    return lambda lines: lines[number].update(values)


def without(number: int, name: str) -> Callable[[Lines], None]:
    return lambda lines: lines[number].pop(name)


STORED = "\ud800"
HEAD = "the file was changed or cut"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines.pop(), HEAD),
        (lambda lines: lines.pop(20), "line 21: entry 21 stands where entry 20 should"),
        (lambda lines: lines.insert(20, lines[20]), "line 22: entry 20 stands where entry 21 should"),
        (
            lambda lines: lines.reverse(),
            "line 1: this is not a line of an export: it should have format, tournament",
        ),
        (changed(18, stored="{}"), HEAD),
        (changed(18, topic="result-corrected"), HEAD),
        (changed(18, topic="x" * 1001), "line 19: the topic is longer than any kind of fact"),
        (changed(18, stored=STORED), "line 19: the entry is not Unicode text"),
        (changed(18, position=True), "line 19: position is not of the right form"),
        (changed(18, stored=None), "line 19: stored is not of the right form"),
        (
            changed(18, verdict="A"),
            "line 19: this is not a line of an export: it should have position, topic, stored",
        ),
        (without(18, "topic"), "line 19: this is not a line of an export: it should have position, topic, stored"),
        (changed(0, root="0" * 64), HEAD),
        (
            changed(0, root="0" * 62),
            "line 1: the tournament, the tree head, the secret or a key is not of the right form",
        ),
        (changed(0, size=41), HEAD),
        (changed(0, size="42"), "line 1: size is not of the right form"),
        (
            changed(0, tournament="x"),
            "line 1: the tournament, the tree head, the secret or a key is not of the right form",
        ),
        (
            changed(0, tournament=str(UUID(int=1))),
            "line 2: entry 1 it holds entry 1 (tournament-opened): rows were",
        ),
        (changed(0, secret="00" * 32), "line 1: this secret does not belong to the tournament"),
        (
            changed(0, format="matchledger-export/3"),
            "line 1: this is 'matchledger-export/3', and only matchledger-",
        ),
        (
            changed(0, format="matchledger-export/2"),
            "line 1: this is not a line of an export: it should have format, tournament, size, root, secret, keys",
        ),
    ],
)
def test_a_changed_export_is_refused_as_a_whole(
    file: Path, tmp_path: Path, change: Callable[[Lines], None], message: str, run_cli: RunCli
) -> None:
    lines = lines_of(file)
    change(lines)
    broken, ledger = tmp_path / "broken.jsonl", tmp_path / "new.ledger"
    broken.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    error = run_cli("import", str(broken), "--ledger", str(ledger), "--format", "jsonl", code=2).err
    assert message in error
    assert error.count("\n") == 1
    assert not ledger.exists()


def test_a_single_changed_letter_of_an_entry_is_found(file: Path) -> None:
    """The test changes every eleventh letter after the first line; another test covers the first line."""
    data = file.read_bytes()
    read_export(data)
    for index in range(data.index(b"\n"), len(data), 11):
        other = b"x" if data[index : index + 1] != b"x" else b"y"
        with pytest.raises(FormatError):
            read_export(data[:index] + other + data[index + 1 :])


def test_a_file_that_ends_too_early_is_refused(file: Path) -> None:
    data = file.read_bytes()
    with pytest.raises(FormatError, match=r"^line 43: the last line has no end: the file was cut$"):
        read_export(data[:-1])
    with pytest.raises(FormatError, match=HEAD):
        read_export(data[: data.rindex(b"\n", 0, -1) + 1])


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\n", b"[" * 100_000 + b"\n", b"[]\n", b"1\n", b'"a"\n'])
def test_a_file_that_is_no_export_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^line 1: this is not a line of an export"):
        read_export(data)


def test_the_error_names_a_missing_file(tmp_path: Path, run_cli: RunCli) -> None:
    missing = tmp_path / "missing.jsonl"
    for options in ([], ["--format", "jsonl"]):
        assert (
            run_cli("import", str(missing), "--ledger", str(tmp_path / "new.ledger"), *options, code=2).err
            == f"matchledger: {missing} cannot be read: No such file or directory\n"
        )


def test_check_refuses_an_export_and_suggests_import(file: Path, run_cli: RunCli) -> None:
    assert (
        run_cli("check", str(file), code=2).problem
        == f"{file} is an export, which holds no numbers of others: import it, and verify the ledger"
    )


def test_the_example_code_in_the_documentation_reads_an_export(
    dispute: Dispute, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "export.md").read_text("utf-8")
    [snippet] = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    monkeypatch.chdir(file.parent)
    found: dict[str, Any] = {}
    exec(snippet, found)  # noqa: S102 - our own page
    assert [entry["position"] for entry in found["entries"]] == list(range(1, 43))
    assert found["entries"][dispute.slip - 1]["fact"]["kind"] == "result-reported"


@pytest.mark.finding("A-12")
@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("export out --with-names", "0o600"),
        ("bundle 1 1 --out out", "0o600"),
        ("bundle 1 1 --out out --numbers-only", "0o666"),
    ],
)
def test_only_the_owner_of_the_file_can_read_an_export_or_a_dispute_file_with_keys(
    dispute: Dispute, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, mode: str
) -> None:
    """Anybody who can read the file sees the names in it."""
    monkeypatch.chdir(tmp_path)
    before = os.umask(0)
    assert run([*words.split(), "--ledger", str(dispute.ledger), "--role", "organizer", "--reason", "asked"]) == 0
    os.umask(before)
    assert oct((tmp_path / "out").stat().st_mode & 0o777) == mode
