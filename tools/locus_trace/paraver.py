"""A trace for Paraver: states of threads, tasks as events, dependences as communications. Processes are its tasks."""

import itertools
import time
from pathlib import Path

import numpy as np

from . import progress
from . import reader as r
from .graph import edges
from .intervals import STATES, TASKS, Intervals
from .reader import index_type
from .tasks import Tasks

CONSTRUCT, TASK, DATA_NODE, STEAL = range(72_000_001, 72_000_005)
TYPES = {CONSTRUCT: "construct", TASK: "task", DATA_NODE: "node of its data", STEAL: "stolen from the same"}
COLOURS = ("255,255,255", "31,119,180", "183,215,168", "232,232,232", "246,227,180", "245,245,245")
STATE_ROW, EVENT_ROW, ARROW_ROW = range(1, 4)
AGAIN = None  # a column that is as the one before it
PART = 1000
BLOCK = 1 << 15  # lines that are made at once


def parts(zero, end):
    """Four bytes for each part of three digits and what is behind: without leading zeros, and with them. NUL is nothing."""
    text = [f"{part or zero:>3}{end}" for part in range(PART)] + [f"{part:03}{end}" for part in range(PART)]
    return np.frombuffer("".join(text).replace(" ", "\0").encode(), "<u4")


LAST, OTHERS = {end: parts("0", end) for end in ":\n"}, parts("", " ")


def digits(numbers, end):
    """Columns of four bytes: an array of numbers, none of which is negative, and behind each a character."""
    numbers = np.asarray(numbers, np.int64)
    least, most = int(numbers.min()), int(numbers.max())
    cells, table = [], LAST[end]
    while most >= PART:
        above = numbers // PART
        part = numbers - above * PART
        part += PART if least >= PART else PART * (above > 0)
        cells.append(table.take(part))
        numbers, least, most, table = above, least // PART, most // PART, OTHERS
    return [table.take(numbers), *cells[::-1]]


