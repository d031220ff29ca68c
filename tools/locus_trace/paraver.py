"""A trace for Paraver: states of threads, tasks as events, dependences as communications. Processes are its tasks."""

import itertools
import time
from pathlib import Path

import numpy as np

from . import progress
from . import reader as r
from .graph import edges
from .intervals import STATES, TASKS, Intervals
from .tasks import Tasks

CONSTRUCT, TASK, DATA_NODE, STEAL = range(72_000_001, 72_000_005)
TYPES = {CONSTRUCT: "construct", TASK: "task", DATA_NODE: "node of its data", STEAL: "stolen from the same"}
COLOURS = ("255,255,255", "31,119,180", "183,215,168", "232,232,232", "246,227,180", "245,245,245")
STATE_ROW, TASK_ROW, STEAL_ROW, ARROW_ROW = range(4)
# A line for each kind of row: CPU, process, thread, time, then what only this kind has. Applications are always the first.
LINES = (
    "1:%d:1:%d:%d:%d:%d:%d\n",
    f"2:%d:1:%d:%d:%d:{CONSTRUCT}:%d:{TASK}:%d:{DATA_NODE}:%d\n",
    f"2:%d:1:%d:%d:%d:{STEAL}:%d\n",
    "3:%d:1:%d:%d:%d:%d:%d:1:%d:%d:%d:%d:0:1\n",
)
TIME = 3  # its column
COUNTS = np.array([line.count("%d") for line in LINES])
BLOCK = 1 << 15  # lines that are made at once


class Rows:
    """Lines of one kind: their columns, arrays."""

    def __init__(self, kind, columns):
        self.kind, self.columns = kind, columns

    def __len__(self):
        return len(self.columns[TIME])


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
        return [*self.states(intervals, tasks), self.steals(intervals), self.arrows(intervals, tasks)]

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

    def table(self, kind, times, writers, cpus, *others):
        """Rows of the threads that are shown."""
        values, inverse = np.unique(writers, return_inverse=True)
        numbers = np.array([self.number.get(writer, 0) for writer in values.tolist()], np.int64)[inverse.reshape(-1)]
        keep = np.flatnonzero(numbers)
        process = np.broadcast_to(len(self.threads), len(keep))
        columns = [cpus[keep].astype(np.int32), process, numbers[keep].astype(np.int32), times[keep] + self.shift]
        return Rows(kind, columns + [other[keep] for other in others])

    def states(self, intervals, tasks):
        """The state of each interval, and what a thread is in wherever that changes."""
        some = np.flatnonzero(intervals.ns > 0)
        begin, state = intervals.begin[some], intervals.state[some]
        end = begin + intervals.ns[some] + self.shift
        yield self.table(STATE_ROW, begin, intervals.writer[some], self.cpu[some], end, state)
        numbers = np.array([self.constructs.setdefault(label, len(self.constructs) + 1) for label in tasks.labels])
        inside = intervals.state == TASKS
        task = np.where(inside, intervals.owner, 0)
        before = np.append(0, task[:-1])
        before[intervals.of_writer == np.arange(len(task))] = 0
        some = np.flatnonzero(task != before)
        inside, task = inside[some], task[some]
        rows = tasks.numbers.row(task)
        construct = np.where(inside, numbers[tasks.construct[rows]], 0)
        data = np.where(inside, tasks.data_node[rows] + 1, 0)
        yield self.table(TASK_ROW, intervals.begin[some], intervals.writer[some], self.cpu[some], construct, task, data)

    def cpu_of(self, intervals, writers, times):
        """The CPU of a thread at a time."""
        span = int(intervals.begin.max()) + 2
        keys = intervals.writer.astype(np.int64) * span + intervals.begin
        at = np.searchsorted(keys, writers * span + np.minimum(times, span - 1), side="right") - 1
        return self.cpu[np.maximum(at, 0)]

    def steals(self, intervals):
        at = self.process.of_kind(r.STEAL)
        times, writers = self.process.column("ns")[at], self.process.writers[at].astype(np.int64)
        cpus = self.cpu_of(intervals, writers, times)
        return self.table(STEAL_ROW, times, writers, cpus, self.process.column("flags")[at])

    def arrows(self, intervals, tasks):
        """From the end of a task to the beginning of one that depends on it."""
        first, second = edges(self.process, tasks.numbers, self.process.positions())
        at = self.process.of_kind(r.END)
        ended_by = np.zeros(len(tasks), np.int64)
        row, ns = tasks.numbers.row(self.process.column("task")[at]), self.process.column("ns")[at]
        last = ns == tasks.end[row]
        ended_by[row[last]] = self.process.writers[at[last]]
        drawn = (tasks.end[first] >= 0) & (tasks.start[second] >= tasks.end[first])
        first, second = first[drawn], second[drawn]
        writers = tasks.writer[second]
        numbers = np.array([self.number.get(writer, 0) for writer in writers.tolist()], np.int64)
        begins, ends = tasks.start[second], tasks.end[first]
        from_cpu, to_cpu = self.cpu_of(intervals, ended_by[first], ends), self.cpu_of(intervals, writers, begins)
        process, begins = np.broadcast_to(len(self.threads), len(first)), begins + self.shift
        both = ends + self.shift
        return self.table(ARROW_ROW, ends, ended_by[first], from_cpu, both, to_cpu, process, numbers, begins, begins)


def write_rows(export, out):
    date = time.strftime("%d/%m/%y at %H:%M", time.gmtime(export.trace.wall_time / 1e9))
    nodes = ",".join(map(str, export.cpus_of))
    tasks = ",".join(f"{max(1, len(names))}:{home}" for names, home in zip(export.threads, export.homes, strict=True))
    out.write(f"#Paraver ({date}):{export.end}_ns:{len(export.nodes)}({nodes}):1:{len(export.threads)}({tasks})\n")
    out.writelines(lines_of(export.tables))


def lines_of(tables):
    """The text of all rows in the order of time, in large pieces; at the same time states come first, and arrows last."""
    tables = sorted(tables, key=lambda table: table.kind)
    behind = np.cumsum([len(table) for table in tables])
    times = np.concatenate([table.columns[TIME] for table in tables]) if tables else np.zeros(0)
    order = np.argsort(times, kind="stable")
    del times
    for first in range(0, len(order), BLOCK):
        progress.show("writing", first / len(order))
        rows = order[first : first + BLOCK]
        of = np.searchsorted(behind, rows, side="right")
        kinds = np.array([table.kind for table in tables])[of]
        fields = np.zeros((len(rows), COUNTS.max()), np.int64)
        for number in np.unique(of).tolist():
            mine, table = np.flatnonzero(of == number), tables[number]
            for column, values in enumerate(table.columns):
                fields[mine, column] = values[rows[mine] - behind[number] + len(table)]
        used = np.arange(COUNTS.max()) < COUNTS[kinds][:, None]
        yield "".join([LINES[kind] for kind in kinds.tolist()]) % tuple(fields[used].tolist())


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
