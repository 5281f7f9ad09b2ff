"""People: correcting a player's data at any time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Deviating,
    Player,
    Text,
    Typed,
    argument,
    known,
    option,
)
from matchledger.commands.divisions import join_flight, place_in_division
from matchledger.commands.refusal import Refusal, departing, name_of, need_open
from matchledger.commands.roster import need_own_numbers, need_to_be_new, numbers_taken
from matchledger.commands.structures import has_begun
from matchledger.events import AnyFact, DivisionChanged, Person, PersonCorrected
from matchledger.notation.player_lookup import person_named
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import division_by_birth
from matchledger_projections.message import sentence
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import is_surname, known_as
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.flights import PAIRED_BY

_OWN = ("name", "division", *PAIRED_BY)  # each of these columns has its own command or option


def need_not_erased(record: Record, player: int) -> None:
    """Refuse to record new data about a person whose data was erased."""
    if player in erased(record):
        raise Refusal(
            sentence("player %(player)s was erased: nothing more is recorded about the person", player=player)
        )


def correct_person(record: Record, *, player: int, person: Person) -> list[AnyFact]:
    """Correct a player's data, even after the close. Raises Refusal if the name is taken."""
    if record.opening is None:
        need_open(record)
    before = record.players[player].person
    if person == before:
        return []
    if known_as(person.name) != known_as(before.name):
        need_to_be_new(record, person)
    return [PersonCorrected(player=player, person=person)]


def change_division(
    record: Record,
    *,
    player: int,
    person: Person,
    division: str | None,
    deviating: bool = False,
    secret: Callable[[], bytes],
) -> list[AnyFact]:
    """Move a player to another division, and into one of its flights (PKM-3.1.1-POD).

    Paired rounds do not change. A player in a bracket stays in that bracket's division. After round 1 is paired, a
    division that does not match the year of birth needs `deviating`.
    """
    placed, rules = place_in_division(record, person, division, deviating=deviating)
    before = record.players[player].division
    if (placed or "").casefold() == (before or "").casefold():
        return []
    need_open(record)
    if player in (seed for cut in record.cuts for seed in cut.seeds) or _in_bracket(record, player):
        raise Refusal(
            sentence(
                (
                    "%(player)s plays in the elimination stage of %(division)s: a division can be corrected only "
                    "before the cut"
                ),
                player=name_of(record, player),
                division=before or sentence("no division"),
            )
        )
    if not rules:
        rules = departing(_during_the_event(record, player, person, placed), deviating=deviating)
    changed = DivisionChanged(player=player, division=placed, deviations=rules)
    return [changed, *join_flight(record, player=player, division=placed, secret=secret)]


def _during_the_event(record: Record, player: int, person: Person, division: str | None) -> list[Departure]:
    """Return the departure of moving a player to another division after round 1 is paired (PKM-3.1.1-POD). A move
    to the division of the year of birth departs from no rule.
    """
    rule = record.rulebook.divisions
    due = None if person.born is None else division_by_birth(record, person.born)
    if rule is None or not record.is_live or not has_begun(record) or (division or "").casefold() == (due or ""):
        return []
    said = sentence("round 1 is paired, and %(player)s plays in another division", player=name_of(record, player))
    return [Departure(rule.rule, said)]


def _in_bracket(record: Record, player: int) -> bool:
    return any(player in round_.players for round_ in record.rounds("elimination"))


def _follows_birth(record: Record, player: int, person: Person) -> bool:
    """Return whether a player's division follows the year of birth, so that correcting the year moves the
    player.
    """
    known_now = record.players[player]
    born = known_now.person.born
    if record.closing is not None or person.born in (born, None):
        return False
    due = None if born is None else division_by_birth(record, born)
    return (known_now.division or "").casefold() in ("", (due or "").casefold())


