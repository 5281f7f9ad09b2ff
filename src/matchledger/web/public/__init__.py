"""The public pages: the pages for the wall and for players' phones. Visitors need no account."""
