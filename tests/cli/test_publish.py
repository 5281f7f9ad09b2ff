"""The public pages as a folder of files."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.cli.conftest import Desk

import matchledger.web


def test_every_link_in_a_published_folder_leads_to_a_file_in_it(played: Desk, tmp_path: Path) -> None:
    said = played("publish pages")
    folder = tmp_path / "pages"
    assert said.out.startswith("pages: ")
    files = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    links = {
        (page.name, address)
        for page in folder.glob("*.html")
        for address in re.findall(r'(?:href|src|action)="([^"]*)"', page.read_text("utf-8"))
    }
    assert {"index.html", "player-1.html", "match-swiss-1-1.html", "standings-1-as-known.html"} <= files
    assert {
        (page, address)
        for page, address in links
        if not address.startswith("#") and urlsplit(address).path not in files
    } == set()


def test_a_published_folder_loads_nothing_from_outside(played: Desk, tmp_path: Path) -> None:
    played("publish pages")
    for page in (tmp_path / "pages").glob("*.html"):
        text = page.read_text("utf-8")
        assert "://" not in text.replace("http://www.w3.org/2000/svg", ""), page.name
        assert 'type="module"' not in text, "a browser loads no module from a file"
        assert 'method="post"' not in text


def test_publishing_again_deletes_old_pages(played: Desk, tmp_path: Path) -> None:
    played("publish pages")
    stale = tmp_path / "pages" / "player-99.html"
    stale.write_text("old", "utf-8")
    untouched = (tmp_path / "pages" / "static" / "style.css").stat().st_mtime_ns
    assert played("publish pages").code == 0
    assert not stale.exists()
    assert (tmp_path / "pages" / "static" / "style.css").stat().st_mtime_ns == untouched


def test_publish_leaves_a_folder_with_other_files_alone(played: Desk, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "index.html").write_text("mine", "utf-8")
    said = played("publish thesis")
    assert said.code == 2
    assert said.problem == "thesis holds other files: name an empty folder, or one that was published before"
    assert (tmp_path / "thesis" / "index.html").read_text("utf-8") == "mine"


def test_published_pages_use_the_language_and_hide_names(played: Desk, tmp_path: Path) -> None:
    assert played("publish pages --lang de --initials all").code == 0
    page = (tmp_path / "pages" / "index.html").read_text("utf-8")
    assert "Meinen Namen finden" in page
    assert "A. #1" in page
    assert "Ann" not in page
    assert played("publish pages --lang xx").problem == "there are no pages in 'xx': there are en, de"


def test_the_error_names_a_missing_extra(played: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    # Remove the imported replacements again, also from their package.
    monkeypatch.setattr(matchledger, "web", matchledger.web)
    for name in [name for name in sys.modules if name.startswith("matchledger.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    assert played("publish pages").problem == (
        "publish needs more than the core (jinja2): pip install 'matchledger[web]'"
    )
