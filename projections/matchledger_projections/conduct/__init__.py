"""Conduct: who may do what, and what was said and done about how people behaved."""
