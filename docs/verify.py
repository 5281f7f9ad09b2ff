"""Verify a dispute file (a "bundle") of one match, with only this page of Python.

    python verify.py BUNDLE [--vkey KEY] [--witness KEY] [--head SIZE:ROOT] [--log EXPORT]

The page needs Python 3.10 and the package `cryptography`, and knows nothing of the program that wrote the file.
Exit code 0: every statement in the file is proved. 1: a line names a statement that is not proved. The proof:
1. Each entry's SHA-256 hash is a leaf of a Merkle tree (RFC 6962). One changed letter changes the tree's root.
2. The organizer signed the root in a checkpoint (Ed25519, C2SP). Earlier checkpoints begin the same tree.
3. A station signs each entry together with the entry before it. The organizer signed the identity of each station.
4. This page derives all other statements from the entries. An encrypted name without its key is a number.
5. The last checkpoint signs a map of each match's entries: up to there, no entry about the match is missing.
6. Machines of other people, called witnesses, can sign that they saw a checkpoint, and the time: see --witness.
Get the organizer's key for --vkey from the organizer or from posted standings. A bundle cannot show what came after
its last checkpoint, or whether the organizer signed a false map. With --log and the whole log, the page shows both.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

RESULTS = ("result-reported", "match-conceded", "no-show-recorded", "result-corrected")


class Wrong(ValueError): ...


def need(holds: object, otherwise: str) -> None:
    if not holds:
        raise Wrong(otherwise)


def unbase64(text: str, letters: bytes = b"+/") -> bytes:
    padded = text if letters == b"+/" else text + "=" * (-len(text) % 4)
    data = base64.b64decode(padded, letters, validate=True)
    need(base64.b64encode(data, letters).decode() == padded, "some Base64 is not written in the usual way")
    return data


# 1. the Merkle tree (RFC 6962, section 2.1)
def leaf_hash(position: int, topic: str, stored: bytes) -> bytes:
    name = topic.encode()
    data = position.to_bytes(8, "big") + len(name).to_bytes(2, "big") + name + stored
    return hashlib.sha256(b"\x00" + data).digest()


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_over(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes:
    """Return the root of a tree with a known leaf (from 0). The proof has the other hashes, lowest first."""
    need(bool(proof) == (size > 1), "the proof of an entry has the wrong length")
    if size == 1:
        return leaf
    left = 1 << ((size - 1).bit_length() - 1)  # the largest power of two below the size
    if index < left:
        return node(root_over(leaf, index, left, proof[:-1]), proof[-1])
    return node(proof[-1], root_over(leaf, index - left, size - left, proof[:-1]))


def roots_over(old: bytes | None, earlier: int, size: int, proof: list[bytes]) -> tuple[bytes, bytes]:
    """Return the earlier and the present root of a tree. The proof leaves `old` out if it is a full subtree."""
    if earlier == size:
        need(len(proof) == (old is None), "the proof of a checkpoint has the wrong length")
        return (old, old) if old is not None else (proof[0], proof[0])
    need(proof, "the proof of a checkpoint has the wrong length")
    left = 1 << ((size - 1).bit_length() - 1)
    if earlier <= left:
        before, now = roots_over(old, earlier, left, proof[:-1])
        return before, node(now, proof[-1])
    before, now = roots_over(None, earlier - left, size - left, proof[:-1])
    return node(proof[-1], before), node(proof[-1], now)


# 2. the signed checkpoints (C2SP signed-note, tlog-checkpoint and tlog-cosignature)
def signed(note: str, vkey: str, kind: bytes) -> tuple[str, int]:
    """Return the text of a note that a key signed, and a witness's time in seconds since 1970."""
    name, key_id, key_text = vkey.split("+", 2)
    key, (text, block) = unbase64(key_text), note.rsplit("\n\n", 1)
    expected_id = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
    lines = [line.split(" ") for line in block.removesuffix("\n").split("\n")]
    need(block.endswith("\n") and all(line[0] == "\u2014" for line in lines), "a signature line is not of the form")
    found = [unbase64(data) for _, signer, data in lines if signer == name]
    need(found, f"a checkpoint is signed by {lines[0][1]}, not by {name}")
    need(key[:1] == kind and expected_id.hex() == key_id and found[0][:4] == expected_id, "a key is damaged")
    time = int.from_bytes(found[0][4:-64], "big")
    cosigned = f"cosignature/v1\ntime {time}\n" if kind == b"\x04" else ""
    try:
        Ed25519PublicKey.from_public_bytes(key[1:]).verify(found[0][-64:], f"{cosigned}{text}\n".encode())
    except InvalidSignature:
        raise Wrong(f"the signature of {name} under a checkpoint is false") from None
    return text, time


