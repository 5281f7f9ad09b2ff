"""Stages: the number of rounds, the cut, the bracket, and the final places."""
