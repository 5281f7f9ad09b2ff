"""Conduct: who may do what, and how the staff dealt with players' behaviour."""
