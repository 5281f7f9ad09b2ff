"""TV-X: an event of eight players in score sheets. Many vectors of the rule catalogue use this event."""

from __future__ import annotations

import re

# Slips of Street Warriors give blood points. There are three rounds, because the test vectors name the pairs 1-2,
# 1-3 and 2-3.
SCORED = """\
round 1
  G > B (11)
  C > H (4)
  D > E (9)
  F > A (16)
round 2
  F > D (8)
  C > G (13)
  A > H (6)
  B > E (2)
round 3
  F > C (17)
  B > D (12)
  A > G (5)
  H > E (7)
"""
PLAYED = re.sub(r" \(\d+\)", "", SCORED)
# Round 3 is paired but has no slips. F and C have two wins, E and H no win, and all other players one win.
TWO_PLAYED = PLAYED[: PLAYED.index("round 3")] + PLAYED[PLAYED.index("round 3") :].replace(" > ", " - ")


def tv_x(rounds: str = PLAYED, rulebook: str = "l5r-2018", event: str = "") -> str:
    """Return the sheet of some of these rounds under a rulebook. Without `event`, the event has no name."""
    named = f"event {event}\n" if event else ""
    return f"rulebook {rulebook}\n{named}players A B C D E F G H\n{rounds}"
