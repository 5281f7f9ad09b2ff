"""Commands: the requests to a tournament, and how they are decided. A command knows neither the ledger nor where it
came from: a terminal, a browser or the API.
"""
