"""Pairings in plain text: why players meet, and objections to a round."""

from __future__ import annotations

from collections.abc import Iterator

from matchledger.cli.codes import CheckFailed
from matchledger.cli.session import Moment, Session, UsageProblem, show, window_of
from matchledger.cli.tables import pairings_table
from matchledger.cli.ways import said_here
from matchledger.service.next_round import Prepared, next_round_view
from matchledger.service.window import Window, look
from matchledger.text.columns import who_and_when
from matchledger.text.labels import objection_line
from matchledger_projections.message import plain
from matchledger_projections.pairing.explanation import (
    ByeGiven,
    LeftOver,
    PassedOver,
    Side,
)
from matchledger_projections.pairing.footing import Beacon, Footing, OpenTo
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.scoring import points_text, unit_of
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.views.meetings import PairingExplanationPage, why_they_have_byes, why_they_meet
from matchledger_projections.views.sight import Sight


def say_why_they_meet(session: Session, moment: Moment, wanted: str, *, as_json: bool) -> None:
    """Print why the players of a table meet, or why a player has the bye."""
    window = window_of(session, moment)
    if wanted == "bye":
        byes = look(window, why_they_have_byes)
        show(window, byes, (line for found in byes.byes for line in _lines(moment.record, found)), as_json=as_json)
        return
    found = look(window, why_they_meet, table=_table(window, wanted))
    show(window, found, _lines(moment.record, found), as_json=as_json)


def _table(window: Window, wanted: str) -> int:
    round_ = window.need_round("swiss")
    if not wanted.isdecimal() or int(wanted) not in round_.tables:
        raise UsageProblem(f"round {round_.number} has no table {wanted}: give the number of a table, or bye")
    return int(wanted)


def _lines(record: Record, found: PairingExplanationPage) -> Iterator[str]:
    law, why, round_, entry = record.rulebook, found.draw, found.round_, found.entry
    names = " - ".join(record.players[player].name for player in found.players)
    yield f"Round {found.round}, {'bye' if found.table is None else f'table {found.table}'}: {names}"
    if why is None:
        yield f"Paired {found.seated}: entry {entry.position}, {who_and_when(entry)}"
        yield plain(entry.reason or "no reason given")
        return
    pool = f" among {why.pool}" if why.pool else ""
    yield f"Drawn{pool}: entry {entry.position}, purpose {why.purpose}, seed {why.seed}"
    for side in why.sides:
        yield f"  {_side(record, law, side, why.order)}"
    for left in why.went_down:
        yield f"{_left_over(record, left)}{_cited(law.pairing.pair_down)}"
        yield from (f"  passed over: {_passed(record, passed)}" for passed in left.passed_over)
    if why.bye is not None:
        yield from _bye_lines(record, round_, why.bye)
    else:
        first, second = (record.players[side.player].name for side in why.sides)
        rule = law.pairing.first_round if round_.number == 1 else law.pairing.groups
        yield f"In the order of the draw {first} met the first who was free and possible: {second}{_cited(rule)}"
    if why.met:
        met = " and ".join(map(str, why.met))
        yield f"They met in round {met}: no pairing without a rematch was possible{_cited(law.pairing.rematch)}"
    if why.tangled and len(why.sides) > 1:
        yield "The order alone could not pair this group: an exact matching said what could be completed"
    yield from (f"  passed over: {_passed(record, passed)}" for passed in why.passed_over)
    if why.rests_on is not None:
        yield from _footing_lines(why.rests_on)


def _footing_lines(rests_on: Footing) -> Iterator[str]:
    """List the inputs of a draw, and who could have influenced the draw."""
    before = "results" if rests_on.derivation == 1 else "points"
    yield f"The draw rests on the organizer's secret, committed to in entry 1, and on the {before} before it"
    if rests_on.registrations is not None:
        found = rests_on.registrations
        yield f"  on the registrations of {found.players} players: entry {found.entry}"
    for opened in rests_on.words:
        paper = f", {len(opened.on_paper)} of them on paper" if opened.on_paper else ""
        missing = f"; {len(opened.unopened)} were not opened" if opened.unopened else ""
        yield f"  on the words of {len(opened.players)} players{paper}, opened in entry {opened.entry}{missing}"
    for one in rests_on.beacons:
        read = f"read in entry {one.read}, signature not checked" if one.read else "not read"
        yield f"  on round {one.number} of the beacon {one.chain}, named in entry {one.named}, {read}"
    if rests_on.entered_since:
        yield f"  {rests_on.entered_since} players entered after the last words or the last beacon"
    if rests_on.moved_since:
        changes = f"{rests_on.moved_since} drops, returns, byes, divisions, flights, structures, cuts or policies"
        yield f"  {changes} came after the last words or the last beacon"
    if rests_on.revealed is not None:
        yield f"  the secret is public since entry {rests_on.revealed}, which closed the tournament"
    yield _CHOICE[rests_on.open_to]
    if rests_on.open_to == _NOBODY:
        yield from (_in_time(one) for one in rests_on.beacons)


