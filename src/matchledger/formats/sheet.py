"""Score sheets: a whole tournament as text (design section 6), read line by line."""

from __future__ import annotations

import re
from collections.abc import Callable

from matchledger.events import Stage
from matchledger.formats.sheet_roster import OpenRound, Roster
from matchledger.formats.sheet_words import (
    OPERATORS,
    SLIP_FORMS,
    Line,
    Word,
    WrittenSlip,
    charged_losses,
    checked_name,
    entrant_of,
    is_slip,
    slip_of,
    whole_number,
    words_of,
)
from matchledger.formats.text import FormatError, decode, did_you_mean, listed
from matchledger.formats.transcript import (
    ArriveLate,
    Close,
    Correct,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    MoreTime,
    OrderTie,
    Register,
    Rejoin,
    Retract,
    Step,
    Transcript,
)

MAX_LINE_LENGTH = 10_000
MAX_LINES = 1_000_000

_END_OF_LINE = re.compile(r"\r?\n")


def read_sheet(data: bytes) -> Transcript:
    """Return the tournament in a score sheet. Raises FormatError with the first line that is not understood."""
    whole = decode(data)
    if (lines := whole.count("\n")) > MAX_LINES:
        raise FormatError(f"the sheet has {lines} lines; at most {MAX_LINES} are read")
    sheet = _Sheet()
    for number, text in enumerate(_END_OF_LINE.split(whole), start=1):
        if len(text) > MAX_LINE_LENGTH:
            raise FormatError(f"the line has {len(text)} characters; at most {MAX_LINE_LENGTH} are read", number)
        words, end = words_of(text, number)
        if words:
            sheet.take(Line(number, words, text[:end]))
    return sheet.transcript()


