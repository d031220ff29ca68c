"""The command line of locus-trace."""

import argparse
import errno
import json
import os
import sys

from locus_output import prepare
from locus_version import version

from . import progress

# What needs numpy is imported where it is wanted: --help and what is made of it do without.

GOOD, FAULTY, ERROR = 0, 1, 2
MAX_SLICES = 4_000_000  # of all threads: what a browser opens in seconds
EXIT = "Exit status: 0 all is well; 1 check has found faults; 2 wrong usage, or a file that cannot be read or written."


def open_traces(paths):
    from .reader import Trace

    for path in paths:
        progress.show(f"reading {path}")
        trace = Trace(path)
        progress.clear()
        if trace.cut:
            print(f"locus-trace: {path} is incomplete: {trace.cut}", file=sys.stderr)
        progress.show(f"examining {path}")
        yield trace
        progress.clear()


def say(*words):
    progress.clear()
    print(*words)


def run_summary(options):
    from . import summary

    for trace in open_traces(options.files):
        result = summary.Summary(trace)
        progress.clear()
        if options.json:
            print(json.dumps(result.counts()))
        else:
            summary.show(trace, result, options.top)


def run_check(options):
    from . import check

    faults = 0
    for trace in open_traces(options.files):
        errors, tasks = [], 0
        for process in trace.processes():
            found, count = check.check(process)
            errors += [f"{process.label}: {line}" if process.label else line for line in found]
            tasks += count
        faults += len(errors)
        if options.json:
            shown = {"file": trace.path, "tasks": tasks, "complete": trace.cut is None, "faults": len(errors)}
            say(json.dumps(shown | {"first": errors[: options.top]}))
            continue
        for line in errors[: options.top]:
            say(f"{trace.path}: {line}")
        if len(errors) > options.top:
            say(f"{trace.path}: and {len(errors) - options.top} more")
        if not errors:
            processes = len(trace.processes())
            of = f" of {processes} processes" if processes > 1 else ""
            say(f"{trace.path}: {tasks} tasks{of}, as they should be")
    return FAULTY if faults else GOOD


def run_advise(options):
    from . import advise

    for trace in open_traces(options.files):
        found = advise.advise(trace)
        progress.clear()
        if options.json:
            print(json.dumps({"file": trace.path, "advice": [one.fields() for one in found]}))
        elif options.names:
            print(" ".join(dict.fromkeys(one.name for one in found)))
        else:
            advise.show(trace, found)


def run_compare(options):
    from . import compare

    result = compare.compare(*open_traces(options.files))
    progress.clear()
    if options.json:
        print(json.dumps(result))
    else:
        compare.show(result, options.top)


def run_merge(options):
    from . import merge

    files = options.files
    out = options.out or files.pop(0)
    if not files:
        options.fail("the files to merge are missing: locus-trace merge -o OUT FILE...")
    for note in merge.write(files, out):
        print(f"locus-trace: {note}", file=sys.stderr)


def open_out(options, mode, name=None, **how):
    """The file OUT, which must not be the trace."""
    from .reader import TraceError

    name = name or options.out
    if os.path.exists(name) and os.path.samefile(options.file, name):
        raise TraceError(f"{name} is the trace itself: nothing is written")
    return open(name, mode, **how)


def run_perfetto(options):
    from . import perfetto

    for trace in open_traces([options.file]):
        with open_out(options, "wb") as out:
            perfetto.write(trace, out)


def run_paraver(options):
    from . import paraver

    if os.path.isdir(options.out):  # as for the commands that write OUT itself
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), options.out)
    for trace in open_traces([options.file]):
        paraver.write(trace, options.out, lambda name: open_out(options, "w", name, encoding="utf-8"))


def run_html(options):
    from . import html

    for trace in open_traces([options.file]):
        text = html.page(trace, options.slices)
        with open_out(options, "w", encoding="utf-8") as out:
            out.write(text)


def positive(text):
    number = int(text)
    if number <= 0:
        raise ValueError
    return number


