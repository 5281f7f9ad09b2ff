"""Divisions: whom a year of birth plays with, who is kept apart, and how each division stands."""
