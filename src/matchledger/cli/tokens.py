"""Commands about station tokens: making keys, issuing, trusting, showing and revoking."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, get_args

import typer
from pydantic import ValidationError

from matchledger.cli.codes import CheckFailed
from matchledger.cli.keys import make_key, read_key, read_verification_keys
from matchledger.cli.options import JsonOption, LedgerOption, TokenOption, TournamentOption
from matchledger.cli.session import Moment, Session, UsageProblem, pick_tournament, reading, window_of, writing
from matchledger.cli.tables import columns
from matchledger.cli.terminal import agreed
from matchledger.cli.ways import problem_here
from matchledger.commands import access as decisions
from matchledger.ledger import LedgerError, now, open_ledger
from matchledger.proof import station_token as tokens
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, TokenRole
from matchledger.service.readings import token as token_said
from matchledger.service.window import look
from matchledger_projections.conduct import access as doors
from matchledger_projections.views.desk import tokens as tokens_of

HELP = "Station tokens: who may record, in which role, until when."
ROLES: tuple[str, ...] = tuple(role for part in get_args(TokenRole) for role in get_args(part) or (part,))
LONGEST_HOURS = 24 * 31
_TIME = "%Y-%m-%d %H:%M %Z"

TokenKeyOption = Annotated[
    Path,
    typer.Option(
        "--key", envvar="MATCHLEDGER_TOKEN_KEY", help="The key file that signs tokens.", show_default=False
    ),
]

VerificationKeyArgument = Annotated[str | None, typer.Argument(help="The verification key (NAME+ID+BASE64).")]
KeyFileOption = Annotated[
    Path | None,
    typer.Option(
        "--key",
        envvar="MATCHLEDGER_TOKEN_KEY",
        help="A key file, instead of VKEY: its verification key counts.",
        show_default=False,
    ),
]


def key(
    file: Annotated[
        Path, typer.Argument(help="The file for the key: on the organizer's machine, away from every ledger.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", help="The name of the key's owner; by default the file's name.")
    ] = None,
) -> None:
    """Make a key that signs station tokens, and show the verification key that tournaments trust."""
    typer.echo(str(make_key(file, name).verification))
    typer.echo(f"{file} signs tokens: keep it secret. Next: token trust --key {file}", err=True)


@writing
def trust(
    session: Session,
    vkey: VerificationKeyArgument = None,
    key_file: KeyFileOption = None,
    demand: Annotated[
        bool, typer.Option("--demand", help="From now on, nothing is recorded without a token.")
    ] = False,
    yes: Annotated[
        bool,
        typer.Option(
            "--yes", "-y", help="With --demand: do not ask, even if the key's file is not on this machine."
        ),
    ] = False,
) -> None:
    """Accept tokens that are signed with a key, until `token distrust`."""
    trusted = _named_key(vkey, key_file)
    if demand and not yes and not _may_demand(trusted, key_file if vkey is None else None):
        return
    [entry] = session.decide(
        lambda record: decisions.trust_key(record, role=session.clerk.role, key=trusted, demanded=demand)
    )
    is_demanded = doors.tokens_demanded(session.record)
    then = "Nothing is recorded without one from here on." if is_demanded else "--demand refuses all others."
    typer.echo(f"Tokens signed with {trusted} are taken (entry {entry.position}). {then}")


@writing
def distrust(session: Session, vkey: VerificationKeyArgument = None, key_file: KeyFileOption = None) -> None:
    """Stop accepting the tokens that a key signed. After the last trusted key is removed, stations
    need no token.
    """
    key_ = _named_key(vkey, key_file)
    own = None if session.clerk.token is None else session.clerk.token.certificate
    [entry] = session.decide(
        lambda record: decisions.distrust_key(record, role=session.clerk.role, key=key_, certificate=own)
    )
    typer.echo(f"Tokens signed with {key_} are taken no longer (entry {entry.position}).")
    if not doors.tokens_demanded(session.record):
        typer.echo("From here on, entries need no token: token trust --demand demands tokens again.", err=True)


def _may_demand(trusted: str, key_file: Path | None) -> bool:
    """Ask before a demand that may end all recording: the key that signs the tokens is not on this machine."""
    if key_file is not None:
        return True
    said = f"without a token that the owner of {trusted.partition('+')[0]} signs, nothing can be recorded any more"
    if not sys.stdin.isatty():
        raise UsageProblem(f"{said}: name your own key file with --key, or add --yes")
    typer.echo(f"{said[0].upper()}{said[1:]}. Nobody can take this back without such a token.")
    return agreed("Demand tokens of this key?")


def _named_key(vkey: str | None, key_file: Path | None) -> str:
    if vkey is not None:
        return str(read_verification_keys([vkey])[0])
    if key_file is not None:
        return str(_signing_key(key_file).verification)
    raise UsageProblem("name a verification key, or give the --key file")


def issue(
    key_file: TokenKeyOption,
    role: Annotated[str, typer.Option("--role", help=f"The role of the station: {', '.join(ROLES)}.")],
    name: Annotated[
        str, typer.Option("--name", help="The person at the station: the log names this person in its entries.")
    ],
    station: Annotated[
        str | None, typer.Option("--station", help="The station; by default the value of --name.")
    ] = None,
    hours: Annotated[float, typer.Option("--hours", help="Hours that the token is valid.")] = 12,
    starting_in: Annotated[
        float, typer.Option("--starting-in", help="Hours from now until the token becomes valid.")
    ] = 0,
    once: Annotated[
        bool, typer.Option("--once", help="The token is valid for one command, or one sign-in.")
    ] = False,
    ledger: Annotated[
        str | None,
        typer.Option(
            "--ledger",
            "-l",
            envvar="MATCHLEDGER_LEDGER",
            help="Valid for the tournament in this ledger; by default for every tournament that trusts the key.",
            show_default=False,
        ),
    ] = None,
    tournament: TournamentOption = None,
) -> None:
    """Issue a token, printed alone to stdout. Hand the token over and never post it: a token is as good as a
    signature.
    """
    if not (0 < hours <= LONGEST_HOURS and 0 <= starting_in <= LONGEST_HOURS):
        raise UsageProblem(f"a token is valid for some time, {LONGEST_HOURS} hours at the most, and starts as late")
    signing_key, issued = _signing_key(key_file), now()
    start = issued + timedelta(hours=starting_in)
    bound = None
    if ledger:
        try:
            with open_ledger(ledger) as kept:
                bound = pick_tournament(kept, tournament)
                trusted = doors.trusted_keys(kept.record(bound))
        except (LedgerError, UsageProblem) as problem:
            # The path of the ledger may come from the environment variable. The message also explains how to issue
            # a token for all tournaments.
            raise UsageProblem(
                f"a token is for a tournament, and {problem_here(problem)}; --ledger '' is for every tournament "
                "that trusts the key"
            ) from None
        if str(signing_key.verification) not in trusted:
            typer.echo("note: this tournament does not trust the key yet: token trust", err=True)
    if once and bound is None:  # no tournament knows that another tournament used the token
        raise UsageProblem("a token that works once is for one tournament: name its ledger with --ledger")
    try:
        token = StationToken.model_validate(
            {
                "role": role,
                "actor": name,
                "station": name if station is None else station,
                "tournament": bound,
                "issued": issued,
                "not_before": start,
                "expires": start + timedelta(hours=hours),
                "once": once,
            }
        )
    except ValidationError as error:
        raise UsageProblem(_what_is_wrong(error)) from None
    if role == "player" and not name.startswith("#"):
        typer.echo(
            "note: the log keeps the name, and no erasure can remove it: use the player's number, such as #7",
            err=True,
        )
    typer.echo(tokens.issue(signing_key, token))
    typer.echo(f"Token {token.id}: {_in_words(token)}. To revoke it: token revoke {token.id}", err=True)


def _what_is_wrong(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["loc"][0] == "role":
        return f"there is no role {first['input']!r}: there are {', '.join(ROLES)}"
    words = {"actor": "--name", "station": "--station"}
    where = str(first["loc"][0])
    return f"{words.get(where, where)}: {first['msg']}"


def show(
    ledger: LedgerOption,
    token: TokenOption = None,
    tournament: TournamentOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a token says, and whether the tournament accepts it; exit code 1 if not."""
    if token is None:
        raise UsageProblem("give the token with --token or MATCHLEDGER_TOKEN")
    with open_ledger(ledger) as kept:
        which = pick_tournament(kept, tournament)
        found, document = token_said(kept.record(which), which, token)
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
    elif found is not None:
        typer.echo(f"Taken. Token {found.id}: {_in_words(found)}")
    else:
        typer.echo(f"Not taken: {document['problem']}")
    if found is None:
        raise CheckFailed


