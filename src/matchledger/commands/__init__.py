"""Commands: the requests to a tournament, and how they are decided. A command knows neither the ledger nor the face
(terminal, browser or API) that sent it.
"""
