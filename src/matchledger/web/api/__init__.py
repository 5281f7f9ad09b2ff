"""The API: the same documents as on the command line, and the same commands as at the desk.

Reading needs no key, and shows public data. With a station's key (but not a player's), reading shows all data.
Staff-only data and every write need a key: in the header `Authorization: Bearer KEY`, or in the desk's cookie.
"""
