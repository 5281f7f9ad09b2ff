"""The public pages: the postings on the wall and the pages on players' phones. Visitors need no account."""
