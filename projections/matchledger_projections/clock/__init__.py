"""The round's clock: how long a round lasts, what happens at its marks, and what two times make of a result."""
