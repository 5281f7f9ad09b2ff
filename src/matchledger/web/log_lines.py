"""Lines of a log on a page: the topic of an entry, runs of like entries, and the weight of the names in a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby, takewhile
from typing import Generic, NamedTuple, Protocol, TypeVar

from markupsafe import Markup, escape

from matchledger.events import Entry
from matchledger.text.translation import date_in_words, told
from matchledger_projections.message import Sentence, numbered

# A page folds runs of these kinds from a number of entries on. A shorter run stays unfolded.
_RUNS = {"player-registered": 4, "checked-in": 4, "deck-submitted": 4, "event-described": 2}
_PROOF = re.compile(r", SHA-256 [0-9a-f]{64}\b")
_DIGEST = re.compile(r"\b([0-9a-f]{12})[0-9a-f]{52}\b")
_SCORE = re.compile(r"(?<![\w\u2013-])[0-9]{1,2}(?:[\u2013-][0-9]{1,2}){1,2}(?![\w\u2013-])")
_RESULTS = frozenset({"result-reported", "match-conceded", "no-show-recorded"})
_FIXES = frozenset({"result-corrected", "entry-retracted"})
# Characters that no name may have. They mark a name until its line is escaped.
_WEIGHTS = {"winner": "\ue000{}\ue001", "loser": "\ue002{}\ue003"}
_TAGS = str.maketrans({"\ue000": "<b>", "\ue001": "</b>", "\ue002": "<i>", "\ue003": "</i>"})


class Line(Protocol):
    """A line about an entry."""

    @property
    def entry(self) -> Entry: ...


L = TypeVar("L", bound=Line)


def topic_of(entry: Entry) -> str:
    """Return the topic of an entry: the name of the module that declares its fact."""
    return type(entry.fact).__module__.rpartition(".")[2]


class Run(NamedTuple, Generic[L]):
    """Lines that a page folds into one. `whole` also counts the lines of this run on other pages. A line that is
    not folded is a run of one line.
    """

    lines: list[L]
    whole: int


def in_runs(lines: Sequence[L], newer: int = 0, older: int = 0) -> Iterator[Run[L]]:
    """Yield the lines one by one, and long runs of registrations, check-ins, deck lists or changes of the event's
    page as one run. `newer` and `older` lines of the first and the last run are on other pages.
    """
    done = 0
    for kind, those in groupby(lines, lambda line: line.entry.fact.kind):
        run = list(those)
        first, done = done == 0, done + len(run)
        whole = len(run) + newer * first + older * (done == len(lines))
        if kind in _RUNS and whole >= _RUNS[kind]:
            yield Run(run, whole)
        else:
            yield from (Run([line], 1) for line in run)


def continued(entry: Entry, beyond: Iterable[Entry]) -> int:
    """Return how many entries beyond the edge of a page belong to the run of the entry at the edge."""
    kind = entry.fact.kind
    return sum(1 for _ in takewhile(lambda other: other.fact.kind == kind, beyond)) if kind in _RUNS else 0


def tally_of(lines: Sequence[Line]) -> list[Sentence]:
    """Return how many results and corrections some lines hold, in words."""
    kinds = [line.entry.fact.kind for line in lines]
    results = sum(kind in _RESULTS for kind in kinds)
    fixes = sum(kind in _FIXES for kind in kinds)
    said = [numbered("%(count)s result", "%(count)s results", results)] if results else []
    return [*said, numbered("%(count)s correction", "%(count)s corrections", fixes)] if fixes else said


def _held(score: re.Match[str]) -> str:
    """Return a score in which a line cannot end."""
    return re.sub("([-\u2013])", "\u2060\\1\u2060", score[0])


def weighed(said: str, language: str, *, proof: bool = True) -> Markup:
    """Return a line in a language as HTML: the winner's name bold, the loser's name quiet, a score in one piece,
    and a digest by its beginning, or without the digest.
    """
    text = str(escape(told(_marked(said, language), language))).translate(_TAGS)
    if not proof:
        text = _PROOF.sub("", text)
    text = _SCORE.sub(r'<span class="whole">\g<0></span>', text)
    return Markup(_DIGEST.sub(r'<abbr title="\g<0>">\g<1>…</abbr>', text))  # noqa: S704 - escaped before


def parts_weighed(said: str, language: str) -> list[tuple[str, str]]:
    """Return a line in a language in parts, each with its tag: `b` for the winner, `i` for the loser, or "". The
    digest of a deck list is left out.
    """
    tags = {"\ue000": "b", "\ue002": "i"}
    text = _SCORE.sub(_held, _PROOF.sub("", told(_marked(said, language), language)))
    pieces = re.split("([\ue000-\ue003])", text)
    befores = ["", *pieces[1::2]]
    return [(text, tags.get(before, "")) for before, text in zip(befores, pieces[::2], strict=True) if text]


def _marked(said: str, language: str) -> str:
    if not isinstance(said, Sentence) or not said.values:
        return said
    return said.with_values(
        {
            name: _value(name, value, language)
            for name, value in said.values.items()
            if isinstance(value, str | date)
        }
    )


def _value(name: str, value: str | date, language: str) -> str:
    if isinstance(value, Sentence):
        return _marked(value, language)
    if isinstance(value, date):
        return date_in_words(value, language)
    return _WEIGHTS[name].format(value) if name in _WEIGHTS else value
