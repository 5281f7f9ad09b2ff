"""Divisions: the division of each year of birth, which divisions play apart, and the standings of each."""
