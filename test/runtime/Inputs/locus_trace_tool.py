"""locus-trace in the process of a test that calls it a hundred times: what the tool runs, without its start."""

import contextlib
import importlib.machinery
import importlib.util
import io
import sys


def load(path):
    """A function that runs the tool at the path with some arguments: returns exit status, output, and errors."""
    loader = importlib.machinery.SourceFileLoader("tool", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("tool", loader))
    arguments, sys.argv = sys.argv, [path, "--help"]
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
        loader.exec_module(module)  # finds the tool's modules, and ends after the help
    sys.argv = arguments

    def run(*words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = module.main([str(word) for word in words])
        return status, out.getvalue(), err.getvalue()

    return run
