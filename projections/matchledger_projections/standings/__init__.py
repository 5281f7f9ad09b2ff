"""Standings: the points, the tiebreakers, and the resulting order."""
