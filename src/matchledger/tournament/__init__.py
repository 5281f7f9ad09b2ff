"""Decisions: what a command makes of a tournament as it stands, or why it is refused.

Every decision is a function of the record and of what was asked. It returns the facts that are to be recorded and
changes nothing itself, so that it can be tried again, previewed, or carried out on a draft.
"""