def constant(text):
    return np.frombuffer(text.encode().ljust(-(-len(text) // 4) * 4, b"\0"), "<u4").tolist()


class Rows:
    """Lines of one kind. at: places, one for each. columns: numbers, AGAIN, and functions of places, which are called when lines
    are written, as all columns of all lines are several times as large as the trace. time is the one that orders them.
    """

    def __init__(self, kind, at, time, columns):
        self.kind, self.at, self.time, self.columns = kind, at, time, columns

    def __len__(self):
        return len(self.at)

    def cells(self, rows):
        """The text of these lines, as columns of four bytes."""
        at, cells, text = self.at[rows], [], ""
        for left, column in enumerate(self.columns, 1 - len(self.columns)):
            end = ":" if left else "\n"
            if callable(column):
                last = digits(column(at), end)
                cells += constant(text) + last
                text = ""
            elif column is AGAIN:
                cells += last
            else:
                text += f"{column}{end}"
        return cells + constant(text)


class Export:
    """The rows of a trace, several tables; constructs: their names; threads: of each process the names of its threads; homes: the
    node that each process begins on.
    """

    def __init__(self, trace):
        self.trace = trace
        cpus = sorted((cpu[1], cpu[0]) for cpu in trace.machine.get("cpus", ()))
        self.nodes = sorted({node for node, _ in cpus}) or [0]
        self.cpus_of = [sum(node == other for other, _ in cpus) or 1 for node in self.nodes]
        self.cpu_names = [f"CPU {cpu}" for _, cpu in cpus] or ["CPU"]
        self.cpu_at = {cpu: index for index, (_, cpu) in enumerate(cpus, 1)}
        self.first = int(trace.column("time").min()) if len(trace) else 0
        self.constructs, self.threads, self.homes, self.tables = {}, [], [], []
        for process in trace.processes():
            self.tables += self.rows_of(process)
        self.end = int(trace.column("ns").max()) + 1 if len(trace) else 0

    def rows_of(self, process):
        intervals = Intervals(process)
        tasks = Tasks(process, intervals)
        del tasks.depends  # large, and edges() has its own
        self.process = process
        self.shift = int(process.column("time").min()) - self.first if len(process) else 0
        inside = self.order(intervals)
        self.number = {writer: index for index, writer in enumerate(inside, 1)}
        where = f"{process.label}, " if process.label else ""
        self.threads.append([f"{where}thread {process.os_threads[writer]}" for writer in inside])
        known = intervals.node[intervals.node >= 0]
        self.homes.append(self.nodes.index(int(known[0])) + 1 if len(known) and int(known[0]) in self.nodes else 1)
        if not inside:
            return []
        self.cpu = self.cpus(intervals)
        cpu_of = self.cpu_of(intervals)
        return [self.arrows(cpu_of, tasks), *self.states(intervals, tasks), self.steals(cpu_of)]

    def order(self, intervals):
        """The writers that were in a region or task, by node and thread."""
        says = np.flatnonzero(np.isin(intervals.kind, (r.START, r.IMPLICIT)))
        writers, first = np.unique(intervals.writer[says], return_index=True)
        first = says[first]
        threads = self.process.column("thread")[intervals.at[first]]
        return writers[np.lexsort((writers, threads, intervals.node[first]))].tolist()

    def cpus(self, intervals):
        """Paraver's number of the CPU of each interval: that of the thread's last record with one."""
        says = np.isin(intervals.kind, (r.START, r.IMPLICIT))
        at = intervals.at
        column = self.process.column
        cpus = np.where(intervals.kind == r.START, column("a")[at], column("b")[at])
        if self.process.machine.get("synthetic") and self.process.machine.get("cpus"):
            order = np.array([cpu[0] for cpu in self.process.machine["cpus"]])
            cpus = order[column("thread")[at] % len(order)]
        values, inverse = np.unique(cpus, return_inverse=True)
        numbers = np.array([self.cpu_at.get(cpu, 0) for cpu in values.tolist()], np.int64)[inverse.reshape(-1)]
        last = np.maximum.accumulate(np.where(says, np.arange(len(says)), intervals.of_writer))
        return np.where(says[last], numbers[last], 0)

    def table(self, kind, at, writer, cpu, time, *others):
        """Rows of the threads that are shown. Numbers, and functions of places, which at has. All are of the first application."""
        known, thread_of = np.isin(writer(at), list(self.number)), self.thread_of()

        def thread(at):
            return thread_of(writer(at))

        return Rows(kind, at[known], time, (kind, cpu, 1, len(self.threads), thread, time, *others))

    def thread_of(self):
        """Says Paraver's numbers of the threads of an array of writers, 0 for one that is not shown."""
        writers = np.array(sorted(self.number))
        numbers = np.array([self.number[writer] for writer in writers.tolist()])

        def found(wanted):
            at = np.minimum(np.searchsorted(writers, wanted), len(writers) - 1)
            return np.where(writers[at] == wanted, numbers[at], 0)

        return found

    def states(self, intervals, tasks):
        """The state of each interval, and what a thread is in wherever that changes."""
        cpus, shift = self.cpu, self.shift

        def writer(at):
            return intervals.writer[at]

        def cpu(at):
            return cpus[at]

        def begin(at):
            return intervals.begin[at] + shift

        def end(at):
            return begin(at) + intervals.ns[at]

        some = np.flatnonzero(intervals.ns > 0).astype(np.int32)
        yield self.table(STATE_ROW, some, writer, cpu, begin, end, lambda at: intervals.state[at])
        numbers = np.array([self.constructs.setdefault(label, len(self.constructs) + 1) for label in tasks.labels])
        task = np.where(intervals.state == TASKS, intervals.owner, 0)
        change = np.append(True, task[1:] != task[:-1])
        first = intervals.of_writer == np.arange(len(task))
        some = np.flatnonzero(np.where(first, task != 0, change)).astype(np.int32)

        def of_task(values):
            def column(at):
                inside = intervals.state[at] == TASKS
                return np.where(inside, values(tasks.numbers.row(task[at])), 0)

            return column

        construct = of_task(lambda row: numbers[tasks.construct[row]])
        node = of_task(lambda row: tasks.data_node[row] + 1)
        events = CONSTRUCT, construct, TASK, lambda at: task[at], DATA_NODE, node
        yield self.table(EVENT_ROW, some, writer, cpu, begin, *events)

    def cpu_of(self, intervals):
        """Says the CPU of threads at times."""
        cpus, span = self.cpu, int(intervals.begin.max()) + 2
        keys = intervals.writer.astype(np.int64) * span + intervals.begin

        def found(writers, times):
            at = np.searchsorted(keys, writers * span + np.minimum(times, span - 1), side="right") - 1
            return cpus[np.maximum(at, 0)]

        return found

    def steals(self, cpu_of):
        at, process, shift = self.process.of_kind(r.STEAL), self.process, self.shift

        def writer(at):
            return process.writers[at].astype(np.int64)

        def cpu(at):
            return cpu_of(writer(at), process.column("ns")[at])

        def time(at):
            return process.column("ns")[at] + shift

        return self.table(EVENT_ROW, at, writer, cpu, time, STEAL, lambda at: process.column("flags")[at])

    def arrows(self, cpu_of, tasks):
        """From the end of a task to the beginning of one that depends on it."""
        first, second = edges(self.process, tasks.numbers, self.process.positions())
        at = self.process.of_kind(r.END)
        ended_by = np.zeros(len(tasks), np.int64)
        row, ns = tasks.numbers.row(self.process.column("task")[at]), self.process.column("ns")[at]
        last = ns == tasks.end[row]
        ended_by[row[last]] = self.process.writers[at[last]]
        drawn = (tasks.end[first] >= 0) & (tasks.start[second] >= tasks.end[first])
        first, second = first[drawn].astype(np.int32), second[drawn].astype(np.int32)
        process, shift, thread_of = len(self.threads), self.shift, self.thread_of()

        def writer(at):
            return ended_by[first[at]]

        def cpu(at):
            return cpu_of(writer(at), tasks.end[first[at]])

        def to_cpu(at):
            return cpu_of(tasks.writer[second[at]], tasks.start[second[at]])

        def to_thread(at):
            return thread_of(tasks.writer[second[at]])

        def ended(at):
            return tasks.end[first[at]] + shift

        def began(at):
            return tasks.start[second[at]] + shift

        at = np.arange(len(first), dtype=np.int32)
        return self.table(ARROW_ROW, at, writer, cpu, ended, AGAIN, to_cpu, 1, process, to_thread, began, AGAIN, 0, 1)


def write_rows(export, out):
    date = time.strftime("%d/%m/%y at %H:%M", time.gmtime(export.trace.wall_time / 1e9))
    nodes = ",".join(map(str, export.cpus_of))
    tasks = ",".join(f"{max(1, len(names))}:{home}" for names, home in zip(export.threads, export.homes, strict=True))
    out.write(f"#Paraver ({date}):{export.end}_ns:{len(export.nodes)}({nodes}):1:{len(export.threads)}({tasks})\n")
    out.flush()
    out.buffer.writelines(lines_of(export.tables))


def lines_of(tables):
    """The text of all rows in the order of time, in large pieces; at the same time states come first, and arrows last."""
    tables = sorted(tables, key=lambda table: table.kind)
    behind = np.cumsum([len(table) for table in tables])
    times = [table.time(table.at) for table in tables]
    order = np.argsort(np.concatenate(times) if times else [], kind="stable").astype(index_type(sum(map(len, tables))))
    del times
    for first in range(0, len(order), BLOCK):
        progress.show("writing", first / len(order))
        rows = order[first : first + BLOCK]
        of = np.searchsorted(behind, rows, side="right")
        parts = []
        for number in np.unique(of).tolist():
            mine, table = np.flatnonzero(of == number), tables[number]
            parts.append((mine, table.cells(rows[mine] - behind[number] + len(table))))
        lines = np.zeros((len(rows), max(len(cells) for _, cells in parts)), np.uint32)
        for mine, cells in parts:
            for column, cell in enumerate(cells):
                lines[mine, column] = cell
        yield lines.tobytes().translate(None, b"\0")


def write_names(export, out):
    out.write(
        "DEFAULT_OPTIONS\n\nLEVEL THREAD\nUNITS NANOSEC\n\nDEFAULT_SEMANTIC\n\nTHREAD_FUNC State As Is\n\nSTATES\n"
    )
    out.writelines(f"{state} {name}\n" for state, name in enumerate(STATES))
    out.write("\nSTATES_COLOR\n")
    out.writelines(f"{state} {{{colour}}}\n" for state, colour in enumerate(COLOURS))
    values = {
        CONSTRUCT: {0: "none", **{number: label for label, number in export.constructs.items()}},
        DATA_NODE: {0: "not known", **{node + 1: f"node {export.trace.node_name(node)}" for node in export.nodes}},
        STEAL: dict(enumerate(r.LEVELS)),
    }
    for kind, name in TYPES.items():
        out.write(f"\nEVENT_TYPE\n0 {kind} {name}\n")
        if kind in values:
            out.write("VALUES\n")
            out.writelines(f"{value} {text}\n" for value, text in values[kind].items())


def write_labels(export, out):
    levels = {
        "CPU": export.cpu_names,
        "NODE": [f"node {export.trace.node_name(node)}" for node in export.nodes],
        "THREAD": list(itertools.chain.from_iterable(names or ["no thread"] for names in export.threads)),
    }
    for level, names in levels.items():
        out.write(f"LEVEL {level} SIZE {len(names)}\n" + "".join(f"{name}\n" for name in names) + "\n")


def write(trace, name, open_file):
    """Writes NAME.prv, .pcf and .row; name may have the suffix. open_file(path) opens each."""
    base = Path(name).with_suffix("") if Path(name).suffix == ".prv" else Path(name)
    export = Export(trace)
    for suffix, part in ((".prv", write_rows), (".pcf", write_names), (".row", write_labels)):
        with open_file(f"{base}{suffix}") as out:
            part(export, out)
