"""Web Push: a phone whose page is closed gets each new round, and only that phone can read the message."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from tests.web.conftest import KEY, Browser, at_terminal, friday

from matchledger.ledger import open_ledger
from matchledger.ledger.beside import SideFile
from matchledger.proof.web_push import CURVE, public_bytes, sealed_message, unwritten, written
from matchledger.service.player_links import code_of
from matchledger.service.push import Subscription, subscribe, subscriptions
from matchledger.web import posting
from matchledger.web.authority import own_certificate
from matchledger.web.pages.own import ACTS

SERVICE = "https://push.example.org"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A Magic event of four players before round 1. Phones may get news."""
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "magic-mtr")
    terminal("allow-phones", "push")
    return path


@dataclass
class Phone:
    """A browser with a personal link and the keys of its subscription."""

    browser: Browser
    own: str
    cookie: str
    name: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    secret: bytes = b"sixteen secrets!"

    @property
    def endpoint(self) -> str:
        return f"{SERVICE}/send/{self.name}"

    def send(self, act: str = "on", language: str = "en", **changes: str) -> httpx2.Response:
        keys = {"p256dh": written(public_bytes(self.key.public_key())), "auth": written(self.secret)}
        headers = {"cookie": self.cookie, "accept-language": language}
        fields = {"act": act, "endpoint": self.endpoint} | keys | changes
        return self.browser.post(f"{self.own}/push", data=fields, headers=headers)

    def read(self, body: bytes) -> str:
        """Return the text of a message, decrypted as a browser does (RFC 8291, section 3.4)."""
        salt, sender, text = body[:16], body[21:86], body[86:]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        info = b"WebPush: info\0" + public_bytes(self.key.public_key()) + sender
        inner = HKDF(SHA256(), 32, self.secret, info).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(inner)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(inner)
        return AESGCM(key).decrypt(nonce, text, None).removesuffix(b"\2").decode()