def sightings(bundle: dict[str, Any], witnesses: list[str]) -> list[str]:
    """Return the last checkpoint that each witness saw, with the time by the witness's own clock."""
    lines = []
    for witness in witnesses:
        name = witness.split("+", 1)[0]
        notes = [one["note"] for one in bundle["checkpoints"] if f"\n\u2014 {name} " in one["note"]]
        need(notes, f"witness {name} cosigned no checkpoint in this file")
        text, time = signed(notes[-1], witness, b"\x04")
        at = datetime.fromtimestamp(time, timezone.utc)  # noqa: UP017 - Python 3.10 has no datetime.UTC
        lines.append(f"Witness {name} saw entries 1 to {text.splitlines()[1]} at {at:%Y-%m-%d %H:%M:%S} UTC.")
    return lines


def check_checkpoints(bundle: dict[str, Any], tournament: str) -> tuple[list[int], str | None]:
    """Check every checkpoint. Return the sizes after a 0, and the map's root if the map covers the whole tree."""
    tree, sizes, matches = bundle["tree"], [0], None
    for checkpoint in bundle["checkpoints"]:
        need(set(checkpoint) == {"note", "key", "consistency"}, "a checkpoint has other parts than it should")
        origin, number, root_text, *more = signed(checkpoint["note"], checkpoint["key"], b"\x01")[0].split("\n")
        size, root = int(number), unbase64(root_text)
        matches = more[-1].removeprefix("matches ") if more and more[-1].startswith("matches ") else None
        need(origin == f"matchledger/{tournament}", f"a checkpoint is about another log, {origin}")
        need(sizes[-1] < size <= tree["size"], "the checkpoints are not in order")
        roots = roots_over(root, size, tree["size"], [unbase64(text) for text in checkpoint["consistency"]])
        need(roots == (root, unbase64(tree["root"])), f"the tree does not go on from the checkpoint at {size}")
        sizes.append(size)
    return sizes, matches if sizes[-1] == tree["size"] else None


# 3. the stations: the person who recorded an entry
# The names of numbers, of yes or no, and of times in an entry, and the form in which stations write each of them.
NUMBERS = """absent after_round assignment blood_points born broken by byes byes_added byes_removed call cards
checkpoint confirms contradicts correction count cut decider declined derivation discard disputes division_cuts
division_rounds division_years entry faction favor first first_player flight flights flips fork games honor losses
matches minutes number places player players points position power previous rank registered request retracts reviews
rock_paper_scissors round rounds scores seeds size sizes supersedes table tables turn unopened winner"""
FLAGS = "advantageous announced chained deck_lists demanded final ok playoff roster signed tied undo untimed_final"
TIME = r'"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(?!\.000000)(\.\d{6})?(Z|(?![+-]00:00)[+-]\d\d:\d\d))?"'
FORMS = [(NUMBERS, r"-?\d+"), (FLAGS, "true|false"), ("at date day expires issued recorded_at sent", TIME)]
FORMS += [("ended received", rf"\d+|{TIME}"), ("tournament", r'"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"')]
MAPS, TEXTS = "division_cuts division_rounds division_years rounds sizes", "attributes details tiebreaks"
AUTHOR, TIMES = ("actor", "role", "station"), ("issued", "expires")
ORGANIZERS = "token-(key-(dis)?trusted|revoked)|plain-http-allowed|policy-changed|copy-merged|person-erased"


def is_plain(value: Any, name: str = "") -> bool:
    """Return whether JSON is written as stations write it. The number 5, for example, is not `"5"` or `5.0`."""
    if isinstance(value, dict) and name not in TEXTS.split():
        named = value if value.get("kind") != "structure-announced" else {**value, "size": value.get("prizes")}
        return all(is_plain(named[one], name if name in MAPS.split() else one) for one in named)
    if isinstance(value, list):
        return all(is_plain(one, name) for one in value)
    forms = [form for names, form in FORMS if name in names.split() and value is not None]
    return all(re.fullmatch(form, json.dumps(value)) for form in forms)


