"""The command that writes the public pages into a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.options import LedgerOption, TournamentOption
from matchledger.cli.session import Session, UsageProblem, pick_tournament
from matchledger.ledger import open_ledger
from matchledger.service.logo import printed_logo


def publish(
    folder: Annotated[Path, typer.Argument(help="The folder to write: new, or published before.")],
    ledger: LedgerOption,
    tournament: TournamentOption = None,
    initials: Annotated[
        list[str] | None,
        typer.Option("--initials", help="A division that pages show by initials, such as junior; or all."),
    ] = None,
    language: Annotated[str, typer.Option("--lang", help="The language of the pages, such as de.")] = "en",
) -> None:
    """Write the public pages as files that need no server."""
    try:
        from matchledger.text.translation import languages  # noqa: PLC0415 - it comes with an extra
        from matchledger.web.public.folder import files  # noqa: PLC0415 - it comes with an extra
        from matchledger.web.public.hall import Halls  # noqa: PLC0415 - it comes with an extra
    except ImportError as missing:
        raise UsageProblem(
            f"publish needs more than the core ({missing.name}): pip install 'matchledger[web]'"
        ) from None
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


_MARK = ".matchledger-pages"  # marks a folder that this command wrote


def _make_room(folder: Path) -> None:
    """Refuse a folder with other files, because old pages are deleted from it."""
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
        if not file.is_file() or file.read_bytes() != content:  # an upload then sends only changed files
            file.write_bytes(content)
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None
    return file


def _clear(folder: Path, written: set[Path]) -> None:
    for file in [*folder.glob("*.html"), *folder.glob("static/*")]:
        if file not in written:
            file.unlink()


COMMANDS: dict[str, Callable[..., None]] = {"publish": publish}
