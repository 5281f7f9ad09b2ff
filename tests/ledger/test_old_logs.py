"""Old logs stay readable for ever. The project keeps a log of every release, and replays it to the tables of that
time.

`pytest tests/ledger/test_old_logs.py --refresh-golden` writes the log of a new release, and changes no old log.
"""

from __future__ import annotations

import json
import sqlite3
import tomllib
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from freezegun import freeze_time
from tests.documents import standings_document
from tests.event import SECRET

from matchledger.commands import results as slips
from matchledger.events import (
    KINDS,
    AnyFact,
    ByesAwarded,
    CardIncident,
    CheckedIn,
    CheckpointCosigned,
    CheckpointSigned,
    CopiedEntry,
    CopyMerged,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    DivisionChanged,
    DivisionsDecided,
    DropAsked,
    Entry,
    EventDescribed,
    FlightJoined,
    FlightsDrawn,
    JudgeCalled,
    LinkRenewed,
    NamesHandedOut,
    NewsPosted,
    OverviewFiled,
    PairingsPosted,
    PenaltyGiven,
    Person,
    PersonCorrected,
    PersonErased,
    PhonesAllowed,
    PlainHttpAllowed,
    PolicyChanged,
    QualifierReplaced,
    RepairChosen,
    RequestAnswered,
    ResultClaimed,
    RulingGiven,
    Seating,
    Slip,
    StaffAssigned,
    StaffDutyChanged,
    StructureAnnounced,
    TableFixed,
    TablesNumbered,
    TokenAdmitted,
    TokenKeyDistrusted,
    TokenKeyTrusted,
    TokenRevoked,
)
from matchledger.evidence.migration import copy_ledger
from matchledger.ledger import Clerk, Ledger, Tree, open_ledger, sign_checkpoint, verify
from matchledger.proof.checkpoint import SignedNote, origin_of
from matchledger.proof.keys import SigningKey
from matchledger_projections.pairing.footing import seeds_of
from matchledger_projections.record.chance import flights_purpose
from matchledger_projections.record.record import Record
from matchledger_projections.stages.flights import draw_flights
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.tables import pairings_of

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "fixtures" / "logs"
KEPT = sorted(path.name.removesuffix(".ledger-sql") for path in LOGS.glob("*.ledger-sql"))
FOUNDATION = {
    "tournament-opened",
    "file-imported",
    "player-registered",
    "player-arrived-late",
    "player-dropped",
    "player-rejoined",
    "player-disqualified",
    "rematch-allowed",
    "round-paired",
    "round-started",
    "pairing-amended",
    "result-reported",
    "match-conceded",
    "no-show-recorded",
    "result-corrected",
    "entry-retracted",
    "tie-resolved",
    "standings-posted",
    "cut-made",
    "tournament-closed",
}


def replayed(record: Record) -> dict[str, Any]:
    """Return a log's tables round by round. The tables must never change."""
    tables = [standings_document(record, number) for number in range(record.finished_rounds + 1)]
    return {
        "standings": [
            {"round": table["round"], "rows": [_row(row) for row in table["standings"]]} for table in tables
        ],
        "pairings": [
            {"round": round_.number, "stage": round_.stage, **_seats(record, round_.number, round_.stage)}
            for round_ in [*record.rounds("swiss"), *record.rounds("elimination")]
        ],
        "positions": record.position,
    }


def _row(row: dict[str, Any]) -> list[Any]:
    return [row["rank"], row["player"], row["points"], row["status"], row["tied"], row["tiebreaks"]]


def _seats(record: Record, number: int, stage: str) -> dict[str, Any]:
    round_ = record.round(number, "elimination" if stage == "elimination" else "swiss")
    assert round_ is not None
    sight = Sight.of(record)
    document = sight.document(pairings_of(sight, round_))
    return {
        "seed": document["seed"],
        "tables": [[table["table"], table["players"], _then(table["result"])] for table in document["pairings"]],
        "byes": document["byes"],
    }


