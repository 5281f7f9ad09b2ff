"""Commands that serve the pages to the hall, or write the public pages into a folder."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.files import read_text
from matchledger.cli.keys import KeyOption, read_key
from matchledger.cli.options import LedgerOption, TournamentOption
from matchledger.cli.session import Session, UsageProblem, pick_tournament
from matchledger.commands.deck_checks import pool_of
from matchledger.commands.draft import SERVER, now
from matchledger.events import ROLES
from matchledger.ledger import Clerk, open_ledger
from matchledger.ledger.location import unsafe_place, without_password
from matchledger.service.logo import printed_logo

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - only with --network

ProxyOption = Annotated[
    str | None, typer.Option("--proxy", help="The address of a reverse proxy that names each visitor's address.")
]


def serve(
    ledger: LedgerOption,
    host: Annotated[
        str | None,
        typer.Option("--host", help="The address to listen on: this machine's own, or all with --network."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")] = 8080,
    network: Annotated[
        bool, typer.Option("--network", help="Let other machines in: phones, a screen on the wall, more desks.")
    ] = False,
    name: Annotated[list[str] | None, typer.Option("--name", help="Another name of this machine.")] = None,
    proxy: ProxyOption = None,
    tls: Annotated[
        tuple[Path, Path] | None,
        typer.Option("--tls", metavar="CERT KEY", help="A certificate and its key, PEM: the server speaks TLS."),
    ] = None,
    local_ca: Annotated[
        bool, typer.Option("--local-ca", help="Use TLS, with a certificate authority that this machine makes.")
    ] = False,
    plain: Annotated[
        int | None,
        typer.Option(
            "--plain",
            min=1,
            max=65535,
            help="With TLS, a second port for reading without TLS; it accepts no keys.",
        ),
    ] = None,
    create: Annotated[
        bool,
        typer.Option(
            "--create",
            help="Make the ledger if it does not exist. Then open the tournament at the desk, as organizer.",
        ),
    ] = False,
    initials: Annotated[
        list[str] | None,
        typer.Option(
            "--initials", help="Show the initials of a division's players, such as junior; all for every division."
        ),
    ] = None,
    key_file: KeyOption = None,
    cards: Annotated[Path | None, typer.Option("--cards", help="Card data for deck checks, CSV or JSON.")] = None,
    actor: Annotated[
        str | None,
        typer.Option(
            "--actor", envvar="MATCHLEDGER_ACTOR", help="Who works at this machine's desk; by default the role."
        ),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option(
            "--role",
            envvar="MATCHLEDGER_ROLE",
            help=f"The role at the desk: {', '.join(ROLES)}; by default scorekeeper, or organizer with --create.",
        ),
    ] = None,
    station: Annotated[
        str, typer.Option("--station", envvar="MATCHLEDGER_STATION", help="The name of the desk's station.")
    ] = SERVER,
) -> None:
    """Serve the desk, the phones and the wall in a browser."""
    role = role or ("organizer" if create else "scorekeeper")
    if role not in ROLES:
        raise UsageProblem(f"there is no role {role!r}: there are {', '.join(ROLES)}")
    host = host or (EVERYWHERE if network else LOOPBACK)
    if not network and not _is_loopback(host):
        raise UsageProblem(f"{host} lets other machines in: say so with --network, or leave --host out")
    need_web("serve")
    from matchledger.web import connections  # noqa: PLC0415 - it comes with an extra
    from matchledger.web.app import create_app  # noqa: PLC0415 - it comes with an extra
    from matchledger.web.settings import Settings  # noqa: PLC0415 - it comes with an extra

    signing_key = None if key_file is None else read_key(key_file)
    card_text = None if cards is None else _card_data(cards)
    with open_ledger(ledger, create=create) as opened:  # report a broken ledger before taking a port
        is_empty = not opened.tournaments()
    files = _certificate(tls, [address_to_type(host), *(name or ())], local=local_ca)
    need_free(host, port)
    if plain is not None:
        if files is None:
            raise UsageProblem("--plain is a second port, beside one with TLS: add --tls or --local-ca")
        need_free(host, plain)
    where = f"http{'' if files is None else 's'}://{address_to_type(host)}:{port}/"
    settings = Settings(
        initials=tuple(initials or ()),
        host_names=tuple(name or ()),
        address=where if network else None,
        proxied=proxy is not None,
        cards=card_text,
        signing_key=signing_key,
        clerk=Clerk(actor or role, role, station),
    )
    typer.echo(f"Serving {without_password(ledger)} at {where} (Ctrl+C ends it)")
    typer.echo(f"Desk: {where}enter#{settings.key}")
    if is_empty and role != "organizer":
        typer.echo(
            "The ledger holds no tournament. To open one at the desk, start again with --role organizer.", err=True
        )
    if plain is not None:
        typer.echo(f"To read only: http://{address_to_type(host)}:{plain}/")
    if network and files is None:
        typer.echo(
            "The network can read keys and slips: use --tls or --local-ca, or a proxy that speaks TLS.", err=True
        )
        typer.echo(
            "Without TLS, players' phones only read. An organizer can let them write: Phones at the desk, or "
            "matchledger token plain-http.",
            err=True,
        )
    if (problem := unsafe_place(ledger)) is not None:
        typer.echo(f"{problem}, and slips can get lost: copy the ledger to a disk of this machine.", err=True)
    if signing_key is not None:
        typer.echo(f"The desk signs checkpoints, which verify with {signing_key.verification}", err=True)
    typer.echo(
        "That link is the desk's key until the server ends. Other stations: matchledger token issue.", err=True
    )
    listening = connections.Listening(host, port, files, plain, proxy)
    connections.run(create_app(ledger, settings), listening, where)


def _certificate(tls: tuple[Path, Path] | None, names: list[str], *, local: bool) -> tuple[Path, Path] | None:
    """Return the files of the server's certificate and key, or None for plain HTTP. Raises UsageProblem."""
    from matchledger.web.authority import expiry, fingerprint, own_certificate  # noqa: PLC0415 - slow, and only TLS needs it

    if tls is not None and local:
        raise UsageProblem("--tls names a certificate, and --local-ca makes one: give one of the two")
    try:
        if local:
            state = os.environ.get("XDG_STATE_HOME")
            folder = (Path(state) if state else Path("~/.local/state").expanduser()) / "matchledger" / "authority"
            tls = own_certificate(folder, names)
            typer.echo(
                f"Install {folder / 'authority.pem'} once on each staff device. Its SHA-256: {fingerprint(folder)}",
                err=True,
            )
        if tls is not None:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(*tls)
    except ValueError as problem:
        raise UsageProblem(
            f"{problem}: use an address of the hall or a name in .local, or give a certificate with --tls"
        ) from None
    except OSError as problem:  # this comes first, because an SSLError is an OSError too
        raise UsageProblem(f"the certificate cannot be used: {problem.strerror or problem.args[-1]}") from None
    if tls is not None and (expired := expiry(tls[0])) <= now():
        raise UsageProblem(f"the certificate expired on {expired:%Y-%m-%d}, and no browser accepts it: renew it")
    return tls


