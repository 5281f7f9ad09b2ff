"""Notation: what people type and scan: slips, players, times."""
