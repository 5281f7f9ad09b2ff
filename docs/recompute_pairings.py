"""Draw the rounds and brackets of a closed tournament again, with only this page of Python and the exported log.

    python recompute_pairings.py LOG

LOG is a file that `matchledger log --json` or `matchledger export` wrote. Needs Python 3.11. Exit code 0: every
Swiss round and every bracket is as drawn again, or openly by hand. An elimination round with other games than its
bracket gives is by hand. 1: a round, bracket, drawn tie or flight, or an input of the draws, is DIFFERENT. 2: the
log cannot be judged. The digest of the registrations is checked only if LOG is an export. The rules of the draws
are in chance.md (both versions) and pairing.md. This page shares no code with matchledger, and pairs with a
different method: a search in order, and if the search fails, an exact matching for each score group. Exact
matchings take seconds for 200 players, and minutes for 500.
"""

import base64
import hashlib
import hmac
import json
import re
import sys
import tomllib
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import chain, groupby
from pathlib import Path

sys.setrecursionlimit(20_000)
RESULTS = ("result-reported", "result-corrected", "match-conceded", "no-show-recorded")
KEPT = ("division-changed", "divisions-decided", "flights-drawn", "flight-joined", "tie-resolved")
KEPT += ("structure-announced", "cut-made", "qualifier-replaced", "bracket-drawn", "draw-basis-fixed")
KEPT += ("word-pledged", "words-opened", "beacon-named", "beacon-read")
KEPT += ("byes-awarded", "table-fixed", "tables-numbered", "policy-changed")


class Cannot(Exception): ...


# 1. the log: which entries count, who plays, who met whom, and the points
class Log:
    def __init__(self):
        self.players, self.moves, self.rounds, self.retractors, self.noted, self.seeded = {}, {}, {}, {}, [], []
        self.stages = {"swiss": self.rounds, "elimination": {}}

    def apply(self, at, fact):
        self.seeded += [at] if fact.get("seed") else []
        match fact["kind"]:
            case "tournament-opened":
                self.law = tomllib.loads(fact["law"])
                readings = {
                    policy["reading"]: policy["default"] for policy in self.law.get("policies", {}).values()
                }
                chosen = {self.law["policies"][flag]["reading"]: value for flag, value in fact["policies"].items()}
                self.readings = self.law.get("readings", {}) | readings | chosen
                self.commitment, self.derivation = fact["commitment"], fact.get("derivation", 1)
            case "player-registered" | "player-arrived-late":
                since = max(fact["losses"], default=self.latest()) if "losses" in fact else 0
                self.players[fact["number"]] = {"losses": None, **fact, "at": at, "since": since}
            case "player-dropped" | "player-disqualified" | "player-rejoined":
                back = max(fact.get("losses", ()), default=self.latest())
                self.moves.setdefault(fact["player"], []).append((at, {**fact, "back": back}))
            case "round-paired":
                tables = {seat["table"]: tuple(seat["players"]) for seat in fact["tables"]}
                new = {"at": at, "tables": tables, "byes": fact["byes"], "amended": [], "reports": {}}
                self.stages[fact["stage"]].setdefault(fact["round"], []).append(new)
            case "pairing-amended":
                self.round(fact["round"], fact["stage"])["amended"].append((at, fact))
            case "entry-retracted":
                self.retractors.setdefault(fact["retracts"], []).append(at)
            case kind if kind in KEPT:
                self.noted.append((at, fact))
            case kind if kind in RESULTS:
                reports = self.round(fact["round"], fact["stage"])["reports"]
                reports.setdefault(fact["table"], []).append((at, fact, slip_of(fact)))

    def dead(self, at):
        return any(not self.dead(retractor) for retractor in self.retractors.get(at, ()))

    def root(self, at):
        back = next((target for target, those in self.retractors.items() if at in those), None)
        return at if back is None else self.root(back)

    def drawn_after(self, at):
        return any(one > at for one in self.seeded)

    def kept(self, kind):
        return [fact for at, fact in self.noted if fact["kind"] == kind and not self.dead(at)]

    def division(self, player):
        moves = [fact["division"] for fact in self.kept("division-changed") if fact["player"] == player]
        return ([self.players[player]["division"], *moves][-1] or "").casefold()

    def reading(self, name, default):
        policies = self.law.get("policies", {})
        changed = {policies[fact["flag"]]["reading"]: fact["value"] for fact in self.kept("policy-changed")}
        return (self.readings | changed).get(name, default)

    def round(self, number, stage="swiss"):
        attempts = reversed(self.stages[stage].get(number, ()))
        return next((found for found in attempts if not self.dead(found["at"])), None)

    def latest(self):
        return max((number for number in self.rounds if self.round(number)), default=0)

    def seats(self, round_):
        tables, byes = dict(round_["tables"]), list(round_["byes"])
        for at, fact in round_["amended"]:
            if not self.dead(at):
                tables = {
                    table: two
                    for table, two in tables.items()
                    if table not in {s["table"] for s in fact["removed"]}
                }
                tables |= {seat["table"]: tuple(seat["players"]) for seat in fact["added"]}
                byes = [bye for bye in byes if bye["player"] not in fact["byes_removed"]]
                byes += [{"player": player, "points": None} for player in fact["byes_added"]]
        return dict(sorted(tables.items())), byes

    def played(self, through):
        """Yield each round: its number, its tables as (table, players, slip or None), and its byes."""
        for number in range(1, through + 1):
            if round_ := self.round(number):
                tables, byes = self.seats(round_)
                slips = self.slips(round_)
                said = [(table, two, slips.get(two)) for table, two in tables.items()]
                yield number, said, byes

    def slips(self, round_):
        reports = sorted(
            (report for filed in round_["reports"].values() for report in filed), key=lambda one: one[0]
        )
        return {tuple(fact["players"]): slip for at, fact, slip in reports if not self.dead(at)}

    def entered(self):
        return [number for number, player in self.players.items() if not self.dead(player["at"])]

    def active(self):
        return [player for player in self.entered() if self.status(player) == "active"]

    def status(self, player, through=10**9):
        status = "active"
        for at, fact in self.moves.get(player, ()):
            if fact["kind"] == "player-rejoined":
                if not self.dead(at) and self.back(player, fact["losses"], fact["back"]) <= through:
                    status = "active"
            elif not self.dead(at) and (
                through == 10**9 or (fact.get("stage", "swiss") == "swiss" and fact["after_round"] <= through)
            ):
                status = fact["kind"]
        return status

    def charged(self, player, through):
        rounds = [number for number in self.players[player]["losses"] or () if number <= through]
        for at, fact in self.moves.get(player, ()):
            if fact["kind"] == "player-rejoined" and self.back(player, fact["losses"], fact["back"]) <= through:
                rounds += fact["losses"] if not self.dead(at) else ()
        return [number for number in rounds if self.misses(player, number)]

    def misses(self, player, number):
        """Return whether a charged loss of a round holds. It ends when the round's pairing is retracted, and comes
        back when the new pairing leaves the player out.
        """
        if not self.retractors or number not in self.rounds:
            return True
        tables, byes = self.seats(self.round(number)) if self.round(number) else ({0: (player,)}, [])
        return player not in {*chain(*tables.values()), *(bye["player"] for bye in byes)}

    def back(self, player, losses, latest):
        """Return the last round that a late player missed: the latest, or the one before a loss that ended."""
        return min((number - 1 for number in losses or () if not self.misses(player, number)), default=latest)