class _Sheet:
    """The content of a score sheet up to the line read last."""

    def __init__(self) -> None:
        self._rulebook: str | None = None
        self._event: str | None = None
        self._policies: dict[str, str] = {}
        self._division_years: dict[str, int] = {}
        self._lines: dict[str, int] = {}
        self._steps: list[Step] = []
        self._roster = Roster()
        self._round: OpenRound | None = None
        self._rounds: dict[Stage, int] = {"swiss": 0, "elimination": 0}

    def take(self, line: Line) -> None:
        """Read one line that is not blank."""
        keyword = line.words[0]
        if self._rulebook is None and not keyword.is_sign("rulebook"):
            raise line.refuse("a sheet begins with its rulebook; the first line is, for example, rulebook l5r-2018")
        instruction = None if keyword.quoted else INSTRUCTIONS.get(keyword.text)
        # A player's name may be "late". Next to a sign or before another name, the word "late" is a name.
        is_name = any(word.is_sign(*OPERATORS) for word in line.words[1:-1][:1])
        if instruction is not None and not is_name:
            instruction(self, line)
        else:
            self._slip(line)

    def transcript(self) -> Transcript:
        if self._rulebook is None:
            raise FormatError("the sheet is empty; its first line is, for example, rulebook l5r-2018", 1)
        self._end_round()
        return Transcript(
            "sheet",
            self._rulebook,
            self._event or "",
            tuple(self._steps),
            self._policies,
            lines=self._lines,
            division_years=self._division_years,
        )

    # -- heading

    def name_rulebook(self, line: Line) -> None:
        if self._rulebook is not None:
            raise line.refuse(f"the rulebook is already {self._rulebook}; a sheet has one")
        self._rulebook = self._only(line, "rulebook ID").text
        self._lines["rulebook"] = line.number

    def name_event(self, line: Line) -> None:
        if self._event is not None:
            raise line.refuse(f"the event already has the name {self._event!r}")
        if not line.arguments:
            raise line.refuse("write event NAME")
        single = line.arguments[0] if len(line.arguments) == 1 else None
        name = single.text if single else line.text[line.arguments[0].start :].strip()
        self._event = checked_name(name, line)

    def choose_option(self, line: Line) -> None:
        flag, sign, value = self._only(line, "option POLICY=VALUE").text.partition("=")
        if not (flag and sign and value):
            raise line.refuse("write option POLICY=VALUE, for example option POL-L5R-NOSHOW=bye")
        if flag in self._policies:
            raise line.refuse(f"{flag} is already {self._policies[flag]}")
        if any(self._rounds.values()):
            raise line.refuse("options belong above the first round: they are part of how the tournament opens")
        self._policies[flag] = value
        self._lines[flag] = line.number

    # -- players

    def register_some(self, line: Line) -> None:
        if not line.arguments:
            raise line.refuse('write players A B "Ann Lee"')
        self._refuse_registration_under_way(line)
        for word in line.arguments:
            if not word.quoted and "=" in word.text:
                raise line.refuse(
                    f"{word.text[:40]!r} is an attribute; those need a line of their own: player H born=2001"
                )
            self._roster.enter(word, line)
            self._steps.append(Register(line.number, Entrant(word.text)))

    def register_one(self, line: Line) -> None:
        if not line.arguments:
            raise line.refuse("write player NAME, with attributes such as division=junior born=2001")
        self._refuse_registration_under_way(line)
        self._roster.enter(line.arguments[0], line)
        self._steps.append(Register(line.number, entrant_of(line.arguments[0].text, line.arguments[1:], line)))

    def arrive_late(self, line: Line) -> None:
        match line.arguments:
            case [name, rounds, *attributes]:
                pass
            case _:
                raise line.refuse("write late NAME ROUNDS: how many rounds had started when the player came")
        started = whole_number(rounds, "the number of rounds that had started", line.number)
        self._end_round()
        self._roster.enter(name, line)
        losses, attributes = charged_losses(attributes, line)
        self._steps.append(ArriveLate(line.number, entrant_of(name.text, attributes, line), started, losses))

    def _refuse_registration_under_way(self, line: Line) -> None:
        if any(self._rounds.values()):
            raise line.refuse("a round has begun; a new player is late: late NAME ROUNDS")

    # -- rounds

    def begin_swiss(self, line: Line) -> None:
        self._begin_round("swiss", line)

    def begin_elimination(self, line: Line) -> None:
        self._begin_round("elimination", line)

    def _begin_round(self, stage: Stage, line: Line) -> None:
        self._end_round()
        keyword = line.words[0].text
        number = whole_number(self._only(line, f"{keyword} NUMBER"), "the number of the round", line.number)
        if number != (due := self._rounds[stage] + 1):
            raise line.refuse(f"{keyword} {number} is out of order; {keyword} {due} is next")
        self._rounds[stage] = number
        self._round = OpenRound(line.number, stage, number)

    def _end_round(self) -> None:
        if (ended := self._round) is None:
            return
        self._steps.append(ended.step())
        self._round = None

    def _slip(self, line: Line) -> None:
        if not is_slip(line.words) and not line.words[0].quoted:
            raise line.refuse(_not_understood(line))
        slip = slip_of(line.words, line.number)
        if self._round is None:
            following = self._rounds["swiss"] + 1
            raise line.refuse(f"this slip is outside a round; begin one above it: round {following}")
        self._round.take(slip, self._roster, line)

    def set_minutes(self, line: Line) -> None:
        if self._round is None:
            raise line.refuse("write minutes inside its round")
        if self._round.minutes is not None:
            raise line.refuse(f"{self._round.title} has {self._round.minutes} minutes already")
        self._round.minutes = whole_number(self._only(line, "minutes NUMBER"), "the minutes", line.number)

    def extend(self, line: Line) -> None:
        match line.arguments:
            case [table, minutes]:
                reason = None
            case [table, minutes, word]:
                reason = word.text
            case _:
                raise line.refuse('write extend TABLE MINUTES, or extend TABLE MINUTES "the reason"')
        if self._round is None:
            raise line.refuse("write extend inside the round of the table")
        number = whole_number(table, "the table", line.number)
        given = whole_number(minutes, "the minutes", line.number)
        self._round.extensions.append(MoreTime(line.number, number, given, reason))

    # -- between rounds

    def drop(self, line: Line) -> None:
        match line.arguments:
            case [player]:
                cause = None
            case [player, word]:
                cause = word.text
            case _:
                raise line.refuse("write drop NAME, or drop NAME CAUSE")
        self._end_round()
        self._steps.append(Drop(line.number, self._roster.known(player.text, line), cause))

    def rejoin(self, line: Line) -> None:
        losses, words = charged_losses(line.arguments, line)
        if len(words) != 1:
            raise line.refuse("write rejoin NAME")
        player = self._roster.known(words[0].text, line)
        self._end_round()
        self._steps.append(Rejoin(line.number, player, losses))

    def disqualify(self, line: Line) -> None:
        player = self._only_player(line)
        self._steps.append(Disqualify(line.number, player))

    def order_tie(self, line: Line) -> None:
        names = tuple(self._roster.known(word.text, line) for word in line.arguments)
        if len(names) <= 1:
            raise line.refuse("write draw A B C: two players or more, in the order that was drawn, best first")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise line.refuse(f"{twice} is in this order twice")
        self._end_round()
        self._steps.append(OrderTie(line.number, names))

    def correct(self, line: Line) -> None:
        if not line.arguments:
            raise line.refuse("write correct ROUND and the slip that is right: correct 1 A > F (16)")
        number = whole_number(line.arguments[0], "the round", line.number)
        slip = slip_of(line.arguments[1:], line.number)
        if not isinstance(slip, WrittenSlip) or slip.outcome is None or slip.rematch:
            raise line.refuse("a correction is a slip with a result: correct 1 A > F (16)")
        first, second = self._roster.known(slip.first, line), self._roster.known(slip.second, line)
        self._end_round()
        self._steps.append(Correct(line.number, number, first, second, slip.outcome))

    def retract(self, line: Line) -> None:
        match line.arguments:
            case [round_, one, other]:
                number = whole_number(round_, "the round", line.number)
            case _:
                raise line.refuse("write retract ROUND A B: the slip whose last correction is taken back")
        first, second = self._roster.known(one.text, line), self._roster.known(other.text, line)
        self._end_round()
        self._steps.append(Retract(line.number, number, first, second))

    def cut(self, line: Line) -> None:
        if sizes := _by_division(line, least=0):
            self._end_round()
            self._steps.append(Cut(line.number, 0, division_sizes=sizes))
            return
        if not line.arguments:
            raise line.refuse("write cut SIZE, or cut junior=2 masters=8")
        size = whole_number(line.arguments[0], "the size of the cut", line.number, least=2)
        seeds = tuple(self._roster.known(word.text, line) for word in line.arguments[1:])
        if seeds and len(seeds) != size:
            raise line.refuse(
                f"a cut to {size} names {size} players or none, not {len(seeds)}; the best seed is first"
            )
        self._end_round()
        self._steps.append(Cut(line.number, size, seeds))

    def name_years(self, line: Line) -> None:
        if self._steps or self._round is not None:
            raise line.refuse("the years of divisions belong above the players: they are part of how it opens")
        years = _by_division(line, least=1)
        if not years:
            raise line.refuse("write divisions junior=2013 senior=2009: the first year of birth of each")
        self._division_years |= years
        self._lines["divisions"] = line.number

    def close(self, line: Line) -> None:
        if line.arguments:
            raise line.refuse("write close alone on its line")
        self._end_round()
        self._steps.append(Close(line.number))

    def _only(self, line: Line, form: str) -> Word:
        if len(line.arguments) != 1:
            raise line.refuse(f"write {form}")
        return line.arguments[0]

    def _only_player(self, line: Line) -> str:
        player = self._roster.known(self._only(line, f"{line.words[0].text} NAME").text, line)
        self._end_round()
        return player


