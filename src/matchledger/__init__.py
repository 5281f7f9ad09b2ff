"""matchledger: what happened at a tournament, taken in as facts and kept."""
