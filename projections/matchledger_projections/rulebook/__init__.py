"""Rulebooks: what a TOML file says about scoring, stages, time, conduct and chance, and how it is read."""
