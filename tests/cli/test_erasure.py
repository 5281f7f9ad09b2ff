"""Erasing a person: every view shows a number, proofs stay valid, and a certificate lists what remains."""

from __future__ import annotations

import gc
import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pypdfium2
import pytest
from starlette.testclient import TestClient
from tests.cli.conftest import Desk

from matchledger.events import Person, PlayerRegistered
from matchledger.ledger import Clerk, open_ledger
from matchledger.ledger.keyring import KeyRing
from matchledger.web.app import create_app
from matchledger.web.settings import Settings
from matchledger.web.worker import Rank

REAL_EVENT = Path(__file__).resolve().parents[2] / "fixtures" / "store-championship" / "event.sheet"
ERASE = "erase Zorro --role organizer --yes --reason 'asked for it'"
SECRETS = ("Zorro", "zorro@example.org", "fox@example.org", "1999-04-01", "Secret Weapon")
LIST = "[dynasty]\n3 Secret Weapon\n"
VIEWS = (
    "standings",
    "standings --json",
    "standings --round 1 --as-known",
    "standings --as-of 7",
    "log",
    "log --json",
    "log --as-of 4",
    "pairings",
    "pairings --json",
    "explain '#2'",
    "explain '#2' --json",
    "history '#2'",
    "replay",
    "integrity",
    "integrity --json",
    "deck show '#2' --cards",
    "deck show '#2' --cards --json",
)


@pytest.fixture
def event(desk: Desk) -> Desk:
    """Four players including Zorro, a deck list, and a round with posted and signed standings."""
    Path("zorro.txt").write_text(LIST, "utf-8")
    roster = "name,born,contact,e-mail,birth date\nZorro,1999,zorro@example.org,fox@example.org,1999-04-01\n"
    Path("roster.csv").write_text(roster, "utf-8")
    for line in (
        "open Friday -b l5r-2018",
        "register Ann",
        "register --csv roster.csv",
        "register Cy",
        "register Di",
        "deck submit Zorro zorro.txt",
        "pair --table Ann/Zorro --table Cy/Di",
        "report 1 b 2 a",
        "key org.key",
        "post --key org.key",
    ):
        said = desk(line)
        assert said.code == 0, said.err
    return desk


def head(desk: Desk) -> str:
    document = json.loads(desk("verify --json").out)
    return f"{document['size']}:{document['root']}"


def without_names(desk: Desk) -> list[list[Any]]:
    rows = desk("standings --json").document["standings"]
    return [[row["rank"], row["points"], row["status"], row["tied"], row["tiebreaks"]] for row in rows]


def test_every_view_shows_a_number_in_place_of_the_erased_name(event: Desk) -> None:
    assert any("Zorro" in event(view).out for view in VIEWS)
    assert event(ERASE).code == 0
    assert "the personal data of Player 2 erased" in event("history '#2'").out
    for view in VIEWS:
        said = event(view)
        assert said.code == 0, (view, said.err)
        for secret in ("Zorro", "zorro", "1999", "fox@", "Secret Weapon"):
            assert secret not in said.out + said.err, view
    assert "Player 2" in event("standings").out
    assert "Player 2 registered as number 2" in event("log").out
    assert "The list was erased, or its key is not here." in event("deck show '#2' --cards").lines


WRITTEN = (
    "print pairings --out pairings.pdf",
    "print slips --out slips.pdf",
    "print standings --out standings.pdf",
    "publish pages",
    "export bare.jsonl",
    "bundle 1 1 -o match.bundle",
)


def test_no_file_written_later_has_the_erased_name(event: Desk, tmp_path: Path) -> None:
    """The files are sheets, pages, an export and a bundle. In a PDF, the test searches the text that can be
    copied.
    """
    assert event(ERASE).code == 0
    before = set(tmp_path.rglob("*"))
    for line in WRITTEN:
        assert event(line).code == 0, line
    written = [file for file in set(tmp_path.rglob("*")) - before if file.is_file()]
    assert len(written) > len(WRITTEN)
    for file in written:
        content = _text_of(file) if file.suffix == ".pdf" else file.read_text("utf-8", "replace")
        for secret in SECRETS:
            assert secret not in content, file.name
    assert "Player 2" in _text_of(Path("pairings.pdf"))


def _text_of(pdf: Path) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


