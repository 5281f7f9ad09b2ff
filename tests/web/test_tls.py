"""TLS: other machines in the hall's network cannot read keys or slips."""

from __future__ import annotations

import http.client
import socket
import ssl
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from freezegun import freeze_time
from starlette.testclient import TestClient
from tests.benchmarks.serving import free_port
from tests.desk import RunCli
from tests.web.chromium import serving
from tests.web.conftest import KEY, at_terminal

from matchledger.cli import run
from matchledger.events import Role
from matchledger.ledger import Clerk, open_ledger
from matchledger.service.player_links import code_of
from matchledger.web.app import create_app
from matchledger.web.authority import fingerprint, own_certificate
from matchledger.web.connections import Config, Plain
from matchledger.web.pages.own import COOKIE
from matchledger.web.settings import Settings

pytestmark = pytest.mark.finding("A-8")

CALL = {"act": "call", "round": "1"}
IN_THE_HALL = "http://192.168.1.7:8080/"


@pytest.fixture
def links(ledger: Path) -> dict[int, str]:
    """The cookies of the personal links, in an event whose players may call the desk by phone."""
    at_terminal(ledger)("allow-phones", "judge")
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        return {player: f"{COOKIE}={code_of(kept, tournament, player)}" for player in (1, 3)}


def test_only_a_device_that_installed_the_local_authority_reaches_the_desk(ledger: Path, tmp_path: Path) -> None:
    certificate, key = own_certificate(tmp_path / "authority", ["localhost", "127.0.0.1"])
    assert all(
        (tmp_path / "authority" / name).stat().st_mode & 0o077 == 0 for name in ("authority.key", "server.key")
    )
    trusting = ssl.create_default_context(cafile=str(tmp_path / "authority" / "authority.pem"))
    with serving(ledger, Settings(key=KEY), ssl_certfile=certificate, ssl_keyfile=key) as address:
        port = urlsplit(address).port
        desk = http.client.HTTPSConnection("127.0.0.1", port, context=trusting, timeout=20)
        form = {"content-type": "application/x-www-form-urlencoded"}
        desk.request("POST", "/enter", f"key={KEY}", form)
        answer = desk.getresponse()
        assert answer.status == 303
        assert "; secure" in str(answer.headers["set-cookie"]).lower()
        desk.close()
        stranger = http.client.HTTPSConnection("127.0.0.1", port, context=ssl.create_default_context(), timeout=20)
        with pytest.raises(ssl.SSLCertVerificationError):
            stranger.request("GET", "/")
        stranger.close()


@pytest.mark.finding("A-4")
def test_connections_that_never_begin_tls_make_room_and_end_soon(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matchledger.web.connections.HANDSHAKE_SECONDS", 1.0)
    monkeypatch.setattr("matchledger.web.connections.MOST", 16)
    certificate, key = own_certificate(tmp_path, ["127.0.0.1"])
    trusting = ssl.create_default_context(cafile=str(tmp_path / "authority.pem"))
    with (
        serving(ledger, Settings(key=KEY), ssl_certfile=certificate, ssl_keyfile=key) as address,
        ExitStack() as strangers,
    ):
        port = urlsplit(address).port
        assert port is not None
        silent = [
            strangers.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)) for _ in range(40)
        ]
        assert silent[0].recv(1) == b""  # a later connection took its place
        desk = http.client.HTTPSConnection("127.0.0.1", port, context=trusting, timeout=20)
        desk.request("GET", "/enter")
        assert desk.getresponse().status == 200
        desk.close()
        assert silent[-1].recv(1) == b""  # the server waits one second for a handshake, then closes


def test_the_local_authority_is_limited_to_the_hall(tmp_path: Path) -> None:
    own_certificate(tmp_path, ["desk.local", "192.168.1.7", "fd00::1"])
    first = fingerprint(tmp_path)
    for name in ("hall.example", "8.8.8.8", "notlocal", socket.gethostname()):
        with pytest.raises(ValueError, match="cannot certify"):
            own_certificate(tmp_path, [name])
    assert fingerprint(tmp_path) == first


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_openssl_accepts_a_certificate_for_one_name_or_address_alone(tmp_path: Path, name: str) -> None:
    certificate, key = own_certificate(tmp_path, [name])
    server, client = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    server.load_cert_chain(certificate, key)
    client.load_verify_locations(tmp_path / "authority.pem")
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    here = server.wrap_bio(up, down, server_side=True)
    there = client.wrap_bio(down, up, server_hostname=name)
    for side in (there, here, there, here):
        with suppress(ssl.SSLWantReadError):
            side.do_handshake()
    assert there.version() == here.version() == "TLSv1.3"


