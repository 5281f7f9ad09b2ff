"""A bracket in plain characters, as wide as the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matchledger.cli.tables import width
from matchledger.text.columns import listed_name
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.games import games_text, turned
from matchledger_projections.stages.bracket import NOBODY, Bracket, Game, Side, round_title, seeds_of_cut

_NARROWEST = 6  # columns for a name. A narrower terminal gets a list of the rounds
_JOINT = 5  # columns between two rounds


def draw_bracket(record: Record, drawn: Bracket, columns: int) -> Iterator[str]:
    """Draw the bracket as a tree, with names cut to fit. If the tree is still too wide, list the bracket round by
    round.
    """
    rounds = drawn.from_the_top()
    labels = [_sides(record, rounds[0]), *([_winner(record, game) for game in games] for games in rounds)]
    room = _room(labels, columns)
    if room is None:
        yield from list_rounds(record, drawn)
        return
    yield from _tree([[_cut(label, room) for label in column] for column in labels])
    if drawn.playoff is not None:
        yield ""
        yield f"3rd and 4th place: {_match(record, drawn.playoff)}"


def list_rounds(record: Record, drawn: Bracket) -> Iterator[str]:
    """List the bracket round by round, with a line for each game."""
    for games in drawn.rounds:
        yield f"{round_title(len(games))}:"
        yield from (f"  #{game.number} {_match(record, game)}{_table(game)}" for game in games)
    if drawn.playoff is not None:
        yield "3rd and 4th place:"
        yield f"  {_match(record, drawn.playoff)}{_table(drawn.playoff)}"


def _sides(record: Record, games: Sequence[Game]) -> list[str]:
    numbered = [enumerate(seeds_of_cut(record, cut), 1) for cut in record.cuts]
    seeds = {player: f"{seed} " for seeds in numbered for seed, player in seeds}
    return [
        "bye" if side == NOBODY else f"{seeds.get(side or NOBODY, '')}{_name(record, side)}"
        for game in games
        for side in game.sides
    ]


def _winner(record: Record, game: Game) -> str:
    name = _name(record, game.winner) if game.winner is not None else ""
    return f"#{game.number} {name}{_score(game)}{_table(game)}".rstrip()


def _score(game: Game) -> str:
    """Return the games that each side won, such as 2-1, for the winner's line. The winner's games come first."""
    if game.games is None or not game.winner:
        return ""
    return f" {games_text(game.games if game.winner == game.sides[0] else turned(game.games))}"


def _name(record: Record, side: Side) -> str:
    if not side:
        return "?" if side is None else "nobody"
    return listed_name(record.players[side].name, disqualified=record.status(side) == "disqualified")


def _match(record: Record, game: Game) -> str:
    first, second = (_name(record, side) for side in game.sides)
    match game.outcome:
        case "bye":
            return f"{_name(record, game.winner)} has a bye"
        case "played" | "nobody":
            return f"{first} - {second}: {_name(record, game.winner)}{_score(game)}"
        case _:
            return f"{first} - {second}"


def _table(game: Game) -> str:
    """Return the table of a game without a result, if the table's number differs from the game's."""
    return f" (table {game.table})" if game.outcome == "open" and game.table != game.number else ""


def _room(labels: Sequence[Sequence[str]], columns: int) -> int | None:
    """Return how many columns a label may fill so that the tree fits the terminal, or None if no label is short
    enough.
    """
    widths = [max(map(width, column)) for column in labels]
    joints = _JOINT * (len(labels) - 1)
    for room in range(max(*widths, _NARROWEST), _NARROWEST - 1, -1):
        if sum(min(taken, room) for taken in widths) + joints <= columns:
            return room
    return None


def _cut(label: str, room: int) -> str:
    if width(label) <= room:
        return label
    kept = label
    while width(kept) > room - 1:
        kept = kept[:-1]
    return f"{kept}~"


def _tree(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(width, column)) for column in columns]
    for row in range(2 * len(columns[0]) - 1):
        line = ""
        for level, labels in enumerate(columns):
            line += _cell(labels, widths[level], row, level, last=level == len(columns) - 1)
        yield line.rstrip()


def _cell(labels: Sequence[str], room: int, row: int, level: int, *, last: bool) -> str:
    """Return one round's part of a line of the tree: a label with a line to its game, a part of a vertical line, or
    spaces.
    """
    apart = 2 << level  # lines between two labels of this round
    place, offset = divmod(row - (apart // 2 - 1), apart)
    if offset == 0 and 0 <= place < len(labels):
        label = labels[place]
        if last:
            return label
        return f"{label} {'-' * (room - width(label) + 1)}+  "
    blank = " " * (room if last else room + 2)
    between = (row - (apart // 2 - 1)) % (2 * apart)
    if last or not 0 < between < apart or not 0 <= place < len(labels):
        return blank if last else f"{blank}   "
    return f"{blank}+- " if between == apart // 2 else f"{blank}|  "