def test_no_answer_of_the_server_has_the_erased_name(event: Desk, ledger: Path) -> None:
    """The test asks for every page and document, without a key and with one, after an earlier request of the same
    page.
    """
    key = "the-key-that-serve-prints"
    app = create_app(str(ledger), Settings(key=key))
    with TestClient(app, base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"]
        api = f"/api/tournaments/{home.split('/')[2]}"
        pages = [home, *(f"{home}{page}" for page in ("tables", "standings", "player/2", "log", "match/swiss/1/1"))]
        pages += [f"{home}standings?entry=11", f"{home}wall", f"{home}?q=Zorro", f"{home}log?q=Zorro"]
        pages += [
            f"{api}/{document}" for document in ("standings", "pairings", "players", "entries", "entries?after=2")
        ]
        # Each page was requested and is cached.
        shown = [page for page in pages if "Zorro</" in browser.get(page).text]
        assert {home, f"{home}tables", f"{home}wall"} <= set(shown)
        seated = browser.get(f"{home}desk/state", headers={"authorization": f"Bearer {key}"}).json()
        assert event(ERASE).code == 0
        assert browser.portal is not None
        browser.portal.call(app.state.office.look, Rank.STAFF)  # a server looks every half second: do the same
        known = {"seating": seated["seating_version"]}
        again = browser.get(f"{home}desk/state", headers={"authorization": f"Bearer {key}"}, params=known)
        assert [1, "Ann", "Player 2"] in again.json()["seating"], "a desk that is open forgets as well"
        for headers in ({}, {"authorization": f"Bearer {key}"}):
            desk = [f"{home}desk{page}" for page in ("", "/state", "/players", "/corrections")] if headers else []
            for page in [*pages, *desk]:
                answer = browser.get(page, headers=headers)
                assert answer.status_code == 200, page
                # A page shows a search term in its field, in its answer, and in the links to other languages and
                # kinds of entry.
                found = answer.text.replace('value="Zorro"', "").replace("No player is called “Zorro”", "")
                found = re.sub(r'href="[^"]*[?;]q=Zorro[&"]', "", found)
                assert not [secret for secret in SECRETS if secret in found], (page, found[:200])


@pytest.mark.finding("A-12")
def test_the_server_forgets_the_erased_name(event: Desk, ledger: Path) -> None:
    """After the pages were requested again, no object of the application contains the name."""
    app = create_app(str(ledger), Settings(key="key", watch_seconds=0.01))
    with TestClient(app, base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"]
        pages = [f"{home}{page}" for page in ("", "tables", "standings", "player/2", "log", "wall")]
        assert "Zorro" in "".join(browser.get(page).text for page in pages)
        assert any("Zorro" in text for text in _texts(app))
        assert event(ERASE).code == 0
        while "Zorro" in browser.get(f"{home}standings").text:
            time.sleep(0.02)
        browser.get(home)
        assert [text[:100] for text in _texts(app) if "Zorro" in text] == []


def _texts(root: object) -> Iterator[str]:
    """Yield every text reachable from an object."""
    gc.collect()
    waiting, seen = [root], {id(root)}
    while waiting:
        one = waiting.pop()
        if isinstance(one, str | bytes):
            yield one if isinstance(one, str) else one.decode(errors="replace")
        elif not isinstance(one, ModuleType | FunctionType | type):
            for other in gc.get_referents(one):
                if id(other) not in seen:
                    seen.add(id(other))
                    waiting.append(other)


def test_a_mirror_forgets_the_name_at_its_next_update(event: Desk, ledger: Path, tmp_path: Path) -> None:
    mirror = tmp_path / "stick"
    mirror.mkdir()
    key = KeyRing(Path(f"{ledger}.keys")).key(_tournament(event), 2)
    assert key is not None
    assert event(f"pair --mirror {mirror}").code == 0
    assert event(ERASE, "--mirror", str(mirror)).code == 0
    assert event("report 1 a 2 a --mirror", str(mirror)).code == 0
    for file in mirror.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert key.hex().encode() not in content, file.name
            assert not [secret for secret in SECRETS if secret.encode() in content], file.name


def test_the_certificate_names_the_unencrypted_roster_columns_of_an_older_log(event: Desk) -> None:
    """Logs of earlier versions have the roster columns unencrypted."""
    with open_ledger("event.ledger") as ledger:
        [tournament] = ledger.tournaments()
        older = PlayerRegistered(number=5, person=Person(name="Old"), attributes={"e-mail": "x@y.z", "flight": "1"})
        ledger.decide(tournament, lambda _: [older], clerk=Clerk(role="organizer"))
    said = event("erase Old --role organizer --yes --reason asked")
    assert "- columns of the roster that an older log has unencrypted: e-mail" in said.lines


def test_no_file_has_the_name_or_the_key_after_the_erasure(event: Desk, ledger: Path, tmp_path: Path) -> None:
    key = KeyRing(Path(f"{ledger}.keys")).key(_tournament(event), 2)
    assert key is not None
    Path("zorro.txt").unlink()
    Path("roster.csv").unlink()
    assert event(ERASE).code == 0
    for file in tmp_path.rglob("*"):
        content = file.read_bytes()
        for secret in (*(secret.encode() for secret in SECRETS), key, key.hex().encode()):
            assert secret not in content, file.name


def _tournament(desk: Desk) -> Any:
    from uuid import UUID  # noqa: PLC0415 - used here alone

    return UUID(json.loads(desk("log --json").lines[0])["tournament"])


def test_standings_tree_heads_and_checkpoints_stay_valid(event: Desk) -> None:
    before, table = head(event), without_names(event)
    vkey = event("key org.key --show").out.strip()
    assert event(ERASE).code == 0
    assert without_names(event) == table
    said = event(f"verify --head {before} --vkey {vkey}")
    assert (said.code, said.lines[0].split(",")[0]) == (0, f"{int(before.split(':')[0]) + 1} entries")


@pytest.mark.finding("A-12")
def test_a_name_in_a_command_id_or_a_token_gets_a_warning_and_is_in_the_certificate(event: Desk) -> None:
    """Tokens and ids of commands stay in the log. Therefore a token can be issued for `#2` instead of a name."""
    warned = event("drop Zorro --command-id 'gone: Zorro'")
    assert "entry 12 contains the name Zorro, and no erasure can remove it: write #2 instead" in warned.err
    assert "contains the name" not in event("drop Ann").err
    for line in ("token key tokens.key", "token trust --key tokens.key --role organizer"):
        assert event(line).code == 0
    issued = [event(f"token issue --key tokens.key --role player --name {name}") for name in ("Zorro", "#2")]
    assert ["the log keeps the name" in said.err for said in issued] == [True, False]
    for said in issued:
        _ = event("call-judge Zorro --token", said.lines[0])
    erased = event(ERASE)
    named = [entry["position"] for entry in map(json.loads, event("log --json").lines) if "Zorro" in str(entry)]
    assert 12 in named
    assert len(named) > 1
    assert f"- free text in entries {', '.join(map(str, named))}" in erased.out


def test_the_certificate_lists_the_erasure_and_the_copies_that_it_cannot_reach(event: Desk) -> None:
    assert event("export all.jsonl --with-names").code == 0
    assert event("export bare.jsonl").code == 0
    assert event("bundle 1 1 -o match.bundle").code == 0
    assert event("bundle 1 2 -o other.bundle").code == 0
    assert event("drop Zorro --reason 'Zorro is ill'").code == 0
    assert event("post --pairings").code == 0
    before = head(event)
    said = event(ERASE)
    assert said.code == 0
    assert said.out == Path("erasure-2.txt").read_text("utf-8")
    assert "Zorro" not in said.out
    assert f"Tree head before: {before}" in said.lines
    assert f"Tree head after: {head(event)}" in said.lines
    assert "sealed in entries 3, 6." in said.out
    found = [line.split(" (entry")[0] for line in said.lines if line.startswith("- ")]
    assert found == [
        "- paper: standings posted after round 1",
        "- export with names, all.jsonl",
        "- bundle with names, match.bundle",
        "- paper: pairings of round 1",
        "- free text in entry 15, which holds the name and stays in the log",
        "- a mirror of the ledger: its copy of the key is written over when it is next brought up to date",
        "- what print and publish wrote, and pages in browsers: publish again, and destroy the paper",
        "- copies of the key ring: what migrate and keys merge wrote, and every copy made by hand",
        "- copies of a file with names that were made without this program",
    ]


def sealed_in_the_file(path: Path, player: int) -> list[int]:
    """Return the entries with encrypted data of a player. The function reads the file without the program."""
    with closing(sqlite3.connect(path)) as store:
        rows = store.execute("SELECT originator_version, state FROM stored_events ORDER BY originator_version")
        return [position for position, state in rows if b'{"of":%d,"sealed":"' % player in bytes(state)]


def test_the_certificate_of_a_real_event_names_exactly_the_encrypted_entries(desk: Desk, ledger: Path) -> None:
    """Wes submits a deck list. The list is amended and checked with the others. Wes plays every round, and free
    texts mention him.
    """
    Path("list.txt").write_text("[conflict]\n3 Court Games\n", "utf-8")
    Path("amended.txt").write_text("[conflict]\n2 Court Games\n", "utf-8")
    for line in (
        f"import {REAL_EVENT}",
        "retract 99 --role organizer --reason slip",
        "deck submit Wes list.txt --late --reason ill",
        "deck submit Val list.txt --late --reason ill",
        "deck amend Wes amended.txt --role judge",
        "ruling 'may Wes go on' yes --role judge",
        "post",
        "export all.jsonl --with-names",
        "export none.jsonl --without-names",
    ):
        assert desk(line).code == 0, line
    assert desk("deck check Wes --in-use list.txt --role judge").code == 1
    number = next(row["number"] for row in desk("players --json").document if row["name"] == "Wes")
    sealed = sealed_in_the_file(ledger, number)
    assert len(sealed) > 5
    said = desk("erase Wes --yes --reason asked --role organizer --json")
    assert said.document["sealed"] == sealed
    text = Path(f"erasure-{number}.txt").read_text("utf-8")
    assert f"sealed in entries {sealed[0]}, 101, 103, {sealed[3]} to {sealed[-1]}." in text
    assert "The key was written over in event.ledger.keys." in text


def test_without_the_key_the_erasure_says_who_must_destroy_the_key(event: Desk) -> None:
    """Without the key, the program finds the encrypted entries but not the name."""
    event("drop Zorro --reason 'Zorro is ill'")
    event("export none.jsonl --without-names")
    event("import none.jsonl --ledger none.ledger")
    said = event("erase '#2' --role organizer --yes --reason asked --ledger none.ledger")
    assert said.code == 0
    assert "sealed in entries 3, 6." in said.out
    assert "The key was not in none.ledger.keys. Every holder of the key must destroy it." in said.lines
    assert "Without it the name is not known here, and free text was not searched for it." in said.lines


def test_the_certificate_is_also_json(event: Desk) -> None:
    document = event(ERASE, "--json").document
    assert (document["player"], document["shown_as"], document["reason"]) == (2, "Player 2", "asked for it")
    assert document["after"] == head(event)


@pytest.mark.finding("C-D5")
def test_an_erasure_needs_a_reason_and_a_player_and_is_done_once(event: Desk) -> None:
    said = event("erase Zorro --role organizer --yes")
    assert (said.code, said.problem) == (
        3,
        "an erasure cannot be undone: give a reason without the name; use --reason",
    )
    assert event("erase Quux --reason x").code == 2
    assert event(ERASE).code == 0
    named = event("erase Ann --role organizer --yes --reason 'ANN asked'")
    assert named.problem == "the reason or the command id names the player, and would stay in the log"
    again = event("erase '#2' --role organizer --yes --reason again --out second.txt")
    assert (again.code, again.problem) == (3, "player 2 was erased already (entry 12)")
    assert event("erase Zorro --reason x").code == 2
    assert event("retract 12").problem == "entry 12 (the personal data of Player 2 erased) cannot be taken back"


def test_a_certificate_never_replaces_another_file(event: Desk) -> None:
    Path("erasure-2.txt").write_text("mine", "utf-8")
    said = event(ERASE)
    assert (said.code, said.problem) == (
        2,
        "erasure-2.txt is there already: name another file with --out; no player was erased",
    )
    assert "Zorro" in event("standings").out


def test_a_log_with_unencrypted_names_refuses_an_erasure(desk: Desk) -> None:
    assert desk("open Friday -b l5r-2018 --names-in-clear").code == 0
    assert desk("register Zorro").code == 0
    said = desk(ERASE)
    assert (said.code, said.problem) == (
        3,
        "this log holds unencrypted names and cannot be changed: no erasure is possible",
    )


def test_an_erasure_in_the_log_reaches_a_copy_that_has_an_old_key_file(event: Desk, ledger: Path) -> None:
    """Either the power failed before the key was destroyed, or the key file came from a backup."""
    ring = Path(f"{ledger}.keys")
    old = ring.read_bytes()
    assert event(ERASE).code == 0
    ring.write_bytes(old)
    assert "Zorro" not in event("standings").out
    assert ring.read_bytes() != old
    assert "Zorro" not in event("log").out


def test_a_past_moment_also_shows_the_number(event: Desk) -> None:
    assert event(ERASE).code == 0
    for moment in ("--as-of 3", "--as-of 8", "--round 1 --as-known"):
        assert "Zorro" not in event(f"log {moment}").out
        assert "Zorro" not in event(f"standings {moment}").out


def test_play_goes_on_for_an_erased_player(event: Desk) -> None:
    assert event(ERASE).code == 0
    assert event("pair --table '#2/#3' --table Ann/Di").code == 0
    assert event("report 1 a 2 a").code == 0
    assert event("drop 'Player 2'").code == 0
    said = event("deck amend '#2' zorro.txt --role judge")
    assert said.code == 3


def test_an_export_leaves_names_out_by_default(event: Desk) -> None:
    assert event("export bare.jsonl").err.splitlines()[-1] == (
        "note: names and deck lists are sealed in it, without their keys: see --with-names"
    )
    assert event("export full.jsonl --with-names").code == 0
    assert "Zorro" not in Path("bare.jsonl").read_text("utf-8")
    for file, name in (("bare", "Player 2"), ("full", "Zorro")):
        assert event(f"import {file}.jsonl --ledger {file}.ledger").code == 0
        said = event(f"standings --ledger {file}.ledger")
        assert name in said.out
        assert event(f"verify --ledger {file}.ledger").code == 0
    missing = (
        "note: the keys to 4 names are not in bare.ledger.keys: numbers stand for them; copy that file from the "
        "machine that has it, or set MATCHLEDGER_KEYS to the file with the keys"
    )
    assert event("standings --ledger bare.ledger").err.splitlines() == [missing]


def test_an_export_after_an_erasure_has_the_keys_of_everybody_else(event: Desk) -> None:
    assert event(ERASE).code == 0
    assert event("export full.jsonl --with-names").code == 0
    assert event("import full.jsonl --ledger copy.ledger").code == 0
    said = event("standings --ledger copy.ledger")
    assert "Player 2" in said.out
    assert "Ann" in said.out
    assert said.err == ""


def test_an_export_of_a_log_with_unencrypted_names_cannot_leave_them_out(desk: Desk) -> None:
    assert desk("open Friday -b l5r-2018 --names-in-clear").code == 0
    assert desk("register Zorro").code == 0
    said = desk("export bare.jsonl --without-names")
    assert said.code == 2
    assert said.problem.startswith("this log holds unencrypted names, and its hashes need them")
    assert desk("export all.jsonl").err.splitlines()[-1] == "note: it contains readable names and deck lists"


def test_the_bundle_of_an_erased_player_verifies_and_names_only_the_opponent(event: Desk) -> None:
    assert event(ERASE).code == 0
    assert event("bundle 1 1 -o match.bundle --key org.key").code == 0
    bundle = json.loads(Path("match.bundle").read_text("utf-8"))
    assert bundle["match"]["names"] == ["Ann", "Player 2"]
    assert list(bundle["keys"]) == ["1"]


def test_an_import_keeps_names_out_of_its_notes(desk: Desk, ledger: Path) -> None:
    Path("event.sheet").write_text(
        "rulebook l5r-2018\nplayers Ann Zorro Cy Di\nround 1\n  Ann > Zorro no-show\n  Cy > Di\n",
        "utf-8",
    )
    assert desk(f"import event.sheet --ledger {ledger}").code == 0
    assert b"Zorro" not in ledger.read_bytes()
    said = desk(ERASE)
    assert "- the file that was imported, event.sheet (entry 2, " in said.out


# -- free text, which an erasure does not reach


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("drop Cy --reason 'Zorro asked for it'", True),
        ("ruling 'May Zorro look again?' No --by Kim", True),
        ("penalty Cy warning --for unsporting --note 'shouted at ZORRO'", True),
        ("penalty Cy warning --for unsporting --note 'shouted at #2'", False),
        ("drop Zorro", False),
        ("late Zorroaster --reason 'bus'", False),
    ],
)
def test_a_name_in_free_text_gets_a_warning(event: Desk, line: str, said: bool) -> None:
    done = event(line)
    assert done.code == 0, done.err
    told = "contains the name Zorro, and no erasure can remove it: write #2 instead"
    assert (told in done.err) == said