def slip_of(fact):
    none = {"winner": None, "scores": None, "blood_points": None}
    if fact["kind"] == "match-conceded":
        winner = next(player for player in fact["players"] if player != fact["by"])
        return none | {"kind": "concession", "winner": winner, "blood_points": fact["blood_points"]}
    if fact["kind"] == "no-show-recorded":
        present = [player for player in fact["players"] if player not in fact["absent"]]
        return none | ({"kind": "no-show", "winner": present[0]} if present else {"kind": "double-loss"})
    return none | fact["slip"]


class Table:
    """The rounds up to a given round: `lines[player]` holds (opponent or 0, outcome, points, blood points)
    for each.
    """

    def __init__(self, log, through):
        law, self.log, self.through = log.law, log, through
        came = {p: log.back(p, log.players[p]["losses"], log.players[p]["since"]) for p in log.entered()}
        self.players = [p for p in came if came[p] <= through]
        columns = []
        for number in range(1, through + 1):
            absent = (0, "absence", int(log.reading("unpaired_loss", "0")), 0)
            columns.append({player: absent for player in self.players if number in log.charged(player, through)})
        blood = law.get("blood_points", {"winner": 0, "bye": 0})
        for number, said, byes in log.played(through):
            column = columns[number - 1]
            given = [(bye["player"], bye["points"]) for bye in byes]
            for _, two, slip in said:
                for me, other in (two, two[::-1]) if slip else ():
                    won = slip["winner"] == me
                    outcome = (
                        "win" if won else "loss" if slip["winner"] or slip["kind"] == "double-loss" else "draw"
                    )
                    wounds = blood["winner"] if won else slip["blood_points"] or 0
                    column[me] = (other, outcome, points_of(law, slip, two)[two.index(me)], wounds)
                if (
                    slip
                    and slip["kind"] == "no-show"
                    and log.reading("no_show", "loss") == "bye"
                    and slip["winner"]
                ):
                    given.append((slip["winner"], None))
                    missing = two[two[0] == slip["winner"]]
                    column[missing] = (0, "absence", *column[missing][2:])
            for player, points in given:
                column[player] = (0, "bye", law["bye"]["points"] if points is None else points, blood["bye"])
        # To undo a round, the loop must look at entries that it has already passed.
        everybody = {*self.players, *log.entered()}
        self.lines = {player: [column[player] for column in columns if player in column] for player in everybody}
        self.points = {player: sum(line[2] for line in self.lines[player]) for player in everybody}
        self.opponents = {player: [line[0] for line in self.lines[player] if line[0]] for player in everybody}

    def count(self, player, *outcomes):
        return sum(line[1] in outcomes for line in self.lines[player])

    def standings(self):
        """Return the groups of tied players, best first, by the tiebreakers that a bye can depend on."""
        groups = [[p for p in self.players if self.log.status(p, self.through) != "player-disqualified"]]
        groups = split(groups, lambda player: -self.points[player])
        seen_head_to_head = False
        for name in self.log.law["tiebreaks"]:
            if name == "head_to_head":
                groups, seen_head_to_head = self.head_to_head(groups), True
            elif name in ("random_draw", "rock_paper_scissors"):
                groups = [part for group in groups for part in self.recorded(group)]
            else:
                groups = split(groups, self.measure(name))
                if seen_head_to_head and self.log.reading("head_to_head_residue", "once") == "reapplied":
                    groups = self.head_to_head(groups)
        return groups

    def measure(self, name):
        def mean(numbers, empty):
            return {
                p: Fraction(sum(numbers[o] for o in own), len(own)) if own else empty
                for p, own in self.opponents.items()
            }

        if name in ("strength_of_schedule", "extended_strength_of_schedule"):
            skipped = {"all-rounds": (), "attended-rounds": ("absence",), "paired-rounds": ("absence", "bye")}
            left_out = skipped[self.log.reading("denominator", "all-rounds")]
            rounds = {p: len(self.lines[p]) - self.count(p, *left_out) for p in self.players}
            average = {p: Fraction(self.points[p], rounds[p]) if rounds[p] else Fraction(0) for p in self.players}
            means = mean(average, Fraction(0))
            if name[0] == "e":
                means = mean(means, Fraction(0))
            last = self.log.reading("empty_schedule", "0") == "last"
            return lambda player: (last and not self.opponents[player], -means[player])
        if name == "opponents_wins":
            return lambda player: -sum(self.count(other, "win", "bye") for other in self.opponents[player])
        if name == "blood_points":
            return lambda player: -sum(line[3] for line in self.lines[player])
        raise Cannot(f"this page does not know the tiebreaker {name}, which decides a bye here")

    def head_to_head(self, groups):
        parts = []
        for group in groups:
            wins = {p: sum(line[0] in group and line[1] == "win" for line in self.lines[p]) for p in group}
            order = sorted(group, key=lambda player: -wins[player])
            apart = len(group) == 2 and wins[order[0]] != wins[order[1]]
            parts += [[player] for player in order] if apart else [group]
        return parts

    def recorded(self, group):
        for tie in reversed(self.log.kept("tie-resolved")):
            if tie["round"] == self.through and set(group) <= set(tie["players"]):
                return [[player] for player in tie["players"] if player in group]
        return [group]


def split(groups, key):
    return [list(part) for group in groups for _, part in groupby(sorted(group, key=key), key)]


def points_of(law, slip, two):
    worth = law["results"].get(slip["kind"])
    if worth and worth.get("as_written") and slip["scores"]:
        return slip["scores"]
    if slip["winner"] is None:
        each = (worth or {}).get("each", law["results"].get("draw", {}).get("each", 0))
        return each, each
    worth = worth if worth and "winner" in worth else law["results"]["win"]
    return (worth["winner"], worth["loser"]) if slip["winner"] == two[0] else (worth["loser"], worth["winner"])


# 2. chance: see chance.md
def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of(log, through):
    """Return the inputs of a seed besides the secret and the purpose: one digest in version 1, two digests in
    version 2.
    """
    if log.derivation == 2:
        points = sorted(Table(log, through).points.items())
        return f"{basis_of(log)}|" + sha256("".join(f"{player} {scored}\n" for player, scored in points if scored))
    lines = []
    for number, said, byes in log.played(through):
        for table, two, slip in said:
            text = ""
            if slip:
                scores = "-" if slip["scores"] is None else "{}-{}".format(*slip["scores"])
                blood = "-" if slip["blood_points"] is None else slip["blood_points"]
                text = f"{slip['kind']} {slip['winner'] or '-'} {scores} {blood}"
            lines.append(f"{number} {table} {two[0]} {two[1]} {text}\n")
        lines += [f"{number} bye {bye['player']}\n" for bye in byes]
    return sha256("".join(lines))


