"""The matrix: who may do what. A person wrote the matrix from the L5R column of rules 0.3; where the rules are
silent, the staff may act.

The matrix is deliberately separate from the program's own table: if only one of the two changes, a test fails. If
the command line, the API or the desk has a command that the matrix lacks, a test fails too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from matchledger.proof.keys import SigningKey

STAFF = frozenset({"organizer", "marshal", "judge", "scorekeeper"})
ORGANIZER = frozenset({"organizer", "scorekeeper"})  # a scorekeeper may record the organizer's decisions
LEADERS = STAFF - {"scorekeeper"}
MARSHAL = ORGANIZER | {"marshal"}
PLAYERS = STAFF | {"player"}  # players may act only for themselves or in their own match
EVERYBODY = PLAYERS
ALONE = frozenset({"organizer"})  # only the organizer in person
ROLES = ("organizer", "marshal", "judge", "scorekeeper", "player")
SILENT, DELEGATION = "POL-ALL-SILENT-ROLES", "POL-ALL-DELEGATION"

WITNESS = SigningKey("witness", bytes(32))

# For each role, the name of the person with a token. The player is one of the tournament's four players.
NAMES = {"organizer": "Olga", "marshal": "Mara", "judge": "Jude", "scorekeeper": "Kim", "player": "Ann"}

# For each stage of a tournament, the lines that the organizer types after those of the earlier stage.
_OPENED = (
    "open Friday -b l5r-2018 -p POL-L5R-TIER=relaxed",
    "register Ann --born 1990",
    "register Bo",
    "register Cy",
    "register Di",
)
_PAIRED = (*_OPENED, "pair --table Ann/Bo --table Cy/Di")
_STARTED = (*_PAIRED, "start")
_PLAYED = (*_STARTED, "report 1 a 2 a")
_ORDERED = (*_PLAYED, "tie Ann Cy", "tie Bo Di")
_CUT = (*_ORDERED, "cut 2 --reason short")
STAGES: dict[str, tuple[str, ...]] = {
    "opened": _OPENED,
    "left": (*_OPENED, "drop Ann"),
    "divided": (
        "open Friday -b pokemon-2009",
        "register --csv field.csv",
        "announce --style swiss-with-cut --rounds 6 --cut 8 --prizes 8 --reason one-hall",
    ),
    "listed": (*_OPENED, "deck submit Ann deck.txt"),
    "led": (*_OPENED, "staff add Max marshal"),
    "resting": (*_OPENED, "staff add Max marshal", "staff rest Max"),
    "paired": _PAIRED,
    "started": _STARTED,
    "paused": (*_STARTED, "pause"),
    "played": _PLAYED,
    "called": (*_PLAYED, "call Ann"),
    "posted": (*_PLAYED, "post"),
    "ordered": _ORDERED,
    "ruled": (*_STARTED, "ruling 'May I?' Yes --by Jude"),
    "cut": _CUT,
    "wrong": (*_PLAYED, "pair", "correct 1 1 b --yes"),
    "scored": (
        "open Friday -b street-warriors-2004 -p POL-SWR-LT8-ROUNDS=host",
        *_OPENED[1:],
        *_PAIRED[5:],
        "report 1 a 2 a",
        "close --yes --reason short",
    ),
}


STAGES["apart"] = STAGES["played"]  # the other copy was signed after the split
STAGES["signed"] = (*_PLAYED, "checkpoint --key sign.key")  # a witness cosigned the checkpoint too
STAGES["pledged"] = (*_OPENED, "pledge-word Ann")
_PHONES = (*_OPENED, "allow-phones report judge drop check-in")
STAGES["phones"] = _PHONES
STAGES["at tables"] = (*_PHONES, *_PAIRED[5:])
STAGES["claimed"] = (*STAGES["at tables"], "claim Bo loss", "claim Di loss")
STAGES["asked"] = (*STAGES["at tables"], "call-judge Bo")
STAGES["named"] = (*_OPENED, "name-beacon 999999999")
STAGES["timed"] = (*STAGES["scored"][:-1], "tie Ann Cy", "tie Bo Di", "cut 2 --reason short", "pair")

_DIVISIONS = (
    "open Friday -b pokemon-2009",
    *(
        f"register {division}{number} --division {division}"
        for division in ("junior", "masters")
        for number in range(4)
    ),
    "announce --style swiss-with-cut --rounds 1 --division-cut junior=2 --division-cut masters=2 --reason short",
    "pair",
    "report 1 a 2 a 3 a 4 a",
    "tie --yes",
)
STAGES["divisions cut"] = (*_DIVISIONS, "cut --yes")
STAGES["divisions drawn"] = (*STAGES["divisions cut"], "pair")
STAGES["flight joined"] = (
    *STAGES["divided"],
    "draw-flights masters 2 --reason large",
    "late Zed --division masters",
)
STAGES["lost by penalty"] = (*_STARTED, "penalty Ann match-loss --for unsporting")


class Row(NamedTuple):
    """A command, its stage, its line, who may run it, and the rule.

    `others` is the same command about another player, which a player may not run. `code` is the exit code of
    success.
    """

    stage: str
    line: str
    roles: frozenset[str]
    rule: str
    others: str | None = None
    code: int = 0


LINES: dict[str, Row] = {
    "register": Row("opened", "register Ed", STAFF, SILENT),
    "late": Row("paired", "late Ed", STAFF, SILENT),
    "rename": Row("opened", "rename Ann 'Anna Lee'", STAFF, SILENT),
    "correct-player": Row("opened", "correct-player Ann --born 1991 --set dci=1234", STAFF, SILENT),
    "award-byes": Row("opened", "award-byes Ann", STAFF, SILENT),
    "fix-table": Row("opened", "fix-table Ann --table 7", STAFF, SILENT),
    "number-tables": Row("divided", "number-tables masters 101", STAFF, SILENT),
    "swap-tables": Row("paired", "swap-tables 1 2 --yes", STAFF, SILENT),
    "merge": Row("opened", "merge Ann Bo --yes", STAFF, SILENT),
    "transfer": Row("opened", "transfer Ann 'Zoe Lee' --yes", STAFF, SILENT),
    "drop": Row("opened", "drop Ann", PLAYERS, "L5R-IV.2-DROP", "drop Bo"),
    "rejoin": Row("left", "rejoin Ann", ORGANIZER, "L5R-IV.2-REJOIN"),
    "disqualify": Row("opened", "disqualify Ann --yes", ORGANIZER, "L5R-IV.2-DQ"),
    "close": Row("played", "close --yes --reason short", ORGANIZER, "L5R-I.1-ORG"),
    "decide-divisions": Row("divided", "decide-divisions --mode modified --reason wanted", STAFF, SILENT),
    "draw-flights": Row("divided", "draw-flights masters 2", STAFF, SILENT),
    "pledge-word": Row("opened", "pledge-word Ann", PLAYERS, SILENT, "pledge-word Bo"),
    "change-policy": Row("opened", "change-policy POL-ALL-REPAIR never --yes --reason agreed", ALONE, "POLICY"),
    "open-words": Row("pledged", "open-words '#1=otter'", STAFF, SILENT),
    "name-beacon": Row("opened", "name-beacon 999999999", STAFF, SILENT),
    "read-beacon": Row("named", "read-beacon 999999999 " + "ab" * 48, STAFF, SILENT),
    "pair": Row("opened", "pair", STAFF, "L5R-I.1-ORG"),
    "amend": Row("paired", "amend Ann/Cy Bo/Di", STAFF, SILENT),
    "tie": Row("played", "tie Ann Cy", STAFF, SILENT),
    "start": Row("paired", "start", STAFF, "L5R-IV.1-CLOCK"),
    "extend": Row("started", "extend 1 4", STAFF, "L5R-II.2d-LOST"),
    "pause": Row("started", "pause", STAFF, "L5R-IV.1-CLOCK"),
    "resume": Row("paused", "resume", STAFF, "L5R-IV.1-CLOCK"),
    "mark": Row("started", "mark time", STAFF, "L5R-IV.1-CLOCK"),
    "first-player": Row("started", "first-player Ann", STAFF, SILENT),
    "report": Row("paired", "report 1 a", PLAYERS, "L5R-IV.3a-70", "report 2 a"),
    "concede": Row("paired", "concede Ann", PLAYERS, "L5R-IV.3-END", "concede Bo"),
    "no-show": Row("paired", "no-show Ann", STAFF, "L5R-IV.2-NOSHOW"),
    "correct": Row("played", "correct 1 1 b --yes", STAFF, SILENT),
    "retract": Row("played", "retract 8 --yes", STAFF, "L5R-IV.3a-70"),
    "announce": Row("opened", "announce --rounds 1 --structure custom", STAFF, "L5R-IV.2-ANNOUNCE"),
    "cut": Row("ordered", "cut 2 --reason short", STAFF, "L5R-IV.2b-CUT"),
    "replace": Row("cut", "replace Ann", STAFF, "L5R-IV.2b-CUTDROP"),
    "call": Row("played", "call Bo", EVERYBODY, ""),
    "answer": Row("called", "answer 10", STAFF, SILENT),
    "describe": Row("opened", "describe --venue Hall", ORGANIZER, DELEGATION),
    "news": Row("opened", "news Lunch", ORGANIZER, DELEGATION),
    "allow-phones": Row("opened", "allow-phones report", ORGANIZER, DELEGATION),
    "renew-link": Row("opened", "renew-link Ann", ORGANIZER, DELEGATION),
    "claim": Row("at tables", "claim Ann win", EVERYBODY, "", "claim Bo win"),
    "confirm": Row("claimed", "confirm Ann 8", EVERYBODY, "", "confirm Cy 9"),
    "call-judge": Row("at tables", "call-judge Ann", EVERYBODY, "", "call-judge Bo"),
    "ask-drop": Row("phones", "ask-drop Ann", EVERYBODY, "", "ask-drop Bo"),
    "check-in": Row("phones", "check-in Ann", EVERYBODY, "", "check-in Bo"),
    "answer-request": Row("asked", "answer-request 8", STAFF, SILENT),
    "penalty": Row("started", "penalty Ann warning --for unsporting", MARSHAL, "L5R-I.2-MARSHAL"),
    "ruling": Row("started", "ruling 'May I?' Yes --by Jude", STAFF, "L5R-I.3-JUDGE"),
    "card": Row("started", "card Ann damaged Banzai", STAFF, "L5R-II.2d-LOST"),
    "repair": Row("wrong", "repair --choose minimal --reason wrong", STAFF, SILENT),
    "post": Row("played", "post", STAFF, SILENT),
    "checkpoint": Row("played", "checkpoint --key sign.key", STAFF, SILENT),
    "witnessed": Row("signed", f"witnessed cosigned.txt --vkey {WITNESS.of_witness}", STAFF, SILENT),
    "bundle": Row("played", "bundle 1 1 -o match.bundle", STAFF, SILENT),
    "export": Row("played", "export names.jsonl --with-names", STAFF, SILENT),
    "merge-copy": Row("apart", "merge-copy other.ledger --yes", ALONE, "POLICY"),
    "erase": Row("played", "erase Ann --yes --reason asked --out done.txt", ALONE, "POLICY"),
    "deck submit": Row("opened", "deck submit Ann deck.txt", PLAYERS, "L5R-II.2b-LIST", "deck submit Bo deck.txt"),
    "deck amend": Row("listed", "deck amend Ann other.txt", LEADERS, "L5R-II.2b-LISTFIX"),
    # This list has three cards, too few for a deck.
    "deck check": Row("listed", "deck check Ann", STAFF, SILENT, code=1),
    "staff add": Row("opened", "staff add Max marshal", ORGANIZER, "L5R-I.1-ORG"),
    "staff leave": Row("led", "staff leave Max", STAFF, "L5R-I.2-MARSHAL"),
    "staff rest": Row("led", "staff rest Max", STAFF, "L5R-I.2-MARSHAL"),
    "staff return": Row("resting", "staff return Max", STAFF, "L5R-I.2-MARSHAL"),
    "token trust": Row("opened", "token trust --key other.key", ALONE, ""),
    "token distrust": Row("opened", "token distrust --key org.key", ALONE, ""),
    "token revoke": Row("opened", "token revoke 0123456789ab", ALONE, ""),
    "token plain-http": Row("opened", "token plain-http", ALONE, ""),
    "file-overview": Row("scored", "file-overview --sent {today} --cards 4", ORGANIZER, "SWR-RATING"),
}

# Commands without a row of their own, with the row that covers each. They record several typed lines, or need more
# than one line.
BY_THE_SAME_ROWS = {"desk": "report", "time-tiebreak": "report", "undo": "retract", "redo": "retract"}
# Commands that take back only their own station's entries: no stage of a tournament has such entries for every
# role. The row of `retract` covers them.
OF_THE_STATION = {"undo-last", "redo-last"}

# Commands that record nothing in the running tournament: they read, write a file, or open a second tournament.
_READING = """
    open import check verify key migrate serve publish rules rulebook standings players pairings slip log explain
    history diff replay whatif clinch scorecard overview rating integrity structure policies bracket places
    divisions flights clock calls conduct set-aside witness
