"""Elimination rounds with other players than the bracket gives: paired by hand, or after a correction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from tests.event import SECRET, Rule
from tests.pairing.test_recompute_pairings import recomputed
from tests.stages.conftest import Event, Start
from tests.stages.test_brackets import after_cut

from matchledger.commands import (
    card_incidents,
    eliminations,
    penalties,
    repairs,
    structures,
    time_tiebreaks,
    tournaments,
)
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.events import AnyFact, Bye, ResultReported, RoundPaired, Seating
from matchledger.notation.slip import Written
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import brackets, seated_of, sides_due
from matchledger_projections.stages.placing import champions
from matchledger_projections.views.integrity import integrity

SEEDS = ("l5r-2018", "pokemon-2009", "street-warriors-2004", "ashes-2022")
close = partial(tournaments.close, secret=SECRET)
pair = partial(eliminations.pair_elimination, secret=SECRET)

every_rulebook = pytest.mark.parametrize("rulebook", SEEDS)


def by_hand(*games: tuple[int, ...], byes: tuple[int, ...] = ()) -> partial[list[AnyFact]]:
    tables = [Seating(table=table, players=(first, second)) for table, (first, second) in enumerate(games, 1)]
    given = [Bye(player=player) for player in byes]
    return partial(rounds.pair_by_hand, games=tables, byes=given, stage="elimination")


def due(event: Event, number: int) -> list[tuple[int, ...]]:
    """Return the seats of the games that the brackets give for a round."""
    found = [sides for drawn in brackets(event.record) for sides in sides_due(event.record, drawn, number)]
    return [seated_of(event.record, sides) for sides in found]


def favourites(event: Event) -> None:
    """Report the current elimination round: the first player of each table wins."""
    for table in event.round().outstanding:
        event.report(table, stage="elimination")


def kinds(event: Event) -> list[str]:
    return [item.kind for item in integrity(event.draft.entries)]


def rules_listed(event: Event) -> set[str]:
    return {rule for item in integrity(event.draft.entries) for rule in item.rules}


def before_final(start: Start, rulebook: str, names: str = "A B C D") -> Event:
    event = after_cut(start, names, rulebook)
    while not event.record.rounds("elimination") or len(event.round().tables) > 2:
        event.decide(pair)
        favourites(event)
    return event


@pytest.mark.finding("A-2")
@pytest.mark.parametrize("rulebook", ["l5r-2018", "pokemon-2009"])
@pytest.mark.parametrize("forged", [0, 1, 2, 3])
def test_both_programs_name_an_elimination_round_with_other_games_than_the_bracket(
    start: Start, tmp_path: Path, rulebook: str, forged: int
) -> None:
    """A changed program draws the bracket rightly, and seats other games. Without it, no round is named."""
    played = after_cut(start, "A B C D E F G H", rulebook)

    def seated(record: Record) -> Sequence[AnyFact]:
        *before, paired = eliminations.pair_elimination(record, secret=SECRET)
        assert isinstance(paired, RoundPaired)
        tables = list(paired.tables)
        if paired.round == forged and forged < 3:
            for table, other in ((0, 1), (1, 0)):
                players = paired.tables[table].players[0], paired.tables[other].players[1]
                tables[table] = Seating(table=paired.tables[table].table, players=players)
        elif paired.round == forged:
            tables[0] = Seating(table=tables[0].table, players=(tables[0].players[0], 8))
        return [*before, paired.model_copy(update={"tables": tuple(tables)})]

    for _ in range(3):
        played.draft.decide(seated)
        for table in played.round().outstanding:
            played.report(table, stage="elimination", deviating=True)
    played.decide(partial(tournaments.close, secret=SECRET), deviating=True)
    named = [f"Elimination round {forged}: entered by hand"] if forged else []
    found = recomputed(played, tmp_path).stdout.splitlines()
    assert [line for line in found if line.startswith("Elimination")] == named
    draws = [draw for draw in rederive(played.draft.entries).draws if draw.stage == "elimination"]
    assert [f"Elimination round {draw.round}: {draw.verdict}" for draw in draws] == named


# -- rounds by hand


@every_rulebook
@pytest.mark.parametrize("given", ["one bye", "two byes"])
def test_a_final_by_byes_needs_a_reason_and_makes_no_champion(start: Start, rulebook: str, given: str) -> None:
    event = before_final(start, rulebook)
    first, second = due(event, 2)[0]
    free = by_hand(byes=(first,) if given == "one bye" else (first, second))
    refused = event.refusal(free)
    assert "elimination round 2 gives no bye to" in refused
    assert event.record.rulebook.elimination.rule("advance") in refused
    event.decide(free, deviating=True)
    assert {"departure from the structures", "manual pairing"} <= set(kinds(event))
    assert event.record.rulebook.elimination.rule("advance") in rules_listed(event)
    assert not champions(event.record)
    assert not [place for place in event.places if place.first == 1 and place.decided]
    assert "elimination round 2 does not follow from the bracket" in event.refusal(close)
    event.decide(close, deviating=True)
    assert not champions(event.record)


@every_rulebook
def test_a_round_by_hand_leaves_out_no_winner(start: Start, rulebook: str) -> None:
    event = after_cut(start, "A B C D E F G H", rulebook)
    event.decide(pair)
    favourites(event)
    (first, fourth), (second, third) = due(event, 2)
    short = by_hand((first, fourth))
    assert "would have neither a game nor a bye in elimination round 2" in event.refusal(short)
    assert event.name(second) in event.refusal(short)
    assert event.name(third) in event.refusal(short)
    event.decide(short, deviating=True)
    favourites(event)
    assert "should have a seat" in event.refusal(pair)
    event.decide(pair, deviating=True)
    favourites(event)
    assert not champions(event.record)
    assert "does not follow from the bracket" in event.refusal(close)


@every_rulebook
def test_an_elimination_event_that_is_paired_again_by_hand_seats_everybody(start: Start, rulebook: str) -> None:
    event = start(rulebook, "A B C D E F G H")
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    event.decide(pair)
    paired = event.draft.entries[-1]
    assert isinstance(paired.fact, RoundPaired)
    event.decide(slips.retract, entry=paired)
    games = due(event, 1)
    assert "would have neither a game nor a bye" in event.refusal(by_hand(games[0], byes=(games[1][0],)))
    event.decide(by_hand(*games))
    assert "departure from the structures" not in kinds(event)[-1:]


def test_an_elimination_event_without_a_drawn_bracket_gives_no_extra_byes(start: Start) -> None:
    event = start("pokemon-2009", "A B C D E F G H")
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    some = by_hand((1, 2), (3, 4), byes=(5, 6, 7, 8))
    assert "elimination round 1 gives no bye to" in event.refusal(some)


def test_a_final_without_the_announced_match_for_third_place_needs_a_reason(start: Start) -> None:
    event = start("pokemon-2009", "A B C D")
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination", playoff=True)
    event.decide(pair)
    favourites(event)
    final, _ = due(event, 2)
    assert "would have neither a game nor a bye" in event.refusal(by_hand(final))
    event.decide(by_hand(final), deviating=True)
    favourites(event)
    assert [place.decided for place in event.places] == [True, True, False, False]
    assert "places 3 to 4 are not decided" in event.refusal(close)


@every_rulebook
def test_finalists_move_to_byes_only_with_a_reason(start: Start, rulebook: str) -> None:
    event = before_final(start, rulebook)
    event.decide(pair)
    both = list(event.round().tables[1])
    free = partial(rounds.amend_pairing, games=[], byes=both, stage="elimination")
    assert "elimination round 2 gives no bye to" in event.refusal(free)
    event.decide(free, deviating=True)
    assert event.record.rulebook.elimination.rule("advance") in rules_listed(event)
    assert not champions(event.record)
    assert "2 byes are too many" in event.refusal(close)
    event.decide(rounds.amend_pairing, games=[(both[0], both[1])], stage="elimination")
    favourites(event)
    event.decide(close, deviating=True)
    assert champions(event.record) == {None: both[0]}


@every_rulebook
def test_a_round_by_hand_with_every_game_of_the_bracket_needs_no_reason(start: Start, rulebook: str) -> None:
    event = before_final(start, rulebook)
    second, first = due(event, 2)[0]
    event.decide(by_hand((first, second)))
    favourites(event)
    assert kinds(event).count("manual pairing") == 1  # only this test's Swiss round was paired by hand
    assert champions(event.record) == {None: first}


@every_rulebook
def test_players_paired_off_the_bracket_for_a_reason_play_for_the_title(start: Start, rulebook: str) -> None:
    event = after_cut(start, "A B C D", rulebook)
    event.decide(pair)
    event.decide(slips.retract, entry=event.draft.entries[-1])
    (first, fourth), (second, third) = due(event, 1)
    event.decide(by_hand((first, second), (third, fourth)), deviating=True)
    favourites(event)
    event.decide(pair)
    favourites(event)
    assert champions(event.record) == {None: first}


@pytest.mark.parametrize("rulebook", ["l5r-2018", "street-warriors-2004", "ashes-2022"])
def test_in_a_round_by_hand_the_opponent_of_a_finalist_who_left_has_the_bye(start: Start, rulebook: str) -> None:
    event = before_final(start, rulebook)
    first, second = due(event, 2)[0]
    event.drop(event.name(second))
    event.decide(by_hand(byes=(first,)))
    assert champions(event.record) == {None: first}


# -- corrections


def corrected(start: Start, rulebook: str, *, played: bool) -> tuple[Event, str, str]:
    """Return an event whose final is paired and perhaps played. After the pairing, a correction gives the second
    semifinal another winner.

    Also return the names of the player who is now out and of the player who is now in.
    """
    event = before_final(start, rulebook)
    event.decide(pair)
    if played:
        favourites(event)
    semifinals = event.record.round(1, "elimination")
    assert semifinals is not None
    out, in_ = semifinals.tables[2]
    blood = 5 if event.record.rulebook.blood_points is not None else None
    written = Written(winner=1, blood_points=blood)
    event.decide(slips.correct, table=2, round_=1, written=written, stage="elimination")
    return event, event.name(out), event.name(in_)


@every_rulebook
@pytest.mark.parametrize("played", [False, True])
def test_a_corrected_semifinal_makes_no_champion_without_a_new_final(
    start: Start, rulebook: str, *, played: bool
) -> None:
    event, out, in_ = corrected(start, rulebook, played=played)
    rule = event.record.rulebook.elimination.rule("advance")
    item = integrity(event.draft.entries)[-1]
    assert (item.kind, rule in item.rules) == ("correction", True)
    assert not champions(event.record)
    assert [place.decided for place in event.places[:2]] == [False, False]
    refused = event.refusal(close)
    assert f"{in_} should have a seat, {out} should have no seat" in refused
    event.decide(close, deviating=True)
    assert not champions(event.record)


@every_rulebook
def test_a_final_with_a_player_who_is_out_is_reported_only_with_a_reason(start: Start, rulebook: str) -> None:
    event, out, _ = corrected(start, rulebook, played=False)
    rule = event.record.rulebook.elimination.rule("advance")
    blood = 5 if event.record.rulebook.blood_points is not None else None
    report = partial(slips.report, table=1, written=Written(winner=0, blood_points=blood), stage="elimination")
    assert f"{out} no longer reaches elimination round 2" in event.refusal(report)
    event.decide(report, deviating=True)
    item = integrity(event.draft.entries)[-1]
    assert (item.kind, item.rules) == ("departure from a rule", (rule,))


def ways_to_end(event: Event) -> dict[str, tuple[Rule, dict[str, object]]]:
    """Everything that can end the game at table 1 of the elimination round besides its slip."""
    first, second = event.round().tables[1]
    law = event.record.rulebook
    blood = {"blood_points": 5} if law.blood_points is not None else {}
    found: dict[str, tuple[Rule, dict[str, object]]] = {
        "concession": (slips.ConcedeMatch, {"player": first, **blood}),
        "concession of the other": (slips.ConcedeMatch, {"player": second, **blood}),
        "no-show": (slips.RecordNoShow, {"players": (second,)}),
        "penalty": (
            penalties.GivePenalty,
            {"player": second, "penalty": "game-loss", "offence": "other", "override": True, **blood},
        ),
    }
    if law.conduct.lost_card is not None:
        card = {"player": second, "card": "Dash", "what": "lost-during-game"}
        found["lost card"] = (card_incidents.NoteCard, card)
    if law.elimination.time_tiebreaks:
        found["counts at time"] = (time_tiebreaks.EndAtTime, {"table": 1, "matches": (1, 0)})
    return found


@every_rulebook
@pytest.mark.parametrize(
    "way", ["concession", "concession of the other", "no-show", "penalty", "lost card", "counts at time"]
)
def test_a_final_with_a_player_who_is_out_needs_a_reason_to_end_in_any_way(
    start: Start, rulebook: str, way: str
) -> None:
    """Before the fix, a concession, a penalty, a lost card and counts at time could end the final of a player who
    is out without a reason.
    """
    event, out, in_ = corrected(start, rulebook, played=False)
    found = ways_to_end(event)
    if way not in found:
        pytest.skip("this rulebook ends no game like this")
    command, asked = found[way]
    rule = event.record.rulebook.elimination.rule("advance")
    assert f"{out} no longer reaches elimination round 2" in event.refusal(command, **asked)
    event.decide(command, **asked, deviating=True)
    assert any(item.rules == (rule,) for item in integrity(event.draft.entries)[-2:])
    assert not champions(event.record)
    assert f"{in_} should have a seat" in event.refusal(close)


@every_rulebook
def test_a_final_of_the_right_players_needs_no_reason_to_end_in_any_way(start: Start, rulebook: str) -> None:
    for way in ("concession", "no-show", "penalty", "lost card", "counts at time"):
        event = before_final(start, rulebook)
        event.decide(pair)
        if way in (found := ways_to_end(event)):
            command, asked = found[way]
            event.decide(command, **asked)
            assert champions(event.record), way


@every_rulebook
def test_after_a_corrected_semifinal_the_final_is_paired_again(start: Start, rulebook: str) -> None:
    event, _, _ = corrected(start, rulebook, played=False)
    paired = [entry for entry in event.draft.entries if isinstance(entry.fact, RoundPaired)][-1]
    event.decide(slips.retract, entry=paired)
    event.decide(pair)
    favourites(event)
    assert champions(event.record) == {None: due(event, 2)[0][0]}
    event.decide(close, deviating=True)


def test_an_event_cannot_close_while_a_later_round_contradicts_a_corrected_result(start: Start) -> None:
    event = before_final(start, "l5r-2018", "A B C D E F G H")
    event.decide(pair)
    quarterfinal = event.record.round(1, "elimination")
    assert quarterfinal is not None
    written = Written(winner=1, blood_points=5)
    event.decide(slips.correct, table=4, round_=1, written=written, stage="elimination")
    favourites(event)
    assert not champions(event.record)
    assert "elimination round 2 does not follow from the bracket" in event.refusal(close)


def taken_back(event: Event) -> None:
    """Retracts the elimination round in progress, with its results."""
    number = event.round().number
    for entry in reversed(event.draft.entries):
        fact = entry.fact
        if isinstance(fact, ResultReported | RoundPaired) and (fact.stage, fact.round) == ("elimination", number):
            event.decide(slips.retract, entry=entry)


def of_hands(start: Start, rulebook: str) -> Event:
    """Semifinals and a final that were paired by hand, without a drawn bracket: A and B won the semifinals, C and
    D lost.
    """
    event = after_cut(start, "A B C D", rulebook)
    event.decide(by_hand((1, 4), (2, 3)))
    favourites(event)
    event.decide(by_hand((1, 2)))
    assert not event.record.brackets_drawn
    return event


@every_rulebook
def test_a_repair_in_the_elimination_stage_names_the_round_to_retract(start: Start, rulebook: str) -> None:
    """Before the fix, the refusal said that the Swiss rounds are over, and did not say what to do."""
    repair = partial(repairs.ChooseRepair, choice="minimal")
    event, out, in_ = corrected(start, rulebook, played=False)
    assert event.refusal(repair) == (
        f"elimination round 2 does not follow from the bracket: {in_} should have a seat, {out} should have "
        "no seat (take the whole round back, and pair again)"
    )
    taken_back(event)
    event.decide(pair)
    said = "elimination round 2 follows from the results before it: there is nothing to repair"
    assert event.refusal(repair) == said
    alone = start(rulebook, "A B C D")
    alone.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    alone.decide(pair)
    assert alone.refusal(repair) == said.replace("2", "1"), "an event without Swiss rounds"


@every_rulebook
@pytest.mark.parametrize("played", [False, True])
def test_a_corrected_semifinal_by_hand_makes_no_champion_without_a_new_final(
    start: Start, rulebook: str, *, played: bool
) -> None:
    """Before the fix, a player became champion who had lost the corrected semifinal."""
    event = of_hands(start, rulebook)
    if played:
        favourites(event)
    blood = 5 if event.record.rulebook.blood_points is not None else None
    written = Written(winner=1, blood_points=blood)
    event.decide(slips.correct, table=1, round_=1, written=written, stage="elimination")
    rule = event.record.rulebook.elimination.rule("advance")
    item = integrity(event.draft.entries)[-1]
    assert (item.kind, rule in item.rules) == ("correction", True)
    assert [place.decided for place in event.places[:2]] == [False, False]
    assert {event.name(place.player) for place in event.places[:2]} == {"B", "D"}
    if not played:
        report = partial(slips.report, table=1, written=Written(winner=0, blood_points=blood), stage="elimination")
        assert "A no longer reaches elimination round 2" in event.refusal(report)
        event.decide(report, deviating=True)
    assert "D should have a seat, A should have no seat" in event.refusal(close)
    taken_back(event)
    event.decide(by_hand((2, 4)))
    favourites(event)
    event.decide(close, deviating=True)
    assert champions(event.record) == {None: 2}


@every_rulebook
def test_a_stage_by_hand_that_follows_the_results_has_a_champion(start: Start, rulebook: str) -> None:
    """The losers of the semifinals play for third place at the same time as the final."""
    event = after_cut(start, "A B C D", rulebook)
    event.decide(by_hand((1, 4), (2, 3)))
    favourites(event)
    event.decide(by_hand((1, 2), (3, 4)))
    favourites(event)
    event.decide(close, deviating=True)
    assert champions(event.record) == {None: 1}
    assert [event.name(place.player) for place in event.places] == ["A", "B", "C", "D"]


def test_a_match_for_third_place_between_wrong_players_decides_no_place(start: Start) -> None:
    event = after_cut(start, "A B C D E F G H", "pokemon-2009")
    event.decide(
        structures.AnnounceStructure, deviating=True, style="swiss-with-cut", cut=8, rounds=7, playoff=True
    )
    for _ in range(2):
        event.decide(pair)
        favourites(event)
    final, third = due(event, 3)
    other = by_hand(final, (third[0], event.number("E")))
    assert "would have neither a game nor a bye" in event.refusal(other)
    event.decide(other, deviating=True)
    for table in event.round().outstanding:
        event.report(table, stage="elimination", deviating=True)
    assert not champions(event.record)
    assert not any(place.decided for place in event.places[:4])
    assert "does not follow from the bracket" in event.refusal(close)
    taken_back(event)
    event.decide(pair)
    favourites(event)
    assert [place.player for place in event.places[:4]] == [*final, *third]
    assert all(place.decided for place in event.places[:4])


def test_without_a_bracket_too_a_final_needs_the_announced_match_for_third_place(start: Start) -> None:
    """Before the fix, the seeds decided 3rd and 4th place if no bracket was drawn."""
    event = after_cut(start, "A B C D E F G H", "pokemon-2009")
    event.decide(
        structures.AnnounceStructure, deviating=True, style="swiss-with-cut", cut=8, rounds=7, playoff=True
    )
    event.decide(by_hand((1, 8), (2, 7), (3, 6), (4, 5)))
    favourites(event)
    event.decide(by_hand((1, 4), (2, 3)))
    favourites(event)
    assert "C and D would have neither a game nor a bye" in event.refusal(by_hand((1, 2)))
    event.decide(by_hand((1, 2)), deviating=True)
    favourites(event)
    assert [place.decided for place in event.places[:4]] == [True, True, False, False]
    assert "places 3 to 4 are not decided" in event.refusal(close)
    taken_back(event)
    event.decide(by_hand((1, 2), (4, 3)))
    favourites(event)
    assert [event.name(place.player) for place in event.places[:4]] == ["A", "B", "D", "C"]
    assert all(place.decided for place in event.places[:4])


# -- no-shows


@every_rulebook
def test_a_game_without_both_players_needs_a_reason(start: Start, rulebook: str) -> None:
    event = before_final(start, rulebook)
    event.decide(pair)
    both = tuple(event.round().tables[1])
    neither = partial(slips.no_show, absent=both, stage="elimination")
    assert "an elimination match has a winner" in event.refusal(neither)
    event.decide(neither, deviating=True)
    rule = event.record.rulebook.elimination.rule("advance")
    assert ("departure from a rule", (rule,)) in [
        (item.kind, item.rules) for item in integrity(event.draft.entries)
    ]


def test_an_absent_player_is_also_dropped_in_an_elimination_round(start: Start) -> None:
    event = before_final(start, "l5r-2018")
    event.decide(pair)
    first, second = event.round().tables[1]
    stays = partial(slips.no_show, absent=(second,), stays=True, stage="elimination")
    assert "L5R-IV.2-NOSHOW" in event.refusal(stays)
    event.decide(slips.no_show, absent=(second,), stage="elimination")
    assert event.record.status(second) == "dropped"
    assert champions(event.record) == {None: first}
    assert [place.player for place in event.places[:2]] == [first, second]
