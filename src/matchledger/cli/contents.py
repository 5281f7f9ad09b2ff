"""The contents of the command line: its commands by what somebody wants to do, and what is meant by other words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import typer
from typer.core import TyperGroup

# What the commands are for, in the order in which an event needs them.
HEADINGS: dict[str, tuple[str, ...]] = {
    "The event and its players": (
        "open",
        "register",
        "players",
        "late",
        "drop",
        "rejoin",
        "disqualify",
        "staff",
        "deck",
    ),
    "Divisions and flights": ("divisions", "decide-divisions", "flights", "draw-flights"),
    "A round": ("pair", "pairings", "report", "desk", "concede", "no-show", "post", "standings", "tie"),
    "The clock": ("start", "clock", "extend", "pause", "resume", "mark", "first-player"),
    "When something was wrong": (
        *("correct", "retract", "amend", "repair", "call", "calls", "answer", "history", "diff", "whatif"),
    ),
    "Judges": ("penalty", "ruling", "card", "conduct"),
    "Cut and end": (
        *("structure", "announce", "clinch", "cut", "replace", "bracket", "time-tiebreak", "places", "close"),
    ),
    "What happened, and why": ("log", "explain", "replay", "integrity", "rules", "rulebook"),
    "Paper and pictures": ("print", "slip", "scorecard", "overview", "file-overview", "rating", "draw"),
    "Proof": ("verify", "key", "checkpoint", "bundle", "erase"),
    "Files, stations and pages": ("import", "check", "export", "migrate", "serve", "token", "publish"),
}

# Words that people try first, and what there is for them.
MEANT = {
    "undo": "retract takes an entry back, correct replaces a result",
    "delete": "retract takes an entry back, drop takes a player out",
    "remove": "retract takes an entry back, drop takes a player out",
    "edit": "correct replaces a result, amend seats players anew",
    "fix": "correct replaces a result, amend seats players anew, repair pairs a round anew",
    "redo": "retract the entry that took something back",
    "result": "report takes slips in, correct replaces a result",
    "results": "pairings shows the results of a round, standings the table",
    "new": "open opens a tournament",
    "init": "open opens a tournament",
    "create": "open opens a tournament",
    "add": "register enters a player, late one who comes when rounds have started",
    "next": "pair pairs the next round",
    "round": "pair pairs the next round, pairings shows one",
    "rankings": "standings shows the table, places the final places",
    "web": "serve shows the event in a browser",
    "finish": "close ends the tournament",
    "end": "close ends the tournament",
}


def first_sentence(text: str | None) -> str:
    """What a command does, in the first sentence of its help."""
    paragraph = " ".join((text or "").partition("\n\n")[0].split())
    return paragraph.partition(". ")[0].rstrip(".")


class Contents(TyperGroup):
    """Lists commands under headings, whole sentences, and knows what there is for a word that is none of them."""

    # What typer hands over here is private to it, so it has no type of ours.
    def format_commands(
        self,
        ctx: Any,  # noqa: ARG002 - the signature is typer's
        formatter: Any,
    ) -> None:
        for heading, names in self._headings():
            with formatter.section(heading):
                formatter.write_dl([(name, self.commands[name].get_short_help_str()) for name in names])
        formatter.write_paragraph()
        formatter.write_text("Each command says more: matchledger report --help.")
        formatter.write_text(
            "Commands want --ledger FILE; export MATCHLEDGER_LEDGER=FILE says it once for all of them."
        )

    def _headings(self) -> Iterator[tuple[str, list[str]]]:
        for heading, names in HEADINGS.items():
            yield heading, [name for name in names if name in self.commands]

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        word = args[0] if args else ""
        if word not in self.commands and word in MEANT:
            ctx.fail(f"No such command {word!r}: {MEANT[word]}")
        return super().resolve_command(ctx, args)


def misread(problem: typer.TyperException) -> str:
    """What is said of a command line that cannot be understood, and how that command is written."""
    said = problem.format_message().rstrip(".")
    for technical, plain in _PLAIN.items():
        said = said.replace(technical, plain)
    context: typer.Context | None = getattr(problem, "ctx", None)
    if context is None:
        return said
    if isinstance(context.command, TyperGroup):
        return f"{said}; {context.command_path} --help lists what there is"
    pieces = (
        piece.replace("{", "").replace("}", "").upper() for piece in context.command.collect_usage_pieces(context)
    )
    return f"{said}; write {' '.join([context.command_path, *pieces])}, --help says more"


_PLAIN: Mapping[str, str] = {
    "Input should be a valid integer, unable to parse string as an integer": "this is no whole number",
    "Got unexpected extra argument(s)": "this is too much",
}
