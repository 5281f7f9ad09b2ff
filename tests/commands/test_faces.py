"""On every face, each command of the registry records the same entries or is refused in the same words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from freezegun import freeze_time
from starlette.testclient import TestClient
from tests.doors.conftest import Stage, typed
from tests.doors.matrix import OF_THE_STATION, REQUESTS, WITNESS, filled

from matchledger.cli.codes import BAD_INPUT, REFUSED
from matchledger.commands.command import marks
from matchledger.commands.refusal import Refusal
from matchledger.commands.registry import CLASSES, COMMANDS, WORDS, command_from, kind_of
from matchledger.events import AnyFact
from matchledger.ledger import Ledger, now, open_ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import Request, execute
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

Fields = Mapping[str, Any]
# The outcome of a command: its facts with their reasons, or the kind and the text of its refusal.
Ended = list[tuple[AnyFact, str | None]] | tuple[str, str]
REASON = "wanted"
CLOSE = "close --yes --reason agreed"
# Typed lines for commands that do not have their own command on the command line.
BY_HAND = {
    "report-slip": "report 1 a",
    "register-player": "register Ed",
    "register-roster": "register --csv roster.csv",
    "keep-cosignature": f"witnessed cosigned.txt --vkey {WITNESS.of_witness}",
    "pair-round": "pair",
    "pair-by-hand": "pair --table Ann/Bo --table Cy/Di",
    "amend-pairing": "amend Ann/Cy Bo/Di",
    "post-standings": "post",
    "post-pairings": "post --pairings",
    "draw-ties": "tie",
    "order-tie": "tie Ann Cy",
    "end-at-time": "time-tiebreak 1 --matches 1-0",
    "choose-repair": "repair --choose minimal",
    "answer-call": "answer 10",
    "give-ruling": "ruling 'May I?' Yes --by Jude",
    "review-ruling": "ruling No --review 8 --by Mara",
    "note-card": "card Ann damaged Banzai --by Jude",
    "change-duty": "staff leave Max",
    "submit-deck": "deck submit Ann other.txt",
    "amend-deck": "deck amend Ann other.txt",
    "check-decks": "deck check Ann",
}


def line_of(kind: str, fields: Fields) -> str:
    """Return the line that a person types for a command, from the command's declaration."""
    if kind in BY_HAND:
        return BY_HAND[kind]
    command = COMMANDS[kind]
    words = next(words for words, each in WORDS.items() if each == kind).split()
    for name in command.model_fields:
        mark, value = marks(command, name), fields.get(name)
        if value is None or mark.asked is None:
            continue
        values = value if isinstance(value, list) else [value]
        if isinstance(value, dict):
            values = [f"{key}={one}" for key, one in value.items()]
        for text in (f"#{one}" if mark.typed is not None and isinstance(one, int) else str(one) for one in values):
            if mark.type is bool:
                words += [str(mark.asked.option)] if value else []
            else:
                words += [text] if mark.asked.option is None else [mark.asked.option, text]
    return shlex.join([*words, *(["--yes"] if command.asks == "always" else [])])


def as_sent(fields: Fields) -> dict[str, object]:
    """Return fields as a form sends them: each value of a list field is separate."""
    sent: dict[str, object] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            sent |= {f"{name}.{key}": one for key, one in value.items()}
        else:
            sent[name] = _form(value)
    return sent


def _form(value: object) -> object:
    """Return a field as a form sends it: pairs as players in turn, and two counts as 1-0."""
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    pairs = isinstance(value, list) and value and isinstance(value[0], list)
    return [part for pair in value for part in pair] if pairs else value  # type: ignore[attr-defined]


@contextmanager
def opened(ledger: Path) -> Iterator[tuple[Ledger, UUID]]:
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        yield kept, tournament


