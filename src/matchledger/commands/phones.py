"""Phones: players report results, call a judge, ask to be dropped, and check in, if the organizer allows these
actions.

A player's claim becomes a result only when the opponent claims the same result. The log limits entries from phones:
a few claims for each match, and one open request of each kind per player.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, ClassVar

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Deviating,
    Number,
    Player,
    Players,
    Text,
    Typed,
    argument,
    known,
    option,
)
from matchledger.commands.draft import now
from matchledger.commands.refusal import AlreadyReported, Refusal, departing, name_of, need_open
from matchledger.commands.results import report
from matchledger.commands.timing import EndNeeded, place_of, timed
from matchledger.events import (
    AnyFact,
    CheckedIn,
    DropAsked,
    JudgeCalled,
    LinkRenewed,
    PhonesAllowed,
    PhoneUse,
    RequestAnswered,
    ResultClaimed,
    ResultReported,
)
from matchledger.notation.outcomes import from_side, outcome_help, read_outcome
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import NOTHING_NOTED, is_note
from matchledger_projections.message import sentence
from matchledger_projections.narration.matches import USES
from matchledger_projections.record.phones import (
    checked_in,
    claims_at,
    judge_called,
    open_requests,
    phones_may,
    places,
    same_result,
)
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import brackets
from matchledger_projections.stages.departure import Departure, of_result
from matchledger_projections.stages.in_play import player_may

MOST_CLAIMS = 3  # the most claims that one player can make for one match


class AllowPhones(Command):
    """Choose what players may do with their own phones. By default, players may do nothing.

    Each player needs a personal link. The desk prints the link as a QR code, and can renew the link. `sign-up`
    opens the waiting list to everybody, and the desk accepts each person. `places` limits the number of places
    for sign-ups. `push` notifies a phone of a new round even while the phone's page is closed. Web Push needs
    HTTPS, the internet and the push service of the browser's vendor. If the rulebook lets only the staff write
    results, `report` needs `deviating` and a --reason.
    """

    may: Annotated[
        tuple[PhoneUse, ...],
        argument("What players may do: report, judge, deck, drop, check-in, sign-up and push; by default nothing."),
        Typed(lambda _, words: [words] if isinstance(words, str) else words, many=True),
    ] = ()
    places: Annotated[
        Number | None, option("--places", "With sign-up: how many players the event has places for.")
    ] = None
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        wanted = tuple(use for use in USES if use in self.may)
        if self.places is not None and "sign-up" not in wanted:
            raise UsageProblem(sentence("a number of places needs sign-up by phone: allow sign-up too"))
        same_places = "sign-up" not in wanted or self.places == places(record)
        if set(wanted) == phones_may(record) and same_places:
            raise Refusal(sentence("players' phones may do that already: nothing was changed"))
        rules = departing(of_reporting(record) if "report" in wanted else [], deviating=self.deviating)
        return [PhonesAllowed(may=wanted, places=self.places, deviations=rules)]


class RenewLink(Command):
    """Give a player a new personal link; the old link stops working."""

    player: Annotated[Player, PLAYER]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        return [LinkRenewed(player=known(record, self.player)[0])]


class ClaimResult(Command):
    """As a player, report how the match ended; the result counts when the opponent reports the same."""

    in_play: ClassVar = True
    player: Annotated[Player, PLAYER]
    outcome: Annotated[
        Text,
        argument("The result from the player's side: win, loss, draw, or games such as 2-1.", "OUTCOME"),
        Typed(lambda _, words: words if isinstance(words, str) else " ".join(words), many=True),
    ]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        (player,) = known(record, self.player)
        need_allowed(record, "report", player)
        round_, table = _seat(record, player)
        players = round_.tables[table]
        if any(is_note(word) or word.casefold() == "double-loss" for word in self.outcome.split()):
            raise _of_winners_alone(record)  # only the desk knows the times of a slip, and rules that both lose
        words = from_side(self.outcome.split(), players.index(player))
        try:
            with _no_time_by_phone():
                facts = report(record, table=table, written=read_outcome(words, record.rulebook), now=now())
        except AlreadyReported as known_already:  # a phone cannot record a second slip: the player calls the desk
            raise Refusal(known_already.args[0]) from None
        fact = facts[0]
        if len(facts) != 1 or not isinstance(fact, ResultReported):
            raise _of_winners_alone(record)
        return [_claimed(record, round_, fact, player)]


class ConfirmClaim(Command):
    """As a player, confirm the opponent's claim: the claim becomes the result."""

    player: Annotated[Player, PLAYER]
    claim: Annotated[Number, argument("The position of the opponent's claim in the log.")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        (player,) = known(record, self.player)
        need_allowed(record, "report", player)
        round_, table = _seat(record, player)
        players = round_.tables[table]
        claims = claims_at(record, round_, table)
        made = next((fact for by, (at, fact) in claims.items() if at == self.claim and by != player), None)
        if made is None or round_.report(table, players) is not None:
            raise Refusal(
                sentence("entry %(entry)s is not a report for you to confirm: reload the page", entry=self.claim)
            )
        timeless = made.slip.model_copy(update={"received": None})
        with _no_time_by_phone():
            slip = timed(place_of(record, round_, table, players), timeless, NOTHING_NOTED, now=now())
        departing(of_result(record, round_, players, slip), deviating=False)
        return [
            ResultReported(
                stage=round_.stage,
                round=round_.number,
                table=table,
                players=players,
                slip=slip,
                confirms=self.claim,
            )
        ]


class CallJudge(Command):
    """Ask for a judge at a player's table."""

    player: Annotated[Player, PLAYER]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        (player,) = known(record, self.player)
        need_allowed(record, "judge", player)
        round_, table = _seat(record, player)
        if (called := judge_called(record, table)) is not None:
            raise Refusal(
                sentence(
                    "a judge is called to table %(table)s already (entry %(entry)s)",
                    table=table,
                    entry=called.position,
                )
            )
        players = round_.tables[table]
        return [JudgeCalled(stage=round_.stage, round=round_.number, table=table, players=players, by=player)]


class AskDrop(Command):
    """Ask, as a player, to be dropped; the desk decides."""

    player: Annotated[Player, PLAYER]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        (player,) = known(record, self.player)
        need_allowed(record, "drop", player)
        for request in open_requests(record):
            if isinstance(request.fact, DropAsked) and request.fact.player == player:
                raise Refusal(sentence("the desk knows that already (entry %(entry)s)", entry=request.position))
        return [DropAsked(player=player)]


class CheckIn(Command):
    """Note that players are here."""

    players: Annotated[Players, PLAYER]

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        need_open(record)
        players = known(record, *self.players)
        if context.clerk.role == "player":
            for player in players:
                need_allowed(record, "check-in", player)
        here = checked_in(record)
        if again := [player for player in players if player in here]:
            raise Refusal(sentence("%(player)s has checked in already", player=name_of(record, again[0])))
        return [CheckedIn(player=player) for player in players]


class AnswerRequest(Command):
    """Note that staff attended to a player who called a judge or asked to be dropped."""

    request: Annotated[Number, argument("The position of the request in the log.")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        if all(request.position != self.request for request in open_requests(record)):
            raise Refusal(sentence("entry %(entry)s is not an open request", entry=self.request))
        return [RequestAnswered(request=self.request)]


@contextmanager
def _no_time_by_phone() -> Iterator[None]:
    """Send a player to the desk if the slip needs the match's end time, because a phone cannot record the time."""
    try:
        yield
    except EndNeeded as refused:
        raise Refusal(refused.by_phone, refused.rule) from None


def _of_winners_alone(record: Record) -> Refusal:
    return Refusal(
        sentence(
            "a phone reports only the winner: write %(help)s; tell the desk everything else",
            help=outcome_help(record.rulebook),
        )
    )


def of_reporting(record: Record) -> list[Departure]:
    """Return the departure of letting players write results, if the rulebook permits only other roles."""
    permissions = record.rulebook.permissions or {}
    stated = permissions.get("report")
    if stated is None or "player" in stated.roles:
        return []
    return [Departure(stated.rule, sentence("under the rules, players do not write results"))]


def need_allowed(record: Record, use: PhoneUse, player: int | None = None) -> None:
    """Refuse phone actions that the organizer does not allow, and actions of a `player` who is out of the event."""
    if record.closing is not None:  # only the staff can open the event again
        raise Refusal(sentence("the tournament is closed: go to the desk"))
    need_open(record)
    if use not in phones_may(record):
        raise Refusal(sentence("players may not %(use)s with their phones here: go to the desk", use=USES[use]))
    if player is None or use in player_may(record, player, brackets(record)):
        return
    name = name_of(record, player)
    if record.status(player) == "disqualified":
        raise Refusal(sentence("%(player)s is disqualified: go to the desk", player=name))
    raise Refusal(sentence("%(player)s is not in play", player=name))


def _seat(record: Record, player: int) -> tuple[Round, int]:
    round_ = record.current_round
    table = None if round_ is None else round_.table_of(player)
    if round_ is None or table is None:
        raise Refusal(sentence("%(player)s has no table now", player=name_of(record, player)))
    return round_, table


def _claimed(record: Record, round_: Round, fact: ResultReported, player: int) -> ResultReported | ResultClaimed:
    """Return the facts of the result if the opponent has claimed the same result, else none. Otherwise a claim."""
    claims = claims_at(record, round_, fact.table)
    own = claims.get(player)
    if own is not None and same_result(own[1].slip, fact.slip):
        raise Refusal(
            sentence("you have reported this (entry %(entry)s): your opponent must report the same", entry=own[0])
        )
    for opponent, (position, claim) in claims.items():
        if opponent != player and same_result(claim.slip, fact.slip):
            return fact.model_copy(update={"confirms": position})
    made = sum(
        (claim.by, claim.stage, claim.round) == (player, fact.stage, fact.round) and position > round_.position
        for position, claim in record.counting(ResultClaimed)
    )
    if made >= MOST_CLAIMS:
        raise Refusal(
            sentence("you have reported %(count)s different results for this match: go to the desk", count=made)
        )
    return ResultClaimed(
        stage=fact.stage, round=fact.round, table=fact.table, players=fact.players, by=player, slip=fact.slip
    )
