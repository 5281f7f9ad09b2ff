"""Random events, with and without deliberate departures, show that the integrity report is complete.

Each action of a random event follows the documents, departs from them, or is made by hand. This module classes
each action by the text of the documents, without the program's rulebooks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from tests.budgets import INTERVENTIONS, at_length
from tests.event import SECRET, DraftedEvent, Rule, deciding

from matchledger.cli.proving import integrity_lines
from matchledger.commands import calls, cuts, divisions, eliminations, postings, roster, structures, ties
from matchledger.commands import replacements as replacing
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.penalties import GivePenalty
from matchledger.commands.refusal import Refusal
from matchledger.commands.round_clock import start_round
from matchledger.events import AnyFact, Bye, Entry, Person, PlayerDropped, ResultCorrected, Seating
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.stages.flights import flights_of
from matchledger_projections.stages.leaving import in_line
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.views.integrity import integrity
from matchledger_projections.views.interventions import kinds_by_play

Item = TypeVar("Item")
Structure = tuple[int, int]  # the number of Swiss rounds, and the size of the cut

FOLLOWS = "Nothing was done by hand: every entry follows the rulebook."
NOBODY = ""


class Shape(NamedTuple):
    """The number of players, and every structure that the document's tables allow for it."""

    rulebook: str
    divisions: dict[str, int]
    structures: tuple[Structure, ...]

    @property
    def apart(self) -> bool:
        """Return whether the divisions play apart: each needs six players (PKM-3.1.1-POD)."""
        return len(self.divisions) > 1 and min(self.divisions.values()) >= 6


SHAPES = (
    Shape("l5r-2018", {NOBODY: 8}, ((3, 0),)),
    Shape("l5r-2018", {NOBODY: 9}, ((4, 0), (4, 4))),
    Shape("l5r-2018", {NOBODY: 17}, ((4, 4), (4, 8))),
    Shape("street-warriors-2004", {NOBODY: 8}, ((3, 2), (3, 0))),
    Shape("street-warriors-2004", {NOBODY: 9}, ((4, 4), (4, 0))),
    Shape("ashes-2022", {NOBODY: 4}, ((2, 0),)),
    Shape("ashes-2022", {NOBODY: 8}, ((3, 0),)),
    Shape("ashes-2022", {NOBODY: 17}, ((5, 4), (5, 0))),
    Shape("pokemon-2009", {"masters": 8}, ((3, 2), (2, 2), (3, 0))),
    Shape("pokemon-2009", {"junior": 6, "senior": 6}, ((3, 0), (2, 0))),
    Shape("pokemon-2009", {"junior": 3, "masters": 9}, ((4, 2), (3, 2), (4, 0))),
    Shape("pokemon-2009", {"masters": 64}, ((5, 8), (6, 8))),
)
IN_FLIGHTS = 64  # a division of this size may be split into flights (PKM-3.3.3.1-RESTRICT)
FLIGHT_ROUNDS = 5  # two flights of one division play this many rounds (PKM-3.3.3.2-COUNT)
# Rulebooks that ask for an announcement of the structure: L5R-IV.2-ANNOUNCE, PKM-2-ANNOUNCE.
TO_ANNOUNCE = {"l5r-2018", "pokemon-2009"}
TO_START = {"l5r-2018"}  # rulebooks that demand an announced start (L5R-III.2-START)
TO_POST = {"pokemon-2009"}  # rulebooks that demand posted standings (PKM-4-POST)
# Rulebooks that allow elimination alone: SWR-FORMATS, PKM-3-STYLES.
BY_ELIMINATION = {"street-warriors-2004", "pokemon-2009"}
# Rulebooks with a time limit: L5R-IV.1-CLOCK, SWR-TIME, ASH-CLOCK.
TIMED = {"l5r-2018", "street-warriors-2004", "ashes-2022"}
UNPAIRABLE = ("without a rematch", "has no bye to give", "cannot be paired: a round needs two")
POLICIES = {
    "l5r-2018": {"POL-L5R-BYE": "by-rank"},
    "street-warriors-2004": {"POL-SWR-CUT-BRACKET": "seeded"},
    "ashes-2022": {"POL-ASH-FIRST-BYE": "weakest"},
    "pokemon-2009": {"POL-PKM-TARDY": "charged"},
}


