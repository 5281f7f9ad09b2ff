"""The desk: login, slips, conflicts between stations, and forms that lose nothing."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import UUID

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal, friday

from matchledger.cli import run
from matchledger.ledger import Clerk
from matchledger.notation.outcomes import outcome_keys
from matchledger.notation.slip_code import SlipCode
from matchledger.web.app import create_app
from matchledger.web.settings import Settings
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text


def slip(table: int, outcome: str) -> dict[str, object]:
    return {"kind": "report-slip", "table": table, "outcome": outcome}


# -- the door


def _said(parts: list[list[str]]) -> str:
    """Return the sentence of an entry in the desk's list."""
    return "".join(text for text, _ in parts)


@pytest.mark.parametrize(
    "page",
    [
        "",
        "/players",
        "/rounds",
        "/event",
        "/corrections",
        "/conduct",
        "/log",
        "/match",
        "/verify",
        "/print",
        "/print/slips.pdf",
    ],
)
def test_the_desk_needs_a_key(browser: Browser, home: str, page: str) -> None:
    answer = browser.get(f"{home}desk{page}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/enter")


@pytest.mark.parametrize("address", ["/state", "/compare?table=1&outcome=a", "/slip?code=x"])
def test_a_script_without_a_key_gets_an_error(browser: Browser, home: str, address: str) -> None:
    answer = browser.get(f"{home}desk{address}", follow_redirects=False)
    assert (answer.status_code, answer.json()["title"]) == (401, "not-let-in")


def test_nothing_is_recorded_without_a_key(browser: Browser, home: str) -> None:
    form = browser.post(f"{home}desk/do", data={"kind": "pair-round"})
    sent = browser.post(f"/api/tournaments/{home.split('/')[2]}/commands", json=slip(1, "a"))
    assert (form.status_code, sent.status_code) == (401, 401)
    assert sent.json()["title"] == "not-let-in"


def test_a_wrong_key_is_refused(browser: Browser) -> None:
    answer = browser.post("/enter", data={"key": "wrong"})
    assert answer.status_code == 403
    assert "not a station token" in answer.text