_NOBODY: OpenTo = "nobody, if the beacon is genuine and was named in time"
_CHOICE: dict[OpenTo, str] = {
    "organizer": "The organizer alone could choose it",
    "organizer with all contributors": "The organizer could choose it only together with all who gave a word",
    "everybody who reports a result": "Everybody who reports a result could choose it",
    _NOBODY: "Nobody could choose it, if the beacon is genuine and was named before it came out",
}


def _in_time(beacon: Beacon) -> str:
    """Return who can prove that a beacon round was named before its publication."""
    out = f"before {beacon.out_at:%Y-%m-%d %H:%M:%S} UTC"
    if (seen := beacon.witnessed) is None:
        return f"  the log cannot prove that: a person who saw entry {beacon.named} {out} can"
    name = seen.key.partition("+")[0]
    return f"  witness {name} saw entry {beacon.named} {out}: its cosignature is in entry {seen.entry}"


def _bye_lines(record: Record, round_: Round, given: ByeGiven) -> Iterator[str]:
    bye = record.rulebook.bye
    if given.anybodys:
        when = "In round 1 the bye" if round_.number == 1 else "The first bye of the event"
        yield f"{when} {_FIRST_BYE} ({bye.rule})"
        return
    whom = "; everybody has had one, so it goes round again" if given.again else " who has had none"
    yield f"{_BYES[bye.choice]}{whom} ({bye.rule})"
    if given.policy is not None:
        yield f"{_PASSING[given.policy.partition('=')[2]]} ({given.policy})"
    if (tie := given.tie) is not None:
        order = ", ".join(record.players[player].name for player in tie.order)
        drawn = f"drawn, purpose {tie.purpose}, seed {tie.seed}" if tie.seed else tie.method
        yield f"They were level after round {tie.round}: {order}, in the order of entry {tie.entry} ({drawn})"


_FIRST_BYE = "is anybody's: it went to the first of the order with whom all others could be paired"
_PASSING = {
    "avoid-rematch": "A player is passed over if the others could then only be paired with a rematch",
    "by-rank": "Nobody is passed over for the sake of the others, who may meet again",
}
_BYES = {
    "lowest-ranked": "The bye goes to the lowest ranked player",
    "weakest-record": "The bye goes to a player with the weakest record",
    "lowest-group": "The bye goes to the last in the order of the lowest group",
}


def _side(record: Record, law: Rulebook, side: Side, order: int) -> str:
    name = record.players[side.player].name
    others = "alone there" if side.group_size == 1 else f"of {side.group_size} players"
    points = f"{points_text(side.points, law.unit)} {unit_of(side.points, law.unit)}"
    return f"{name}: {points}, group {side.group} {others}, place {side.place} of {order} in the draw"


def _cited(rule: str) -> str:
    return "" if rule == UNWRITTEN else f" ({rule})"


def _left_over(record: Record, left: LeftOver) -> str:
    name = record.players[left.player].name
    own = f" of {left.division}" if left.division else ""
    if left.pile == 1:
        return f"In group {left.group} nobody else{own} was to be paired: {name} went down"
    had = f"Group {left.group} had {left.pile} players{own} to pair"
    if left.because == "odd":
        return f"{had}, an odd number: {name} was over and went down"
    return f"{had}: no better pairing of all kept {name} there"


def _passed(record: Record, passed: PassedOver) -> str:
    name = record.players[passed.player].name
    rounds = " and ".join(map(str, passed.rounds))
    rules = record.rulebook.pairing
    match passed.because:
        case "met":
            return f"{name}, met in round {rounds}{_cited(rules.rematch)}"
        case "had a bye":
            return f"{name}, who had the bye in round {rounds}{_cited(rules.second_bye)}"
        case "division":
            divisions = record.rulebook.divisions
            rule = UNWRITTEN if divisions is None else divisions.modified_rule
            return f"{name}, of another division{_cited(rule)}"
        case "no best pairing":
            return f"{name}: no best pairing of the others would have been left"


# -- objections to a round


def say_preview(prepared: Prepared, *, as_json: bool) -> None:
    """Print the next round without recording it, and the objections to it."""
    record = prepared.record
    show(Sight.of(record), next_round_view(prepared), _preview(record, prepared), as_json=as_json)
    if prepared.objections:
        raise CheckFailed


def _preview(record: Record, prepared: Prepared) -> Iterator[str]:
    stage = "elimination round" if prepared.stage == "elimination" else "round"
    yield f"PREVIEW of {stage} {prepared.number}: nothing is recorded."
    yield from pairings_table(record, prepared.round) if prepared.round is not None else ()
    for objection in prepared.objections:
        yield f"problem: {said_here(objection_line(record, objection))}"
    yield from (f"note: {said_here(note)}" for note in prepared.notes)
