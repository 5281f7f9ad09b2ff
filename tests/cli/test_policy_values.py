"""Each value of each policy, played on the command line: a small event ends as the value says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Desk

from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks

Look = Callable[[Desk], str]


@dataclass(frozen=True, slots=True)
class Scene:
    """An event of a few players whose outcome depends on one policy.

    `sheet` is imported under each value in turn. `look` continues the event and returns the outcome. `ends` gives
    the outcome that each value must have.
    """

    flag: str
    rulebook: str
    sheet: str
    look: Look
    ends: dict[str, str]

    @property
    def reading(self) -> str:
        return parse_rulebook(rulebook_text(self.rulebook)).policies[self.flag].reading


# -- what is looked at


def _rows(desk: Desk) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = desk("standings --json").document["standings"]
    return rows


def _points(desk: Desk) -> str:
    return " ".join(f"{row['player']}{row['points']}" for row in _rows(desk))


def _ranks(desk: Desk) -> str:
    """Return the ranks, with = where a draw must decide."""
    return " ".join(f"{row['rank']}{row['player']}{'=' * row['tied']}" for row in _rows(desk))


def _tiebreak(name: str) -> Look:
    """Return one tiebreaker of each player from the top of the standings. 5:8 means five eighths."""

    def look(desk: Desk) -> str:
        values = {row["player"]: row["tiebreaks"][name].removesuffix("/1") for row in _rows(desk)}
        return " ".join(f"{player} {value.replace('/', ':')}" for player, value in values.items())

    return look


def _paired(*before: str) -> Look:
    """Return the tables of the next round after some lines, and who has the bye."""

    def look(desk: Desk) -> str:
        _done(desk, *before)
        said = desk("pair --reason agreed")
        if said.code:
            return "refused"
        round_ = desk("pairings --json").document
        tables = sorted("-".join(sorted(table["players"])) for table in round_["pairings"])
        return " ".join([*tables, *(f"bye {player}" for player in round_["byes"])])

    return look


def _bracket(desk: Desk) -> str:
    _done(desk, "pair")
    tables = desk("pairings --elimination --json").document["pairings"]
    return " ".join(sorted("-".join(sorted(table["players"])) for table in tables))


def _done(desk: Desk, *lines: str) -> None:
    for line in lines:
        said = desk(line)
        assert said.code == 0, said.err


def _yes(desk: Desk, line: str) -> str:
    """Return "yes" if a command line succeeds, and otherwise "no"."""
    return "yes" if desk(line).code == 0 else "no"


def _of_roles(desk: Desk, line: str) -> str:
    """Return the roles for which a command line succeeds. After a success, the command is undone."""
    may = []
    for role in ("organizer", "judge", "scorekeeper", "player"):
        if desk(f"{line} --role {role} --actor L").code == 0:
            may.append(role)
            _done(desk, "undo --role organizer")
    return " ".join(may)


def _final_clock(desk: Desk) -> str:
    _done(desk, "pair", "start")
    return " ".join(str(mark["at"] // 60) for mark in desk("clock --json").document["marks"])


def _tier(desk: Desk) -> str:
    """Return whether an announced judge can play, a structure of the rulebook is accepted, and a deck needs opaque
    sleeves.
    """
    _done(desk, "staff add Q marshal")
    can = [_yes(desk, line) for line in ("staff add A judge", "announce --structure basic")]
    return " ".join([*can, "yes" if "need opaque" in _checked(desk, "SLEEVE", "--sleeves worn") else "no"])


def _checked(desk: Desk, rule: str, *more: str) -> str:
    """Return the finding of a deck check for a rule."""
    Path("deck.txt").write_text("1 Nanashi Mura\n1 River Skald\n", "utf-8")
    Path("cards.csv").write_text(
        "title,type,faction\nNanashi Mura,stronghold,Red\nRiver Skald,ally,Blue\n", "utf-8"
    )
    desk("deck submit A deck.txt")
    lines = desk(f"deck check A --cards cards.csv --dry-run {' '.join(more)}").lines
    return "; ".join(" ".join(line.split()) for line in lines if rule in line)


def _places(desk: Desk) -> str:
    lines = desk("places").lines[2:]
    return " ".join("".join(line.split()[:2]) for line in lines)


def _window(desk: Desk) -> str:
    """Return whether results can be corrected after the last round, after its standings are posted, and after the
    cut.
    """
    said = [_yes(desk, "correct 1 1 b --yes")]
    _done(desk, "post")
    said.append(_yes(desk, "correct 2 1 b --yes"))
    _done(desk, "cut 2 --yes --reason agreed", "pair --reason agreed", "report 1 a")
    return " ".join([*said, _yes(desk, "correct 3 1 b --yes")])


def _mended(desk: Desk) -> str:
    """Return the possible repairs of a round paired from a wrong result: before play in the round, and
    afterwards.
    """
    _done(desk, "pair --table A/C --table B/D --reason agreed", "correct 1 1 b --yes")
    before = _choices(desk)
    _done(desk, "start")
    return f"{before} | {_choices(desk)}"


def _choices(desk: Desk) -> str:
    lines = desk("repair").lines
    return " ".join(line.partition(":")[0] for line in lines if ": allowed" in line or ": recommended" in line)


def _small_events(desk: Desk) -> str:
    style = "announce --prizes 1 --style"
    return " ".join(_yes(desk, line) for line in (f"{style} swiss --rounds 4", f"{style} swiss --rounds 3"))


def _divided(desk: Desk) -> str:
    """Return how two divisions of 6 players play, and how they play after a player of a third division came."""
    first = desk("divisions --json").document["mode"]
    _done(desk, "register J --born 2000")
    return f"{first} {desk('divisions --json').document['mode']}"


def _flight_sizes(desk: Desk) -> str:
    [division] = desk("flights --json").document["divisions"]
    return "+".join(map(str, division["proposals"][0]["sizes"]))


def _late_flights(desk: Desk) -> str:
    """Return the sizes of two flights after each of four pairs of late players."""
    _done(
        desk,
        "announce --style swiss-with-cut --cut 8 --rounds 5 --prizes 1",
        "draw-flights masters 2",
        "pair",
        "start",
    )
    sizes = []
    for number in range(8):
        _done(desk, f"late L{number} --division masters")
        if number % 2:
            [division] = desk("flights --json").document["divisions"]
            sizes.append("+".join(str(len(flight)) for flight in division["drawn"]["flights"]))
    return " ".join(sizes)


def _tardy(desk: Desk) -> str:
    """Return whether a player is tardy who comes after round 1 is paired, in time to play."""
    _done(desk, "pair --table A/B --table C --reason agreed", "late L --losses 0", "report 1 a 2 a")
    return _tiebreak("tardiness")(desk)


def _posted_late(desk: Desk) -> str:
    """Return the refusal to pair without posted standings, and whether the integrity report names the pairing."""
    _done(desk, *(f"register {name}" for name in "ABCD"), "pair", "report 1 a 2 a")
    said = desk("pair")
    met = "refused" if said.code else "warned" if "not posted" in said.err else "paired"
    return f"{met}, {'listed' if 'before the standings' in desk('integrity').out else 'not listed'}"


def _deck_rules(desk: Desk) -> str:
    """Return which document's rules check a deck, whether a draft Stronghold is banned, and whether copies are
    limited.
    """
    rules = _checked(desk, "").split()
    document = next((word.split("-")[0] for word in rules if "-" in word or word == "POLICY"), "none")
    states = [_checked(desk, rule).partition(" ")[0] for rule in ("LEG-BAN-DRAFT", "LEG-LIMIT")]
    return " ".join([document, *filter(None, states)])


def _chained(desk: Desk) -> str:
    Path("five.txt").write_text("[first-five]\n1 River Skald\n", "utf-8")
    return _checked(desk, "ASH-CHAINED", "--first-five five.txt").partition(" ")[0]


def _no_show(desk: Desk) -> str:
    """Return whether a player who did not appear is still in the tournament."""
    _done(desk, "pair", "no-show B")
    return str(_rows(desk)[-1]["status"])


def _rated(desk: Desk) -> str:
    return str(desk("rating --json").document["verdict"])


# -- the events

TWO = "players A B\nround 1\n  A > B\n"
FOUR = "players A B C D\nround 1\n  A > B\n  C > D\n"
PLAYED = FOUR + "round 2\n  A > C\n  B > D\nround 3\n  A > D\n  C > B\n"
ASHES = "players A B C D E F G\nround 1\n  A > B (3)\n  C > D (9)\n  E > F (5)\n  G bye\n"
AGES = "divisions junior=1999 senior=1995\n"
SIX_AND_SIX = AGES + "event X\n" + "".join(f"player S{n} born=1996\nplayer M{n} born=1980\n" for n in range(6))
LAST_MEETS_NONE = (
    "players A B C D E F G H I J\nround 1\n  A > D\n  B > E\n  C > F\n  H > G\n  I > J\n"
    "round 2\n  A > E\n  B > F\n  C > D\n  I > G\n  H > J\n"
    "round 3\n  A > F\n  B > D\n  C > E\n  J > G\n  H > I\ndrop H\ndrop I\ndrop J\n"
)
BYES = "players A B C\nround 1\n  A > B 2-0\n  C bye\nround 2\n  A > C 2-0\n  B bye\n"
DRAWN = "players A B C D\nround 1\n  A > B\n  C > D\nround 2\n  A = C\n  B > D\n"
LEFT = "players A B C D\nround 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\ndrop A\nround 3\n  C > B\n  D bye\n"
SIXTEENTHS = (
    "players A B C D E F\nround 1\n  A > B\n  C > D\n  E > F\nround 2\n  A > C\n  E > B\n  D > F\n"
    "round 3\n  A > E\n  B > D\n  C > F\nround 4\n  D > A\n  C > E\n  B > F\n"
)
EIGHT = (
    "players A B C D E F G H\nround 1\n  A > B\n  C > D\n  E > F\n  G > H\n"
    "round 2\n  A > C\n  E > G\n  B > D\n  F > H\nround 3\n  A > E\n  C > G\n  B > F\n  D > H\n"
)
DROPPED = (
    "players A B C D E F G H\nround 1\n  G > E\n  C > B\n  A > D\n  H > F\ndrop E\n"
    "round 2\n  C > G\n  A > H\n  B > F\n  D bye\ndrop C\n"
    "round 3\n  G > A\n  B = H\n  D > F\nround 4\n  H > G\n  F > A\n  B > D\n"
)
SWEPT = "players A B C D\nround 1\n  A > B 2-0\n  C > D 2-0\nround 2\n  A > C 2-0\n  B > D 2-0\n"
SCORED = (
    "players A B C D E\nround 1\n  A > B\n  C > D\n  E bye\ndrop D\nround 2\n  A > E\n  C > B\n"
    "rejoin D\nround 3\n  D > A\n  E > C\n  B bye\n"
)

SCENES = [
    Scene(
        "POL-L5R-ROUNDS-DENOM",
        "l5r-2018",
        SCORED,
        _tiebreak("strength_of_schedule"),
        {
            "all-rounds": "E 7 A 5 C 5 B 7 D 7",
            "paired-rounds": "A 15:2 C 15:2 E 7 B 7 D 7",
            "attended-rounds": "E 7 A 17:3 C 17:3 B 7 D 7",
        },
    ),
    Scene(
        "POL-L5R-UNPAIRED-LOSS-TP",
        "l5r-2018",
        FOUR + "drop D\nround 2\n  A > C\n  B bye\nrejoin D\nround 3\n  B > D\n  A > C rematch\n",
        _points,
        {"0": "A30 B21 C12 D2", "1": "A30 B21 C12 D3"},
    ),
    Scene(
        "POL-L5R-NOSHOW",
        "l5r-2018",
        "players A B C D\nround 1\n  A > B no-show\n  C > D\n",
        _tiebreak("strength_of_schedule"),
        {"loss": "A 1 C 1 B 10 D 10", "bye": "C 1 A 0 D 10 B 0"},
    ),
    Scene(
        "POL-L5R-BYE",
        "l5r-2018",
        LAST_MEETS_NONE,
        _paired(),
        {"avoid-rematch": "A-G B-C D-F bye E", "by-rank": "refused"},
    ),
    Scene(
        "POL-L5R-FINAL-CLOCK",
        "l5r-2018",
        PLAYED + "cut 2\n",
        _final_clock,
        {"offsets": "100 105 110", "literal": "65 70 75"},
    ),
    Scene(
        "POL-L5R-TIER",
        "l5r-2018",
        "players A B C D E F G H I\n",
        _tier,
        {"relaxed": "yes yes no", "formal": "no yes yes", "premier": "no no yes"},
    ),
    Scene(
        "POL-L5R-SE-PLACING",
        "l5r-2018",
        PLAYED + "cut 4\nelimination 1\n  A > D\n  C > B\nelimination 2\n  A > C\n",
        _places,
        {"seed": "1A 2C 3B 4D", "shared": "1A 2C 3-4B 3-4D"},
    ),
    Scene(
        "POL-ALL-DECKS",
        "l5r-2018",
        "players A B\n",
        _deck_rules,
        {
            "none": "none",
            "l5r-2018": "L5R",
            "legacy": "LEG FAILS ok",
            "legacy-bigdeck": "LEG FAILS open",
            "legacy-draft": "LEG ok ok",
            "ashes-2022": "ASH",
            "street-warriors-2004": "SWR",
            "counts": "POLICY",
        },
    ),
    Scene(
        "POL-ALL-REMATCH-FALLBACK",
        "l5r-2018",
        TWO,
        _paired(),
        {"refuse": "refused", "fewest": "A-B"},
    ),
    Scene(
        "POL-ALL-CORRECTION-WINDOW",
        "l5r-2018",
        PLAYED.replace("C > B", "B > C"),
        _window,
        {"until-cut": "yes yes no", "until-next-posting": "yes no no", "any": "yes yes yes"},
    ),
    Scene(
        "POL-ALL-REPAIR",
        "l5r-2018",
        FOUR,
        _mended,
        {
            "before-start": "leave minimal all | leave",
            "discretion": "leave minimal all | leave minimal",
            "never": "leave | leave",
        },
    ),
    Scene(
        "POL-ALL-SILENT-ROLES",
        "street-warriors-2004",
        FOUR,
        lambda desk: _of_roles(desk, "late L"),
        {
            "organizer": "organizer scorekeeper",
            "staff": "organizer judge scorekeeper",
            "anyone": "organizer judge scorekeeper player",
        },
    ),
    Scene(
        "POL-ALL-DELEGATION",
        "street-warriors-2004",
        FOUR,
        lambda desk: _of_roles(desk, "pair --reason agreed"),
        {"scorekeeper": "organizer scorekeeper", "staff": "organizer judge scorekeeper", "none": "organizer"},
    ),
    Scene(
        "POL-SWR-LT8-ROUNDS",
        "street-warriors-2004",
        "players A B C D E F\n",
        _small_events,
        {"3": "no yes", "host": "yes yes"},
    ),
    Scene(
        "POL-SWR-DOUBLE-DOWN",
        "street-warriors-2004",
        "players D G B F H A E C\nround 1\n  A > B\n  G > H\n  C = D\n  E = F\ndrop G\ndrop B\n",
        _paired(),
        {"last-resort": "A-C D-F E-H", "any": "A-H C-F D-E"},
    ),
    Scene(
        "POL-SWR-CUT-BRACKET",
        "street-warriors-2004",
        EIGHT + "draw D F\ncut 8\n",
        _bracket,
        {"seeded": "A-H B-G C-D E-F", "random": "A-H B-E C-G D-F"},
    ),
    Scene(
        "POL-SWR-APPROVED-HOST",
        "street-warriors-2004",
        "players A B C D E F G H\nround 1\n  A > B\n  C > D\n  E > F\n  G > H\n",
        _rated,
        {"yes": "under way", "no": "host not approved"},
    ),
    Scene(
        "POL-PKM-BYE-WP",
        "pokemon-2009",
        "players A B C\nround 1\n  A > B\n  C bye\nround 2\n  A > C\n  B bye\nround 3\n  C > B\n  A bye\n",
        _tiebreak("opponents_win_percentage"),
        {"removed": "A 3:8 C 5:8 B 3:4", "win": "A 1:2 C 2:3 B 5:6", "numerator": "A 7:24 C 11:24 B 1:2"},
    ),
    Scene(
        "POL-PKM-PARTICIPATED",
        "pokemon-2009",
        FOUR + "late E 1\nround 2\n  E > B\n  A > C\n  D bye\ndrop E\nround 3\n  A > D\n  C > B\n",
        _tiebreak("opponents_win_percentage"),
        {"on-record": "A 7:18 C 1:2 D 5:6 E 1:4 B 13:18", "paired": "A 7:18 C 1:2 D 5:6 E 1:4 B 29:36"},
    ),
    Scene(
        "POL-PKM-H2H-RESIDUE",
        "pokemon-2009",
        "players A C B D\nround 1\n  A > B\n  C > D\nround 2\n  C > A\n  B > D\nround 3\n  A > D\n  B > C\n",
        _ranks,
        {"reapplied": "1B 2C 3A 4D", "once": "1C= 1B= 3A 4D"},
    ),
    Scene(
        "POL-PKM-LASTOPP-CYCLE",
        "pokemon-2009",
        "players D A C B\nround 1\n  A > B\n  C > D\nround 2\n  B > C\n  D > A\n",
        _ranks,
        {"draw": "1D= 1A= 1C= 1B=", "registration": "1D 2A 3C 4B"},
    ),
    Scene(
        "POL-PKM-DIVISIONS",
        "pokemon-2009",
        SIX_AND_SIX,
        _divided,
        {
            "none": "none none",
            "automatic": "separated modified",
            "separated": "separated separated",
            "modified": "modified modified",
        },
    ),
    Scene(
        "POL-PKM-FLIGHTS",
        "pokemon-2009",
        "event X\n" + "".join(f"player {name} flight={1 + number % 2}\n" for number, name in enumerate("ABCDEFGH")),
        _paired(),
        {"none": "A-D B-E C-G F-H", "apart": "A-G B-D C-E F-H"},
    ),
    Scene(
        "POL-PKM-EMPTY-DIV",
        "pokemon-2009",
        SIX_AND_SIX,
        lambda desk: str(desk("divisions --json").document["mode"]),
        {"ignored": "separated", "modified": "modified"},
    ),
    Scene(
        "POL-PKM-FLIGHT-EVEN",
        "pokemon-2009",
        "players " + " ".join(f"P{number}" for number in range(70)) + "\n",
        _flight_sizes,
        {"even": "36+34", "plain": "35+35"},
    ),
    Scene(
        "POL-PKM-LATE-FLIGHT",
        "pokemon-2009",
        "event X\n" + "".join(f"player P{number} division=masters\n" for number in range(64)),
        _late_flights,
        {"smallest": "33+33 34+34 35+35 36+36", "random": "34+32 36+32 37+33 39+33"},
    ),
    Scene(
        "POL-PKM-NO-DIVISION",
        "pokemon-2009",
        SIX_AND_SIX + "player Z\n",
        lambda desk: _yes(desk, "pair"),
        {"division": "yes", "ask": "no"},
    ),
    Scene(
        "POL-PKM-TARDY",
        "pokemon-2009",
        "players A B C\n",
        _tardy,
        {"charged": "A 0 C 0 B 0 L 0", "any": "A 0 C 0 B 0 L 1"},
    ),
    Scene(
        "POL-PKM-REDRAW",
        "pokemon-2009",
        FOUR,
        _mended,
        {"allowed": "leave minimal all | leave", "refused": "leave minimal | leave"},
    ),
    Scene(
        "POL-PKM-POST",
        "pokemon-2009",
        "",
        _posted_late,
        {"free": "paired, not listed", "said": "warned, listed", "demanded": "refused, not listed"},
    ),
    Scene(
        "POL-ASH-BYE-AMONG-WEAKEST",
        "ashes-2022",
        ASHES,
        _paired(),
        {"random": "A-E B-D C-G bye F", "lowest-ranked": "A-E C-G D-F bye B"},
    ),
    Scene(
        "POL-ASH-FIRST-BYE",
        "ashes-2022",
        "players A B C D\nround 1\n  A > B (3)\n  C > D (9)\ndrop D\n",
        _paired(),
        {"weakest": "A-C bye B", "random": "B-C bye A"},
    ),
    Scene(
        "POL-ASH-CHAINED",
        "ashes-2022",
        "players A B\n",
        _chained,
        {"on": "FAILS", "off": "ok"},
    ),
    Scene(
        "POL-YGO-NO-SHOW",
        "yu-gi-oh",
        "players A B\n",
        _no_show,
        {"rulebook": "active", "stays": "active", "drops": "dropped"},
    ),
    Scene(
        "POL-YGO-MISSED",
        "yu-gi-oh",
        "players A B C D\nround 1\n  A > B\n  C > D\nlate E 1\nround 2\n  A > E\n  B > C\n  D bye\n",
        _tiebreak("lost_round_squares"),
        {"no": "A 0 B 1 C 4 D 1 E 4", "yes": "A 0 B 1 C 4 D 1 E 5"},
    ),
    Scene(
        "POL-TOM-MISSED",
        "pokemon-tom",
        FOUR + "late L 1\nround 2\n  L > A\n  C > B\n  D bye\n",
        _tiebreak("opponents_opponents_win_percentage"),
        {"nobody": "C 7:8 D 1:4 L 3:8 A 5:8 B 5:16", "floor": "C 7:8 D 1:4 A 9:16 L 5:16 B 5:16"},
    ),
    Scene(
        "POL-TOM-LATE",
        "pokemon-tom",
        FOUR + "late L 1\nround 2\n  L > A\n  C > B\n  D bye\n",
        _ranks,
        {"among": "1C 2D 3L 4A 5B", "behind": "1C 2D 3A 4L 5B"},
    ),
    Scene(
        "POL-TOM-DROPPED",
        "pokemon-tom",
        DROPPED,
        _ranks,
        {
            "frozen": "1B 2H 3G 4C 5D 6A 7F 8E",
            "moving": "1B 2H 3C 4G 5D 6A 7F 8E",
            "behind": "1B 2H 3G 4D 5A 6C 7F 8E",
        },
    ),
    Scene(
        "POL-MTR-BYE-MW",
        "magic-mtr",
        BYES,
        _tiebreak("opponents_match_win_percentage"),
        {"win": "A 1:2 B 1 C 1", "ignored": "A 33:100 B 1 C 1"},
    ),
    Scene(
        "POL-LOR-OWN-GW",
        "lorcana",
        SWEPT,
        _tiebreak("game_win_percentage"),
        {"floored": "A 1 B 1:2 C 1:2 D 33:100", "bare": "A 1 B 1:2 C 1:2 D 0"},
    ),
    Scene(
        "POL-AESOP-DIVISOR",
        "netrunner-aesops",
        "players A B C D\nround 1\n  A > B\n  C > D\nround 2\n  A > C\n  B bye\n",
        _tiebreak("strength_of_schedule"),
        {"real-opponents": "A 3:2 B 3 C 3:2 D 3:2", "own-rounds": "A 3:2 C 3:2 B 3:2 D 3:2"},
    ),
    Scene(
        "POL-PTR-TIE",
        "pokemon-2026",
        DRAWN,
        _tiebreak("opponents_win_percentage"),
        {
            "rulebook": "A 5:8 C 1:2 B 1:2 D 5:8",
            "half": "A 5:8 C 1:2 B 1:2 D 5:8",
            "nothing": "A 1:2 C 3:8 B 3:8 D 1:2",
        },
    ),
    Scene(
        "POL-PTR-DAY-1",
        "pokemon-2026",
        LEFT,
        _tiebreak("opponents_win_percentage"),
        {"0": "A 1:2 C 4:9 B 5:9 D 1:2", "2": "C 19:36 A 1:2 B 23:36 D 1:2"},
    ),
    Scene(
        "POL-FAB-BYE-PML",
        "flesh-and-blood",
        LEFT,
        _tiebreak("match_loss_percentage"),
        {"left-out": "A 0 C 1:3 B 2:3 D 1", "counted": "A 0 C 1:3 B 2:3 D 2:3"},
    ),
    Scene(
        "POL-FAB-LEFT-CTB",
        "flesh-and-blood",
        LEFT,
        _tiebreak("cumulative_tiebreak"),
        {"moving": "A 41:16 C 37:16 B 5:4 D 1", "frozen": "C 37:16 A 9:4 B 5:4 D 1"},
    ),
    Scene(
        "POL-YGO-FLOOR",
        "yu-gi-oh",
        SWEPT,
        _tiebreak("opponents_match_win_percentage"),
        {
            "rulebook": "A 1:2 C 1:2 B 1:2 D 1:2",
            "0": "A 1:2 C 1:2 B 1:2 D 1:2",
            "1/4": "A 1:2 C 5:8 B 5:8 D 1:2",
            "33/100": "A 1:2 C 133:200 B 133:200 D 1:2",
            "1/3": "A 1:2 C 667:1000 B 667:1000 D 1:2",
        },
    ),
    Scene(
        "POL-OP-DECIMALS",
        "one-piece",
        SIXTEENTHS,
        _tiebreak("opponents_match_win_percentage"),
        {
            "printed": "A 281:500 C 521:1000 D 583:1000 E 583:1000 B 521:1000 F 281:500",
            "half-up": "A 563:1000 C 521:1000 D 583:1000 E 583:1000 B 521:1000 F 563:1000",
            "exact": "A 9:16 C 25:48 D 7:12 E 7:12 B 25:48 F 9:16",
        },
    ),
]


@pytest.mark.parametrize(
    ("scene", "value"),
    [pytest.param(scene, value, id=f"{scene.flag}={value}") for scene in SCENES for value in scene.ends],
)
def test_the_value_of_a_policy_decides_how_an_event_ends(scene: Scene, value: str, desk: Desk) -> None:
    if not scene.sheet:
        _done(desk, f"open X --rulebook {scene.rulebook} --policy {scene.flag}={value}")
        assert scene.look(desk) == scene.ends[value]
        return
    named = "" if "event X" in scene.sheet else "event X\n"
    sheet = f"rulebook {scene.rulebook}\noption {scene.flag}={value}\n{named}{scene.sheet}"
    Path("event.sheet").write_text(sheet, "utf-8")
    _done(desk, "import event.sheet")
    assert scene.look(desk) == scene.ends[value]


@pytest.mark.parametrize(("value", "ranks"), [("0", "1A= 1B= 1C="), ("last", "1A= 1B= 3C")])
def test_the_policy_decides_the_rank_of_a_player_without_opponents(value: str, ranks: str, desk: Desk) -> None:
    """Under l5r-2018 every match gives at least one point, so both values give the same order."""
    house = rulebook_text("l5r-2018").replace('id = "l5r-2018"', 'id = "house"')
    Path("house.toml").write_text(house.replace("double-loss = { each = 1", "double-loss = { each = 0"), "utf-8")
    _done(
        desk,
        f"open X --rulebook house.toml --policy POL-L5R-EMPTY-SOS={value} --policy POL-L5R-UNPAIRED-LOSS-TP=0",
        "register A",
        "register B",
        "pair",
        "start",
        "report 1 double-loss --reason both-left",
        "late C",
    )
    assert _ranks(desk) == ranks


def test_every_policy_is_played_under_each_of_its_values() -> None:
    played = {scene.reading: set(scene.ends) for scene in SCENES}
    offered: dict[str, set[str]] = {}
    for id_ in shipped_rulebooks():
        for policy in parse_rulebook(rulebook_text(id_)).policies.values():
            offered.setdefault(policy.reading, set()).update(() if policy.takes_numbers else policy.values)
    played["empty_schedule"] = {"0", "last"}  # an earlier test plays this policy
    assert set(played) == set(offered)
    for reading, values in played.items():
        assert values == offered[reading] or not offered[reading], reading
    for scene in SCENES:
        ends = [end for value, end in scene.ends.items() if value != "rulebook"]
        assert len(set(ends)) == len(ends), f"{scene.flag}: two values end alike"