def test_scripts_and_other_sites_cannot_read_the_cookie(browser: Browser) -> None:
    answer = browser.post("/enter", data={"key": KEY}, follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie


def test_logging_out_ends_the_session(browser: Browser, desk: str) -> None:
    assert browser.get(desk).status_code == 200
    browser.post("/leave")
    assert browser.get(desk, follow_redirects=False).status_code == 303


@pytest.fixture
def token(ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """A judge's token for the tournament."""
    key = str(tmp_path / "station.key")
    assert run(["token", "key", key]) == 0
    assert run(["token", "trust", "--key", key, "--ledger", str(ledger)]) == 0
    capsys.readouterr()
    words = [
        "token",
        "issue",
        "--key",
        key,
        "--role",
        "judge",
        "--name",
        "Jo",
        "--station",
        "floor",
        "--hours",
        "1",
    ]
    assert run(words) == 0
    return capsys.readouterr().out.strip()


def test_the_token_of_a_station_names_the_clerk(browser: Browser, home: str, token: str) -> None:
    browser.post("/enter", data={"key": token})
    page = browser.get(f"{home}desk").text
    assert "Jo · judge · floor" in page
    sent = browser.post(f"/api/tournaments/{home.split('/')[2]}/commands", json=slip(1, "a"))
    assert sent.json()["entries"][0]["actor"] == "Jo"


def test_a_program_sends_its_token_as_bearer(browser: Browser, home: str, token: str) -> None:
    address = f"/api/tournaments/{home.split('/')[2]}/commands"
    sent = browser.post(address, json=slip(1, "a"), headers={"authorization": f"Bearer {token}"})
    assert sent.status_code == 200
    assert sent.json()["entries"][0]["station"] == "floor"


# -- slips


def test_a_slip_is_recorded_on_the_disk(browser: Browser, commands: str, ledger: Path) -> None:
    done = browser.post(commands, json=slip(1, "b modified-win")).json()
    assert done["said"] == ["round 1, table 1: Bo beat Ann (modified-win)"]
    assert run(["correct", "1", "1", "a", "--ledger", str(ledger)]) == 0, "another process sees it"


def test_a_slip_that_is_sent_twice_makes_one_entry(browser: Browser, commands: str) -> None:
    key = {"idempotency-key": "slip-1"}
    first = browser.post(commands, json=slip(1, "a"), headers=key).json()
    again = browser.post(commands, json=slip(1, "a"), headers=key).json()
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert first["entries"] == again["entries"]
    assert first["position"] == again["position"]


def test_the_second_station_sees_an_entry_of_the_first(browser: Browser, commands: str, ledger: Path) -> None:
    at_terminal(ledger)("report", "1", "a", "--actor", "Kim", "--station", "north")
    answer = browser.post(commands, json=slip(1, "b"))
    problem = answer.json()
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["title"] == "table-taken"
    assert problem["other"]["said"] == "round 1, table 1: Ann beat Bo"
    assert (problem["other"]["actor"], problem["other"]["station"]) == ("Kim", "north")


def test_the_log_has_a_contradicting_slip_as_refused(
    browser: Browser, commands: str, desk: str, ledger: Path
) -> None:
    at_terminal(ledger)("report", "1", "a", "--actor", "Kim", "--station", "north")
    key = {"idempotency-key": "slip-1"}
    first, again = (browser.post(commands, json=slip(1, "b"), headers=key).json() for _ in range(2))
    assert first == again
    stands, kept = first["other"]["entry"], first["refused"]
    assert kept == stands + 1
    assert first["detail"].endswith(f"kept as refused (entry {kept}); correct the result, or retract entry {kept}")
    state = browser.get(f"{desk}/state").json()
    assert state["asking"] == {"1": "conflict"}, "the tile of the table says that it waits for an answer"
    latest = state["recent"][0]
    said = (
        f"round 1, table 1: a slip saying that Bo beat Ann was refused, because entry {stands} has another result"
    )
    assert (latest["position"], _said(latest["parts"])) == (kept, said)
    same = browser.post(commands, json=slip(1, "a")).json()
    assert (same["same"], same["repeated"], same["position"]) == (True, True, kept), "there is nothing to keep"
    assert [entry["position"] for entry in same["entries"]] == [stands]


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        (slip(9, "a"), 422, "round 1 has no table 9"),
        (slip(1, "draw"), 422, "l5r-2018 has no draws"),
        (slip(1, "what"), 400, "'what' is not an outcome"),
        ({"kind": "drop-player", "player": 9}, 400, "there is no player #9"),
        ({"kind": "retract-entry", "position": 99}, 400, "there is no entry 99"),
        ({"kind": "choose-repair", "choice": "leave"}, 400, "needs its reason"),
        ({"kind": "fly"}, 422, "fly"),
    ],
)
def test_a_refusal_is_one_line_and_records_nothing(
    browser: Browser, commands: str, command: dict[str, object], status: int, said: str
) -> None:
    before = browser.get("/api/tournaments").json()
    answer = browser.post(commands, json=command)
    assert answer.status_code == status
    assert said in answer.json()["detail"]
    assert browser.get("/api/tournaments").json() == before


def test_a_refusal_names_the_rule(browser: Browser, commands: str) -> None:
    assert browser.post(commands, json=slip(1, "draw")).json()["rule"] == "L5R-IV.4-POINTS"


def test_the_state_of_the_desk_lists_outstanding_tables(browser: Browser, commands: str, desk: str) -> None:
    first = browser.get(f"{desk}/state").json()
    assert first["outstanding"] == [1, 2]
    assert first["seating"] == [[1, "Ann", "Bo"], [2, "Cy", "Di"]]
    browser.post(commands, json=slip(2, "a"))
    then = browser.get(f"{desk}/state", params={"seating": first["seating_version"]}).json()
    assert then["outstanding"] == [1]
    assert then["seating"] is None, "a desk that knows who sits where is not told again"
    assert then["recent"][0]["parts"] == [["round 1, table 2: ", ""], ["Cy", "b"], [" beat ", ""], ["Di", "i"]]


def test_the_desk_shows_the_clock_and_the_extra_time_of_a_table(browser: Browser, commands: str, desk: str) -> None:
    assert browser.get(f"{desk}/state").json()["clock"] is None
    browser.post(commands, json={"kind": "start-round", "minutes": 50})
    browser.post(commands, json={"kind": "extend-time", "table": 2, "minutes": 3})
    clock = browser.get(f"{desk}/state").json()["clock"]
    assert clock["tables"] == {"2": 3}
    assert 2990 <= clock["remaining"] <= 3000


@pytest.mark.parametrize(
    ("outcome", "agrees", "recorded"),
    [("a", True, "Ann beat Bo"), ("b", False, "Ann beat Bo"), ("a modified-win", False, "Ann beat Bo")],
)
def test_the_second_pass_stops_at_a_difference(
    browser: Browser, commands: str, desk: str, outcome: str, agrees: bool, recorded: str
) -> None:
    browser.post(commands, json=slip(1, "a"))
    said = browser.get(f"{desk}/compare", params={"table": 1, "outcome": outcome}).json()
    assert (said["agrees"], said["recorded"]) == (agrees, recorded)


