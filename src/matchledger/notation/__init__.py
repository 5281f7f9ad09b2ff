"""Notation: slips, players and times, as people type and scan them."""