def test_a_key_that_others_can_read_or_of_another_authority_is_refused(tmp_path: Path) -> None:
    own_certificate(tmp_path / "a", ["localhost"])
    own_certificate(tmp_path / "b", ["localhost"])
    key = tmp_path / "a" / "authority.key"
    key.chmod(0o640)
    with pytest.raises(ValueError, match="others can read"):
        own_certificate(tmp_path / "a", ["localhost"])
    (tmp_path / "b" / "authority.key").replace(key)
    with pytest.raises(ValueError, match="is not the key of"):
        own_certificate(tmp_path / "a", ["localhost"])


def test_plain_http_beside_tls_is_read_only(ledger: Path) -> None:
    app = create_app(str(ledger), Settings(key=KEY))
    with TestClient(Plain(app, "https://hall.local:8443/"), base_url="http://localhost") as phone:
        home = phone.get("/").url.path
        assert "Ann" in phone.get(home).text
        bearer = {"authorization": f"Bearer {KEY}"}
        assert phone.get(f"/api{home.replace('/t/', '/tournaments/')}tokens", headers=bearer).status_code == 401
        for path in ("/enter", "/new", f"{home}desk"):
            answer = phone.get(path, follow_redirects=False)
            assert (answer.status_code, answer.headers["location"]) == (307, f"https://hall.local:8443{path}")
        refused = phone.post(f"{home}me", data=CALL, headers={"accept-language": "de"})
        assert (refused.status_code, "wird nichts geschrieben" in refused.text) == (403, True)


def test_players_can_only_write_over_tls_unless_the_organizer_allows_plain_http(
    ledger: Path, links: dict[int, str], run_cli: RunCli
) -> None:
    app = create_app(str(ledger), Settings(key=KEY, watch_seconds=0.05, address=IN_THE_HALL))
    with TestClient(app, base_url="http://localhost") as phone:
        home = phone.get("/").url.path
        assert "Handys schreiben hier nur verschlüsselt" in _called(phone, home, 403, links[1])
        _called(phone, f"https://localhost{home}", 303, links[1])
        at_terminal(ledger)("token", "plain-http", "--role", "organizer")
        _called(phone, home, 303, links[3])
    assert "players may write over plain HTTP" in run_cli("log", "--ledger", str(ledger)).out


def test_a_phone_that_only_reads_gets_no_form_and_a_refused_form_keeps_its_text(
    ledger: Path, links: dict[int, str]
) -> None:
    at_terminal(ledger)("allow-phones", "judge", "deck", "sign-up", "--reason", "open")
    app = create_app(str(ledger), Settings(key=KEY, watch_seconds=0.05, address=IN_THE_HALL))
    with TestClient(app, base_url="http://localhost") as phone:
        home = phone.get("/").url.path
        cookie = {"cookie": links[1]}
        page = phone.get(f"{home}me", headers=cookie).text
        assert "This phone can only read here." in page
        assert "<form" not in page.partition("<main")[2]
        sent = phone.post(f"{home}me", data={"act": "deck", "deck": "4 Way of the Crane"}, headers=cookie)
        assert (sent.status_code, "4 Way of the Crane" in sent.text) == (403, True)
        door = phone.get(f"{home}sign-up").text
        assert "Sign up at the desk" in door
        assert 'name="contact"' not in door
        refused = phone.post(f"{home}sign-up", data={"name": "Zoë Adler"})
        assert refused.status_code == 403
        assert 'value="Zoë Adler"' in refused.text
        assert "Friday" in refused.text
        assert "This phone can only read here." not in phone.get(f"https://localhost{home}me", headers=cookie).text