class Stations:
    """The stations that a log admits. The object reads stored entries in order, and says which entries count."""

    def __init__(self) -> None:
        self.keys: dict[str, bool] = {}  # for each of the organizer's keys: whether it demands tokens
        self.admitted: dict[str, dict[str, Any]] = {}
        self.revoked, self.seen, self.commands = set[str](), set[str](), set[str]()
        self.signing, self.chained, self.last = False, False, ""  # the command of the last signed entry

    def counts(self, topic: str, stored: bytes, before: bytes) -> bool:
        try:
            entry = json.loads(stored, object_pairs_hook=once)
            counts = not self.signing or self.is_genuine(topic, entry, stored, before)
        except (InvalidSignature, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return False
        if counts:
            self.commands |= {entry["command"]} if self.signing else set()
            self.take(entry["fact"])
        return counts

    def take(self, fact: dict[str, Any]) -> None:
        self.revoked |= {fact["token"]} if fact["kind"] == "token-revoked" else set()
        if fact["kind"] == "token-key-distrusted":
            self.keys.pop(fact["key"], None)
        elif fact["kind"] == "token-key-trusted":
            self.keys[fact["key"]] = fact["demanded"]
            self.signing |= fact.get("signed", False)
            self.chained |= fact.get("chained", False)

    def is_genuine(self, topic: str, entry: dict[str, Any], stored: bytes, before: bytes) -> bool:
        """Return whether an entry has the signature of its station, or needs no token and names none."""
        fact, token, signature = entry["fact"], entry.get("token"), entry.get("signature")
        need(topic == fact["kind"] and is_plain(entry), "not in the form that stations write")
        if token is None:
            is_call = fact["kind"] == "desk-called" and entry["role"] == "player"  # a call needs no token
            return isinstance(entry["command"], str) and (is_call or not any(self.keys.values()))
        if fact["kind"] == "token-admitted":
            self.admit(fact, entry["tournament"])
        station = self.admitted[token]
        text = re.sub(rb',"signature":"[A-Za-z0-9+/=]{88}"\}\Z', b"}", stored)
        text = re.sub(rb'(\{"tournament":"[0-9a-f-]{36}",)"position":[0-9]+,', rb"\1", text, count=1)
        key = Ed25519PublicKey.from_public_bytes(unbase64(station["key"], b"-_"))
        key.verify(unbase64(signature), b"matchledger/entry/1\n" + text)
        need(all(entry[name] == station[name] for name in AUTHOR) and token not in self.revoked, "not its station")
        need(not re.fullmatch(ORGANIZERS, topic) or entry["role"] == "organizer", "not an organizer")
        need(entry.get("after") == (before.hex() if self.chained else None), "signed for another place")
        need(entry["command"] == self.last or entry["command"] not in self.commands, "a repeated command")
        new, self.last = signature not in self.seen, entry["command"]
        self.seen.add(signature)
        return new

    def admit(self, fact: dict[str, Any], tournament: str) -> None:
        """Admit a station whose identity the organizer's key signed."""
        need(re.fullmatch(r"mlt2(\.[A-Za-z0-9_-]+){2}", fact["certificate"]), "a certificate is damaged")
        need(set(fact) == {"kind", "token", *AUTHOR, *TIMES, "certificate"}, "an admission has other parts")
        text, seal = fact["certificate"].rsplit(".", 1)
        said, signature = json.loads(unbase64(text.split(".")[1], b"-_")), unbase64(seal, b"-_")
        [key] = [vkey for vkey in self.keys if vkey.split("+", 2)[1] == signature[:4].hex()]
        Ed25519PublicKey.from_public_bytes(unbase64(key.split("+", 2)[2])[1:]).verify(signature[4:], text.encode())
        same = said["id"] == fact["token"] and all(said[name] == fact[name] for name in (*AUTHOR, *TIMES))
        need(same and said["tournament"] in (None, tournament) and said["role"] != "read-only", "a false station")
        self.admitted[said["id"]] = said


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len(dict(pairs)) == len(pairs), "a part of an entry stands twice")
    return dict(pairs)


