"""What the facts of a tournament mean: pure functions from entries and a rulebook to tables."""
