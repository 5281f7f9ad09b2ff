"""Deck lists: submit and amend them, and check decks against the rules."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from matchledger.commands.command import Command, Context, Player, known
from matchledger.commands.people import need_not_erased
from matchledger.commands.refusal import Refusal, name_of, need_active, need_open
from matchledger.events import (
    AnyFact,
    DeckAmended,
    DeckChecked,
    DeckFinding,
    DeckList,
    DeckSubmitted,
    Role,
)
from matchledger.formats.decklist import read_decklist
from matchledger.formats.text import FormatError
from matchledger.notation.problems import UsageProblem
from matchledger_projections.decks.deck import difference, digest
from matchledger_projections.decks.findings import Finding
from matchledger_projections.decks.registered import (
    FORMATS,
    DeckFormat,
    Registered,
    amending_rule,
    begun_with_lists,
    came_by_merge,
    is_replaceable,
    late_for,
    list_rule,
    registered,
)
from matchledger_projections.message import Sentence, demanding, joined, sentence, word
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import UNWRITTEN

LEADERS: tuple[Role, ...] = ("organizer", "marshal", "judge")
_LONGEST_FINDING = 2000
MOST_LISTS = 10  # the most lists of one player, if each list replaces the one before


def deck_format(record: Record) -> DeckFormat | None:
    """Return the deck format of the tournament. Return None if the rulebook has no rules about decks."""
    return FORMATS.get(record.rulebook.readings.deck_format)


def submit(
    record: Record, *, player: int, deck: DeckList, late: bool = False, again: bool = False
) -> list[AnyFact]:
    """Record a player's list before the start (L5R-II.2-PLAYERMAT, L5R-II.2b-LIST, ASH-LIST).

    `late` records the list after the first round that needs a deck list has begun. A player who arrived late needs
    no `late`. `again` replaces an earlier list, which stays in the log.
    """
    need_open(record)
    name = need_active(record, player).name
    need_not_erased(record, player)
    current = registered(record, player)
    if current is not None and again:
        _need_replaceable(record, current, player, deck)
        return [DeckSubmitted(player=player, sha256=digest(deck), deck=deck)]
    if current is not None:
        raise Refusal(
            sentence("%(player)s has handed in a list already: %(instead)s", player=name, instead=_instead(record)),
            _rule(record, "amending"),
        )
    begun = None if late else late_for(record, player)
    if begun is not None:
        raise Refusal(
            demanding(
                sentence(
                    "%(round)s has begun: record the list of %(player)s as late",
                    round=round_said(begun.stage, begun.number),
                    player=name,
                ),
                "a late list",
            ),
            _rule(record, "handing_in"),
        )
    return [DeckSubmitted(player=player, sha256=digest(deck), deck=deck)]


def _need_replaceable(record: Record, current: Registered, player: int, deck: DeckList) -> None:
    name = name_of(record, player)
    if current.sha256 == digest(deck):
        raise Refusal(sentence("this list of %(player)s is in already", player=name))
    if not is_replaceable(record, player):
        _need_not_begun(record, player)
        raise Refusal(
            sentence("a leader has amended the list of %(player)s: speak to a judge", player=name),
            _rule(record, "amending"),
        )
    handed_in = sum(isinstance(fact, DeckSubmitted) for _, fact in record.decks[player])
    if handed_in >= MOST_LISTS:
        raise Refusal(
            sentence("%(player)s has handed in %(count)s lists: go to the desk", player=name, count=handed_in)
        )


def _need_not_begun(record: Record, player: int) -> None:
    """Refuse if a round that needs lists has begun."""
    if (begun := begun_with_lists(record)) is not None:
        raise Refusal(
            sentence(
                "%(round)s has begun, and the list of %(player)s is in: %(instead)s",
                round=round_said(begun.stage, begun.number),
                player=name_of(record, player),
                instead=_instead(record),
            ),
            _rule(record, "amending"),
        )


def amend(
    record: Record, *, player: int, deck: DeckList, leader: str, role: Role, advantageous: bool = False
) -> list[AnyFact]:
    """Update a list to the deck that the player uses. The earlier list stays in the log (L5R-II.2b-LISTFIX)."""
    need_open(record)
    name = need_active(record, player).name
    format_ = deck_format(record)
    if format_ is not None and not format_.may_be_amended:
        raise Refusal(sentence("the submitted list of %(player)s cannot be changed", player=name), format_.amending)
    if role not in LEADERS:
        raise Refusal(
            sentence(
                "a %(role)s cannot amend a list: only a leader can (%(known)s)",
                known=joined(map(word, LEADERS)),
                role=word(role),
            ),
            _rule(record, "amending"),
        )
    current = need_registered(record, player)
    change = difference(current.deck, deck)
    if not change.removed and not change.added:
        raise Refusal(
            sentence("the list of %(player)s is the same already: there is nothing to amend", player=name)
        )
    return [
        DeckAmended(player=player, leader=leader, sha256=digest(deck), difference=change, advantageous=advantageous)
    ]


def check(
    record: Record,
    *,
    player: int,
    findings: Iterable[Finding],
    in_use: DeckList | None = None,
    round_: int | None = None,
    card_data: str | None = None,
) -> list[AnyFact]:
    """Record the findings of a deck check, a fact for each rule.

    `in_use` is the deck in play, if it was checked instead of the list. `card_data` is the SHA-256 of the card data
    file.
    """
    need_open(record)
    current = need_registered(record, player)
    if round_ is not None and record.round(round_) is None:
        raise Refusal(
            sentence("round %(round)s is not paired: name another round, or none before the start", round=round_)
        )
    return [
        DeckChecked(
            player=player,
            rule=finding.rule,
            ok=finding.ok,
            round=round_,
            sha256=current.sha256 if in_use is None else digest(in_use),
            card_data=card_data,
            finding=DeckFinding(text=finding.what[:_LONGEST_FINDING]),
        )
        for finding in findings
    ]


def need_retractable_list(record: Record, position: int, fact: DeckSubmitted | DeckAmended) -> None:
    """Refuse to retract a list that was amended, or a list from before round 1 once play has begun."""
    name = name_of(record, fact.player)
    current = registered(record, fact.player)
    later = [at for at, _ in (current.amendments if current else ()) if at > position]
    if later:
        raise Refusal(
            sentence(
                "the list of %(player)s has been amended since: retract entry %(entry)s first",
                player=name,
                entry=later[-1],
            )
        )
    if isinstance(fact, DeckSubmitted) and not came_by_merge(record, fact):
        _need_not_begun(record, fact.player)


def need_room_for_list(record: Record, back: int) -> None:
    """Refuse to restore a list if another list was submitted or amended in the meantime."""
    for player, listed in record.decks.items():
        if any(position == back for position, _ in listed) and any(
            position > back and not record.is_dead(position) for position, _ in listed
        ):
            raise Refusal(
                sentence(
                    "another list of %(player)s has been recorded since: retract that list first",
                    player=name_of(record, player),
                )
            )


def need_registered(record: Record, player: int) -> Registered:
    """Return a player's deck list. Refuse if the list is missing, or can no longer be read because the player was
    erased.
    """
    if (current := registered(record, player)) is None:
        raise Refusal(
            sentence("%(player)s has handed in no list: submit one first", player=name_of(record, player))
        )
    if not current.readable:
        raise Refusal(
            sentence("the list of %(player)s was erased, or its key is not here", player=name_of(record, player))
        )
    return current


def _instead(record: Record) -> Sentence:
    format_ = deck_format(record)
    if format_ is not None and not format_.may_be_amended:
        return sentence("the list stays unchanged")
    return sentence("a leader can amend the list")


def _rule(record: Record, what: Literal["amending", "handing_in"]) -> str | None:
    """Return the rulebook's rule about amending or handing in lists, or None if the rulebook has no rule."""
    rule = amending_rule(record) if what == "amending" else list_rule(record)
    return None if rule == UNWRITTEN else rule


