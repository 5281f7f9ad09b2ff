"""Staff: appointing leaders, recording who is on duty, and which leaders may play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from matchledger.commands.command import Command, Context, Player, Text, argument, known, option
from matchledger.commands.refusal import Refusal, departing, name_of, need_active, need_open
from matchledger.events import AnyFact, Duty, Office, RoundPaired, Seating, StaffAssigned, StaffDutyChanged, Two
from matchledger.notation.player_lookup import find_leader, person_named
from matchledger_projections.conduct.staff import (
    assignments,
    leader_called,
    leaders,
    leaders_in,
    responsible_leader,
    responsible_leaders,
    unruled,
)
from matchledger_projections.message import both, demanding, sentence, word
from matchledger_projections.pairing.check import of_drawn, rule_of, unready, why_unready
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook


def _need_no_organizer(record: Record) -> None:
    rules = record.rulebook.staff
    organizer = next((leader for leader in leaders(record) if leader.role == "organizer"), None)
    if rules is not None and organizer is not None:
        raise Refusal(
            demanding(
                sentence(
                    "%(player)s is the organizer, and there is one: %(player)s has to leave the staff first",
                    player=organizer.name,
                ),
                "a leader who goes",
            ),
            rules.organizer,
        )


def _need_one_leader(record: Record, player: int) -> None:
    if (same := next((leader for leader in leaders(record) if leader.player == player), None)) is not None:
        raise Refusal(
            sentence(
                "%(player)s is %(leader)s, who is %(role)s already",
                player=name_of(record, player),
                leader=same.name,
                role=word(same.role),
            )
        )


def _was_announced(record: Record, name: str) -> bool:
    """Return whether a person was announced as a leader before, in any role."""
    return any(leader.announced for leader in assignments(record) if leader.is_called(name))


# -- leaders who play


def need_leave_to_play(record: Record, name: str) -> None:
    """Refuse to register a leader who may not play in the event."""
    if (leader := leader_called(record, name)) is not None:
        _need_to_be_let_play(record, leader.name, leader.role)


def need_leave_to_return(record: Record, player: int) -> None:
    """Refuse to bring back a dropped player who has joined the staff and may not play."""
    for leader in leaders(record):
        if leader.player == player:
            _need_to_be_let_play(record, leader.name, leader.role)


def need_tier_for_leaders(record: Record, changed: Rulebook) -> None:
    """Refuse to change the event's tier if a leader who plays may not play in the new tier."""
    for leader in leaders(record):
        if leader.plays and changed.tier != record.rulebook.tier:
            _need_playing_tier(changed, leader.name, leader.role)


def _need_playing_tier(rulebook: Rulebook, name: str, role: Office) -> None:
    rules, tier = rulebook.staff, rulebook.tier
    if rules is None or tier in rules.playing_tiers:
        return
    kind = sentence("a %(tier)s event", tier=tier) if tier else sentence("an event without a tier")
    raise Refusal(
        sentence(
            "%(player)s is %(role)s of this event, and leaders do not play in %(kind)s",
            player=name,
            role=word(role),
            kind=kind,
        ),
        rules.playing,
    )


def _need_to_be_let_play(record: Record, name: str, role: Office) -> None:
    """Refuse a leader as player, except in a Relaxed event where another leader was announced before round 1
    (L5R-I.6-LEADERPLAY, L5R-VI-TIER).
    """
    rules = record.rulebook.staff
    if rules is None:
        return
    _need_playing_tier(record.rulebook, name, role)
    others = [leader for leader in leaders(record) if not leader.is_called(name)]
    if not any(leader.announced and leader.duty == "active" for leader in others):
        raise Refusal(
            demanding(
                sentence(
                    (
                        "%(player)s is %(role)s of this event. To play, %(player)s needs another leader, announced "
                        "before round 1, who rules in those games: assign one first"
                    ),
                    player=name,
                    role=word(role),
                ),
                "a leader",
            ),
            rules.playing,
        )


def let_stand(record: Record, facts: Sequence[AnyFact], *, deviating: bool, preview: bool = False) -> list[AnyFact]:
    """Return the facts of a pairing after a check of its departures. If `deviating`, the paired round names the
    rules that the pairing departs from.

    The departures are a game in which no leader can rule, a player who lacks a card, a player without a required
    deck list, and a second bye that was drawn. If not `deviating`, refuse a pairing with departures, except in a
    `preview`.
    """
    return [
        _let_stand(record, fact, deviating=deviating, preview=preview) if isinstance(fact, RoundPaired) else fact
        for fact in facts
    ]


def _let_stand(record: Record, paired: RoundPaired, *, deviating: bool, preview: bool) -> RoundPaired:
    if preview and not deviating:
        return paired
    waiting = unready(record, paired)
    if waiting and not deviating:
        raise Refusal(why_unready(record, waiting[0]), rule_of(record, waiting[0]))
    found = [rule_of(record, objection) for objection in waiting]
    if paired.seed is not None and paired.stage == "swiss":
        found += departing(of_drawn(record, paired), deviating=deviating)
    found += need_ruled(record, paired.tables, deviating=deviating)
    return paired.model_copy(update={"deviations": tuple(dict.fromkeys((*paired.deviations, *found)))})


