"""`python -m matchledger`: the command line."""

from __future__ import annotations

import gc

OBJECTS = 100_000  # Python searches for garbage after this many new objects. Most commands make fewer


def main() -> None:
    """The console script."""
    gc.set_threshold(OBJECTS)
    from matchledger.cli import main as command_line  # noqa: PLC0415 - the library's objects count too

    command_line()


if __name__ == "__main__":
    main()
