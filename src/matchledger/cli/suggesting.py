"""Suggestions for a mistyped command: a typing error must not lead to a step that nobody can undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typer.core import TyperGroup

# Words that people try first, with the commands that they mean.
MEANT = {
    "delete": "retract takes an entry back, drop takes a player out",
    "remove": "retract takes an entry back, drop takes a player out",
    "edit": "correct replaces a result, amend seats players anew",
    "fix": "correct replaces a result, amend seats players anew, repair pairs a round anew",
    "result": "report takes slips in, correct replaces a result",
    "results": "pairings shows the results of a round, standings the table",
    "new": "open opens a tournament",
    "init": "open opens a tournament",
    "create": "open opens a tournament",
    "add": "register enters a player, late one who comes when rounds have started",
    "next": "pair pairs the next round",
    "round": "pair pairs the next round, pairings shows one",
    "rankings": "standings shows the table, places the final places",
    "withdraw": "drop takes a player out, retract takes an entry back",
    "web": "serve shows the event in a browser",
    "finish": "close ends the tournament",
    "end": "close ends the tournament",
}

# Commands that nobody can undo, and commands that ask first because much depends on them.
NEVER_SUGGESTED = frozenset(
    {
        *("change-policy", "close", "cut", "disqualify", "erase", "merge", "merge-copy", "tie", "transfer"),
        *("checkpoint", "name-beacon", "open-words", "post", "read-beacon", "renew-link", "set-aside"),
        *("witness", "witnessed"),
        *("keys merge", "keys new", "token distrust", "token revoke", "token trust"),
    }
)


class Suggesting(TyperGroup):
    """A group of commands that suggests a similar command for an unknown word, if nothing is lost by it."""

    commands: Any
    meant: Mapping[str, str] = {}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        word = args[0] if args else ""
        if word and not word.startswith("-") and word not in self.commands:
            ctx.fail(f"No such command {word!r}{self._instead(ctx, word)}")
        return super().resolve_command(ctx, args)

    def _instead(self, ctx: Any, word: str) -> str:
        if word in self.meant:
            return f": {self.meant[word]}"
        from difflib import get_close_matches  # noqa: PLC0415 - only an unknown word needs it

        group = "" if ctx.parent is None else f"{ctx.info_name} "
        near = get_close_matches(word, self.commands, n=1)
        if not near or group + near[0] in NEVER_SUGGESTED:
            return "."  # the second nearest command is not what was meant
        return f". Did you mean {near[0]!r}?"
