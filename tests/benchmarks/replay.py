"""The time and the memory from a log file to standings, and the time for a past moment."""

from __future__ import annotations

import gc
import json
import sqlite3
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from tests.benchmarks.events import SECRET, TOURNAMENT, Played
from tests.benchmarks.measuring import markdown, ratio, seconds_in_turns, shown

from matchledger.events import AnyFact, Entry, RoundPaired, TokenKeyTrusted, TournamentOpened
from matchledger.ledger import Clerk, Draft, Ledger, open_ledger
from matchledger.ledger.mapper import decode
from matchledger.ledger.verification import verify
from matchledger.proof import authorship
from matchledger.proof.keys import SigningKey
from matchledger.proof.merkle import leaf_hash
from matchledger.proof.station_token import StationToken, issue
from matchledger_projections.record.record import Record
from matchledger_projections.standings.standings import standings

TOGETHER = 10_000  # the facts of a station that one transaction records


def large_log(entries: int, rounds: int) -> list[Entry]:
    """Return a log of about this many entries: players, and rounds of results."""
    players = round(entries / (1 + rounds / 2) / 2) * 2
    played = Played("l5r-2018", players, keep=True)
    played.play(rounds)
    return played.entries


def kept(entries: list[Entry], file: Path, *, sealed: bool) -> Path:
    """Return a ledger with this log, whose names are encrypted or unencrypted."""
    with open_ledger(file, create=True) as ledger:
        _keep(ledger, entries, sealed=sealed)
    return file


def _keep(ledger: Ledger, entries: list[Entry], *, sealed: bool) -> None:
    opening, *others = entries
    assert isinstance(opening.fact, TournamentOpened)
    draft = Draft(TOURNAMENT)
    opening = opening.model_copy(update={"fact": opening.fact.model_copy(update={"sealed": sealed})})
    draft.record.apply(opening)
    draft.entries = [opening, *others]
    ledger.keep(draft, secret=SECRET)


def signed(entries: list[Entry], file: Path) -> tuple[Path, StationToken]:
    """Return a ledger with the facts of this log, recorded and signed by one station, and the station's token.
    Names are encrypted.
    """
    key, now = SigningKey.generate("desk.example"), datetime.now(UTC)
    trust = TokenKeyTrusted(key=str(key.verification), demanded=True, signed=True, chained=True)
    token = StationToken(
        role="organizer",
        actor="organizer",
        station="desk",
        issued=now,
        not_before=now,
        expires=now + timedelta(days=1),
    )
    opening, *others = entries
    with open_ledger(file, create=True) as ledger:
        _keep(ledger, [opening, opening.model_copy(update={"position": 2, "fact": trust})], sealed=True)
        clerk = ledger.admit(TOURNAMENT, issue(key, token))
        for begin in range(0, len(others), TOGETHER):
            _record(ledger, [entry.fact for entry in others[begin : begin + TOGETHER]], clerk)
    assert clerk.token is not None
    return file, clerk.token


def _record(ledger: Ledger, facts: list[AnyFact], clerk: Clerk) -> None:
    ledger.decide(TOURNAMENT, lambda _: facts, clerk=clerk)


def rows_decoded(file: Path) -> int:
    """Read the rows of the ledger from the file, and only decode their JSON."""
    with closing(sqlite3.connect(file)) as connection:
        query = "SELECT state FROM stored_events WHERE originator_id = ? ORDER BY originator_version"
        return sum(1 for (state,) in connection.execute(query, (TOURNAMENT.hex,)) if json.loads(state))


def rows_hashed(file: Path, token: StationToken | None = None) -> None:
    """Do what verify cannot avoid: hash every row, decode its entry, and check its signature."""
    with open_ledger(file) as ledger:
        for row in ledger.recorder.entry_rows(TOURNAMENT):
            leaf_hash(*row)
            decode(TOURNAMENT, *row, ledger.ring)
            assert token is None or _is_authentic(row.state, token)


def _is_authentic(state: bytes, token: StationToken) -> bool:
    """Return whether the station of a token signed an entry. The first entries have no signature."""
    signature = authorship.signature_of(state)
    text = authorship.signed_text(authorship.without_signature(state))
    return signature is None or token.verifies(text, signature)


def verified(file: Path) -> None:
    """Do everything that verify does, without a cache."""
    with open_ledger(file) as ledger:
        _without_cache(ledger)
        assert not verify(ledger, TOURNAMENT)