@pytest.mark.parametrize("role", ["organizer", "scorekeeper"])
def test_the_phones_page_tells_the_risk_of_plain_http_and_only_an_organizer_allows_it(
    ledger: Path, links: dict[int, str], role: Role
) -> None:
    settings = Settings(key=KEY, watch_seconds=0.05, address=IN_THE_HALL, clerk=Clerk("Kim", role, "server"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        home = browser.get("/").url.path
        browser.post("/enter", data={"key": KEY})
        page = browser.get(f"{home}desk/phones").text
        assert "Web Push needs HTTPS, the internet and the service of the browser" in page
        assert "Anybody in the network can then read and change what phones send" in page
        assert ("stations/plain-http" in page) == (role == "organizer")
        assert ("matchledger token plain-http" in page) == (role == "scorekeeper")
        answer = browser.post(f"{home}desk/stations/plain-http", data={"page": "phones", "form": "plain-http"})
        if role == "scorekeeper":
            assert answer.status_code == 422
            assert "may not let phones write without encryption" in answer.text
            return
        assert "players may write over plain HTTP" in answer.text
        assert "Anybody in the network can read and change what they send" in answer.text
        with open_ledger(ledger) as kept:
            entry = kept.record(UUID(home.split("/")[2])).position
        browser.cookies.clear()
        _called(browser, home, 303, links[1])
        at_terminal(ledger)("retract", str(entry), "--role", "organizer", "--reason", "TLS works", "--yes")
        _called(browser, home, 403, links[3])


def test_the_phones_page_is_silent_about_plain_http_with_tls_or_without_a_network(ledger: Path) -> None:
    at_terminal(ledger)("allow-phones", "judge")
    for address, base in ((IN_THE_HALL, "https://localhost"), (None, "http://localhost")):
        app = create_app(str(ledger), Settings(key=KEY, address=address))
        with TestClient(app, base_url=base) as browser:
            home = browser.get("/").url.path
            browser.post("/enter", data={"key": KEY})
            assert "plain-http" not in browser.get(f"{home}desk/phones").text


def test_a_phone_that_reaches_a_proxy_over_plain_http_cannot_write(ledger: Path, links: dict[int, str]) -> None:
    app = create_app(str(ledger), Settings(key=KEY, proxied=True))
    config = Config(app, proxy="127.0.0.1", log_level="critical")
    config.load()
    with TestClient(config.loaded_app, base_url="http://localhost", client=("127.0.0.1", 1)) as phone:
        home = phone.get("/").url.path
        phone.headers["x-forwarded-proto"] = "http"
        _called(phone, home, 403, links[1])
        phone.headers["x-forwarded-proto"] = "https"
        _called(phone, home, 303, links[1])


def test_serve_with_the_proxy_option_knows_that_requests_are_forwarded(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Settings] = []
    monkeypatch.setattr("matchledger.web.connections.run", lambda app, *_: made.append(app.state.settings))
    serve = ["serve", "--ledger", str(ledger), "--port", str(free_port())]
    assert [run(serve), run([*serve, "--proxy", "127.0.0.1"])] == [0, 0]
    assert [settings.proxied for settings in made] == [False, True]


def _called(phone: TestClient, home: str, status: int, link: str) -> str:
    answer = phone.post(
        f"{home}me",
        data=CALL,
        headers={"accept-language": "de", "cookie": link},
        follow_redirects=False,
    )
    assert answer.status_code == status, answer.text
    return answer.text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tls", "none.pem", "none.key"], "the certificate cannot be used"),
        (["--plain", "8081"], "add --tls or --local-ca"),
        (["--tls", "a", "b", "--local-ca"], "give one of the two"),
        (["--local-ca", "--name", "hall.example"], "cannot certify hall.example"),
    ],
)
def test_a_certificate_problem_is_reported_before_a_port_is_taken(
    ledger: Path, run_cli: RunCli, words: list[str], said: str
) -> None:
    port = str(free_port())
    assert said in run_cli("serve", "--ledger", str(ledger), "--port", port, *words, code=2).err


def test_an_expired_certificate_is_refused_with_the_day_it_expired(
    ledger: Path, tmp_path: Path, run_cli: RunCli
) -> None:
    with freeze_time("2026-01-01"):
        certificate, key = own_certificate(tmp_path, ["localhost"])
    with freeze_time("2026-11-27"):
        said = run_cli("serve", "--ledger", str(ledger), "--tls", str(certificate), str(key), code=2).err
    assert "expired on 2026-03-31, and no browser accepts it: renew it" in said


def test_a_network_without_tls_gets_a_warning_and_with_tls_the_address_shows_it(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("matchledger.web.connections.run", lambda *_, **__: None)
    serve = ["serve", "--ledger", str(ledger), "--network", "--port", str(free_port())]
    assert run(serve) == 0
    said = capsys.readouterr()
    assert "The network can read keys and slips" in said.err
    assert "Without TLS, players' phones only read" in said.err
    assert "matchledger token plain-http" in said.err
    assert run([*serve, "--host", "127.0.0.1", "--local-ca", "--plain", str(free_port())]) == 0
    said = capsys.readouterr()
    assert "at https://127.0.0.1:" in said.out
    assert "To read only: http://127.0.0.1:" in said.out
    assert "Install " in said.err
    assert "can read keys" not in said.err
