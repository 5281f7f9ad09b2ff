"""Retraction: a mistaken entry no longer counts, unless later entries depend on it. Nothing is deleted."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from tests.event import SECRET, deciding

from matchledger.commands import cuts, roster, ties
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import Bye, Entry, EntryRetracted, Person, ResultReported, Seating
from matchledger.ledger import Decision, Draft
from matchledger.notation.slip import Written
from matchledger_projections.narration import tell
from matchledger_projections.standings.standings import Row, standings
from matchledger_projections.views.integrity import integrity

Play = Callable[[str], Draft]
Refused = Callable[[Draft, Decision], str]

A, B, C, D, E, F = range(1, 7)
FOUR = "rulebook l5r-2018\nplayers A B C D\n"
PLAYED = FOUR + "round 1\n  A > B\n  C > D\n"
SIX = "rulebook l5r-2018\nplayers A B C D E F\n"
CUT = PLAYED + "draw A C\ncut 2\n"


def last(draft: Draft, kind: str) -> Entry:
    return next(entry for entry in reversed(draft.entries) if entry.fact.kind == kind)


def retract(draft: Draft, kind: str, *, override: bool = False) -> Entry:
    [entry] = draft.decide(partial(slips.retract, entry=last(draft, kind), override=override))
    return entry


def rows(draft: Draft) -> list[Row]:
    return list(standings(draft.record).rows)


def seat(*games: tuple[int, int], byes: tuple[int, ...] = ()) -> Decision:
    seatings = [Seating(table=table, players=players) for table, players in enumerate(games, 1)]
    return partial(rounds.pair_by_hand, games=seatings, byes=[Bye(player=player) for player in byes])


def tables(draft: Draft) -> dict[int, tuple[int, int]]:
    latest = draft.record.latest_round()
    assert latest is not None
    return latest.tables


# -- what can be taken back


def test_a_retracted_result_reopens_its_table(play: Play) -> None:
    draft = play(PLAYED)
    retract(draft, "result-reported")
    assert draft.record.round(1).outstanding == (2,)  # type: ignore[union-attr] # it is paired
    draft.decide(partial(slips.report, table=2, written=Written(winner=1)))
    assert [row.player for row in rows(draft)[:2]] == [A, D]


@pytest.mark.parametrize(
    ("decision", "kind"),
    [
        (partial(slips.correct, table=1, round_=1, written=Written("modified-win", 1)), "result-corrected"),
        (partial(roster.drop, player=A), "player-dropped"),
        (partial(roster.disqualify, player=A), "player-disqualified"),
        (partial(roster.register, person=Person(name="H")), "player-registered"),
        (partial(roster.arrive_late, person=Person(name="H")), "player-arrived-late"),
        (deciding(ties.DrawTies), "tie-resolved"),
        (partial(cuts.make_cut, size=2, deviating=True), "cut-made"),
        (partial(rounds.pair_round, secret=SECRET), "round-paired"),
        (partial(opening.close, secret=SECRET, deviating=True), "tournament-closed"),
    ],
)
def test_a_decision_and_its_retraction_leave_the_standings_unchanged(
    play: Play, decision: Decision, kind: str
) -> None:
    """TV-UNDO-4, for every kind of decision."""
    draft = play(
        FOUR if kind == "player-registered" else CUT.removesuffix("cut 2\n") if kind == "cut-made" else PLAYED
    )
    before, length = rows(draft), len(draft.entries)
    recorded = draft.decide(decision)
    for entry in reversed(recorded):
        draft.decide(partial(slips.retract, entry=entry))
    assert rows(draft) == before
    assert len(draft.entries) == length + 2 * len(recorded)


def test_a_retraction_can_itself_be_taken_back(play: Play) -> None:
    draft = play(PLAYED)
    before = rows(draft)
    draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    corrected = rows(draft)
    assert corrected != before
    first = retract(draft, "result-corrected")
    assert rows(draft) == before
    [second] = draft.decide(partial(slips.retract, entry=first))
    assert rows(draft) == corrected
    [third] = draft.decide(partial(slips.retract, entry=second))
    assert rows(draft) == before
    draft.decide(partial(slips.retract, entry=third))
    assert rows(draft) == corrected


@pytest.mark.parametrize("decision", [roster.drop, roster.disqualify])
def test_a_mistaken_drop_is_undone_in_one_step(play: Play, decision: Callable[..., object]) -> None:
    draft = play(PLAYED)
    [entry] = draft.decide(partial(decision, player=B))  # type: ignore[arg-type] # both are decisions
    draft.decide(partial(slips.retract, entry=entry))
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert draft.record.round(2).players == {A, B, C, D}  # type: ignore[union-attr] # it was just paired


def test_a_retracted_no_show_brings_the_player_back(play: Play) -> None:
    draft = play(FOUR)
    draft.decide(seat((A, B), (C, D)))
    entries = draft.decide(partial(slips.no_show, absent=(B,)))
    for entry in reversed(entries):
        draft.decide(partial(slips.retract, entry=entry))
    assert draft.record.status(B) == "active"
    assert draft.record.round(1).outstanding == (1, 2)  # type: ignore[union-attr] # it was just paired


def test_a_retracted_pairing_is_paired_again(play: Play) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    retract(draft, "round-paired")
    assert draft.record.latest_round().number == 1  # type: ignore[union-attr] # round 1 is there
    draft.decide(partial(roster.arrive_late, person=Person(name="H")))
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert draft.record.round(2).players == {A, B, C, D, E}  # type: ignore[union-attr] # it was just paired


@pytest.mark.parametrize("rulebook", ["pokemon-2009", "l5r-2018"])
@pytest.mark.parametrize("returning", [False, True])
def test_a_retracted_pairing_also_ends_the_loss_charged_for_its_round(
    play: Play, rulebook: str, *, returning: bool
) -> None:
    """PKM-3.1.4-LATE and L5R-IV.2-REJOIN: a charged player plays in the round that is paired again."""
    draft = play(PLAYED.replace("l5r-2018", rulebook) + ("drop D\n" if returning else ""))
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    if returning:
        draft.decide(partial(roster.rejoin, player=D))
    else:
        draft.decide(partial(roster.arrive_late, person=Person(name="H"), rounds_started=2))
    player = D if returning else E
    before = draft.record.charged_rounds(player, 2)
    assert 2 in before
    undone = retract(draft, "round-paired")
    draft.decide(partial(slips.retract, entry=undone))
    assert draft.record.charged_rounds(player, 2) == before, "the pairing counts again, and the charge with it"
    retract(draft, "entry-retracted")
    assert draft.record.charged_rounds(player, 2) == before[:-1]
    charged = last(draft, "player-rejoined" if returning else "player-arrived-late").fact
    assert ", no longer charged with round 2 (pairing retracted)" in tell(draft.record, charged)
    assert (", charged with round 1," in tell(draft.record, charged)) is not returning
    assert standings(draft.record).table.points[player] == draft.record.rulebook.unpaired_loss_points
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert player in draft.record.round(2).players  # type: ignore[union-attr] # it was just paired
    assert draft.record.charged_rounds(player, 2) == before[:-1]
    assert [item.entry.position for item in integrity(draft.entries) if item.kind == "manual pairing"] == [
        draft.record.round(1).position  # type: ignore[union-attr] # the sheet paired it
    ]


def test_a_charged_loss_counts_again_if_the_new_pairing_omits_the_player(play: Play) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    draft.decide(partial(roster.arrive_late, person=Person(name="H"), rounds_started=2))
    retract(draft, "round-paired")
    draft.decide(seat((A, C), (B, D)))
    assert draft.record.charged_rounds(E, 2) == [1, 2]


def test_the_same_results_give_the_same_pairing_again(play: Play) -> None:
    """After a retraction, pairing again gives the same round."""
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    derived = tables(draft)
    retract(draft, "round-paired")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert tables(draft) == derived


def test_a_retracted_amendment_restores_the_seating(play: Play) -> None:
    draft = play(SIX)
    draft.decide(seat((A, B), (C, D), (E, F)))
    before = tables(draft)
    draft.decide(partial(rounds.amend_pairing, games=[(A, C), (B, D)]))
    retraction = retract(draft, "pairing-amended")
    assert tables(draft) == before
    draft.decide(partial(slips.retract, entry=retraction))
    assert tables(draft) == {1: (A, C), 2: (B, D), 3: (E, F)}


def test_a_retracted_registration_frees_the_name(play: Play) -> None:
    draft = play(FOUR)
    retract(draft, "player-registered")
    draft.decide(partial(roster.register, person=Person(name="D")))
    assert [(player.number, player.name) for player in draft.record.entered()] == [
        (A, "A"),
        (B, "B"),
        (C, "C"),
        (E, "D"),
    ]


def test_a_retracted_closing_reopens_the_tournament(play: Play) -> None:
    draft = play(PLAYED + "close\n")
    retract(draft, "tournament-closed")
    draft.decide(partial(roster.drop, player=A))
    draft.decide(partial(opening.close, secret=SECRET, deviating=True))
    assert draft.record.closing is not None


# -- what cannot be taken back


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("tournament-opened", "opened under"),
        ("file-imported", "imported"),
        ("standings-posted", "standings after round 1 posted"),
    ],
)
def test_a_record_of_a_past_action_cannot_be_retracted(play: Play, refused: Refused, kind: str, said: str) -> None:
    draft = play(PLAYED)
    draft.decide(deciding(opening.PostStandings))
    refusal = refused(draft, partial(slips.retract, entry=last(draft, kind)))
    assert re.fullmatch(rf"entry \d+ \(.*{said}.*\) cannot be taken back", refusal)


def test_an_entry_can_be_retracted_once(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    entry = last(draft, "result-reported")
    retract(draft, "result-reported")
    assert refused(draft, partial(slips.retract, entry=entry)) == (
        f"entry {entry.position} no longer counts: retract the entry that took it back instead"
    )


@pytest.mark.parametrize("kind", ["result-reported", "player-registered", "round-paired"])
def test_only_the_closing_of_a_closed_tournament_can_be_retracted(play: Play, refused: Refused, kind: str) -> None:
    draft = play(PLAYED + "close\n")
    assert refused(draft, partial(slips.retract, entry=last(draft, kind))) == (
        f"the tournament is closed: retract entry {draft.entries[-1].position} to go on"
    )


@pytest.mark.parametrize(
    ("sheet", "kind", "reason"),
    [
        (PLAYED, "player-registered", "D has been paired since: drop the player instead"),
        (
            PLAYED + "late H 1\nround 2\n  A > C\n  B > D\n  H bye\n",
            "player-arrived-late",
            "H has been paired since: drop the player instead",
        ),
        (
            PLAYED + "drop B\nrejoin B\nround 2\n  A > C\n  B > D\n",
            "player-rejoined",
            "B has been paired since: drop the player instead",
        ),
        (
            PLAYED,
            "round-paired",
            "round 1 has results: retract them first, or undo the whole round",
        ),
        (
            CUT,
            "round-paired",
            "entry 11 (cut to 2 after round 1: A, C) builds on round 1: retract that entry first",
        ),
        (
            CUT + "elimination 1\n  A > C\n",
            "cut-made",
            "the elimination stage is paired from this cut: retract its pairings first",
        ),
    ],
)
def test_an_entry_cannot_be_retracted_while_later_entries_depend_on_it(
    play: Play, refused: Refused, sheet: str, kind: str, reason: str
) -> None:
    draft = play(sheet)
    assert refused(draft, partial(slips.retract, entry=last(draft, kind))) == reason


@pytest.mark.parametrize(
    ("leave", "kind", "instead"),
    [
        ("drop B", "player-dropped", "let the player rejoin, or retract entry 10 and override"),
        ("disqualify B", "player-disqualified", "give a reason to charge no loss"),
    ],
)
def test_retracting_a_drop_after_a_missed_round_is_refused(
    play: Play, refused: Refused, leave: str, kind: str, instead: str
) -> None:
    draft = play(PLAYED + f"{leave}\nround 2\n  A > C\n  D bye\n")
    retraction = partial(slips.retract, entry=last(draft, kind))
    assert refused(draft, retraction) == (
        f"B missed round 2 and would get no loss for it: {instead} (L5R-IV.2-REJOIN)"
    )
    draft.decide(partial(retraction, override=True))
    assert draft.record.status(B) == "active"
    last_item = integrity(draft.entries)[-1]
    assert (last_item.kind, last_item.rules) == ("retraction", ("L5R-IV.2-REJOIN",))


def test_retracting_a_result_after_the_cut_was_played_is_listed_with_its_rule(play: Play) -> None:
    draft = play(CUT + "elimination 1\n  A > C\n")
    first = next(entry for entry in draft.entries if isinstance(entry.fact, ResultReported))
    draft.decide(partial(slips.retract, entry=first, override=True))
    last_item = integrity(draft.entries)[-1]
    assert (last_item.kind, last_item.rules) == ("retraction", ("L5R-IV.2b-CUTDROP", "L5R-IV.2b-CUT"))


def test_a_late_player_who_was_seated_by_an_amendment_stays(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    draft.decide(partial(roster.arrive_late, person=Person(name="H"), rounds_started=1))
    draft.decide(partial(rounds.amend_pairing, games=[], byes=[E]))
    assert refused(draft, partial(slips.retract, entry=last(draft, "player-arrived-late"))) == (
        "H has been paired since: drop the player instead"
    )


def test_pairings_are_retracted_in_reverse_order(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    first = last(draft, "round-paired")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert refused(draft, partial(slips.retract, entry=first)) == (
        "round 1 was followed by another: retract the pairing of the last one first"
    )


def test_amendments_of_pairings_are_retracted_in_reverse_order(play: Play, refused: Refused) -> None:
    draft = play(SIX)
    draft.decide(seat((A, B), (C, D), (E, F)))
    [first] = draft.decide(partial(rounds.amend_pairing, games=[(A, C), (B, D)]))
    [second] = draft.decide(partial(rounds.amend_pairing, games=[(A, E), (C, F)]))
    assert refused(draft, partial(slips.retract, entry=first)) == (
        f"round 1 was amended again: retract entry {second.position} first"
    )
    draft.decide(partial(slips.retract, entry=second))
    draft.decide(partial(slips.retract, entry=first))
    assert tables(draft) == {1: (A, B), 2: (C, D), 3: (E, F)}


def test_an_amendment_cannot_be_retracted_after_its_tables_have_played(play: Play, refused: Refused) -> None:
    draft = play(SIX)
    draft.decide(seat((A, B), (C, D), (E, F)))
    draft.decide(partial(rounds.amend_pairing, games=[(A, C), (B, D)]))
    draft.decide(partial(slips.report, table=2, written=Written(winner=0)))
    assert refused(draft, partial(slips.retract, entry=last(draft, "pairing-amended"))) == (
        "table 2 has a result: retract it first"
    )


def test_retracting_a_swiss_result_behind_the_cut_needs_an_override(play: Play, refused: Refused) -> None:
    """TV-UNDO-5."""
    draft = play(CUT + "elimination 1\n  A > C\n")
    entry = next(entry for entry in draft.entries if entry.fact.kind == "result-reported")
    assert refused(draft, partial(slips.retract, entry=entry)).startswith(
        "an elimination game was played, so the Swiss results are final ("
    )
    [retraction] = draft.decide(partial(slips.retract, entry=entry, override=True))
    assert refused(draft, partial(slips.retract, entry=retraction)).startswith("an elimination game was played")
    draft.decide(partial(slips.retract, entry=retraction, override=True))
    assert draft.record.round(1).outstanding == ()  # type: ignore[union-attr] # it is paired


def test_an_elimination_result_can_be_retracted(play: Play) -> None:
    draft = play(CUT + "elimination 1\n  A > C\n")
    retract(draft, "result-reported")
    assert draft.record.round(1, "elimination").outstanding == (1,)  # type: ignore[union-attr] # it is paired
    retract(draft, "round-paired")
    retract(draft, "cut-made")
    assert draft.record.cut is None


# -- what cannot come back when a retraction is taken back


def test_a_pairing_is_not_restored_beside_its_replacement(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    retraction = retract(draft, "round-paired")
    draft.decide(seat((A, D), (B, C)))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        f"round 2 was paired after entry {retraction.position} took this back: record the action again"
    )


def test_a_pairing_with_a_player_who_left_is_not_restored(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    retraction = retract(draft, "round-paired")
    draft.decide(partial(roster.drop, player=B))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        "B is dropped: rejoin the player first, or name another"
    )


def test_a_drop_is_not_restored_after_the_player_was_paired(play: Play, refused: Refused) -> None:
    draft = play(PLAYED + "drop B\n")
    retraction = retract(draft, "player-dropped")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        f"round 2 was paired after entry {retraction.position} took this back: record the action again"
    )


def test_a_pairing_is_restored_although_its_cut_still_counts(play: Play) -> None:
    """In some older logs, a Swiss round was undone although the cut made after the round still counted."""
    draft = play(CUT)
    pairing = last(draft, "round-paired").position
    [undone] = draft.decide(lambda _: [EntryRetracted(retracts=pairing, undo=True)])
    draft.decide(partial(slips.retract, entry=undone))
    assert draft.record.latest_round() is not None


def test_a_registration_is_not_restored_beside_the_same_name(play: Play, refused: Refused) -> None:
    draft = play(FOUR)
    retraction = retract(draft, "player-registered")
    draft.decide(partial(roster.register, person=Person(name="d")))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        "D is registered already: a tournament has each name once"
    )


def test_a_player_cannot_rejoin_twice(play: Play, refused: Refused) -> None:
    draft = play(PLAYED + "drop B\nrejoin B\n")
    retraction = retract(draft, "player-rejoined")
    draft.decide(partial(roster.rejoin, player=B))
    assert refused(draft, partial(slips.retract, entry=retraction)) == "B has rejoined since"


def test_an_amendment_is_not_restored_on_top_of_another(play: Play, refused: Refused) -> None:
    draft = play(SIX)
    draft.decide(seat((A, B), (C, D), (E, F)))
    draft.decide(partial(rounds.amend_pairing, games=[(A, C), (B, D)]))
    retraction = retract(draft, "pairing-amended")
    [later] = draft.decide(partial(rounds.amend_pairing, games=[(A, E), (B, F)]))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        f"round 1 was amended again: retract entry {later.position} first"
    )


def test_an_amendment_is_not_restored_after_its_players_have_played(play: Play, refused: Refused) -> None:
    draft = play(SIX)
    draft.decide(seat((A, B), (C, D), (E, F)))
    draft.decide(partial(rounds.amend_pairing, games=[(A, C), (B, D)]))
    retraction = retract(draft, "pairing-amended")
    draft.decide(partial(slips.report, table=1, written=Written(winner=0)))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        "table 1 has changed since: amend the round again"
    )


def test_an_amendment_with_a_player_who_left_is_not_restored(play: Play, refused: Refused) -> None:
    draft = play(SIX)
    draft.decide(seat((A, B), (C, D), (E, F)))
    draft.decide(partial(rounds.amend_pairing, games=[(A, C), (B, D)]))
    retraction = retract(draft, "pairing-amended")
    draft.decide(partial(roster.drop, player=A))
    assert refused(draft, partial(slips.retract, entry=retraction)) == (
        "A is dropped: rejoin the player first, or name another"
    )


def test_an_earlier_return_is_restored_although_the_player_left_and_returned_again(play: Play) -> None:
    draft = play(PLAYED + "drop B\nrejoin B\ndrop B\nrejoin B\n")
    first, _ = (entry for entry in draft.entries if entry.fact.kind == "player-rejoined")
    [retraction] = draft.decide(partial(slips.retract, entry=first))
    draft.decide(partial(slips.retract, entry=retraction))
    assert not draft.record.is_dead(first.position)
    assert draft.record.status(B) == "active"
