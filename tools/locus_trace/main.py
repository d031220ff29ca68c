"""The command line of locus-trace."""

import argparse
import json
import os
import sys

from locus_version import version

from . import advise, check, html, merge, paraver, perfetto, summary
from .reader import Trace, TraceError


def open_traces(paths):
    for path in paths:
        trace = Trace(path)
        if trace.cut:
            print(f"locus-trace: {path} is incomplete: {trace.cut}", file=sys.stderr)
        yield trace


def run_summary(options):
    for trace in open_traces(options.files):
        result = summary.Summary(trace)
        if options.json:
            json.dump(result.counts(), sys.stdout)
            print()
        else:
            summary.show(trace, result, options.top)


def run_check(options):
    faults = 0
    for trace in open_traces(options.files):
        errors, tasks = [], 0
        for process in trace.processes():
            found, count = check.check(process)
            errors += [f"{process.label}: {line}" if process.label else line for line in found]
            tasks += count
        for line in errors[: options.top]:
            print(f"{trace.path}: {line}")
        if len(errors) > options.top:
            print(f"{trace.path}: and {len(errors) - options.top} more")
        faults += len(errors)
        if not errors:
            processes = len(trace.processes())
            of = f" of {processes} processes" if processes > 1 else ""
            print(f"{trace.path}: {tasks} tasks{of}, as they should be")
    return 1 if faults else 0


def run_advise(options):
    for trace in open_traces(options.files):
        found = advise.advise(trace)
        if options.names:
            print(" ".join(dict.fromkeys(advice.name for advice in found)))
        else:
            advise.show(trace, found)


def run_merge(options):
    for note in merge.write(options.files, options.out):
        print(f"locus-trace: {note}", file=sys.stderr)


def open_out(options, mode, name=None, **how):
    """The file OUT, which must not be the trace."""
    name = name or options.out
    if os.path.exists(name) and os.path.samefile(options.file, name):
        raise TraceError(f"{name} is the trace itself: nothing is written")
    return open(name, mode, **how)


def run_perfetto(options):
    for trace in open_traces([options.file]):
        with open_out(options, "wb") as out:
            perfetto.write(trace, out)


def run_paraver(options):
    for trace in open_traces([options.file]):
        paraver.write(trace, options.out, lambda name: open_out(options, "w", name, encoding="utf-8"))


def run_html(options):
    for trace in open_traces([options.file]):
        text = html.page(trace, options.slices)
        with open_out(options, "w", encoding="utf-8") as out:
            out.write(text)


def positive(text):
    number = int(text)
    if number <= 0:
        raise ValueError
    return number


def parser():
    top = argparse.ArgumentParser(prog="locus-trace", description="Reads what KMP_TASK_TRACE=FILE has recorded.")
    top.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("summary", help="where the time went, and which constructs took it")
    command.add_argument("files", nargs="+", metavar="FILE")
    command.add_argument("--json", action="store_true", help="only counts, for scripts: one object a file")
    command.set_defaults(run=run_summary)
    command.add_argument("--top", type=int, default=10, metavar="N", help="how many constructs to show (10)")
    command = commands.add_parser(
        "check", help="whether each task ran once, after what it depends on, and where it may"
    )
    command.add_argument("files", nargs="+", metavar="FILE")
    command.add_argument("--top", type=int, default=10, metavar="N", help="how many faults to show (10)")
    command.set_defaults(run=run_check)
    command = commands.add_parser("advise", help="what costs most, and what to change")
    command.add_argument("files", nargs="+", metavar="FILE")
    command.add_argument("--names", action="store_true", help="only the names of what was found: a line a file")
    command.set_defaults(run=run_advise)
    command = commands.add_parser("merge", help="one trace of several processes: the ranks of an MPI job")
    command.add_argument("out", metavar="OUT")
    command.add_argument("files", nargs="+", metavar="FILE")
    command.set_defaults(run=run_merge)
    command = commands.add_parser("perfetto", help="a file for ui.perfetto.dev and trace_processor")
    command.add_argument("file", metavar="FILE")
    command.add_argument("out", metavar="OUT")
    command.set_defaults(run=run_perfetto)
    command = commands.add_parser("paraver", help="OUT.prv, OUT.pcf and OUT.row for Paraver")
    command.add_argument("file", metavar="FILE")
    command.add_argument("out", metavar="OUT")
    command.set_defaults(run=run_paraver)
    command = commands.add_parser(
        "html", help="one page for a browser: timeline, heat map of nodes, constructs, durations"
    )
    command.add_argument("file", metavar="FILE")
    command.add_argument("out", metavar="OUT")
    command.add_argument(
        "--slices",
        type=positive,
        default=html.MAX_SLICES,
        metavar="N",
        help=f"most slices of time in the page, short ones are merged ({html.MAX_SLICES})",
    )
    command.set_defaults(run=run_html)
    return top


def main(arguments):
    options = parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except TraceError as error:
        print(f"locus-trace: {error}", file=sys.stderr)
    except MemoryError:
        files = getattr(options, "files", None) or [options.file]
        print(f"locus-trace: {', '.join(files)}: not enough memory", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        print(f"locus-trace: {error.filename or getattr(options, 'out', 'output')}: {error.strerror}", file=sys.stderr)
    return 1
