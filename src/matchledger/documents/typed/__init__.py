"""The documents' types: what the API promises of them, and what its description is made from.

A document is built by the functions of `documents` and sent as it is; the tests hold every one against its type.
"""
