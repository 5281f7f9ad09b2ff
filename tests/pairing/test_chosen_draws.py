"""No one can choose a draw: which inputs it has, who could have chosen them, and how a forgery is found."""

from __future__ import annotations

import hashlib
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
from freezegun import freeze_time
from tests.desk import RunCli, Said
from tests.event import SECRET, DraftedEvent

from matchledger.commands import results
from matchledger.commands.swiss import pair_round
from matchledger.events import (
    AnyFact,
    BeaconNamed,
    BeaconRead,
    BracketDrawn,
    CheckpointCosigned,
    CheckpointSigned,
    CutMade,
    DivisionsDecided,
    DrawBasisFixed,
    EntryRetracted,
    FlightsDrawn,
    OpenedWord,
    RoundPaired,
    WordsOpened,
)
from matchledger.ledger import Clerk, open_ledger
from matchledger.notation.slip import Written
from matchledger.proof.checkpoint import SignedNote
from matchledger.proof.keys import SigningKey
from matchledger_projections.pairing.footing import footing, seeds_of
from matchledger_projections.record.chance import out_at, registrations_digest

pytestmark = pytest.mark.finding("A-2")

SCRIPT = Path("docs/recompute_pairings.py").absolute()
FOUR = ("Ann", "Bo", "Cy", "Di")
OTTER = hashlib.sha256(b"otter").hexdigest()
ALONE = "The organizer alone could choose it"
MOVED = "  1 drops, returns, byes, divisions, flights, structures, cuts or policies"
NOBODY = "Nobody could choose it, if the beacon is genuine and was named before it came out"
SIGNATURE = "ab" * 48
NAMED = 28_000_000  # quicknet publishes this round in April 2026
OUT = f"{out_at('quicknet', NAMED):%Y-%m-%d %H:%M:%S} UTC"
Type = Callable[..., Said]
Recorded = Callable[..., list[AnyFact]]


