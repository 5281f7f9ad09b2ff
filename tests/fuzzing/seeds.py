"""Seeds: normal input for each target, from which the search starts."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from tests.doors.matrix import REQUESTS
from tests.event import SECRET
from tests.fuzzing.targets import HERE, KEY, NOW, TARGETS, event, played

from matchledger.evidence.dispute_file import bundle_text, entries_about
from matchledger.evidence.export import export_lines
from matchledger.formats.reader import FORMATS, read_transcript
from matchledger.ledger import sound_tree
from matchledger.notation.slip_code import SlipCode
from matchledger.proof.checkpoint import Checkpoint, origin_of
from matchledger.proof.match_map import Match
from matchledger.proof.merkle import TreeHead
from matchledger.proof.station_token import StationToken, issue
from matchledger.service.importing import transcribe
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks

FINDINGS = Path(__file__).with_name("findings")
_FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

COBRA = {
    "name": "Cup",
    "cutToTop": 2,
    "preliminaryRounds": 1,
    "players": [
        {"id": number, "name": name, "rank": number, "matchPoints": 6, "strengthOfSchedule": "3.5"}
        for number, name in enumerate("ABCD", start=1)
    ],
    "eliminationPlayers": [{"id": 1, "seed": 1, "rank": 1}, {"id": 3, "seed": 2, "rank": 2}],
    "rounds": [
        [
            {"table": 1, "player1": {"id": 1, "combinedScore": 6}, "player2": {"id": 2, "combinedScore": 0}},
            {"table": 2, "player1": {"id": 3, "runnerScore": 3}, "player2": {"id": None, "corpScore": 3}},
        ],
        [{"eliminationGame": True, "player1": {"id": 1, "winner": True}, "player2": {"id": 3, "winner": False}}],
    ],
}
POKEDATA = [
    {
        "name": name,
        "placing": place,
        "record": {"wins": 2 - place, "losses": place - 1, "ties": 0},
        "resistances": {"self": 0.5, "opp": 0.5, "oppopp": 0.5},
        "drop": -1,
        "rounds": {"1": {"name": other, "result": result, "table": 1}},
    }
    for name, other, place, result in (("A", "B", 1, "W"), ("B", "A", 2, "L"))
]
MELEE = {
    "Tournament": {"Name": "Cup"},
    "Rounds": [
        {
            "RoundName": "Round 1",
            "Matches": [
                {"Player1": "A", "Player2": "B", "Result": "2-1-0"},
                {"Player1": "C", "Player2": "-", "Result": "2-0-0"},
            ],
        }
    ],
    "Standings": [{"Rank": 1, "Player": "A", "Points": 3, "OMWP": 0.333333, "GWP": 0.666667, "OGWP": 0.333333}],
}
AESOPS = {
    "name": "Cup",
    "cutToTop": 0,
    "preliminaryRounds": 1,
    "players": [{"id": 1, "name": "A", "rank": 1, "matchPoints": 3}, {"id": 2, "name": "B", "rank": 2}],
    "eliminationPlayers": [],
    "rounds": [
        [{"tableNumber": 1, "corpPlayer": 1, "corpScore": "3", "runnerPlayer": 2, "runnerScore": "0"}],
    ],
}
TOM = b"""<?xml version="1.0" encoding="UTF-8"?>
<tournament type="2" stage="5"><data><name>Cup</name></data>
<players>
<player userid="1"><firstname>A</firstname><lastname>B</lastname>
  <birthdate>02/27/1998</birthdate><seed>1</seed></player>
<player userid="2"><firstname>C</firstname><lastname>D</lastname>
  <dropped><status>1</status><round>1</round></dropped></player>
<player userid="3"><firstname>E</firstname><lastname>F</lastname></player>
</players>
<pods><pod category="2"><subgroups><subgroup><players><player userid="1"/></players></subgroup></subgroups><rounds>
<round number="1" type="2"><matches>
  <match outcome="1"><player1 userid="1"/><player2 userid="2"/><tablenumber>1</tablenumber></match>
  <match outcome="5"><player userid="3"/></match></matches></round>
<round number="2" type="1"><matches>
  <match outcome="2"><player1 userid="1"/><player2 userid="3"/></match></matches></round>
