"""What the tools write on: standard output and standard error."""

import codecs
import os
import sys


def _escape(error):
    """The bytes of a file's name as they are; what the stream's encoding does not have, as an escape."""
    try:
        return codecs.lookup_error("surrogateescape")(error)
    except UnicodeEncodeError:
        return codecs.lookup_error("backslashreplace")(error)


def prepare():
    """No name of a file ends a tool, and no stream that its caller has closed."""
    codecs.register_error("locus", _escape)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        getattr(sys, name).reconfigure(errors="locus")


def discard_output():
    """What is left of it cannot be written: its end must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
