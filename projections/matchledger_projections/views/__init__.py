"""Views: the answers about a tournament, computed from its record."""