def add_command(commands, name, run, text):
    command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=EXIT)
    command.set_defaults(run=run, fail=command.error)
    return command


def add_reader(commands, name, run, text, json_help):
    """A command that prints what it has found in files."""
    command = add_command(commands, name, run, text)
    command.add_argument("files", nargs="+", metavar="FILE", help="of KMP_TASK_TRACE, or of merge")
    command.add_argument("--json", action="store_true", help=json_help)
    return command


def add_writer(commands, name, run, text):
    """A command that writes another file."""
    command = add_command(commands, name, run, text)
    command.add_argument("file", metavar="FILE", help="of KMP_TASK_TRACE, or of merge")
    command.add_argument("-o", "--output", dest="out", metavar="OUT", help="what to write")
    command.add_argument("place", nargs="?", metavar="OUT", help="the same, without -o")
    return command


def parser():
    top = argparse.ArgumentParser(
        prog="locus-trace", description="Reads what KMP_TASK_TRACE=FILE has recorded.", epilog=EXIT
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {version()}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    command = add_reader(
        commands,
        "summary",
        run_summary,
        "where the time went, and which constructs took it",
        "counts, an object a file",
    )
    command.add_argument("--top", type=positive, default=10, metavar="N", help="how many constructs to show (10)")
    command = add_reader(
        commands,
        "check",
        run_check,
        "whether each task ran once, after what it depends on, and where it may",
        "the faults, an object a file",
    )
    command.add_argument("--top", type=positive, default=10, metavar="N", help="how many faults to show (10)")
    command = add_reader(
        commands, "advise", run_advise, "what costs most, and what to change", "the advice, an object a file"
    )
    command.add_argument("--names", action="store_true", help="only the names of what was found: a line a file")
    command = add_command(commands, "compare", run_compare, "two runs side by side: what takes longer in B than in A")
    command.add_argument("files", nargs=2, metavar="FILE", help="A and B, of KMP_TASK_TRACE or of merge")
    command.add_argument("--json", action="store_true", help="the figures of both, one object")
    command.add_argument("--top", type=positive, default=10, metavar="N", help="how many constructs to show (10)")
    command = add_command(commands, "merge", run_merge, "one trace of several processes: the ranks of an MPI job")
    command.add_argument(
        "-o", "--output", dest="out", metavar="OUT", help="what to write; without it the first FILE is this"
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="the trace of a process")
    add_writer(commands, "perfetto", run_perfetto, "a file for ui.perfetto.dev and trace_processor")
    add_writer(commands, "paraver", run_paraver, "OUT.prv, OUT.pcf and OUT.row for Paraver")
    command = add_writer(
        commands, "html", run_html, "one page for a browser: timeline, heat map of nodes, constructs, durations"
    )
    command.add_argument(
        "--slices",
        type=positive,
        default=MAX_SLICES,
        metavar="N",
        help=f"most slices of time in the page, short ones are merged ({MAX_SLICES})",
    )
    return top


def parse(arguments):
    options = parser().parse_args(arguments)
    if hasattr(options, "place"):
        if (options.out is None) == (options.place is None):
            options.fail(
                "the name of the file to write is missing: -o OUT" if options.out is None else "OUT is there twice"
            )
        options.out = options.out or options.place
    return options


def main(arguments):
    prepare()
    options = parse(arguments)
    from .reader import TraceError

    try:
        return options.run(options) or GOOD
    except TraceError as error:
        said = str(error)
    except MemoryError:
        said = f"{', '.join(getattr(options, 'files', None) or [options.file])}: not enough memory"
    except BrokenPipeError:
        sys.stderr.close()
        return ERROR
    except OSError as error:
        said = f"{error.filename or getattr(options, 'out', 'output')}: {error.strerror}"
    finally:
        if not sys.stderr.closed:
            progress.clear()
    print(f"locus-trace: {said}", file=sys.stderr)
    return ERROR


def run():
    """What pip makes a command of."""
    sys.exit(main(sys.argv[1:]))
