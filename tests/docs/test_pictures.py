"""The command takes every picture of the docs. The picture of the architecture has an arrow for each import that
test_architecture allows.
"""

from __future__ import annotations

import re

from tests.docs import pictures
from tests.docs.prose import PAGES


def test_the_picture_of_the_architecture_shows_every_arrow() -> None:
    drawn = (pictures.FOLDER / "architecture.svg").read_text("utf-8")
    assert drawn == "".join(pictures.architecture()), "run python -m tests.docs.pictures"


def test_the_command_makes_every_picture_and_a_page_shows_it() -> None:
    made = {f"{name}.png" for name in [*pictures.PAGES, "desk"]} | {"architecture.svg"}
    shown = {found for page in PAGES for found in re.findall(r"\]\(\S*pictures/(\S+)\)", page.read_text("utf-8"))}
    assert shown == made == {file.name for file in pictures.FOLDER.iterdir()}
