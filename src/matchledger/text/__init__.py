"""Text: labels and translations that the command line, the pages and paper share."""
