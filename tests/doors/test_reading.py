"""Who may read each path of the API, for every role. No path names a person whose name was erased.

The paths come from the API's own description. A new path fails a test until it is in one of the sets.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from freezegun import freeze_time
from starlette.testclient import TestClient
from tests.doors.conftest import typed
from tests.doors.matrix import NAMES
from tests.web.api_lines import EVENTS, SAME

from matchledger.ledger import now, open_ledger
from matchledger.proof.keys import SigningKey
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

Tokens = dict[str, str]
NOBODY = "nobody"
_SENT: dict[str, object] = {"kind": "register-player"}
_LEAVING: dict[str, object] = {"kind": "drop-player", "player": 1}
STAFF = frozenset({"organizer", "marshal", "judge", "scorekeeper"})
WHOEVER_HAS_A_KEY = STAFF | {"read-only", "player"}
EVERYBODY = WHOEVER_HAS_A_KEY | {NOBODY}
HOME = "/api/tournaments/{tournament}/"

# The people who may read each path of the API. A person wrote this table, independently of the program's own
# description.
TO_EVERYBODY = {
    "/api/tournaments",
    "/api/rules",
    "/api/rules/{rule}",
    "/api/rulebooks",
    "/api/rulebooks/{rulebook}",
    *(
        HOME + path
        for path in (
            *("standings", "pairings", "players", "places", "bracket", "structure", "policies", "consistency"),
            *("divisions", "flights"),
            *("clock", "pace", "field", "course/{player}"),
            *("entries", "integrity", "explain/players/{player}", "explain/tables/{table}", "explain/byes"),
            *("history/players/{player}", "history/matches/{stage}/{round_number}/{table}"),
            "history/entries/{entry}",
            *("scorecards", "overview", "rating", "sheets/pairings", "sheets/standings"),
        )
    ),
}
TO_THE_STAFF = {
    HOME + path
    for path in (
        *("staff", "calls", "conduct", "decks/{player}", "tokens", "repair"),
        *("diff", "whatif", "clinch", "verify", "sheets/players", "sheets/slips", "sheets/blank"),
    )
}
TO_WHOEVER_HAS_A_KEY = {HOME + "token"}
TO_WHOEVER_MAY_RECORD = {HOME + path for path in ("next-round", "preview", "commands")}

_UNKNOWN, _FORBIDDEN, _REFUSED = 401, 403, 422


class Question(NamedTuple):
    """A path of the API with values for its parameters, and an event for which the path has an answer."""

    path: str
    address: str
    event: str = "played"
    moments: bool = False  # whether a question can name a moment

    @property
    def sends(self) -> bool:
        return self.path in {HOME + "preview", HOME + "commands"}


def _status(path: str, role: str) -> int:
    """Return the status that the matrix demands for a reader."""
    if path in TO_EVERYBODY or (role in STAFF and path not in TO_EVERYBODY):
        return 200
    if role == NOBODY:
        return _UNKNOWN
    if path in TO_WHOEVER_HAS_A_KEY or (path in TO_THE_STAFF and role == "read-only"):
        return 200
    if role == "player" and path in {HOME + "preview", HOME + "commands"}:
        return _REFUSED  # a player may send commands, but no command about another player
    return _FORBIDDEN


def _described() -> dict[str, Any]:
    described: dict[str, Any] = create_app(":memory:").openapi()["paths"]
    return described


def _questions() -> list[Question]:
    """Return one request for every path: the documents of tests/web, the commands, and the paths that print
    nothing.
    """
    by_path: dict[str, Question] = {}
    for path, methods in _described().items():
        pattern = re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path.removeprefix(HOME))))
        named = {parameter["name"] for parameter in methods.get("get", {}).get("parameters", ())}
        for same in SAME:
            if path not in by_path and pattern.fullmatch(same.path.partition("?")[0]):
                by_path[path] = Question(path, same.path, same.event, "as_of" in named)
    for path in ("players", "token", "preview", "commands", "consistency"):
        by_path[HOME + path] = Question(HOME + path, path)
    by_path["/api/tournaments"] = Question("/api/tournaments", "/api/tournaments")
    return list(by_path.values())


QUESTIONS = _questions()


def test_the_matrix_has_every_path_of_the_api_once_and_each_is_requested() -> None:
    sets = (TO_EVERYBODY, TO_THE_STAFF, TO_WHOEVER_HAS_A_KEY, TO_WHOEVER_MAY_RECORD)
    assert sorted(path for paths in sets for path in paths) == sorted(_described())
    assert sorted(question.path for question in QUESTIONS) == sorted(_described())


# -- the events of tests/web, with a unique name, and with demanded tokens

ERASED = "Zorro"
SECRETS = (ERASED, "1987", "Secret Weapon")  # the name, the year of birth, and a card of the deck list
_FIELD = "\n".join(
    [
        "name,division",
        f"{ERASED},masters",
        *(f"M{n},masters" for n in range(1, 64)),
        *(f"J{n},junior" for n in range(6)),
    ]
)


def _lines(event: str) -> Iterator[str]:
    for line in EVENTS[event]:
        yield re.sub(r"\bAnn\b", ERASED, line).replace("1990", "1987").replace("Banzai", "'Fine Katana'")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Path:
    """A folder with the ledgers of all events and their keys."""
    place = tmp_path_factory.mktemp("events")
    (place / "deck.txt").write_text("[dynasty]\n3 Secret Weapon\n")
    (place / "field.csv").write_text(_FIELD)
    (place / "org.key").write_text(f"{key}\n")
    (place / "org.key").chmod(0o600)
    with contextlib.chdir(place):
        for event in EVENTS:
            for line in (*_lines(event), "token trust --key org.key --demand --role organizer"):
                code = typed(line, "--ledger", f"{event}.ledger")
                # This list has three cards, too few for a deck.
                assert code == 0 or line.startswith("deck check"), line
    return place


def _copied(made: Path, place: Path) -> dict[str, Path]:
    """Copy the ledgers of all events for a test that writes to them."""
    shutil.copytree(made, place, dirs_exist_ok=True)
    return {event: place / f"{event}.ledger" for event in EVENTS}


class Server:
    """A server of one event. A test sends requests with a key or without one."""

    def __init__(self, browser: TestClient, ledger: Path, tokens: Tokens) -> None:
        self._browser = browser
        with open_ledger(ledger) as kept:
            [self._tournament] = kept.tournaments()
        for token in tokens.values():  # admit every token before comparing, because each admission is an entry
            assert self.ask(Question(HOME + "token", "token"), token).status_code == 200

    def ask(self, question: Question, key: str | None, *more: str, command: dict[str, object] | None = None) -> Any:
        """Return the answer to a reader. If the path takes a command, a command is sent."""
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        address = question.address
        if not address.startswith("/"):
            address = HOME.format(tournament=self._tournament) + address
        if question.sends:
            return self._browser.post(f"{address}?reason=wanted", json=command, headers=headers)
        path, _, asked = address.partition("?")
        about = "&".join(part for part in (asked, *more) if part)
        return self._browser.get(f"{path}?{about}" if about else path, headers=headers)


@contextlib.contextmanager
def _servers(ledgers: dict[str, Path], tokens: Tokens) -> Iterator[dict[str, Server]]:
    with contextlib.ExitStack() as stack:
        found = {}
        for event, ledger in ledgers.items():
            app = create_app(str(ledger), Settings(watch_seconds=60))
            browser = stack.enter_context(TestClient(app, base_url="http://localhost"))
            found[event] = Server(browser, ledger, tokens)
        yield found


@pytest.fixture(scope="module")
def servers(made: Path, tmp_path_factory: pytest.TempPathFactory, tokens: Tokens) -> Iterator[dict[str, Server]]:
    with _servers(_copied(made, tmp_path_factory.mktemp("asked")), tokens) as found:
        yield found


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.path)
def test_only_permitted_readers_get_an_answer(
    servers: dict[str, Server], tokens: Tokens, question: Question
) -> None:
    server = servers[question.event]
    with freeze_time(now() + timedelta(minutes=1)):  # freeze the clock, so that all see the same time
        late = {"kind": "register-player", "deviating": True}  # the last round has begun
        answers = {
            role: server.ask(question, tokens.get(role), command=late | {"name": f"Late {role}"})
            for role in sorted(EVERYBODY)
        }
    assert {role: answer.status_code for role, answer in answers.items()} == {
        role: _status(question.path, role) for role in EVERYBODY
    }
    for role, answer in answers.items():
        if answer.status_code != 200:
            assert answer.headers["content-type"] == "application/problem+json", role
            assert ERASED not in answer.text, role
    if question.path in TO_EVERYBODY:
        assert answers["player"].text == answers[NOBODY].text, "a player is shown what everybody is"
    if not question.sends and question.path not in TO_WHOEVER_HAS_A_KEY:
        shown = {answers[role].text for role in (*STAFF, "read-only") if answers[role].status_code == 200}
        assert len(shown) == 1, "the staff is shown the same, whatever the office"


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.path)
def test_a_false_key_opens_only_public_paths(
    servers: dict[str, Server], tokens: Tokens, question: Question
) -> None:
    """A visitor with an invalid key gets an error instead of the page for strangers."""
    whole = tokens["organizer"]
    forged = whole[:-4] + ("AAAA" if whole[-4:] != "AAAA" else "BBBB")
    answer = servers[question.event].ask(question, forged, command={"kind": "pair-round"})
    assert answer.status_code == (_UNKNOWN if question.path.startswith(HOME) else 200)
    assert forged not in answer.text


# -- nobody is named who was erased

ASKING = ("organizer", "player", NOBODY)


def _moments(question: Question) -> Iterator[str]:
    yield ""
    if question.moments:
        yield "as_of=6"  # in this past state the oldest division still has the player


def test_no_answer_has_an_erased_name(made: Path, tmp_path: Path, tokens: Tokens) -> None:
    """Each path is requested before the erasure too. Most answers then contain the name, so a cached answer would
    be found.
    """
    ledgers = _copied(made, tmp_path)
    with _servers(ledgers, tokens) as servers:

        def asked(questions: Iterable[Question]) -> Iterator[tuple[Question, str, str]]:
            for question in questions:
                for role in ASKING:
                    for moment in _moments(question):
                        about = [] if not moment else [moment]
                        answer = servers[question.event].ask(question, tokens.get(role), *about, command=_LEAVING)
                        yield question, role, answer.text

        reading = [question for question in QUESTIONS if question.path != HOME + "commands"]
        named = {question.path for question, _, text in asked(reading) if ERASED in text}
        for ledger in ledgers.values():
            more = ("--token", tokens["organizer"], "--ledger", str(ledger))
            assert typed(f"erase {ERASED} --yes --reason asked --out {ledger}.txt", *more) == 0
        for server in servers.values():  # each admission reads the key, and therefore the log
            server.ask(Question(HOME + "token", "token"), tokens["organizer"])
        left = [
            (question.address, role, secret)
            for question, role, text in asked(QUESTIONS)
            for secret in SECRETS
            if re.search(rf"\b{secret}\b", text)  # hashes often contain the digits of a year
        ]
    assert left == []
    assert named >= NAMED


# The paths that contained the name before the erasure. A test that never found the name, even before the erasure,
# would prove nothing.
NAMED = {
    HOME + path
    for path in (
        *("standings", "pairings", "players", "places", "bracket", "course/{player}", "entries"),
        *("explain/players/{player}", "history/players/{player}", "scorecards"),
        *("history/matches/{stage}/{round_number}/{table}", "sheets/pairings", "sheets/standings", "sheets/slips"),
        "sheets/players",
        *("conduct", "decks/{player}", "diff", "whatif", "clinch", "repair", "preview", "overview"),
    )
}


def test_the_matrix_covers_every_role() -> None:
    assert {*NAMES, "read-only", NOBODY} == EVERYBODY
