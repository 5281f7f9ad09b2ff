"""Decks: what a list contains, which cards it means, and whether a rulebook allows the deck."""
