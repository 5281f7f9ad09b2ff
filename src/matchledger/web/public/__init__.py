"""The public pages: what hangs on the wall and what players see on their phones. They need no account."""