# 4. the entries in plain words
def check_entries(bundle: dict[str, Any]) -> list[dict[str, Any]]:
    """Check that every entry of the file is in the tree. Return the entries in order."""
    tree, entries, last, stations = bundle["tree"], [], 0, Stations()
    for line in bundle["entries"]:
        before, *path = [unbase64(text) for text in line.pop("before", [""])]
        need(set(line) == {"position", "topic", "stored", "inclusion"}, "an entry has other parts than it should")
        position, stored = line["position"], unbase64(line["stored"])
        need(last < position <= tree["size"], "the entries are not in order")
        leaf = leaf_hash(position, line["topic"], stored)
        root = root_over(leaf, position - 1, tree["size"], [unbase64(text) for text in line["inclusion"]])
        need(root == unbase64(tree["root"]), f"entry {position} is not in the tree as it stands in this file")
        entry, last = json.loads(stored), position
        need(entry["position"] == position and entry["fact"]["kind"] == line["topic"], "an entry was moved")
        known = not before or root_over(before, position - 2, tree["size"], path) == unbase64(tree["root"])
        known = known and stations.counts(line["topic"], stored, before)
        need(known, f"entry {position} does not count: its author did not sign it")
        entries.append(entry)
    opening, tournaments = entries[0]["fact"]["kind"], {entry["tournament"] for entry in entries}
    need(opening == "tournament-opened" and len(tournaments) == 1, "these are not the entries of one tournament")
    return entries


def unseal(entries: list[dict[str, Any]], keys: dict[str, str]) -> None:
    """Decrypt the players' names in place, if they are encrypted. Each key opens the entries of one player."""
    used = set()
    for entry in (one for one in entries if "sealed" in one["fact"].get("person", {})):
        fact, person = entry["fact"], entry["fact"]["person"]
        number = fact.get("number", fact.get("player"))
        need(person["of"] == number, "a sealed name belongs to somebody else")
        fact["person"] = {"name": f"Player {number}"}
        if str(number) in keys:
            used.add(str(number))
            data, place = unbase64(person["sealed"]), f"{entry['tournament']}|{entry['position']}|{number}|person"
            try:
                plain = AESGCM(unbase64(keys[str(number)])).decrypt(data[:12], data[12:], place.encode())
            except InvalidTag:
                raise Wrong(f"the key to the name of player {number} does not fit") from None
            fact["person"] = json.loads(plain)
    need(used == set(keys), "a key is in the file that opens nothing")


def taken_back(entries: list[dict[str, Any]]) -> dict[int, int]:
    gone: dict[int, int] = {}
    for entry in reversed(entries):
        if entry["fact"]["kind"] == "entry-retracted" and entry["position"] not in gone:
            gone[entry["fact"]["retracts"]] = entry["position"]
    return gone


def check_match(match: dict[str, Any], entries: list[dict[str, Any]]) -> dict[int, str]:
    """Check that the match was paired, and that all results are about it. Return the players' names by number."""
    need(set(match) == {"stage", "round", "table", "players", "names"}, "the match has other parts than it should")
    seat = {"table": match["table"], "players": match["players"]}
    seated, names, gone = False, {}, taken_back(entries)
    for at, fact in ((entry["position"], entry["fact"]) for entry in entries):
        if "person" in fact:
            number, name = fact.get("number", fact.get("player")), fact["person"]["name"]
            need(number in match["players"], "somebody else's registration is in the file")
            names[number] = names.get(number, name) if at in gone else name
        of_the_round = (fact.get("stage"), fact.get("round")) == (match["stage"], match["round"])
        seated = seated or (of_the_round and seat in fact.get("tables", []) + fact.get("added", []))
        if fact["kind"] in RESULTS:
            same = (fact[name] == match[name] for name in ("stage", "round", "table", "players"))
            need(all(same), "a result of another match is in the file")
    need(seated, "nobody paired this match")
    names = {number: names.get(number, f"player {number}") for number in match["players"]}
    need(match["names"] == list(names.values()), "the names are not those of the players")
    return names