def _card_data(path: Path) -> str:
    """Return the text of a valid card data file. Raises UsageProblem."""
    text = read_text(path)
    pool_of(text)
    return text


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def need_web(command: str) -> None:
    """Refuse a command about pages if the packages for it are missing."""
    try:
        import uvicorn  # noqa: F401, PLC0415 - it comes with an extra

        import matchledger.web.app  # noqa: F401, PLC0415 - it comes with an extra
    except ImportError as missing:
        raise UsageProblem(
            f"{command} needs more than the core ({missing.name}): pip install 'matchledger[web]'"
        ) from None


def need_free(host: str, port: int) -> None:
    """Refuse an address on which another program listens."""
    try:
        with socket.create_server((host, port)):
            pass
    except OSError as problem:
        raise UsageProblem(
            f"{host}:{port} cannot be listened on: {problem.strerror}; choose another --port"
        ) from None


def address_to_type(host: str) -> str:
    """Return the address that people type into a browser: this machine's own address instead of 0.0.0.0."""
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return f"[{host}]" if ":" in host else host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # this sends nothing. It finds the machine's own address on the network
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def publish(
    folder: Annotated[Path, typer.Argument(help="The folder to write: new, or published before.")],
    ledger: LedgerOption,
    tournament: TournamentOption = None,
    initials: Annotated[
        list[str] | None,
        typer.Option(
            "--initials", help="Show the initials of a division's players, such as junior; all for every division."
        ),
    ] = None,
    language: Annotated[str, typer.Option("--lang", help="The language of the pages, such as de.")] = "en",
) -> None:
    """Write the public pages as files that need no server."""
    need_web("publish")
    from matchledger.text.translation import languages  # noqa: PLC0415 - it comes with an extra
    from matchledger.web.public.folder import files  # noqa: PLC0415 - it comes with an extra
    from matchledger.web.public.hall import Halls  # noqa: PLC0415 - it comes with an extra

    if language not in languages():
        raise UsageProblem(f"there are no pages in {language!r}: there are {', '.join(languages())}")
    with open_ledger(ledger) as opened:
        session = Session(opened, pick_tournament(opened, tournament))
        hall = Halls(initials or ()).now(opened, session.tournament)
        if hall.whole.opening is None:
            raise UsageProblem("the tournament is not open: there is nothing to publish")
        _make_room(folder)
        logo = printed_logo(session.ledger, session.tournament)
        written = {_write(folder, name, content) for name, content in files(hall, language, logo)}
    _clear(folder, written)
    typer.echo(f"{folder}: {len(written)} files as of entry {hall.position}; open {folder / 'index.html'}")


_MARK = ".matchledger-pages"  # this file marks a folder that the command wrote


def _make_room(folder: Path) -> None:
    """Refuse a folder that contains other files, because publishing deletes old pages from it."""
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / _MARK).is_file():
            raise UsageProblem(
                f"{folder} holds other files: name an empty folder, or one that was published before"
            )
        (folder / "static").mkdir(parents=True, exist_ok=True)
        (folder / _MARK).touch()
    except OSError as error:
        raise UsageProblem(f"{folder} cannot be written: {error.strerror}") from None


def _write(folder: Path, name: str, content: bytes) -> Path:
    file = folder / name
    try:
        # Unchanged files keep their date, so an upload sends only changed files.
        if not file.is_file() or file.read_bytes() != content:
            file.write_bytes(content)
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None
    return file


def _clear(folder: Path, written: set[Path]) -> None:
    for file in [*folder.glob("*.html"), *folder.glob("static/*")]:
        if file not in written:
            file.unlink()
