"""Commands: the requests to a tournament, and the decisions about them. No command knows a ledger or a face."""
