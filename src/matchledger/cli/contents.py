"""The contents of the command line: commands grouped by task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperGroup

from matchledger.cli.index import TYPED
from matchledger.cli.suggesting import MEANT, Suggesting

# The groups of commands, in the order of an event. The help sentences are copied here, so that the list of commands
# needs no import.
HEADINGS: dict[str, dict[str, str]] = {
    "The event and its players": {
        "open": "Open a tournament; this makes the ledger if it does not exist",
        "register": "Register one player, or a whole roster",
        "players": "List the players, with their numbers and status",
        "rename": "Correct the name of a player",
        "correct-player": "Correct the year of birth, division, contact or membership numbers of a player",
        "award-byes": "Award a player a bye in round 1, or in the first rounds, before round 1 is paired",
        "merge": "Merge two registrations of one person, as long as they were never seated in the same round",
        "transfer": "Give the registration of a player to another person, if the player has not played",
        "late": "Register a late player, after round 1 has begun",
        "drop": "Take a player out of the rounds to come",
        "rejoin": "Bring a dropped player back",
        "disqualify": "Remove a player for good",
        "staff": "The staff: organizer, marshals and judges, and which of them play",
        "deck": "Deck lists: hand in, amend, check, show",
    },
    "Divisions and flights": {
        "divisions": "Show the divisions: years of birth, sizes, whether they play separately, and their leaders",
        "decide-divisions": (
            "Decide before round 1 whether the divisions play separately; to depart from the rules, add --reason"
        ),
        "flights": "Show the drawn flights, or the sizes for each possible number of flights",
        "draw-flights": "Draw a division into flights before round 1",
    },
    "Chance": {
        "pledge-word": "Record that a player pledged a word to the draws, with its SHA-256 if it is not on paper",
        "open-words": "Open the pledged words, all together",
        "name-beacon": "Name a future round of a public beacon, to mix it into the draws after its publication",
        "read-beacon": "Mix the named beacon round into the draws, using the signature that the beacon published",
    },
    "A round": {
        "pair": "Pair the next round",
        "pairings": "Show who plays where",
        "report": "Report slips, by table number or by a player's name",
        "desk": "Enter slips one after the other: table, player or code, Enter, then outcome or key, Enter",
        "concede": "Record that a player concedes the match in progress",
        "no-show": "Record a no-show",
        "post": "Post the standings: the log keeps them as posted, and --key signs them",
        "standings": "Show the standings after the last finished round, or at any moment",
        "tie": "Record the order of a tie, or draw the order of every tie",
    },
    "The clock": {
        "start": "Start the clock: play in the round has begun",
        "clock": "Show the round's clock; in a terminal it runs until Ctrl-C",
        "extend": "Give a table more time; --reason explains why",
        "pause": "Stop the clock for everybody",
        "resume": "Continue the clock",
        "mark": "Record that a time mark was announced",
        "first-player": "Record the first player of a game, and who decided",
    },
    "When something was wrong": {
        "correct": "Replace the result of a match; the wrong slip stays in the log",
        "retract": "Take back a mistaken entry; the log keeps it",
        "undo": "Take back the last action of this station, or a whole round with its slips",
        "redo": "Bring back the entries that the last undo of this station took back",
        "swap-tables": "Exchange two tables of the posted round, or move one to a free table; results stay",
        "fix-table": "Seat a player at the same table in every coming round; without --table, at any table again",
        "number-tables": "Start the table numbers of a division at another number, in every later round",
        "amend": "Seat some players of the posted round differently",
        "repair": "List your options when a round was paired from a wrong result, or choose one",
        "call": "Call the desk about a wrong result",
        "calls": "Show what waits for the desk: calls, contradicting slips, contested tables and requests",
        "answer": "Answer calls to the desk; a correction answers its own call",
        "history": "Show every entry about a player, a match or an entry, and whether it still counts",
        "diff": "Show who moved between two moments, or through later corrections, and the entries that moved them",
        "whatif": "Show the standings as other results would change them",
    },
    "Players' phones": {
        "allow-phones": "Choose what players may do with their own phones",
        "renew-link": "Give a player a new personal link; the old link stops working",
        "claim": "As a player, report how the match ended; the result counts when the opponent reports the same",
        "confirm": "As a player, confirm the opponent's claim: the claim becomes the result",
        "call-judge": "Ask for a judge at a player's table",
        "ask-drop": "Ask, as a player, to be dropped; the desk decides",
        "check-in": "Note that players are here",
        "answer-request": "Note that staff attended to a player who called a judge or asked to be dropped",
    },
    "Judges": {
        "penalty": "Give a player a penalty",
        "ruling": "Record a ruling, or a marshal's final review",
        "card": "Record a lost, found or damaged card, or a proxy",
        "conduct": "List penalties, rulings, and what happened to cards",
    },
    "Cut and end": {
        "structure": "Show the rulebook's structures for this attendance, and the announced one",
        "describe": "Write the event's page; parts that you leave out stay as they were",
        "news": "Post news on the event's page",
        "announce": "Announce the rounds and the cut: the rulebook's numbers, or your own",
        "policies": "Show the policies of the event, and which were changed",
        "change-policy": "Change a policy during the event: only the organizer, with a --reason",
        "clinch": (
            "Show whose place in the cut is certain, impossible or open, and whether an intentional draw is safe"
        ),
        "cut": "End the Swiss rounds; the top players advance",
        "replace": "Replace a qualifier who leaves with the next player, as the lowest seed",
        "bracket": "Draw the bracket of the elimination stage, or those of all divisions",
        "time-tiebreak": "Decide an elimination game that time stopped, by the players' counts",
        "places": "Show the final places, and which rule placed whom",
        "close": "End the tournament and reveal the secret behind its draws",
    },
    "What happened, and why": {
        "log": "Show the log: every entry, who made it, when, and whether it still counts",
        "explain": "Explain a player's place: slips, tiebreakers, and the neighbours",
        "replay": (
            "Step through the tournament: n next, p previous, r rounds or entries, q quit; a pipe gets every step"
        ),
        "integrity": "List hand pairings, corrections, retractions, imports and broken rules: who, when and why",
        "rules": "Explain a rule id, or list every rule of the documents",
        "rulebook": "Show how a rulebook scores, ranks and pairs; list the rulebooks, or write a house rulebook",
    },
    "Paper and pictures": {
        "print": "Sheets as PDF: players, pairings, slips, standings, the bracket, cards",
        "slip": "Print blank slips for the tables of a round",
        "scorecard": "Show score cards: every round, and who recorded it",
        "overview": "Show the tournament overview: the event on one page",
        "file-overview": "Record that you sent the overview and the score cards",
        "rating": "Show whether the event is rated, and the deadline for its papers",
        "draw": "Pictures as SVG: the bracket, and charts",
    },
    "Proof": {
        "verify": "Check the log for tampering: every hash, every checkpoint, every signature",
        "set-aside": "Exclude an unreadable tournament, so that verify passes for the other tournaments",
        "key": "Make a key for signing checkpoints, and show its public key",
        "checkpoint": "Sign the log; without a key, show the last checkpoint",
        "witness": "Cosign a checkpoint, if the log contains everything that you saw before",
        "witnessed": "Store a witness's cosignature of a checkpoint of this log",
        "bundle": "Write a dispute file for one match; docs/verify.py checks it without the ledger",
        "erase": "Destroy the key to a player's name, year of birth, contact and deck lists, for good",
    },
    "Files, stations and pages": {
        "import": "Read a whole event into a new ledger, or nothing at all",
        "check": "Recompute an event of another program, and compare with the official numbers in its file",
        "export": "Export the log as JSON Lines, or the event for another program",
        "merge-copy": "Merge another copy of this ledger that was used separately",
        "migrate": "Copy all tournaments with their keys into another ledger, and verify the copy",
        "serve": "Serve the desk, the phones and the wall in a browser",
        "keys": "The file with the keys to the players' names",
        "token": "Station tokens: who may record, in which role, until when",
        "publish": "Write the public pages as files that need no server",
    },
}


class Contents(Suggesting):
    """The group of all commands, listed under headings and in whole sentences.

    A command's module is imported when the command runs, not when the commands are listed.
    """

    meant = MEANT

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = TYPED  # instead of typer's own dict: TYPED imports a command only when it runs

    # The parameters are `Any`, because the types that typer passes are private.
    def format_commands(
        self,
        ctx: Any,  # noqa: ARG002 - typer defines the signature
        formatter: Any,
    ) -> None:
        for heading, names in HEADINGS.items():
            with formatter.section(heading):
                formatter.write_dl(list(names.items()))
        formatter.write_paragraph()
        formatter.write_text("Each command says more: matchledger report --help.")
        formatter.write_text(
            "Commands want --ledger FILE; export MATCHLEDGER_LEDGER=FILE says it once for all of them."
        )


def misread(problem: typer.TyperException) -> str:
    """Return the message for a wrong command line, with the usage of the command."""
    said = problem.format_message().rstrip(".")
    for technical, plain in _PLAIN.items():
        said = said.replace(technical, plain)
    context: typer.Context | None = getattr(problem, "ctx", None)
    if context is None:
        return said
    if isinstance(context.command, TyperGroup):
        return f"{said}; {context.command_path} --help lists them"
    pieces = (
        piece.replace("{", "").replace("}", "").upper() for piece in context.command.collect_usage_pieces(context)
    )
    return f"{said}; write {' '.join([context.command_path, *pieces])}, --help says more"


_PLAIN: Mapping[str, str] = {
    "Input should be a valid integer, unable to parse string as an integer": "this is not a whole number",
    "Value error, ": "",
    "Got unexpected extra argument(s)": "the command takes fewer words",
}