class Over(Exception):
    """Raised when no further round can be paired."""


class Played(DraftedEvent):
    """A random event that knows which of its entries the report must list."""

    def __init__(self, shape: Shape, draw: st.DrawFn) -> None:
        self.listed: list[set[int]] = []
        self.unstarted: list[Round] = []
        self._draw = draw
        self.calm = draw(st.integers(0, 3)) == 0
        self.shape = shape
        self.plan: Structure | None = None
        self.warned: set[int] = set()
        self.late_lists = self.flighted = self.by_elimination = False
        policies = POLICIES[shape.rulebook] if self.strays() else {}
        super().__init__(shape.rulebook, policies)
        self.apart = shape.apart
        if policies:
            self.listed.append({1})

    def __repr__(self) -> str:
        facts = "".join(f"\n  {entry.position} {entry.fact!r}" for entry in self.draft.entries)
        return f"{self.shape}, plan {self.plan}{facts}"

    # -- chance

    def strays(self) -> bool:
        """Return whether the next action departs from a rule. In a calm event no action departs from a rule."""
        return not self.calm and self._draw(st.integers(0, 4)) == 4

    def happens(self) -> bool:
        return self._draw(st.booleans())

    def one_of(self, items: list[Item]) -> Item:
        return self._draw(st.sampled_from(items))

    # -- actions

    def by_hand(self, decision: Rule, **asked: object) -> list[Entry]:
        """Execute an action; the integrity report must list at least one of its entries."""
        entries = self.decide(decision, **asked)
        note(f"to be listed: {', '.join(f'{entry.position} {entry.fact.kind}' for entry in entries)}")
        self.listed.append({entry.position for entry in entries})
        return entries

    def departs(self, decision: Rule, **asked: object) -> list[Entry]:
        """Execute an action that needs a reason; the integrity report must list the action."""
        refused = self.refusal(decision, **asked)
        if any(said in refused for said in UNPAIRABLE):
            raise Over
        assert "reason" in refused
        return self.by_hand(decision, **asked, deviating=True)

    def does(self, decision: Rule, *, departing: bool = False, by_hand: bool = False, **asked: object) -> None:
        """Execute an action that departs from the rules, is made by hand, or follows the documents."""
        if departing:
            self.departs(decision, **asked)
        elif by_hand:
            self.by_hand(decision, **asked)
        else:
            self.decide(decision, **asked)

    @property
    def rulebook(self) -> str:
        return self.shape.rulebook

    @property
    def round(self) -> Round:
        found = self.record.latest_round("elimination") or self.record.latest_round()
        assert found is not None
        return found

    def pool_of(self, player: int) -> str:
        """Return the group in which a player is paired: the division, if divisions play apart, and the flight."""
        division = (self.record.players[player].division or "") if self.apart else ""
        flights = flights_of(self.record, "masters") if self.flighted else ()
        return division + next((str(place) for place, flight in enumerate(flights) if player in flight), "")

    def pools(self) -> list[list[int]]:
        found: dict[str, list[int]] = {}
        for player in self.active:
            found.setdefault(self.pool_of(player), []).append(player)
        return list(found.values())

    @property
    def active(self) -> list[int]:
        return [player.number for player in self.record.active_players()]


@st.composite
def events(draw: st.DrawFn) -> Played:
    event = Played(draw(st.sampled_from(SHAPES)), draw)
    enter(event)
    announce(event)
    try:
        if event.by_elimination:
            play_bracket(event)
        else:
            play_swiss(event)
        if event.record.finished_rounds and not event.apart and event.happens():
            play_elimination(event)
        end(event)
    except Over:
        note("nothing more can be paired")
    return event


# -- before round 1


