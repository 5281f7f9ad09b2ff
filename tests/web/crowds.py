"""Events of any size in two divisions: before round 1, during a round, and after the end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime, timedelta
from io import StringIO
from itertools import product
from pathlib import Path

from matchledger.cli import run
from matchledger.ledger import open_ledger
from matchledger.ledger.beside import SideFile
from matchledger.service.sign_up import sign_up

FIRST = """Ann Bartholomäus Chloé Dmitri Eun-Ji Fatima Greta Hugo Ingeborg Jörg Katarzyna Li Maximiliane-Sophie
Nwankwo Ólafur Priya Quentin Rosalía Siobhán Thaddäus"""
LAST = """Archer,van den Bergh,Müller-Lüdenscheidt,Okonkwo,García y Vega,Ng,Łoś,Featherstonehaugh,Öz,Schwarzenegger,
O'Shaughnessy,Papadopoulos,Rimski,Sørensen,Takahashi"""
NAME = "Landesmeisterschaft Niedersachsen"
CLERK = ("--actor", "Kim", "--role", "organizer", "--station", "north")
USES = ("report", "judge", "deck", "drop", "check-in", "sign-up", "push")
ROUNDS = 3
LIST = """4 Bridge Keeper
4 Ferryman
3 Lighthouse
4 Long Road
4 Letter Home
3 Night Market
38 River Energy
"""
UNFORESEEN = ("--reason", "a short evening")
DIVISIONS = ("junior", "masters")


def names(players: int) -> list[str]:
    """Return a number of different names, at most 300. Long names come early."""
    last = [name.strip() for name in LAST.split(",")]
    every = sorted(" ".join(name) for name in product(FIRST.split(), last))
    return sorted(every, key=lambda name: (len(name) % 7, name))[:players]


