"""Erasure: remove a person's data, and certify the removal and the copies that no erasure reaches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from uuid import UUID

from msgspec import Struct

from matchledger.commands import privacy as decisions
from matchledger.commands.refusal import Refusal
from matchledger.events import (
    Entry,
    FileImported,
    NamesHandedOut,
    PairingsPosted,
    StandingsPosted,
    TournamentOpened,
)
from matchledger.ledger import Clerk, Ledger
from matchledger.ledger.sealing import sealed_for
from matchledger.proof.merkle import TreeHead
from matchledger_projections.message import Sentence, entries_listed, sentence
from matchledger_projections.record.erasures import Copy, copies
from matchledger_projections.record.record import Record
from matchledger_projections.stages.flights import PAIRED_BY

_PERSONAL = {"person", "deck", "difference", "finding"}


class Certificate(Struct, frozen=True):
    """The result of an erasure. The certificate has the player's number, but no name."""

    tournament: UUID
    event: str
    player: int
    shown_as: str
    entry: Entry
    sealed: tuple[int, ...]  # positions of the entries that no key can decrypt any more
    key_ring: str
    had_key: bool  # whether this key ring had the key. If not, a different ring has the key
    before: TreeHead
    after: TreeHead
    copies: tuple[tuple[int, datetime, str], ...]
    mentions: tuple[
        int, ...
    ]  # positions of the entries in an older log that have a roster's name columns unencrypted
    in_clear: tuple[str, ...]  # roster columns that an older log has unencrypted

    def lines(self) -> Iterator[str]:
        """Yield the lines of the certificate."""
        yield f"Certificate of erasure: player {self.player} of {self.event}"
        yield f"tournament {self.tournament}"
        yield ""
        what = "name, year of birth, contact, other columns of the roster and deck lists"
        yield f"Erased: the key to {what}, sealed in {entries_listed(self.sealed)}."
        yield f"The player is shown as {self.shown_as!r} from here on, at every moment of the log."
        by = f"{self.entry.actor} ({self.entry.role}, {self.entry.station})"
        yield f"Recorded as entry {self.entry.position}, {_time(self.entry.recorded_at)}, by {by}."
        yield f"Reason: {self.entry.reason}"
        if self.had_key:
            yield f"The key was written over in {self.key_ring}."
        else:
            yield f"The key was not in {self.key_ring}. Every holder of the key must destroy it."
            yield "Without it the name is not known here, and free text was not searched for it."
        yield f"Tree head before: {self.before}"
        yield f"Tree head after: {self.after}"
        yield "No stored entry was changed: the standings, the tree and every signed checkpoint hold as before."
        yield ""
        yield "Out of reach. Their holders must destroy them:"
        for position, at, what in self.copies:
            yield f"- {what} (entry {position}, {_time(at)})"
        if self.mentions:
            yield f"- free text in {entries_listed(self.mentions)}, which holds the name and stays in the log"
        if self.in_clear:
            yield f"- columns of the roster that an older log has unencrypted: {', '.join(self.in_clear)}"
        yield "- a mirror of the ledger: its copy of the key is written over when it is next brought up to date"
        yield "- what print and publish wrote, and pages in browsers: publish again, and destroy the paper"
        yield "- copies of the key ring: what migrate and keys merge wrote, and every copy made by hand"
        yield "- copies of a file with names that were made without this program"

    def document(self) -> dict[str, object]:
        """Return the certificate as JSON."""
        return {
            "tournament": str(self.tournament),
            "player": self.player,
            "shown_as": self.shown_as,
            "entry": self.entry.position,
            "recorded_at": self.entry.recorded_at.isoformat(),
            "reason": self.entry.reason,
            "sealed": list(self.sealed),
            "before": str(self.before),
            "after": str(self.after),
            "copies": [
                {"entry": position, "recorded_at": at.isoformat(), "what": what}
                for position, at, what in self.copies
            ],
            "mentions": list(self.mentions),
            "in_clear": list(self.in_clear),
        }