def test_the_second_pass_finds_a_table_that_was_not_entered(browser: Browser, desk: str) -> None:
    said = browser.get(f"{desk}/compare", params={"table": 2, "outcome": "a"}).json()
    assert (said["agrees"], said["recorded"]) == (False, None)


def test_the_keys_are_the_results_of_the_rulebook() -> None:
    keys = {key.key: key.outcome for key in outcome_keys(parse_rulebook(rulebook_text("l5r-2018")))}
    assert keys["1"] == "a"
    assert keys["4"] == "b modified-win"
    assert keys["9"] == "double-loss"
    assert "0" not in keys, "L5R knows no draw"
    assert "0" in {key.key for key in outcome_keys(parse_rulebook(rulebook_text("street-warriors-2004")))}


# -- the code on a slip


def test_a_scanned_slip_selects_its_table(browser: Browser, home: str, desk: str) -> None:
    code = SlipCode(UUID(home.split("/")[2]), "swiss", 1, 2)
    assert browser.get(f"{desk}/slip", params={"code": str(code).lower()}).json() == {"table": 2}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (SlipCode(UUID(int=7), "swiss", 1, 2), "this slip belongs to another tournament: nothing was recorded"),
        (None, "this slip belongs to round 3: correct its result if it is wrong"),
        ("MLSLIP1:SMUDGED", "this is not the code of a slip: type the table number instead"),
    ],
)
def test_a_slip_of_another_event_is_refused_in_one_line(
    browser: Browser, home: str, desk: str, code: object, said: str
) -> None:
    text = str(code or SlipCode(UUID(home.split("/")[2]), "swiss", 3, 1))
    answer = browser.get(f"{desk}/slip", params={"code": text})
    assert (answer.status_code, answer.json()["detail"]) == (400, said)


# -- two stations at one table


def test_every_station_shows_a_contradicting_slip_until_it_is_settled(
    browser: Browser, commands: str, desk: str, ledger: Path
) -> None:
    at_terminal(ledger)("report", "1", "a", "--actor", "Kim", "--station", "north")
    browser.post(commands, json=slip(1, "b"))
    assert browser.get(f"{desk}/state").json()["contradictions"] == 1
    page = browser.get(f"{desk}/corrections").text
    assert "Two slips differ" in page
    assert "<dt>Recorded, by Kim, north</dt><dd><b>Ann</b> beat <i>Bo</i></dd>" in page
    assert "Refused, by scorekeeper, server (entry 8)</dt><dd><b>Bo</b> beat <i>Ann</i></dd>" in page
    preview = browser.post(f"{desk}/do", data=fields(page, "retract-entry") | {"position": "8"}).text
    assert "Will be recorded: entry 8 no longer counts: round 1, table 1: a slip saying that Bo beat Ann" in preview
    assert "(recorded by scorekeeper at station server)" in preview
    browser.post(f"{desk}/do", data=fields(preview, "retract-entry"))
    assert browser.get(f"{desk}/state").json()["contradictions"] == 0


def test_a_correction_settles_a_contradicting_slip(browser: Browser, commands: str, desk: str) -> None:
    browser.post(commands, json=slip(1, "a"))
    browser.post(commands, json=slip(1, "b"))
    browser.post(commands, json={"kind": "correct-slip", "round": 1, "table": 1, "outcome": "b"})
    assert browser.get(f"{desk}/state").json()["contradictions"] == 0


# -- forms


def fields(page: str, kind: str) -> dict[str, str]:
    """Return the fields that a form for a kind of command sends."""
    forms: list[str] = re.findall(r"<form.*?</form>", page, re.DOTALL)
    of_its_kind = [form for form in forms if f'name="kind" value="{kind}"' in form] or [
        form for form in forms if f'value="{kind}"' in form
    ]
    form = next((form for form in of_its_kind if f'name="form" value="{kind}"' in form), of_its_kind[0])
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {**dict(hidden), "kind": kind}


@pytest.mark.parametrize(
    ("page", "kind", "filled"),
    [
        ("players?player=4", "record-no-show", {}),
        ("players?player=4", "concede-match", {}),
        ("conduct", "give-penalty", {"player": "Di", "penalty": "game-loss", "offence": "slow-play"}),
        ("conduct", "note-card", {"player": "Di", "card": "Ashigaru", "what": "lost"}),
        ("rounds", "extend-time", {"table": "1", "minutes": "3"}),
        ("rounds", "swap-tables", {"first": "1", "second": "2"}),
        ("", "report-slip", {"table": "1", "outcome": "a"}),
    ],
)
def test_a_form_about_a_match_is_refused_after_the_next_pairing(
    browser: Browser, desk: str, ledger: Path, page: str, kind: str, filled: dict[str, str]
) -> None:
    """Before the fix, a page of round 1 could record a no-show, a concession or a penalty in round 2."""
    at_terminal(ledger)("start")
    form = fields(browser.get(f"{desk}/{page}").text, kind)
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair", "--table", "Ann/Cy", "--table", "Bo/Di")
    before = browser.get("/api/tournaments").json()
    answer = browser.post(f"{desk}/do", data=form | filled)
    assert "the log has changed since you looked" in answer.text
    assert browser.get("/api/tournaments").json() == before


