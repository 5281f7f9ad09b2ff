"""Two copies of a log that diverged: the outcome of each entry of the other copy, and the open questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from matchledger.events import AnyFact, CopyMerged, Entry, PlayerArrivedLate, PlayerRegistered, RoundSetAside, Stage
from matchledger_projections.message import Sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.references import referring

How = Literal["counts", "refused", "same", "kept"]
Entrance = PlayerRegistered | PlayerArrivedLate


class Outcome(Struct, frozen=True):
    """What happened to an entry of the other copy: its fact and its position in this copy."""

    theirs: Entry
    how: How
    entry: int | None = None
    fact: AnyFact | None = None


class Diverged(Struct):
    """This copy as a record that grows with the other copy's entries.

    `here` is the caller's record, and `own` are this copy's entries since the fork. Positions from `next` on are
    free. `known` are the entries of the other copy from an earlier merge. With `renumber`, a player of the other
    copy gets a new number if this copy gave the old number to somebody else. With `own_rounds`, if both copies
    paired a round, this copy's round counts.
    """

    here: Record
    there: Record
    fork: int
    own: Sequence[Entry]
    next: int
    known: Mapping[int, int | None] = field(default_factory=dict)
    renumber: bool = False
    own_rounds: bool = False
    living_there: Sequence[AnyFact] = ()  # the facts that count in the other copy since the fork
    outcomes: list[Outcome] = field(default_factory=list)
    questions: list[Sentence] = field(default_factory=list)
    made: list[Entry] = field(default_factory=list)  # the entries that the merge records here
    finds_new: bool = False  # whether the other copy has an entry that this copy lacks
    numbers: dict[int, int] = field(default_factory=dict)  # a player's number here, by the number in the other copy
    put_aside: set[str] = field(default_factory=set)  # commands whose slip was refused
    set_aside: list[RoundSetAside] = field(default_factory=list)  # rounds that the organizer decided to leave out
    _at: dict[int, int | None] = field(default_factory=dict)
    _asked: set[tuple[str, int]] = field(default_factory=set)

    def take(self, outcome: Outcome) -> None:
        """Record what happened to an entry of the other copy. If the entry counts, record its fact in this copy
        too.
        """
        self.outcomes.append(outcome)
        self._at[outcome.theirs.position] = outcome.entry
        if outcome.fact is not None:
            made = outcome.theirs.model_copy(update={"position": self.next, "fact": outcome.fact})
            self.here.apply(made)
            self.made.append(made)
            self.next += 1

    def entry_of(self, position: int) -> int | None:
        """Return the position of an entry of the other copy here, or None if the entry does not count here."""
        return position if position <= self.fork else self._at.get(position)

    def player_of(self, number: int) -> int:
        """Return the number that a player of the other copy has in this copy."""
        return self.numbers.get(number, number)

    def as_here(self, fact: AnyFact) -> AnyFact:
        """Return a fact of the other copy with this copy's numbers of players and entries."""
        return referring(fact, player=self.player_of, entry=lambda position: self.entry_of(position) or position)

    def living(self) -> Iterator[Entry]:
        """Return the counting entries of this copy since the fork."""
        return (entry for entry in self.own if not self.here.is_dead(entry.position))

    def made_at(self, position: int) -> Entry | None:
        """Return this copy's entry at a position if the entry came after the fork, else None."""
        return next((entry for entry in (*self.own, *self.made) if entry.position == position), None)

    def by_command(self, entry: Entry) -> int | None:
        """Return this copy's entry with the same command and fact, if a station sent the command to both copies."""
        same = [own for own in self.own if own.command == entry.command]
        fact = entry.fact
        if same and isinstance(fact, PlayerRegistered | PlayerArrivedLate):
            for own in same:
                if isinstance(own.fact, Entrance) and own.fact.person == fact.person:
                    self.numbers[fact.number] = own.fact.number
                    return own.position
        fact = self.as_here(fact) if same else fact
        return next((own.position for own in same if own.fact == fact), None)

    def counts(self, entry: Entry, fact: AnyFact) -> Outcome:
        """Return the outcome of an entry that counts in this copy."""
        return Outcome(entry, "counts", self.next, fact)

    def ask(self, entry: Entry, question: Sentence, about: tuple[str, int] | None = None) -> Outcome:
        """Leave an entry open until a person decides about it. With `about`, the question is about a round, and
        each round gets only one question. Two entries with the same question ask it once.
        """
        if question not in self.questions and (about is None or about not in self._asked):
            self.questions.append(question)
        if about is not None:
            self._asked.add(about)
        return Outcome(entry, "kept")

    def set_round_aside(self, entry: Entry, stage: Stage, number: int) -> Outcome:
        """Leave out a round of the other copy that a person decided against, and ask no question."""
        self._asked.add((stage, number))
        self.set_aside.append(RoundSetAside(stage=stage, number=number))
        return Outcome(entry, "kept")

    def is_set_aside(self, stage: Stage, number: int) -> bool:
        """Return whether this or an earlier merge of the same copy left out a round of the other copy."""
        earlier = (fact.set_aside for _, fact in self.here.every(CopyMerged) if fact.fork == self.fork)
        return any(
            (each.stage, each.number) == (stage, number) for found in (self.set_aside, *earlier) for each in found
        )

    def is_asked(self, stage: str, round_: int) -> bool:
        """Return whether a round of the other copy does not count in this copy, or not yet."""
        return (stage, round_) in self._asked