@pytest.fixture
def typed(run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Type:
    """Run a line of the organizer in a folder with a ledger of four players."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")
    monkeypatch.setenv("MATCHLEDGER_ROLE", "organizer")
    monkeypatch.setattr(secrets, "token_bytes", lambda _=None: SECRET)

    def typed(line: str, *more: str, code: int | None = 0) -> Said:
        return run_cli(*line.split(), *more, code=code)

    typed("open Friday -b l5r-2018")
    (tmp_path / "field.csv").write_text("\n".join(("name", *FOUR)))
    typed("register --csv field.csv")
    return typed


@pytest.fixture
def recorded() -> Recorded:
    """Return the facts of the log, after a given decision, which a changed program could record without a
    command.
    """

    def recorded(decision: Callable[..., Sequence[AnyFact]] | None = None) -> list[AnyFact]:
        with open_ledger("event.ledger") as ledger:
            [tournament] = ledger.tournaments()
            if decision is not None:
                ledger.decide(tournament, decision, clerk=Clerk(role="organizer"))
            return [entry.fact for entry in ledger.entries(tournament)]

    return recorded


def judged(typed: Type, tmp_path: Path) -> list[str]:
    """Return the verdict of docs/recompute_pairings.py on the export of the closed event."""
    typed("export log.jsonl")
    page = subprocess.run(  # noqa: S603 - our own page, on our own file
        [sys.executable, "-I", "-S", str(SCRIPT), "log.jsonl"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not page.stderr
    return page.stdout.splitlines()


def choice(typed: Type, round_: int = 1) -> str:
    return typed(f"explain --pairing 1 --round {round_}").lines[-1]


def played(typed: Type) -> None:
    typed("report 1 a 2 a")


# -- (a) the order of a roster


def test_registering_a_roster_again_changes_the_draw(typed: Type, recorded: Recorded) -> None:
    """The secret alone is not enough to compute a draw in advance."""
    seeds = set()
    for name in ("event.ledger", "again.ledger"):
        if name == "again.ledger":
            Path("event.ledger").unlink()
            Path("event.ledger.keys").unlink()
            typed("open Friday -b l5r-2018")
            typed("register --csv field.csv")
        typed("pair")
        seeds |= {fact.seed for fact in recorded() if isinstance(fact, RoundPaired)}
    assert len(seeds) == 2


def test_the_digest_of_registrations_ignores_their_order() -> None:
    leaves = [bytes([number]) * 32 for number in range(4)]
    assert len({registrations_digest(order) for order in permutations(leaves)}) == 1
    assert registrations_digest(leaves[:3]) != registrations_digest(leaves)


def test_pairing_says_who_could_have_influenced_the_draw(typed: Type, recorded: Recorded, tmp_path: Path) -> None:
    previewed = typed("pair --preview", code=1).lines[1:-1]
    assert typed("pair").lines[1:] == previewed
    assert [fact.kind for fact in recorded()[-2:]] == ["draw-basis-fixed", "round-paired"]
    assert typed("explain --pairing 1").lines[-3:] == [
        "The draw rests on the organizer's secret, committed to in entry 1, and on the points before it",
        "  on the registrations of 4 players: entry 6",
        ALONE,
    ]
    rests_on = typed("explain --pairing 1 --json").document["draw"]["rests_on"]
    assert (rests_on["derivation"], rests_on["open_to"], rests_on["registrations"]["entry"]) == (2, "organizer", 6)
    played(typed)
    typed("pair")
    assert len([fact for fact in recorded() if isinstance(fact, DrawBasisFixed)]) == 1
    played(typed)
    typed("close --yes --reason short")
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived", "Round 2: as derived"]
    assert judged(typed, tmp_path) == ["Round 1: as derived", "Round 2: as derived"]


def test_an_erasure_changes_no_draw(typed: Type, tmp_path: Path) -> None:
    typed("pair")
    played(typed)
    typed("erase Ann --yes --reason asked --out done.txt")
    typed("pair")
    played(typed)
    typed("close --yes --reason short")
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived", "Round 2: as derived"]
    assert judged(typed, tmp_path) == ["Round 1: as derived", "Round 2: as derived"]


def test_pairing_again_after_undo_gives_the_same_draw(typed: Type, recorded: Recorded) -> None:
    for line in ("pair", "undo --yes", "pair"):
        typed(line)
    first, again = (fact for fact in recorded() if isinstance(fact, RoundPaired))
    assert first == again
    assert len([fact for fact in recorded() if isinstance(fact, DrawBasisFixed)]) == 1


def test_the_next_digest_includes_a_later_player(typed: Type, recorded: Recorded) -> None:
    typed("pair")
    played(typed)
    typed("late Ed")
    typed("pair")
    assert [fact.registered for fact in recorded() if isinstance(fact, DrawBasisFixed)] == [4, 5]
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived", "Round 2: as derived"]


def test_flights_and_brackets_also_depend_on_the_registrations(
    typed: Type, recorded: Recorded, tmp_path: Path
) -> None:
    """The program fixes the registrations before the first draw of any kind."""
    Path("event.ledger").unlink()
    Path("event.ledger.keys").unlink()
    (tmp_path / "field.csv").write_text("\n".join(["name,division", *(f"M{n},masters" for n in range(64))]))
    typed("open Friday -b pokemon-2009")
    typed("register --csv field.csv")
    typed("draw-flights masters 2 --reason wanted")
    before, drawn = recorded()[-2:]
    assert isinstance(before, DrawBasisFixed)
    assert isinstance(drawn, FlightsDrawn)
    typed("late Zoe --division masters")  # both flights have the same size, so chance puts Zoe into one
    typed("close --yes --reason short")
    assert typed("verify --pairings", code=0).lines[2:] == [
        "Flights of masters: as derived",
        "Flight of Zoe, who came late: as derived",
    ]
    # The page calls no flight DIFFERENT.
    assert judged(typed, tmp_path) == []
    typed("open Saturday -b l5r-2018 --ledger other.ledger")
    for name in FOUR:
        typed(f"register {name} --ledger other.ledger")
    typed("announce --style elimination --ledger other.ledger")
    typed("pair --ledger other.ledger")
    with open_ledger("other.ledger") as ledger:
        [tournament] = ledger.tournaments()
        kinds = [entry.fact.kind for entry in ledger.entries(tournament)]
    assert kinds[-3:] == ["draw-basis-fixed", BracketDrawn.model_fields["kind"].default, "round-paired"]
    assert typed("verify --pairings --ledger other.ledger").lines[2:] == ["Bracket: as derived"]


def test_a_round_that_is_drawn_again_includes_the_late_player(typed: Type, tmp_path: Path) -> None:
    """Zoe came after round 1 was paired. The round was undone, and drawn again with Zoe in it."""
    typed("register Ed")
    typed("pair")
    typed("late Zoe")  # Zoe plays the player who had the bye
    typed("undo --round --yes")
    typed("pair")
    typed("close --yes --reason short")
    assert typed("verify --pairings").code == 0
    assert set(judged(typed, tmp_path)) == {"Round 1: as derived"}


@pytest.mark.parametrize(
    ("before", "then"), [("register Ed", ["late Zoe", "late Yan"]), ("drop Di", ["late Zoe", "rejoin Di"])]
)
def test_a_round_that_is_drawn_again_includes_the_players_who_were_charged_with_it(
    typed: Type, tmp_path: Path, before: str, then: list[str]
) -> None:
    """Zoe took the bye's table. The other player came too late for a table, and lost the round until its undo."""
    typed(before)
    typed("pair")
    for arrival in then:
        typed(arrival)
    typed("undo --round --yes")
    typed("pair")
    typed("report 1 a 2 a 3 a", code=None)
    typed("pair --reason short")
    typed("close --yes --reason short")
    assert typed("verify --pairings").code == 0
    assert judged(typed, tmp_path)[-2:] == ["Round 1: as derived", "Round 2: as derived"]


# -- (b) results that score the same


def _after(decide: Callable[[DraftedEvent], None]) -> str:
    event = DraftedEvent(derivation=2)
    event.register(*FOUR)
    event.decide(pair_round, secret=SECRET, deviating=True)
    decide(event)
    return seeds_of(event.record, 2, SECRET)("pairing/2").hex()


def _slips(first: str, second: str, winner: int = 0) -> Callable[[DraftedEvent], None]:
    def decide(event: DraftedEvent) -> None:
        for table, kind in enumerate((first, second), 1):
            event.decide(results.report, table=table, written=Written(kind=kind, winner=winner))

    return decide


def test_equal_points_give_the_next_round_the_same_draw() -> None:
    """Before the fix, a win written as a concession gave another draw than the plain win."""
    kinds = ("win", "concession")
    assert len({_after(_slips(one, other)) for one in kinds for other in kinds}) == 1
    assert _after(_slips("win", "win", winner=1)) != _after(_slips("win", "win"))


# -- (c) another secret, another digest, none


def test_a_draw_from_another_secret_is_found_before_the_secret_is_revealed(typed: Type, recorded: Recorded) -> None:
    """The ledger contains the committed secret, and repeats the draws with it."""
    typed("pair")
    played(typed)
    recorded(partial(pair_round, secret=b"another secret of 32 bytes here!", deviating=True))
    said = typed("verify --pairings", code=1).lines
    assert said[1] == "The secret is not revealed yet. This ledger holds it, and every draw was made again with it."
    assert said[2:5] == ["Round 1: as derived", "Round 2: DIFFERENT", "  its seed is not that of the secret"]


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ([], "  it rests on no digest of all registrations before it"),
        (
            [DrawBasisFixed(registrations="0" * 64, registered=4)],
            "  the digest of the registrations in entry 6 is not that of the log",
        ),
        (
            [DrawBasisFixed(registrations="0" * 64, registered=3)],
            "  the digest of the registrations in entry 6 leaves some out",
        ),
    ],
)
def test_a_draw_that_ignores_the_registrations_is_found(
    typed: Type, recorded: Recorded, tmp_path: Path, facts: list[AnyFact], says: str
) -> None:
    """A changed program leaves the digest of the registrations out, or invents a digest."""
    if facts:
        recorded(lambda _: facts)
    recorded(partial(pair_round, secret=SECRET, deviating=True))
    played(typed)
    assert typed("verify --pairings", code=1).lines[2:4] == ["Round 1: DIFFERENT", says]
    typed("close --yes --reason short")
    assert any("DIFFERENT" in line for line in judged(typed, tmp_path))


