"""The API: the same documents as the command line prints, and the same commands as the desk sends.

Reading needs no key and shows what everybody may see; with the key of a station, if not a player's, it shows all.
What is the staff's alone, and whatever is recorded, needs a key, in the header `Authorization: Bearer KEY` or in
the desk's cookie.
"""
