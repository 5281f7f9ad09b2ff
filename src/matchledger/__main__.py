"""`python -m matchledger`: the command line."""

from matchledger.cli import main

main()
