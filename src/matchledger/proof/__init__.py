"""Proof: the Merkle tree over a log, signed checkpoints and station tokens."""