def replayed(file: Path) -> object:
    """Compute standings from a closed file, from the log alone."""
    with open_ledger(file) as ledger:
        return standings(_folded(ledger)).rows


def _folded(ledger: Ledger) -> Record:
    """Read and fold the whole log again, without a cache."""
    _without_cache(ledger)
    # This record does not come from a cache, and from here on the ledger writes no cache.
    assert ledger.cached_record(TOURNAMENT) is None
    return ledger.record(TOURNAMENT)


def opened(file: Path, *, again: bool) -> object:
    """Open a closed file and get its record: for the first time, while writing a cache, or from the cache."""
    with open_ledger(file) as ledger:
        if not again:
            _without_cache(ledger)
        return ledger.record(TOURNAMENT)


def _without_cache(ledger: Ledger) -> None:
    if ledger.cache is not None:
        ledger.cache.file.unlink(missing_ok=True)


def moments(file: Path, entries: int, rounds: int) -> Iterator[str]:
    """Measure replay, memory, past moments, and reopening."""
    log = large_log(entries, rounds)
    count = len(log)
    position = next(
        entry.position for entry in log if isinstance(entry.fact, RoundPaired) and entry.fact.round == 6
    )
    kept(log, file, sealed=True)
    clear = kept(log, file.with_suffix(".clear"), sealed=False)
    authentic, token = signed(log, file.with_suffix(".signed"))
    del log
    with open_ledger(file) as ledger:
        record = ledger.record(TOURNAMENT)
        decoded, replay, decoded_in_clear, replay_in_clear, first, again, corrected, known = seconds_in_turns(
            *(partial(action, place) for place in (file, clear) for action in (rows_decoded, replayed)),
            *(partial(opened, file, again=again) for again in (False, True)),
            partial(standings, record, 5),
            lambda: standings(ledger.record_as_of(TOURNAMENT, position - 1)).rows,
        )
    hashed, checked = seconds_in_turns(partial(rows_hashed, file), partial(verified, file), runs=5)
    hashed_signed, checked_signed = seconds_in_turns(
        partial(rows_hashed, authentic, token), partial(verified, authentic), runs=3
    )
    rows = [
        ["reading the rows and decoding their JSON", shown(decoded), ratio(decoded, replay)],
        ["replay from the file to standings", shown(replay), "1.0"],
        ["the same log with unencrypted names", shown(replay_in_clear), ratio(replay_in_clear, replay)],
        ["first opening: a replay that writes a cache", shown(first), f"{first / replay:.3f}"],
        ["later opening, from the cache", shown(again), f"{again / replay:.3f}"],
        ["round 5 as corrected, in an open ledger", shown(corrected), f"{corrected / replay:.3f}"],
        ["round 5 as known, in an open ledger", shown(known), f"{known / replay:.3f}"],
    ]
    yield markdown([f"{count:,} entries", "time", "part of a replay"], rows)
    yield (
        "\nNames are sealed, as by default. A replay takes "
        f"{replay / decoded:.2f} times as long as reading and decoding the same rows,\nand with unencrypted names "
        f"{replay_in_clear / decoded_in_clear:.2f} times as long. "
        f"Sealing adds {replay / replay_in_clear - 1:.0%}.\n"
        f"Verify takes {shown(checked)}, {checked / hashed:.2f} times as long as hashing and decoding each row "
        f"({shown(hashed)}).\n"
        f"If a station signed the entries, verify takes {shown(checked_signed)}, "
        f"{checked_signed / hashed_signed:.2f} times as long as\nhashing and decoding each row and checking its "
        f"signature ({shown(hashed_signed)}).\n"
    )
    record_bytes, peak = _memory(file)
    yield (
        f"The record of this log takes {record_bytes / 2**20:.1f} MiB of memory. "
        f"Making it takes {peak / 2**20:.1f} MiB at the peak, {(peak - record_bytes) / 2**20:.1f} MiB more.\n"
    )


def _memory(file: Path) -> tuple[int, int]:
    """Return the memory of the record, and the highest memory while it was made, in bytes."""
    with open_ledger(file) as ledger:
        ledger.head(TOURNAMENT)
        gc.collect()
        tracemalloc.start()
        record = _folded(ledger)
        current, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert record.position
    return current, peak
