"""Testimony: each entry about one match in plain words, with its recorder and the entry that it replaced.

The words of the testimony are part of a bundle's format. `docs/verify.py` derives the words again from the stored
entries with its own code, and refuses a bundle with different words. If the words of the testimony change,
`dispute_file.FORMAT` must change too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from matchledger.events import (
    AnyFact,
    Entry,
    EntryRetracted,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PersonCorrected,
    PlayerArrivedLate,
    PlayerDropped,
    PlayerRegistered,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    Seating,
    Slip,
    TimeExtended,
    TournamentOpened,
)
from matchledger_projections.rulebook.games import games_text

Names = Mapping[int, str]
Result = ResultReported | MatchConceded | NoShowRecorded | ResultCorrected


def names_in(entries: Sequence[Entry]) -> dict[int, str]:
    """Return the names in the entries. A player whose registration is not in the file has a number instead of a
    name.
    """
    gone = _taken_back(entries)
    names: dict[int, str] = {}
    for entry in entries:
        match entry.fact:
            case PlayerRegistered(number=player, person=person) | PlayerArrivedLate(number=player, person=person):
                names[player] = person.name
            case PersonCorrected(player=player, person=person) if entry.position not in gone:
                names[player] = person.name
    return names


def name_of(names: Names, player: int) -> str:
    return names.get(player, f"player {player}")


def testimony(players: tuple[int, int], entries: Sequence[Entry], names: Names) -> list[str]:
    """Return a line for each entry in order, and a last line about the result that counts."""
    gone = _taken_back(entries)
    counts = None
    for entry in entries:
        if isinstance(entry.fact, Result) and entry.position not in gone:
            counts = entry
    lines = [_line(entry, players, names, gone, counts) for entry in entries]
    if counts is None:
        return [*lines, "No result counts."]
    return [*lines, f"What counts is entry {counts.position}: {_said(counts.fact, players, names)}."]


def _taken_back(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the positions of the entries that no longer count, each with the position of its retraction.

    Later retractions are considered first, because they may retract earlier retractions.
    """
    gone: dict[int, int] = {}
    for entry in reversed(entries):
        if isinstance(entry.fact, EntryRetracted) and entry.position not in gone:
            gone[entry.fact.retracts] = entry.position
    return gone


def _line(
    entry: Entry, players: tuple[int, int], names: Names, gone: Mapping[int, int], counts: Entry | None
) -> str:
    recorded = re.sub(r"\.\d+", "", entry.model_dump(mode="json", include={"recorded_at"})["recorded_at"])
    line = (
        f"Entry {entry.position}, {recorded.replace('T', ' ')}, {entry.actor} ({entry.role}, {entry.station}): "
        f"{_said(entry.fact, players, names)}."
    )
    if entry.reason is not None:
        line += f" Reason: {entry.reason}."
    if entry.position in gone:
        return f"{line} No longer counts: entry {gone[entry.position]} took it back."
    if isinstance(entry.fact, Result) and counts is not None and entry.position != counts.position:
        return f"{line} Replaced by entry {counts.position}."
    return line


def _said(fact: AnyFact, players: tuple[int, int], names: Names) -> str:
    if isinstance(fact, Result):
        return _said_of_result(fact, names)
    match fact:
        case TournamentOpened():
            said = f"{fact.name} is opened under {fact.rulebook}"
        case PlayerRegistered():
            said = f"{name_of(names, fact.number)} is registered as player {fact.number}"
        case PlayerArrivedLate():
            said = f"{name_of(names, fact.number)} arrives late as player {fact.number}"
        case RoundPaired():
            how = "by hand" if fact.seed is None else "by a draw"
            said = f"{fact.stage} round {fact.round} is paired {how}{_seat(fact.tables, players, names)}"
        case PairingAmended():
            said = f"the pairing of {fact.stage} round {fact.round} is amended{_seat(fact.added, players, names)}"
        case PlayerDropped():
            said = f"{name_of(names, fact.player)} drops ({fact.cause})"
        case TimeExtended():
            said = f"table {fact.table} is given {fact.minutes} minutes more"
        case EntryRetracted():
            said = f"entry {fact.retracts} is taken back"
        case _:
            said = fact.kind.replace("-", " ")
    return said


def _said_of_result(fact: Result, names: Names) -> str:
    match fact:
        case ResultReported():
            return f"the slip says that {_outcome(fact.slip, names)}"
        case ResultCorrected():
            return f"entry {fact.supersedes} was wrong, and {_outcome(fact.slip, names)}"
        case MatchConceded():
            told = ", ".join(_times(fact))
            return f"{name_of(names, fact.by)} concedes{f' ({told})' if told else ''}"
        case NoShowRecorded():
            return f"{' and '.join(name_of(names, player) for player in fact.absent)} did not appear"


def _seat(seatings: Sequence[Seating], players: tuple[int, int], names: Names) -> str:
    table = next((seating.table for seating in seatings if seating.players == players), None)
    return (
        "" if table is None else f", {' and '.join(name_of(names, player) for player in players)} at table {table}"
    )


def _outcome(slip: Slip, names: Names) -> str:
    who = "nobody" if slip.winner is None else name_of(names, slip.winner)
    return f"{who} won ({', '.join(_details(slip))})"


def _details(slip: Slip) -> Iterator[str]:
    yield slip.kind
    if slip.scores is not None:
        yield f"{slip.scores[0]}-{slip.scores[1]}"
    if slip.games is not None:
        yield games_text(slip.games)
    if slip.blood_points is not None:
        yield f"{slip.blood_points} blood points"
    yield from _times(slip)
    if (judgment := slip.judgment) is not None:
        yield "provinces {}-{}".format(*judgment.broken)
        yield "honor {}-{}".format(*judgment.honor)
        for what, side in (("favor", judgment.favor), ("decider", judgment.decider)):
            if side is not None:
                yield f"{what} {'ab'[side]}"


def _times(said: Slip | MatchConceded) -> Iterator[str]:
    """Yield the noted times of the game's end and of the slip: on the round's clock, or as moments."""
    written = said.model_dump(mode="json", include={"ended", "received"})
    for name, what in (("ended", "game ended"), ("received", "slip came")):
        when = written[name]
        if isinstance(when, int):
            yield f"{what} {when // 60}:{when % 60:02d}"
        elif when is not None:
            yield f"{what} {re.sub(r'[.][0-9]+', '', when).replace('T', ' ')}"
