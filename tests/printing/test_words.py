"""Words: a paper template contains only declared words, in the language of the person who prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from matchledger.printing.setting import WORDS
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.views.sheets import slip_form

SOURCE = Path(__file__).resolve().parents[2] / "src" / "matchledger"
TEMPLATES = sorted((SOURCE / "printing" / "templates").glob("*.typ"))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda file: file.stem)
def test_a_template_uses_only_its_declared_words(template: Path) -> None:
    assert set(re.findall(r'w\("([^"]+)"\)', template.read_text("utf-8"))) <= set(WORDS)


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_every_field_of_a_slip_has_words(rulebook: str) -> None:
    assert set(slip_form(parse_rulebook(rulebook_text(rulebook))).each) <= set(WORDS)
