"""Transcription: turn the tournament in a file into the commands of a live tournament.

The whole file is first executed on a draft, so that everything or nothing is recorded.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, ClassVar
from uuid import uuid4

from msgspec import Struct, field

from matchledger.commands import cuts, roster, ties
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import Bye, FileImported, Person, PlayerDropped, Seating
from matchledger.formats.attendance import players_of
from matchledger.formats.text import FormatError, listed
from matchledger.formats.transcript import (
    ArriveLate,
    Close,
    Correct,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    Game,
    OrderTie,
    Outcome,
    PlayRound,
    Register,
    Rejoin,
    Retract,
    Step,
    Transcript,
)
from matchledger.ledger import Clerk, Decision, Draft
from matchledger.notation.slip import Noted, Written, read_notes
from matchledger_projections.message import sentence
from matchledger_projections.pairing.lineup import to_be_paired
from matchledger_projections.record import chance
from matchledger_projections.record.roster import Player, memberships
from matchledger_projections.rulebook.rulebook import RulebookError, parse_rulebook, rulebook_text


class Transcription(Struct):
    """A transcript that was executed on a draft. `notes` lists the adjustments made while reading and executing."""

    draft: Draft
    secret: bytes
    notes: list[str] = field(default_factory=list)


def transcribe(
    transcript: Transcript,
    *,
    data: bytes,
    source: str,
    secret: bytes,
    clerk: Clerk | None = None,
    sealed: bool = True,
) -> Transcription:
    """Execute a transcript. Raises FormatError, with the line, for a step that the rules refuse.

    Every entry is in the organizer's name, because a person who transcribes paper acts for the organizer.
    """
    return _Transcriber(transcript, secret, clerk, sealed=sealed).run(data, source)


class _Transcriber:
    def __init__(self, transcript: Transcript, secret: bytes, clerk: Clerk | None, *, sealed: bool) -> None:
        self._transcript = transcript
        self._sealed = sealed
        self._result = Transcription(Draft(uuid4(), clerk=clerk), secret, list(transcript.notes))
        self._numbers: dict[str, int] = {}
        self._members: dict[tuple[str, str], Player] = {}

    def run(self, data: bytes, source: str) -> Transcription:
        transcript, draft = self._transcript, self._result.draft
        try:
            law = rulebook_text(transcript.rulebook)
            parse_rulebook(law).under(transcript.policies)
        except RulebookError as error:
            raise FormatError(str(error), self._line_of(str(error))) from None
        with _at(None):
            draft.decide(
                lambda record: opening.open_tournament(
                    record,
                    name=transcript.name or PurePath(source).stem,
                    law=law,
                    policies=transcript.policies,
                    secret=self._result.secret,
                    division_years=transcript.division_years,
                    sealed=self._sealed,
                    derivation=chance.DERIVATION,
                )
            )
        imported = FileImported(
            name=source,
            format=transcript.format,
            sha256=hashlib.sha256(data).hexdigest(),
            notes=_with_numbers(transcript) if self._sealed else transcript.notes,
            roster=all(isinstance(step, Register) for step in transcript.steps),
        )
        draft.decide(lambda _: [imported])
        for step in transcript.steps:
            with _at(step.line):
                self._CARRY_OUT[type(step)](self, step)
        return self._result

    def _line_of(self, problem: str) -> int | None:
        """Return the number of the sheet's line that a problem concerns: the rulebook's line, or a policy's line,
        or None.
        """
        lines = self._transcript.lines
        return next((lines[flag] for flag in lines if flag in problem), lines.get("rulebook"))

    # -- steps

    def _register(self, step: Register) -> None:
        entrant = step.entrant
        self._enter(
            entrant,
            lambda record: roster.register(
                record,
                person=_person(entrant),
                division=entrant.division,
                attributes=entrant.attributes,
            ),
        )

    def _arrive_late(self, step: ArriveLate) -> None:
        entrant = step.entrant
        self._enter(
            entrant,
            lambda record: roster.arrive_late(
                record,
                person=_person(entrant),
                rounds_started=step.rounds_started,
                losses=step.losses,
                division=entrant.division,
                attributes=entrant.attributes,
                secret=lambda: self._result.secret,
            ),
        )

    def _enter(self, entrant: Entrant, decision: Decision) -> None:
        roster.need_own_numbers(self._members, entrant.attributes, name=entrant.name)
        self._result.draft.decide(decision)
        players = self._result.draft.record.players
        self._numbers[entrant.name] = max(players)
        for number in memberships(entrant.attributes):
            self._members.setdefault(number, players[max(players)])

    def _play(self, step: PlayRound) -> None:
        """Record the pairing of a round from the file, then its slips in table order."""
        draft = self._result.draft
        games = list(zip(self._tables(step), step.games, strict=True))
        seatings = [
            Seating(table=table, players=(self._number(game.first), self._number(game.second)))
            for table, game in games
        ]
        byes = [Bye(player=self._number(bye.player), points=bye.points) for bye in step.byes]
        rematches = [
            seating.players
            for seating, (_, game) in zip(seatings, games, strict=True)
            if self._may_meet(step, game)
        ]
        self._note_left_out(step)
        draft.decide(
            lambda record: rounds.pair_by_hand(
                record,
                games=seatings,
                byes=byes,
                stage=step.stage,
                rematches=rematches,
                number=step.number,
                unfinished=self._transcript.format != "sheet",
            )
        )
        self._keep_time(step)
        for table, game in games:
            if game.outcome is not None:
                with _at(game.line):
                    self._slip(step, table, game, game.outcome)

    def _keep_time(self, step: PlayRound) -> None:
        """Record the length of a round and the extra time of its tables, if the file has them."""
        if step.minutes is not None:
            self._result.draft.decide(
                lambda record: clock.start_round(record, stage=step.stage, minutes=step.minutes)
            )
        for more in step.extensions:
            with _at(more.line):
                self._result.draft.decide(
                    lambda record, more=more: clock.extend(  # type: ignore[misc] # bound now
                        record, table=more.table, minutes=more.minutes, reason=more.reason, stage=step.stage
                    ),
                    reason=more.reason,
                )

    def _note_left_out(self, step: PlayRound) -> None:
        """Add a note with the players who have neither a slip nor a bye, because the person may still have the
        paper.
        """
        if self._transcript.format != "sheet" or step.stage != "swiss":
            return
        record, seated = self._result.draft.record, {self._number(name) for name in players_of(step)}
        left_out = [player for player in to_be_paired(record, step.number) if player not in seated]
        if left_out:
            names = listed(record.players[player].name for player in left_out)
            self._result.notes.append(f"round {step.number}: no slip and no bye for {names}")

    def _tables(self, step: PlayRound) -> Iterator[int]:
        given = [game.table for game in step.games]
        if None in given:
            return iter(range(1, len(given) + 1))
        return iter(table for table in given if table is not None)

    def _may_meet(self, step: PlayRound, game: Game) -> bool:
        """Return whether a game may be a rematch: a score sheet must mark the rematch. Rematches from other
        software are accepted and noted.
        """
        if game.rematch or self._transcript.format == "sheet" or step.stage != "swiss":
            return game.rematch
        first, second = self._number(game.first), self._number(game.second)
        before = rounds.meeting(self._result.draft.record, first, second)
        if before is not None:
            self._result.notes.append(
                f"round {step.number}: {game.first} and {game.second} met again after round {before.number}"
            )
        return before is not None

    def _slip(self, step: PlayRound, table: int, game: Game, outcome: Outcome) -> None:
        rule = self._result.draft.record.rulebook.games
        if rule is not None and outcome.as_found and outcome.games is not None:
            problem = rule.problem(outcome.games, step.stage)
            if problem is not None:
                title = f"round {step.number}" if step.stage == "swiss" else f"elimination round {step.number}"
                self._result.notes.append(f"{title}: {game.first} - {game.second}: {problem}, kept as found")
        written = _written(outcome, game.first, game.second)
        self._result.draft.decide(
            lambda record: slips.report(record, table=table, written=written, stage=step.stage, round_=step.number)
        )

    def _drop(self, step: Drop) -> None:
        player = self._number(step.player)
        draft = self._result.draft
        if draft.record.status(player) == "dropped" and _left_by_not_appearing(draft, player):
            self._result.notes.append(f"{step.player} had been dropped already, by not appearing")
            return
        draft.decide(lambda record: roster.drop(record, player=player, cause=step.cause or "request"))

    def _rejoin(self, step: Rejoin) -> None:
        player = self._number(step.player)
        self._result.draft.decide(lambda record: roster.rejoin(record, player=player, losses=step.losses))

    def _disqualify(self, step: Disqualify) -> None:
        player = self._number(step.player)
        self._result.draft.decide(lambda record: roster.disqualify(record, player=player))

    def _order_tie(self, step: OrderTie) -> None:
        players = [self._number(name) for name in step.players]
        self._result.draft.decide(lambda record: ties.order_tie(record, players=players))

    def _correct(self, step: Correct) -> None:
        table, turned = self._match(step.round, step.first, step.second)
        written = _written(step.outcome, step.first, step.second)
        self._result.draft.decide(
            lambda record: slips.correct(
                record, table=table, round_=step.round, written=written.turned() if turned else written
            )
        )

    def _retract(self, step: Retract) -> None:
        table, _ = self._match(step.round, step.first, step.second)
        draft = self._result.draft
        position = slips.last_correction(draft.record, table=table, round_=step.round).position
        entry = draft.entries[position - 1]
        draft.decide(lambda record: slips.retract(record, entry=entry))

    def _match(self, number: int, first: str, second: str) -> tuple[int, bool]:
        """Return the table of two players in a round, and whether the table names them in the other order."""
        round_ = self._result.draft.record.round(number)
        one, other = self._number(first), self._number(second)
        table = None if round_ is None else round_.table_between(one, other)
        if round_ is None or table is None:
            raise Refusal(
                sentence(
                    "%(first)s and %(second)s did not meet in round %(round)s",
                    first=first,
                    second=second,
                    round=number,
                )
            )
        return table, round_.tables[table] == (other, one)

    def _cut(self, step: Cut) -> None:
        seeds = [self._number(name) for name in step.seeds]
        self._result.draft.decide(
            lambda record: cuts.make_cut(
                record, size=step.size or None, seeds=seeds, division_sizes=step.division_sizes
            )
        )

    def _close(self, _: Close) -> None:
        self._result.draft.decide(
            lambda record: opening.close(
                record, secret=self._result.secret, unfinished=self._transcript.format != "sheet"
            )
        )

    def _number(self, name: str) -> int:
        if name not in self._numbers:
            raise Refusal(sentence("%(player)s is not registered", player=name))
        return self._numbers[name]

    _CARRY_OUT: ClassVar[dict[type[Step], Callable[[_Transcriber, Any], None]]] = {
        Register: _register,
        ArriveLate: _arrive_late,
        PlayRound: _play,
        Drop: _drop,
        Rejoin: _rejoin,
        Disqualify: _disqualify,
        OrderTie: _order_tie,
        Correct: _correct,
        Retract: _retract,
        Cut: _cut,
        Close: _close,
    }


def _with_numbers(transcript: Transcript) -> tuple[str, ...]:
    """Return the reader's notes with players' numbers instead of names, because only the registration may contain a
    name.
    """
    entrants = [step.entrant.name for step in transcript.steps if isinstance(step, Register | ArriveLate)]
    numbers = {name: f"#{number}" for number, name in enumerate(entrants, 1)}
    if not numbers:
        return transcript.notes
    longest_first = sorted(numbers, key=len, reverse=True)
    name = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return tuple(name.sub(lambda found: numbers[found[0]], note) for note in transcript.notes)


def _left_by_not_appearing(draft: Draft, player: int) -> bool:
    """Return whether the no-show on a player's last slip dropped the player."""
    _, left = draft.record.movements[player][-1]
    return isinstance(left, PlayerDropped) and left.cause == "no-show"


def _person(entrant: Entrant) -> Person:
    return Person(name=entrant.name, born=entrant.born)


def _written(outcome: Outcome, first: str, second: str) -> Written:
    winner = None if outcome.winner is None else (first, second).index(outcome.winner)
    return Written(
        kind=outcome.kind,
        winner=winner,
        scores=outcome.scores,
        blood_points=outcome.blood_points,
        winner_blood_points=outcome.winner_blood_points,
        noted=_noted(outcome, (first, second)),
        games=outcome.games,
        as_found=outcome.as_found,
    )


def _noted(outcome: Outcome, players: tuple[str, str]) -> Noted:
    """Return a sheet's notes about the end of a game. A sheet's notes may name players."""
    try:
        return read_notes(outcome.notes, players)
    except ValueError as problem:
        raise Refusal(problem.args[0]) from None


@contextmanager
def _at(line: int | None) -> Iterator[None]:
    """Inside the block, turn a refusal into a FormatError with the line in the file."""
    try:
        yield
    except Refusal as refusal:
        raise FormatError(str(refusal), line) from None