def put_right(
    record: Record,
    *,
    player: int,
    changes: Mapping[str, Any],
    division: str | None = None,
    deviating: bool = False,
    secret: Callable[[], bytes],
) -> list[AnyFact]:
    """Return the facts of a correction.

    `changes` are fields of the person and columns of the roster. A value of None empties the field.

    If the division follows the year of birth, a new year moves the player.
    """
    need_not_erased(record, player)
    fields = {"name", "born", "contact"}
    before = record.players[player].person
    known_now = before.model_dump(include=fields) | {key: changes[key] for key in changes.keys() & fields}
    details = {**before.details, **{key: value for key, value in changes.items() if key not in fields}}
    renamed = known_as(known_now["name"])
    kept = {
        column: value
        for column, value in details.items()
        if value and (column in changes or not is_surname(column) or known_as(value) in renamed)
    }
    person = person_named(**known_now, details=kept)
    if division is None and not _follows_birth(record, player, person):
        moved: list[AnyFact] = []
    else:
        moved = change_division(
            record, player=player, person=person, division=division, deviating=deviating, secret=secret
        )
    facts = [*correct_person(record, player=player, person=person), *moved]
    if not facts:
        raise UsageProblem(sentence("%(player)s: nothing would change", player=before.name))
    return facts


def _columns_typed(_: Record, given: Mapping[str, Any] | list[str]) -> dict[str, Any]:
    """Return columns and their values, from texts such as `dci=1234`, or from parsed values. Raises
    UsageProblem.
    """
    if isinstance(given, Mapping):
        return dict(given)
    found = {}
    for text in given:
        column, equals, value = text.partition("=")
        if not (equals and column.strip()):
            raise UsageProblem(sentence("%(text)r is not a column and a value: write dci=1234", text=text))
        found[column.strip()] = value.strip()
    return found


Columns = Annotated[
    dict[Annotated[str, Field(min_length=1, max_length=200)], Annotated[str, Field(max_length=200)]],
    Typed(_columns_typed, many=True),
]


class RenamePlayer(Command):
    """Correct the name of a player. Every page shows the new name, even a page of a past round."""

    player: Annotated[Player, PLAYER]
    name: Annotated[Text, argument("The player's whole name from now on.")]

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        [player] = known(record, self.player)
        return put_right(record, player=player, changes={"name": self.name}, secret=context.secret)


class CorrectPlayer(Command):
    """Correct the year of birth, division, contact or membership numbers of a player.

    A new year of birth moves the player to the division for this year. `details` are columns of the roster, such as
    membership numbers. An empty value removes a column, and `born=` or `contact=` removes the year or the contact.
    `deviating` allows a division that does not match the year of birth.
    """

    shown_first: ClassVar = True
    stands_alone: ClassVar = True
    player: Annotated[Player, PLAYER]
    born: Annotated[
        Annotated[int, Field(ge=1900, le=2100)] | None, option("--born", "The year of birth.", "YEAR")
    ] = None
    division: Annotated[Text | None, option("--division", "The player's new division.")] = None
    contact: Annotated[Text | None, option("--contact", "A telephone number or an address.")] = None
    details: Annotated[
        Columns,
        option(
            "--set", "A roster column and its new value, such as dci=1234; dci= removes the value.", "COLUMN=VALUE"
        ),
    ] = Field(default={})
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        [player] = known(record, self.player)
        changes: dict[str, Any] = {"born": self.born, "contact": self.contact}
        changes = {field: value for field, value in changes.items() if value is not None}
        for column, value in self.details.items():
            own = column.casefold()
            if own in _OWN or (own in ("born", "contact") and value):
                raise UsageProblem(sentence("%(column)r has an option or a command of its own", column=column))
            changes[own if own in ("born", "contact") else column] = value or None
        need_own_numbers(numbers_taken(record), self.details, name=name_of(record, player), player=player)
        return put_right(
            record,
            player=player,
            changes=changes,
            division=self.division,
            deviating=self.deviating,
            secret=context.secret,
        )
