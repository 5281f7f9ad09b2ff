"""Notation: texts that people type and scan: slips, players, times."""
