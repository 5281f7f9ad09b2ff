"""docs/verify.py: how a reader who has only the dispute file can check it."""

from __future__ import annotations

import ast
import importlib.util
import itertools
import json
import runpy
import sqlite3
import string
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict
from tests.audit.scripted_dispute import Dispute, stored
from tests.budgets import at_length

from matchledger.cli import run
from matchledger.evidence.dispute_file import entries_about
from matchledger.evidence.export import export_lines
from matchledger.ledger import open_ledger
from matchledger.ledger.recorder import EntryRow
from matchledger.ledger.tree import Tree
from matchledger.proof.checkpoint import Checkpoint, SignedNote
from matchledger.proof.keys import SigningKey, to_base64
from matchledger.proof.match_map import Match
from matchledger_projections.record.record import Record

PAGE = Path(__file__).parents[2] / "docs" / "verify.py"
LOGS = Path(__file__).parents[2] / "fixtures" / "logs"


@pytest.fixture(scope="module")
def page() -> Any:
    """Import docs/verify.py as a module, for tests that would take too long in separate processes."""
    spec = importlib.util.spec_from_file_location("verify_page", PAGE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def text(dispute_once: Dispute, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The bundle of the scripted dispute."""
    file = tmp_path_factory.mktemp("bundle") / "match.bundle"
    ledger = dispute_once.copied_to(file.parent)
    assert run(["bundle", "2", "1", "--ledger", str(ledger), "--out", str(file)]) == 0
    return file.read_text("utf-8")


COMPLETE = "No entry about this match is missing up to entry 41, as the signer of the checkpoint listed them."
LEAVES_OUT = "This file leaves entries out. Only the whole log shows whether one of them changes this match."


def verified(tmp_path: Path, text: str, *options: str) -> tuple[int, list[str]]:
    """Return the exit code and the output of docs/verify.py, which runs without our code."""
    file = tmp_path / "match.bundle"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-I", "-W", "error", str(PAGE), str(file), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)  # noqa: S603 - our page
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_the_verifier_is_short_and_needs_only_cryptography_besides_the_standard_library() -> None:
    source = PAGE.read_text("utf-8")
    assert len(source.splitlines()) < 500
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
        )
    }
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}


def test_the_bundle_of_the_dispute_verifies_and_explains_the_dispute(
    dispute: Dispute, text: str, tmp_path: Path
) -> None:
    code, lines = verified(tmp_path, text, "--vkey", dispute.vkey)
    assert code == 0
    assert lines[:2] == [COMPLETE, ""]
    assert lines[2:-3] == json.loads(text)["explanation"]
    assert lines[-2:] == [
        "Everything in this file holds: 8 of 41 entries, 5 checkpoints.",
        f"Signed with {dispute.vkey} (the key that you gave)",
    ]


def without_the_correction(text: str) -> dict[str, Any]:
    """Return the bundle without its last correction and all later entries."""
    page, bundle = runpy.run_path(str(PAGE)), json.loads(text)
    last = max(at for at, entry in enumerate(bundle["entries"]) if entry["topic"] == "result-corrected")
    del bundle["entries"][last:]
    entries = page["check_entries"](bundle)
    page["unseal"](entries, bundle.get("keys", {}))
    story = page["Story"](entries, bundle["match"]["players"], page["check_match"](bundle["match"], entries))
    bundle["explanation"] = story.lines()
    assert isinstance(bundle, dict)
    return bundle


@pytest.mark.finding("A-6")
def test_a_bundle_without_the_correction_is_refused_without_the_log(
    dispute: Dispute, text: str, tmp_path: Path
) -> None:
    """The signed map of matches lists the entry that the bundle lacks."""
    bundle = without_the_correction(text)
    told = json.dumps(bundle, indent=1) + "\n"
    message = "DOES NOT HOLD: the file leaves out entries about this match: 32, 40, 41."
    assert verified(tmp_path, told, "--vkey", dispute.vkey) == (1, [message])
    del bundle["listing"]
    older = json.dumps(bundle | {"format": "matchledger-bundle/2"}, indent=1) + "\n"
    message = "DOES NOT HOLD: the proof that no entry about the match is missing was left out."
    assert verified(tmp_path, older, "--vkey", dispute.vkey) == (1, [message])


@pytest.mark.finding("A-6")
def test_a_bundle_without_a_signed_map_says_first_that_entries_may_be_missing(
    dispute: Dispute, text: str, tmp_path: Path
) -> None:
    """The checkpoints of earlier versions have no map of matches."""
    rows = [EntryRow(*row) for row in stored(dispute.ledger)]
    kept = [line["position"] for line in without_the_correction(text)["entries"]]
    told = json.loads(rebuilt(text, rows, kept)) | {"explanation": without_the_correction(text)["explanation"]}
    code, lines = verified(tmp_path, json.dumps(told, indent=1) + "\n")
    assert (code, lines[0]) == (0, LEAVES_OUT)


@pytest.mark.finding("A-6")
def test_the_whole_log_shows_that_no_other_entry_is_about_the_match(
    dispute: Dispute, text: str, tmp_path: Path
) -> None:
    """An entry that is missing from the bundle is named, also if it came later."""
    ledger, log = str(dispute.copied_to(tmp_path)), tmp_path / "log.jsonl"
    assert run(["export", str(log), "--ledger", ledger]) == 0
    options = ("--vkey", dispute.vkey, "--log", str(log))
    code, lines = verified(tmp_path, text, *options)
    assert (code, lines[0]) == (0, "The log that you gave has 42 entries, and nothing more about this match.")
    rows = [EntryRow(*row) for row in stored(dispute.ledger)]
    bundle = without_the_correction(text)
    kept = [line["position"] for line in bundle["entries"]]
    position = next(line["position"] for line in json.loads(text)["entries"] if line["position"] not in kept)
    bundle = json.loads(rebuilt(text, rows, kept)) | {"explanation": bundle["explanation"]}
    log_alone = ("--log", str(log))
    code, lines = verified(tmp_path, json.dumps(bundle, indent=1) + "\n", *log_alone)
    assert code == 1
    more = "DOES NOT HOLD: the log that you gave has more about this match: entries"
    assert lines[0].startswith(f"{more} {position}")
    retract = ["retract", str(position), "--reason", "again", "--role", "organizer", "--override", "--yes"]
    assert run([*retract, "--ledger", ledger]) == 0
    log.unlink()
    assert run(["export", str(log), "--ledger", ledger]) == 0
    assert verified(tmp_path, text, *options) == (1, [f"{more} 43."])
    log.write_text(log.read_text("utf-8").replace("Cy Dane", "Cy Done").replace('"swiss', '"Swiss'), "utf-8")
    assert verified(tmp_path, text, *options)[0] == 1


def _matches(record: Record) -> Iterator[Match]:
    for stage in ("swiss", "elimination"):
        for round_ in record.rounds(stage):
            for table, players in round_.tables.items():
                yield Match(stage, round_.number, table, players)


@pytest.mark.finding("A-6")
@pytest.mark.parametrize("release", sorted(file.stem for file in LOGS.glob("*.ledger-sql")))
def test_the_verifier_and_the_program_find_the_same_entries_for_every_match(
    page: Any, release: str, tmp_path: Path
) -> None:
    """For every match, docs/verify.py and the program name the same missing entries."""
    ledger = tmp_path / "old.ledger"
    with closing(sqlite3.connect(ledger)) as file:
        file.executescript((LOGS / f"{release}.ledger-sql").read_text("utf-8"))
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        log, entries = "".join(export_lines(kept, tournament)), list(kept.entries(tournament))
        record, head = kept.record(tournament), kept.head(tournament)
    stored = [json.loads(json.loads(line)["stored"]) for line in log.splitlines()[1:]]
    matches = list(_matches(record))
    assert len(matches) > 5
    for match in matches:
        held = [stored[entry.position - 1] for entry in entries_about(match, entries, record, names=False)]
        bundle = {"tree": {"size": head.size, "root": to_base64(head.root)}, "match": asdict(match)}
        bundle["match"]["players"] = list(match.players)
        assert page.check_log(bundle, held, log) == (head.size, [])
        with pytest.raises(page.Wrong, match=f"entries {held[-1]['position']}$"):
            page.check_log(bundle, held[:-1], log)


def test_without_a_key_the_verifier_says_which_question_is_open(
    text: str, dispute: Dispute, tmp_path: Path
) -> None:
    code, lines = verified(tmp_path, text)
    assert code == 0
    assert lines[-1] == f"Signed with {dispute.vkey} (this key; make sure that it is the organizer's)"


def test_one_changed_character_is_explained_in_plain_words(text: str, dispute: Dispute, tmp_path: Path) -> None:
    changed = text.replace("Cy Dane won (win).", "Cy Dane won (Win).", 1)
    assert verified(tmp_path, changed, "--vkey", dispute.vkey) == (
        1,
        ["DOES NOT HOLD: the explanation does not say what the entries say."],
    )


def holds(page: Any, text: str) -> bool:
    """Return whether docs/verify.py accepts a bundle. A bundle that raises an exception counts as refused."""
    try:
        page.verify(text, [], None, None, [])
    except page.Wrong:
        return False
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return False
    return True


def neighbour(letter: str) -> str:
    """Return another letter of the same kind, so that the file stays well-formed."""
    for kind in (string.digits, string.ascii_lowercase, string.ascii_uppercase, "+/=", " \n", string.punctuation):
        if letter in kind:
            return kind[(kind.index(letter) + 1) % len(kind)]
    raise AssertionError(letter)


def test_one_changed_character_is_found(page: Any, text: str) -> None:
    """The test changes every fifth character. With --long, the test changes every character."""
    assert holds(page, text)
    missed = [
        index
        for index in range(0, len(text), at_length((5, 1)))
        if holds(page, text[:index] + neighbour(text[index]) + text[index + 1 :])
    ]
    assert missed == []


def test_any_other_character_at_any_place_is_found(page: Any, text: str) -> None:
    """The test tries a sample, because all letters at all places would be 1.4 million files."""
    tried = 0
    for index, letter in itertools.product(range(0, len(text), at_length((397, 97))), string.printable):
        if letter != text[index]:
            tried += 1
            assert not holds(page, text[:index] + letter + text[index + 1 :]), (index, letter)
    assert tried > at_length((2_500, 10_000))


def test_any_missing_or_added_character_and_any_shortened_file_is_found(page: Any, text: str) -> None:
    for index in range(0, len(text), 13):
        assert not holds(page, text[:index] + text[index + 1 :]), index
        assert not holds(page, text[:index]), index
        assert not holds(page, f"{text[:index]} {text[index:]}"), index


# -- forgeries: well-formed files from a person who knows the format


Forgery = Callable[[dict[str, Any]], None]


def forge(text: str, change: Forgery) -> str:
    bundle = json.loads(text)
    change(bundle)
    return f"{json.dumps(bundle, indent=1)}\n"


def entry(bundle: dict[str, Any], position: int) -> dict[str, Any]:
    found: dict[str, Any] = next(line for line in bundle["entries"] if line["position"] == position)
    return found


def change_stored(position: int, old: bytes, new: bytes) -> Forgery:
    def change(bundle: dict[str, Any]) -> None:
        line = entry(bundle, position)
        stored = b64decode(line["stored"])
        assert old in stored
        line["stored"] = b64encode(stored.replace(old, new)).decode()

    return change


def drop_entry(position: int) -> Forgery:
    return lambda bundle: bundle["entries"].remove(entry(bundle, position))


def put(place: str, value: object) -> Forgery:
    """Make a forgery that sets one value. The location is a path such as match.table."""

    def change(bundle: dict[str, Any]) -> None:
        *way, last = [int(part) if part.isdecimal() else part for part in place.split(".")]
        for part in way:
            bundle = bundle[part]  # type: ignore[index] # a list where the part is a number
        bundle[last] = value  # type: ignore[index] # as above

    return change


FORGERIES: dict[str, tuple[Forgery, str]] = {
    "another winner": (change_stored(18, b'"winner":1', b'"winner":3'), "entry 18 is not in the tree"),
    "another time": (change_stored(32, b"T13:", b"T12:"), "entry 32 is not in the tree"),
    "another reason": (change_stored(40, b"protests", b"agrees"), "entry 40 is not in the tree"),
    "another topic": (put("entries.4.topic", "result-corrected"), "entry 18 is not in the tree"),
    "another place in the log": (put("entries.4.position", 19), "entry 19 is not in the tree"),
    "a correction left out": (drop_entry(32), "the explanation does not say what the entries say"),
    "a retraction left out": (drop_entry(41), "the explanation does not say what the entries say"),
    "the opening left out": (drop_entry(1), "these are not the entries of one tournament"),
    "the pairing left out": (drop_entry(17), "nobody paired this match"),
    "an entry twice": (lambda bundle: bundle["entries"].append(bundle["entries"][-1]), "entries are not in order"),
    "another order": (lambda bundle: bundle["entries"].reverse(), "the entries are not in order"),
    "another table": (put("match.table", 2), "a result of another match is in the file"),
    "players the other way round": (put("match.players", [3, 1]), "a result of another match is in the file"),
    "another name": (put("match.names.0", "Bo Chen"), "the names are not those of the players"),
    "an added part": (put("verdict", "Ann Lee won"), "parts are missing or were added"),
    "an added part of the match": (put("match.winner", 1), "the match has other parts than it should"),
    "another explanation": (put("explanation.8", "Ann Lee won."), "the explanation does not say"),
    "a smaller tree": (put("tree.size", 40), "the proof of an entry has the wrong length"),
    "a larger tree": (put("tree.size", 42), "the proof of an entry has the wrong length"),
    "another root": (put("tree.root", b64encode(bytes(32)).decode()), "entry 1 is not in the tree"),
    "a shorter proof": (lambda bundle: entry(bundle, 18)["inclusion"].pop(), "has the wrong length"),
    "a longer proof": (
        lambda bundle: entry(bundle, 18)["inclusion"].append(bundle["tree"]["root"]),
        "has the wrong length",
    ),
    "a checkpoint left out at the end": (
        lambda bundle: bundle["checkpoints"].pop(),
        "nobody signed for all of these entries",
    ),
    "a checkpoint twice": (
        lambda bundle: bundle["checkpoints"].append(bundle["checkpoints"][-1]),
        "the checkpoints are not in order",
    ),
    "a proof between checkpoints left out": (put("checkpoints.0.consistency", []), "the proof of a checkpoint"),
    "a longer proof between checkpoints": (
        lambda bundle: bundle["checkpoints"][0]["consistency"].append(bundle["tree"]["root"]),
        "the proof of a checkpoint has the wrong length",
    ),
    "a proof where a checkpoint needs none": (
        lambda bundle: bundle["checkpoints"][-1]["consistency"].append(bundle["tree"]["root"]),
        "the proof of a checkpoint has the wrong length",
    ),
    "an added part of a checkpoint": (
        put("checkpoints.0.trusted", value=True),
        "a checkpoint has other parts than it should",
    ),
    "an added part of an entry": (put("entries.4.winner", 1), "an entry has other parts than it should"),
    "another proof between checkpoints": (
        put("checkpoints.0.consistency.0", b64encode(bytes(32)).decode()),
        "the tree does not go on from the checkpoint at 15",
    ),
    "another listing": (put("listing.positions", [17, 18]), "is not in the map that was signed"),
    "another place in the map": (put("listing.index", 0), "is not in the map that was signed"),
    "a place outside the map": (put("listing.index", 99), "the listing is not in the map"),
    "a listing left out": (
        lambda bundle: bundle.update(format="matchledger-bundle/2", listing=bundle.pop("listing")),
        "parts are missing or were added",
    ),
    "another form": (put("format", "matchledger-bundle/5"), "this is not a bundle that this page can verify"),
    "nothing inside": (put("entries", []), "cannot be read as a bundle"),
}


@pytest.mark.parametrize(("change", "message"), FORGERIES.values(), ids=FORGERIES)
def test_each_forgery_is_found_and_named(text: str, tmp_path: Path, change: Forgery, message: str) -> None:
    code, [line] = verified(tmp_path, forge(text, change))
    assert code == 1
    assert line.startswith("DOES NOT HOLD: ")
    assert message in line


def test_the_key_of_the_organizer_exposes_a_whole_log_forged_under_the_key_of_a_stranger(
    text: str, dispute: Dispute, tmp_path: Path
) -> None:
    stranger = SigningKey("example.org/judges", bytes(32))

    def resign(bundle: dict[str, Any]) -> None:
        for checkpoint in bundle["checkpoints"]:
            note = Checkpoint.parse(SignedNote.parse(checkpoint["note"]).text).signed(stranger)
            checkpoint |= {"note": str(note), "key": str(stranger.verification)}

    forged = forge(text, resign)
    assert verified(tmp_path, forged)[0] == 0
    code, [line] = verified(tmp_path, forged, "--vkey", dispute.vkey)
    assert (code, line) == (
        1,
        f"DOES NOT HOLD: it is signed with {stranger.verification}, not with the key given.",
    )
    unsigned = forge(text, lambda bundle: bundle["checkpoints"].clear())
    code, [line] = verified(tmp_path, unsigned, "--vkey", dispute.vkey)
    assert (code, line) == (1, "DOES NOT HOLD: it is signed with no key, not with the key given.")


def rebuilt(text: str, rows: list[EntryRow], positions: list[int], origin: str | None = None) -> str:
    """Return the bundle of an invented, signed log in which every hash is right."""
    stranger = SigningKey("example.org/judges", bytes(32))
    tree = Tree(rows)

    def rebuild(bundle: dict[str, Any]) -> None:
        name = bundle["checkpoints"][0]["note"].split("\n")[0] if origin is None else origin
        note = Checkpoint(name, tree.head).signed(stranger)
        bundle["format"] = "matchledger-bundle/2"
        bundle.pop("listing", None)
        bundle["tree"] = {"size": tree.head.size, "root": to_base64(tree.head.root)}
        bundle["checkpoints"] = [{"note": str(note), "key": str(stranger.verification), "consistency": []}]
        bundle["entries"] = [
            {
                "position": position,
                "topic": rows[position - 1].topic,
                "stored": to_base64(rows[position - 1].state),
                "inclusion": [to_base64(node) for node in tree.inclusion(position)],
            }
            for position in positions
        ]

    return forge(text, rebuild)


def test_right_hashes_alone_do_not_prove_a_signature(text: str, dispute: Dispute, tmp_path: Path) -> None:
    rows = [EntryRow(*row) for row in stored(dispute.ledger)]
    about = [line["position"] for line in json.loads(text)["entries"]]
    assert verified(tmp_path, rebuilt(text, rows, about))[0] == 0
    moved, renamed, foreign = list(rows), list(rows), list(rows)
    slip = rows[dispute.slip - 1]
    moved[dispute.slip - 1] = slip._replace(state=slip.state.replace(b'"position":18', b'"position":19'))
    renamed[dispute.slip - 1] = slip._replace(topic="ruling")
    foreign[dispute.slip - 1] = slip._replace(state=slip.state.replace(b'"tournament":"', b'"tournament":"x'))
    for forged, message in (
        (rebuilt(text, moved, about), "an entry was moved"),
        (rebuilt(text, renamed, about), "an entry was moved"),
        (rebuilt(text, foreign, about), "these are not the entries of one tournament"),
        (rebuilt(text, rows, about, origin="matchledger/other"), "a checkpoint is about another log"),
        (rebuilt(text, rows, sorted([*about, 3])), "somebody else's registration is in the file"),
    ):
        code, [line] = verified(tmp_path, forged)
        assert code == 1
        assert message in line


def test_a_signature_is_checked_against_the_text_above_it(text: str, dispute: Dispute, tmp_path: Path) -> None:
    def raise_the_round(bundle: dict[str, Any]) -> None:
        bundle["checkpoints"][2]["note"] = bundle["checkpoints"][2]["note"].replace("round 3", "round 4")

    code, [line] = verified(tmp_path, forge(text, raise_the_round), "--vkey", dispute.vkey)
    assert (code, line) == (1, "DOES NOT HOLD: the signature of example.org/judges under a checkpoint is false.")


# -- without a signature, and without names


@pytest.fixture
def unsigned(dispute: Dispute, tmp_path: Path) -> tuple[str, str]:
    """Return a bundle of entries without a checkpoint, and the tree head that the ledger shows."""
    ledger = dispute.copied_to(tmp_path)
    assert run(["retract", str(dispute.restored), "--override", "--reason", "wrong", "--ledger", str(ledger)]) == 0
    file = tmp_path / "unsigned.bundle"
    assert run(["bundle", "2", "1", "--ledger", str(ledger), "--out", str(file)]) == 0
    with open_ledger(ledger) as kept:
        return file.read_text("utf-8"), str(kept.head(kept.tournaments()[0]))


def test_unsigned_entries_need_a_tree_head_from_outside(unsigned: tuple[str, str], tmp_path: Path) -> None:
    text, head = unsigned
    code, [line] = verified(tmp_path, text)
    assert code == 1
    assert line == (
        f"DOES NOT HOLD: nobody signed for all of these entries: give a posted tree head, here {head}, as --head."
    )
    assert verified(tmp_path, text, "--head", head)[0] == 0
    code, [line] = verified(tmp_path, text, "--head", f"43:{'0' * 64}")
    assert (code, line) == (1, f"DOES NOT HOLD: the tree head of this file is {head}, not the one given.")


def test_a_bundle_without_names_verifies(dispute: Dispute, tmp_path: Path) -> None:
    file = tmp_path / "numbers.bundle"
    ledger = str(dispute.ledger)
    assert run(["bundle", "2", "1", "--numbers-only", "--ledger", ledger, "--out", str(file)]) == 0
    code, lines = verified(tmp_path, file.read_text("utf-8"), "--vkey", dispute.vkey)
    assert code == 0
    assert "player 1 and player 3 at table 1" in lines[3]


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", "[" * 100_000, '{"format": 1e999}', "\ud83d\ude00"])
def test_a_file_without_a_bundle_is_named(page: Any, tmp_path: Path, content: str) -> None:
    del page
    file = tmp_path / "match.bundle"
    file.write_text(content, encoding="utf-8", errors="surrogatepass")
    done = subprocess.run(  # noqa: S603 - our page
        [sys.executable, "-I", str(PAGE), str(file)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("DOES NOT HOLD: ")
    assert done.stdout.count("\n") == 1


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our page
        [sys.executable, "-I", str(PAGE), str(tmp_path / "none")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        1,
        "DOES NOT HOLD: it is no file.\n",
        "",
    )


# -- every kind of entry in the page's own words


def test_the_verifier_and_the_ledger_explain_every_kind_of_entry_alike(tmp_path: Path) -> None:
    for number, (ledger, match) in enumerate(stories(tmp_path)):
        file = tmp_path / f"{number}.bundle"
        assert run(["bundle", *match, "--ledger", str(ledger), "--out", str(file)]) == 0
        bundle = file.read_text("utf-8")
        head = json.loads(bundle)["tree"]
        given = f"{head['size']}:{b64decode(head['root']).hex()}"
        code, lines = verified(tmp_path, bundle, "--head", given)
        assert (code, lines[2:-2]) == (0, json.loads(bundle)["explanation"])


def stories(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Matches with every kind of ending, each in its own ledger."""
    sheets = {
        "l5r-2018": (
            'players "Z\u00f6e \u674e" B C D\nround 1\n  "Z\u00f6e \u674e" > B modified-win\n  C > D concession\n'
            "late E 1\nround 2\n  C > E no-show\n  B > D judgment\n"
        ),
        "netrunner-2023": "players A B C D\nround 1\n  A 4-1 B\n  C 2-2 D\n",
        "ashes-2022": "players A B C D\nround 1\n  A > B (9)\n  C > D (0)\n",
    }
    for rulebook, sheet in sheets.items():
        source, ledger = folder / f"{rulebook}.sheet", folder / f"{rulebook}.ledger"
        source.write_text(f"rulebook {rulebook}\n{sheet}", encoding="utf-8")
        assert run(["import", str(source), "--ledger", str(ledger)]) == 0
        yield from ((ledger, ["1", "1"]), (ledger, ["1", "2"]))
    yield folder / "l5r-2018.ledger", ["2", "1"]
    yield folder / "l5r-2018.ledger", ["2", "2"]


# -- the tree


def test_the_verifier_and_the_ledger_compute_the_same_tree_at_every_size(page: Any) -> None:
    rows = [EntryRow(position, "topic", str(position).encode()) for position in range(1, 35)]
    for size in range(1, len(rows) + 1):
        tree = Tree(rows[:size])
        for row in rows[:size]:
            leaf = page.leaf_hash(*row)
            assert page.root_over(leaf, row.position - 1, size, tree.inclusion(row.position)) == tree.head.root
            earlier = Tree(rows[: row.position]).head.root
            roots = page.roots_over(earlier, row.position, size, tree.consistency(row.position))
            assert roots == (earlier, tree.head.root)
    with pytest.raises(page.Wrong, match="the proof of a checkpoint has the wrong length"):
        page.roots_over(Tree(rows[:32]).head.root, 32, 34, [])