WARNING = {"player": "Di", "penalty": "warning", "offence": "slow-play", "table": "2"}


@pytest.mark.parametrize(
    ("kind", "filled"),
    [
        ("give-penalty", WARNING),
        ("give-ruling", {"question": "May I?", "outcome": "Yes", "judge": "Jo", "table": "2"}),
        ("note-card", {"player": "Di", "card": "Ashigaru", "what": "damaged"}),
    ],
)
def test_what_a_judge_saw_in_a_round_is_recorded_for_that_round_after_the_next_pairing(
    browser: Browser, desk: str, ledger: Path, kind: str, filled: dict[str, str]
) -> None:
    form = fields(browser.get(f"{desk}/conduct").text, kind)
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair", "--table", "Ann/Cy", "--table", "Bo/Di")
    assert browser.post(f"{desk}/do", data=form | filled, follow_redirects=False).status_code == 303
    entry = browser.get(f"/api/tournaments/{desk.split('/')[2]}/entries", params={"after": 9}).json()[0]
    assert (entry["fact"]["round"], entry["fact"]["table"]) == (1, 2)


def test_a_penalty_in_a_round_that_was_taken_back_is_refused(browser: Browser, desk: str, ledger: Path) -> None:
    form = fields(browser.get(f"{desk}/conduct").text, "give-penalty")
    at_terminal(ledger)("undo", "--yes")
    at_terminal(ledger)("pair", "--table", "Ann/Cy", "--table", "Bo/Di")
    answer = browser.post(f"{desk}/do", data=form | WARNING)
    assert (answer.status_code, "the log has changed since you looked" in answer.text) == (409, True)


def previewed_drop(browser: Browser, desk: str) -> dict[str, str]:
    page = browser.get(f"{desk}/players?player=4").text
    preview = browser.post(f"{desk}/do", data=fields(page, "drop-player")).text
    assert "Nothing is recorded yet" in preview
    return fields(preview, "drop-player")


def test_a_slip_between_preview_and_drop_is_harmless(browser: Browser, desk: str, ledger: Path) -> None:
    confirmed = previewed_drop(browser, desk)
    at_terminal(ledger)("report", "1", "a")
    assert browser.post(f"{desk}/do", data=confirmed, follow_redirects=False).status_code == 303
    assert "dropped" in browser.get(f"{desk}/log").text


def test_a_pairing_between_preview_and_drop_asks_again(browser: Browser, desk: str, ledger: Path) -> None:
    confirmed = previewed_drop(browser, desk)
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair", "--table", "Ann/Cy", "--table", "Bo/Di")
    answer = browser.post(f"{desk}/do", data=confirmed)
    assert (answer.status_code, "the log has changed since you looked" in answer.text) == (409, True)


def test_the_desk_undoes_a_whole_round(browser: Browser, desk: str, commands: str) -> None:
    browser.post(commands, json=slip(1, "a"))
    preview = browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last")).text
    assert "Nothing is recorded yet" in preview
    browser.post(f"{desk}/do", data=fields(preview, "undo-last"))
    assert browser.get(f"{desk}/state").json()["round"] is None
    page = browser.get(f"{desk}/rounds").text
    assert "You took this back: round 1 paired by hand, 2 tables" in " ".join(page.split())
    preview = browser.post(f"{desk}/do", data=fields(page, "redo-last")).text
    browser.post(f"{desk}/do", data=fields(preview, "redo-last"))
    state = browser.get(f"{desk}/state").json()
    assert (state["round"], state["outstanding"]) == (1, [2])
    assert 'value="redo-last"' not in browser.get(f"{desk}/rounds").text


