"""The record: the fold of a tournament's log, and what it contains."""
