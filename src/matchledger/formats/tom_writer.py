"""TOM `.tdf` output: writing a transcript in the XML that `formats.tom` reads."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from matchledger.formats import tom_codes as codes
from matchledger.formats.left_out import entrants_of, left_out
from matchledger.formats.transcript import (
    ArriveLate,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    Game,
    PlayRound,
    Rejoin,
    Transcript,
)

_COMBINED = "10"  # the category of a pod where divisions play together
_MASTERS = "2"
_CATEGORIES = {name: str(number) for number, name in codes.DIVISIONS.items()}
_DEFAULT = codes.DIVISIONS[int(_MASTERS)]
_HOLDS = {"divisions", "losses", "memberships"}


def write_tom(transcript: Transcript) -> tuple[bytes, list[str]]:
    """Return the tournament as a `.tdf` file, and a line for each feature that the format cannot store."""
    return _Writer(transcript).written()


class _Writer:
    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._entrants = entrants_of(transcript)
        self._ids = self._user_ids()
        self._rounds = [step for step in transcript.steps if isinstance(step, PlayRound)]
        cuts = [step for step in transcript.steps if isinstance(step, Cut)]
        self._cut = cuts[0] if cuts else None
        self._seeds = {name: seed for cut in cuts for seed, name in enumerate(cut.seeds, 1)}
        self._left_out = left_out(transcript, holds=_HOLDS, rulebook="pokemon-tom")
        known = {None, *codes.DIVISIONS.values()}
        if odd := sorted({str(entrant.division) for entrant in self._entrants if entrant.division not in known}):
            self._left_out.append(f"divisions that TOM does not have: {', '.join(odd)} written as {_DEFAULT}")

    def _user_ids(self) -> dict[str, str]:
        """Return each player's number at the publisher, or a free number if the player has no number or shares it
        with another player.
        """
        members = {entrant.name: entrant.membership for entrant in self._entrants}
        taken = {number for number in members.values() if number and number.isascii() and number.isalnum()}
        free = (
            str(number) for number in range(1, len(taken) + len(self._entrants) + 1) if str(number) not in taken
        )
        ids: dict[str, str] = {}
        for entrant in self._entrants:
            member = members[entrant.name]
            ids[entrant.name] = member if member in taken - set(ids.values()) else next(free)
        return ids

    def written(self) -> tuple[bytes, list[str]]:
        root = Element(
            "tournament", type="2", stage="5", version="1.80", gametype="TRADING_CARD_GAME", mode="CUSTOM"
        )
        SubElement(SubElement(root, "data"), "name").text = self._transcript.name
        players = SubElement(root, "players")
        left = self._left_after()
        for entrant in self._entrants:
            self._player(players, entrant, left.get(entrant.name))
        self._pod(SubElement(root, "pods"))
        self._standings(SubElement(root, "standings"))
        cut = SubElement(SubElement(root, "finalsoptions"), "categorycut", key=_MASTERS)
        SubElement(cut, "cut").text = str(len(self._cut.seeds) if self._cut else 0)
        indent(root, "\t")
        return tostring(root, "UTF-8", xml_declaration=True) + b"\n", self._left_out

    def _left_after(self) -> dict[str, int]:
        """Return the round after which each player left for good."""
        left: dict[str, int] = {}
        swiss = 0
        for step in self._transcript.steps:
            match step:
                case PlayRound(stage="swiss"):
                    swiss = step.number
                case Drop() | Disqualify():
                    left[step.player] = swiss
                case Rejoin():
                    left.pop(step.player, None)
        return left

    def _player(self, parent: Element, entrant: Entrant, left: int | None) -> None:
        player = SubElement(parent, "player", userid=self._ids[entrant.name])
        first, _, last = entrant.name.rpartition(" ")
        SubElement(player, "firstname").text = first
        SubElement(player, "lastname").text = last
        SubElement(player, "birthdate").text = f"01/01/{entrant.born}" if entrant.born else ""
        if entrant.name in self._seeds:
            SubElement(player, "seed").text = str(self._seeds[entrant.name])
        if left is not None:
            dropped = SubElement(player, "dropped")
            SubElement(dropped, "status").text = "1"
            SubElement(dropped, "round").text = str(left)

    def _pod(self, parent: Element) -> None:
        divisions = {_division(entrant) for entrant in self._entrants}
        alone = _CATEGORIES.get(next(iter(divisions), ""), _MASTERS) if len(divisions) < 2 else _COMBINED  # noqa: PLR2004 - one division or several
        pod = SubElement(parent, "pod", category=alone, stage="0")
        members = SubElement(SubElement(SubElement(pod, "subgroups"), "subgroup", number="1"), "players")
        for player in self._ids.values():
            SubElement(members, "player", userid=player)
        rounds = SubElement(pod, "rounds")
        swiss = sum(step.stage == "swiss" for step in self._rounds)
        losses = self._charged()
        for step in self._rounds:
            elimination = step.stage == "elimination"
            kind = str(codes.ELIMINATION) if elimination else "3" if alone == _COMBINED else "2"
            number = step.number + (swiss if elimination else 0)
            round_ = SubElement(rounds, "round", number=str(number), type=kind, stage="6")
            matches = SubElement(round_, "matches")
            for bye in step.byes:
                self._alone(matches, bye.player, codes.BYE)
            for player in () if elimination else losses.get(step.number, ()):
                self._alone(matches, player, codes.FORCED_LOSS)
            for game in step.games:
                self._match(matches, game)

    def _charged(self) -> dict[int, list[str]]:
        """Return the players who are charged with a loss, for each Swiss round."""
        charged: dict[int, list[str]] = {}
        for step in self._transcript.steps:
            match step:
                case ArriveLate():
                    name, losses = step.entrant.name, step.losses
                case Rejoin():
                    name, losses = step.player, step.losses
                case _:
                    continue
            for number in losses or ():
                charged.setdefault(number, []).append(name)
        return charged

    def _alone(self, parent: Element, player: str, outcome: int) -> None:
        match = SubElement(parent, "match", outcome=str(outcome))
        SubElement(match, "player", userid=self._ids[player])
        SubElement(match, "tablenumber").text = "0"

    def _match(self, parent: Element, game: Game) -> None:
        match = SubElement(parent, "match", outcome=str(_outcome(game)))
        SubElement(match, "player1", userid=self._ids[game.first])
        SubElement(match, "player2", userid=self._ids[game.second])
        SubElement(match, "tablenumber").text = str(game.table or 0)

    def _standings(self, parent: Element) -> None:
        """Write the standings. A player who dropped has a place. A disqualified player did not finish (dnf)."""
        official = self._transcript.official
        orders = {} if official is None else official.orders
        out = {step.player for step in self._transcript.steps if isinstance(step, Disqualify)}
        for number, division in sorted(codes.DIVISIONS.items(), reverse=True):
            order = list(self._of_division(orders, division))
            for kind in ("finished", "dnf"):
                pod = SubElement(parent, "pod", category=str(number), type=kind)
                for place, name in enumerate((name for name in order if (name in out) == (kind == "dnf")), 1):
                    SubElement(pod, "player", id=self._ids[name], place=str(place))

    def _of_division(self, orders: dict[str, tuple[str, ...]], division: str) -> Iterator[str]:
        own = {entrant.name: _division(entrant) for entrant in self._entrants}
        listed = orders.get(division, orders.get("", tuple(own)))
        return (name for name in listed if own.get(name) == division)


def _division(entrant: Entrant) -> str:
    return entrant.division if entrant.division in _CATEGORIES else _DEFAULT


def _outcome(game: Game) -> int:
    if game.outcome is None:
        return codes.OPEN
    if game.outcome.kind == "double-loss":
        return codes.DOUBLE_LOSS
    if game.outcome.winner is None:
        return codes.TIE
    return codes.FIRST_WON if game.outcome.winner == game.first else codes.SECOND_WON