def test_a_pairing_that_was_taken_back_can_be_brought_back_after_another_action(
    browser: Browser, desk: str
) -> None:
    """Before the fix, "Bring it back" never came after "Take the pairing back", and went after any other action."""
    take_back = fields(page := browser.get(f"{desk}/rounds").text, "undo-last")
    assert "Take the pairing back" in page
    browser.post(f"{desk}/do", data=take_back | {"confirmed": "yes"})
    assert fields(browser.get(f"{desk}/rounds").text, "redo-last")
    told = {"kind": "announce-structure", "rounds": "3", "cut": "0", "reason": "short", "confirmed": "yes"}
    browser.post(f"{desk}/do", data=told)
    page = browser.get(f"{desk}/rounds").text
    assert "You took this back: round 1 paired by hand, 2 tables" in " ".join(page.split())
    preview = browser.post(f"{desk}/do", data=fields(page, "retract-entry")).text
    browser.post(f"{desk}/do", data=fields(preview, "retract-entry"))
    assert browser.get(f"{desk}/state").json()["round"] == 1
    assert "You took this back" not in browser.get(f"{desk}/rounds").text


def test_bringing_a_pairing_back_offers_the_reason_that_it_needs(browser: Browser, desk: str) -> None:
    browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last") | {"confirmed": "yes"})
    browser.post(f"{desk}/do", data={"kind": "register-player", "name": "Eve", "confirmed": "yes"})
    back = fields(page := browser.get(f"{desk}/rounds").text, "retract-entry")
    assert "bring-back-reason" not in page
    refused = browser.post(f"{desk}/do", data=back | {"confirmed": "yes"}).text
    assert "Eve" in refused
    assert 'id="bring-back-reason"' in refused
    again = fields(refused, "retract-entry") | {"confirmed": "yes", "deviating": "yes", "reason": "Eve rests"}
    browser.post(f"{desk}/do", data=again)
    assert browser.get(f"{desk}/state").json()["round"] == 1


def test_the_log_page_undoes_the_last_action_and_brings_it_back(browser: Browser, desk: str) -> None:
    sent = fields(browser.get(f"{desk}/players").text, "register-player") | {"name": "Eve"}
    browser.post(f"{desk}/do", data=sent)
    preview = browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/log").text, "undo-last")).text
    assert "Eve" in preview
    page = browser.post(f"{desk}/do", data=fields(preview, "undo-last")).text
    assert re.search(r"You took this back:.{0,40}Eve", " ".join(page.split()))
    browser.post(f"{desk}/do", data=fields(page, "redo-last") | {"confirmed": "yes"})
    assert "Eve" in browser.get(f"{desk}/players").text


def test_the_log_page_names_the_action_that_an_undo_takes_back(browser: Browser, desk: str) -> None:
    """Before the fix, the button said "Undo the last action" and not which action."""
    roster = {"kind": "register-roster", "roster": "Eve\nFay\nGus\n", "confirmed": "yes"}
    browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last") | {"confirmed": "yes"})
    browser.post(f"{desk}/do", data=roster)
    page = browser.get(f"{desk}/log").text
    assert re.search(
        r'id="undo".{0,400}Undo the last action</button> <span[^>]*>(Eve|Gus) registered[^<]*, and 2 more entries<',
        page,
        re.DOTALL,
    )


def test_the_log_page_folds_many_registrations_into_one_line(browser: Browser, desk: str) -> None:
    """Before the fix, 40 registrations filled seven screens of a phone."""
    browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last") | {"confirmed": "yes"})
    roster = {"kind": "register-roster", "roster": "Eve\nFay\nGus\nHal\n", "confirmed": "yes"}
    browser.post(f"{desk}/do", data=roster)
    page = " ".join(browser.get(f"{desk}/log").text.split())
    assert re.search(r"<details><summary>[^>]*<time>.{0,400}4 players registered</b></summary>", page)


def test_a_run_that_continues_on_the_next_page_of_a_log_is_counted_whole(browser: Browser, desk: str) -> None:
    """Before the fix, each page counted its own share: 195 of 300 players, or 16 of 40."""
    browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last") | {"confirmed": "yes"})
    roster = "".join(f"P{one:03}\n" for one in range(210))
    browser.post(f"{desk}/do", data={"kind": "register-roster", "roster": roster, "confirmed": "yes"})
    page = browser.get(f"{desk}/log").text
    older = re.search(r'rel="next" href="\?(before=\d+)"', page)
    assert older is not None
    public = desk.removesuffix("desk") + "log"
    pages = (
        page,
        browser.get(f"{desk}/log?{older[1]}").text,
        browser.get(public).text,
        browser.get(f"{public}?page=2").text,
    )
    counts = [re.findall(r"(\d+) players registered <small>(\d+) on this page", one)[-1] for one in pages]
    whole, shown = zip(*counts, strict=True)
    assert set(whole) == {str(max(map(int, whole)))}
    assert int(whole[0]) >= 210
    assert shown[0] == "80"
    assert shown[1] == "80"
    assert int(shown[2]) + int(shown[3]) == int(whole[0])


