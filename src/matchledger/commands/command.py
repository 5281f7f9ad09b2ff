"""The base of all commands: the fields that the command line, the pages and the API read, the required reasons, and
the decision.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import get_annotations
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

from annotated_types import Ge, Le
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from matchledger.commands.draft import Clerk
from matchledger.commands.registry import kind_of
from matchledger.events import AnyFact, Entry
from matchledger.notation.player_lookup import find_player, number_typed
from matchledger.notation.problems import UsageProblem, wrong_value
from matchledger_projections.message import Sentence, demanding, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


class Moved(Exception):
    """Another station recorded something between the page or the preview and the decision."""


class Context(Struct, frozen=True):
    """What a command may use besides the record: the secret, entries, earlier records, leaf hashes, the clerk and
    the reason. `replay` returns the record as of a position, as a new object that the caller may change.

    `leaves` returns the leaf hashes of some entries. `pairing` is the position of the entry that paired the round
    on the clerk's page, or None without a page.
    """

    secret: Callable[[], bytes]
    entry: Callable[[int], Entry]
    replay: Callable[[int], Record]
    leaves: Callable[[Iterable[int]], list[bytes]]
    clerk: Clerk = Clerk()
    reason: str | None = None
    pairing: int | None = None

    def need_same_round(self, record: Record) -> None:
        """Raise Moved if a later round has been paired since the clerk's page was made."""
        current = record.current_round
        if self.pairing is not None and (current is None or current.position != self.pairing):
            raise Moved

    def round_shown(self, record: Record) -> Round | None:
        """Return the round on the clerk's page, even after a later pairing, or the current round without a page.
        Raises Moved if the round on the page was taken back.
        """
        if self.pairing is None:
            return record.current_round
        rounds = [*record.rounds(), *record.rounds("elimination")]
        shown = next((round_ for round_ in rounds if round_.position == self.pairing), None)
        if shown is None:
            raise Moved
        return shown


class Typed(Struct, frozen=True):
    """The function that turns typed words into the value of a field.

    `read` gets one text, or a list of texts if there are `many`. `in_line` reads the texts of a line with several
    commands, where a plain number is not a player's name.
    """

    read: Callable[[Record, Any], Any]
    many: bool = False
    in_line: Callable[[Record, Any], Any] | None = None


class Asked(Struct, frozen=True):
    """How a field appears on the command line: as an argument or as an `option`.

    `help` explains it.

    `option` may include a short form: `--round/-r`. A field without an `Asked` does not appear on the command line.
    """

    help: str = ""
    option: str | None = None
    metavar: str | None = None


class ByReason(Struct, frozen=True):
    """Marks a field that is true if the command line has a reason."""


def argument(help: str, metavar: str | None = None) -> Asked:  # noqa: A002 - typer's name for it
    """Declare a field that is an argument on the command line."""
    return Asked(help, None, metavar)


def option(name: str, help: str, metavar: str | None = None) -> Asked:  # noqa: A002 - typer's name for it
    """Declare a field that is an option on the command line."""
    return Asked(help, name, metavar)


def sizes_typed(_: Record, given: Mapping[str, Any] | Sequence[str]) -> dict[str, Any]:
    """Return a number for each division, from texts such as `junior=2`, or from parsed values. Raises
    UsageProblem.
    """
    if isinstance(given, Mapping):
        return dict(given)
    sizes = {}
    for text in given:
        division, equals, size = text.partition("=")
        if not (division and equals and size.isdecimal() and len(size) < 6):  # noqa: PLR2004 - no cut is so large
            raise UsageProblem(sentence("%(text)r is not a division and a number: write junior=2", text=text))
        sizes[division] = int(size)
    return sizes


def player_named(record: Record, name: str) -> int:
    """Return a player's number by name, by the unique beginning of a name, or as #7."""
    return find_player(record, name).number


