"""A round as one file with both lists and the slips, each on its own pages."""

from __future__ import annotations

from tests.conftest import Replay
from tests.documents import document_of
from tests.printing.conftest import Printed, sheet

from matchledger import printing
from matchledger_projections.document import document
from matchledger_projections.views.sheets import pairing_list, round_sheets_of


def test_a_round_is_one_file_with_names_tables_and_slips(replay: Replay, printed: Printed) -> None:
    """B-I10."""
    record = replay(sheet(90)).draft.record
    (round_,) = record.rounds()
    whole = document(round_sheets_of(record, round_, lambda _, table: f"code {table}"), record)
    paper = printed(printing.round_sheets, whole, record)
    names, tables = (
        printed(printing.pairings, document_of(record, pairing_list, by=by), record) for by in ("name", "table")
    )
    assert paper.pages[: len(names.pages)] == names.pages
    assert paper.pages[len(names.pages) :][: len(tables.pages)] == tables.pages
    slips = paper.pages[len(names.pages) + len(tables.pages) :]
    assert len(slips) == 12
    assert sorted(paper.codes(len(paper.pages) - 12)) == sorted(f"code {table}" for table in (1, 13, 25, 37))