"""
_READING_IN_GROUPS = {
    "keys merge",
    "keys new",
    "deck show",
    "token key",
    "token issue",
    "token show",
    "token list",
    "staff list",
}
RECORD_NOTHING = _READING_IN_GROUPS.union(_READING.split())
GROUPS_THAT_RECORD_NOTHING = frozenset({"draw", "print"})


class Request(NamedTuple):
    """A command of the API and the desk: its stage, the request, who may send it, and the rule."""

    stage: str
    body: dict[str, object]
    roles: frozenset[str]
    rule: str


def filled(body: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Return a request body in which file names such as "@cosigned.txt" are replaced with the files' texts."""
    named = {name: value[1:] for name, value in body.items() if isinstance(value, str) and value.startswith("@")}
    return {**body, **{name: (folder / file).read_text("utf-8") for name, file in named.items()}}


def _like(line: str, **body: object) -> Request:
    row = LINES[line]
    return Request(row.stage, body, row.roles, row.rule)


_LIST = "[dynasty]\n2 Hida Guardian\n"

REQUESTS: dict[str, Request] = {
    "report-slip": _like("report", table=1, outcome="a"),
    "correct-slip": _like("correct", round=1, table=1, outcome="b"),
    "retract-entry": _like("retract", position=8),
    "record-no-show": _like("no-show", players=[1]),
    "concede-match": _like("concede", player=1),
    "register-player": _like("register", name="Ed"),
    "register-roster": _like("register", roster="name\nEd\nFay"),
    "rename-player": _like("rename", player=1, name="Anna Lee"),
    "correct-player": _like("correct-player", player=1, born=1991, details={"dci": "1234"}),
    "award-byes": _like("award-byes", player=1, rounds=1),
    "fix-table": _like("fix-table", player=1, table=7),
    "number-tables": _like("number-tables", division="masters", first=101),
    "swap-tables": _like("swap-tables", first=1, second=2),
    "merge-players": _like("merge", player=1, other=2),
    "transfer-registration": _like("transfer", player=1, name="Zoe Lee"),
    "drop-player": _like("drop", player=1),
    "rejoin-player": _like("rejoin", player=1),
    "disqualify-player": _like("disqualify", player=1),
    "pair-round": _like("pair"),
    "start-round": _like("start"),
    "extend-time": _like("extend", table=1, minutes=4),
    "pause-clock": _like("pause"),
    "resume-clock": _like("resume"),
    "post-standings": _like("post"),
    "post-pairings": Request("paired", {}, STAFF, SILENT),
    "draw-ties": _like("tie"),
    "order-tie": _like("tie", players=[1, 3]),
    "make-cut": _like("cut", size=2, deviating=True),
    "choose-repair": _like("repair", choice="minimal"),
    "answer-call": _like("answer", position=10),
    "describe-event": _like("describe", venue="Hall"),
    "post-news": _like("news", text="Lunch"),
    "allow-phones": _like("allow-phones", may=["report"]),
    "renew-link": _like("renew-link", player=1),
    "claim-result": _like("claim", player=1, outcome="win"),
    "confirm-claim": _like("confirm", player=1, claim=8),
    "call-judge": _like("call-judge", player=1),
    "ask-drop": _like("ask-drop", player=1),
    "check-in": _like("check-in", players=[1]),
    "answer-request": _like("answer-request", request=8),
    "close-tournament": _like("close", deviating=True),
    "amend-pairing": _like("amend", games=[[1, 3], [2, 4]]),
    "call-mark": _like("mark", mark="time"),
    "give-penalty": _like("penalty", player=1, penalty="warning", offence="unsporting"),
    "give-ruling": _like("ruling", question="May I?", outcome="Yes", judge="Jude"),
    "review-ruling": Request(
        "ruled", {"position": 8, "outcome": "No", "judge": "Mara"}, MARSHAL, "L5R-I.2-MARSHAL"
    ),
    "note-card": _like("card", player=1, card="Banzai", what="damaged", leader="Jude"),
    "assign-staff": _like("staff add", name="Max", role="marshal"),
    "change-duty": _like("staff leave", name="Max", duty="left"),
    "announce-structure": _like("announce", rounds=1, structure="custom"),
    "pledge-word": _like("pledge-word", player=1),
    "change-policy": _like("change-policy", flag="POL-ALL-REPAIR", value="never"),
    "open-words": _like("open-words", words=["#1=otter"]),
    "keep-cosignature": _like("witnessed", note="@cosigned.txt", key=str(WITNESS.of_witness)),
    "name-beacon": _like("name-beacon", number=999999999),
    "read-beacon": _like("read-beacon", number=999999999, signature="ab" * 48),
    "decide-divisions": _like("decide-divisions", mode="modified", deviating=True),
    "replace-qualifier": _like("replace", player=1),
    "submit-deck": _like("deck submit", player=1, deck=_LIST),
    "amend-deck": _like("deck amend", player=1, deck=_LIST),
    "check-decks": _like("deck check", players=[1]),
    "pair-by-hand": Request("opened", {"games": [[1, 2], [3, 4]]}, STAFF, "L5R-I.1-ORG"),
    "set-first-player": _like("first-player", player=1),
    "draw-flights": _like("draw-flights", division="masters", flights=2),
    "end-at-time": Request("timed", {"table": 1, "matches": (1, 0)}, ORGANIZER | {"judge"}, "SWR-SCORECARD"),
    "file-overview": Request("scored", {"cards": 4}, ORGANIZER, "SWR-RATING"),
}


