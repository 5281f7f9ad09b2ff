"""Drawings: inline SVG for where people look rather than read, made of documents and nothing else.

Each is a picture with a title and a description that tells the same in words. Everything is drawn in the colour of
the text around it, so that it is right on paper, by day and at night; nothing is told by colour alone. Only
presentation attributes are used: a strict content security policy lets them through, a style sheet overrides them.
"""

from matchledger.drawings.bracket import bracket
from matchledger.drawings.field import points_of_the_field
from matchledger.drawings.pace import slips_over_the_clock
from matchledger.drawings.rank import rank_over_rounds
from matchledger.drawings.svg import Say

__all__ = ["Say", "bracket", "points_of_the_field", "rank_over_rounds", "slips_over_the_clock"]
