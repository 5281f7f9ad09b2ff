"""Permissions: what each role may record under the rulebook (rules 0.3).

The fact alone decides to which action it belongs. Therefore the command line, the pages and imported files all
follow the same line of the rulebook.
"""

from __future__ import annotations

from msgspec import Struct

from matchledger.events import (
    ROLES,
    Action,
    AnyFact,
    CheckedIn,
    DeckAmended,
    DeckSubmitted,
    DropAsked,
    EntryRetracted,
    Fact,
    JudgeCalled,
    MatchConceded,
    NoShowRecorded,
    PersonCorrected,
    PlayerArrivedLate,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    ResultClaimed,
    ResultCorrected,
    ResultReported,
    Role,
    RulingGiven,
    SlipRefused,
    WordPledged,
)
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.phones import is_confirmation, phones_may
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import UNWRITTEN

ACTIONS: dict[Action, Sentence] = {
    "open": sentence("open or import a tournament"),
    "change-policy": sentence("change a policy of the event"),
    "announce": sentence("announce the structure"),
    "run-event": sentence("run the event's page, news, phones and personal links"),
    "arrange-field": sentence("arrange divisions and flights"),
    "register": sentence("register a player"),
    "accept-late": sentence("accept a late entry"),
    "drop": sentence("drop a player"),
    "rejoin": sentence("let a player rejoin"),
    "disqualify": sentence("disqualify a player"),
    "pair": sentence("pair a round"),
    "start-round": sentence("start a round"),
    "run-clock": sentence("stop the clock or call time marks"),
    "extend-time": sentence("give a table more time"),
    "note-first-player": sentence("note who is first player"),
    "re-pair": sentence("reseat a posted round"),
    "report": sentence("write a result"),
    "concede": sentence("record a concession"),
    "no-show": sentence("record a no-show"),
    "correct": sentence("correct a result"),
    "answer-call": sentence("answer a call to the desk"),
    "give-penalty": sentence("give a penalty"),
    "give-ruling": sentence("give a ruling"),
    "give-final-ruling": sentence("give a ruling that is final"),
    "note-card": sentence("note what happened to a card"),
    "order-tie": sentence("order a tie"),
    "post": sentence("post standings or pairings, or sign a checkpoint"),
    "cut": sentence("make the cut"),
    "replace-qualifier": sentence("replace a qualifier"),
    "submit-deck": sentence("hand in a deck list"),
    "amend-deck": sentence("amend a deck list"),
    "check-deck": sentence("check a deck"),
    "close": sentence("close the tournament"),
    "file-overview": sentence("file the tournament overview"),
    "guard-doors": sentence("decide whose station tokens are accepted"),
    "allow-plain-http": sentence("let phones write without encryption"),
    "merge-copies": sentence("merge another copy of the ledger"),
    "hand-names-out": sentence("hand out a copy with names"),
    "erase": sentence("erase a player's personal data"),
    "assign-staff": sentence("assign staff"),
    "change-duty": sentence("record who is on duty"),
    "contribute": sentence("contribute a word to the draws"),
    "take-part": sentence("take part by phone"),
    "gather-chance": sentence("open the words behind the draws, or name a beacon"),
}

# Only a marshal gives a ruling that no one can review (L5R-I.2-MARSHAL, L5R-I.3-JUDGE).
FINAL_RULING: Action = "give-final-ruling"

SILENT_ROLES, DELEGATION = "POL-ALL-SILENT-ROLES", "POL-ALL-DELEGATION"
_STAFF: tuple[Role, ...] = ("organizer", "marshal", "judge", "scorekeeper")
_SILENT: dict[str, tuple[Role, ...]] = {"organizer": ("organizer",), "staff": _STAFF, "anyone": ROLES}
_HANDS: dict[str, tuple[Role, ...]] = {"none": (), "scorekeeper": ("scorekeeper",), "staff": _STAFF[1:]}
_PLAYERS_OWN: frozenset[Action] = frozenset({"contribute", "take-part"})  # no document mentions these actions
ORGANIZERS_OWN: frozenset[Action] = frozenset(
    {"change-policy", "erase", "merge-copies", "allow-plain-http"}
)  # nobody can take these actions in the organizer's name


_IN_NAME: frozenset[Action] = frozenset({"run-event"})  # the organizer's, or taken in the organizer's name


