"""The registry: every command by its kind. A command's module is imported on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from importlib import import_module
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from matchledger.commands.command import Command

# For each command class: its module in this package, and its words on the command line. A class without words is
# used by a hand-written command, such as `pair`, which serves two classes.
CLASSES: dict[str, tuple[str, str | None]] = {
    "ReportSlip": ("results", None),
    "CorrectSlip": ("results", "correct"),
    "RetractEntry": ("results", "retract"),
    "UndoLast": ("undo", "undo"),
    "RedoLast": ("undo", "redo"),
    "RecordNoShow": ("results", "no-show"),
    "ConcedeMatch": ("results", "concede"),
    "RegisterPlayer": ("registration", None),
    "RegisterRoster": ("registration", None),
    "RenamePlayer": ("people", "rename"),
    "CorrectPlayer": ("people", "correct-player"),
    "MergePlayers": ("merging", "merge"),
    "TransferRegistration": ("merging", "transfer"),
    "DropPlayer": ("roster", "drop"),
    "RejoinPlayer": ("roster", "rejoin"),
    "DisqualifyPlayer": ("roster", "disqualify"),
    "PairRound": ("rounds", None),
    "PairByHand": ("rounds", None),
    "AmendPairing": ("rounds", None),
    "FixTable": ("seats", "fix-table"),
    "NumberTables": ("seats", "number-tables"),
    "SwapTables": ("seats", "swap-tables"),
    "AwardByes": ("seats", "award-byes"),
    "StartRound": ("round_clock", "start"),
    "ExtendTime": ("round_clock", "extend"),
    "PauseClock": ("round_clock", "pause"),
    "ResumeClock": ("round_clock", "resume"),
    "CallMark": ("round_clock", "mark"),
    "SetFirstPlayer": ("round_clock", "first-player"),
    "PostStandings": ("tournaments", None),
    "PostPairings": ("postings", None),
    "DrawTies": ("ties", None),
    "OrderTie": ("ties", None),
    "AnnounceStructure": ("structures", "announce"),
    "DecideDivisions": ("divisions", "decide-divisions"),
    "DrawFlights": ("divisions", "draw-flights"),
    "ChangePolicy": ("tournaments", "change-policy"),
    "PledgeWord": ("chance", "pledge-word"),
    "OpenWords": ("chance", "open-words"),
    "NameBeacon": ("chance", "name-beacon"),
    "ReadBeacon": ("chance", "read-beacon"),
    "KeepCosignature": ("witnesses", None),
    "MakeCut": ("cuts", "cut"),
    "ReplaceQualifier": ("replacements", "replace"),
    "EndAtTime": ("time_tiebreaks", None),
    "ChooseRepair": ("repairs", None),
    "AnswerCall": ("calls", None),
    "DescribeEvent": ("tournaments", "describe"),
    "PostNews": ("tournaments", "news"),
    "AllowPhones": ("phones", "allow-phones"),
    "RenewLink": ("phones", "renew-link"),
    "ClaimResult": ("phones", "claim"),
    "ConfirmClaim": ("phones", "confirm"),
    "CallJudge": ("phones", "call-judge"),
    "AskDrop": ("phones", "ask-drop"),
    "CheckIn": ("phones", "check-in"),
    "AnswerRequest": ("phones", "answer-request"),
    "GivePenalty": ("penalties", "penalty"),
    "GiveRuling": ("rulings", None),
    "ReviewRuling": ("rulings", None),
    "NoteCard": ("card_incidents", None),
    "AssignStaff": ("staff", "staff add"),
    "ChangeDuty": ("staff", None),
    "SubmitDeck": ("decklists", None),
    "AmendDeck": ("decklists", None),
    "CheckDecks": ("deck_checks", None),
    "CloseTournament": ("tournaments", "close"),
    "FileOverview": ("tournaments", "file-overview"),
}


def kind_of(name: str) -> str:
    """Return the kind of a command from the name of its class: `drop-player` for `DropPlayer`."""
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).removeprefix("-")


class Registry(Mapping[str, "type[Command]"]):
    """The classes of all commands by kind."""

    def __init__(self) -> None:
        self._names = {kind_of(name): name for name in CLASSES}

    def __getitem__(self, kind: str) -> type[Command]:
        name = self._names[kind]
        command: type[Command] = getattr(import_module(f"matchledger.commands.{CLASSES[name][0]}"), name)
        return command

    def __contains__(self, kind: object) -> bool:
        return kind in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


COMMANDS = Registry()
# The kind of the command with these words on the command line.
WORDS = {words: kind_of(name) for name, (_, words) in CLASSES.items() if words is not None}


def command_from(fields: Mapping[str, Any]) -> Command:
    """Return the command made from `fields`, one of which is `kind`. Raises UsageProblem for invalid fields."""
    from matchledger.commands.command import made_of, no_command  # noqa: PLC0415 - the index itself must load fast

    kind = str(fields.get("kind", ""))
    if kind not in COMMANDS:
        raise no_command(kind)
    return made_of(COMMANDS[kind], fields)


@cache
def union() -> Any:
    """Return all commands as one type. The field `kind` tells the commands apart."""
    from pydantic import Field  # noqa: PLC0415 - only the API needs it

    return Annotated[reduce(or_, COMMANDS.values()), Field(discriminator="kind")]
