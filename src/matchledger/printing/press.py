"""The press: turn a template and its data into a PDF, with the same bytes every time.

The library typst comes with an extra, and only this module imports typst. The sheets are tagged and checked as
PDF/UA-1, so that a screen reader can read them. A letter without a font is an error instead of an empty box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from matchledger_projections.document import Document
from matchledger_projections.message import sentence

if TYPE_CHECKING:
    import typst

_FOLDER = Path(str(resources.files("matchledger.printing") / "templates"))
_UNPRINTABLE = re.compile(r"the text `\"(.*)\"` could not be displayed", re.DOTALL)
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


class PressMissing(Exception):
    """typst is not installed. The message says how to install typst."""

    def __init__(self) -> None:
        super().__init__(sentence("printing needs %(module)s: pip install 'matchledger[print]'", module="typst"))


class Unprintable(Exception):
    """No font has the letters in `text`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


@lru_cache(maxsize=4)
def _compiler(fonts: tuple[Path, ...], *, system_fonts: bool) -> typst.Compiler:
    import typst  # noqa: PLC0415 - it comes with an extra

    known = typst.Fonts(include_system_fonts=system_fonts, font_paths=[str(folder) for folder in fonts])
    return typst.Compiler(root=str(_FOLDER), font_paths=known)


class Press:
    """A press and its fonts: typst's own fonts, other given fonts, and the machine's fonts.

    The machine's fonts are used only if needed, so that the same data usually give the same PDF on every machine.
    """

    def __init__(self, fonts: Sequence[Path] = (), *, system_fonts: bool = False) -> None:
        if find_spec("typst") is None:
            raise PressMissing
        self._compiler = _compiler(tuple(fonts), system_fonts=system_fonts)

    def print(self, template: str, data: Document, *, created: datetime) -> bytes:
        """Return the PDF of a template. Raises Unprintable if a letter has no shape in any font."""
        given = {"data": json.dumps(data, ensure_ascii=False)}
        return self._run((_FOLDER / f"{template}.typ").read_bytes(), given, created)

    def tries(self, text: str) -> None:
        """Typeset a text to test its letters, and drop the result. Raises Unprintable if a letter has no shape in
        any font.
        """
        words = text.replace("\\", "\\\\").replace('"', '\\"')
        source = f'#set document(title: "-")\n#set text(font: "Libertinus Serif", lang: "en")\n#text("{words}")'
        self._run(source.encode(), {}, None)

    def _run(self, source: bytes, given: dict[str, str], created: datetime | None) -> bytes:
        import typst  # noqa: PLC0415 - it comes with an extra

        try:
            made = self._compiler.compile(
                input=source,
                format="pdf",
                sys_inputs=given,
                pdf_standards="ua-1",
                timestamp=0 if created is None else int(created.timestamp()),
            )
        except typst.TypstError as problem:
            found = _UNPRINTABLE.search(problem.message)
            if found is None:
                raise
            raise Unprintable(_as_written(found[1])) from None
        return cast(bytes, made)


def _as_written(quoted: str) -> str:
    """Return the plain text from a quotation in a message of typst, which uses Rust's escapes."""
    plain = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), quoted)
    return plain.replace('\\"', '"').replace("\\'", "'").replace("\\\\", "\\")
