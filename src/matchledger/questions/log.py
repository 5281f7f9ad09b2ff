"""Questions about the log: what touched something, and what was done by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matchledger.documents.audit import history_document
from matchledger.documents.document import Document
from matchledger.documents.tables import integrity_document
from matchledger.events import Entry, Stage
from matchledger.notation.problems import UsageProblem
from matchledger.questions.window import Window
from matchledger_projections.message import sentence
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.views.history import Touch, history_of_entry, history_of_player, history_of_table
from matchledger_projections.views.integrity import Item
from matchledger_projections.views.integrity import integrity as interventions


class History(NamedTuple):
    """What a history is about, and the entries that touched it."""

    about: str
    touches: list[Touch]

    def document(self, window: Window) -> Document:
        return history_document(window.record, self.about, self.touches)


def player_history(window: Window, player: int) -> History:
    """Every entry that touched a player."""
    name = window.record.players[window.need_player(player)].name
    return History(name, history_of_player(window.entries(), window.record, player))


def match_history(window: Window, stage: Stage, round_: int, table: int) -> History:
    """Every entry about a match. Raises UsageProblem where there is none."""
    touches = history_of_table(window.entries(), window.record, stage, round_, table)
    if not touches:
        raise UsageProblem(
            sentence("nothing in the log is about table %(table)s of round %(round)s", table=table, round=round_)
        )
    return History(f"Round {round_}, table {table}", touches)


def entry_history(window: Window, position: int) -> History:
    """An entry, what it changed and what changed it. Raises UsageProblem for one that there is not to be seen."""
    if position > window.record.position:
        raise UsageProblem(
            sentence(
                "there is no entry %(entry)s: the log has %(count)s",
                entry=position,
                count=window.record.position,
            )
        )
    entries = window.entries()
    if all(entry.position != position for entry in entries):
        raise UsageProblem(sentence("entry %(position)s is the staff's to read", position=position))
    return History(f"entry {position}", history_of_entry(entries, window.record, position))


def by_hand(window: Window) -> list[Item]:
    """Everything by which somebody intervened, as it is to be seen."""
    entries: Sequence[Entry] = window.log()
    if window.moment.through is not None:
        entries = list(about_rounds(entries, window.moment.through))
    found = interventions(entries, shipped_laws=map(rulebook_text, shipped_rulebooks()))
    shown = {entry.position: entry for entry in window.shown(entries)}
    return [
        Item(item.kind, shown[item.entry.position], item.counts) for item in found if item.entry.position in shown
    ]


def integrity(window: Window) -> Document:
    """The integrity report."""
    return integrity_document(window.record, by_hand(window))
