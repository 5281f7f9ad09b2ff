"""Pairing lists, posted standings and the overview: the tests read the text on the paper."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from msgspec.structs import replace
from tests.conftest import Replay
from tests.documents import document_of, standings_document
from tests.drawings.conftest import bracket_of, seeded
from tests.event import deciding
from tests.printing.conftest import MOMENT, Printed, sheet

from matchledger import printing
from matchledger.cli import COMMANDS
from matchledger.commands import tournaments as opening
from matchledger.events import StandingsPosted
from matchledger.proof.checkpoint import Checkpoint, Posted, SignedNote, origin_of
from matchledger.proof.keys import SigningKey
from matchledger.proof.merkle import TreeHead
from matchledger.service.redaction import Discretion
from matchledger_projections.document import Document, document
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.views.overview import overview as overview_of
from matchledger_projections.views.score_card import score_cards_page
from matchledger_projections.views.sheets import blank, pairing_list, player_list, posted_sheet

PLAYED = """\
rulebook l5r-2018
event "Spring Open"
players Ann Bo Cy Di Ed
round 1
  Ann > Bo
  Cy > Di modified-win
  Ed bye
drop Bo
round 2
  Ann - Cy
  Di - Ed
"""

MAGIC = "rulebook magic-mtr\nplayers Ann Bo\nround 1\n  Ann > Bo 2-0\n"


def latest(record: Record) -> Round:
    found = record.latest_round()
    assert found is not None
    return found


def test_players_find_their_table_by_name(replay: Replay, printed: Printed) -> None:
    record = replay(PLAYED).draft.record
    document = document_of(record, pairing_list, by="name")
    lines = [
        (line["players"][0]["player"], line["players"][0]["points"], line["table"]) for line in document["lines"]
    ]
    assert lines == [("Ann", 10, 1), ("Cy", 6, 1), ("Di", 0, 2), ("Ed", 10, 2)]
    paper = printed(printing.pairings, document, record)
    assert re.search(r"Ann\s+10\s+1\s+Cy", paper.text)
    assert "Round 2: pairings by name" in paper.text


def test_a_disqualified_player_is_marked_on_the_list(replay: Replay, printed: Printed) -> None:
    record = replay(f"{PLAYED}disqualify Di\n").draft.record
    for by in ("table", "name"):
        paper = printed(printing.pairings, document_of(record, pairing_list, by=by), record)
        assert paper.text.count("(disqualified)") == (1 if by == "table" else 2)
        assert "Di (disqualified)" in paper.text


def test_a_bye_is_listed_without_a_table(replay: Replay, printed: Printed) -> None:
    record = replay(sheet(5)).draft.record
    paper = printed(printing.pairings, document_of(record, pairing_list, by="table"), record)
    assert re.search(r"\N{EN DASH}\s+Player005\s+0\s+bye", paper.text)


@pytest.mark.parametrize("paper_size", ["a4", "letter"])
def test_a_long_list_has_a_heading_and_a_footer_on_every_page_and_splits_no_row(
    replay: Replay, printed: Printed, paper_size: printing.Paper
) -> None:
    record = replay(sheet(200)).draft.record
    document = document_of(record, pairing_list, by="table")
    paper = printed(printing.pairings, document, record, paper=paper_size)
    assert paper.size == {"a4": (210, 297), "letter": (216, 279)}[paper_size]
    assert len(paper.pages) > 1
    for number, page in enumerate(paper.pages, 1):
        assert "Spring Open" in page
        assert f"page {number} of {len(paper.pages)}" in page
        assert "tree head 12:abababababababab…" in page
        assert f"entry {record.position}" in page
        names = re.findall(r"Player(\d+)", page)
        assert len(names) % 2 == 0
        assert all(int(second) == int(first) + 1 for first, second in zip(names[::2], names[1::2], strict=True))
    assert re.findall(r"Player(\d+)", paper.text) == [f"{number:03}" for number in range(1, 201)]


def test_printing_the_same_data_twice_gives_the_same_bytes(replay: Replay, printed: Printed) -> None:
    record = replay(PLAYED).draft.record
    document = document_of(record, pairing_list, by="name")
    assert printed(printing.pairings, document, record).pdf == printed(printing.pairings, document, record).pdf


def test_juniors_are_shown_by_initials(replay: Replay, printed: Printed) -> None:
    text = 'rulebook pokemon-2009\nplayer "Ann Lee" division=junior\nplayer Bo division=masters\nround 1\n'
    record = Discretion.about(["junior"]).record(replay(text + '  "Ann Lee" - Bo\n').draft.record)
    paper = printed(printing.pairings, document_of(record, pairing_list, by="name"), record)
    assert "Lee" not in paper.text
    assert "A. L. #1" in paper.text
    assert "Bo" in paper.text


def test_a_printed_list_can_be_in_german(replay: Replay, printed: Printed) -> None:
    record = replay(PLAYED).draft.record
    paper = printed(printing.pairings, document_of(record, pairing_list, by="name"), record, language="de")
    assert "Runde 2: Paarungen nach Namen" in paper.text
    assert "Seite 1 von 1" in paper.text


def test_the_player_list_has_a_box_for_each_player(replay: Replay, printed: Printed) -> None:
    text = 'rulebook pokemon-2009\nplayer "Ann Lee" division=junior\nplayer Bo division=masters\n'
    record = replay(text).draft.record
    document = document_of(record, player_list)
    assert [(line["number"], line["here"], line["has_list"]) for line in document["players"]] == [
        (2, False, None),
        (1, False, None),
    ]
    paper = printed(printing.players, document, record)
    assert re.search(r"Here\s+Player\s+Number\s+Division\s+Bo\s+#2\s+Masters\s+Ann Lee\s+#1\s+Junior", paper.text)
    assert re.search(r"Players: 2\s+Junior: 1\s+Masters: 1", paper.text)


def test_the_player_list_ticks_who_is_here_and_who_handed_in_a_list(replay: Replay, printed: Printed) -> None:
    record = replay("rulebook l5r-2018\nplayers Ann Bo\n").draft.record
    line = {"number": 1, "player": "Ann", "division": None, "here": True, "has_list": False}
    asked = document_of(record, player_list) | {"players": [line]}
    paper = printed(printing.players, asked, record)
    assert "Deck list" in paper.text
    assert paper.text.count("\N{MULTIPLICATION SIGN}") == 1


def posted(replay: Replay, sheet: str = PLAYED) -> tuple[Record, int, StandingsPosted]:
    draft = replay(sheet.partition("round 2")[0]).draft
    draft.decide(deciding(opening.PostStandings))
    return draft.record, *draft.record.postings[-1]


def posting(record: Record, position: int, fact: StandingsPosted, *, note: str | None) -> Document:
    sheet = posted_sheet(record, position, fact, posted_at=MOMENT, tree_head="14:" + "cd" * 32)
    made: Document = document(replace(sheet, checkpoint=note), record)
    return made


def test_printed_standings_equal_the_posting(replay: Replay, printed: Printed) -> None:
    record, position, fact = posted(replay)
    paper = printed(printing.standings, posting(record, position, fact, note=None), record)
    order = [row["player"] for row in standings_document(record, 1)["standings"]]
    assert re.findall(r"^\d=? +(Ann|Bo|Cy|Di|Ed)", paper.text, re.MULTILINE) == order
    assert "dropped" in paper.text


def test_german_standings_have_a_decimal_comma(replay: Replay, printed: Printed) -> None:
    record, position, fact = posted(replay, MAGIC)
    paper = printed(printing.standings, posting(record, position, fact, note=None), record, language="de")
    assert "1 Ann 3 33,00 100,00 33,00" in paper.text.splitlines()


def test_tied_players_are_marked(replay: Replay, printed: Printed) -> None:
    draft = replay("rulebook l5r-2018\nplayers Ann Bo Cy Di\nround 1\n  Ann > Bo\n  Cy > Di\n").draft
    draft.decide(deciding(opening.PostStandings))
    [(position, fact)] = draft.record.postings
    paper = printed(printing.standings, posting(draft.record, position, fact, note=None), draft.record)
    assert "1= Ann" in paper.text
    assert "= tied: the order needs a recorded draw." in paper.text


def test_the_code_on_signed_standings_is_the_checkpoint(replay: Replay, printed: Printed) -> None:
    record, position, fact = posted(replay)
    key = SigningKey("example.org/judges", bytes(range(32)))
    seal = Checkpoint(
        origin_of(UUID(int=7)), TreeHead(position, bytes(32)), Posted(fact.round, position, bytes(32)).lines
    )
    note = str(seal.signed(key))
    paper = printed(printing.standings, posting(record, position, fact, note=note), record)
    [code] = paper.codes(len(paper.pages) - 1)
    assert code == note
    assert SignedNote.parse(code).signers([key.verification]) == [key.verification]
    assert "Signed checkpoint" in paper.text
    assert f"as entry {position} of the log." in " ".join(paper.text.split())


def test_the_code_on_unsigned_standings_is_the_tree_head(replay: Replay, printed: Printed) -> None:
    record, position, fact = posted(replay)
    paper = printed(printing.standings, posting(record, position, fact, note=None), record)
    assert paper.codes() == ["14:" + "cd" * 32]
    assert "not signed" in paper.text


def test_the_final_places_crown_each_champion_and_keep_each_name_in_one_line(
    replay: Replay, printed: Printed
) -> None:
    long = "Maximiliane-Sophie Featherstonehaugh"
    names = {"junior": ("Ann", "Bo"), "masters": (long, "Di")}
    places = [
        {"first": at, "last": at, "player": name, "rule": "PKM-3.3.6.1-SEPLACE", "division": division}
        | {"why": f"the reason that is found in the final against {long}", "decided": True}
        for division, inside in names.items()
        for at, name in enumerate(inside, 1)
    ]
    document = {
        "tournament": "Cup",
        "position": 20,
        "places": places,
        "no_champion": [],
        "contested_at_close": 0,
        "champions": ["Ann", long],
    }
    document |= {"unsettled": {"missing": [], "contested": []}}
    record = replay(f'rulebook pokemon-2009\nplayers Ann Bo "{long}" Di\n').draft.record
    paper = printed(printing.places, document, record)
    assert "Champion, Junior: Ann" in paper.text
    assert f"Champion, Masters: {long}" in paper.text
    assert re.search(f"1 {long} masters", paper.text), "the reason takes more lines before a name does"


def test_a_bracket_of_eight_fits_one_page(printed: Printed) -> None:
    event = seeded([f"Player{number}" for number in range(1, 9)])
    event.pair()
    paper = printed(printing.bracket, bracket_of(event), event.record)
    assert len(paper.pages) == 1
    assert {f"Player{number}" for number in range(1, 9)} <= set(re.findall(r"Player\d", paper.text))


def test_a_large_bracket_is_split_into_readable_parts(printed: Printed) -> None:
    event = seeded([f"Player{number:02}" for number in range(1, 33)])
    event.knock_out(" ".join(f"Player{number:02}" for number in range(1, 17)))
    paper = printed(printing.bracket, bracket_of(event), event.record)
    assert [re.findall(r"Part \d", page) for page in paper.pages] == [["Part 1"], ["Part 2"], ["Part 3"]]
    first, second, last = (set(re.findall(r"Player\d+", page)) for page in paper.pages)
    assert len(first) == len(second) == 16
    assert not first & second
    assert "Player01" in first
    assert "Player02" in second
    assert last == set()
    assert "Final" in paper.pages[2]


def test_score_cards_and_the_overview_are_printed(replay: Replay, printed: Printed) -> None:
    draft = replay(PLAYED).draft
    record = draft.record
    cards = document_of(record, score_cards_page, entries=draft.entries, player=(1, 2))
    paper = printed(printing.cards, cards, record)
    assert "#1 Ann" in paper.text
    assert "#2 Bo, dropped" in paper.text
    overview = printed(printing.overview, document_of(record, overview_of, entries=draft.entries), record)
    assert "Tournament Overview" in overview.text
    assert "Players enrolled: 5" in overview.text
    assert re.search(r"Place\s+Player\s+TP\s+Status", overview.text)
    assert re.search(r"Bo\s+1\s+dropped", overview.text)


def test_the_emergency_set_has_a_slip_for_each_table_and_a_card_for_each_player(
    replay: Replay, printed: Printed
) -> None:
    record = replay(PLAYED).draft.record
    paper = printed(printing.blank, document_of(record, blank, tables=6), record)
    assert "Going on without a computer" in paper.pages[0]
    assert "matchledger report 1 a 2 b" in paper.pages[0]
    assert paper.text.count("slip received") == 8  # two full sheets of four slips
    assert paper.text.count("Score card") >= len(record.active_players())


def test_the_emergency_set_names_existing_commands(replay: Replay) -> None:
    record = replay(PLAYED).draft.record
    setting = printing.Setting(printed_at=MOMENT, created=MOMENT, head="1:00")
    steps = printing.blank(document_of(record, blank, tables=2), setting)["steps"]
    words = [step["command"].split() for step in steps if step["command"]]
    assert all(command[0] == "matchledger" and command[1] in COMMANDS for command in words)
    assert [command[1] for command in words] == ["pair", "report", "drop", "standings"]
