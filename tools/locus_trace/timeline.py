"""What each thread did when, for pictures: slices of time, and where tasks and their data were."""

import math
from array import array

from . import reader as r
from .advise import Adviser
from .summary import CREATING, OUTSIDE, SEARCHING, SLEEPING, TASKS, WAITING

UNKNOWN_NODE = -1
STATES = (OUTSIDE, TASKS, CREATING, WAITING, SEARCHING, SLEEPING)
SEVERAL_TASKS = 0  # the number of a slice's task if it is none, or a merged slice of several
BINS_OF_OCTAVE = 4


class Row:
    """A thread's slices, one behind the other from the trace's beginning on. Times in ns."""

    __slots__ = ("end", "kinds", "lengths", "node_times", "tasks", "thread")

    def __init__(self, begin):
        self.lengths, self.kinds, self.tasks = array("Q"), array("I"), array("I")
        self.end = begin
        self.thread = None
        self.node_times = {}

    def add(self, until, kind, task):
        """The thread has been at that since the end of its last slice."""
        length = until - self.end
        if length < 0 or (length == 0 and task == SEVERAL_TASKS):  # a task of no length may have begun where the file ends
            return
        self.end = until
        if self.kinds and self.kinds[-1] == kind and self.tasks[-1] == task:
            self.lengths[-1] += length
        else:
            self.lengths.append(length)
            self.kinds.append(kind)
            self.tasks.append(task)

    def node(self):
        """The OS node that it was on most of the time."""
        return max(self.node_times, key=self.node_times.get, default=None)


class Durations:
    """How long tasks took, and where their data was: of a construct."""

    def __init__(self):
        self.bins = {}  # number of a bin: tasks
        self.local = [0, 0]  # tasks, ns
        self.remote = [0, 0]
        self.unknown = 0


def bin_of(ns):
    return int(math.log2(max(ns, 1)) * BINS_OF_OCTAVE)


def lower_edge(number):
    """In ns."""
    return 2 ** (number / BINS_OF_OCTAVE)


class Timeline(Adviser):
    """Goes through a trace once. What it keeps of a task is let go at its end, but for its slices."""

    def __init__(self, trace):
        super().__init__(trace)
        self.rows = {}  # id of a Thread: Row
        self.kinds = {(OUTSIDE, None, None, None): 0}  # state, construct, node, node of the data: number
        self.running = {}  # task: number of its kind, ns, the kind
        self.durations = {}  # label: Durations
        self.matrix = {}  # node of a task and of its data: tasks, ns

    def row_of(self, thread):
        row = self.rows.get(id(thread))
        if row is None:
            row = self.rows[id(thread)] = Row(self.first)
        return row

    def kind(self, *key):
        return self.kinds.setdefault(key, len(self.kinds))

    def spend(self, thread, state, owner, since, until):
        super().spend(thread, state, owner, since, until)
        row = self.row_of(thread)
        row.add(since, 0, SEVERAL_TASKS)  # nothing is known from the last slice to here
        if state == TASKS and owner in self.running:
            running = self.running[owner]
            running[1] += until - since
            row.add(until, running[0], owner)
        else:
            row.add(until, self.kind(state, None, None, None), SEVERAL_TASKS)
        row.node_times[thread.node] = row.node_times.get(thread.node, 0) + until - since

    def implicit(self, record, thread):
        super().implicit(record, thread)
        row = self.row_of(thread)
        if row.thread is None and record[6] != 0:
            row.thread = record[3]

    def start(self, record, thread):
        number = record[4]
        node, _ = self.data.get(number, (None, 0))
        super().start(record, thread)
        row = self.row_of(thread)
        if row.thread is None:
            row.thread = record[3]
        key = (TASKS, self.labels[number].label, thread.node, UNKNOWN_NODE if node in (None, r.NO_NODE) else node)
        self.running[number] = [self.kind(*key), 0, key]

    def end(self, record, thread):
        super().end(record, thread)
        number = record[4]
        if number in self.running:
            _, took, key = self.running.pop(number)
            self.add_duration(key, took)

    def add_duration(self, key, took):
        _, label, node, data = key
        durations = self.durations.get(label)
        if durations is None:
            durations = self.durations[label] = Durations()
        number = bin_of(took)
        durations.bins[number] = durations.bins.get(number, 0) + 1
        if data == UNKNOWN_NODE:
            durations.unknown += 1
            return
        for sums in (durations.local if data == node else durations.remote, self.matrix.setdefault((node, data), [0, 0])):
            sums[0] += 1
            sums[1] += took

    def sorted_rows(self):
        """Those with slices, by node and thread, each with its writer."""
        found = [(writer, self.rows[id(thread)]) for writer, thread in self.threads.items() if id(thread) in self.rows]
        found = [(writer, row) for writer, row in found if row.lengths]
        return sorted(found, key=lambda pair: (-1 if pair[1].node() is None else pair[1].node(), pair[1].thread or 0, pair[0]))


def merge_short(rows, most):
    """Merges slices so that at most so many are left, and one for each row. Returns the length up to which slices were merged, in
    ns; 0 if none were."""
    count = sum(len(row.lengths) for row in rows)
    if count <= most:
        return 0
    # Each row gets slices for its part of all time, so that those of a busy thread are not longer than those of an idle one.
    shortest = max(2, -(-2 * sum(sum(row.lengths) for row in rows) // most))
    for row in rows:
        merge_row(row, shortest)
    return shortest


def merge_row(row, shortest):
    """Slices that are shorter become one with their neighbours, until that is not; it is of the kind that takes most of it."""
    lengths, kinds, tasks = array("Q"), array("I"), array("I")
    times, total, members, only = {}, 0, 0, SEVERAL_TASKS

    def close():
        lengths.append(total)
        kinds.append(max(times, key=times.get))
        tasks.append(only if members == 1 else SEVERAL_TASKS)

    for length, kind, task in zip(row.lengths, row.kinds, row.tasks):
        if total and (length >= shortest or total >= shortest):
            close()
            times, total, members = {}, 0, 0
        times[kind] = times.get(kind, 0) + length
        total += length
        members += 1
        only = task
    if total:
        close()
    row.lengths, row.kinds, row.tasks = lengths, kinds, tasks
