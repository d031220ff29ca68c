"""What a command is at, for whoever waits at a terminal. Elsewhere nothing is said."""

import sys

_shown = ""


def show(what, part=None):
    """Says it, in place of what was said before. part: of the work, from 0 to 1."""
    global _shown
    text = what if part is None else f"{what}: {100 * part:.0f} %"
    if sys.stderr.isatty() and text != _shown:
        _shown = text
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def clear():
    """Before something else is printed."""
    global _shown
    if _shown:
        _shown = ""
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
