"""Standings: what was scored, the tiebreakers, and the order that follows."""
