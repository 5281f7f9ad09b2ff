"""Notation: slips, players and times in the form that people type or scan."""