# -- words


def test_pair_names_words_and_beacons_that_are_not_in_the_draw(typed: Type) -> None:
    """Before the fix, `pair` said nothing of pledged words that nobody had opened, nor of a beacon that nobody had
    read.
    """
    typed("pledge-word Bo")
    typed("name-beacon 40000000")
    for line, code in (("pair --preview", 1), ("pair", 0)):
        said = typed(line, code=code)
        words = said.out + said.err
        assert "1 pledged word is not opened: the draw does not depend on it" in words, line
        assert "round 40000000 of the beacon is not read: the draw does not depend on it" in words, line


def test_words_of_players_keep_the_organizer_from_choosing_the_draw(typed: Type, tmp_path: Path) -> None:
    """Ann pledges a word by phone and Bo on paper. The desk opens both words together."""
    typed(f"pledge-word Ann --digest {OTTER}")
    typed("pledge-word Bo")
    assert typed("open-words Ann=otter", code=3).problem.startswith("the words of Bo are missing")
    assert typed("open-words Ann=beaver Bo=blue", code=3).problem == "'beaver' is not the word that Ann pledged"
    for word in ("x" * 101, "ot\nter"):
        assert "is not a player and a word" in typed("open-words", f"Ann={word}", "Bo=blue", code=2).problem
    typed("open-words Ann=otter Bo=blue")
    assert typed("retract 6 --yes", code=3).problem.startswith(
        "the words have been opened since, and an opened word cannot be taken back"
    )
    typed("pair")
    assert typed("explain --pairing 1").lines[-2:] == [
        "  on the words of 2 players, 1 of them on paper, opened in entry 8",
        "The organizer could choose it only together with all who gave a word",
    ]
    played(typed)
    typed("late Ed")
    typed("pair")
    assert typed("explain --pairing 1 --round 2").lines[-2:] == [
        "  1 players entered after the last words or the last beacon",
        ALONE,
    ]
    played(typed)
    typed("close --yes --reason short")
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived", "Round 2: as derived"]
    assert judged(typed, tmp_path) == ["Round 1: as derived", "Round 2: as derived"]


