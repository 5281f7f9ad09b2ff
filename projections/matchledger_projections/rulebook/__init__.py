"""Rulebooks: the parts of a TOML file about scoring, stages, time, conduct and chance, and how they are read."""
