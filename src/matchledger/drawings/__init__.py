"""Drawings: inline SVG pictures, which are made only from documents.

Each picture has a title and a description that give its content in words. Lines and words have the colour of the
surrounding text, so that a picture works on paper, in light mode and in dark mode. Colour is never the only carrier
of information. Only presentation attributes are used. A strict content security policy allows these attributes, and
a style sheet can override them.
"""

from matchledger.drawings.bracket import bracket
from matchledger.drawings.field import points_of_the_field
from matchledger.drawings.pace import slips_over_the_clock
from matchledger.drawings.rank import rank_over_rounds
from matchledger.drawings.svg import Say

__all__ = ["Say", "bracket", "points_of_the_field", "rank_over_rounds", "slips_over_the_clock"]
