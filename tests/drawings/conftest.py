"""Input for drawings (small documents), and the text of a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

import pytest
from tests.stages.conftest import Event

from matchledger.commands import cuts
from matchledger.commands import swiss as rounds
from matchledger.drawings.svg import TEXT, width
from matchledger.events import Seating
from matchledger_projections.document import Document, document
from matchledger_projections.views.stages import drawn_bracket

SVG = "{http://www.w3.org/2000/svg}"
EIGHT = ("Ann Lee", "Bo Chen", "Cy Roe", "Di Kaur", "Ed Ong", "Flo Diaz", "Gus Bell", "Hana Ito")


@dataclass(frozen=True)
class Picture:
    """A drawing as a browser reads it."""

    root: ET.Element

    @classmethod
    def of(cls, svg: str) -> Picture:
        return cls(ET.fromstring(svg))  # noqa: S314 - our own drawing

    @property
    def size(self) -> tuple[float, float]:
        left, top, wide, high = map(float, self.root.attrib["viewBox"].split())
        assert (left, top) == (0, 0)
        return wide, high

    @property
    def texts(self) -> list[str]:
        return [element.text or "" for element in self.root.iter(f"{SVG}text")]

    @property
    def bold(self) -> list[str]:
        return [element.text or "" for element in self.root.iter(f"{SVG}text") if "font-weight" in element.attrib]

    @property
    def title(self) -> str:
        return self.root.findtext(f"{SVG}title") or ""

    @property
    def description(self) -> str:
        return self.root.findtext(f"{SVG}desc") or ""

    def corners(self) -> Iterator[tuple[float, float]]:
        """Yield points at the edges of all drawn objects. Widths of text are estimated generously."""
        for element in self.root.iter():
            at = element.attrib
            match element.tag.removeprefix(SVG):
                case "text":
                    yield from _text_corners(element)
                case "rect":
                    x, y = float(at["x"]), float(at["y"])
                    yield from ((x, y), (x + float(at["width"]), y + float(at["height"])))
                case "circle":
                    x, y, radius = float(at["cx"]), float(at["cy"]), float(at["r"])
                    yield from ((x - radius, y - radius), (x + radius, y + radius))
                case "polyline":
                    for point in at["points"].split():
                        x, y = map(float, point.split(","))
                        yield x, y

    def is_inside(self) -> bool:
        wide, high = self.size
        slack = 0.11  # coordinates are rounded to a tenth
        return all(-slack <= x <= wide + slack and -slack <= y <= high + slack for x, y in self.corners())


def _text_corners(element: ET.Element) -> Iterator[tuple[float, float]]:
    at = element.attrib
    size = float(at.get("font-size", TEXT))
    room = width(element.text or "", size, bold="font-weight" in at)
    x, y = float(at["x"]), float(at["y"])
    left = x - room * {"start": 0, "middle": 0.5, "end": 1}[at.get("text-anchor", "start")]
    yield from ((left, y - size), (left + room, y + size * 0.3))


@pytest.fixture
def knocked_out() -> Callable[..., Document]:
    """Return the bracket after elimination rounds. For each round, the numbers are the tables where the second
    player won.
    """

    def played(*upsets: Sequence[int], names: Sequence[str] = EIGHT, rulebook: str = "l5r-2018") -> Document:
        event = seeded(names, rulebook)
        for second_won in upsets:
            event.pair()
            for table in event.round().tables:
                event.report(table, int(table in second_won), stage="elimination")
        return bracket_of(event)

    return played


def seeded(names: Sequence[str], rulebook: str = "l5r-2018") -> Event:
    """Return an event after its cut, with the named players as seeds."""
    event = Event(rulebook)
    event.register(*names)
    event.decide(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2))], deviating=True)
    event.report(1)
    event.decide(cuts.make_cut, size=len(names), seeds=list(event.record.players))
    return event


def bracket_of(event: Event) -> Document:
    made: Document = document(drawn_bracket(event.record, event.bracket), event.record)
    return made