ListText = Annotated[
    str,
    Field(min_length=1, max_length=100_000, description="a list under headings such as [dynasty], or CSV"),
]


class SubmitDeck(Command):
    """Accept a player's deck list; `late` accepts it after round 1 has begun, with a reason. Before round 1 begins,
    `again` replaces the list that is in.
    """

    player: Player
    deck: ListText
    late: bool = False
    again: bool = False

    def needs_reason(self) -> Sentence | None:
        return sentence("a late list needs a reason in the log: give one") if self.late else None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        player, deck = known(record, self.player)[0], read_list(self.deck)
        return submit(record, player=player, deck=deck, late=self.late, again=self.again)


class AmendDeck(Command):
    """As a leader, amend a player's list to match the deck in use. `advantageous` says that the change may help the
    player.
    """

    player: Player
    deck: ListText
    advantageous: bool = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        return amend(
            record,
            player=known(record, self.player)[0],
            deck=read_list(self.deck),
            leader=context.clerk.actor,
            role=context.clerk.role,
            advantageous=self.advantageous,
        )


def read_list(text: str) -> DeckList:
    """The deck list in a text. Raises UsageProblem."""
    try:
        return read_decklist(text.encode("utf-8", "surrogatepass"))
    except FormatError as problem:
        raise UsageProblem(sentence("the list: %(problem)s", problem=problem.args[0])) from None
