"""Divisions: which year of birth belongs to which division, which divisions play apart, and the standings of
each.
"""