class Story:
    def __init__(self, entries: list[dict[str, Any]], players: list[int], names: dict[int, str]) -> None:
        self.entries, self.players, self.names = entries, players, names

    def outcome(self, slip: dict[str, Any]) -> str:
        scores = [] if slip["scores"] is None else ["{}-{}".format(*slip["scores"])]
        blood = [] if slip["blood_points"] is None else [f"{slip['blood_points']} blood points"]
        winner = "nobody" if slip["winner"] is None else self.names[slip["winner"]]
        games = [] if slip.get("games") is None else ["{}-{}-{}".format(*slip["games"]).removesuffix("-0")]
        told = [slip["kind"], *scores, *games, *blood, *self.times(slip), *self.judgment(slip.get("judgment"))]
        return f"{winner} won ({', '.join(told)})"

    def times(self, said: dict[str, Any]) -> list[str]:
        told = [("game ended", said.get("ended")), ("slip came", said.get("received"))]
        return [f"{what} {self.clock(when)}" for what, when in told if when is not None]

    def clock(self, at: Any) -> str:
        return f"{at // 60}:{at % 60:02d}" if isinstance(at, int) else re.sub(r"\.\d+", "", at).replace("T", " ")

    def judgment(self, values: dict[str, Any] | None) -> list[str]:
        if values is None:
            return []
        told = ["provinces {}-{}".format(*values["broken"]), "honor {}-{}".format(*values["honor"])]
        sides = [(what, values[what]) for what in ("favor", "decider") if values[what] is not None]
        return told + [f"{what} {'ab'[side]}" for what, side in sides]

    def seat(self, seatings: list[dict[str, Any]]) -> str:
        tables = [seating["table"] for seating in seatings if seating["players"] == self.players]
        return f", {' and '.join(self.names.values())} at table {tables[0]}" if tables else ""

    def said(self, fact: dict[str, Any]) -> str:
        """Return one fact in words. Each line of the dictionary is evaluated only for its own kind of fact."""
        where, name = f"{fact.get('stage')} round {fact.get('round')}", self.names.__getitem__
        how, times = "by hand" if fact.get("seed") is None else "by a draw", ", ".join(self.times(fact))
        words = {
            "tournament-opened": lambda: f"{fact['name']} is opened under {fact['rulebook']}",
            "player-registered": lambda: f"{name(fact['number'])} is registered as player {fact['number']}",
            "player-arrived-late": lambda: f"{name(fact['number'])} arrives late as player {fact['number']}",
            "round-paired": lambda: f"{where} is paired {how}{self.seat(fact['tables'])}",
            "pairing-amended": lambda: f"the pairing of {where} is amended{self.seat(fact['added'])}",
            "result-reported": lambda: f"the slip says that {self.outcome(fact['slip'])}",
            "result-corrected": lambda: f"entry {fact['supersedes']} was wrong, and {self.outcome(fact['slip'])}",
            "match-conceded": lambda: f"{name(fact['by'])} concedes" + (f" ({times})" if times else ""),
            "no-show-recorded": lambda: f"{' and '.join(map(name, fact['absent']))} did not appear",
            "player-dropped": lambda: f"{name(fact['player'])} drops ({fact['cause']})",
            "time-extended": lambda: f"table {fact['table']} is given {fact['minutes']} minutes more",
            "entry-retracted": lambda: f"entry {fact['retracts']} is taken back",
        }
        return words.get(fact["kind"], lambda: str(fact["kind"]).replace("-", " "))()

    def lines(self) -> list[str]:
        """Return each entry with recorder and time, the entries that no longer count, and the counting result."""
        gone = taken_back(self.entries)
        lines, results = [], [e for e in self.entries if e["fact"]["kind"] in RESULTS and e["position"] not in gone]
        for entry in self.entries:
            at, when, what = entry["position"], self.clock(entry["recorded_at"]), self.said(entry["fact"])
            line = f"Entry {at}, {when}, {entry['actor']} ({entry['role']}, {entry['station']}): {what}."
            line += f" Reason: {entry['reason']}." if entry["reason"] is not None else ""
            line += f" No longer counts: entry {gone[at]} took it back." if at in gone else ""
            line += f" Replaced by entry {results[-1]['position']}." if entry in results[:-1] else ""
            lines.append(line)
        counts = [f"What counts is entry {e['position']}: {self.said(e['fact'])}." for e in results[-1:]]
        return [*lines, *(counts or ["No result counts."])]


# 5. the whole log: which other entries concern the match
def tree_root(leaves: list[bytes]) -> bytes:
    left = (1 << (len(leaves) - 1).bit_length()) // 2
    return node(tree_root(leaves[:left]), tree_root(leaves[left:])) if left else leaves[0]


