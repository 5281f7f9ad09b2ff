"""Questions: what can be asked of a tournament that takes more than its record, answered alike on every face.

Each is asked of a window. Players are named by their numbers, and what is answered is a document, or what a
document and a text are made from.
"""
