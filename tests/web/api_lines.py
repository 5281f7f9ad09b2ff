"""The JSON output of each command line, and the API path with the same answer."""

from __future__ import annotations

from typing import NamedTuple

# Four events, each with its own ledger: in round 2, with a bracket, paired from a wrong slip, and with flights.
EVENTS: dict[str, tuple[str, ...]] = {
    "played": (
        "open Friday -b l5r-2018 -p POL-L5R-TIER=relaxed",
        "register Ann --born 1990",
        "register Bo",
        "register Cy",
        "register Di",
        "register Ed",
        "announce --rounds 2 --cut 2 --structure custom --reason small",
        "staff add Mara marshal",
        "staff add Cy judge",
        "deck submit Ann deck.txt",
        "deck check Ann",
        "pair --table Ann/Bo --table Cy/Di --table Ed --reason 'as seated'",
        "start",
        "extend 1 4 --reason 'asked late'",
        "mark time",
        "penalty Ann warning --for unsporting",
        "ruling 'May I?' Yes --by Mara",
        "card Ann damaged Banzai --by Mara",
        "report 1 a 2 a",
        "post",
        "call Bo",
        "correct 1 1 b --yes --reason 'misread'",
        "pair",
        "start",
    ),
    "decided": (
        "open Saturday -b l5r-2018",
        "register Ann",
        "register Bo",
        "register Cy",
        "register Di",
        "pair --table Ann/Bo --table Cy/Di",
        "report 1 a 2 a",
        "tie Ann Cy",
        "tie Bo Di",
        "cut 4 --reason short",
        "pair",
        "start",
        "report 1 a",
    ),
    "wrong": (
        "open Monday -b l5r-2018",
        "register Ann",
        "register Bo",
        "register Cy",
        "register Di",
        "pair --table Ann/Bo --table Cy/Di",
        "report 1 a 2 a",
        "pair",
        "correct 1 1 b --yes",
    ),
    "divided": (
        "open Sunday -b pokemon-2009",
        "register --csv field.csv",
        "announce --style swiss-with-cut --rounds 6 --cut 8 --prizes 8 --reason one-hall",
        "draw-flights masters 2",
    ),
}


class Same(NamedTuple):
    """A command line, and the path with the same answer. `staff` says who may read the path."""

    line: str
    path: str
    event: str = "played"
    staff: bool = False
    code: int = 0


SAME = (
    Same("standings", "standings"),
    Same("standings --round 1 --as-known", "standings?round=1&as_known=true"),
    Same("standings --rulebook ashes-2022", "standings?rulebook=ashes-2022"),
    Same("standings --division all", "standings?division=all", "divided", staff=True),
    Same("players", "players"),
    Same("pairings", "pairings"),
    Same("pairings --elimination", "pairings?stage=elimination", "decided"),
    Same("pairings --elimination", "pairings", "decided"),
    Same("pairings --round 1", "pairings?round=1", "decided"),
    Same("print slips --elimination", "sheets/slips", "decided", staff=True),
    Same("print players", "sheets/players", staff=True),
    Same("print pairings", "sheets/pairings"),
    Same("print pairings --by table", "sheets/pairings?by=table"),
    Same("print slips", "sheets/slips", "wrong", staff=True),  # this round has no bye
    Same("print slips 1", "sheets/slips?table=1", staff=True),
    Same("print standings", "sheets/standings"),
    Same("print bracket", "bracket", "decided"),
    Same("print scorecard", "scorecards", staff=True),
    Same("print overview", "overview", staff=True),
    Same("print blank --tables 3", "sheets/blank?tables=3", staff=True),
    Same("places", "places", "decided"),
    Same("bracket", "bracket", "decided"),
    Same("draw bracket", "bracket", "decided"),
    Same("structure", "structure"),
    Same("policies", "policies"),
    Same("divisions", "divisions", "divided", staff=True),
    Same("flights", "flights", "divided"),
    Same("flights masters", "flights?division=masters", "divided"),
    Same("clock", "clock", staff=True),
    Same("clock --elimination --round 1", "clock?stage=elimination&round=1", "decided"),
    Same("draw pace", "pace"),
    Same("draw field", "field"),
    Same("draw rank Ann", "course/1"),
    Same("explain Ann", "explain/players/1", staff=True),
    Same("explain Ann --rulebook ashes-2022", "explain/players/1?rulebook=ashes-2022", staff=True),
    Same("explain --pairing 1", "explain/tables/1", staff=True),
    Same("explain --pairing bye", "explain/byes", staff=True),
    Same("explain --pairing bye --round 1", "explain/byes?round=1", staff=True),
    Same("history Ann", "history/players/1", staff=True),
    Same("history --table 1 1", "history/matches/swiss/1/1", staff=True),
    Same("history --table 1 1 --elimination", "history/matches/elimination/1/1", "decided", staff=True),
    Same("history --entry 22", "history/entries/22", staff=True),
    Same("integrity", "integrity", staff=True),
    Same("log", "entries?limit=1000", staff=True),
    Same("verify", "verify", staff=True),
    Same("verify --pairings", "verify?pairings=true", staff=True),
    Same("diff known:1 round:1", "diff?from=known:1&to=round:1", staff=True),
    Same("whatif --set '1 2 b' --drop Ed", "whatif?set=1+2+b&drop=5", staff=True),
    Same("whatif --remove '1 2' --cut 2", "whatif?remove=1+2&cut=2", staff=True),
    Same("clinch", "clinch", staff=True),
    Same("clinch --rounds-left 1 --cut 2", "clinch?rounds_left=1&cut=2", staff=True),
    Same("scorecard", "scorecards", staff=True),
    Same("scorecard Ann '#2'", "scorecards?player=1&player=2", staff=True),
    Same("overview", "overview", staff=True),
    Same("rating", "rating"),
    Same("staff list", "staff", staff=True),
    Same("calls", "calls", staff=True),
    Same("calls --all", "calls?all=true", staff=True),
    Same("conduct", "conduct", staff=True),
    Same("deck show Ann", "decks/1", staff=True),
    Same("deck show Ann --cards", "decks/1?cards=true", staff=True),
    Same("token list", "tokens", staff=True),
    Same("pair --preview", "next-round", staff=True, code=1),
    Same("repair", "repair", "wrong", staff=True),
    Same("rules", "/api/rules"),
    Same("rules L5R-IV.2-DQ", "/api/rules/L5R-IV.2-DQ"),
    Same("rules POL-ALL-REPAIR", "/api/rules/POL-ALL-REPAIR"),
    Same("rulebook", "/api/rulebooks"),
    Same("rulebook pokemon-2009", "/api/rulebooks/pokemon-2009"),
)

# Commands that a different test compares.
APART = {
    "token show": "token",
    "drop": "preview",
    "rejoin": "preview",
    "disqualify": "preview",
    "replace": "preview",
    "close": "preview",
    "redo": "preview",
    "undo": "preview",
    "correct": "preview",
    "retract": "preview",
    **dict.fromkeys(("cut", "change-policy", "swap-tables", "transfer", "merge", "correct-player"), "preview"),
}

# JSON output that no route gives, with the reasons.
NO_ROUTE = {
    "print places": "it prints the document of places, which has a route",
    "check": "it reads a file of another program, and no ledger",
    "erase": "it destroys a key that lies beside the ledger, at the machine that has it, and leaves a certificate",
}