def check_log(bundle: dict[str, Any], entries: list[dict[str, Any]], text: str) -> tuple[int, list[int]]:
    """Check that the log has no further entries about the match. Return the log's size, and the forged entries."""
    tree, match = bundle["tree"], bundle["match"]
    rows = [json.loads(line) for line in text.splitlines()[1:]]
    leaves = [leaf_hash(row["position"], row["topic"], row["stored"].encode()) for row in rows]
    begins = len(rows) >= tree["size"] and tree_root(leaves[: tree["size"]]) == unbase64(tree["root"])
    need(begins, "the log that you gave is not the one that this file comes from")
    pairs, counts = zip(rows, [b"", *leaves], strict=False), Stations().counts
    forged = [row["position"] for row, leaf in pairs if not counts(row["topic"], row["stored"].encode(), leaf)]
    log = [json.loads(row["stored"]) for row in rows if row["position"] not in forged]
    order = [entry["position"] for entry in log] == [at for at in range(1, len(rows) + 1) if at not in forged]
    need(order, "the log that you gave is out of order")
    held, named = {entry["position"] for entry in entries}, any("person" in entry["fact"] for entry in entries)
    renamed = {e["position"] for e in log if "person" in e["fact"] and e["fact"].get("player") in match["players"]}
    missing = sorted({*about_match(match, log, held), *(renamed if named else ())} - held)
    need(not missing, f"the log that you gave has more about this match: entries {', '.join(map(str, missing))}")
    return len(rows), forged


def about_match(match: dict[str, Any], entries: list[dict[str, Any]], held: set[int]) -> list[int]:
    """Return the entries about a match, and the entries that refer to one of them or to one of `held`."""
    about, commands, players = set[int](), set[str](), match["players"]
    for entry in entries:
        at, fact = entry["position"], entry["fact"]
        refers = {fact.get("retracts"), fact.get("supersedes"), fact.get("correction")} & (about | held)
        left = fact["kind"] == "player-dropped" and fact["player"] in players and entry["command"] in commands
        if refers or left or concerns(match, fact):
            about.add(at)
            commands |= {entry["command"]} if fact["kind"] in RESULTS else set()
    return sorted(about)


def check_listing(bundle: dict[str, Any], entries: list[dict[str, Any]], matches: str | None) -> str:
    """Check that the file has every entry that the signed map lists for its match. Return a sentence about it."""
    match, size, listing = bundle["match"], bundle["tree"]["size"], bundle.get("listing")
    need(listing is not None or matches is None, "the proof that no entry about the match is missing was left out")
    if listing is None:
        return "This file leaves entries out. Only the whole log shows whether one of them changes this match."
    need(matches is not None, "no checkpoint signed a map of matches for this file")
    need(set(listing) == {"size", "index", "positions", "inclusion"}, "the listing has other parts than it should")
    positions, (first, second) = listing["positions"], match["players"]
    line = f"{match['stage']} {match['round']} {match['table']} {first} {second}: {' '.join(map(str, positions))}"
    leaf = hashlib.sha256(b"\x00" + line.encode()).digest()
    need(0 <= listing["index"] < listing["size"], "the listing is not in the map")
    root = root_over(leaf, listing["index"], listing["size"], [unbase64(text) for text in listing["inclusion"]])
    need(root == unbase64(matches or ""), "the listing of this match is not in the map that was signed")
    held, about = {entry["position"] for entry in entries}, about_match(match, entries, set())
    missing = ", ".join(str(at) for at in positions if at not in held)
    need(not missing, f"the file leaves out entries about this match: {missing}")
    need(about == positions, "the file has an entry about this match that does not count")
    return f"No entry about this match is missing up to entry {size}, as the signer of the checkpoint listed them."


def concerns(match: dict[str, Any], fact: dict[str, Any]) -> bool:
    """Return whether a fact paired the round, moved one of the players, or names the table."""
    if (fact.get("round"), fact.get("stage", "swiss")) != (match["round"], match["stage"]):
        return False
    if fact["kind"] == "pairing-amended":
        seats = fact["removed"] + fact["added"]
        moved = {one for seat in seats for one in seat["players"]} | {*fact["byes_removed"], *fact["byes_added"]}
        return bool(moved & set(match["players"])) or match["table"] in [seat["table"] for seat in seats]
    if fact["kind"] == "rematch-allowed":
        return set(fact["players"]) == set(match["players"])
    same = (fact.get("table"), fact.get("players")) == (match["table"], match["players"])
    return fact["kind"] == "round-paired" or same


