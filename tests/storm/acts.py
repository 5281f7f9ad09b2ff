"""Acts: the possible next actions at an event, chosen by chance, as a command with its fields and as a typed
line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from matchledger.commands.command import marks
from matchledger.commands.registry import COMMANDS, WORDS
from matchledger.events import Stage
from matchledger.notation.outcomes import outcome_keys
from matchledger_projections.record.desk_calls import open_calls
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import standings

Item = TypeVar("Item")
Fields = dict[str, Any]


class Act(NamedTuple):
    """A command: its kind, and its fields as a program sends them."""

    kind: str
    fields: Fields

    @property
    def by_reason(self) -> str | None:
        """The field that allows a departure from a rule."""
        fields = COMMANDS[self.kind].model_fields
        return next((name for name in ("deviating", "override") if name in fields), None)

    def words(self) -> list[str]:
        """The words typed on the command line."""
        command = COMMANDS[self.kind]
        if self.kind in BY_HAND:
            return BY_HAND[self.kind](self.fields)
        words = next(words for words, kind in WORDS.items() if kind == self.kind).split()
        for name in command.model_fields:
            mark, value = marks(command, name), self.fields.get(name)
            if value is None or mark.asked is None or mark.by_reason:
                continue
            option = None if mark.asked.option is None else mark.asked.option.split("/")[0]
            if mark.type is bool:
                words += [str(option)] if value else []
            elif option == "--elimination":
                words += [option] if value == "elimination" else []
            else:
                for one in _texts(value, numbers=mark.typed is not None):
                    words += [one] if option is None else [option, one]
        return [*words, "--yes"] if command.shown_first or command.asks != "far" else words

    def form(self) -> dict[str, Any]:
        """The fields that a form of the desk sends."""
        sent: dict[str, Any] = {"kind": self.kind}
        for name, value in self.fields.items():
            if isinstance(value, dict):
                sent |= {f"{name}.{key}": one for key, one in value.items()}
            elif isinstance(value, bool):
                sent |= {name: "true"} if value else {}
            elif isinstance(value, list) and value and isinstance(value[0], list):
                sent[name] = [part for pair in value for part in pair]
            else:
                sent[name] = value
        return sent


def _texts(value: object, *, numbers: bool) -> list[str]:
    if isinstance(value, dict):
        return [f"{key}={one}" for key, one in value.items()]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one, numbers=numbers)]
    return [f"#{value}" if numbers and isinstance(value, int) else str(value)]


def _games(fields: Fields) -> list[str]:
    pairs = ["/".join(f"#{player}" for player in two) for two in fields.get("games", ())]
    return [*pairs, *(f"#{player}" for player in fields.get("byes", ()))]


def _registration(fields: Fields) -> list[str]:
    words = ["late" if fields.get("late") else "register", fields["name"]]
    return [*words, *(["--division", fields["division"]] if "division" in fields else [])]


BY_HAND: dict[str, Callable[[Fields], list[str]]] = {
    "report-slip": lambda given: ["report", str(given["table"]), *given["outcome"].split()],
    "correct-slip": lambda given: [
        *("correct", str(given["round"]), str(given["table"]), *given["outcome"].split()),
        *(["--elimination"] if given.get("stage") == "elimination" else []),
        *(["--override"] if given.get("override") else []),
        "--yes",
    ],
    "register-player": _registration,
    "pair-round": lambda given: ["pair", *(["--allow-rematch"] if given.get("allow_rematch") else [])],
    "pair-by-hand": lambda given: [
        "pair",
        *(word for game in _games(given) for word in ("--table", game)),
        *(["--allow-rematch"] if given.get("allow_rematch") else []),
    ],
    "amend-pairing": lambda given: [
        "amend",
        *_games(given),
        *(["--allow-rematch"] if given.get("allow_rematch") else []),
    ],
    "post-standings": lambda _: ["post"],
    "post-pairings": lambda _: ["post", "--pairings"],
    "draw-ties": lambda _: ["tie", "--yes"],
    "order-tie": lambda given: ["tie", *(f"#{player}" for player in given["players"])],
    "choose-repair": lambda given: ["repair", "--choose", given["choice"]],
    "answer-call": lambda given: ["answer", str(given["position"])],
    "give-ruling": lambda given: ["ruling", given["question"], given["outcome"], "--by", given["judge"]],
}


class Situation:
    """An event at one moment, with the possible next actions."""

    def __init__(self, record: Record, chance: Random, number: int, most: int) -> None:
        self.record, self.chance, self.number, self.most = record, chance, number, most
        self.round: Round | None = record.latest_round("elimination") or record.latest_round()
        self.open_tables = [] if self.round is None else list(self.round.outstanding)
        self.active = [player.number for player in record.active_players()]
        self.entered = [player.number for player in record.entered()]
        self.questions = [call.position for call in open_calls(record)]

    def next_act(self) -> Act:
        """One of the sensible acts, likely acts more often; sometimes a senseless act."""
        if self.round is None:
            there = len(self.active) >= self.most
            likely = {self.enter: 1 if there else 30, self.pair: 12 if there else 1, self.prepare: 6}
        elif self.open_tables:
            likely = {self.report: 50, self.tend: 12, self.stir: 16, self.pair: 1}
        else:
            likely = {self.pair: 25, self.settle: 14, self.stir: 14, self.go_on: 10 if self.round.number > 1 else 3}
        if self.questions:
            likely[self.answer] = 25
        [how] = self.chance.choices(list(likely), list(likely.values()))
        return how()

    def one(self, items: Sequence[Item]) -> Item:
        return self.chance.choice(items)

    @property
    def player(self) -> int:
        return self.one(self.entered or [1])

    @property
    def outcome(self) -> str:
        law = self.record.rulebook
        keys = [key.outcome for key in outcome_keys(law)]
        outcome = self.one([key for key in keys if "judgment" not in key and "time-tiebreak" not in key])
        if law.blood_points is not None and outcome[0] in "ab":
            return f"{outcome[0]}:{self.chance.randrange(10)}{outcome[1:]}"
        return outcome

    def division(self) -> Fields:
        known = self.record.rulebook.divisions
        return {} if known is None else {"division": self.one(["junior", "masters", "masters"])}

    # -- what happens when

    def enter(self) -> Act:
        return Act("register-player", {"name": f"Player{self.number:04}", **self.division()})

    def prepare(self) -> Act:
        structure = {"structure": "custom"} if self.record.rulebook.id == "l5r-2018" else {}
        rounds, cut = self.one([2, 3, 4]), self.one([0, 2, 4])
        style = {"style": "swiss-with-cut" if cut else "swiss"}
        announced = {"rounds": rounds, "cut": cut, "prizes": 4, **structure, **style}
        return self.one(
            [
                Act("announce-structure", announced),
                Act("announce-structure", announced),
                Act("announce-structure", {"style": "elimination", "prizes": 4}),
                Act("decide-divisions", {"mode": self.one(["separated", "modified"])}),
                Act("draw-flights", {"division": "masters", "flights": 2}),
                Act("award-byes", {"player": self.player, "rounds": 1}),
                Act("fix-table", {"player": self.player, "table": self.one([1, 3])}),
                Act("number-tables", {"division": "masters", "first": 101}),
                Act("allow-phones", {"may": ["report", "judge", "drop", "check-in"]}),
                Act("assign-staff", {"name": f"Leader{self.number}", "role": self.one(["judge", "marshal"])}),
                Act("pledge-word", {"player": self.player}),
                self.of_person(),
            ]
        )

    def pair(self) -> Act:
        if self.chance.random() < 0.12:
            order = self.active[:]
            self.chance.shuffle(order)
            games = [list(two) for two in zip(order[::2], order[1::2], strict=False)]
            left = order[-1:] if len(order) % 2 and self.chance.random() < 0.8 else []
            games = games[: None if self.chance.random() < 0.8 else -1]
            return Act("pair-by-hand", {"games": games, "byes": left, "allow_rematch": True})
        return Act("pair-round", {"allow_rematch": self.chance.random() < 0.7})

    def report(self) -> Act:
        return Act("report-slip", {"table": self.one(self.open_tables), "outcome": self.outcome})

    def tend(self) -> Act:
        """The commands that a round needs besides its slips."""
        assert self.round is not None
        table = self.one(self.open_tables)
        two = self.round.tables[table]
        seats = [player for players in self.round.tables.values() for player in players]
        first, second = self.one(seats), self.one(seats)
        other = self.round.tables[self.one(self.open_tables)]
        return self.one(
            [
                Act("start-round", {}),
                Act("start-round", {}),
                Act("post-pairings", {}),
                Act("extend-time", {"table": table, "minutes": 3}),
                Act("pause-clock", {}),
                Act("resume-clock", {}),
                Act("record-no-show", {"players": [self.one(two)]}),
                Act("record-no-show", {"players": list(two)}),
                Act("concede-match", {"player": self.one(two)}),
                Act("amend-pairing", {"games": [[first, second]], "allow_rematch": True}),
                Act("amend-pairing", {"games": [[two[0], other[0]], [two[1], other[1]]], "allow_rematch": True}),
                Act("swap-tables", {"first": table, "second": self.one(list(self.round.tables))}),
                Act("claim-result", {"player": two[0], "outcome": self.one(["win", "loss"])}),
                Act("claim-result", {"player": two[1], "outcome": self.one(["win", "loss"])}),
                Act("call-judge", {"player": self.one(two)}),
                Act("set-first-player", {"player": self.one(two)}),
            ]
        )

    def stir(self) -> Act:
        """Mishaps, at any time."""
        log = self.record.position
        back = max(1, log - self.chance.randrange(10))
        return self.one(
            [
                self.correction(),
                self.correction(),
                Act("retract-entry", {"position": back}),
                Act("retract-entry", {"position": back}),
                Act("undo-last", {}),
                Act("redo-last", {}),
                Act("undo-last", {"whole_round": True}),
                Act("drop-player", {"player": self.player}),
                Act("drop-player", {"player": self.player}),
                Act("rejoin-player", {"player": self.player}),
                Act("register-player", {"name": f"Late{self.number:04}", "late": True, **self.division()}),
                Act("register-player", {"name": f"Late{self.number:04}", "late": True, **self.division()}),
                self.one([Act("disqualify-player", {"player": self.player}), self.of_person()]),
                Act("answer-call", {"position": back}),
                Act("answer-request", {"request": back}),
                Act(
                    "give-penalty",
                    {
                        "player": self.player,
                        "penalty": self.one(["warning", "warning", "game-loss", "match-loss"]),
                        "offence": "unsporting",
                    },
                ),
                Act("give-ruling", {"question": "May I?", "outcome": "Yes", "judge": "Jude"}),
                Act("choose-repair", {"choice": self.one(["leave", "minimal", "all"])}),
                self.policy(),
                self.of_person(),
            ]
        )

    def of_person(self) -> Act:
        return self.one(
            [
                Act("rename-player", {"player": self.player, "name": f"Named{self.number:04}"}),
                Act("correct-player", {"player": self.player, "born": self.one([1980, 1990])}),
                Act("merge-players", {"player": self.player, "other": self.player}),
                Act("transfer-registration", {"player": self.player, "name": f"Taker{self.number:04}"}),
                Act("check-in", {"players": [self.player]}),
                Act("ask-drop", {"player": self.player}),
            ]
        )

    def policy(self) -> Act:
        flag = self.one(sorted(self.record.rulebook.policies))
        return Act("change-policy", {"flag": flag, "value": self.one(values_of(self.record.rulebook, flag))})

    def correction(self) -> Act:
        stage: Stage = (
            "elimination" if self.record.rounds("elimination") and self.chance.random() < 0.5 else "swiss"
        )
        found = [(round_.number, table) for round_ in self.record.rounds(stage) for table in round_.tables]
        number, table = self.one(found or [(1, 1)])
        return Act("correct-slip", {"round": number, "table": table, "outcome": self.outcome, "stage": stage})

    def answer(self) -> Act:
        """The desk answers a player, or decides between two slips that contradict each other."""
        answer = self.one(["stands", "stands", "settled", "corrected"])
        return Act("answer-call", {"position": self.one(self.questions), "answer": answer})

    def settle(self) -> Act:
        """The commands due between two rounds."""
        tied = standings(self.record).ties if self.record.finished_rounds else ()
        if tied and self.chance.random() < 0.3:
            order = list(self.one(tied))
            self.chance.shuffle(order)
            return Act("order-tie", {"players": order})
        return self.one([Act("post-standings", {}), Act("post-standings", {}), Act("draw-ties", {})])

    def go_on(self) -> Act:
        cut = Act("make-cut", {"size": self.one([2, 4])})
        out = Act("replace-qualifier", {"player": self.player})
        return self.one([cut, cut, out, Act("close-tournament", {})])


def values_of(rulebook: Rulebook, flag: str) -> list[str]:
    """The values that a policy may have; some numbers for a policy that takes any number."""
    return list(rulebook.policies[flag].values) or ["0", "1"]