def test_a_round_that_continues_on_the_next_page_of_the_log_says_how_many_entries_it_has(
    browser: Browser, desk: str
) -> None:
    """Before the fix, the round counted the entries of the page alone."""
    browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last") | {"confirmed": "yes"})
    roster = {"kind": "register-roster", "roster": "".join(f"P{one:03}\n" for one in range(90)), "confirmed": "yes"}
    browser.post(f"{desk}/do", data=roster)
    address = f"{desk}/log"
    first = " ".join(browser.get(address).text.split())
    assert "<h2>Before round 1</h2> <small>80 of 97 entries" in first
    older = re.search(r'rel="next" href="([^"]+)"', first)
    assert older is not None
    second = " ".join(browser.get(address + older[1].replace("&amp;", "&")).text.split())
    assert "<small>17 of 97 entries" in second
    assert "entries" not in second.partition("<h2>Round 1</h2>")[2][:40], "round 1 was undone"


def test_the_log_page_says_how_many_entries_the_undo_took_back(browser: Browser, desk: str) -> None:
    """Before the fix, the page named one player of a roster that was taken back."""
    browser.post(f"{desk}/do", data=fields(browser.get(f"{desk}/rounds").text, "undo-last") | {"confirmed": "yes"})
    roster = {"kind": "register-roster", "roster": "Eve\nFay\nGus\n", "confirmed": "yes"}
    browser.post(f"{desk}/do", data=roster)
    undo = fields(browser.get(f"{desk}/log").text, "undo-last") | {"confirmed": "yes"}
    browser.post(f"{desk}/do", data=undo)
    page = " ".join(browser.get(f"{desk}/log").text.split())
    assert re.search(r"You took this back:.{0,60}, and 2 more entries", page)


def test_forms_can_run_a_whole_round(browser: Browser, desk: str, commands: str) -> None:
    browser.post(commands, json=slip(1, "a"))
    browser.post(commands, json=slip(2, "a"))
    page = browser.get(f"{desk}/rounds").text
    assert "No objections" in page
    paired = browser.post(f"{desk}/do", data=fields(page, "pair-round"))
    assert "Round 2: 2 tables are outstanding" in " ".join(paired.text.split())


def test_a_form_that_is_sent_twice_records_once(browser: Browser, desk: str) -> None:
    sent = fields(browser.get(f"{desk}/players").text, "register-player") | {"name": "Eve"}
    browser.post(f"{desk}/do", data=sent)
    position = browser.get("/api/tournaments").json()[0]["position"]
    again = browser.post(f"{desk}/do", data=sent)
    assert again.status_code == 200
    assert browser.get("/api/tournaments").json()[0]["position"] == position


def test_the_desk_itself_registers_a_late_player_as_late(browser: Browser, desk: str, ledger: Path) -> None:
    sent = fields(browser.get(f"{desk}/players").text, "register-player") | {"name": "Eve"}
    browser.post(f"{desk}/do", data=sent)
    assert "Eve" in browser.get(f"{desk}/players", params={"q": "eve"}).text
    assert run(["drop", "Eve", "--ledger", str(ledger)]) == 0


def test_a_command_with_wide_effects_is_previewed_first(browser: Browser, desk: str, commands: str) -> None:
    browser.post(commands, json=slip(1, "a"))
    browser.post(commands, json=slip(2, "a"))
    page = browser.get(f"{desk}/corrections", params={"round": 1, "table": 1}).text
    before = browser.get("/api/tournaments").json()
    preview = browser.post(f"{desk}/do", data=fields(page, "correct-slip") | {"outcome": "b"}).text
    assert "Nothing is recorded yet" in preview
    assert "lines of the standings change" in preview
    assert browser.get("/api/tournaments").json() == before
    browser.post(f"{desk}/do", data=fields(preview, "correct-slip") | {"reason": "both signed the wrong line"})
    entry = browser.get(f"{commands.removesuffix('commands')}entries", params={"after": 8}).json()[0]
    assert entry["fact"]["kind"] == "result-corrected"
    assert entry["reason"] == "both signed the wrong line"


def test_an_outdated_preview_is_not_recorded(browser: Browser, desk: str, commands: str, ledger: Path) -> None:
    browser.post(commands, json=slip(1, "a"))
    page = browser.get(f"{desk}/corrections", params={"round": 1, "table": 1}).text
    preview = browser.post(f"{desk}/do", data=fields(page, "correct-slip") | {"outcome": "b"}).text
    at_terminal(ledger)("report", "2", "b")
    answer = browser.post(f"{desk}/do", data=fields(preview, "correct-slip"))
    assert answer.status_code == 409
    assert "the log has changed since" in answer.text
    assert 'name="outcome" value="b"' in answer.text, "what was typed is still there"


