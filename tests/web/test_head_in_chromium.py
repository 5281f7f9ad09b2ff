"""A phone keeps the tree head, and warns if the server's log was rolled back or rewritten."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, serving, until

from matchledger.cli import run
from matchledger.ledger import open_ledger

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

SHEET = "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\n"
LATER = (
    "Date.now = () => {0} + 11 * 60 * 1000 * Number(sessionStorage.visits = Number(sessionStorage.visits ?? 0) + 1)"
)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    (tmp_path / "event.sheet").write_text(SHEET)
    assert run(["import", str(tmp_path / "event.sheet"), "--ledger", str(tmp_path / "event.ledger")]) == 0
    return tmp_path / "event.ledger"


def news(ledger: Path, *texts: str) -> None:
    for text in texts:
        assert run(["news", text, "--ledger", str(ledger)]) == 0


def visit(page: Page, address: str, ledger: Path) -> None:
    """Open the public page, and wait until the phone has asked for a proof."""
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
    with page.expect_response(lambda answer: "/consistency?" in answer.url):
        page.goto(f"{address}t/{tournament}/standings")


@pytest.mark.parametrize("rewritten", [False, True])
def test_a_phone_warns_of_a_log_that_was_rolled_back(window: Browser, ledger: Path, rewritten: bool) -> None:
    context = window.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.add_init_script(LATER.format(1_800_000_000_000))
    warning = page.get_by_role("alert")
    news(ledger, "one", "two", "three")
    old = ledger.read_bytes()
    with serving(ledger) as address:
        port = urlsplit(address).port or 0
        visit(page, address, ledger)
        expect(warning).to_be_hidden()
        for count in range(1, 6):  # check proofs in trees of many shapes
            news(ledger, *(f"{count}.{number}" for number in range(count)))
            visit(page, address, ledger)
            expect(page.locator("main")).to_be_visible()
            expect(warning).to_be_hidden()
    with open_ledger(ledger) as kept:
        head = str(kept.head(kept.tournaments()[0]))
    new = ledger.read_bytes()
    ledger.write_bytes(old)
    news(ledger, *(["other"] * 20 if rewritten else ["other"]))
    with serving(ledger, port=port) as address:
        visit(page, address, ledger)
        expect(warning).to_contain_text("rolled back or rewritten")
        expect(warning).to_contain_text(head)
        visit(page, address, ledger)
        expect(warning).to_contain_text(head)  # the page still shows the evidence
    ledger.write_bytes(new)
    with serving(ledger, port=port) as address:
        visit(page, address, ledger)
        expect(warning).to_be_hidden()
    context.close()


def test_a_phone_asks_for_a_proof_once_in_ten_minutes(window: Browser, ledger: Path) -> None:
    context = window.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/consistency" in request.url else None)
    with serving(ledger) as address:
        visit(page, address, ledger)
        until(page, "localStorage.length > 0")
        for _ in range(2):
            page.reload()
            page.wait_for_timeout(300)  # the script asks at once, if at all
    assert len(asked) == 1
    context.close()