def enter(event: Played) -> None:
    for division, size in event.shape.divisions.items():
        for number in range(1, size + 1):
            person = Person(name=f"{division}{number}")
            if division == "masters" and event.strays():
                person = Person(name=person.name, born=2000)  # this year of birth makes a junior (PKM-3.1.1-POD)
                event.departs(roster.register, person=person, division=division)
            else:
                event.decide(roster.register, person=person, division=division or None)
    if event.shape.apart and event.strays():
        event.departs(divisions.DecideDivisions, mode="modified")
        event.apart = False


def announce(event: Played) -> None:
    large = sum(event.shape.divisions.values()) >= IN_FLIGHTS
    if event.strays():
        if large:  # flights without an announced cut depart from PKM-3.3.3.1-RESTRICT
            asked = {"division": "masters", "flights": 2}
            assert event.refusal(divisions.DrawFlights, **asked).endswith("(PKM-3.3.3.1-RESTRICT)")
            event.by_hand(divisions.DrawFlights, **asked, deviating=True)
            event.flighted = True
        return
    prizes = 3 if event.rulebook == "pokemon-2009" else None
    if event.rulebook in BY_ELIMINATION and not large and event.happens() and event.happens():
        event.decide(structures.AnnounceStructure, style="elimination", prizes=prizes)
        event.by_elimination = True
        return
    if event.strays():
        rounds_, cut = event.one_of([(7, 0), (2, 3), (1, 0)])
        event.departs(structures.AnnounceStructure, style=style(cut), rounds=rounds_, cut=cut, prizes=prizes)
        event.plan = rounds_, cut
    if prizes and event.strays():
        rounds_, cut = event.shape.structures[0]
        event.departs(structures.AnnounceStructure, style=style(cut), rounds=rounds_, cut=cut)
        event.plan = rounds_, cut
    if event.plan is None or event.happens():
        event.plan = rounds_, cut = event.one_of(list(event.shape.structures))
        asked = {"style": style(cut), "rounds": rounds_, "cut": cut, "prizes": prizes}
        if event.rulebook == "l5r-2018":
            event.late_lists = event.strays()
            asked["deck_lists"] = event.late_lists
            if event.happens():
                event.plan = rounds_, cut = 2, 4  # a custom structure may have these numbers (L5R-V.3-CUSTOM)
                asked |= {"structure": "custom", "style": style(cut), "rounds": rounds_, "cut": cut}
            else:
                asked["structure"] = "basic" if (rounds_, cut) == event.shape.structures[0] else "advanced"
        event.decide(structures.AnnounceStructure, **asked)
        if large and (rounds_ == FLIGHT_ROUNDS or not event.calm) and event.happens():
            event.decide(divisions.DrawFlights, division="masters", flights=2)
            event.flighted = True


def style(cut: int) -> str:
    return "swiss-with-cut" if cut else "swiss"


# -- the Swiss rounds


def play_swiss(event: Played) -> None:
    large = sum(event.shape.divisions.values()) >= IN_FLIGHTS
    due = event.plan[0] if event.plan else event.one_of(sorted({number for number, _ in event.shape.structures}))
    last = 1 if large else min(due, 6)
    if event.strays():
        last = event.one_of([max(1, last - 1), last + 1])
    for number in range(1, last + 1):
        unposted = pair(event, number)
        if event.happens():
            arrive_late(event)
        if event.strays() and len(event.round.outstanding) > 1:
            amend(event)
        started = start(event, unposted=unposted)
        report(event)
        if not started and event.rulebook in TO_START:
            event.unstarted.append(event.round)
        if event.happens():
            leave(event)
        if event.strays():
            meddle(event)


def pair(event: Played, number: int) -> bool:
    """Pair a round. Return whether the wall lacks the standings of the round before."""
    unposted = False
    if number > 1 and event.rulebook in TO_POST:
        unposted = event.strays()
        if not unposted:
            event.decide(opening.PostStandings)
    most = event.plan[0] if event.plan else max(rounds_ for rounds_, _ in event.shape.structures)
    beyond = number > most
    unfit = number == 1 and event.flighted and event.plan is not None and event.plan[0] != FLIGHT_ROUNDS
    call = question(event) if number > 1 and event.rulebook not in TO_POST and event.strays() else None
    departing = beyond or unfit or call is not None or (number == 1 and event.late_lists)
    unannounced = number == 1 and event.plan is None and event.rulebook in TO_ANNOUNCE
    if event.strays():
        pair_by_hand(event, number, departing=departing)
    else:
        by_hand = unannounced or unposted
        try:
            event.does(rounds.pair_round, departing=departing, by_hand=by_hand, secret=SECRET)
        except Refusal as refused:
            if any(said in str(refused) for said in UNPAIRABLE):
                raise Over from None
            raise
    if beyond and event.plan is not None:
        event.plan = number, event.plan[1]
    if call is not None:
        event.decide(calls.AnswerCall, position=call)
    return unposted


