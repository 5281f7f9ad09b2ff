"""Commands that record, made from their classes: fields become options, and `execute` runs the command."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from matchledger.cli.options import day
from matchledger.cli.session import Session, writing
from matchledger.commands.command import Command, Marks, made_of, marks
from matchledger.commands.registry import COMMANDS, WORDS
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import Done
from matchledger.service.wording import in_words

Printer = Callable[[Session, Any, Done], None]
_TAKEN = {"role", "reason"}  # every command has options with these names


def tell_entries(session: Session, _: Command, done: Done) -> None:
    """Print each entry in words."""
    for entry in done.entries:
        before = partial(session.record.as_of, done.entries[0].position - 1)
        said = str(in_words(session.ledger, session.tournament, session.record, entry.fact, before=before))
        typer.echo(f"{said[0].upper()}{said[1:]} (entry {entry.position}).")


def recording(words: str, told: Printer = tell_entries) -> Callable[..., None]:
    """Return the function that typer calls for the command with these words, made from the command's class. `told`
    prints the message after recording.
    """
    command = COMMANDS[WORDS[words]]
    asked = {
        (f"{field}_" if field in _TAKEN else field): field
        for field in command.model_fields
        if marks(command, field).asked
    }

    def run(session: Session, **given: Any) -> None:
        foresight = given.pop("foresight", None)
        fields = {asked[name]: value for name, value in given.items()}
        made = command_of(session, command, fields)
        told(session, made, session.execute(made) if foresight is None else foresight.execute(session, made))

    own = [_parameter(command, field, name) for name, field in asked.items()]
    required = [parameter for parameter in own if parameter.default is inspect.Parameter.empty]
    own = [*required, *(parameter for parameter in own if parameter not in required)]
    first = [inspect.Parameter("session", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    run.__name__, run.__doc__ = words.replace("-", "_"), help_of(command)
    if not command.shown_first and command.asks == "far":
        run.__signature__ = inspect.Signature([*first, *own])  # type: ignore[attr-defined] # read by writing
        return writing(run)
    from matchledger.cli.previewing import foreseeing  # noqa: PLC0415 - only previews need it

    first.append(inspect.Parameter("foresight", inspect.Parameter.POSITIONAL_OR_KEYWORD))
    run.__signature__ = inspect.Signature([*first, *own])  # type: ignore[attr-defined] # read by foreseeing
    return writing(foreseeing(run))


def help_of(command: type[Command]) -> str:
    """Return the help of a command: the first paragraph of its docstring."""
    return inspect.cleandoc(command.__doc__ or "").partition("\n\n")[0]


def command_of(session: Session, command: type[Command], given: Mapping[str, Any]) -> Command:
    """Make the command from its typed options. An empty option counts as not typed. Raises UsageProblem for a wrong
    value.
    """
    fields: dict[str, Any] = {}
    for name in command.model_fields:
        mark, value = marks(command, name), given.get(name)
        if mark.by_reason:
            fields[name] = session.reason is not None
        if value is None or value == []:
            continue
        if isinstance(value, bool) and mark.type is not bool:  # --elimination is one of several stages
            value = _named_by(mark) if value else command.model_fields[name].default
        elif mark.typed is not None and isinstance(value, str | list):
            value = (mark.typed.in_line or mark.typed.read)(session.record, value)
        elif (known := _choices(mark)) and value not in known:
            raise UsageProblem(f"there is no {name.replace('_', ' ')} {value!r}: there are {', '.join(known)}")
        elif mark.type is date:
            value = day(value)
        fields[name] = value
    return made_of(command, fields)


def _parameter(command: type[Command], field: str, name: str) -> inspect.Parameter:
    info, mark = command.model_fields[field], marks(command, field)
    assert mark.asked is not None  # noqa: S101 - only a field with an option gets here
    known = _choices(mark)
    if mark.typed is not None:
        type_: Any = list[str] if mark.typed.many else str
    elif mark.type is bool or _named_by(mark):
        type_ = bool
    else:
        type_ = int if mark.type is int else str
    default = inspect.Parameter.empty if info.is_required() else False if type_ is bool else info.default
    if default is None or (mark.typed is not None and not info.is_required()):
        default, type_ = None, type_ | None
    bounds = {"min": mark.least, "max": _shown(mark.most)} if mark.type is int and mark.typed is None else {}
    said = {"help": mark.asked.help.replace("{known}", ", ".join(known)), "metavar": mark.asked.metavar, **bounds}
    option = mark.asked.option
    given = typer.Argument if option is None else partial(typer.Option, *option.split("/"))
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[type_, given(**said)]
    )


def _shown(most: int | None) -> int | None:
    """Return a bound if the help should show it, else None. Large bounds only keep numbers within what a ledger can
    store.
    """
    return most if most is not None and most < 9999 else None  # noqa: PLR2004 - larger bounds help nobody


def _choices(mark: Marks) -> tuple[str, ...]:
    return get_args(mark.type) if get_origin(mark.type) is Literal else ()


def _named_by(mark: Marks) -> str | None:
    """Return the value that a flag such as `--elimination` sets, or None for an option that is no such flag."""
    option = "" if mark.asked is None or mark.asked.option is None else mark.asked.option.removeprefix("--")
    return option if option in _choices(mark) else None
