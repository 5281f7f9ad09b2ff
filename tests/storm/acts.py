"""Acts: a command with its fields, as a program sends it, as a form sends it, and as a person types it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from matchledger.commands.command import marks
from matchledger.commands.registry import COMMANDS, WORDS

Fields = dict[str, Any]


class Act(NamedTuple):
    """A command: its kind, and its fields as a program sends them."""

    kind: str
    fields: Fields

    @property
    def by_reason(self) -> str | None:
        """Return the field that marks a departure from a rule as intended."""
        fields = COMMANDS[self.kind].model_fields
        return next((name for name in ("deviating", "override") if name in fields), None)

    def words(self) -> list[str]:
        """Return what a person types on the command line."""
        command = COMMANDS[self.kind]
        if self.kind in BY_HAND:
            return BY_HAND[self.kind](self.fields)
        words = next(words for words, kind in WORDS.items() if kind == self.kind).split()
        for name in command.model_fields:
            mark, value = marks(command, name), self.fields.get(name)
            if value is None or mark.asked is None or mark.by_reason:
                continue
            option = None if mark.asked.option is None else mark.asked.option.split("/")[0]
            if mark.type is bool:
                words += [str(option)] if value else []
            elif option == "--elimination":
                words += [option] if value == "elimination" else []
            else:
                for one in _texts(value, numbers=mark.typed is not None):
                    words += [one] if option is None else [option, one]
        return [*words, "--yes"] if command.shown_first or command.asks != "far" else words

    def form(self) -> dict[str, Any]:
        """Return what a form of the desk sends."""
        sent: dict[str, Any] = {"kind": self.kind}
        for name, value in self.fields.items():
            if isinstance(value, dict):
                sent |= {f"{name}.{key}": one for key, one in value.items()}
            elif isinstance(value, bool):
                sent |= {name: "true"} if value else {}
            elif isinstance(value, list) and value and isinstance(value[0], list):
                sent[name] = [part for pair in value for part in pair]
            else:
                sent[name] = value
        return sent


def _texts(value: object, *, numbers: bool) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}={one}" for key, one in value.items()]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one, numbers=numbers)]
    return [f"#{value}" if numbers and isinstance(value, int) else str(value)]


def _games(fields: Fields) -> list[str]:
    pairs = ["/".join(f"#{player}" for player in two) for two in fields.get("games", ())]
    return [*pairs, *(f"#{player}" for player in fields.get("byes", ()))]


def _registration(fields: Fields) -> list[str]:
    words = ["late" if fields.get("late") else "register", fields["name"]]
    return [*words, *(["--division", fields["division"]] if "division" in fields else [])]


OF_PROGRAMS = {"submit-deck", "amend-deck", "check-decks"}  # a terminal reads these lists from a file
BY_HAND: dict[str, Callable[[Fields], list[str]]] = {
    "report-slip": lambda given: ["report", str(given["table"]), *given["outcome"].split()],
    "correct-slip": lambda given: [
        *("correct", str(given["round"]), str(given["table"]), *given["outcome"].split()),
        *(["--elimination"] if given.get("stage") == "elimination" else []),
        *(["--override"] if given.get("override") else []),
        "--yes",
    ],
    "register-player": _registration,
    "pair-round": lambda given: ["pair", *(["--allow-rematch"] if given.get("allow_rematch") else [])],
    "pair-by-hand": lambda given: [
        "pair",
        *(word for game in _games(given) for word in ("--table", game)),
        *(["--allow-rematch"] if given.get("allow_rematch") else []),
    ],
    "amend-pairing": lambda given: [
        "amend",
        *_games(given),
        *(["--allow-rematch"] if given.get("allow_rematch") else []),
    ],
    "post-standings": lambda _: ["post"],
    "post-pairings": lambda _: ["post", "--pairings"],
    "draw-ties": lambda _: ["tie", "--yes"],
    "order-tie": lambda given: ["tie", *(f"#{player}" for player in given["players"])],
    "choose-repair": lambda given: ["repair", "--choose", given["choice"]],
    "answer-call": lambda given: ["answer", str(given["position"])],
    "give-ruling": lambda given: ["ruling", given["question"], given["outcome"], "--by", given["judge"]],
}