@pytest.mark.parametrize("known", ["word", "beacon"])
@pytest.mark.parametrize("added", ["word", "beacon"])
def test_a_word_or_beacon_added_after_another_is_known_lets_the_organizer_choose_the_draw(
    typed: Type, known: str, added: str
) -> None:
    """An organizer who knows one value can try further words or beacons until a draw suits."""
    given = {
        "word": lambda player: (f"pledge-word {player} --digest {OTTER}", f"open-words {player}=otter"),
        "beacon": lambda player: (
            f"name-beacon {NAMED + ord(player[0])}",
            f"read-beacon {NAMED + ord(player[0])} {SIGNATURE}",
        ),
    }
    for kind, player in ((known, "Ann"), (added, "Bo")):
        commit, show = given[kind](player)
        with freeze_time("2026-01-01"):
            typed(commit)
        typed(show)
    typed("pair")
    assert choice(typed) == ALONE


@pytest.mark.parametrize(
    "line", ["drop Di --yes", "disqualify Di --yes", "retract 5", "award-byes Di --reason kind"]
)
def test_a_drop_after_the_beacon_was_read_lets_the_organizer_choose_the_draw(typed: Type, line: str) -> None:
    """The organizer can drop or keep a player, whichever draw suits."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed(line)
    typed("pair")
    assert typed("explain --pairing 1").lines[-2:] == [
        f"{MOVED} came after the last words or the last beacon",
        ALONE,
    ]


def test_divisions_decided_after_the_beacon_was_read_let_the_organizer_choose_the_draw(
    typed: Type, recorded: Recorded
) -> None:
    """The organizer can pair the divisions together or apart, whichever draw suits."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    recorded(lambda _: [DivisionsDecided(mode="none", sizes={})])
    typed("pair")
    assert choice(typed) == ALONE


def test_a_player_who_enters_after_the_beacon_was_named_lets_the_organizer_choose_the_draw(typed: Type) -> None:
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed("register Ed")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    assert choice(typed) == ALONE


