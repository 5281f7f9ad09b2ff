"""Views: the answers that a tournament gives, computed from its record."""
