"""Drawings: inline SVG pictures, made only from documents.

Each picture has a title and a description with the same information in words. Everything has the colour of the text
around it, so that it works on paper, by day and at night. Colour alone never carries information. Only presentation
attributes are used: a strict content security policy allows them, and a style sheet can override them.
"""

from matchledger.drawings.bracket import bracket
from matchledger.drawings.field import points_of_the_field
from matchledger.drawings.pace import slips_over_the_clock
from matchledger.drawings.rank import rank_over_rounds
from matchledger.drawings.svg import Say

__all__ = ["Say", "bracket", "points_of_the_field", "rank_over_rounds", "slips_over_the_clock"]