def _then(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a result with the keys of that time, because slips had no games then."""
    if result is None:
        return None
    assert result["games"] is None
    return {key: value for key, value in result.items() if key != "games"}


def restored(release: str, path: Path, place: str) -> None:
    """Restore the ledger of a release from its SQL text. For a database, then copy the ledger as `migrate` does."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((LOGS / f"{release}.ledger-sql").read_text("utf-8"))
    if place != str(path):
        with open_ledger(path) as file, open_ledger(place, create=True) as database:
            list(copy_ledger(file, database))


def kinds(ledger: Ledger, tournament: UUID) -> set[str]:
    return {entry.fact.kind for entry in ledger.entries(tournament)}


def test_the_kept_log_of_a_release_has_every_fact_of_a_tournament(
    play_everything: Callable[[Ledger], UUID],
) -> None:
    with open_ledger(":memory:") as ledger:
        assert kinds(ledger, play_everything(ledger)) >= FOUNDATION


def test_a_log_of_this_release_is_kept(
    request: pytest.FixtureRequest, path: Path, play_everything: Callable[[Ledger], UUID]
) -> None:
    release = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    kept = LOGS / f"{release}.ledger-sql"
    if request.config.getoption("--refresh-golden", default=False) and not kept.exists():
        write_log(path, kept, play_everything)
    assert kept.exists(), f"keep a log of release {release}: run this test once with --refresh-golden"


def write_log(path: Path, kept: Path, play: Callable[[Ledger], UUID]) -> None:
    with freeze_time("2026-05-03 09:00:00", auto_tick_seconds=17), open_ledger(path, create=True) as ledger:
        play(ledger)
    with closing(sqlite3.connect(path)) as connection:
        kept.write_text("\n".join(connection.iterdump()) + "\n", "utf-8")
    # The log was restored without the keys to the names.
    restored(kept.stem, again := path.with_name("again.ledger"), str(again))
    with open_ledger(again) as ledger:
        [tournament] = ledger.tournaments()
        table = replayed(ledger.record(tournament)) | {"head": str(ledger.head(tournament))}
    kept.with_suffix(".json").write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", "utf-8")


# Facts that no command of the played event records. These facts come after the last round, so no pairing depends on
# them.
_CARDS = "0" * 64
OTHERS: tuple[AnyFact, ...] = (
    DivisionsDecided(mode="none", sizes={"": 7}),
    DivisionChanged(player=6, division="senior"),
    FlightJoined(player=7, flight=1),
    StructureAnnounced(style="swiss-with-cut", structure="custom", rounds=3, cut=2),
    QualifierReplaced(player=6, by=5),
    RepairChosen(round=2, choice="leave", correction=20),
    PairingsPosted(round=1, tables=(Seating(table=1, players=(1, 2)),)),
    PersonCorrected(player=6, person=Person(name="Faye", born=1999)),
    DeckSubmitted(player=1, sha256=_CARDS),
    DeckAmended(player=1, leader="Mo", sha256=_CARDS),
    DeckChecked(player=1, rule="L5R-II.2b-LIST", ok=True, sha256=_CARDS),
    PenaltyGiven(player=1, penalty="warning", offence="unsporting"),
    RulingGiven(question="May I?", outcome="Yes", judge="Mo"),
    CardIncident(player=1, card="Banzai", what="lost", leader="Mo"),
    StaffAssigned(name="Mo", role="marshal", announced=True),
    StaffDutyChanged(assignment=30, duty="left"),
    TokenKeyTrusted(key="org+12345678+ARTL"),
    TokenAdmitted(
        token="0123456789ab",  # noqa: S106 - the id of one, which is no secret
        actor="Mo",
        role="judge",
        station="south",
        issued=datetime(2026, 5, 3, tzinfo=UTC),
        expires=datetime(2026, 5, 4, tzinfo=UTC),
    ),
    TokenRevoked(token="0123456789ab"),  # noqa: S106 - the same
    TokenKeyDistrusted(key="org+12345678+ARTL"),
    PlainHttpAllowed(),
    NamesHandedOut(form="export", to="event.jsonl"),
    PersonErased(player=5),
    OverviewFiled(sent=date(2026, 5, 3), cards=7),
    TableFixed(player=1, table=9),
    TablesNumbered(division="senior", first=20),
    ByesAwarded(player=6, rounds=1),
    PolicyChanged(flag="POL-ALL-REPAIR", value="never"),
    PhonesAllowed(may=("report",)),
    LinkRenewed(player=1),
    ResultClaimed(round=1, table=1, players=(1, 2), by=1, slip=Slip(kind="win", winner=1)),
    JudgeCalled(round=1, table=1, players=(1, 2), by=1),
    DropAsked(player=1),
    CheckedIn(player=1),
    RequestAnswered(request=40),
    EventDescribed(venue="Hall 3"),
    NewsPosted(text="Lunch"),
)


def _merged(tournament: UUID, ledger: Ledger) -> CopyMerged:
    """Return a copy that has the opening of this log and one entry of its own."""
    [first] = ledger.recorder.entry_rows(tournament, through=1)
    [second] = ledger.recorder.entry_rows(tournament, after=1, through=2)
    head = Tree([first, second]).head
    copied = CopiedEntry(topic=second.topic, state=second.state.decode())
    return CopyMerged(
        source="south.ledger",
        origin=origin_of(tournament),
        fork=1,
        size=head.size,
        root=head.root.hex(),
        entries=(copied,),
    )


def _cosigned(signed: Entry) -> CheckpointCosigned:
    """Return a witness's cosignature under a checkpoint."""
    assert isinstance(signed.fact, CheckpointSigned)
    key, text = SigningKey.generate("witness"), SignedNote.parse(signed.fact.note).text
    line = key.cosign(text, int(signed.recorded_at.timestamp())).strip()
    return CheckpointCosigned(checkpoint=signed.position, key=str(key.of_witness), line=line)


def _given(fact: AnyFact, _: Record) -> list[AnyFact]:
    return [fact]


def _senior_flights(record: Record) -> list[AnyFact]:
    seed = seeds_of(record, 1, SECRET)(flights_purpose("senior", 2, [1, 2, 3]))
    return [FlightsDrawn(division="senior", flights=draw_flights([1, 2, 3], [1, 2], seed), seed=seed.hex())]


@pytest.mark.finding("A-12")
def test_every_kind_of_fact_is_in_a_kept_log(
    request: pytest.FixtureRequest, tmp_path: Path, play_everything: Callable[..., UUID]
) -> None:
    """For a new kind of fact, write a log that contains the kind: pass --refresh-golden."""

    def more(ledger: Ledger, tournament: UUID) -> None:
        organizer = Clerk(role="organizer")
        ledger.decide(tournament, _senior_flights, clerk=organizer)
        for fact in OTHERS:
            ledger.decide(tournament, partial(_given, fact), clerk=organizer)
        ledger.decide(tournament, partial(_given, _merged(tournament, ledger)), clerk=organizer)
        signed = sign_checkpoint(ledger, tournament, SigningKey.generate("organizer"), clerk=organizer)
        ledger.decide(tournament, partial(_given, _cosigned(signed)), clerk=organizer)

    found: set[str] = set()
    for number, release in enumerate(KEPT):
        restored(release, ledger := tmp_path / f"{number}.ledger", str(ledger))
        with open_ledger(ledger) as kept:
            found |= kinds(kept, kept.tournaments()[0])
    missing = KINDS.keys() - found
    if missing and request.config.getoption("--refresh-golden", default=False):
        play = partial(play_everything, derivation=2, more=more)
        write_log(tmp_path / "new.ledger", LOGS / f"every-kind-{len(KEPT)}.ledger-sql", play)
    assert missing == set()


@pytest.mark.parametrize("release", KEPT)
def test_an_old_log_still_gives_the_standings_of_its_time(release: str, path: Path, place: str) -> None:
    restored(release, path, place)
    expected = json.loads((LOGS / f"{release}.json").read_text("utf-8"))
    head = expected.pop("head")
    with open_ledger(place) as ledger:
        [tournament] = ledger.tournaments()
        assert str(ledger.head(tournament)) == head
        assert verify(ledger, tournament, known=ledger.head(tournament)) == []
        assert replayed(ledger.record(tournament)) == expected


@pytest.mark.parametrize("release", KEPT)
def test_an_old_log_can_be_continued(release: str, path: Path, place: str) -> None:
    restored(release, path, place)
    with open_ledger(place) as ledger:
        [tournament] = ledger.tournaments()
        closing_entry = ledger.entry(tournament, ledger.head(tournament).size)
        ledger.decide(tournament, partial(slips.retract, entry=closing_entry), clerk=Clerk())
        assert ledger.record(tournament).closing is None
        assert verify(ledger, tournament) == []
