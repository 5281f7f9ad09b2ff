"""Pairing: the opponents of a Swiss round, the reasons, and repairs of a round that was paired
from a wrong record.
"""
