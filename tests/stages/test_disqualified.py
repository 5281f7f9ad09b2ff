"""A disqualified player has no rank and no place, at any time of the event."""

from __future__ import annotations

from functools import partial

import pytest
from tests.event import SECRET, deciding
from tests.stages.conftest import Event, Start

from matchledger import drawings
from matchledger.commands import cuts, eliminations, replacements, results, structures, tournaments
from matchledger.commands import swiss as rounds
from matchledger.events import EntryRetracted, RoundPaired, Seating, StandingsPosted
from matchledger.notation.slip import Written
from matchledger_projections.divisions.tables import rows_apart
from matchledger_projections.document import document
from matchledger_projections.rulebook.rulebook import shipped_rulebooks
from matchledger_projections.stages.placing import champions
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.integrity import integrity
from matchledger_projections.views.stages import brackets, drawn_bracket

FIELD = "A B C D E F"
RULEBOOKS = sorted(shipped_rulebooks())


def qualified(start: Start, rulebook: str) -> Event:
    """Six players ranked by name, of whom four make the cut."""
    event = start(rulebook, FIELD)
    event.ranked(FIELD)
    event.decide(cuts.make_cut, size=4, deviating=True)
    return event


def ranked(event: Event) -> str:
    """Return the players with a rank, best first, then the others."""
    rows = list(standings(event.record).rows)
    named = "".join(event.name(row.player) for row in rows if row.rank is not None)
    return f"{named} {''.join(event.name(row.player) for row in rows if row.rank is None)}".strip()


def without_place(event: Event) -> str:
    return "".join(sorted(event.name(place.player) for place in event.places if place.first is None))


@pytest.mark.finding("L-W1")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("name", ["B", "E"], ids=["a qualifier", "one who did not qualify"])
def test_a_player_disqualified_after_the_cut_has_no_rank_and_no_place(
    start: Start, rulebook: str, name: str
) -> None:
    event = qualified(start, rulebook)
    event.disqualify(name)
    assert ranked(event) == f"{FIELD.replace(' ', '').replace(name, '')} {name}"
    assert without_place(event) == name


@pytest.mark.finding("L-W1")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("name", ["A", "D", "E"], ids=["a winner", "a loser", "one who did not qualify"])
def test_a_player_disqualified_in_elimination_has_no_rank_and_no_place(
    start: Start, rulebook: str, name: str
) -> None:
    event = qualified(start, rulebook)
    event.knock_out("A B")
    event.disqualify(name)
    event.pair()
    event.wins("B" if event.round().outstanding else "")
    assert ranked(event) == f"{FIELD.replace(' ', '').replace(name, '')} {name}"
    assert without_place(event) == name
    assert all(place.decided for place in event.places)