@dataclass
class Service:
    """A push service: the messages that it got, and its answers' status."""

    got: dict[str, tuple[Mapping[str, str], bytes]] = field(default_factory=dict)
    status: int = 201

    async def take(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> int:
        self.got[endpoint] = headers, body
        return self.status

    def wait_for(self, phone: Phone) -> str:
        """Return the text that a phone gets within some seconds."""
        until = time.monotonic() + 20
        while phone.endpoint not in self.got:
            assert time.monotonic() < until
            time.sleep(0.01)
        return phone.read(self.got[phone.endpoint][1])


def wait_until_forgotten(ledger: Path) -> None:
    """Wait until the server has looked at the log again and forgotten all phones."""
    until = time.monotonic() + 20
    with closing(sqlite3.connect(f"{ledger}.side")) as side:
        while side.execute("SELECT COUNT(*) FROM push").fetchone() != (0,):
            assert time.monotonic() < until
            time.sleep(0.01)


PhoneOf = Callable[[str], Phone]


@pytest.fixture
def service(browser: Browser) -> Service:
    made = Service()
    browser.app.state.news.send = made.take  # type: ignore[attr-defined] # the application is no plain function
    return made


@pytest.fixture
def phone(ledger: Path, browser: Browser, home: str) -> PhoneOf:
    def of(name: str) -> Phone:
        number = ("Ann", "Bo", "Cy", "Di").index(name) + 1
        with open_ledger(str(ledger)) as opened:
            code = code_of(opened, UUID(home.split("/")[2]), number)
        return Phone(browser, f"{home}me", f"matchledger-player={code}", name)

    return of


def pair(ledger: Path) -> None:
    at_terminal(ledger)("pair", "--table", "Ann/Bo", "--table", "Cy/Di")


def test_the_example_in_the_standard_is_encrypted_exactly() -> None:
    """The example is from RFC 8291, section 5."""
    own = ec.derive_private_key(int.from_bytes(unwritten("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), CURVE)
    made = sealed_message(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        own=own,
        salt=unwritten("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert written(made) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_a_phone_gets_the_posted_round_and_no_other_phone_can_read_the_message(
    ledger: Path, service: Service, phone: PhoneOf
) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    assert ann.send().status_code == bo.send(language="de").status_code == 204
    pair(ledger)
    assert json.loads(service.wait_for(ann)) == {"title": "Friday", "body": "Table 1 in round 1, against Bo"}
    assert json.loads(service.wait_for(bo))["body"] == "Tisch 1 in Runde 1, gegen Ann"
    headers, body = service.got[ann.endpoint]
    with pytest.raises(InvalidTag):
        bo.read(body)
    assert (headers["content-encoding"], headers["urgency"], int(headers["ttl"]) > 0) == ("aes128gcm", "high", True)
    token, key = headers["authorization"].removeprefix("vapid t=").split(", k=")
    assert f'data-key="{key}"' in ann.browser.get(ann.own, headers={"cookie": ann.cookie}).text
    signed, _, signature = token.rpartition(".")
    numbers = unwritten(signature)
    sender = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unwritten(key))
    number = encode_dss_signature(int.from_bytes(numbers[:32]), int.from_bytes(numbers[32:]))
    sender.verify(number, signed.encode(), ec.ECDSA(SHA256()))
    claims = json.loads(unwritten(signed.split(".")[1]))
    assert claims["aud"] == SERVICE
    assert time.time() < claims["exp"] < time.time() + 24 * 3600


def test_the_server_forgets_a_phone_that_the_push_service_no_longer_knows(
    ledger: Path, service: Service, phone: PhoneOf
) -> None:
    ann = phone("Ann")
    ann.send()
    service.status = 410
    pair(ledger)
    service.wait_for(ann)
    side = ann.browser.app.state.side  # type: ignore[attr-defined] # the application is no plain function
    until = time.monotonic() + 20
    while side.pushed() and time.monotonic() < until:
        time.sleep(0.01)
    assert side.pushed() == set()


def test_a_phone_gets_nothing_after_its_link_or_its_player_or_its_consent_ended(
    ledger: Path, service: Service, phone: PhoneOf
) -> None:
    phones = ann, _, cy, di = [phone(name) for name in ("Ann", "Bo", "Cy", "Di")]
    assert [one.send().status_code for one in phones] == [204] * 4
    terminal = at_terminal(ledger)
    terminal("renew-link", "Ann")
    certificate = str(ledger.with_name("erasure.txt"))
    terminal("erase", "Bo", "--role", "organizer", "--reason", "asked", "--yes", "--out", certificate)
    assert cy.send("off").status_code == 204
    terminal("pair", "--table", "Ann/#2", "--table", "Cy/Di")
    service.wait_for(di)
    assert list(service.got) == [di.endpoint]
    assert ann.send().status_code == 401
    side = ledger.with_name(f"{ledger.name}.side")
    with closing(sqlite3.connect(side)) as file:
        kept = [bytes(text) for (text,) in file.execute("SELECT text FROM push")]
    assert (len(kept), SERVICE.encode() in kept[0]) == (1, False)
    assert side.stat().st_mode & 0o077 == 0


def test_phones_get_no_news_unless_the_organizer_allows_it(ledger: Path, service: Service, phone: PhoneOf) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    ann.send()
    at_terminal(ledger)("allow-phones", "judge")
    refused = bo.send()
    assert refused.status_code == 422
    assert "players may not get news of a round by Web Push with their phones here" in refused.text
    assert 'id="push"' not in ann.browser.get(ann.own, headers={"cookie": ann.cookie}).text
    wait_until_forgotten(ledger)
    at_terminal(ledger)("allow-phones", "push")
    assert bo.send().status_code == 204
    pair(ledger)
    service.wait_for(bo)
    assert list(service.got) == [bo.endpoint]


def test_after_push_was_stopped_and_allowed_again_a_phone_needs_a_new_consent(ledger: Path) -> None:
    key = written(public_bytes(ec.generate_private_key(CURVE).public_key()))
    with open_ledger(str(ledger)) as opened:
        side, tournament = SideFile(opened.ring), opened.tournaments()[0]
        ann = Subscription(
            f"{SERVICE}/ann",
            key,
            written(b"sixteen secrets!"),
            code_of(opened, tournament, 1) or "",
            "https://x",
            "en",
        )
        subscribe(side, opened, tournament, 1, ann)
        at_terminal(ledger)("allow-phones", "push", "judge")
        assert [player for player, _ in subscriptions(side, opened, tournament)] == [1], "push was not stopped"
        at_terminal(ledger)("allow-phones", "judge")
        at_terminal(ledger)("allow-phones", "push")
        assert subscriptions(side, opened, tournament) == []
        assert side.pushes(tournament) == [], "the phone is forgotten"
        side.close()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://192.168.1.7/x",
        "https://[fd00::1]/x",
        "https://localhost/x",
        "https://push.example.org:8443/x",
        "https://kim@push.example.org/x",
        "https://push.example.org/x y",
        "https://push.example.org/x\r\nhost: other",
    ],
)
def test_a_phone_cannot_make_the_server_call_an_address_in_the_hall(phone: PhoneOf, endpoint: str) -> None:
    refused = phone("Ann").send(endpoint=endpoint)
    assert (refused.status_code, "this is not the address of a push service" in refused.text) == (400, True)


def test_invalid_keys_and_too_many_requests_are_refused(phone: PhoneOf) -> None:
    ann = phone("Ann")
    assert ann.send(p256dh="AAAA").status_code == ann.send(auth="AAAA").status_code == 400
    assert [ann.send().status_code for _ in range(ACTS)][-2:] == [429, 429]


def test_the_fourth_phone_of_a_player_replaces_the_first(ledger: Path, service: Service, phone: PhoneOf) -> None:
    phones = [phone("Ann") for _ in range(4)]
    for number, one in enumerate(phones):
        one.name = str(number)
        one.send()
    pair(ledger)
    for one in phones[1:]:
        service.wait_for(one)
    assert set(service.got) == {one.endpoint for one in phones[1:]}


def test_a_silent_push_service_delays_no_page(ledger: Path, phone: PhoneOf) -> None:
    ann = phone("Ann")
    ann.send()
    asked = []

    async def silent(endpoint: str, _: Mapping[str, str], __: bytes) -> int:
        asked.append(endpoint)
        return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return] # never an answer

    ann.browser.app.state.news.send = silent  # type: ignore[attr-defined] # the application is no plain function
    pair(ledger)
    until = time.monotonic() + 20
    while not asked and time.monotonic() < until:
        time.sleep(0.01)
    assert asked
    ann.browser.post("/enter", data={"key": KEY})
    assert "Table" in ann.browser.get(ann.own.replace("/me", "/desk")).text


def test_the_service_worker_may_load_nothing(phone: PhoneOf) -> None:
    ann = phone("Ann")
    answer = ann.browser.get(f"{ann.own}/worker.js")
    assert answer.headers["content-security-policy"] == "default-src 'none'"
    assert answer.headers["service-worker-allowed"] == ann.own
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "showNotification" in answer.text


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.1.7", "169.254.169.254", "100.64.0.1", "::1", "fd00::1", "::ffff:10.1.2.3"],
)
def test_the_server_connects_to_no_private_address(address: str) -> None:
    with pytest.raises(OSError, match="not on the internet"):
        asyncio.run(posting.public_address(address))
    assert asyncio.run(posting.public_address("9.9.9.9")) == "9.9.9.9"


def test_a_message_is_sent_over_tls_and_follows_no_redirection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = own_certificate(tmp_path, ["push.local"])
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(*files)
    trusting = ssl.create_default_context(cafile=str(tmp_path / "authority.pem"))
    got = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        got.append(await reader.readuntil(b"\r\n\r\n") + await reader.readexactly(4))
        writer.write(b"HTTP/1.1 301 Moved\r\nlocation: https://push.local/other\r\n\r\n")
        writer.close()

    async def here(_: str) -> str:
        return "127.0.0.1"

    async def exchange() -> int:
        async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=serving) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(OSError, match="certificate"):
                await posting.post("https://push.local/x", {}, b"text", port=port)
            return await posting.post("https://push.local/x", {"ttl": "5"}, b"text", trusted=trusting, port=port)

    monkeypatch.setattr(posting, "public_address", here)
    assert asyncio.run(exchange()) == 301
    head, _, body = got[0].partition(b"\r\n\r\n")
    assert body == b"text"
    assert head.decode().split("\r\n") == [
        "POST /x HTTP/1.1",
        "host: push.local",
        "content-length: 4",
        "connection: close",
        "ttl: 5",
    ]
