"""Text: labels and translations that every face shares."""
