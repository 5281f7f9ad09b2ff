"""The record: everything that the entries of a tournament's log add up to."""
