"""Drawings: inline SVG pictures, which are made only from documents.

Each picture has a title and a description that say the same in words. Everything has the colour of the text around
it, so that it works on paper, in light mode and in dark mode. Colour is never the only carrier of information. Only
presentation attributes are used. A strict content security policy allows them, and a style sheet can override them.
"""

from matchledger.drawings.bracket import bracket
from matchledger.drawings.field import points_of_the_field
from matchledger.drawings.pace import slips_over_the_clock
from matchledger.drawings.rank import rank_over_rounds
from matchledger.drawings.svg import Say

__all__ = ["Say", "bracket", "points_of_the_field", "rank_over_rounds", "slips_over_the_clock"]