def need_ruled(record: Record, seatings: Iterable[Seating], *, deviating: bool) -> tuple[str, ...]:
    """Refuse games in which no other leader can rule (L5R-I.6-LEADERPLAY).

    With `deviating`, return the rule instead.
    """
    rules = record.rulebook.staff
    game = next(unruled(record, (seating.players for seating in seatings)), None)
    if rules is None or game is None:
        return ()
    if not deviating:
        said = sentence(
            "no leader can rule in the game of %(players)s: seat them otherwise, or pair with a reason",
            players=both(name_of(record, player) for player in game),
        )
        raise Refusal(demanding(said, "a reason"), rules.playing)
    return (rules.playing,)


def need_no_player(record: Record, judge: str, players: Two | None) -> None:
    """Refuse a decision by a player of the game, because players cannot rule in their own game
    (L5R-I.6-LEADERPLAY).
    """
    rules = record.rulebook.staff
    for leader in leaders_in(record, players or ()):
        if leader.is_called(judge):
            other = responsible_leader(record, players or ())
            said = sentence("%(player)s plays at that table and cannot rule there", player=leader.name)
            if other is not None:
                said = sentence("%(refused)s: %(player)s rules at that table", refused=said, player=other.name)
            raise Refusal(said, None if rules is None else rules.playing)


def need_responsible(record: Record, judge: str, players: Two | None, *, deviating: bool) -> tuple[str, ...]:
    """Refuse a leader's ruling, penalty or card in the leader's own game (L5R-I.6-LEADERPLAY).

    If a leader plays in a game, the announced leaders rule there. A leader who was not announced for the game
    needs `deviating`, and the function returns the broken rule.
    """
    rules = record.rulebook.staff
    need_no_player(record, judge, players)
    responsible = responsible_leaders(record, players or ())
    playing = leaders_in(record, players or ())
    if rules is None or not playing or any(leader.is_called(judge) for leader in responsible):
        return ()
    if not deviating:
        said = sentence(
            "%(player)s leads the event and plays at that table, and %(judge)s was not announced to rule there",
            player=playing[0].name,
            judge=judge,
        )
        if responsible:
            said = sentence("%(refused)s: %(player)s rules at that table", refused=said, player=responsible[0].name)
        raise Refusal(
            demanding(sentence("%(refused)s: give a reason to deviate from it", refused=said), "a reason"),
            rules.playing,
        )
    return (rules.playing,)


# -- staff against the rules


def disorder(record: Record) -> Iterator[Refusal]:
    """Yield a refusal for each way in which the staff breaks the rules."""
    found = leaders(record)
    organizers = [leader for leader in found if leader.role == "organizer"]
    rules = record.rulebook.staff if found else None
    if rules is not None and len(organizers) > 1:
        names = both(leader.name for leader in organizers)
        yield Refusal(
            sentence("%(players)s would be organizers, but an event has only one", players=names), rules.organizer
        )
    for index, leader in enumerate(found):
        if any(other.is_called(leader.name) for other in found[:index]):
            yield Refusal(sentence("%(player)s would be on the staff twice", player=leader.name))
        if leader.plays:
            try:
                _need_to_be_let_play(record, leader.name, leader.role)
            except Refusal as refusal:
                yield refusal


def need_order_without(record: Record, position: int) -> None:
    """Refuse to retract or restore an entry if the staff would then break the rules."""
    if record.opening is None:
        return
    before = {str(refusal) for refusal in disorder(record)}
    with record.without(position):
        after = list(disorder(record))
    for refusal in after:
        if str(refusal) not in before:
            raise refusal


class AssignStaff(Command):
    """Make somebody a leader of the event. A leader added after round 1 cannot rule in another leader's games."""

    name: Annotated[Text, argument("The leader's name.")]
    role: Annotated[Office, argument("The role on the staff: {known}.", "ROLE")]
    player: Annotated[
        Player | None, option("--plays", "The player who is this leader, if registered under another name.")
    ] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Make somebody a leader of the event: a person of this name, who may be the `player` or the player of the
        same name.

        An event has one organizer (L5R-I.1-ORG). Each person has one role, so that another leader can rule on this
        person's game. A leader who plays needs permission (L5R-I.6-LEADERPLAY).
        """
        known(record, self.player)
        name = person_named(self.name).name
        need_open(record)
        if (leader := leader_called(record, name)) is not None:
            raise Refusal(
                sentence(
                    "%(player)s is %(role)s already (entry %(entry)s): to change the role, let %(player)s leave "
                    "the staff first",
                    player=leader.name,
                    role=word(leader.role),
                    entry=leader.position,
                )
            )
        if self.role == "organizer":
            _need_no_organizer(record)
        played = record.named(name)
        if self.player is not None:
            played = need_active(record, self.player)
            _need_one_leader(record, self.player)
        plays = played is not None and record.status(played.number) == "active"
        if plays:
            _need_to_be_let_play(record, name, self.role)
        announced = not record.rounds("swiss") and not record.rounds("elimination")
        return [
            StaffAssigned(
                name=None if plays and self.player is None else name,
                role=self.role,
                announced=announced or _was_announced(record, name),
                player=played.number if plays and played is not None else None,
            )
        ]


class ChangeDuty(Command):
    """Note that a leader went off duty as a spectator, returned, or left the staff."""

    name: Text
    duty: Duty

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Record that a leader went off duty, returned, or left the staff (L5R-I.2-MARSHAL).

        A leader can always leave. `disorder` names the effects on the games of leaders who play.
        """
        leader = find_leader(record, self.name)
        need_open(record)
        if leader.duty == self.duty:
            raise Refusal(
                sentence("%(player)s is on duty already", player=leader.name)
                if self.duty == "active"
                else sentence("%(player)s is a spectator already", player=leader.name)
            )
        return [StaffDutyChanged(assignment=leader.position, duty=self.duty)]