</rounds></pod></pods>
<standings><pod category="2" type="finished"><player id="3" place="1"/><player id="1" place="2"/></pod></standings>
</tournament>
"""
CARDS = b"""title,product,deck,type,clan,keywords,unique,influence,legal_from,experience
Hida Guardian,Core;Pack 1,dynasty,character,Crab,Bushi;Defender,no,,2018-01-01,
Banzai!,Core,conflict,event,-,-,yes,2,2018-01-01,Experienced 2
"""
DECK = b"""[stronghold]
1 Shiro Nishiyama
[dynasty]
3x Hida Guardian # three of them
[conflict]
2 Banzai!
"""
COMMANDS = [
    {"kind": "report-slip", "table": 2, "outcome": "a", "round": 2},
    *({"kind": kind, **request.body} for kind, request in REQUESTS.items()),
]


def seeds(target: str) -> list[bytes]:
    """Return the input with which the fuzzing of a target starts: samples, and the files that once broke the
    target.
    """
    return [*_samples().get(target, []), *(file.read_bytes() for file in findings(target))]


def findings(target: str) -> list[Path]:
    """The files that once broke a target, each named after its finding."""
    return sorted((FINDINGS / target).glob("*"))


# The public key that belongs to a secret of 32 zero bytes.
PUBLIC_OF_ZEROS = "O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik"


@functools.cache
def _samples() -> dict[str, list[bytes]]:
    rows = event().recorder.entry_rows(played())
    stored = [row.state.replace(str(played()).encode(), str(HERE).encode()) for row in rows]
    note = Checkpoint(origin_of(HERE), TreeHead(3, bytes(32)), ("round 1",)).signed(KEY)
    token = StationToken(
        role="judge", actor="Mo", station="Desk", issued=NOW, not_before=NOW, expires=NOW + timedelta(hours=12)
    )
    files = {
        "sheet": [file.read_bytes() for file in sorted(_FIXTURES.glob("*/event.sheet"))],
        "cobra": [json.dumps(COBRA).encode()],
        "tom": [TOM],
        "pokedata": [json.dumps(POKEDATA).encode()],
        "melee": [json.dumps(MELEE).encode()],
        "aesops": [json.dumps(AESOPS).encode()],
        "roster": [b"name,born,division,contact,clan\nAnn Lee,1990,senior,ann@example.org,Crab\nBo,,,,\n"],
        "decklist": [DECK, b"part,count,card\ndynasty,3,Hida Guardian\nconflict,2,Banzai!\n"],
        "card-data": [CARDS, json.dumps([{"title": "Banzai!", "unique": True, "influence": 2}]).encode()],
        "rulebook": [rulebook_text(name).encode() for name in shipped_rulebooks()],
        "export": ["".join(export_lines(event(), played())).encode()],
        "log": [b"\n".join(stored), *map(_log_of, ("tv-undo-3", "tv-l5r-a", "tv-swr-c-played", "pol-tom-late"))],
        "stored-entry": [re.sub(rb'"position":[0-9]+', b'"position":1', row, count=1) for row in stored],
        "key-ring": [
            f"matchledger-keys/1\n{HERE.hex} {1:010} {'ab' * 32}\n{HERE.hex} {2:010} {'x' * 64}\n".encode()
        ],
        "bundle": [_bundle()],
        "checkpoint": [str(note).encode()],
        "key": [str(KEY.verification).encode(), str(KEY).encode(), f"3:{'00' * 32}".encode()],
        "token": [issue(KEY, token).encode()],
        "signed-token": [token.model_copy(update={"key": PUBLIC_OF_ZEROS}).model_dump_json().encode()],
        "slip-code": [str(SlipCode(played(), "swiss", 2, 1)).encode()],
        "words": [
            b"12 a 13 b modified-win 14 4-1 15 a:9 16 draw",
            b"#7",
            b"Ann",
            b"14:20",
            b"2026-05-03T14:20",
            b"5",
        ],
        "command": [json.dumps(command).encode() for command in COMMANDS],
    }
    return {**files, "any-file": [files[name][0] for name in FORMATS]}


def _log_of(fixture: str) -> bytes:
    """Return the stored entries of a score sheet, one per line, with unencrypted names."""
    sheet = (_FIXTURES / fixture / "event.sheet").read_bytes()
    transcript = read_transcript(sheet, "sheet")
    draft = transcribe(transcript, data=sheet, source="event.sheet", secret=SECRET, sealed=False).draft
    here = (entry.model_copy(update={"tournament": HERE, "recorded_at": NOW}) for entry in draft.entries)
    return b"\n".join(entry.model_dump_json().encode() for entry in here)


def _bundle() -> bytes:
    entries = list(event().entries(played()))
    record = event().record(played())
    match = Match("swiss", 1, 1, (1, 2))
    about = entries_about(match, entries, record)
    positions = {entry.position for entry in about}
    rows = [row for row in event().recorder.entry_rows(played()) if row.position in positions]
    return bundle_text(match, about, rows, sound_tree(event(), played()), []).encode()


def every_seed() -> Iterator[tuple[str, bytes]]:
    """Yield every target with each of its seeds."""
    return ((target, seed) for target in TARGETS for seed in seeds(target))
