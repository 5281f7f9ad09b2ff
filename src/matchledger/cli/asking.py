"""Questions on the terminal before a step that cannot be undone."""

from __future__ import annotations

import typer

_ANSWERS = {"": False, "n": False, "no": False, "nein": False, "y": True, "yes": True, "j": True, "ja": True}


def agreed(question: str) -> bool:
    """Whether the answer is yes, in English or in German. Enter means no.

    After any other answer, a line says that nothing was recorded.

    Ctrl-C and Ctrl-D end the line of the question, and the command with it.
    """
    try:
        if typer.prompt(f"{question} [y/N]", default="", show_default=False, value_proc=_read):
            return True
    except typer.Abort:
        typer.echo()
        raise
    typer.echo("Nothing was recorded.")
    return False


def _read(answer: str) -> bool:
    try:
        return _ANSWERS[answer.strip().casefold()]
    except KeyError:
        raise typer.BadParameter("type y for yes, or n for no") from None
