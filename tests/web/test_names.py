"""Names and letters on pages: one rule for surnames, and one typeface that is loaded once."""

from __future__ import annotations

import re

import pytest
from tests.web.names import plain

from matchledger.events import Person
from matchledger.web.naming import initials, named, short_name
from matchledger.web.rendering import STATIC, render, static_url
from matchledger_projections.record.roster import Player
from matchledger_projections.record.surnames import filed_under

SURNAMES = {
    "Ann Archer": ("Archer", "Archer", "Ann Archer"),
    "Greta García y Vega": ("García y Vega", "García y Vega", "Greta G."),
    "Joan Puig i Cadafalch": ("Puig i Cadafalch", "Puig i Cadafalch", "Joan P."),
    "Ann van den Bergh": ("van den Bergh", "Bergh", "Ann B."),
    "Ana de la Cruz": ("de la Cruz", "Cruz", "Ana C."),
    "Ana De La Cruz Romero": ("Romero", "Romero", "Ana R."),
    "Jean-Claude Van Damme": ("Van Damme", "Van Damme", "Jean-Claude V."),
    "Van der Berg, Jan": ("Van der Berg", "Van der Berg", "Jan V."),
    "Ludwig von Mises III": ("von Mises", "Mises", "Ludwig M."),
    "Maximiliane-Sophie Öz": ("Öz", "Öz", "Maximiliane Ö."),
    "Eva Müller-Lüdenscheidt": ("Müller-Lüdenscheidt", "Müller-Lüdenscheidt", "Eva M."),
    "Berta": ("Berta", "Berta", "Berta"),
    "Eva #2": ("Eva #2", "Eva #2", "Eva #2"),
}


@pytest.mark.parametrize("name", SURNAMES)
def test_the_surname_is_bold_and_sorts_the_lists(name: str) -> None:
    bold, filed, short = SURNAMES[name]
    assert re.findall(r"<b[^>]*>(.*)</b>", named(name)) == [bold]
    assert plain(named(name)) == name
    assert filed_under(Person(name=name)) == filed
    assert short_name(name) == short


def test_the_surname_column_of_a_roster_gives_the_surname_and_initials_hide_it() -> None:
    person = Person(name="Ana García Márquez", details={"Surname": "GARCIA MARQUEZ"})
    player = Player(4, person, None, {}, 1, None, 0)
    assert named(player) == 'Ana <b class="whole">García Márquez</b>'
    assert named(player, "A. G. M. #4") == '<b class="whole">A. G. M. #4</b>'


def test_a_chip_on_a_phone_names_an_opponent_and_hides_the_surname_of_a_protected_player() -> None:
    assert [initials(name) for name in ("Hugo Öz", "Ann van den Bergh", "Berta")] == ["H.Öz", "A.Ber", "Ber"]
    player = Player(4, Person(name="Ana García Márquez"), None, {}, 1, None, 0)
    assert initials(player, "A. G. M. #4") == "M", "no more than the initials that the page shows"


def test_a_name_with_markup_is_escaped() -> None:
    assert named("Cy <i>Old") == '<b class="whole">Cy &lt;i&gt;Old</b>'


def test_a_line_breaks_before_a_surname_and_inside_only_if_the_surname_is_wider_than_the_line() -> None:
    assert 'class="whole"' in named("Greta García y Vega")
    assert named("Ann-Marie Lee") == '<i class="whole">Ann-Marie</i> <b>Lee</b>'
    assert 'class="held"' in named("Eva Müller-Lüdenscheidt"), (
        "a line of its own, which may break if it is too short"
    )


def test_the_typeface_is_small_and_every_page_loads_the_same_address() -> None:
    face = static_url("inter.woff2")
    assert face.removeprefix("/static/") in (STATIC / "tokens.css").read_text("utf-8")
    page = render("enter.html", "en", problem=None, event=None, name=None)
    assert "inter.woff2" not in page  # the style sheets come first
    assert len((STATIC / "inter.woff2").read_bytes()) < 40_000
    assert "SIL OPEN FONT LICENSE Version 1.1" in (STATIC / "inter-OFL.txt").read_text("utf-8")