def players_named(record: Record, names: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of the named players in the given order, each number once."""
    return tuple(dict.fromkeys(player_named(record, name) for name in names))


def _players_typed(record: Record, names: Iterable[str]) -> list[int]:
    return [number_typed(record, name) for name in names if name.strip()]


PLAYER = argument("Name, beginning of a name, or #number.")
Number = Annotated[int, Field(ge=1, le=999_999)]
Player = Annotated[Number, Typed(number_typed, in_line=player_named)]
Players = Annotated[tuple[Number, ...], Typed(_players_typed, True, players_named)]
Text = Annotated[str, Field(min_length=1, max_length=200)]
Words = Annotated[str, Field(min_length=1, max_length=1000)]
Minutes = Annotated[int, Field(ge=1, le=999)]
Sizes = Annotated[
    dict[Annotated[str, Field(max_length=200)], Annotated[int, Field(ge=0, le=9999)]],
    Typed(sizes_typed, many=True),
]
Count = Annotated[int, Field(ge=0, le=999_999)]
Two = tuple[Number, Number]
Deviating = Annotated[bool, ByReason()]


class Command(BaseModel, ABC):
    """A request to change the tournament.

    `service.execute` carries out every command, whether typed, sent by a page or sent to the API.

    The first sentence of its docstring is its help. `kind`, made from the class name, is its name in the API.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    kind: str = ""
    shown_first: ClassVar[bool] = False  # the command may affect other matches, or undo cannot take it back in full
    # The conditions under which the command asks for confirmation. "far" asks for confirmation if the command
    # affects more than its own match.
    asks: ClassVar[Literal["far", "terminal", "always"]] = "far"
    takes_back: ClassVar[bool] = False  # the command asks if it brings back a closing or a disqualification
    pairs: ClassVar[bool] = False  # the preview shows the objections to the round that this command pairs
    is_slip: ClassVar[bool] = False  # a server records several waiting slips in one transaction
    in_play: ClassVar[bool] = False  # the command is about the current round, never about the next
    # After a preview, other entries are harmless if neither the round nor the facts of the command change.
    stands_alone: ClassVar[bool] = False
    lasting: ClassVar[Sentence | None] = None  # the part of the command that no one can undo
    signed: ClassVar[bool] = False  # if the clerk has a signing key, the clerk's machine then signs the log

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.kind = kind_of(cls.__name__)
        cls.__annotations__ = {"kind": Literal[cls.kind]} | get_annotations(cls)

    def needs_reason(self) -> Sentence | None:
        """Return the refusal of this command without a required reason, or None if it needs no reason."""
        if getattr(self, "deviating", False) or getattr(self, "override", False):
            return sentence("a departure from a rule needs a reason in the log: give one")
        return None

    def need_reason(self, reason: str | None) -> None:
        """Refuse the command if a required reason is missing. Raises UsageProblem."""
        if not (reason or "").strip() and (said := self.needs_reason()) is not None:
            raise UsageProblem(demanding(said, "a reason"))

    def draws(self, _: Record) -> bool:
        """Return whether the command may draw by chance, so that the log needs the inputs of draws."""
        return False

    @abstractmethod
    def decide(self, record: Record, context: Context) -> Sequence[AnyFact]:
        """Return the facts of the decision. Raises UsageProblem for an unclear request, and Refusal."""


def made_of(command: type[Command], fields: Mapping[str, Any]) -> Command:
    """Make a command with some fields. Raises UsageProblem for invalid fields."""
    try:
        return command.model_validate(dict(fields))
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageProblem(wrong_value(first), ".".join(map(str, first["loc"]))) from None


def no_command(kind: str) -> UsageProblem:
    """Return the problem about an unknown kind of command."""
    return UsageProblem(sentence("there is no command %(kind)r", kind=kind))


@cache
def marks(command: type[Command], field: str) -> Marks:
    """Return how to ask for a field, how to read it, and the bounds of its value."""
    info = command.model_fields[field]
    found = [*info.metadata, *_within(info.annotation)]
    return Marks(
        next((mark for mark in found if isinstance(mark, Asked)), None),
        next((mark for mark in found if isinstance(mark, Typed)), None),
        any(isinstance(mark, ByReason) for mark in found),
        _plain(info.annotation),
        next((mark.ge for mark in found if isinstance(mark, Ge)), None),
        next((mark.le for mark in found if isinstance(mark, Le)), None),
    )


class Marks(NamedTuple):
    """What a command's class declares about a field. `type` is the type of its value without None and bounds."""

    asked: Asked | None
    typed: Typed | None
    by_reason: bool
    type: Any
    least: Any
    most: Any


def _within(annotation: Any) -> Iterator[Any]:
    """Yield the `Annotated` metadata inside an annotation such as `Player | None`."""
    if get_origin(annotation) is Annotated:
        for mark in annotation.__metadata__:
            yield mark
            yield from getattr(mark, "metadata", ())
        yield from _within(annotation.__origin__)
    elif get_origin(annotation) in (Union, UnionType):
        for part in get_args(annotation):
            yield from _within(part)


def _plain(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _plain(annotation.__origin__)
    if get_origin(annotation) in (Union, UnionType):
        return _plain(next(part for part in get_args(annotation) if part is not type(None)))
    return annotation


def known(record: Record, *players: int | None) -> tuple[int, ...]:
    """Return the numbers of players that are in the record. None stays None. Raises UsageProblem for an unknown
    number.
    """
    named = tuple(player for player in players if player is not None)
    entered = {player.number for player in record.entered()} if named else set()
    for player in named:
        if player not in entered:
            raise UsageProblem(
                sentence("there is no player #%(player)s: see the standings for the numbers", player=player)
            )
    return named
