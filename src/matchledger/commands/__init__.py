"""Commands: what can be asked of a tournament, and the decisions that answer it. None knows a ledger or a face."""
