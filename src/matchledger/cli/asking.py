"""Questions on the terminal before a step that cannot be undone."""

from __future__ import annotations

import typer


def agreed(question: str) -> bool:
    """Whether the answer is yes.

    After any other answer, a line says that nothing was recorded.

    Ctrl-C and Ctrl-D end the line of the question, and the command with it.
    """
    try:
        if typer.confirm(question):
            return True
    except typer.Abort:
        typer.echo()
        raise
    typer.echo("Nothing was recorded.")
    return False