def test_a_refused_form_keeps_what_was_typed(browser: Browser, desk: str) -> None:
    sent = fields(browser.get(f"{desk}/players").text, "register-player") | {"name": "Ann", "reason": "at the door"}
    answer = browser.post(f"{desk}/do", data=sent)
    assert answer.status_code == 422
    assert "registered already" in answer.text
    assert 'value="Ann"' in answer.text
    assert 'value="at the door"' in answer.text


@pytest.mark.parametrize(
    "sent", [{}, {"kind": "fly"}, {"kind": "report-slip", "table": "x"}, {"kind": "pair-round", "seen": "²"}]
)
def test_an_unclear_form_is_refused(browser: Browser, desk: str, sent: dict[str, str]) -> None:
    answer = browser.post(f"{desk}/do", data=sent)
    assert answer.status_code in (400, 422)
    assert "Not recorded" in answer.text


def test_names_are_never_markup(ledger: Path) -> None:
    at_terminal(ledger)("late", "<script>alert(1)</script>")
    with TestClient(create_app(str(ledger), Settings(key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        home = browser.get("/", follow_redirects=False).headers["location"]
        for page in ("", "/players", "/rounds", "/corrections"):
            assert "<script>alert" not in browser.get(f"{home}desk{page}").text


def test_the_desk_has_the_role_of_the_person_who_started_the_server(ledger: Path) -> None:
    settings = Settings(clerk=Clerk("Pat", "organizer", "front"), key=KEY)
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        home = browser.get("/", follow_redirects=False).headers["location"]
        assert "Pat · organizer · front" in browser.get(f"{home}desk").text


def test_the_desk_answers_a_call(browser: Browser, desk: str, commands: str, ledger: Path) -> None:
    browser.post(commands, json=slip(1, "a"))
    at_terminal(ledger)("call", "Bo", "--claim", "won")
    assert browser.get(f"{desk}/state").json()["calls"] == 1
    page = browser.get(f"{desk}/corrections").text
    assert "Bo</b> says</dt><dd>I won</dd>" in page
    browser.post(f"{desk}/do", data=fields(page, "answer-call") | {"answer": "stands"})
    assert browser.get(f"{desk}/state").json()["calls"] == 0


def test_the_organizer_reopens_a_tournament_that_was_closed_by_mistake(
    browser: Browser, desk: str, commands: str, ledger: Path
) -> None:
    browser.post(commands, json=slip(1, "a"))
    browser.post(commands, json=slip(2, "a"))
    sent = fields(browser.get(f"{desk}/event").text, "close-tournament")
    asked = browser.post(f"{desk}/do", data=sent | {"deviating": "true", "reason": "short"}).text
    assert not browser.get("/api/tournaments").json()[0]["closed"], "it asks first"
    browser.post(f"{desk}/do", data=fields(asked, "close-tournament") | {"deviating": "true", "reason": "short"})
    closed = browser.get("/api/tournaments").json()[0]
    assert closed["closed"]
    assert "retract-entry" not in browser.get(f"{desk}/corrections").text, "a scorekeeper may not reopen it"
    at_terminal(ledger)(
        "retract", str(closed["position"]), "--yes", "--role", "organizer", "--reason", "closed by mistake"
    )
    assert not browser.get("/api/tournaments").json()[0]["closed"]


def test_a_correction_marks_the_recorded_result(browser: Browser, desk: str, commands: str) -> None:
    browser.post(commands, json=slip(1, "b"))
    page = browser.get(f"{desk}/corrections", params={"round": 1, "table": 1}).text
    [marked] = re.findall(r'<button name="outcome" value="([^"]*)" class="[^"]*is-now"', page)
    assert marked == "b"


def test_after_the_end_a_correction_offers_no_result(
    browser: Browser, desk: str, commands: str, ledger: Path
) -> None:
    for table in (1, 2):
        browser.post(commands, json=slip(table, "a"))
    at_terminal(ledger)("close", "--yes", "--reason", "the hall closes")
    page = browser.get(f"{desk}/corrections", params={"round": 1, "table": 1}).text
    assert "Ann beat Bo" in page
    assert 'value="correct-slip"' not in page
    assert "Correct the result" not in browser.get(f"{desk}/match", params={"round": 1, "table": 1}).text


def test_one_button_opens_a_table_for_its_slip(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/rounds", params={"table": 1}).text
    assert re.findall(r'<button name="outcome" value="([^"]+)"', page)[:2] == ["a", "b"]
    assert "Ann wins" in page
    form = fields(page, "report-slip")
    shown = browser.post(f"{desk}/do", data=form | {"outcome": "b"}, follow_redirects=True).text
    assert "table 1: Bo beat Ann" in shown
    again = browser.get(f"{desk}/rounds", params={"table": 1}).text
    assert 'name="outcome"' not in again
    assert "Correct the result" in again
    assert 'id="chosen"' not in browser.get(f"{desk}/rounds", params={"table": 999}).text


def test_the_list_of_players_shows_place_and_record_after_a_round(
    browser: Browser, desk: str, ledger: Path
) -> None:
    assert "W\N{EN DASH}L\N{EN DASH}D" not in browser.get(f"{desk}/players").text
    at_terminal(ledger)("report", "1", "a", "2", "a")
    page = browser.get(f"{desk}/players", params={"player": 1}).text
    assert '<td class="rec minor">1\N{EN DASH}0\N{EN DASH}0</td>' in page
    assert "<dt>W\N{EN DASH}L\N{EN DASH}D</dt><dd>1\N{EN DASH}0\N{EN DASH}0</dd>" in page


def test_a_players_rare_actions_come_last_and_the_disqualification_at_the_very_end(
    browser: Browser, desk: str
) -> None:
    page = browser.get(f"{desk}/players?player=1").text
    card = page[page.index('id="chosen-heading"') :]
    order = (
        "Penalty, ruling, card",
        "No-show",
        "Concedes",
        ">Drop<",
        "Table and byes",
        "Correct the person",
        ">Disqualify<",
    )
    places = [card.index(action) for action in order]
    assert places == sorted(places)


def test_the_list_of_players_shows_who_is_here_until_round_1_is_paired(tmp_path: Path) -> None:
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "l5r-2018")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as client:
        page = client.post("/enter", data={"key": KEY}).url.path + "/players"
        assert "Check-in" not in client.get(page).text, "nobody asked the players to check in"
        terminal("check-in", "Bo")
        assert names_listed(client.get(f"{page}?show=here").text) == ["Bo"]
        assert names_listed(client.get(f"{page}?show=not-here").text) == ["Ann", "Cy", "Di"]
        assert names_listed(client.get(page).text) == ["Ann", "Cy", "Di", "Bo"], (
            "the check-in begins with the others"
        )
        assert "Is here" in client.get(f"{page}?player=1").text
        terminal("pair")
        assert "Check-in" not in client.get(page).text


def test_a_mistaken_check_in_is_taken_back_and_the_player_can_check_in_again(tmp_path: Path) -> None:
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "l5r-2018")
    terminal("check-in", "Ann", "Bo")
    with TestClient(create_app(str(path), Settings(key=KEY)), base_url="http://localhost") as client:
        desk = client.post("/enter", data={"key": KEY}).url.path
        page = f"{desk}/players"
        for _ in range(2):
            assert names_listed(client.get(f"{page}?show=here").text) == ["Ann", "Bo"]
            chosen = client.get(f"{page}?player=2").text
            assert "Is here</button></p>" not in chosen
            shown = client.post(f"{desk}/do", data=fields(chosen, "retract-entry")).text
            client.post(f"{desk}/do", data=fields(shown, "retract-entry") | {"reason": "seen"})
            assert names_listed(client.get(f"{page}?show=here").text) == ["Ann"]
            chosen = client.get(f"{page}?player=2").text
            assert "Not here</button>" not in chosen
            client.post(f"{desk}/do", data=fields(chosen, "check-in") | {"players": "#2"})
        terminal("pair")
        assert "Not here</button>" not in client.get(f"{page}?player=2").text


def names_listed(page: str) -> list[str]:
    return re.findall(r'<th scope="row"><a [^>]*>(?:<b>)?([^<]*)', page)


def test_a_match_in_play_names_the_opponent_beside_the_actions(browser: Browser, desk: str) -> None:
    page = browser.get(f"{desk}/players?player=1").text
    card = page[page.index('id="seat-heading"') :]
    opponent = re.search(r"<small>against (.*?)</small>", card)
    assert opponent
    assert f"{opponent[1]} wins the match." in card


def test_a_chosen_player_is_not_one_key_from_leaving(browser: Browser, desk: str) -> None:
    """A search puts the cursor beside Drop, where a scorekeeper wants it. A look at a player does not."""
    looked = browser.get(f"{desk}/players", params={"player": 3}).text
    searched = browser.get(f"{desk}/players", params={"q": "Cy"}).text
    assert re.findall(r'id="([\w-]+)"[^>]* autofocus', looked) == ["chosen-heading"]
    assert re.findall(r'id="([\w-]+)"[^>]* autofocus', searched) == ["why"]