def question(event: Played) -> int:
    """Call the desk about a result of the round before. Return the entry of the call, which stays unanswered."""
    told = [(players[0], known.position) for _, players, known in event.round.results() if known is not None]
    player, disputes = event.one_of(told)
    [called] = event.decide(calls.call_desk, player=player, round_=event.round.number, disputes=disputes)
    return called.position


def pair_by_hand(event: Played, number: int, *, departing: bool) -> None:
    """Pair each player with the next player in order of registration, inside each group.

    The bye of a group goes to the right player, or wrongly to a leader.
    """
    try:
        drawn = rounds.round_to_come(event.record, number, secret=SECRET)
    except Refusal:
        raise Over from None
    due = {bye.player for bye in drawn.byes}
    points, had = crosstable(event.record, event.record.rulebook, number - 1).points, had_bye(event)
    by_chance = number == 1 or (event.rulebook == "ashes-2022" and not had)  # ASH-BYE
    by_chance |= any(pool.pairing.rematches for pool in drawn.pools)
    games, byes = [], []
    for group in event.pools():
        players = group
        if len(group) % 2:
            [bye] = due & set(group)
            leader = max(set(group) - had, key=points.__getitem__, default=bye)
            if not by_chance and points[leader] > points[bye] and event.strays():
                bye, departing = leader, True
            byes.append(Bye(player=bye))
            players = [player for player in group if player != bye]
        games += list(zip(players[::2], players[1::2], strict=True))
    if not games:
        raise Over
    second = any(bye.player in had for bye in byes)
    event.does(
        rounds.pair_by_hand,
        departing=departing or second,
        by_hand=True,
        games=[Seating(table=table, players=two) for table, two in enumerate(games, 1)],
        byes=byes,
        rematches=[two for two in games if rounds.meeting(event.record, *two)],
    )


def had_bye(event: Played) -> set[int]:
    return {bye.player for round_ in event.record.rounds() for bye in round_.byes}


def amend(event: Played) -> None:
    """Let two tables exchange opponents, within divisions that play apart and within flights."""
    tables = list(event.round.tables.values())
    first, second = tables[0], tables[-1]
    games = [(first[0], second[0]), (first[1], second[1])]
    apart = event.pool_of(first[0]) != event.pool_of(second[0])
    event.does(
        rounds.amend_pairing,
        departing=apart,
        by_hand=True,
        games=games,
        rematches=[two for two in games if rounds.meeting(event.record, *two)],
    )


def start(event: Played, *, unposted: bool = False) -> bool:
    """Start a round, or leave the round unstarted and return False. The pairings of a round can be posted only
    after the standings of the round before.
    """
    if event.strays():
        return False
    if event.rulebook in TO_POST and not unposted:
        unposted = event.strays()
        if not unposted:
            event.decide(postings.PostPairings)
    odd = event.rulebook in TIMED and event.strays()
    event.does(start_round, by_hand=unposted or odd, minutes=7 if odd else None)
    return True


def report(event: Played) -> None:
    """Report every open table. First, one table may get a no-show or a penalty."""
    where = event.round
    if where.outstanding and event.happens():
        trouble(event, where, event.one_of(list(where.outstanding)))
    for table in event.round.outstanding:
        blood = 5 if event.rulebook == "ashes-2022" else None
        slip = Written(winner=event.one_of([0, 1]), blood_points=blood)
        if event.rulebook == "street-warriors-2004" and where.stage == "swiss" and event.happens():
            slip = Written(kind="draw")
        event.decide(slips.report, table=table, written=slip, stage=where.stage)