def basis_of(log):
    lines = [f"registrations {fact['registrations']}\n" for fact in log.kept("draw-basis-fixed")[-1:]]
    for opened in log.kept("words-opened"):
        lines += [f"word {one['player']} {sha256(one['word'])}\n" for one in opened["words"]]
    for read in log.kept("beacon-read"):
        lines.append(f"beacon {read['chain']} {read['number']} {sha256_of_hex(read['signature'])}\n")
    return sha256("".join(lines))


def sha256_of_hex(text):
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


def is_sound(log, fact, leaves, recorded):
    """Return whether an entry that draws depend on fits the earlier entries and the time of its recording."""
    match fact["kind"]:
        case "beacon-named":  # quicknet publishes a round every three seconds
            first = datetime.fromisoformat("2023-08-23T15:09:27Z")
            return first + (fact["number"] - 1) * timedelta(seconds=3) > datetime.fromisoformat(recorded)
        case "draw-basis-fixed":
            entered = [player["at"] for player in log.players.values()]
            known = all(number in leaves for number in entered)
            digest = hashlib.sha256(b"".join(sorted(leaves[number] for number in entered if known))).hexdigest()
            return fact["registered"] == len(entered) and (not known or fact["registrations"] == digest)
        case "words-opened":
            last = max((one for one, other in log.noted if other["kind"] == "words-opened"), default=0)
            waiting = {
                other["player"]: other["digest"]
                for one, other in log.noted
                if other["kind"] == "word-pledged" and one > last and not log.dead(one)
            }
            said = {one["player"]: one["word"] for one in fact["words"]}
            kept = all(waiting.get(player, "") in (None, sha256(word)) for player, word in said.items())
            return kept and waiting.keys() - said.keys() == set(fact["unopened"])
        case "beacon-read":
            named = {(one["chain"], one["number"]) for one in log.kept("beacon-named")}
            read = {(one["chain"], one["number"]) for one in log.kept("beacon-read")}
            return (fact["chain"], fact["number"]) in named - read
        case "entry-retracted":  # a beacon round that was read is taken back before the next draw, or never
            read = {one for one, other in log.noted if other["kind"] == "beacon-read"}
            return log.root(fact["retracts"]) not in read or not log.drawn_after(log.root(fact["retracts"]))
    return True


def has_basis(log, fact):
    """Return whether the recorded digest of the registrations, which version 2 needs, covers every player who has
    entered.

    When the flight of a late player is drawn, that player's registration may be missing.
    """
    bases, entered = log.kept("draw-basis-fixed"), len(log.players)
    last = max(log.players, key=lambda player: log.players[player]["at"], default=None)
    is_last = fact["kind"] == "flight-joined" and fact["player"] == last
    return log.derivation == 1 or (bases and bases[-1]["registered"] in {entered, entered - is_last})


def seed_of(secret, purpose, digest):
    version = 1 + digest.count("|")
    return hmac.new(secret, f"matchledger/draw/{version}|{purpose}|{digest}".encode(), hashlib.sha256).digest()


def field_text(players):
    return ",".join(map(str, sorted(players)))


def random_order(seed, players):
    players, words = sorted(players), hashlib.shake_256(seed).digest(8 * len(players))
    return sorted(players, key=lambda player: words[8 * players.index(player) :][:8])


# 3. the round: pools, groups, the bye, and the draw among the best pairings
def flights_of(log):
    flights = {number: player["attributes"].get("flight", "").strip() for number, player in log.players.items()}
    for fact in log.kept("flights-drawn"):
        for flight, players in enumerate(fact["flights"], 1):
            flights |= dict.fromkeys(players, str(flight))
    return flights | {fact["player"]: str(fact["flight"]) for fact in log.kept("flight-joined")}


def finished(log, number):
    """Return the divisions that have played all their rounds. Divisions that play separately may have their own
    number of rounds.
    """
    for fact in log.kept("structure-announced")[-1:]:
        own, most = fact.get("division_rounds", {}), fact["rounds"]
        return {division for division, rounds in own.items() if rounds < min(number, most)}
    for fact in log.kept("divisions-decided")[-1:]:
        own = fact.get("rounds", {})
        return {division for division, rounds in own.items() if rounds < min(number, max(own.values()))}
    return set()


def pools_of(log, active, number):
    def division(player):
        return log.division(player)

    on_time = [p for p in log.entered() if log.players[p]["losses"] is None and log.status(p, 0) == "active"]
    sizes = {}
    for player in on_time + [p for p in log.entered() if log.players[p]["losses"] is not None]:
        if player in on_time or division(player) not in map(division, on_time):
            sizes[division(player)] = sizes.get(division(player), 0) + 1
    mode, rule = log.reading("divisions", "none"), log.law.get("divisions")
    if rule is None or not any(sizes):
        mode = "none"
    if mode == "automatic":
        short = min(sizes.values()) < rule["own_pod"]
        if log.reading("empty_division", "ignored") == "modified":
            short = short or not sizes.keys() >= set(rule["names"])
        mode = "none" if len(sizes) == 1 else "modified" if short else "separated"
    for fact in log.kept("divisions-decided")[-1:]:
        mode = fact["mode"] if fact["sizes"].keys() >= sizes.keys() else mode
    flights = flights_of(log)
    over = finished(log, number) if mode == "separated" else ()
    active = [player for player in active if division(player) not in over]
    pools = {}
    for player in active:
        flight = flights[player]
        parts = [division(player) or "no division"] if mode == "separated" else []
        parts += [f"flight {flight}"] if flight and log.reading("flights", "none") == "apart" else []
        pools.setdefault(", ".join(parts), []).append(player)
    divided = {player: division(player) for player in active} if mode == "modified" else None
    return [("" if len(pools) == 1 else name, pools[name], divided) for name in sorted(pools)]


def byes_of(table, order):
    """Return the players who may get the bye, in groups by preference, and whether the bye is chosen before the
    pairing.
    """
    none_yet = [player for player in order if not table.count(player, "bye")]
    choice, log = table.log.law["bye"]["choice"], table.log
    anybody = log.reading("first_bye", "weakest") == "random"
    first = anybody and not any(table.count(other, "bye") for other in table.players)
    if table.through == 0 or first:
        return [none_yet], True
    if choice == "lowest-group":
        return split([none_yet], lambda player: table.points[player]), False
    if choice == "weakest-record" and log.reading("bye_among_weakest", "random") == "random":
        return split([none_yet or order], lambda player: table.count(player, "win", "bye")), True
    ranked = [[player for player in none_yet or order if player in group] for group in reversed(table.standings())]
    ranked = [group for group in ranked if group]
    by_rank = log.reading("bye_before_rematches", "avoid-rematch") == "by-rank"
    return [ranked[0][:1]] if by_rank else ranked, True


