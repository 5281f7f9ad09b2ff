"""Projections: pure functions that turn log entries and a rulebook into tables."""