def trouble(event: Played, where: Round, table: int) -> None:
    first, second = where.tables[table]
    if where.stage == "swiss" and event.happens():
        stays = event.strays()
        # L5R-IV.2-NOSHOW drops an absent player. The other documents do not say what happens to an absent player.
        departing = stays and event.rulebook == "l5r-2018"
        event.does(slips.no_show, departing=departing, absent=(first,), stays=stays, stage="swiss")
        return
    if not event.strays():
        event.decide(slow, player=second, penalty="warning")
        event.warned.add(second)
    unwarned = event.rulebook == "ashes-2022" and second not in event.warned  # ASH-SLOW
    event.does(slow, by_hand=unwarned, player=second, penalty="game-loss", override=True)


def slow(record: Record, **asked: object) -> Sequence[AnyFact]:
    blood = None if record.rulebook.blood_points is None else 0
    return deciding(GivePenalty, offence="slow-play", blood_points=blood, **asked)(record)


def arrive_late(event: Played) -> None:
    if event.late_lists:
        return
    division = list(event.shape.divisions)[-1] or None
    person = Person(name=f"Late {event.record.position}")
    seated = not event.flighted and any(
        not event.apart or event.record.players[bye.player].division == division for bye in event.round.byes
    )
    last = event.plan[0] if event.plan else max(rounds_ for rounds_, _ in event.shape.structures)
    # A late player is charged with every round except the round with a seat for the player.
    over = event.round.number - seated >= last
    event.does(roster.arrive_late, departing=over, person=person, division=division, secret=lambda: SECRET)


def leave(event: Played) -> None:
    decision: Rule = roster.disqualify if event.happens() else roster.drop
    event.decide(decision, player=event.one_of(event.active))


def meddle(event: Played) -> None:
    """Intervene by hand between two rounds."""
    event.one_of([correct, take_back, rejoin, announce_anew, order_ties])(event)


def correct(event: Played) -> None:
    told = [(table, players, report_) for table, players, report_ in event.round.results() if report_ is not None]
    if told:
        table, players, known = event.one_of(told)
        blood = 7 if event.rulebook == "ashes-2022" else None
        slip = Written(winner=0 if known.winner == players[1] else 1, blood_points=blood)
        event.by_hand(slips.correct, table=table, round_=event.round.number, written=slip, override=True)


def take_back(event: Played) -> None:
    taken = [
        entry
        for entry in event.draft.entries
        if isinstance(entry.fact, PlayerDropped | ResultCorrected) and not event.record.is_dead(entry.position)
    ]
    if taken:
        event.by_hand(slips.retract, entry=event.one_of(taken), override=True)


def rejoin(event: Played) -> None:
    left = [player.number for player in event.record.entered() if event.record.status(player.number) == "dropped"]
    if left:
        event.by_hand(roster.rejoin, player=event.one_of(left))


def announce_anew(event: Played) -> None:
    """Announce other rounds. PKM-2-ANNOUNCE and L5R-IV.2-ANNOUNCE demand the announcement before round 1.

    The other documents demand none, so that the first announcement departs only from the table.
    """
    before, event.plan = event.plan, (event.round.number + 1, 0)
    asked: dict[str, Any] = {"style": "swiss", "rounds": event.plan[0], "cut": 0, "prizes": 3}
    first = before is None and not event.by_elimination and event.rulebook not in TO_ANNOUNCE
    if before != event.plan:
        departs = not (first and event.plan in event.shape.structures)
        event.does(structures.AnnounceStructure, departing=departs, **asked)


def order_ties(event: Played) -> None:
    """Order ties by hand. The guide of Street Warriors demands a game for the order (SWR-TB)."""
    record = event.decide if event.rulebook == "street-warriors-2004" else event.by_hand
    for _, tied in ties.ties_after(event.record, event.record.finished_rounds):
        record(ties.order_tie, players=tied)


