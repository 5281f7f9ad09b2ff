"""TOM's codes: the meanings of the numbers in a `.tdf` file, as far as known from files and from programs that read
them.
"""

from __future__ import annotations

# Age divisions. Other categories are pods, in which divisions play together.
DIVISIONS = {0: "junior", 1: "senior", 2: "masters"}

# Types of round: single elimination, Swiss of one division, Swiss of several divisions together.
ELIMINATION = 1
ROUND_TYPES = frozenset({ELIMINATION, 2, 3})

# The outcomes of a match.
OPEN = 0
FIRST_WON = 1
SECOND_WON = 2
TIE = 3
BYE = 5
FORCED_LOSS = 8
DOUBLE_LOSS = 10

OUTCOMES_OF_TWO = frozenset({OPEN, FIRST_WON, SECOND_WON, TIE, FORCED_LOSS, DOUBLE_LOSS})

# The outcomes of a match with only one player. Any other outcome gives no points.
ALONE_BYE = frozenset({OPEN, FIRST_WON, BYE})
ALONE_LOSS = frozenset({SECOND_WON, FORCED_LOSS, DOUBLE_LOSS})