@writing
def revoke(session: Session, id_: Annotated[str, typer.Argument(help="The token's id.", metavar="ID")]) -> None:
    """Make a token invalid before its time, for good."""
    [entry] = session.decide(lambda record: decisions.revoke_token(record, role=session.clerk.role, token=id_))
    typer.echo(f"Token {id_} is revoked (entry {entry.position}).")
    trusted = doors.trusted_keys(session.record).keys()
    for tournament, record in session.ledger.records():
        if tournament != session.tournament and trusted & doors.trusted_keys(record).keys():
            typer.echo(
                f"note: {record.name} trusts the same key: revoke a token for every tournament there too", err=True
            )


@writing
def plain_http(session: Session) -> None:
    """Let players write over plain HTTP if the server has no TLS; the log shows it."""
    [entry] = session.decide(decisions.allow_plain_http)
    typer.echo(f"Players may write over plain HTTP (entry {entry.position}).")


@reading
def list_(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """List the trusted keys, and the tokens that were used."""
    window = window_of(session, moment)
    document = window.document(look(window, tokens_of))
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    for trusted in document["keys"]:
        typer.echo(f"Trusted: {trusted}")
    typer.echo("Nothing is recorded without a token." if document["demanded"] else "Tokens are not demanded.")
    if admitted := document["tokens"]:
        rows = [
            [str(value or "") for value in (row | {"expires": _when(row["expires"])}).values()] for row in admitted
        ]
        for line in columns(list(admitted[0]), rows):
            typer.echo(line)


def _when(moment: str) -> str:
    """Return a moment in the form that `issue` prints."""
    return f"{datetime.fromisoformat(moment).astimezone():{_TIME}}"


def _signing_key(file: Path) -> SigningKey:
    return read_key(file, alone=True)


def _in_words(token: StationToken) -> str:
    where = "every tournament that trusts its key" if token.tournament is None else f"tournament {token.tournament}"
    once = ", once" if token.once else ""
    times = f"{token.not_before.astimezone():{_TIME}} to {token.expires.astimezone():{_TIME}}"
    return f"{token.actor}, {token.role}, at {token.station}, {times}, for {where}{once}"


COMMANDS: dict[str, Callable[..., None]] = {
    "key": key,
    "trust": trust,
    "distrust": distrust,
    "issue": issue,
    "show": show,
    "revoke": revoke,
    "plain-http": plain_http,
    "list": list_,
}