def test_the_places_still_open_leave_out_a_disqualified_loser(start: Start) -> None:
    event = qualified(start, "pokemon-2009")
    event.knock_out("A")
    assert event.placed[:5] == ["1-4? A", "1-4? B", "1-4? C", "3-4? D", "5 E"]
    event.disqualify("D")
    assert event.placed == ["1-3? A", "1-3? B", "1-3? C", "4 E", "5 F", "- D"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_disqualified_winner_of_the_final_is_not_champion(start: Start, rulebook: str) -> None:
    event = qualified(start, rulebook)
    event.knock_out("A B")
    assert champions(event.record) == {}
    event.knock_out("A")
    assert champions(event.record) == {None: event.number("A")}
    event.disqualify("A")
    [best] = (event.name(place.player) for place in event.places if place.first == 1)
    assert best == "B"
    assert champions(event.record) == {None: event.number("B")}
    shown = document(drawn_bracket(event.record, brackets(event.record)[0]), event.record)
    assert (shown["champion"], shown["disqualified"]) == ("B", ["A"])
    assert drawings.bracket(shown).count("A (disqualified)") >= 2, "in the semifinal and in the final"


@pytest.mark.finding("L-W11")
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_cut_that_contradicts_the_standings_is_named_before_the_bracket(start: Start, by_hand: bool) -> None:
    """The disqualification of the best player is retracted after the cut, so the cut lacks this player."""
    event = start("l5r-2018", FIELD)
    event.ranked(FIELD)
    event.disqualify("A")
    mistake = event.draft.entries[-1].position
    event.decide(cuts.make_cut, size=4, deviating=True)
    event.decide(lambda _: [EntryRetracted(retracts=mistake)])
    ask = partial(eliminations.pair_elimination, secret=SECRET)
    if by_hand:
        games = [(event.number(first), event.number(second)) for first, second in ("BE", "CD")]
        seated = [Seating(table=table, players=two) for table, two in enumerate(games, 1)]
        ask = partial(rounds.pair_by_hand, games=seated, stage="elimination")
    cut = mistake + 1
    said = f"the cut no longer matches the standings (retract entry {cut} to cut again)"
    assert event.refusal(ask).startswith(said)
    event.decide(ask, deviating=True)
    found = [item for item in integrity(event.draft.entries) if isinstance(item.entry.fact, RoundPaired)]
    paired = next(item for item in found if item.entry == event.draft.entries[-1])
    assert (paired.kind, paired.rules) == ("departure from the structures", ("L5R-IV.2b-CUT",))
    assert isinstance(paired.entry.fact, RoundPaired)
    assert paired.entry.fact.deviations == ("L5R-IV.2b-CUT",)


@pytest.mark.finding("L-W1")
def test_two_players_disqualified_after_the_cut_have_no_place(start: Start) -> None:
    event = qualified(start, "l5r-2018")
    event.disqualify("A")
    event.decide(replacements.ReplaceQualifier, player=event.number("A"))
    event.knock_out("B C", "B")
    event.disqualify("F")
    assert event.placed == ["1 B", "2 C", "3 D", "4 E", "- A", "- F"]
    assert ranked(event) == "BCDE AF"
    assert {place.rule for place in event.places if place.first is None} == {"L5R-IV.2-DQ"}


def test_a_disqualified_player_had_a_rank_in_the_rounds_before(start: Start) -> None:
    event = qualified(start, "l5r-2018")
    event.knock_out("A B")
    event.disqualify("A")
    last = event.record.finished_rounds
    assert [standings(event.record, through).rank_of(1) for through in (last - 1, last)] == [1, None]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_player_disqualified_during_a_round_has_no_rank_from_that_moment(start: Start, rulebook: str) -> None:
    event = start(rulebook, "A B C D")
    event.swiss("A>B C>D")
    event.decide(
        rounds.pair_by_hand,
        games=[Seating(table=1, players=(1, 3)), Seating(table=2, players=(2, 4))],
        deviating=True,
    )
    event.disqualify("A")
    assert ranked(event).endswith(" A")
    assert without_place(event) == "A"
    posted = event.draft.decide(deciding(tournaments.PostStandings, deviating=True))[0].fact
    assert isinstance(posted, StandingsPosted)
    assert [(row.rank, row.status) for row in posted.rows if row.player == 1] == [(None, "disqualified")]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_player_disqualified_in_a_round_that_was_taken_back_wins_nothing(start: Start, rulebook: str) -> None:
    event = start(rulebook, "A B C D")
    event.swiss("A>B C>D")
    [paired] = event.decide(
        rounds.pair_by_hand,
        games=[Seating(table=1, players=(1, 3)), Seating(table=2, players=(2, 4))],
        deviating=True,
    )
    event.disqualify("A")
    event.decide(lambda _: [EntryRetracted(retracts=paired.position)])
    event.decide(tournaments.close, secret=SECRET, deviating=True)
    assert ranked(event).endswith(" A")
    assert without_place(event) == "A"
    assert event.number("A") not in champions(event.record).values()


def test_disqualification_removes_the_rank_in_a_division_that_has_finished(start: Start) -> None:
    """The division has no round left to which the disqualification could belong."""
    juniors = [f"J{number}" for number in range(1, 7)]
    masters = [f"M{number}" for number in range(1, 7)]
    sizes = {**dict.fromkeys(juniors, "junior"), **dict.fromkeys(masters, "masters")}
    event = start("pokemon-2009", " ".join([*juniors, *masters]), divisions=sizes)
    event.swiss("J1>J2 J3>J4 J5>J6 M1>M2 M3>M4 M5>M6")
    event.swiss("M1>M3 M2>M5 M4>M6")
    event.disqualify("J1")
    assert without_place(event) == "J1"
    assert "J1" not in {event.name(player) for player in champions(event.record).values()}
    assert [row.rank for row in rows_apart(event.record) if event.name(row.player) == "J1"] == [None]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("name", ["A", "B"], ids=["the winner", "the loser"])
@pytest.mark.parametrize("size", [2, 4])
def test_a_disqualified_finalist_leaves_no_gap_in_the_places(
    start: Start, rulebook: str, name: str, size: int
) -> None:
    event = start(rulebook, FIELD)
    event.ranked(FIELD)
    event.decide(cuts.make_cut, size=size, deviating=True)
    event.knock_out(*["A B", "A"][-(size // 2) :])
    event.disqualify(name)
    others = [other for other in FIELD.split() if other != name]
    assert event.placed == [*(f"{place} {other}" for place, other in enumerate(others, 1)), f"- {name}"]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("played", [False, True], ids=["before the final", "after it"])
def test_nobody_wins_if_both_finalists_are_disqualified(start: Start, rulebook: str, played: bool) -> None:
    """Place 1 stays empty on every list, and closing needs a reason."""
    event = qualified(start, rulebook)
    event.knock_out("A B", *(["A"] if played else []))
    event.disqualify("A")
    event.disqualify("B")
    assert event.placed == ["2 C", "3 D", "4 E", "5 F", "- A", "- B"]
    assert champions(event.record) == {}
    if not played:
        event.pair()
    said = event.refusal(tournaments.close, secret=SECRET)
    assert said.startswith("nobody won the final: give a reason to deviate from it")
    event.decide(tournaments.close, secret=SECRET, deviating=True)
    assert event.placed == ["2 C", "3 D", "4 E", "5 F", "- A", "- B"]
    assert champions(event.record) == {}
    closing = integrity(event.draft.entries)[-1]
    assert (closing.kind, *closing.over) == ("departure from the structures", "nobody won the final")
    assert event.record.rulebook.elimination.rule("advance") in closing.rules


def test_nobody_wins_a_final_that_both_players_lost(start: Start) -> None:
    event = qualified(start, "l5r-2018")
    event.knock_out("A B")
    event.pair()
    event.decide(results.report, table=1, written=Written(kind="double-loss"), stage="elimination", deviating=True)
    assert event.placed[:2] == ["2 A", "3 B"]
    assert champions(event.record) == {}
    assert event.refusal(tournaments.close, secret=SECRET).startswith("nobody won the final")


@pytest.mark.parametrize(("name", "words"), [("C", "lost"), ("D", "won")])
def test_the_match_for_third_place_counts_if_the_opponent_is_disqualified(
    start: Start, name: str, words: str
) -> None:
    event = start("pokemon-2009", FIELD)
    event.ranked(FIELD)
    event.decide(
        structures.AnnounceStructure, style="swiss-with-cut", rounds=5, cut=4, playoff=True, deviating=True
    )
    event.decide(cuts.make_cut, size=4, deviating=True)
    event.knock_out("A B", "A C")
    event.disqualify(name)
    third = next(place for place in event.places if place.first == 3)
    assert (third.why, third.decided) == (f"{words} the match for 3rd and 4th place", True)