def settle(event: Played) -> None:
    """Draw the ties. Under Street Warriors, tied players play a game for their order, so record an order."""
    if event.rulebook == "street-warriors-2004":
        order_ties(event)
    elif ties.ties_after(event.record, event.record.finished_rounds):
        event.decide(ties.DrawTies)


# -- the cut, the elimination rounds and the end


def play_elimination(event: Played) -> None:
    through, active = event.record.finished_rounds, len(event.active)
    due = [event.plan] if event.plan else event.shape.structures
    fitting = [cut for rounds_, cut in due if rounds_ == through and 0 < cut <= active]
    strays = event.strays()
    if not strays and not fitting:
        return
    size = event.one_of([size for size in (2, 3, 4, 8) if size <= active] or fitting if strays else fitting)
    settle(event)
    unposted = event.rulebook in TO_POST and event.strays()
    if event.rulebook in TO_POST and not unposted:
        event.decide(opening.PostStandings)
    event.does(cuts.make_cut, departing=size not in fitting, by_hand=unposted, size=size)
    play_bracket(event)


def play_bracket(event: Played) -> None:
    """Play the bracket to its end. A player may leave, or join before the first game starts."""
    while pair_elimination(event):
        if event.happens():
            event.decide(roster.drop, player=event.one_of(sorted(event.round.players & set(event.active))))
        elif event.by_elimination and event.round.number == 1 and event.happens():
            event.decide(roster.arrive_late, person=Person(name=f"Late {event.record.position}"))
        if event.record.latest_round("elimination") is None:
            continue  # the bracket was retracted, and the later bracket has other players
        started = bool(event.round.outstanding) and start(event)
        played = bool(event.round.outstanding)
        report(event)
        if played and not started and event.rulebook in TO_START:
            event.unstarted.append(event.round)


def pair_elimination(event: Played) -> bool:
    """Pair the next elimination round. Return False if no round is left. If a qualifier left before the first
    game, the next player in line takes the place.
    """
    if event.record.cut is not None and not event.record.rounds("elimination"):
        for player in qualifiers(event.record):
            if event.record.status(player) != "active" and in_line(event.record, player):
                settle(event)
                event.by_hand(replacing.ReplaceQualifier, player=player)
    try:
        event.decide(eliminations.pair_elimination, secret=SECRET)
    except Refusal as refused:
        if any(said in str(refused) for said in ("final is played", "make no bracket")):
            return False
        raise
    return True


def end(event: Played) -> None:
    if not event.strays():
        settle(event)
    through = event.record.finished_rounds
    due = [event.plan] if event.plan else event.shape.structures
    whole = event.record.cut is not None or event.by_elimination or (through, 0) in due
    whole = whole or (event.plan is None and len(event.active) < 2)
    level = any(shares_places(event, tied) for _, tied in ties.ties_after(event.record, through))
    if event.calm and not whole:
        return
    event.does(opening.close, departing=level or not whole, secret=SECRET)


def shares_places(event: Played, tied: Sequence[int]) -> bool:
    """Return whether two tied players share a place. Each age division has its own places (PKM-3.1.2-MOD)."""
    if event.record.cut is not None:
        return True  # a common cut joins the divisions into one event
    divisions = [event.record.players[player].division for player in tied]
    return len(set(divisions)) < len(divisions)


# -- the property


@settings(
    max_examples=at_length(INTERVENTIONS),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(events())
def test_integrity_lists_exactly_the_interventions_and_departures(event: Played) -> None:
    rounds_ = (event.record.round(round_.number, round_.stage) for round_ in event.unstarted)
    event.listed += [{round_.position} for round_ in rounds_ if round_ is not None and kinds_by_play(round_)]
    found = integrity(event.draft.entries, shipped_laws=[rulebook_text(event.rulebook)])
    listed = {item.entry.position: (item.kind, item.rules) for item in found}
    missed = [group for group in event.listed if not group & listed.keys()]
    besides = {position: listed[position] for position in listed.keys() - set().union(*event.listed)}
    assert (missed, besides) == ([], {})
    assert all(item.rules for item in found)
    assert (next(integrity_lines(event.record, found)) == FOLLOWS) is (not event.listed)
