"""Forms of the desk: what was filled in, as a command with what stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError
from starlette.datastructures import FormData

from matchledger.commands import AnyCommand, Command
from matchledger.usage import UsageProblem
from matchledger.web.desk.carrying import Asked

# What is shown before it is recorded: it may move more than its own match, or cannot be undone in full.
FORESEEN = {
    "correct-slip",
    "retract-entry",
    "drop-player",
    "rejoin-player",
    "disqualify-player",
    "close-tournament",
}

_BESIDE = {"id", "reason", "seen", "confirmed", "page"}
_SEVERAL = {"players"}
_LONGEST = 2000  # characters of a reason
_COMMANDS: TypeAdapter[Command] = TypeAdapter(AnyCommand)


@dataclass(frozen=True, slots=True)
class Filled:
    """A form as it was sent: the fields of the command, and what stands beside them."""

    fields: Mapping[str, str | list[str]]
    id: str
    reason: str
    seen: str
    confirmed: bool
    page: str

    @classmethod
    def of(cls, form: FormData) -> Filled:
        """What was filled in; empty fields were not."""
        texts = {name: [str(value) for value in form.getlist(name) if str(value).strip()] for name in form}
        fields: dict[str, str | list[str]] = {
            name: values if name in _SEVERAL else values[0]
            for name, values in texts.items()
            if values and name not in _BESIDE
        }

        def one(name: str) -> str:
            return (texts.get(name) or [""])[0]

        return cls(fields, one("id"), one("reason"), one("seen"), bool(one("confirmed")), one("page"))

    @property
    def kind(self) -> str:
        return str(self.fields.get("kind", ""))

    def asked(self) -> Asked:
        """The command. Raises UsageProblem for a field that cannot be understood."""
        if len(self.reason) > _LONGEST:
            raise UsageProblem(f"the reason has {len(self.reason)} characters: {_LONGEST} are allowed")
        try:
            command = _COMMANDS.validate_python(dict(self.fields))
        except ValidationError as error:
            first = error.errors()[0]
            raise UsageProblem(f"{first['loc'][-1] if first['loc'] else 'the form'}: {first['msg']}") from None
        seen = int(self.seen) if self.seen.isdecimal() and len(self.seen) < 10 else None  # noqa: PLR2004
        return Asked(command, self.id[:200] or str(uuid4()), self.reason.strip() or None, seen)
