"""A player's own page: the player's card, and the actions by phone."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.events import PhoneUse, Stage
from matchledger.formats.decklist import list_text
from matchledger.notation.outcomes import OutcomeKey, outcome_keys
from matchledger.web.deck_parts import Part, parts_of_deck
from matchledger.web.public.card import Said, card, said
from matchledger.web.public.hall import Hall
from matchledger.web.public.pages import Face
from matchledger_projections.decks.registered import begun_with_lists, is_replaceable, late_for, registered
from matchledger_projections.record.phones import checked_in, claims_at, judge_called, open_requests
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import report_of
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.in_play import player_may

Won = Literal["won", "lost", "drew"]


class Choice(NamedTuple):
    """A result that a player can claim: the words, their meaning, and the games or the kind.

    `of_opponent` tells that the kind is named after the opponent's part in it, as the modified loss of a winner.
    """

    words: str
    won: Won
    beside: str
    of_opponent: bool = False


class Claimed(NamedTuple):
    """A claim about the current match, by the player or the opponent.

    `said` and `score` are from the player's side: the player's own games or points come first.
    """

    position: int
    said: Said
    score: tuple[int, ...] | None
    kind: str
    blood: int | None  # the loser's blood points


class Typed(NamedTuple):
    """The texts of a refused form: the outcome, the deck list, and the loser's blood points."""

    outcome: str = ""
    deck: str = ""
    blood: str = ""


class Deck(NamedTuple):
    """The player's deck list that is in. `text` is the list as the player can type it, and both are empty if the
    list cannot be read here.
    """

    parts: list[Part]
    text: str


class Own(Struct, frozen=True):
    """What a player can do by phone. `mine` and `theirs` are the player's and the opponent's claim about their
    current match. If the phone only reads, `desk_may` are the actions for which the player goes to the desk.
    """

    may: frozenset[PhoneUse]
    choices: list[Choice]
    typed: bool  # results are points, too many for a list of choices
    mine: Claimed | None
    theirs: Claimed | None
    judge_called: datetime | None  # since when a judge is to come to the player's table
    drop_asked: bool
    deck: Deck | None
    takes_deck: bool  # the player can hand in a deck list, or another list
    replaces_deck: bool  # another list can replace a list until play begins, and play has not begun
    is_here: bool
    is_before: bool  # the event has no paired round yet
    pairing: int | None  # the entry that paired the round
    desk_may: frozenset[PhoneUse] = frozenset()


def own(hall: Hall, player: int, *, only_reads: bool = False) -> Own:
    """Return a player's possible actions and claims by phone."""
    record, round_ = hall.whole, hall.now
    table = None if round_ is None else round_.table_of(player)
    claims = {} if round_ is None or table is None else claims_at(record, round_, table)
    reports = {by: report_of(position, claim.players, claim.slip) for by, (position, claim) in claims.items()}
    claimed = {
        by: Claimed(
            report.position, said(report, player), report.score_of(player), report.kind, report.blood_points
        )
        for by, report in reports.items()
    }
    asked = open_requests(record)
    called = None if table is None else judge_called(record, table)
    may = player_may(record, player, hall.brackets)
    deck = _deck(record, player)
    takes_deck = is_replaceable(record, player) if deck else late_for(record, player) is None
    return Own(
        frozenset() if only_reads else may,
        choices(hall.rulebook, record.current_stage),
        any(worth.as_written for worth in hall.rulebook.results.values()) and hall.rulebook.games is None,
        claimed.get(player),
        next((one for by, one in claimed.items() if by != player), None),
        None if called is None else hall.log[called.position - 1].recorded_at,
        any(one.fact.kind == "drop-asked" and one.fact.player == player for one in asked),
        deck,
        "deck" in may and takes_deck and not only_reads,
        begun_with_lists(record) is None,
        player in checked_in(record),
        round_ is None,
        None if round_ is None else round_.position,
        may if only_reads else frozenset(),
    )


def _deck(record: Record, player: int) -> Deck | None:
    current = registered(record, player)
    if current is None:
        return None
    text = "\n".join(list_text(current.deck))
    return Deck(parts_of_deck(current.deck), text)


def choices(rulebook: Rulebook, stage: Stage = "swiss") -> list[Choice]:
    """Return the results that a slip can have under this rulebook, from a player's side, wins first."""
    found = [_choice(key) for key in outcome_keys(rulebook, stage) if key.kind != "double-loss"]
    order: tuple[Won, ...] = ("won", "lost", "drew")
    return sorted(found, key=lambda choice: order.index(choice.won))


def with_blood(outcome: str, blood: str) -> str:
    """Return an outcome, such as `win game-loss`, with the loser's blood points: `win:9 game-loss`."""
    first, *rest = outcome.split() or [""]
    return " ".join([f"{first}:{blood}" if blood else first, *rest])


def _choice(key: OutcomeKey) -> Choice:
    """Return an outcome as a choice on the page of the table's first player."""
    if key.side is None:
        return Choice(key.outcome, "drew", "" if key.outcome == "draw" else key.outcome)
    won: Won = "won" if key.side == "a" else "lost"
    if key.outcome[0].isdigit():
        return Choice(key.outcome, won, key.outcome)
    kind = key.outcome.partition(" ")[2]
    plain = "win" if won == "won" else "loss"
    of_opponent = kind.endswith("-loss" if won == "won" else "-win")
    return Choice(f"{plain} {kind}".strip(), won, kind.replace("-", " "), of_opponent)


def own_page(
    face: Face,
    hall: Hall,
    player: int,
    problem: str | None,
    push_key: str | None,
    typed: Typed | None = None,
    *,
    only_reads: bool = False,
) -> str:
    """Return the page of the player with a personal link.

    `problem` is the reason why the last request was refused, and `typed` is its form. `push_key` is the server's
    public key for Web Push, or None if the organizer does not allow Web Push. A phone that `only_reads` has no
    forms.
    """
    return face.show(
        "me.html",
        hall,
        card=card(hall, player),
        own=own(hall, player, only_reads=only_reads),
        problem=problem,
        typed=typed or Typed(),
        push_key=push_key,
        draws="draw" in hall.rulebook.results,
    )
