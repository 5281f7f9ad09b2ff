"""Decks: what a submitted list holds, what the cards in it are, and whether a rulebook lets it be played."""
