"""The event's own logo: the desk uploads a picture, and every page and sheet shows it."""

from __future__ import annotations

import re
import struct
import time
import zlib
from pathlib import Path

import pypdfium2
import pytest
from tests.desk import RunCli
from tests.web.conftest import KEY, Browser, at_terminal

from matchledger.formats.picture import LARGEST, WIDEST


def png(width: int = 3, height: int = 2) -> bytes:
    def part(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff\0\0" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", rows) + part(b"IEND", b"")


def upload(browser: Browser, desk: str, data: bytes) -> str:
    """Upload a picture, and return the next page."""
    return browser.post(f"{desk}/logo", files={"logo": ("logo", data)}).text


def shown(page: str) -> list[str]:
    return re.findall(r'<img[^>]* src="([^"]+/logo/[^"]+)"', page)


def test_an_uploaded_logo_is_on_every_page(browser: Browser, home: str, desk: str) -> None:
    assert shown(browser.get(home).text) == []
    upload(browser, desk, png())
    for path in ("", "event", "wall", "podium", "standings", "log", "widget"):
        assert shown(browser.get(home + path).text), path
    [address] = shown(browser.get(home).text)
    answer = browser.get(address)
    assert answer.content == png()
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "default-src 'none'; sandbox"


def test_a_published_folder_has_the_logo(
    ledger: Path, browser: Browser, desk: str, tmp_path: Path, run_cli: RunCli
) -> None:
    upload(browser, desk, png())
    folder = tmp_path / "pages"
    assert run_cli("publish", str(folder), "--ledger", str(ledger)).code == 0
    assert (folder / "static" / "logo.png").read_bytes() == png()
    assert '<img src="static/logo.png"' in (folder / "standings.html").read_text("utf-8")


def test_a_removed_logo_disappears_and_a_retraction_restores_it(
    ledger: Path, browser: Browser, home: str, desk: str
) -> None:
    upload(browser, desk, png())
    [before] = shown(browser.get(home).text)
    browser.post(f"{desk}/logo")
    assert shown(browser.get(home).text) == []
    # undo takes back the last entry of this terminal, so retract the entry by its number.
    at_terminal(ledger)("retract", "8", "--yes")
    until = time.monotonic() + 20
    while not shown(browser.get(home).text) and time.monotonic() < until:
        time.sleep(0.02)  # wait until the server looks at the log again
    assert shown(browser.get(home).text) == [before]
    assert browser.get(before).content == png()


JPEG = b"\xff\xd8\xff\xe0\0\x04\0\0\xff\xc0\0\x0b\x08%b\x01\x01\x11\0"
WEBP = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0%b\x02\0\0"


@pytest.mark.parametrize("data", [png(), JPEG % b"\0\x02\0\x03", WEBP % b"\x01\0\0"], ids=["png", "jpeg", "webp"])
def test_pictures_of_three_kinds_are_accepted(browser: Browser, home: str, desk: str, data: bytes) -> None:
    upload(browser, desk, data)
    [address] = shown(browser.get(home).text)
    assert browser.get(address).content == data


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "PNG, JPEG or WebP"),
        (b"<html>", "PNG, JPEG or WebP"),
        (png()[:18], "pixels on each side"),
        (b"\xff\xd8\xff\xe0", "PNG, JPEG or WebP"),
        (b"\xff\xd8\xff\xda\0\x02", "PNG, JPEG or WebP"),
        (b"RIFF\0\0\0\0WEBPVP9 ", "PNG, JPEG or WebP"),
        (png(WIDEST + 1, 1), "at most 2000 pixels"),
        (JPEG % b"\xff\xff\xff\xff", "at most 2000 pixels"),
        (WEBP % b"\xff\xff\xff", "at most 2000 pixels"),
        (png() + b"\0" * LARGEST, "at most 100 kB"),
    ],
)
def test_other_files_are_refused(browser: Browser, home: str, desk: str, data: bytes, said: str) -> None:
    assert said in upload(browser, desk, data)
    assert shown(browser.get(home).text) == []


def test_sheets_show_the_logo(ledger: Path, browser: Browser, desk: str, tmp_path: Path, run_cli: RunCli) -> None:
    def pictures(pdf: bytes) -> int:
        page = pypdfium2.PdfDocument(pdf)[0]
        return len(list(page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])))

    sheet = f"{desk}/print/pairings-by-name.pdf"
    assert pictures(browser.get(sheet).content) == 0
    upload(browser, desk, png())
    assert pictures(browser.get(sheet).content) == 1
    out = tmp_path / "list.pdf"
    run_cli("print", "pairings", "--out", str(out), "--ledger", str(ledger))
    assert pictures(out.read_bytes()) == 1


def test_a_stranger_cannot_upload_a_logo(browser: Browser, home: str) -> None:
    assert browser.post(f"{home}desk/logo", files={"logo": ("logo", png())}).status_code == 401
    browser.post("/enter", data={"key": KEY})
    assert shown(browser.get(home).text) == []