@pytest.mark.parametrize("after", [("retract 6", "open-words Bo=otter"), ()], ids=["taken back", "never opened"])
def test_a_pledge_without_its_word_lets_the_organizer_choose_the_draw(typed: Type, after: tuple[str, ...]) -> None:
    """The organizer can use or leave out pledged words, whichever draw suits."""
    typed(f"pledge-word Ann --digest {OTTER}")
    typed(f"pledge-word Bo --digest {OTTER}")
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    for line in (*after, "pair"):
        typed(line)
    assert choice(typed) == ALONE


def test_a_second_beacon_lets_the_organizer_choose_the_draw(typed: Type) -> None:
    """The organizer can name a second beacon when the first is published and not read yet."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
        typed(f"name-beacon {NAMED + 1}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed(f"read-beacon {NAMED + 1} {SIGNATURE}")
    typed("pair")
    assert choice(typed) == ALONE


def test_a_word_pledged_after_naming_a_beacon_lets_the_players_choose_the_draw(typed: Type) -> None:
    """The beacon may be published before it is read."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"pledge-word Ann --digest {OTTER}")
    typed("open-words Ann=otter")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    assert choice(typed) == "The organizer could choose it only together with all who gave a word"


def test_a_missing_word_lets_the_organizer_choose_the_draw(typed: Type) -> None:
    typed(f"pledge-word Ann --digest {OTTER}")
    typed("pledge-word Bo")
    typed("open-words Ann=otter --reason gone")
    typed("pair")
    assert choice(typed) == ALONE
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived"]


@pytest.mark.parametrize(
    ("opened", "says"),
    [
        (
            WordsOpened(words=(OpenedWord(player=1, word="beaver"), OpenedWord(player=2, word="blue"))),
            "  a word in entry 8 is not the one that was pledged",
        ),
        (WordsOpened(words=(OpenedWord(player=1, word="otter"),)), "  entry 8 hides words that were not opened"),
    ],
)
def test_exchanged_or_hidden_words_are_found(
    typed: Type, recorded: Recorded, tmp_path: Path, opened: WordsOpened, says: str
) -> None:
    typed(f"pledge-word Ann --digest {OTTER}")
    typed("pledge-word Bo")
    recorded(lambda _: [opened])
    typed("pair")
    played(typed)
    typed("close --yes --reason short")
    assert typed("verify --pairings", code=1).lines[2:4] == ["Round 1: DIFFERENT", says]
    assert judged(typed, tmp_path)[0] == "Entry 8, on which draws rest: DIFFERENT"


# -- a beacon


def test_a_mistyped_signature_is_corrected_before_the_draw(typed: Type, tmp_path: Path) -> None:
    """Before the fix, a mistyped signature stayed in the draws for ever. A correction gives the organizer no choice
    of the draw, because everybody can compare the corrected value with the beacon's own.
    """
    for number in range(8):  # so many that two draws are never alike by chance
        typed(f"register Player{number}")
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {'cd' * 48}")
    wrong = typed("pair --preview", code=1).lines[2:8]
    assert typed("retract 14 --yes", code=3).problem.endswith("is read: retract entry 15 first")
    typed("undo --yes")
    assert f"round {NAMED} of the beacon is not read" in typed("pair --preview", code=1).out
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    assert typed("pair").lines[2:8] != wrong
    assert choice(typed) != ALONE
    assert NOBODY in typed("explain --pairing 1").out
    listed = [item for item in typed("integrity --json").document["items"] if item["kind"] == "retraction"]
    assert [item["position"] for item in listed] == [16]
    refused = typed("retract 17 --yes", code=3).problem
    assert refused == (
        f"entry 19 drew with round {NAMED} of the beacon: a beacon round can be corrected only before a draw"
    )
    typed("undo --round --yes")
    assert "drew with round" in typed("retract 17 --yes", code=3).problem, "the organizer has seen the draw"
    typed("redo --yes")
    played(typed)
    typed("close --yes --reason short")
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived", "beacon signature not checked"]
    assert judged(typed, tmp_path) == ["Round 1: as derived", "beacon signature not checked"]


@pytest.mark.parametrize(("mistyped", "is_open"), [(NAMED * 10, False), (NAMED - 1000, True)])
def test_a_mistyped_beacon_round_is_corrected(typed: Type, mistyped: int, is_open: bool) -> None:
    """A later round was unknown when the right round was named, and a witness of that naming proves so. The value
    of an earlier round may have been known.
    """
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {mistyped}")
        typed("undo --yes")
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    assert (ALONE in typed("explain --pairing 1").out) is is_open
    assert "is not read" not in typed("pair --preview", code=None).out


