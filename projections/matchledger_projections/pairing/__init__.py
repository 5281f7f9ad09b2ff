"""Pairing: who meets whom in a Swiss round and why; what to do about a round that was paired on a wrong record."""
