"""A sight: the part of a tournament at a moment that a reader may see. The module also registers all answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Struct

from matchledger.events import Entry, Stage
from matchledger_projections.document import SPREAD, document
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock

Build = TypeVar("Build", bound=Callable[..., Any])
Reader = Literal["everybody", "staff", "recorder"]
Entries = Callable[[Iterable[Entry]], Iterator[Entry]]


class Sight(Struct, frozen=True, dict=True):
    """A reader's view of a tournament: at `round`, on a clock, with corrections of the rounds up to `through`.

    Numbers are computed from the full record and log (`whole` and `log`), which the reader never sees. `record` and
    `entries` have only the data that the reader may see.
    """

    whole: Record
    record: Record
    round: int | None = None
    clock: Clock = "as-known"
    through: int | None = None
    read: Callable[[int], Iterable[Entry]] = lambda _: ()
    shown: Entries = iter
    is_public: bool = False

    @classmethod
    def of(cls, record: Record, entries: Sequence[Entry] = (), round_: int | None = None) -> Sight:
        """Return a sight that hides nothing in a record."""
        return cls(record, record, round_, read=lambda after: (e for e in entries if e.position > after))

    @property
    def position(self) -> int:
        """Return the number of entries in the log at the moment."""
        return self.whole.position

    @property
    def title(self) -> str:
        """Return the name of the tournament."""
        return title(self.record)

    def log(self, *, after: int = 0) -> list[Entry]:
        """Return all entries up to the moment, including private entries."""
        return list(self.read(after))

    def entries(self) -> list[Entry]:
        """Return the entries that the reader may see, without private data."""
        return list(self.shown(self.log()))

    def need_player(self, number: int) -> int:
        """Return the number of a player. Raise UsageProblem for an unknown player."""
        if number not in self.record.players:
            raise UsageProblem(sentence("there is no player #%(player)s at that moment", player=number))
        return number

    def need_round(self, stage: Stage | None) -> Round:
        """Return the requested round, or else the latest round of the stage. Raises UsageProblem."""
        stage = stage or stage_in_play(self.whole, self.round)
        found = self.whole.latest_round(stage) if self.round is None else self.whole.round(self.round, stage)
        if found is None:
            if self.round is not None and stage == "elimination":
                raise UsageProblem(
                    sentence("elimination round %(round)s was not paired at that moment", round=self.round)
                )
            raise UsageProblem(sentence("no round is paired at that moment"))
        return found

    def document(self, view: object) -> Any:
        """Return the JSON document of a view, with the names and entries that the reader may see."""
        cited: dict[int, Entry] = {}

        def cite(position: int) -> Entry | None:
            if not cited:
                cited.update((entry.position, entry) for entry in self.entries())
            return cited.get(position)

        return document(view, self.record, cite)


def title(record: Record) -> str:
    """Return the name of a tournament, or an empty text before the tournament is opened."""
    return record.name


class Heading(Struct, frozen=True):
    """The first keys of most JSON documents."""

    tournament: str
    rulebook: str
    position: int


Headed = Annotated[Heading, SPREAD]


def heading(record: Record) -> Heading:
    """Return the heading of a document about a tournament."""
    return Heading(title(record), record.rulebook.id, record.position)


# -- what can be asked


class Asked(Struct, frozen=True):
    """The meaning of a parameter, and its possible values. `name` is the parameter's name if Python reserves the
    word.
    """

    help: str
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    name: str | None = None


class Answer(Struct, frozen=True):
    """An answer about a tournament: its path, its permitted readers, and the function that builds the view.

    A `fresh` answer is never cached, because it may change at any time. A `slow` answer is computed on a separate
    thread. A `timeless` answer is about the present and takes no moment.
    """

    path: str
    build: Callable[..., Any]
    reader: Reader
    fresh: bool
    slow: bool
    timeless: bool


ANSWERS: list[Answer] = []


def answers(
    path: str, reader: Reader = "everybody", *, fresh: bool = False, slow: bool = False, timeless: bool = False
) -> Callable[[Build], Build]:
    """Register a function of a sight as the answer at a path. The API makes a route from each answer."""

    def register(build: Build) -> Build:
        ANSWERS.append(Answer(path, build, reader, fresh, slow, timeless))
        return build

    return register


def stage_in_play(record: Record, round_: int | None) -> Stage:
    """Return the stage of a view if the request names no stage. Return the stage being played, or the Swiss stage
    if the request names a round.
    """
    return "elimination" if round_ is None and record.rounds("elimination") else "swiss"
