"""Words: every word on a sheet and in a drawing can be translated, and is translated into German."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from matchledger.documents.sheets import slip_form_document
from matchledger.printing.setting import WORDS
from matchledger.web.translation import translations
from matchledger_projections.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.stages.bracket import round_title

SOURCE = Path(__file__).resolve().parents[2] / "src" / "matchledger"
TEMPLATES = sorted((SOURCE / "printing" / "templates").glob("*.typ"))


def said(folder: str) -> Iterator[str]:
    """Every message that a module hands to its translator."""
    for file in sorted((SOURCE / folder).glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in ("say", "_say"):
                    yield str(node.args[0].value)


MESSAGES = sorted({*said("printing"), *said("drawings"), *WORDS})


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.stem)
def test_a_template_uses_words_that_it_is_given(template: Path) -> None:
    assert set(re.findall(r'w\("([^"]+)"\)', template.read_text("utf-8"))) <= set(WORDS)


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_what_a_slip_asks_for_has_words(rulebook: str) -> None:
    assert set(slip_form_document(parse_rulebook(rulebook_text(rulebook)))["each"]) <= set(WORDS)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_is_there_in_german_with_the_same_places(message: str) -> None:
    german = translations("de").gettext(message)
    assert german != message, "no translation"
    assert set(re.findall(r"%\(\w+\)s", german)) == set(re.findall(r"%\(\w+\)s", message))


@pytest.mark.parametrize("games", [1, 2, 4, 8])
def test_the_names_of_elimination_rounds_are_there_in_german(games: int) -> None:
    words, _, number = round_title(games).rpartition(" ")
    message = f"{words} %(number)s" if number.isdecimal() else round_title(games)
    assert translations("de").gettext(message) != message