class Field:
    """One pool of players to be paired. `place` is a player's group, counted from the top. `stands` has each
    player's number in the drawn order.
    """

    def __init__(self, groups, opponents, divisions, twice, seed):
        self.groups = [group for group in groups if group]
        self.met, self.divisions, self.twice, self.seed = opponents, divisions, twice, seed
        self.place = {player: place for place, group in enumerate(self.groups) for player in group}
        self.stands = {player: number for number, player in enumerate(self.place)}

    def only(self, players):
        field = Field([], self.met, self.divisions, self.twice, self.seed)
        groups = [[player for player in group if player in players] for group in self.groups]
        field.groups, field.place, field.stands = [group for group in groups if group], self.place, self.stands
        return field

    def without(self, bye):
        groups = [[player for player in group if player != bye] for group in self.groups]
        return Field(groups, self.met, self.divisions, self.twice, self.seed)

    def pile(self, place, guests, natives):
        if not self.twice:
            return [*guests, *natives]
        orders = "|".join(",".join(map(str, group)) for group in self.groups)
        text = f"matchledger/pairdown/1|{self.seed.hex()}|{hashlib.shake_256(orders.encode()).hexdigest(32)}"
        pile = list(natives)
        for guest in guests:
            word = hashlib.shake_256(f"{text}|{place}|{guest}".encode()).digest(8)
            pile.insert(int.from_bytes(word) % (len(pile) + 1), guest)
        return pile

    def cost(self, upper, lower, base, *, rematch=False, rank=0):
        """Return the cost of a pair: one number that compares like the list of counts in pairing.md. An opponent of
        None means the bye.
        """
        size = max(self.place.values()) + 1
        counts = [int(rematch), rank, 0] + [0] * (4 * size)
        if lower is not None:
            high, low = sorted((self.place[upper], self.place[lower]))
            across = self.divisions is not None and self.divisions[upper] != self.divisions[lower]
            counts[2] = int(across)
            if self.twice:
                counts[3 + high : 3 + low] = [1] * (low - high)
            elif low > high:
                counts[3 + 2 * (high + size * across)] = 1
                counts[4 + 2 * (high + size * across)] = low - high - 1
        total = 0
        for count in counts:
            total = total * base + count
        return total


def paired(field, classes, taken_first, *, rematches):
    """Return the pairs, each after a player of the group in which the pair was made, and the player with the bye.

    The pairs are None if no legal pairing exists.
    """
    players = list(field.place)
    if len(players) % 2 == 0:
        return best(field, {}, rematches=rematches), None
    if field.divisions is not None and not taken_first:
        eligible = {player for group in classes for player in group}
        classes = [[p for group in reversed(field.groups) for p in reversed(group) if p in eligible]]
        taken_first = True
    if taken_first and not rematches:
        for bye in [player for group in classes for player in group]:
            if (pairs := best(field.without(bye), {}, rematches=False)) is not None:
                return pairs, bye
        return None, None
    if taken_first:
        ranks = {player: rank for rank, player in enumerate(player for group in classes for player in group)}
    else:
        below = len(field.groups)
        ranks = {player: below - field.place[player] for group in classes for player in group}
    pairs = best(field, ranks, rematches=rematches)
    bye = next((player for _, player, other in pairs or () if other is None), None)
    return pairs and [pair for pair in pairs if pair[2] is not None], bye


def best(field, ranks, *, rematches):
    """The best pairing. From the top group down, each free player in order meets the next free player with whom a
    best pairing of all can still be completed. A player without a possible opponent goes down to the next group.
    The last player who may have the bye gets the bye.
    """
    parts = [field]
    if field.divisions is not None and not rematches:
        parts = [
            field.only({p for p in field.place if field.divisions[p] == name})
            for name in set(field.divisions.values())
        ]
        odd = [p for part in parts if sum(map(len, part.groups)) % 2 for group in part.groups for p in group]
        parts = [part for part in parts if sum(map(len, part.groups)) % 2 == 0] + ([field.only(odd)] if odd else [])
    found = []
    for part in parts:
        pairs = None
        crossing = (
            part.divisions is not None and len({part.divisions[p] for group in part.groups for p in group}) > 1
        )
        if not crossing and not rematches:
            pairs = Search(part, ranks).pairs()
        if pairs is None:
            pairs = Matched(part, ranks, rematches=rematches).pairs()
        if pairs is None or (crossing and not rematches and excess(part, pairs)):
            return None if part is field else Matched(field, ranks, rematches=rematches).pairs()
        found += pairs
    return found


def excess(field, pairs):
    """Return whether more pairs cross divisions than odd divisions demand."""
    members = [field.divisions[player] for group in field.groups for player in group]
    odd = sum(members.count(name) % 2 for name in set(members))
    return sum(field.divisions[one] != field.divisions[other] for _, one, other in pairs) > odd // 2


class Search:
    """A search with the fewest pair-downs that parity allows. The result is None if the search takes too long."""

    def __init__(self, field, ranks):
        self.field, self.steps, self.made = field, 50_000, []
        self.home = max((field.place[player] for player in ranks), default=None)
        self.eligible = ranks

    def pairs(self):
        try:
            return self.made if self.group(0, []) else None
        except Cannot:
            return None

    def group(self, place, guests):
        if place == len(self.field.groups):
            return not guests
        natives = self.field.groups[place]
        if place != self.home:
            return self.pile(place, self.field.pile(place, guests, natives), guests, [])
        for bye in [player for player in reversed(natives) if player in self.eligible]:
            self.made.append((natives[0], bye, None))
            rest = [player for player in natives if player != bye]
            if self.pile(place, self.field.pile(place, guests, rest), guests, []):
                return True
            self.made.pop()
        return False

    def pile(self, place, pile, guests, down):
        self.steps -= 1
        if self.steps < 0:
            raise Cannot
        if not pile:
            return self.group(place + 1, down)
        player, *others = pile
        for index, other in enumerate(others):
            if other not in self.field.met[player]:
                self.made.append((self.field.groups[place][0], player, other))
                if self.pile(place, others[:index] + others[index + 1 :], guests, down):
                    return True
                self.made.pop()
        if len(pile) % 2 and not down and (self.field.twice or player not in guests):
            return self.pile(place, others, guests, [player])
        return False


class Matched:
    """The same pairing as in `Search` by exact matchings of all free players: first the lowest cost, then the
    choices in order.
    """

    def __init__(self, field, ranks, *, rematches):
        self.field, self.ranks, self.made = field, ranks, []
        self.free = [player for group in field.groups for player in group] + ([None] if ranks else [])
        base = (len(self.free) + 2) * (len(field.place) + 2)
        self.prices = {}
        for number, player in enumerate(self.free):
            for other in self.free[number + 1 :]:
                if other is None and player in ranks:
                    self.prices[player, None] = field.cost(player, None, base, rank=ranks[player])
                elif other is not None and (rematches or other not in field.met[player]):
                    rematch = other in field.met[player]
                    self.prices[player, other] = field.cost(player, other, base, rematch=rematch)

    def pairs(self):
        guests = []
        for index, group in enumerate(self.field.groups):
            try:
                self.bye(group)
                guests = self.pile(index, group, guests)
            except Cannot:
                return None
        return self.made

    def bye(self, group):
        takers = [player for player in reversed(group) if player in self.ranks] if None in self.free else []
        if takers:
            tails = {(player, None): place for place, player in enumerate(takers)}
            taker = self.mates(lambda one, other: tails.get((one, other), 0), len(takers))[None]
            if taker in takers:
                self.couple(group, taker, None)

    def pile(self, index, group, guests):
        pile = self.field.pile(index, guests, [player for player in group if player in self.free])
        ranking, last = {player: rank for rank, player in enumerate(pile)}, len(pile)
        weight = {player: (last + 1) ** (last - 1 - rank) for player, rank in ranking.items()}

        # The cost of an opponent: a later place in the pile costs more, and a lower group costs most.
        def choices(one, other):
            inside = sorted((player for player in (one, other) if player in ranking), key=ranking.get)
            if len(inside) == 2:
                return weight[inside[0]] * ranking[inside[1]]
            return sum(weight[player] * last for player in inside)

        mates = self.mates(choices, (last + 1) ** last)
        for player in pile:
            if player in self.free and mates[player] in ranking:
                self.couple(group, player, mates[player])
        return [player for player in pile if player in self.free]

    def couple(self, group, one, other):
        self.made.append((group[0], one, other))
        self.free = [player for player in self.free if player not in (one, other)]

    def mates(self, tail, size):
        free = {*self.free}
        costs = {two: price * size + tail(*two) for two, price in self.prices.items() if {*two} <= free}
        found = cheapest(self.free, costs)
        if found is None:
            raise Cannot
        return found