def erase(
    ledger: Ledger, tournament: UUID, player: int, *, clerk: Clerk, reason: str | None, command: str | None = None
) -> Certificate:
    """Record the erasure of a player's data, and then destroy the player's key.

    Raises Refusal.

    If the key cannot be destroyed at once, the next reading of the log destroys the key.
    """
    name = _names(*ledger.record(tournament).names_of(player))
    if name.search(f"{reason or ''}\n{command or ''}"):
        raise Refusal(sentence("the reason or the command id names the player, and would stay in the log"))
    sealed = tuple(
        row.position for row in ledger.recorder.entry_rows(tournament) if player in sealed_for(row.topic, row.state)
    )
    mentions = _mentions(ledger.entries(tournament), name)
    had_key = ledger.ring.key(tournament, player) is not None
    [entry] = ledger.decide(
        tournament,
        partial(decisions.erase, player=player, reason=reason),
        clerk=clerk,
        command=command,
        reason=reason,
    )
    record = ledger.record(tournament)
    return Certificate(
        tournament=tournament,
        event=record.name,
        player=player,
        shown_as=record.players[player].name,
        entry=entry,
        sealed=sealed,
        key_ring="memory" if ledger.ring.path is None else ledger.ring.path.name,
        had_key=had_key,
        before=ledger.head(tournament, entry.position - 1),
        after=ledger.head(tournament, entry.position),
        copies=tuple(_copies(ledger, record, player)),
        mentions=mentions,
        in_clear=tuple(name for name in record.players[player].attributes if name not in PAIRED_BY),
    )


def names_in_clear(record: Record, entries: Iterable[Entry]) -> list[int]:
    """Return the players whose names are in the free text of some entries, which no erasure can change."""
    texts = "\n".join(text for entry in entries for text in _free_text(entry)).casefold()
    if not texts:
        return []
    names = {player.number: record.names_of(player.number) for player in record.entered()}
    likely = [player for player, known in names.items() if any(name.casefold() in texts for name in known)]
    return [player for player in likely if _names(*names[player]).search(texts)]


def names_left(record: Record, entries: Sequence[Entry]) -> list[Sentence]:
    """Return a line for each player whose name was just written into free text, because no erasure removes it.

    The list is empty if the tournament does not encrypt names.
    """
    if record.opening is None or not record.opening.sealed:
        return []
    return [
        sentence(
            "entry %(entry)s contains the name %(player)s, and no erasure can remove it: write #%(number)s instead",
            entry=entries[0].position,
            player=record.players[number].name,
            number=number,
        )
        for number in names_in_clear(record, entries)
    ]


_WORDS = ("note", "question", "outcome", "source")
_MADE = re.compile(r"[0-9a-f-]{36}(/[0-9]+of[0-9]+)?")  # an id of a command that nobody typed


def _free_text(entry: Entry) -> Iterator[str]:
    command = None if _MADE.fullmatch(entry.command) else entry.command
    words = (entry.reason, command, *(getattr(entry.fact, name, None) for name in _WORDS))
    return (text for text in words if isinstance(text, str))


def _names(*names: str) -> re.Pattern[str]:
    """Return a search pattern that finds any of some names in a text. A name of one letter is left out, because it
    would match almost any text.
    """
    known = "|".join(re.escape(name) for name in names if len(name) > 1)
    return re.compile(rf"(?<!\w)(?:{known})(?!\w)" if known else r"(?!)", re.IGNORECASE)


def _mentions(entries: Iterator[Entry], name: re.Pattern[str]) -> tuple[int, ...]:
    """Return the positions of the entries whose free text contains a name."""
    mentions: list[int] = []
    for entry in entries:
        fact = entry.fact
        if not isinstance(fact, TournamentOpened):
            text = entry.model_dump_json(include={"actor", "station", "command", "reason"}) + fact.model_dump_json(
                exclude=_PERSONAL
            )
            if name.search(text):
                mentions.append(entry.position)
    return tuple(mentions)


def _copies(ledger: Ledger, record: Record, player: int) -> Iterator[tuple[int, datetime, str]]:
    assert record.tournament is not None  # noqa: S101 - a record with players has entries
    for position, fact in copies(record, player):
        yield position, ledger.entry(record.tournament, position).recorded_at, _what(fact)


def _what(fact: Copy) -> str:
    match fact:
        case NamesHandedOut():
            return f"{fact.form} with names, {fact.to}"
        case FileImported():
            return f"the file that was imported, {fact.name}"
        case StandingsPosted():
            return f"paper: standings posted after round {fact.round}"
        case PairingsPosted():
            stage = "elimination round" if fact.stage == "elimination" else "round"
            return f"paper: pairings of {stage} {fact.round}"


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S %Z")