def test_a_beacon_round_that_was_taken_back_does_not_come_back(typed: Type) -> None:
    """Otherwise the organizer could wait for two values, and choose one."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
        typed("undo --yes")
    assert "a beacon round does not come back" in typed("redo --yes", code=3).problem
    typed(f"name-beacon {NAMED + 10**8}")
    assert "a beacon round does not come back" in typed("retract 7 --yes", code=3).problem


def test_a_beacon_that_a_changed_program_takes_back_after_the_draw_is_found(
    typed: Type, recorded: Recorded, tmp_path: Path
) -> None:
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    played(typed)
    recorded(lambda _: [EntryRetracted(retracts=7)])
    typed(f"read-beacon {NAMED} {'cd' * 48}")
    typed("pair")
    typed("report 1 a 2 a")
    typed("close --yes --reason short")
    found = typed("verify --pairings", code=1).out
    assert "takes back was used in a draw" in found
    assert "Round 1: as derived" in found
    assert any("DIFFERENT" in line for line in judged(typed, tmp_path))


def test_a_beacon_named_before_its_publication_lets_nobody_choose_the_draw(typed: Type, tmp_path: Path) -> None:
    """This project does not check the beacon's signature, and both programs say so."""
    with freeze_time("2026-01-01"):
        assert typed("name-beacon 1000", code=3).problem.startswith("round 1000 of the beacon is out already")
        typed(f"name-beacon {NAMED}")
        assert typed(f"read-beacon {NAMED + 1} {SIGNATURE}", code=3).problem.endswith("was not named beforehand")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    assert typed(f"read-beacon {NAMED} {SIGNATURE}", code=3).problem.endswith("retract entry 7 first")
    typed("pair")
    assert typed("explain --pairing 1").lines[-3:] == [
        f"  on round {NAMED} of the beacon quicknet, named in entry 6, read in entry 7, signature not checked",
        NOBODY,
        f"  the log cannot prove that: a person who saw entry 6 before {OUT} can",
    ]
    played(typed)
    typed("close --yes --reason short")
    assert typed("verify --pairings").lines[2:] == ["Round 1: as derived", "beacon signature not checked"]
    assert judged(typed, tmp_path) == ["Round 1: as derived", "beacon signature not checked"]


@pytest.mark.parametrize("seen", ["before", "after", "too early a checkpoint"])
def test_a_witness_proves_that_a_beacon_was_named_before_its_publication(
    typed: Type, recorded: Recorded, seen: str
) -> None:
    """An organizer can set the clock back and name a beacon that is out. A witness has a clock of its own."""
    witness = SigningKey("example.net/w1", bytes([1]) * 32)
    Path("j.key").write_text(f"{SigningKey('example.org/judges', bytes(32))}\n")
    Path("j.key").chmod(0o600)
    moment = out_at("quicknet", NAMED) + timedelta(seconds=-1 if seen == "before" else 0)
    if seen == "too early a checkpoint":
        moment -= timedelta(days=1)
        typed("checkpoint --key j.key")
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    if seen != "too early a checkpoint":
        typed("checkpoint --key j.key")
    [(at, note)] = [(at, fact.note) for at, fact in enumerate(recorded(), 1) if isinstance(fact, CheckpointSigned)]
    line = witness.cosign(SignedNote.parse(note).text, int(moment.timestamp())).strip()
    recorded(lambda _: [CheckpointCosigned(checkpoint=at, key=str(witness.of_witness), line=line)])
    assert typed("verify").code == 0
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    said = f"  witness example.net/w1 saw entry 6 before {OUT}: its cosignature is in entry 8"
    found = typed("explain --pairing 1").lines[-2:]
    assert (found[0], found[1] == said) == (NOBODY, seen == "before")