class Allowed(Struct, frozen=True):
    """The roles that may take an action: those that the rule names, and those that act in the organizer's name."""

    roles: tuple[Role, ...]
    delegates: tuple[Role, ...]
    rule: str

    @property
    def everybody(self) -> tuple[Role, ...]:
        return self.roles + self.delegates


def who_may(rulebook: Rulebook, action: Action) -> Allowed:
    """Return the roles that may take an action under a rulebook, and the rule behind it.

    A rulebook without permissions, as in old logs, lets everybody do everything except what belongs to the
    organizer. If the document does not mention an action, POL-ALL-SILENT-ROLES decides. POL-ALL-DELEGATION decides
    who may act in the organizer's name, and so who else may run the event's page, news, phones and personal links.
    A player may always contribute to the draws, and take part by phone.
    """
    if action in ORGANIZERS_OWN:
        return Allowed(("organizer",), (), UNWRITTEN)
    if rulebook.permissions is None:
        return Allowed(ROLES, (), SILENT_ROLES)
    stated = rulebook.permissions.get(action)
    silent = _silent(rulebook, action)
    roles = silent if stated is None else stated.roles
    hands = _HANDS[rulebook.readings.delegation] if "organizer" in roles else ()
    rule = stated.rule if stated is not None else DELEGATION if action in _IN_NAME else SILENT_ROLES
    return Allowed(roles, tuple(hand for hand in hands if hand not in roles), rule)


def _silent(rulebook: Rulebook, action: Action) -> tuple[Role, ...]:
    """Return the roles that may take an action which the document does not mention."""
    if action in _IN_NAME:
        return ("organizer",)
    return ROLES if action in _PLAYERS_OWN else _SILENT[rulebook.readings.silent_roles]


def may(rulebook: Rulebook, role: Role, action: Action) -> bool:
    """Return whether a role may take an action. Players may act only for themselves or in their own match."""
    return role in who_may(rulebook, action).everybody


def action_of(record: Record, fact: AnyFact) -> Action | None:
    """Return the action that records a fact, or None if everybody may record it.

    Retracting an entry needs the same permission as making it.
    """
    if fact.anybody:
        return None
    if isinstance(fact, ResultReported) and is_confirmation(record, fact):
        return "take-part"
    if isinstance(fact, DeckSubmitted) and "deck" in phones_may(record):
        return "take-part"
    kind: type[Fact] | None = type(fact)
    if isinstance(fact, EntryRetracted):
        position = record.root_of(fact.retracts)
        kind = record.kind_at(position)
        if kind is RulingGiven:
            return _ruling(dict(record.every(RulingGiven))[position])
    if isinstance(fact, RulingGiven):
        return _ruling(fact)
    return None if kind is None else kind.action


def _ruling(fact: RulingGiven) -> Action:
    return FINAL_RULING if fact.final else fact.action


def is_own(record: Record, actor: str, fact: AnyFact) -> bool:
    """Return whether a fact is about the actor as a player: by name, or by a number such as #7."""
    if isinstance(fact, PlayerRegistered | PlayerArrivedLate):
        return known_as(fact.person.name) == known_as(actor)
    player = record.named(actor)
    numbers = {f"#{player.number}", player.number} if player is not None else {actor.strip()}
    return any(number in numbers or f"#{number}" in numbers for number in _about(record, fact))


def _about(record: Record, fact: AnyFact) -> tuple[int, ...]:
    """Return the players that a fact is about: the player who concedes, the owner of the deck, or the players at
    the table.
    """
    match fact:
        case MatchConceded() | ResultClaimed() | JudgeCalled():
            return (fact.by,)
        case ResultReported(confirms=int(claim)):
            claims = dict(record.counting(ResultClaimed))
            return tuple(player for player in fact.players if player != claims[claim].by)
        case ResultReported() | ResultCorrected() | SlipRefused():
            return fact.players
        case NoShowRecorded():
            return fact.absent
    return (fact.player,) if isinstance(fact, _OF_A_PLAYER) else ()


_OF_A_PLAYER = (
    PlayerDropped
    | PlayerRejoined
    | PersonCorrected
    | WordPledged
    | DeckSubmitted
    | DeckAmended
    | DropAsked
    | CheckedIn
)