class Faces:
    """A stage on which each face in turn gives one command, each on a copy of the same ledger."""

    def __init__(self, at_stage: Stage, stage: str, token: str, capsys: pytest.CaptureFixture[str]) -> None:
        self._at_stage, self._stage, self._token, self._capsys = at_stage, stage, token, capsys

    def _ended(self, ledger: Path, before: int) -> list[tuple[AnyFact, str | None]]:
        with opened(ledger) as (kept, tournament):
            entries = list(kept.entries(tournament, after=before))
        return [(entry.fact, entry.reason) for entry in entries if entry.fact.kind != "token-admitted"]

    def _start(self, *before: str) -> tuple[Path, int]:
        ledger = self._at_stage(self._stage)
        (ledger.parent / "roster.csv").write_text("name\nEd\nFay\n")
        for line in before:
            assert typed(line, "--token", self._token) == 0
        with opened(ledger) as (kept, tournament):
            kept.admit(tournament, self._token)
            return ledger, kept.head(tournament).size

    def service(self, kind: str, fields: Fields, reason: str | None, *before: str) -> Ended:
        ledger, size = self._start(*before)
        with opened(ledger) as (kept, tournament):
            clerk = kept.admit(tournament, self._token)
            try:
                execute(
                    kept,
                    tournament,
                    Request(command_from({"kind": kind, **filled(fields, ledger.parent)}), clerk, reason=reason),
                )
            except Refusal as problem:
                return "refused", str(problem.args[0])
            except UsageProblem as problem:
                return "not understood", str(problem.args[0])
        return self._ended(ledger, size)

    def command_line(self, kind: str, fields: Fields, reason: str | None, *before: str) -> Ended:
        ledger, size = self._start(*before)
        self._capsys.readouterr()
        reasons = () if reason is None else ("--reason", reason)
        yes = ("--yes",) if kind in WORDS.values() and COMMANDS[kind].shown_first else ()
        code = typed(line_of(kind, fields), "--token", self._token, *reasons, *yes)
        said = self._capsys.readouterr().err
        if code in (REFUSED, BAD_INPUT):
            return "refused" if code == REFUSED else "not understood", said
        return self._ended(ledger, size)

    def program(self, kind: str, fields: Fields, reason: str | None, *before: str) -> Ended:
        ledger, size = self._start(*before)
        with self._served(ledger) as (browser, tournament):
            answer = browser.post(
                f"/api/tournaments/{tournament}/commands",
                params={} if reason is None else {"reason": reason},
                json={"kind": kind, **filled(fields, ledger.parent)},
                headers={"authorization": f"Bearer {self._token}"},
            )
        if answer.status_code != 200:
            return "refused" if answer.status_code == 422 else "not understood", answer.json()["detail"]
        return self._ended(ledger, size)

    def desk(self, kind: str, fields: Fields, reason: str | None, *before: str) -> Ended:
        ledger, size = self._start(*before)
        with self._served(ledger) as (browser, tournament):
            browser.cookies.set("matchledger", self._token)
            body = {"kind": kind, "reason": reason or "", "page": "slips", "confirmed": "yes"}
            form = body | as_sent(filled(fields, ledger.parent))
            answer = browser.post(f"/t/{tournament}/desk/do", data=form, follow_redirects=False)
        if answer.status_code != 303:
            return "refused" if answer.status_code == 422 else "not understood", answer.text
        return self._ended(ledger, size)

    @contextmanager
    def _served(self, ledger: Path) -> Iterator[tuple[TestClient, str]]:
        with opened(ledger) as (_, tournament):
            pass
        app = create_app(str(ledger), Settings(watch_seconds=60))
        with TestClient(app, base_url="http://localhost") as browser:
            yield browser, str(tournament)


@pytest.fixture
def organizer(tokens: dict[str, str]) -> str:
    return tokens["organizer"]


def _plain(text: str) -> str:
    return " ".join(re.sub(r"&#\d+;|&\w+;|<[^>]*>|['\"]", "", text).split())


def test_every_command_has_an_example_and_a_line_and_its_kind_names_its_class() -> None:
    assert REQUESTS.keys() | OF_THE_STATION == COMMANDS.keys()
    assert BY_HAND.keys() == COMMANDS.keys() - set(WORDS.values())
    assert [COMMANDS[kind].__name__ for kind in COMMANDS] == list(CLASSES)
    assert all(
        COMMANDS[kind].model_fields["kind"].default == kind == kind_of(COMMANDS[kind].__name__) for kind in COMMANDS
    )


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_command_records_the_same_on_every_face(
    at_stage: Stage, organizer: str, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """The command line, the program interface and the desk's form once recorded different entries."""
    asked = REQUESTS[kind]
    faces = Faces(at_stage, asked.stage, organizer, capsys)
    fields = asked.body | ({"deviating": True} if "deviating" in COMMANDS[kind].model_fields else {})
    with freeze_time(now(), tick=False):
        recorded = faces.service(kind, fields, REASON)
        assert isinstance(recorded, list)
        assert recorded
        assert faces.command_line(kind, fields, REASON) == recorded
        assert faces.program(kind, fields, REASON) == recorded
        assert faces.desk(kind, fields, REASON) == recorded


# Commands that a closed tournament accepts.
_AFTER_THE_END = {"close-tournament", "file-overview", "rename-player", "correct-player", "keep-cosignature"}


@pytest.mark.parametrize("kind", sorted(REQUESTS.keys() - _AFTER_THE_END))
def test_every_face_refuses_a_command_in_the_same_words(
    at_stage: Stage, organizer: str, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """The command is refused because the tournament has ended."""
    asked = REQUESTS[kind]
    faces = Faces(at_stage, "played", organizer, capsys)
    with freeze_time(now(), tick=False):
        refused = faces.service(kind, asked.body, REASON, CLOSE)
        assert isinstance(refused, tuple)
        for face in (faces.command_line, faces.program, faces.desk):
            ended = face(kind, asked.body, REASON, CLOSE)
            assert _plain(refused[1]) in _plain(str(ended[1])), face
            # From a file, a wrong line counts as bad input.
            in_a_file = kind == "register-roster" and face == faces.command_line
            assert ended[0] == ("not understood" if in_a_file else refused[0]), face


@pytest.mark.parametrize(
    "kind", [kind for kind in COMMANDS if "override" in COMMANDS[kind].model_fields or kind == "choose-repair"]
)
def test_every_face_asks_for_a_required_reason(
    at_stage: Stage, organizer: str, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    asked = REQUESTS[kind]
    faces = Faces(at_stage, asked.stage, organizer, capsys)
    fields = asked.body | ({"override": True} if "override" in COMMANDS[kind].model_fields else {})
    for face in (faces.service, faces.command_line, faces.program, faces.desk):
        ended = face(kind, fields, None)
        assert ended[0] == "not understood", face
        assert "reason in the log" in str(ended[1])
