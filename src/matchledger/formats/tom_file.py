"""The XML of a TOM tournament (`.tdf`) as a validated model: players, pods, rounds, matches and standings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from matchledger.formats.markup import Element, parse_xml
from matchledger.formats.text import YEARS, FormatError, problem_with_name

_LARGEST = 999_999


class TomPlayer(Struct, frozen=True):
    """A player. `dropped` is the round after which TOM drops the player, and `seed` is the player's seed in the top
    cut.
    """

    id: str
    name: str
    line: int
    born: int | None
    dropped: int | None
    drop_status: str
    seed: int | None


class TomMatch(Struct, frozen=True):
    """A match of two players. If `second` is None, the first player has no opponent. `outcome` is TOM's code."""

    line: int
    outcome: int
    first: str
    second: str | None
    table: int | None


class TomRound(Struct, frozen=True):
    line: int
    number: int
    type: int
    matches: tuple[TomMatch, ...]


class TomPod(Struct, frozen=True):
    """Players who are paired among themselves."""

    line: int
    category: int
    players: tuple[str, ...]
    rounds: tuple[TomRound, ...]


class TomPlaces(Struct, frozen=True):
    """The final places in a category, best first: of players who finished, or of players who did not finish."""

    line: int
    category: int
    finished: bool
    players: tuple[str, ...]


class TomFile(Struct, frozen=True):
    """The whole tournament in a file. `cut_announced` is set if TOM was told to make a top cut."""

    name: str
    players: dict[str, TomPlayer]
    pods: tuple[TomPod, ...]
    places: tuple[TomPlaces, ...]
    cut_announced: bool


def parse_tom(data: bytes) -> TomFile:
    """Return the validated content of a `.tdf` file. Raises FormatError with the line in the XML."""
    root = parse_xml(data)
    if root.tag != "tournament":
        raise FormatError(f"the XML is a <{root.tag[:40]}>, not the <tournament> of a TOM file", root.line)
    heading = root.one("data")
    name = " ".join(heading.text_of("name").split()) if heading is not None else ""
    if heading is not None and name and (problem := problem_with_name(name)):
        raise FormatError(problem, heading.line)
    players = _players(_part(root, "players"))
    pods = root.one("pods")
    standings = root.one("standings")
    return TomFile(
        name,
        players,
        tuple(_pod(pod, players) for pod in pods.all("pod")) if pods is not None else (),
        tuple(_places(pod, players) for pod in standings.all("pod")) if standings is not None else (),
        any(cut.text_of("cut") not in {"", "0"} for cut in _cuts(root)),
    )


def _cuts(root: Element) -> Iterator[Element]:
    options = root.one("finalsoptions")
    return options.all("categorycut") if options is not None else iter(())


def _part(parent: Element, tag: str) -> Element:
    if (found := parent.one(tag)) is None:
        raise FormatError(f"<{tag}> is missing in <{parent.tag}>", parent.line)
    return found


def _attribute(element: Element, name: str) -> str:
    value = element.attributes.get(name, "").strip()
    if not value:
        raise FormatError(f"<{element.tag}> has no {name}", element.line)
    return value


def _number(text: str, what: str, line: int) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise FormatError(f"{what} is a whole number from 0 to {_LARGEST}, not {text[:40]!r}", line)
    return int(text)


def _optional_number(element: Element, tag: str) -> int | None:
    child = element.one(tag)
    return None if child is None or not child.text else _number(child.text, f"<{tag}>", child.line)


def _players(parent: Element) -> dict[str, TomPlayer]:
    players: dict[str, TomPlayer] = {}
    for element in parent.all("player"):
        player = _player(element)
        if player.id in players:
            line = players[player.id].line
            raise FormatError(f"userid {player.id} is the id of the player in line {line} too", element.line)
        players[player.id] = player
    return players


def _player(element: Element) -> TomPlayer:
    names = [element.text_of("firstname"), element.text_of("lastname")]
    name = " ".join(" ".join(names).split())
    if name and (problem := problem_with_name(name)):
        raise FormatError(problem, element.line)
    dropped = element.one("dropped")
    return TomPlayer(
        _attribute(element, "userid"),
        name,
        element.line,
        _year(element.text_of("birthdate")),
        None if dropped is None else _optional_number(dropped, "round"),
        "" if dropped is None else dropped.text_of("status"),
        _optional_number(element, "seed") or None,
    )


def _year(birthdate: str) -> int | None:
    """Return the year of a birthdate such as 02/27/1998, or None for a text that is not a date. Day and month are
    not kept.
    """
    found = re.search(r"(?<!\d)(\d{4})(?!\d)", birthdate)
    return int(found[1]) if found and int(found[1]) in YEARS else None


def _known(element: Element, players: dict[str, TomPlayer], attribute: str = "userid") -> str:
    player = _attribute(element, attribute)
    if player not in players:
        raise FormatError(f"no player has the {attribute} {player[:40]!r}", element.line)
    return player


def _pod(element: Element, players: dict[str, TomPlayer]) -> TomPod:
    members: dict[str, None] = {}
    for subgroups in element.all("subgroups"):
        for subgroup in subgroups.all("subgroup"):
            for group in subgroup.all("players"):
                members |= dict.fromkeys(_known(player, players) for player in group.all("player"))
    rounds = element.one("rounds")
    return TomPod(
        element.line,
        _number(_attribute(element, "category"), "the category", element.line),
        tuple(members),
        tuple(_round(round_, players) for round_ in rounds.all("round")) if rounds is not None else (),
    )


def _round(element: Element, players: dict[str, TomPlayer]) -> TomRound:
    matches = element.one("matches")
    return TomRound(
        element.line,
        _number(_attribute(element, "number"), "the number of a round", element.line),
        _number(element.attributes.get("type", "").strip() or "2", "the type of a round", element.line),
        tuple(_match(match, players) for match in matches.all("match")) if matches is not None else (),
    )


def _match(element: Element, players: dict[str, TomPlayer]) -> TomMatch:
    alone, first, second = (element.one(tag) for tag in ("player", "player1", "player2"))
    if (alone is None) == (first is None) or (first is None) != (second is None):
        raise FormatError("a match has either a <player> or a <player1> and a <player2>", element.line)
    outcome = _number(_attribute(element, "outcome"), "the outcome", element.line)
    table = _optional_number(element, "tablenumber") or None
    if alone is not None:
        return TomMatch(element.line, outcome, _known(alone, players), None, table)
    seated = [_known(side, players) for side in (first, second) if side is not None]
    return TomMatch(element.line, outcome, seated[0], seated[1], table)


def _places(element: Element, players: dict[str, TomPlayer]) -> TomPlaces:
    ranked = sorted(
        (_number(_attribute(player, "place"), "the place", player.line), _known(player, players, "id"))
        for player in element.all("player")
    )
    return TomPlaces(
        element.line,
        _number(_attribute(element, "category"), "the category", element.line),
        element.attributes.get("type") != "dnf",
        tuple(player for _, player in ranked),
    )