@pytest.mark.parametrize("line", ["announce --rounds 3 --cut 2 --reason x", "draw-flights", "cut 2"])
def test_a_structure_flights_or_a_cut_after_the_beacon_let_the_organizer_choose_the_draw(
    typed: Type, recorded: Recorded, line: str
) -> None:
    """The organizer can try numbers of flights, rounds and places, whichever draw suits."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    if line == "draw-flights":
        flights = FlightsDrawn(division="masters", flights=((1, 2), (3, 4)), seed="0" * 64)
        recorded(lambda _: [flights])
    elif line == "cut 2":
        recorded(lambda _: [CutMade(round=0, seeds=(1, 2))])
    else:
        typed(line)
    with open_ledger("event.ledger") as ledger:
        found = footing(ledger.record(ledger.tournaments()[0]))
    assert (found.moved_since, found.open_to) == (1, "organizer")


def test_a_cut_announced_before_the_beacon_lets_nobody_choose_the_draw(typed: Type, recorded: Recorded) -> None:
    typed("announce --rounds 3 --cut 2 --reason x")
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    recorded(lambda _: [CutMade(round=0, seeds=(1, 2))])
    with open_ledger("event.ledger") as ledger:
        assert footing(ledger.record(ledger.tournaments()[0])).moved_since == 0


def test_everybody_could_choose_a_draw_after_a_closing_that_was_taken_back(typed: Type) -> None:
    """The closing made the secret public."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    played(typed)
    typed("close --yes --reason short")
    closing = typed("log").lines[-1].split()[0]
    typed(f"retract {closing} --yes --reason early")
    typed("pair")
    assert typed("explain --pairing 1 --round 1").lines[-2] == NOBODY
    assert typed("explain --pairing 1 --round 2").lines[-2:] == [
        f"  the secret is public since entry {closing}, which closed the tournament",
        "Everybody who reports a result could choose it",
    ]


def test_a_beacon_that_was_never_named_is_found(typed: Type, recorded: Recorded) -> None:
    recorded(lambda _: [BeaconRead(chain="quicknet", number=NAMED, signature=SIGNATURE)])
    typed("pair")
    said = "  the beacon round in entry 6 was not named beforehand"
    assert typed("verify --pairings", code=1).lines[2:4] == ["Round 1: DIFFERENT", said]


def test_naming_a_beacon_that_is_already_published_is_found(
    typed: Type, recorded: Recorded, tmp_path: Path
) -> None:
    """A changed program can name a round whose value is known."""
    recorded(lambda _: [BeaconNamed(chain="quicknet", number=NAMED)])
    typed(f"read-beacon {NAMED} {SIGNATURE}")
    typed("pair")
    said = "  the beacon round in entry 6 was out when it was named"
    assert typed("verify --pairings", code=1).lines[2:4] == ["Round 1: DIFFERENT", said]
    played(typed)
    typed("close --yes --reason short")
    assert "Entry 6, on which draws rest: DIFFERENT" in judged(typed, tmp_path)


def test_an_unread_beacon_lets_the_organizer_choose_the_draw(typed: Type) -> None:
    """The organizer named a beacon and paired without reading it, so the draw does not depend on the beacon."""
    with freeze_time("2026-01-01"):
        typed(f"name-beacon {NAMED}")
        typed("pair")
        assert choice(typed) == ALONE


# -- older logs


def test_a_draw_of_version_1_is_reported_as_chosen_by_the_organizer(
    typed: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Draws of an older log are derived as before, without the words that players contribute."""
    monkeypatch.setattr("matchledger_projections.record.chance.DERIVATION", 1)
    typed("open Saturday -b l5r-2018 --ledger old.ledger")
    for name in FOUR:
        typed(f"register {name} --ledger old.ledger")
    assert typed("pledge-word Ann --ledger old.ledger", code=3).problem.startswith(
        "the draws of this tournament have version 1"
    )
    typed("pair --ledger old.ledger")
    assert typed("explain --pairing 1 --ledger old.ledger").lines[-2:] == [
        "The draw rests on the organizer's secret, committed to in entry 1, and on the results before it",
        ALONE,
    ]


def test_a_pledge_cannot_be_taken_back_after_the_words_are_opened(typed: Type) -> None:
    typed(f"pledge-word Ann --digest {OTTER}")
    [pledge] = [line.split()[0] for line in typed("log").lines if "pledge" in line]
    typed("open-words Ann=otter")
    assert typed(f"retract {pledge} --yes", code=3).refused == (
        "the words have been opened since, and an opened word cannot be taken back"
    )
