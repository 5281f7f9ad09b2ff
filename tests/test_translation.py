"""Translation: every text for people in the hall exists in every language, and no catalogue has unused texts.

Texts are marked in page templates, in calls of `say` for printing and drawings, in the sentences of the core, and
in tables of words.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from jinja2 import Environment
from jinja2.ext import extract_from_ast
from pydantic import BaseModel

from matchledger.commands.registry import COMMANDS
from matchledger.commands.tournaments import OpenTournament
from matchledger.events import KINDS, NamesHandedOut, RepairChoice, Role, TieResolved
from matchledger.events.conduct import Damage, Office
from matchledger.events.phones import Answer
from matchledger.events.stages import DrawMethod
from matchledger.printing.setting import WORDS
from matchledger.text.translation import languages
from matchledger.web.naming import OWN_NAMES
from matchledger_projections.message import PLACE
from matchledger_projections.record.roster import Status
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.stages.structure import CUSTOM
from matchledger_projections.views.rating import Verdict
from matchledger_projections.views.score_card import CardOutcome

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "matchledger"
FACES_SAY = {"say", "_say"}  # these functions mark a text in printing and drawings
CORE_SAYS = {"sentence", "numbered", "word"}  # these functions mark a text in the core


def pages() -> Iterator[str]:
    """Yield every text of a template."""
    reader = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    for template in sorted((SOURCE / "web" / "templates").rglob("*.html")):
        for _, _, message in extract_from_ast(reader.parse(template.read_text("utf-8")), babel_style=False):
            assert isinstance(message, tuple)
            yield str(message[0])


def _modules() -> Iterator[tuple[Path, ast.Call, str]]:
    """Yield every call that marks a text, with its module and the name of the function."""
    for file in sorted([*SOURCE.rglob("*.py"), *(ROOT / "projections").rglob("*.py")]):
        face = file.is_relative_to(SOURCE / "printing") or file.is_relative_to(SOURCE / "drawings")
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in (FACES_SAY | CORE_SAYS if face else CORE_SAYS):
                    yield file, node, name


def called_sentences() -> Iterator[tuple[Path, str]]:
    """Yield every literal text in a call that marks texts, with its module."""
    for file, call, _ in _modules():
        for text in call.args:
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield file, text.value


def _marked() -> Iterator[str]:
    for _, call, _ in _modules():
        if isinstance(call.args[0], ast.Constant):
            yield str(call.args[0].value)


def _data() -> Iterator[str]:
    """Yield the words in data: in paper templates, in rulebooks, in kinds of facts."""
    yield from WORDS
    for rulebook in map(_rulebook, shipped_rulebooks()):
        yield rulebook.unit
        yield rulebook.bye.name
        yield from () if rulebook.structures is None else rulebook.structures.tables
        for kind in rulebook.results:
            yield from (kind, kind.replace("-", " "))
        for mark in rulebook.clock.marks:
            yield from (mark.title, mark.title.lower(), mark.name)
    for reading in Readings.model_fields:
        yield from (Readings.decides(reading), *Readings.meanings(reading).values())
    for values in (Role, Office, Answer, Damage, RepairChoice, CardOutcome, Status, Verdict):
        yield from get_args(values)
    yield from (name.replace("-", " ") for name in (*get_args(DrawMethod), *KINDS))
    for model, field in ((TieResolved, "method"), (NamesHandedOut, "form")):
        yield from get_args(model.model_fields[field].annotation)
    models: list[type[BaseModel]] = [*COMMANDS.values(), OpenTournament]
    for command in models:
        yield from (field.replace("_", " ") for field in command.model_fields)
    # "request" is the cause of a drop without another cause. CUSTOM names a structure outside the tables.
    yield from ("request", CUSTOM, *OWN_NAMES)


def _rulebook(name: str) -> Rulebook:
    return parse_rulebook(rulebook_text(name))


TEXTS = frozenset({*pages(), *_marked(), *_data()} - {""})
OTHERS = sorted(set(languages()) - {"en"})


def _catalogue(language: str) -> dict[str, Message]:
    file = SOURCE / "locale" / language / "LC_MESSAGES" / "matchledger.po"
    messages = [message for message in read_po(BytesIO(file.read_bytes())) if message.id]
    return {message.id if isinstance(message.id, str) else message.id[0]: message for message in messages}


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_in_one_catalogue_once(language: str) -> None:
    file = SOURCE / "locale" / language / "LC_MESSAGES" / "matchledger.po"
    heads = sum(line.startswith("msgid ") for line in file.read_text("utf-8").splitlines())
    assert heads == len(_catalogue(language)) + 1, "a sentence is there twice; the first message is the header"


def test_a_sentence_is_a_literal_in_its_call() -> None:
    """Only literals get into the catalogue of texts, so a sentence must not be put together from parts."""
    composed = [
        f"{file.name}:{call.lineno}"
        for file, call, name in _modules()
        if name in ("sentence", "numbered") and not isinstance(call.args[0], ast.Constant)
    ]
    assert composed == []


def _given(call: ast.Call) -> set[str]:
    return {keyword.arg for keyword in call.keywords if keyword.arg is not None}


def _asked_for(call: ast.Call) -> set[str]:
    texts = [str(text.value) for text in call.args if isinstance(text, ast.Constant)]
    return {place[2 : place.index(")")] for text in texts for place in PLACE.findall(text)}


def test_a_sentence_gets_a_value_for_each_placeholder() -> None:
    """The third argument of `numbered` is the counted number; its placeholder `count` needs no other value."""
    wrong = [
        f"{file.name}:{call.lineno}"
        for file, call, name in _modules()
        if name in ("sentence", "numbered") and (_given(call) ^ _asked_for(call)) - {"count" * (name == "numbered")}
    ]
    assert wrong == []


# Errors whose messages the pages and the API show. The modules in NOT_MET_ON_PAGES raise errors only for the
# command line.
REFUSALS = {
    "AlreadyReported",
    "Conflict",
    "HTTPException",
    "NoSuchPage",
    "NotLetIn",
    "Refusal",
    "SlipCodeError",
    "TableTaken",
    "TokenRefused",
    "UsageProblem",
}
NOT_MET_ON_PAGES = {"cli", "migration.py", "formats"}


# Modules that read uploaded files, with the errors that they raise.
READ_FOR_PAGES = {"card_data.py", "decklist.py", "text.py"}
WRONG_IN_A_FILE = {"FormatError", "ValueError"}


def _untold_refusals() -> Iterator[str]:
    for file in sorted(SOURCE.rglob("*.py")):
        names = WRONG_IN_A_FILE if file.parent.name == "formats" and file.name in READ_FOR_PAGES else REFUSALS
        if names is REFUSALS and NOT_MET_ON_PAGES.intersection(file.relative_to(SOURCE).parts):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            is_refusal = isinstance(node, ast.Call) and getattr(node.func, "id", "") in names
            if isinstance(node, ast.Call) and is_refusal and any(map(_is_text, node.args)):
                yield f"{file.name}:{node.lineno}"


def _is_text(node: ast.expr) -> bool:
    """Return whether a literal is plain text. A single word, such as a rule's id, is not plain text."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and " " in node.value
    return isinstance(node, ast.JoinedStr)


def test_every_refusal_on_a_page_is_a_sentence() -> None:
    assert list(_untold_refusals()) == []


def test_the_german_catalogue_is_large() -> None:
    assert OTHERS == ["de"]
    assert {"%(num)s player", "Language", "Signed checkpoint", "Quarterfinals", "signature"} <= TEXTS


def _said(message: Message) -> list[str]:
    string = message.string or ""
    return [string] if isinstance(string, str) else [str(one) for one in string]


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated(language: str) -> None:
    known = {text for text, message in _catalogue(language).items() if all(_said(message)) and not message.fuzzy}
    assert sorted(TEXTS - known) == []


@pytest.mark.parametrize("language", OTHERS)
def test_no_translation_is_unused(language: str) -> None:
    assert sorted(_catalogue(language).keys() - TEXTS) == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_placeholders(language: str) -> None:
    for text, message in _catalogue(language).items():
        ids = [text] if isinstance(message.id, str) else list(message.id)
        places = {place for one in ids for place in PLACE.findall(one)}
        every = {place for place in places if all(place in one for one in ids)}
        for said in _said(message):
            assert every <= set(PLACE.findall(said)) <= places, text