class Crowd:
    """An event with its ledger: juniors and masters, who play apart. A fifth of the players are juniors. In a
    small event, half of the players are juniors.
    """

    def __init__(self, ledger: Path, players: int, cuts: tuple[int, int] | None = None) -> None:
        """Prepare the event before round 1: everything is announced, and half of the players have checked in.
        `cuts` are the places that make the cut, for juniors and for masters.
        """
        self.ledger = ledger
        self.players = players
        self.cuts = cuts or (2, 2 if players < 20 else 8)
        apart = ("-b", "pokemon-2009", "-p", "POL-PKM-DIVISIONS=separated")
        self._do("open", NAME, *apart, clerk=())
        roster = ledger.with_suffix(".csv")
        one_in = 2 if players < 20 else 5
        lines = [f"{name},{DIVISIONS[at % one_in != 0]}" for at, name in enumerate(names(players))]
        roster.write_text("\n".join(["name,division", *lines]), "utf-8")
        self._do("register", "--csv", str(roster))
        roster.unlink()
        self._do("allow-phones", *USES, "--places", str(players + 1))
        self._sign_up({"name": "Maximiliane-Sophie Schwarzenegger-Lüdenscheidt", "contact": "max@example.org"})
        self._sign_up({"name": "Li Ng", "membership": "4711"})
        begins = datetime.now().astimezone() + timedelta(minutes=24)
        self._do("describe", "--date", f"{begins:%Y-%m-%d}", "--venue", "Bürgersaal, Marktplatz 7")
        schedule = f"{begins:%H:%M} Round 1\n{begins + timedelta(hours=8):%H:%M} Final"
        prizes = "1st: a trophy and 36 boosters\n2nd: 18 boosters\nTop 8: 9 boosters"
        self._do("describe", "--schedule", schedule, "--staff", "Kim, Jo and Max", "--accent", "teal")
        self._do("describe", "--prizes", prizes)
        self._do("news", "Round 1 begins ten minutes later")
        self._do("check-in", *(f"#{number}" for number in range(1, players // 2 + 1)))
        sizes = dict(zip(DIVISIONS, self.cuts, strict=True))
        cut_words = [word for one in sizes.items() for word in ("--division-cut", "=".join(map(str, one)))]
        rounds = [word for one in sizes for word in ("--division-rounds", f"{one}={ROUNDS}")]
        self._do("announce", *rounds, *cut_words, *UNFORESEEN)
        for name, office in (("Kim", "organizer"), ("Max", "marshal"), ("Jo", "judge")):
            self._do("staff", "add", name, office)
        deck = ledger.with_suffix(".deck")
        deck.write_text(LIST, "utf-8")
        for number in range(1, min(players, 40) - 4):  # the last players have not handed in a list
            self._do("deck", "submit", f"#{number}", str(deck))
        deck.unlink()

    def _sign_up(self, person: dict[str, str]) -> None:
        with open_ledger(self.ledger) as opened:
            side = SideFile(opened.ring)
            sign_up(side, opened, opened.tournaments()[0], person | {"born": "1999"})
            side.close()

    def play(self) -> None:
        """Play until half of the last Swiss round is reported, with everything that can happen in a hall."""
        for _ in range(ROUNDS - 1):
            self._round()
        self._do("pair", *UNFORESEEN)
        self._do("post", "--pairings")
        self._do("start", "--minutes", "50")
        open_tables = self._report(whole=False)
        last, before = open_tables[-1], open_tables[-2]
        self._do("extend", str(last), "5", "--reason", "deck check")
        (mine, yours), (first, second) = (self._seated(table) for table in (last, before))
        self._do("claim", f"#{mine}", "win")
        self._do("claim", f"#{yours}", "win")  # both players claim to have won
        self._do("call-judge", f"#{first}")
        self._do("claim", f"#{second}", "loss")
        self._do("penalty", f"#{second}", "warning", "--for", "slow-play")
        self._do("penalty", f"#{mine}", "warning", "--for", "deck", "--note", "59 cards", "--table", str(last))
        question = (
            "May a player look at the prize cards after the game?",
            "Only after both players agree on its end",
        )
        self._do("ruling", *question, "--table", str(before), "--by", "Jo")
        self._do("call", "#3", "--claim", "other", "--round", "1")
        self._do("correct", "1", "2", "b", "--reason", "both signed the wrong line")
        self._attempt("report", "1", "b")  # this contradicts table 1's slip, so the log keeps it as refused

    def finish(self) -> None:
        """Play until both divisions have champions, close the event, and open another tournament beside it."""
        self._report(whole=True)
        self.cut()
        self.play_bracket()
        self._do("close", "--yes", *UNFORESEEN)
        beside = ("--tournament", "Side event")
        self._do("open", "Side event", "--rulebook", "magic-mtr", clerk=())
        tomorrow = datetime.now().astimezone() + timedelta(days=1)
        self._do("describe", "--date", f"{tomorrow:%Y-%m-%d}", "--schedule", "10:00 Round 1", *beside)
        self._do("allow-phones", "sign-up", *beside)

    def cut(self) -> None:
        """Post the last Swiss round, and begin the elimination stage."""
        self._do("post", *UNFORESEEN)
        self._attempt("tie", *UNFORESEEN)  # some events have no tied players
        self._do("cut", "--yes", *UNFORESEEN)
        self._do("pair", *UNFORESEEN)

    def play_bracket(self) -> None:
        """Play the elimination stage, of which the first round is paired."""
        self._report(whole=True)
        for _ in range(max(self.cuts).bit_length() - 2):
            self._do("pair", *UNFORESEEN)
            self._report(whole=True)

    def play_swiss(self) -> None:
        """Play all Swiss rounds with nothing but results."""
        for _ in range(ROUNDS):
            self._do("pair", *UNFORESEEN)
            self._report(whole=True)

    def _round(self) -> None:
        self._do("pair", *UNFORESEEN)
        self._do("penalty", "#4", "warning", "--for", "slow-play", "--note", "two minutes for one move")
        self._report(whole=True)
        self._do("post")

    def _report(self, *, whole: bool) -> list[int]:
        """Report every table of the round, or the first half, and return the tables without a slip."""
        with open_ledger(self.ledger) as ledger:
            [tournament] = ledger.tournaments()
            record = ledger.record(tournament)
            latest = record.latest_round("elimination") or record.latest_round()
            assert latest is not None
            left = [table for table, _, report in latest.results() if report is None]
        taken = left if whole else left[: len(left) // 2]
        words = [word for table in taken for word in (str(table), "ab"[table % 3 == 0])]
        if words:
            self._do("report", *words)
        return left[len(taken) :]

    def _seated(self, table: int) -> tuple[int, int]:
        with open_ledger(self.ledger) as ledger:
            [tournament] = ledger.tournaments()
            latest = ledger.record(tournament).latest_round()
            assert latest is not None
            return latest.tables[table]

    def _do(self, *words: str, clerk: Sequence[str] = CLERK) -> None:
        assert not self._attempt(*words, clerk=clerk), words

    def _attempt(self, *words: str, clerk: Sequence[str] = CLERK) -> int:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            return run([*words, "--ledger", str(self.ledger), *clerk])
