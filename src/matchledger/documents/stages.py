"""Documents about stages: the structure of an event, its bracket and the final places.

As in `documents`: keys are stable, new ones may be added.
"""

from __future__ import annotations

from collections.abc import Iterable

from matchledger.documents.document import Document, title
from matchledger.events import StructureAnnounced
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import NOBODY, Bracket, Game, Side, round_title, seeds_in
from matchledger_projections.stages.placing import Place
from matchledger_projections.stages.structure import attendance, format_of, proposals


def structure_document(record: Record) -> Document:
    """What was announced (null, if nothing was) and what each table of the rulebook gives for the attendance."""
    sizes = attendance(record)
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "players": sum(sizes.values()),
        "divisions": {division: size for division, size in sizes.items() if division},
        "format": format_of(record),
        "announced": None if record.structure is None else _announced(record.structure),
        "proposals": [
            {
                "structure": found.table,
                "rule": found.rule,
                "style": found.style,
                "rounds": list(found.rounds),
                "cuts": list(found.cuts),
                "division_cuts": {division: list(cuts) for division, cuts in found.division_cuts.items()},
                "division_rounds": {division: list(each) for division, each in found.division_rounds.items()},
            }
            for found in proposals(record.rulebook, sizes)
        ],
    }


def _announced(fact: StructureAnnounced) -> Document:
    document: Document = fact.model_dump(mode="json", exclude={"kind"})
    return document


def bracket_document(record: Record, drawn: Bracket) -> Document:
    """The bracket; a player is null where it is not known yet who comes, or where nobody does (`empty`).

    `from_the_top` is the order of a round's games on a sheet, so that those whose winners meet stand together.
    """
    fact = next((fact for _, fact in record.brackets_drawn if fact.division == drawn.division), None)
    seeds = seeds_in(record, drawn.division)
    return {
        "tournament": title(record),
        "position": record.position,
        "division": drawn.division,
        "method": None if fact is None else fact.method,
        "seed": None if fact is None else fact.seed,
        "numbers_seed": None if fact is None else fact.numbers_seed,
        "seeds": [record.players[player].name for player in seeds],
        "rounds": [
            {
                "round": number,
                "title": round_title(len(games)),
                "games": [_game(record, game) for game in games],
                "from_the_top": [game.number for game in order],
            }
            for number, (games, order) in enumerate(zip(drawn.rounds, drawn.from_the_top(), strict=True), 1)
        ],
        "playoff": None if drawn.playoff is None else _game(record, drawn.playoff),
        "champion": _name(record, drawn.champion),
    }


def _game(record: Record, game: Game) -> Document:
    return {
        "number": game.number,
        "players": [_name(record, side) for side in game.sides],
        "empty": [side == NOBODY for side in game.sides],
        "winner": _name(record, game.winner),
        "outcome": game.outcome,
    }


def places_document(record: Record, found: Iterable[Place]) -> Document:
    """Everybody's final place with the rule that gave it; `first` and `last` are null without a place."""
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "places": [
            {
                "first": place.first,
                "last": place.last,
                "player": record.players[place.player].name,
                "number": place.player,
                "rule": place.rule,
                "why": place.why,
                "division": record.players[place.player].division,
                "decided": place.decided,
            }
            for place in found
        ],
    }


def _name(record: Record, side: Side) -> str | None:
    return record.players[side].name if side else None
