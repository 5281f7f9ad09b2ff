"""Situations: what a person at the event may do next. Chance chooses one of the possible actions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tests.storm.acts import Act, Fields

from matchledger.events import Stage
from matchledger.notation.outcomes import outcome_keys
from matchledger_projections.record.desk_calls import open_calls
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import standings

Item = TypeVar("Item")


class Situation:
    """An event at one moment, with the actions that are possible next."""

    def __init__(self, record: Record, chance: Random, number: int) -> None:
        self.record, self.chance, self.number = record, chance, number
        self.round: Round | None = record.latest_round("elimination") or record.latest_round()
        self.open_tables = [] if self.round is None else list(self.round.outstanding)
        self.active = [player.number for player in record.active_players()]
        self.entered = [player.number for player in record.entered()]
        self.questions = [call.position for call in open_calls(record)]

    def next_act(self) -> Act:
        """Return one of the sensible acts, likely acts more often, and sometimes a senseless act."""
        if self.round is None:
            likely = {self.enter: 3, self.pair: 9, self.prepare: 8}
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
        if self.chance.random() < 0.3:
            order = self.active[:]
            self.chance.shuffle(order)
            games = [list(two) for two in zip(order[::2], order[1::2], strict=False)]
            left = order[-1:] if len(order) % 2 and self.chance.random() < 0.7 else []
            games = games[: None if self.chance.random() < 0.7 else -1]
            return Act("pair-by-hand", {"games": games, "byes": left, "allow_rematch": True})
        return Act("pair-round", {"allow_rematch": self.chance.random() < 0.7})

    def report(self) -> Act:
        return Act("report-slip", {"table": self.one(self.open_tables), "outcome": self.outcome})

    def tend(self) -> Act:
        """Return a command that a round in progress may need, other than a slip."""
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
        """Return what can go wrong at any time."""
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

    def deck(self) -> Act:
        """Submit, amend or check a deck list."""
        cards = self.one(["3 Hida Guardian", "1 Fortified Coast\n3 Hida Guardian", "40 Swamp"])
        given = {"player": self.player, "deck": f"[{self.one(['dynasty', 'main', 'ready spells'])}]\n{cards}\n"}
        return self.one(
            [
                Act("submit-deck", given | ({} if self.round is None else {"late": True})),
                Act("amend-deck", given),
                Act("check-decks", {"players": [self.player]}),
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
        """Answer a player at the desk, or decide between two contradicting slips."""
        answer = self.one(["stands", "stands", "settled", "corrected"])
        return Act("answer-call", {"position": self.one(self.questions), "answer": answer})

    def settle(self) -> Act:
        """Return what must be done between two rounds."""
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
    """Return the values that a policy may have. For a policy with a number, return 0 and 1."""
    policy = rulebook.policies[flag]
    return ["0", "1"] if policy.takes_numbers else list(policy.values)
