"""Forms of the desk: what was filled in, as a command with what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import FormData

from matchledger.commands.registry import AnyCommand, Command
from matchledger.notation.counts import read_flip, read_two
from matchledger.notation.outcomes import outcome_keys
from matchledger.notation.player_lookup import number_typed
from matchledger.notation.problems import UsageProblem, wrong_value
from matchledger.web.desk.carrying import Asked
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record

# What is shown before it is recorded: it may move more than its own match, or cannot be undone in full.
FORESEEN = {
    "register-roster",
    "pair-by-hand",
    "amend-pairing",
    "correct-slip",
    "retract-entry",
    "drop-player",
    "rejoin-player",
    "replace-qualifier",
    "disqualify-player",
    "close-tournament",
}

_BESIDE = {"id", "reason", "seen", "confirmed", "page", "view", "form"}
_PLAYER = {"player", "turn", "decider"}  # a name, the beginning of one, or a number
_PLAYERS = {"players", "declined", "byes"}
_GAMES = {"games"}  # two names for each table
_WORDS = {"sleeves"}  # what was seen; none of it is said as such, as an empty form says nothing
_SEVERAL = _PLAYERS | _GAMES | _WORDS
_COUNTS = {"matches", "power", "faction", "discard"}  # two numbers in table order, 5-4
_FLIPS = {"flips"}  # pairs of cards, 14-14 8-none
_BY_CARDS = {"check-decks", "end-at-time"}  # what card data say more about
_AS_ON_SLIPS = {"correct-slip"}  # what takes the keys of the page of slips
_LONGEST = 2000  # characters of a reason
_COMMANDS: TypeAdapter[Command] = TypeAdapter(AnyCommand)


@dataclass(frozen=True, slots=True)
class Filled:
    """A form as it was sent: the fields of the command, and what stands beside them.

    `page` and `view` say where it was filled in, `form` which of the forms there it was.
    """

    fields: Mapping[str, str | list[str]]
    id: str
    reason: str
    seen: str
    confirmed: bool
    page: str
    view: str
    form: str

    @classmethod
    def of(cls, form: FormData) -> Filled:
        """What was filled in; empty fields were not."""
        texts = {name: _filled_in(name, [str(value) for value in form.getlist(name)]) for name in form}
        fields: dict[str, str | list[str]] = {
            name: values if name in _SEVERAL else values[0]
            for name, values in texts.items()
            if values and name not in _BESIDE
        }

        def one(name: str) -> str:
            return (texts.get(name) or [""])[0]

        kind = one("kind")
        return cls(
            fields,
            one("id"),
            one("reason"),
            one("seen"),
            bool(one("confirmed")),
            one("page"),
            one("view"),
            one("form") or kind,
        )

    @property
    def kind(self) -> str:
        return str(self.fields.get("kind", ""))

    def asked(self, record: Record, cards: str | None = None) -> Asked:
        """The command, with the card data that lie at the server. Raises UsageProblem for what makes no sense."""
        if len(self.reason) > _LONGEST:
            raise UsageProblem(
                sentence(
                    "the reason has %(count)s characters: %(longest)s are allowed",
                    count=len(self.reason),
                    longest=_LONGEST,
                )
            )
        try:
            fields = _nested(_numbered(record, self.fields))
            if self.kind in _AS_ON_SLIPS and "outcome" in fields:
                fields["outcome"] = _meant(record, fields["outcome"])
            if cards is not None and self.kind in _BY_CARDS:
                fields["cards"] = cards
            command = _COMMANDS.validate_python(fields)
        except ValidationError as error:
            raise UsageProblem(wrong_value(error.errors()[0], skip=1)) from None
        seen = int(self.seen) if self.seen.isdecimal() and len(self.seen) < 10 else None  # noqa: PLR2004
        return Asked(command, self.id[:200] or str(uuid4()), self.reason.strip() or None, seen)


def _meant(record: Record, typed: str) -> str:
    """The outcome that a key stands for; what is no key is read as it was typed."""
    return next((key.outcome for key in outcome_keys(record.rulebook) if key.key == typed.strip()), typed)


def _filled_in(name: str, values: Sequence[str]) -> list[str]:
    """The values of a field that are not empty; of games all, as an empty place says who sits alone."""
    filled = [value for value in values if value.strip()]
    return list(values) if name in _GAMES and filled else filled


def _numbered(record: Record, fields: Mapping[str, str | list[str]]) -> dict[str, Any]:
    """The same fields, with the numbers of the players who were named."""
    numbered: dict[str, Any] = dict(fields)
    for name, value in fields.items():
        if name in _PLAYER:
            numbered[name] = number_typed(record, str(value))
        elif name in _PLAYERS:
            numbered[name] = [number_typed(record, one) for one in value]
        elif name in _GAMES:
            numbered[name] = _tables(record, value)
        elif name in _WORDS:
            numbered[name] = [one for one in value if one != "none"]
        elif name in _COUNTS:
            numbered[name] = read_two(str(value).strip())
        elif name in _FLIPS:
            numbered[name] = [read_flip(one) for one in str(value).split()]
    return numbered


def _tables(record: Record, names: Sequence[str]) -> list[tuple[int, int]]:
    """Two players for each table; a table that nobody is named for is left out."""
    tables = [
        two for two in zip_longest(names[::2], names[1::2], fillvalue="") if any(name.strip() for name in two)
    ]
    if not all(name.strip() for two in tables for name in two):
        raise UsageProblem(sentence("each table needs two players; who has none gets a bye"))
    return [(number_typed(record, first), number_typed(record, second)) for first, second in tables]


def _nested(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields such as `division_cuts.junior` as one field that holds a value for each division."""
    nested: dict[str, Any] = {}
    for name, value in fields.items():
        field, dot, part = name.partition(".")
        if dot:
            nested.setdefault(field, {})[part] = value
        else:
            nested[name] = value
    return nested