def tables_of(field, pairs):
    """Return the pairs in order of their tables: by the group of the higher player, then by the group of the
    pairing, then in order.
    """
    turned = []
    for native, *two in pairs:
        pile = field.place[native]
        first, second = two[::-1] if field.place[two[0]] == pile > field.place[two[1]] else two
        stands = field.stands[first] if field.divisions is not None else 0
        turned.append((field.place[first], pile, stands, (first, second)))
    return [pair for *_, pair in sorted(turned, key=lambda entry: entry[:3])]


# 4. the cheapest way to match everybody: Edmonds' blossoms with integer weights of any size
def cheapest(players, costs):
    """Return each player's opponent at the lowest total cost. Return None if a player must stay alone."""
    if len(players) % 2:
        return None
    number = {player: index for index, player in enumerate(players, 1)}
    above = max(costs.values(), default=0) * (len(players) + 2) + 1
    weights = [[0] * (len(players) + 1) for _ in range(len(players) + 1)]
    for (one, other), cost in costs.items():
        weights[number[one]][number[other]] = weights[number[other]][number[one]] = above - cost
    mates = Blossoms(weights).mates
    if 0 in mates[1:]:
        return None
    return {player: players[mates[number[player]] - 1] for player in players}


class Blossoms:
    """The heaviest matching of a graph.

    Vertices have numbers from 1, blossoms have higher numbers, and weight 0 means no edge.
    """

    def __init__(self, weights):
        self.n, self.w = len(weights) - 1, weights
        size = 2 * self.n + 2
        self.top = self.n
        self.edge = [[(u, v) for v in range(self.n + 1)] + [None] * (size - self.n - 1) for u in range(self.n + 1)]
        self.edge += [[None] * size for _ in range(size - self.n - 1)]
        self.label = [max(map(max, weights))] * (self.n + 1) + [0] * (size - self.n - 1)
        self.mates, self.slack, self.parent, self.seen = [0] * size, [0] * size, [0] * size, [0] * size
        self.outer, self.side, self.stamp = [*range(self.n + 1)] + [0] * (size - self.n - 1), [-1] * size, 0
        self.petals = [[] for _ in range(size)]
        self.holds = [{u: u} for u in range(self.n + 1)] + [{} for _ in range(size - self.n - 1)]
        while self.grow():
            pass
        self.mates = self.mates[: self.n + 1]

    def gap(self, edge):
        u, v = edge
        return self.label[u] + self.label[v] - 2 * self.w[u][v]

    def is_edge(self, edge):
        return edge is not None and self.w[edge[0]][edge[1]] > 0

    def offer(self, u, x):
        if not self.slack[x] or self.gap(self.edge[u][x]) < self.gap(self.edge[self.slack[x]][x]):
            self.slack[x] = u

    def set_slack(self, x):
        self.slack[x] = 0
        for u in range(1, self.n + 1):
            if self.is_edge(self.edge[u][x]) and self.outer[u] != x and self.side[self.outer[u]] == 0:
                self.offer(u, x)

    def push(self, x):
        self.queue += [x] if x <= self.n else []
        for petal in self.petals[x]:
            self.push(petal)

    def set_outer(self, x, b):
        self.outer[x] = b
        for petal in self.petals[x]:
            self.set_outer(petal, b)

    def turn(self, b, petal):
        at = self.petals[b].index(petal)
        if at % 2:
            self.petals[b][1:] = self.petals[b][:0:-1]
            at = len(self.petals[b]) - at
        return at

    def marry(self, u, v):
        self.mates[u] = self.edge[u][v][1]
        if u > self.n:
            petal = self.holds[u][self.edge[u][v][0]]
            at, petals = self.turn(u, petal), self.petals[u]
            for index in range(at):
                self.marry(petals[index], petals[index ^ 1])
            self.marry(petal, v)
            self.petals[u] = petals[at:] + petals[:at]

    def augment(self, u, v):
        while True:
            after = self.outer[self.mates[u]]
            self.marry(u, v)
            if not after:
                return
            self.marry(after, self.outer[self.parent[after]])
            u, v = self.outer[self.parent[after]], after

    def meeting(self, u, v):
        self.stamp += 1
        while u or v:
            if u:
                if self.seen[u] == self.stamp:
                    return u
                self.seen[u] = self.stamp
                u = self.outer[self.mates[u]]
                u = self.outer[self.parent[u]] if u else 0
            u, v = v, u
        return 0

    def shrink(self, u, base, v):
        b = next(b for b in range(self.n + 1, len(self.outer)) if b > self.top or not self.outer[b])
        self.top = max(self.top, b)
        self.label[b], self.side[b], self.mates[b] = 0, 0, self.mates[base]
        paths = []
        for start in (u, v):
            paths.append([])
            end = start
            while end != base:
                other = self.outer[self.mates[end]]
                paths[-1] += [end, other]
                self.push(other)
                end = self.outer[self.parent[other]]
        self.petals[b] = [base, *paths[0][::-1], *paths[1]]
        self.set_outer(b, b)
        self.edge[b] = [None] * len(self.edge)
        self.holds[b] = {}
        for x in range(1, self.top + 1):
            self.edge[x][b] = None
        for petal in self.petals[b]:
            for x in range(1, self.top + 1):
                new, old = self.edge[petal][x], self.edge[b][x]
                if self.is_edge(new) and (old is None or self.gap(new) < self.gap(old)):
                    self.edge[b][x], self.edge[x][b] = new, self.edge[x][petal]
            self.holds[b] |= dict.fromkeys(self.holds[petal], petal)
        self.set_slack(b)

    def expand(self, b):
        for petal in self.petals[b]:
            self.set_outer(petal, petal)
        entry = self.holds[b][self.edge[b][self.parent[b]][0]]
        at, petals = self.turn(b, entry), self.petals[b]
        for index in range(0, at, 2):
            inner, outer = petals[index], petals[index + 1]
            self.parent[inner] = self.edge[outer][inner][0]
            self.side[inner], self.side[outer] = 1, 0
            self.slack[inner] = 0
            self.set_slack(outer)
            self.push(outer)
        self.side[entry], self.parent[entry] = 1, self.parent[b]
        for petal in petals[at + 1 :]:
            self.side[petal] = -1
            self.set_slack(petal)
        self.outer[b], self.petals[b] = 0, []

    def found(self, edge):
        u, v = self.outer[edge[0]], self.outer[edge[1]]
        if self.side[v] == -1:
            after = self.outer[self.mates[v]]
            self.parent[v], self.side[v], self.side[after] = edge[0], 1, 0
            self.slack[v] = self.slack[after] = 0
            self.push(after)
        elif self.side[v] == 0:
            base = self.meeting(u, v)
            if not base:
                self.augment(u, v)
                self.augment(v, u)
                return True
            self.shrink(u, base, v)
        return False

    def alive(self):
        return [x for x in range(1, self.top + 1) if self.outer[x] == x]

    def grow(self):
        """Add one more pair if the matching becomes heavier."""
        self.side, self.slack, self.queue = [-1] * len(self.side), [0] * len(self.slack), []
        for x in self.alive():
            if not self.mates[x]:
                self.parent[x], self.side[x] = 0, 0
                self.push(x)
        while self.queue or any(self.side[x] == 0 for x in self.alive()):
            if self.search():
                return True
            if not self.shift():
                return False
            if self.search_tight():
                return True
            for b in self.alive():
                if b > self.n and self.side[b] == 1 and self.label[b] == 0:
                    self.expand(b)
        return False

    def search(self):
        """Follow the edges without a gap from every vertex in the queue."""
        while self.queue:
            u = self.queue.pop(0)
            if self.side[self.outer[u]] == 1:
                continue
            for v in range(1, self.n + 1):
                if self.w[u][v] and self.outer[u] != self.outer[v]:
                    if self.gap((u, v)):
                        self.offer(u, self.outer[v])
                    elif self.found((u, v)):
                        return True
        return False

    def shift(self):
        """Change the labels until a further edge has no gap. Return False if no change gains anything."""
        steps = [self.label[b] // 2 for b in self.alive() if b > self.n and self.side[b] == 1]
        for x in self.alive():
            if self.slack[x] and self.side[x] != 1:
                gap = self.gap(self.edge[self.slack[x]][x])
                steps.append(gap if self.side[x] == -1 else gap // 2)
        outside = [u for u in range(1, self.n + 1) if self.side[self.outer[u]] == 0]
        step = min([*steps, *(self.label[u] for u in outside)])
        for u in range(1, self.n + 1):
            self.label[u] -= step * (1, -1, 0)[self.side[self.outer[u]]]
        for b in self.alive():
            if b > self.n:
                self.label[b] += 2 * step * (1, -1, 0)[self.side[b]]
        return all(self.label[u] > 0 for u in outside)

    def search_tight(self):
        for x in self.alive():
            near = self.slack[x]
            is_tight = near and self.outer[x] == x != self.outer[near] and self.gap(self.edge[near][x]) == 0
            if is_tight and self.found(self.edge[near][x]):
                return True
        return False


# 5. the bracket: its players and its first games
def field_of(log, division):
    """Return the last round before the bracket, and its players: by seed after a cut, else all active players."""
    cuts = log.kept("cut-made")
    if not cuts:
        return 0, [] if division else log.active()
    seeds = {cut.get("division"): cut["seeds"] for cut in cuts}.get(division, [])
    for fact in log.kept("qualifier-replaced"):
        if fact["player"] in seeds:
            seeds = [player for player in seeds if player != fact["player"]] + [fact["by"]]
    return cuts[-1]["round"], seeds


def seeded_games(order, size):
    """The first seed meets the last seed of a full bracket, the second seed meets the last but one, and so on. A
    player without an opponent has a bye.
    """
    return [order[place : place + 1] + order[size - 1 - place : size - place] for place in range(size // 2)]


def bracket_again(log, division, secret):
    """Return the method, the first games, the seed that drew the games, and the seed that drew their numbers."""
    through, players = field_of(log, division)
    size = 1 << (len(players) - 1).bit_length()
    if log.kept("cut-made") and log.reading("cut_bracket", "seeded") == "seeded":
        return "cut-seeds", seeded_games(players, size), None, None
    method, digest = log.law.get("elimination", {}).get("from_start", "random-seeds"), digest_of(log, through)
    seed = seed_of(secret, f"bracket/{field_text(players)}", digest)
    order = random_order(seed, players)
    if method != "random-numbers":
        return method, seeded_games(order, size), seed.hex(), None
    byes = size - len(order)
    games = [[player] for player in order[:byes]] + [order[at : at + 2] for at in range(byes, len(order), 2)]
    numbers_seed = seed_of(secret, f"game-numbers/{field_text(players)}", digest)
    numbered = [games[number - 1] for number in random_order(numbers_seed, range(1, len(games) + 1))]
    return method, numbered, seed.hex(), numbers_seed.hex()


def result_of(log, two, number, place):
    """Return the winner and the loser of a game of the bracket, 0 for nobody. A game whose players sit apart has
    the table of its own number. Return None without a slip.
    """
    coming, round_ = [player for player in two if player], log.round(number, "elimination")
    tables, byes = log.seats(round_) if round_ else ({}, [])
    seats = next((seats for seats in tables.values() if {*coming} == {*seats}), None)
    if seats is None and any({*coming} & {*seats} for seats in tables.values()):
        seats = tables.get(place)
    if seats is None:
        winner = next((bye["player"] for bye in byes if bye["player"] in coming), 0)
        return winner, next((player for player in coming if player != winner), 0)
    slip = log.slips(round_).get(seats)
    winner = slip and (slip["winner"] or 0)
    return slip and (winner, next(player for player in seats if player != winner))


def games_due(log, number):
    """Return the seats that the brackets give in an elimination round, or None without an earlier slip."""
    due, announced = [], log.kept("structure-announced")
    for drawn in log.kept("bracket-drawn"):
        sides, losers = [(*game, 0)[:2] for game in drawn["games"]], ()
        for earlier in range(1, number):
            results = [result_of(log, two, earlier, place) for place, two in enumerate(sides, 1)]
            if None in results:
                return None
            losers = tuple(loser for _, loser in results)
            sides = [(results[at][0], results[-1 - at][0]) for at in range(len(results) // 2)]
        third = len(sides) == 1 and len(losers) == 2 and announced and announced[-1].get("playoff")
        due += [*sides, *([losers] if third else [])]
    stays = log.law.get("elimination", {}).get("leaving", "bye") == "loss"
    present = {*log.active()}
    seated = [two if stays and all(two) else tuple(player for player in two if player in present) for two in due]
    return {frozenset(seats) for seats in seated if seats}


def is_off_bracket(log, fact):
    seats = [seating["players"] for seating in fact["tables"]] + [[bye["player"]] for bye in fact["byes"]]
    return games_due(log, fact["round"]) != {frozenset(seated) for seated in seats}


# 6. the stations: which entries of an export count. The signatures are Ed25519 as in RFC 8032.
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P
# The names of numbers, of yes or no, and of times in an entry, and the form in which stations write each of them.
NUMBERS = """absent after_round assignment blood_points born broken by byes byes_added byes_removed call cards
checkpoint confirms contradicts correction count cut decider declined derivation discard disputes division_cuts
division_rounds division_years entry faction favor first first_player flight flights flips fork games honor losses
matches minutes number places player players points position power previous rank registered request retracts reviews
rock_paper_scissors round rounds scores seeds size sizes supersedes table tables turn unopened winner"""
FLAGS = "advantageous announced chained deck_lists demanded final ok playoff roster signed tied undo untimed_final"
TIME = r'"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(?!\.000000)(\.\d{6})?(Z|(?![+-]00:00)[+-]\d\d:\d\d))?"'
FORMS = [(NUMBERS, r"-?\d+"), (FLAGS, "true|false"), ("at date day expires issued recorded_at sent", TIME)]
FORMS += [("ended received", rf"\d+|{TIME}"), ("tournament", r'"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"')]
MAPS, TEXTS = "division_cuts division_rounds division_years rounds sizes", "attributes details tiebreaks"
AUTHOR = ("actor", "role", "station")
ORGANIZERS = "token-(key-(dis)?trusted|revoked)|plain-http-allowed|policy-changed|copy-merged|person-erased"


def point(y, odd):
    """Return the point of the curve with this y and an x of this parity, as (X, Y, Z, XY)."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if (x * x - square) % P == 0 else x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P or (x == 0 and odd):
        raise ValueError("no point of the curve")
    x = x if x % 2 == odd else P - x
    return x, y, 1, x * y % P


def plus(one, other):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, one):
    total = (0, 1, 1, 0)
    while number:
        total = plus(total, one) if number & 1 else total
        one, number = plus(one, one), number >> 1
    return total


def decoded(data):
    number = int.from_bytes(data, "little")
    return point(number & (2**255 - 1), number >> 255)


def is_signed(key, signature, text):
    if len(key) != 32 or len(signature) != 64:
        return False
    scalar = int.from_bytes(signature[32:], "little")
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % ORDER
    x1, y1, z1, _ = times(scalar, point(BASE_Y, 0))
    x2, y2, z2, _ = plus(decoded(signature[:32]), times(challenge, decoded(key)))
    return scalar < ORDER and (x1 * z2 - x2 * z1) % P == 0 == (y1 * z2 - y2 * z1) % P


def unbase64(text):
    letters = b"-_" if set(text) & set("-_") else b"+/"
    data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=letters)
    if base64.b64encode(data, letters).rstrip(b"=") != text.rstrip("=").encode():
        raise ValueError("some Base64 is not written in the usual way")
    return data


def is_plain(value, name=""):
    """Return whether JSON is written as stations write it. The number 5, for example, is not `"5"` or `5.0`."""
    if isinstance(value, dict) and name not in TEXTS.split():
        named = value if value.get("kind") != "structure-announced" else {**value, "size": value.get("prizes")}
        return all(is_plain(named[one], name if name in MAPS.split() else one) for one in named)
    if isinstance(value, list):
        return all(is_plain(one, name) for one in value)
    forms = [form for names, form in FORMS if name in names.split() and value is not None]
    return all(re.fullmatch(form, json.dumps(value)) for form in forms)


class Stations:
    """The stations that a log admits. The object reads stored entries in order, and says which entries count."""

    def __init__(self):
        self.keys, self.admitted, self.revoked, self.seen, self.commands = {}, {}, set(), set(), set()
        # `signing` says whether entries need a signature, and `last` is the command of the last signed entry.
        self.signing, self.chained, self.last = False, False, None

    def counts(self, topic, stored, before):
        """Whether a stored entry counts. `before` is the leaf hash of the entry before."""
        try:
            entry = json.loads(stored, object_pairs_hook=once)
            counts = not self.signing or (topic == entry["fact"]["kind"] and is_plain(entry))
            counts = counts and (not self.signing or self.is_genuine(entry, stored, before))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return False
        if counts:
            self.commands |= {entry["command"]} if self.signing else set()
            self.take(entry["fact"])
        return counts

    def take(self, fact):
        match fact["kind"]:
            case "token-key-trusted":
                self.keys[fact["key"]] = fact["demanded"]
                self.signing = self.signing or fact.get("signed", False)
                self.chained = self.chained or fact.get("chained", False)
            case "token-key-distrusted":
                self.keys.pop(fact["key"], None)
            case "token-revoked":
                self.revoked.add(fact["token"])

    def is_genuine(self, entry, stored, before):
        fact, token, signature = entry["fact"], entry.get("token"), entry.get("signature")
        if token is None:
            is_call = fact["kind"] == "desk-called" and entry["role"] == "player"  # a call needs no token
            return isinstance(entry["command"], str) and (is_call or not any(self.keys.values()))
        if fact["kind"] == "token-admitted" and not self.admits(fact, entry["tournament"]):
            return False
        station = self.admitted[token]
        text = re.sub(rb',"signature":"[A-Za-z0-9+/=]{88}"\}\Z', b"}", stored.encode())
        text = re.sub(rb'(\{"tournament":"[0-9a-f-]{36}",)"position":[0-9]+,', rb"\1", text, count=1)
        fits = token not in self.revoked and all(entry[name] == station[name] for name in AUTHOR)
        fits = fits and (not re.fullmatch(ORGANIZERS, fact["kind"]) or entry["role"] == "organizer")
        fits = fits and is_signed(unbase64(station["key"]), unbase64(signature), b"matchledger/entry/1\n" + text)
        fits = fits and entry.get("after") == (before.hex() if before and self.chained else None)
        repeats = entry["command"] != self.last and entry["command"] in self.commands
        if not fits or repeats or signature in self.seen:
            return False
        self.last = entry["command"]
        self.seen.add(signature)
        return True

    def admits(self, fact, tournament):
        """Return whether the organizer's key signed the identity of the station."""
        parts = {"kind", "token", *AUTHOR, "issued", "expires", "certificate"}
        if set(fact) != parts or not re.fullmatch(r"mlt2(\.[A-Za-z0-9_-]+){2}", fact["certificate"]):
            return False
        text, seal = fact["certificate"].rsplit(".", 1)
        said, signature = json.loads(unbase64(text.split(".")[1])), unbase64(seal)
        [key] = [vkey for vkey in self.keys if vkey.split("+", 2)[1] == signature[:4].hex()]
        same = said["id"] == fact["token"] and all(
            said[name] == fact[name] for name in (*AUTHOR, "issued", "expires")
        )
        if not same or said["tournament"] not in (None, tournament) or said["role"] == "read-only":
            return False
        if not is_signed(unbase64(key.split("+", 2)[2])[1:], signature[4:], text.encode()):
            return False
        self.admitted[said["id"]] = said
        return True


def once(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a part of an entry stands twice")
    return dict(pairs)


# 7. the whole log: read it, and repeat each draw in order
def entries_of(text):
    """Return the entries that count, the leaf hashes of all entries by position (for an export), and the positions
    of the other entries.
    """
    entries, leaves, left_out, stations = [], {}, [], Stations()
    for entry in map(json.loads, text.splitlines()):
        if "stored" in entry:
            topic, place = entry["topic"].encode(), entry["position"]
            data = place.to_bytes(8, "big") + len(topic).to_bytes(2, "big") + topic + entry["stored"].encode()
            leaves[place] = hashlib.sha256(b"\0" + data).digest()
            if stations.counts(entry["topic"], entry["stored"], leaves.get(place - 1)):
                entries.append(json.loads(entry["stored"]))
            else:
                left_out.append(place)
        elif "format" not in entry:
            entries.append(entry)
    return entries, leaves, left_out


def round_again(log, number, secret, *, rematches):
    """Return the tables, the byes and the seed of a round, drawn again from the earlier log."""
    active = [player for player in log.active() if number not in log.charged(player, number)]
    rounds = {fact["player"]: fact["rounds"] for fact in log.kept("byes-awarded")}
    awarded = [player for player in active if number <= rounds.get(player, 0)]
    active = [player for player in active if player not in awarded]
    table, digest = Table(log, number - 1), digest_of(log, number - 1)
    tables, byes = [], []
    for name, players, divisions in pools_of(log, active, number):
        seed = seed_of(secret, f"pairing/{number}" + (f"/{name}" if name else ""), digest)
        order = random_order(seed, players)
        groups = split([order], lambda player: -table.points[player])
        twice = log.reading("double_pair_down", "last-resort") == "any"
        field = Field(groups, table.opponents, divisions, twice, seed)
        classes, taken_first = byes_of(table, order) if len(order) % 2 else ([], True)
        pairs, bye = paired(field, classes, taken_first, rematches=False)
        if pairs is None and (rematches or log.reading("rematch_fallback", "refuse") == "fewest"):
            pairs, bye = paired(field, classes, taken_first, rematches=True)
        if pairs is None:
            return [], [], ""
        tables += tables_of(field, pairs)
        byes += [] if bye is None else [bye]
    if log.kept("table-fixed") or log.kept("tables-numbered"):
        tables.sort()  # only the opponents are derived here: tables were given by hand
    return tables, byes + sorted(awarded), seed_of(secret, f"pairing/{number}", digest).hex()


def order_again(log, through, purpose, fact, players, secret):
    """Return whether players are in the order of the draw."""
    seed = seed_of(secret, f"{purpose}/{field_text(players)}", digest_of(log, through))
    return (fact["seed"], players) == (seed.hex(), random_order(seed, players))


def flight_again(log, player, secret):
    """Return the flight of a late player, and the seed if chance chose among several flights."""

    def division(number):
        return log.division(number)

    sizes = {}
    for drawn in log.kept("flights-drawn"):
        if drawn["division"] == division(player):
            sizes = {number: len(flight) for number, flight in enumerate(drawn["flights"], 1)}
    full = max(sizes.values(), default=0)
    for joined in log.kept("flight-joined"):
        if joined["player"] in log.entered() and division(joined["player"]) == division(player):
            sizes[joined["flight"]] += 1
    smallest = [flight for flight, size in sizes.items() if size == min(sizes.values())]
    if log.reading("late_flight", "smallest") == "random" and min(sizes.values(), default=0) >= full:
        smallest = list(sizes)
    if len(smallest) < 2:
        return (*smallest, None)
    seed = seed_of(secret, f"flight/{player}", digest_of(log, max(log.latest() - 1, 0)))
    return random_order(seed, smallest)[0], seed.hex()


def is_derived(log, fact, secret, *, rematches):
    if fact.get("seed") and not has_basis(log, fact):
        return False
    match fact["kind"]:
        case "round-paired":
            seatings = sorted(fact["tables"], key=lambda seating: seating["table"])
            said = [tuple(seating["players"]) for seating in seatings], [bye["player"] for bye in fact["byes"]]
            if log.kept("table-fixed") or log.kept("tables-numbered"):
                said[0].sort()
            return (*said, fact["seed"]) == round_again(log, fact["round"], secret, rematches=rematches)
        case "bracket-drawn":
            said = fact["method"], fact["games"], fact["seed"], fact["numbers_seed"]
            return said == bracket_again(log, fact.get("division"), secret)
        case "tie-resolved":
            return order_again(log, fact["round"], f"tie/{fact['round']}", fact, fact["players"], secret)
        case "flights-drawn":
            dealt = [player for flight in fact["flights"] for player in flight]
            return order_again(log, 0, f"flights/{fact['division']}/{len(fact['flights'])}", fact, dealt, secret)
        case "flight-joined":
            return (fact["flight"], fact["seed"]) == flight_again(log, fact["player"], secret)


def subject_of(log, entry):
    """Return the name of the draw in an entry, and whether it was made by hand. The name is None for an entry
    without a draw.
    """
    fact = entry["fact"]
    match fact["kind"]:
        case "round-paired" if fact["stage"] == "swiss":
            return f"Round {fact['round']}", fact["seed"] is None
        case "bracket-drawn":
            return f"Bracket of {fact['division']}" if fact.get("division") else "Bracket", False
        case "tie-resolved" if fact["seed"]:
            return f"Tie after round {fact['round']}, entry {entry['position']}", False
        case "round-paired":
            if log.kept("bracket-drawn"):
                name = f"Elimination round {fact['round']}" if is_off_bracket(log, fact) else None
            else:
                name = "Bracket" if fact["round"] == 1 else None
            return name, True
        case "flights-drawn" | "flight-joined" as kind:
            whose = f"s of {fact['division']}" if kind == "flights-drawn" else f" of late player {fact['player']}"
            return f"Flight{whose}, entry {entry['position']}", False
    return None, False


def text_of(file):
    if not file.is_file():
        raise Cannot(f"{file} is no file")  # a reader of a pipe would wait for a writer
    return file.read_text("utf-8")


def main(path):
    entries, leaves, left_out = entries_of(text_of(Path(path)))
    log, wrong = Log(), False
    if left_out:
        print(f"entries that do not count, written in another's name: {', '.join(map(str, left_out))}")
    secrets = [bytes.fromhex(e["fact"]["secret"]) for e in entries if e["fact"]["kind"] == "tournament-closed"]
    if not secrets or hashlib.sha256(secrets[-1]).hexdigest() != entries[0]["fact"]["commitment"]:
        print("the secret is not revealed, or is not the one that was committed to")
        return 2
    with_rematches = {entry["command"] for entry in entries if entry["fact"]["kind"] == "rematch-allowed"}
    for entry in entries:
        subject, by_hand = subject_of(log, entry)
        if subject and by_hand:
            print(f"{subject}: entered by hand")
        elif subject:
            rematches = entry["command"] in with_rematches
            derived = is_derived(log, entry["fact"], secrets[-1], rematches=rematches)
            wrong = wrong or not derived
            if not derived or subject.startswith(("Round", "Bracket")):
                print(f"{subject}: {'as derived' if derived else 'DIFFERENT'}")
        if not is_sound(log, entry["fact"], leaves, entry["recorded_at"]):
            wrong = True
            print(f"Entry {entry['position']}, on which draws rest: DIFFERENT")
        log.apply(entry["position"], entry["fact"])
    if log.kept("draw-basis-fixed") and not leaves:
        print("registrations not checked: give an export, which has the stored bytes")
    if log.kept("beacon-read"):
        print("beacon signature not checked")
    return int(wrong)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(sys.argv[1]))
    except (Cannot, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as problem:
        print(f"cannot judge this log: {problem!r}", file=sys.stderr)
        sys.exit(2)
