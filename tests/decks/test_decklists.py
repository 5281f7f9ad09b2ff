"""Submitting and amending lists, and recording checks: what is refused, and what is logged."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from matchledger.commands import decklists, roster
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, DeckAmended, DeckChecked, DeckList, DeckSubmitted, Person
from matchledger.formats.decklist import read_decklist
from matchledger.ledger import Draft
from matchledger.notation.problems import UsageProblem
from matchledger.service.importing import Transcription
from matchledger_projections.decks.deck import canonical_text, digest
from matchledger_projections.decks.findings import Finding
from matchledger_projections.decks.registered import registered
from matchledger_projections.document import written
from matchledger_projections.narration import tell

A, B = 1, 2
FINE = [Finding("L5R-II.2a-SET", True, "all there")]
Open = Callable[..., Draft]


def deck(*lines: str) -> DeckList:
    return read_decklist("\n".join(["[dynasty]", *lines]).encode())


FIRST, SECOND, THIRD = (
    deck("3 Togashi Initiate"),
    deck("2 Togashi Initiate", "1 Secret Weapon"),
    deck("1 Doji Test"),
)


@pytest.fixture
def opened(replay: Callable[[str], Transcription]) -> Open:
    """A tournament of A and B. The sheet in `rest` may pair round 1."""

    def opened(rulebook: str = "l5r-2018", rest: str = "") -> Draft:
        return replay(f"rulebook {rulebook}\nplayers A B\n{rest}").draft

    return opened


def refused(draft: Draft, decision: Callable[..., list[AnyFact]], **given: object) -> str:
    before = draft.record.position
    with pytest.raises(Refusal) as caught:
        draft.decide(partial(decision, **given))
    assert draft.record.position == before
    return str(caught.value)


def submit(draft: Draft, player: int = A, list_: DeckList = FIRST) -> int:
    return draft.decide(partial(decklists.submit, player=player, deck=list_))[0].position


def amend(draft: Draft, list_: DeckList, *, advantageous: bool = False) -> int:
    decision = partial(decklists.amend, player=A, deck=list_, leader="Mo", role="judge", advantageous=advantageous)
    return draft.decide(decision)[0].position


def retract(draft: Draft, position: int) -> int:
    entry = draft.entries[position - 1]
    return draft.decide(partial(slips.retract, entry=entry))[0].position


def test_a_list_is_handed_in_once(opened: Open) -> None:
    draft = opened()
    position = submit(draft)
    found = registered(draft.record, A)
    assert found is not None
    assert (found.position, found.deck, found.sha256) == (position, FIRST, digest(FIRST))
    assert registered(draft.record, B) is None
    assert refused(draft, decklists.submit, player=A, deck=SECOND) == (
        "A has handed in a list already: a leader can amend the list (L5R-II.2b-LISTFIX)"
    )


def test_a_list_replaces_the_earlier_list_which_stays_in_the_log(opened: Open) -> None:
    draft = opened()
    first = submit(draft)
    again = {"player": A, "again": True}
    assert refused(draft, decklists.submit, deck=FIRST, **again) == "this list of A is in already"
    [second] = draft.decide(partial(decklists.submit, player=A, deck=SECOND, again=True))
    assert [position for position, _ in draft.record.decks[A]] == [first, second.position]
    found = registered(draft.record, A)
    assert found is not None
    assert (found.position, found.deck) == (second.position, SECOND)
    retract(draft, second.position)
    found = registered(draft.record, A)
    assert found is not None
    assert (found.position, found.deck) == (first, FIRST)


def test_an_amended_list_is_not_replaced(opened: Open) -> None:
    draft = opened()
    submit(draft)
    amend(draft, SECOND)
    assert refused(draft, decklists.submit, player=A, deck=THIRD, again=True) == (
        "a leader has amended the list of A: speak to a judge (L5R-II.2b-LISTFIX)"
    )


def test_a_list_is_replaced_only_before_the_start(opened: Open) -> None:
    draft = opened(rest="round 1\n  A > B\n")
    draft.decide(partial(decklists.submit, player=A, deck=FIRST, late=True))
    assert refused(draft, decklists.submit, player=A, deck=SECOND, again=True, late=True) == (
        "round 1 has begun, and the list of A is in: a leader can amend the list (L5R-II.2b-LISTFIX)"
    )


def test_a_player_cannot_fill_the_log_with_lists(opened: Open) -> None:
    draft = opened()
    for number in range(decklists.MOST_LISTS):
        draft.decide(partial(decklists.submit, player=A, deck=(FIRST, SECOND)[number % 2], again=True))
    assert refused(draft, decklists.submit, player=A, deck=FIRST, again=True) == (
        "A has handed in 10 lists: go to the desk"
    )


def test_an_amendment_stores_the_difference_and_the_earlier_list(opened: Open) -> None:
    draft = opened()
    submit(draft)
    amend(draft, SECOND, advantageous=True)
    found = registered(draft.record, A)
    assert found is not None
    assert canonical_text(found.deck) == canonical_text(SECOND)
    ((_, amendment),) = found.amendments
    assert amendment.difference is not None
    assert [card.model_dump() for card in amendment.difference.removed] == [
        {"part": "dynasty", "name": "Togashi Initiate", "count": 1}
    ]
    assert [card.model_dump() for card in amendment.difference.added] == [
        {"part": "dynasty", "name": "Secret Weapon", "count": 1}
    ]
    assert (amendment.leader, amendment.advantageous, amendment.sha256) == ("Mo", True, digest(SECOND))
    first = next(entry.fact for entry in draft.entries if isinstance(entry.fact, DeckSubmitted))
    assert first.deck == FIRST


@pytest.mark.vector("TV-ASH-LIST-1")
def test_an_ashes_list_does_not_change_after_it_was_handed_in(opened: Open) -> None:
    """TV-ASH-LIST-1."""
    draft = opened("ashes-2022")
    submit(draft)
    for decision, given in (
        (decklists.amend, {"deck": SECOND, "leader": "Mo", "role": "organizer"}),
        (decklists.submit, {"deck": SECOND}),
    ):
        message = refused(draft, decision, player=A, **given)
        assert message in (
            "the submitted list of A cannot be changed (ASH-LIST)",
            "A has handed in a list already: the list stays unchanged (ASH-LIST)",
        )


@pytest.mark.parametrize("role", ["scorekeeper", "player"])
def test_only_a_leader_amends_a_list(opened: Open, role: str) -> None:
    draft = opened()
    submit(draft)
    assert refused(draft, decklists.amend, player=A, deck=SECOND, leader="Mo", role=role) == (
        f"a {role} cannot amend a list: only a leader can (organizer, marshal, judge) (L5R-II.2b-LISTFIX)"
    )


def test_an_amendment_without_changes_is_refused(opened: Open) -> None:
    draft = opened()
    assert refused(draft, decklists.amend, player=A, deck=FIRST, leader="Mo", role="judge") == (
        "A has handed in no list: submit one first"
    )
    submit(draft)
    assert refused(draft, decklists.amend, player=A, deck=FIRST, leader="Mo", role="judge") == (
        "the list of A is the same already: there is nothing to amend"
    )


def test_a_list_after_the_start_of_round_1_must_be_marked_as_late(opened: Open) -> None:
    draft = opened(rest="round 1\n  A > B\n")
    assert refused(draft, decklists.submit, player=A, deck=FIRST) == (
        "round 1 has begun: record the list of A as late (L5R-II.2-PLAYERMAT)"
    )
    draft.decide(partial(decklists.submit, player=A, deck=FIRST, late=True))
    draft.decide(partial(roster.arrive_late, person=Person(name="C")))
    submit(draft, 3, SECOND)
    assert registered(draft.record, 3) is not None


def test_a_dropped_player_submits_no_list(opened: Open) -> None:
    draft = opened(rest="round 1\n  A > B\ndrop A\n")
    assert refused(draft, decklists.submit, player=A, deck=FIRST) == (
        "A is dropped: rejoin the player first, or name another"
    )


def test_a_list_entered_by_mistake_is_taken_back_before_the_start(opened: Open) -> None:
    draft = opened()
    taken_back = submit(draft)
    retraction = retract(draft, taken_back)
    assert registered(draft.record, A) is None
    again = submit(draft, A, SECOND)
    found = registered(draft.record, A)
    assert found is not None
    assert (found.position, found.deck) == (again, SECOND)
    assert refused(draft, slips.retract, entry=draft.entries[retraction - 1]) == (
        "another list of A has been recorded since: retract that list first"
    )


@pytest.mark.parametrize(
    ("rulebook", "reason"),
    [
        ("l5r-2018", "round 1 has begun, and the list of A is in: a leader can amend the list (L5R-II.2b-LISTFIX)"),
        ("ashes-2022", "round 1 has begun, and the list of A is in: the list stays unchanged (ASH-LIST)"),
    ],
)
def test_a_list_is_not_taken_back_after_round_1_has_begun(opened: Open, rulebook: str, reason: str) -> None:
    draft = opened(rulebook)
    position = submit(draft)
    draft.decide(partial(rounds.pair_round, secret=bytes(range(32))))
    draft.decide(clock.start_round)
    assert refused(draft, slips.retract, entry=draft.entries[position - 1]) == reason


def test_amendments_are_retracted_in_reverse_order(opened: Open) -> None:
    draft = opened()
    base, first, second = submit(draft), amend(draft, SECOND), amend(draft, THIRD)
    for position in (base, first):
        assert refused(draft, slips.retract, entry=draft.entries[position - 1]) == (
            f"the list of A has been amended since: retract entry {second} first"
        )
    retract(draft, second)
    found = registered(draft.record, A)
    assert found is not None
    assert found.deck == SECOND
    assert len(found.amendments) == 1


def test_a_check_records_each_rule(opened: Open) -> None:
    draft = opened(rest="round 1\n  A > B\n")
    assert refused(draft, decklists.check, player=A, findings=FINE) == "A has handed in no list: submit one first"
    draft.decide(partial(decklists.submit, player=A, deck=FIRST, late=True))
    assert refused(draft, decklists.check, player=A, findings=FINE, round_=2) == (
        "round 2 is not paired: name another round, or none before the start"
    )
    findings = [*FINE, Finding("L5R-II.2a-DYN", False, "3 cards"), Finding("L5R-II.2a-INF", None, "no data")]
    draft.decide(partial(decklists.check, player=A, findings=findings, round_=1, card_data="0" * 64))
    checks = [fact for _, fact in draft.record.deck_checks(A)]
    assert [(fact.rule, fact.ok, fact.round, fact.card_data) for fact in checks] == [
        ("L5R-II.2a-SET", True, 1, "0" * 64),
        ("L5R-II.2a-DYN", False, 1, "0" * 64),
        ("L5R-II.2a-INF", None, 1, "0" * 64),
    ]
    assert {fact.sha256 for fact in checks} == {digest(FIRST)}
    assert draft.record.deck_checks(B) == []
    retract(draft, draft.record.position)
    assert len(draft.record.deck_checks(A)) == 2


def test_a_log_with_deck_lists_is_read_unchanged(opened: Open) -> None:
    draft = opened()
    submit(draft)
    amend(draft, SECOND)
    draft.decide(partial(decklists.check, player=A, findings=FINE))
    for entry in draft.entries:
        assert type(entry).model_validate_json(entry.model_dump_json()) == entry


def test_a_view_shows_the_hash_of_a_list_and_no_cards(opened: Open) -> None:
    draft = opened()
    submit(draft)
    amend(draft, SECOND, advantageous=True)
    finding = Finding("L5R-II.2a-COPY", False, "1 copies of Secret Weapon")
    draft.decide(partial(decklists.check, player=A, findings=[finding, *FINE, Finding("X", None, "Initiate")]))
    views = [
        str(view)
        for entry in draft.entries
        if isinstance(entry.fact, DeckSubmitted | DeckAmended | DeckChecked)
        for view in (written(entry), tell(draft.record, entry.fact))
    ]
    assert len(views) == 10
    assert not [view for view in views if "Initiate" in view or "Weapon" in view]
    assert [tell(draft.record, entry.fact) for entry in draft.entries[-5:]] == [
        f"A handed a deck list in, SHA-256 {digest(FIRST)}",
        f"deck list of A amended by Mo, marked as advantageous, SHA-256 {digest(SECOND)}",
        "deck of A checked: L5R-II.2a-COPY broken",
        "deck of A checked: L5R-II.2a-SET kept",
        "deck of A checked: X not checkable",
    ]


def test_refusals_of_unreadable_lists_begin_with_the_word_list() -> None:
    with pytest.raises(UsageProblem) as wrong:
        decklists.read_list("")
    assert str(wrong.value).startswith("the list: ")