def _by_division(line: Line, *, least: int) -> dict[str, int]:
    """Return a number for each division: junior=2 masters=8. Return an empty mapping if the line has a different
    form.
    """
    parts = [word.text.partition("=") for word in line.arguments if not word.quoted]
    if len(parts) != len(line.arguments) or not all(name and sign for name, sign, _ in parts):
        return {}
    return {
        name: whole_number(Word(text, quoted=False, start=0), f"the number of {name}", line.number, least)
        for name, _, text in parts
    }


INSTRUCTIONS: dict[str, Callable[[_Sheet, Line], None]] = {
    "rulebook": _Sheet.name_rulebook,
    "event": _Sheet.name_event,
    "option": _Sheet.choose_option,
    "divisions": _Sheet.name_years,
    "players": _Sheet.register_some,
    "player": _Sheet.register_one,
    "round": _Sheet.begin_swiss,
    "elimination": _Sheet.begin_elimination,
    "minutes": _Sheet.set_minutes,
    "extend": _Sheet.extend,
    "drop": _Sheet.drop,
    "late": _Sheet.arrive_late,
    "rejoin": _Sheet.rejoin,
    "disqualify": _Sheet.disqualify,
    "draw": _Sheet.order_tie,
    "correct": _Sheet.correct,
    "retract": _Sheet.retract,
    "cut": _Sheet.cut,
    "close": _Sheet.close,
}


def _not_understood(line: Line) -> str:
    first = line.words[0].text[:40]
    if len(line.words) == 1 and any(sign in first for sign in "<>="):
        return f"put blanks around the sign in {first!r}: A > B"
    understood = f"; a line is a slip ({SLIP_FORMS}) or one of {listed(INSTRUCTIONS)}"
    return f"{first!r} begins no line of a sheet{did_you_mean(first, INSTRUCTIONS) or understood}"
