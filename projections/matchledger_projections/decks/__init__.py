"""Decks: the contents of a list, the cards in it, and whether a rulebook allows the deck."""
