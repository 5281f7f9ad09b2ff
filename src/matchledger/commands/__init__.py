"""Commands: the requests to a tournament, and how they are decided. Commands know no ledger and no face."""
