"""Ways: for each demand in a message, the command-line option or the command that meets it."""

from __future__ import annotations

from matchledger_projections.message import Demand, demands_of

WAYS: dict[Demand, str] = {
    "a bracket's division": "use --division",
    "a correction": "use correct",
    "a cut": "use --cut",
    "a decided tie": "use tie",
    "a division": "use --born or --division",
    "a known moment": "use --as-of, or --round N --as-known",
    "a late arrival": "use late",
    "a late list": "use --late",
    "a leader": "use staff add",
    "a leader who goes": "use staff leave",
    "a number of rounds": "use --rounds",
    "a reason": "use --reason",
    "a rejoining player": "use rejoin",
    "a round undone": "use undo --round",
    "new numbers": "use --renumber",
    "a rematch": "use --allow-rematch",
    "a seat": "use amend",
    "a second key file": "to start a second key file, use keys new",
    "a signing key": "use --key",
    "a token": "use --token or MATCHLEDGER_TOKEN",
    "a tournament": "use --tournament",
    "a trusted key": "use token trust",
    "an elimination round": "use --elimination",
    "an exception": "use --override",
    "another bracket": "see bracket without --division",
    "another key file": "use keys merge with the key file that has them",
    "cards of a faction": "use --faction",
    "names in clear": "use open --names-in-clear",
    "no other clerk": "leave --actor, --role and --station out",
    "no other moment": "leave --as-corrected out",
    "numbers alone": "use --numbers-only",
    "one division": "use --division",
    "one's own name": "use --actor",
    "pairings by hand": "use pair --table",
    "rounds to come": "use --rounds-left",
    "the calls": "see calls",
    "the leaders": "see staff list",
    "the pairings verified": "use verify --pairings",
    "the places": "see places, or pairings --elimination",
    "the players": "see players",
    "the rules": "see rules",
    "the rulings": "see conduct",
    "the tokens": "see token list",
    "this copy's rounds": "use --own-rounds",
    "what decided at time": "use time-tiebreak",
}


def said_here(said: object) -> str:
    """Return a message for the command line, with the options that meet the message's demands."""
    first, *others = [way for demand, way in WAYS.items() if demand in demands_of(said)] or [""]
    ways = " or ".join([first, *(way.removeprefix("use ") for way in others)])
    return f"{said}; {ways}" if ways else str(said)


def problem_here(problem: Exception) -> str:
    """Return an error's message for the command line, with the options that meet its demands."""
    said = said_here(problem.args[0] if problem.args else "")
    return said if said.startswith(text := str(problem)) else text
