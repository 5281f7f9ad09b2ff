"""The desk's forms: a command and its surroundings as a person filled them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace
from starlette.datastructures import FormData

from matchledger.commands.command import Typed, marks
from matchledger.commands.draft import Clerk
from matchledger.commands.refusal import Refusal
from matchledger.commands.registry import COMMANDS, command_from
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import Request
from matchledger_projections.message import demands_of, named_in, sentence
from matchledger_projections.record.record import Record

_BESIDE = {"id", "reason", "seen", "pairing", "confirmed", "page", "view", "form"}
_BY_CARDS = {"check-decks", "end-at-time"}  # card data help to fill in these forms
_LONGEST = 2000  # the most characters of a reason


class Filled(Struct, frozen=True):
    """A submitted form: the fields of the command, and its surroundings.

    `page` and `view` name the page on which the form was filled in, and `form` names the form on that page.
    """

    fields: Mapping[str, str | list[str]]
    id: str
    reason: str
    seen: str
    pairing: str
    confirmed: bool
    page: str
    view: str
    form: str

    @classmethod
    def of(cls, form: FormData) -> Filled:
        """Read a submitted form, without its empty fields."""
        texts = {name: _filled_in([str(value) for value in form.getlist(name)]) for name in form}

        def one(name: str) -> str:
            return next((text for text in texts.get(name) or () if text.strip()), "")

        kind = one("kind")
        typed = _typed(kind)
        fields: dict[str, str | list[str]] = {
            name: values if name in typed and typed[name].many else one(name)
            for name, values in texts.items()
            if values and name not in _BESIDE
        }
        return cls(
            fields,
            one("id"),
            one("reason"),
            one("seen"),
            one("pairing"),
            bool(one("confirmed")),
            one("page"),
            one("view"),
            one("form") or kind,
        )

    @property
    def kind(self) -> str:
        return str(self.fields.get("kind", ""))

    def asked(self, record: Record, clerk: Clerk, cards: str | None = None) -> Request:
        """Return the command, with the server's card data. Raises UsageProblem for an invalid form."""
        if len(self.reason) > _LONGEST:
            raise UsageProblem(
                sentence(
                    "the reason has %(count)s characters: %(longest)s are allowed",
                    count=len(self.reason),
                    longest=_LONGEST,
                ),
                "reason",
            )
        fields = _nested(self.fields)
        for name, typed in _typed(self.kind).items():
            if name in fields:
                try:
                    fields[name] = typed.read(record, fields[name])
                except UsageProblem as problem:
                    problem.field = name
                    raise
        if cards is not None and self.kind in _BY_CARDS:
            fields["cards"] = cards
        command = command_from(fields)
        id_, reason = self.id[:200] or str(uuid4()), self.reason.strip() or None
        return Request(command, clerk, id_, reason, _position(self.seen), _position(self.pairing))

    def with_names(self, record: Record) -> Filled:
        """Return the form with the name behind each number of a player that was typed alone: `#3 Ann` for `#3`."""

        def named(text: str) -> str:
            number = int(text[1:]) if text[:1] == "#" and text[1:].isdecimal() and len(text) < 10 else 0  # noqa: PLR2004 - no number is so long
            return f"#{number} {record.players[number].name}" if number in record.players else text

        typed = _typed(self.kind)
        return replace(
            self,
            fields={
                name: value
                if name not in typed
                else named(value)
                if isinstance(value, str)
                else [named(one) for one in value]
                for name, value in self.fields.items()
            },
        )

    def wrong_fields(self, problem: Exception) -> set[str]:
        """Return the names of the fields that a problem is about, so that the page can mark them.

        A refusal that demands a reason is about the reason. A refusal that names no field is about the fields whose
        typed text it repeats.
        """
        field = problem.field if isinstance(problem, UsageProblem | Refusal) else None
        if field is not None:
            return {field, field.partition(".")[0]}
        said = problem.args[0] if problem.args else ""
        if "a reason" in demands_of(said):
            return {"reason"}
        repeated = named_in(said)
        return {name for name, typed in self.fields.items() if name != "kind" and repeated & _texts(typed)}


def _texts(typed: str | list[str]) -> set[str]:
    """Return the texts of a field, with both parts of a player's number and name: `#3 Ann`."""
    texts = [typed] if isinstance(typed, str) else typed
    return {*texts, *(part for text in texts if text.startswith("#") for part in text[1:].split(" ", 1))}


def _position(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 10 else None  # noqa: PLR2004 - no log is so long


def _typed(kind: str) -> dict[str, Typed]:
    """Return the fields of a command that are typed in words, each with its reader."""
    if kind not in COMMANDS:
        return {}
    command = COMMANDS[kind]
    found = {name: marks(command, name).typed for name in command.model_fields}
    return {name: typed for name, typed in found.items() if typed is not None}


def _filled_in(values: Sequence[str]) -> list[str]:
    """Return all values of a field if at least one is filled in, because an empty value at a table can mean a
    free seat.
    """
    return list(values) if any(value.strip() for value in values) else []


def _nested(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields such as `division_cuts.junior` as one field with a value for each division."""
    nested: dict[str, Any] = {}
    for name, value in fields.items():
        field, dot, part = name.partition(".")
        if dot:
            nested.setdefault(field, {})[part] = value
        else:
            nested[name] = value
    return nested