# the whole file
def verify(text: str, vkeys: list[str], head: str | None, log: str | None, witnesses: list[str]) -> list[str]:
    """Return the lines to print for a valid bundle. Raises Wrong for an invalid bundle."""
    bundle = json.loads(text)
    need(json.dumps(bundle, indent=1) + "\n" == text, "the file was edited: it is not laid out as it was written")
    form, tree = bundle["format"], bundle["tree"]
    parts = {"format", "match", "explanation", "tree", "checkpoints", "entries"}
    known = {"matchledger-bundle/1": parts, "matchledger-bundle/2": parts | {"keys"}}
    known["matchledger-bundle/3"] = known["matchledger-bundle/4"] = parts | {"keys", "listing"}
    need(form in known, "this is not a bundle that this page can verify")
    need(set(bundle) == known[form] and set(tree) == {"size", "root"}, "parts are missing or were added")
    cosigned = any(one["note"].count("\n\u2014 ") > 1 for one in bundle["checkpoints"])
    need(cosigned == form.endswith("/4"), "cosignatures are missing or were added")
    entries = check_entries(bundle)
    unseal(entries, bundle.get("keys", {}))
    sizes, matches = check_checkpoints(bundle, entries[0]["tournament"])
    words = Story(entries, bundle["match"]["players"], check_match(bundle["match"], entries)).lines()
    need(bundle["explanation"] == words, "the explanation does not say what the entries say")
    keys = sorted({checkpoint["key"] for checkpoint in bundle["checkpoints"]})
    signers = ", ".join(keys) or "no key"
    need(not vkeys or (keys and set(keys) <= set(vkeys)), f"it is signed with {signers}, not with the key given")
    size, here = tree["size"], f"{tree['size']}:{unbase64(tree['root']).hex()}"
    need(head in (None, here), f"the tree head of this file is {here}, not the one given")
    covered = head or sizes[-1] == size
    need(covered, f"nobody signed for all of these entries: give a posted tree head, here {here}, as --head")
    total = f"Everything in this file holds: {len(entries)} of {size} entries, {len(sizes) - 1} checkpoints."
    listed = check_listing(bundle, entries, matches)
    limit = listed if len(entries) < size else "This file holds the whole log up to its tree head."
    if log is not None:
        known, forged = check_log(bundle, entries, log)
        limit = f"The log that you gave has {known} entries, and nothing more about this match."
        limit += f" Entries that do not count, written in another's name: {forged}." if forged else ""
    signed = [str(entry["position"]) for entry in entries if "signature" in entry]
    total += f" Stations signed entries {', '.join(signed)}." if signed else ""
    whose = "the key that you gave" if vkeys else "this key; make sure that it is the organizer's"
    signatures = [*(f"Signed with {key} ({whose})" for key in keys), *sightings(bundle, witnesses)]
    return [limit, "", *words, "", total, *signatures]


def main() -> int:
    parser = argparse.ArgumentParser(description="Verifies a dispute file of one match.")
    parser.add_argument("bundle", type=Path, help="the file to verify")
    parser.add_argument("--vkey", action="append", default=[], help="the organizer's key, NAME+ID+BASE64")
    parser.add_argument("--witness", action="append", default=[], help="the key of a witness, NAME+ID+BASE64")
    parser.add_argument("--head", help="a tree head from elsewhere, SIZE:ROOT, such as on posted standings")
    parser.add_argument("--log", type=Path, help="the whole log, from export: is there more about the match?")
    given = parser.parse_args()
    try:
        need(all(file.is_file() for file in (given.bundle, given.log) if file), "it is no file")
        log = None if given.log is None else given.log.read_bytes().decode()
        lines, code = verify(given.bundle.read_bytes().decode(), given.vkey, given.head, log, given.witness), 0
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        wrong = error if isinstance(error, Wrong) else f"it cannot be read as a bundle ({type(error).__name__})"
        lines, code = [f"DOES NOT HOLD: {wrong}."], 1
    print(*("".join(one if one.isprintable() else ascii(one)[1:-1] for one in line) for line in lines), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
