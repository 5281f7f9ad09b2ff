"""The catalogue: every rule of the documents by its id, restated in a sentence."""