# The form or the address that the desk sends for a line of the command line.
AT_THE_DESK: dict[str, frozenset[str]] = {
    command: frozenset(sent.split())
    for command, sent in {
        "register": "register-player register-roster",
        "late": "register-player",
        "rename": "rename-player",
        "correct-player": "correct-player",
        "award-byes": "award-byes",
        "fix-table": "fix-table",
        "number-tables": "number-tables",
        "swap-tables": "swap-tables",
        "merge": "merge-players",
        "transfer": "transfer-registration",
        "drop": "drop-player",
        "rejoin": "rejoin-player",
        "disqualify": "disqualify-player",
        "close": "close-tournament",
        "pledge-word": "pledge-word",
        "change-policy": "change-policy",
        "open-words": "open-words",
        "name-beacon": "name-beacon",
        "read-beacon": "read-beacon",
        "decide-divisions": "decide-divisions",
        "draw-flights": "draw-flights",
        "pair": "pair-round pair-by-hand",
        "amend": "amend-pairing",
        "tie": "draw-ties order-tie",
        "start": "start-round",
        "extend": "extend-time",
        "pause": "pause-clock",
        "resume": "resume-clock",
        "mark": "call-mark",
        "first-player": "set-first-player",
        "report": "report-slip",
        "desk": "report-slip",
        "concede": "concede-match",
        "no-show": "record-no-show",
        "correct": "correct-slip",
        "retract": "retract-entry",
        "announce": "announce-structure",
        "cut": "make-cut",
        "replace": "replace-qualifier",
        "time-tiebreak": "end-at-time",
        "call": "/t/{tournament}/me",
        "answer": "answer-call",
        "describe": "describe-event",
        "news": "post-news",
        "allow-phones": "allow-phones",
        "token plain-http": "/t/{tournament}/desk/stations/plain-http",
        "renew-link": "renew-link",
        "claim": "claim-result /t/{tournament}/me",
        "confirm": "confirm-claim /t/{tournament}/me",
        "call-judge": "call-judge /t/{tournament}/me",
        "ask-drop": "ask-drop /t/{tournament}/me",
        "check-in": "check-in",
        "answer-request": "answer-request",
        "penalty": "give-penalty",
        "ruling": "give-ruling review-ruling",
        "card": "note-card",
        "repair": "choose-repair",
        "post": "post-standings post-pairings",
        "checkpoint": "/t/{tournament}/desk/checkpoint",
        "witnessed": "keep-cosignature /t/{tournament}/desk/witnessed",
        "bundle": "/t/{tournament}/desk/bundle",
        "deck submit": "submit-deck",
        "deck amend": "amend-deck",
        "deck check": "check-decks",
        "staff add": "assign-staff",
        "staff leave": "change-duty",
        "staff rest": "change-duty",
        "staff return": "change-duty",
        "file-overview": "file-overview",
    }.items()
}

# Commands that record something and exist only on the command line, with the reason.
ON_THE_COMMAND_LINE_ALONE: dict[str, str] = {
    "undo": "at the desk the key u takes the last slip back, and every entry of the log has its own button",
    "redo": "as undo: taking the retraction back from the log does the same",
    "export": "a whole log with the keys to every name leaves from the machine that has them, into a file",
    "merge-copy": "the other copy is a file on the machine that has the ledger and its keys",
    "erase": "it cannot be undone, and reaches the key ring, the cache and the mirror of that machine",
    "token trust": "who comes in is decided where the organizer's key is, not in a browser that was left open",
    "token distrust": "as token trust",
    "token revoke": "as token trust",
}
