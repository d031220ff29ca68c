"""What each thread did when, for pictures: slices of time, and where tasks and their data were."""

import numpy as np

from .advise import Adviser
from .intervals import OUTSIDE, STATES, TASKS, begins_of

SEVERAL_TASKS = 0  # the number of a slice's task if it is none, or a merged slice of several
BINS_OF_OCTAVE = 4


class Row:
    """A thread's slices, arrays, one behind the other from the trace's beginning on: lengths in ns, kinds, tasks.
    node_times: {OS node: ns}.
    """

    def __init__(self, thread, lengths, kinds, tasks, node_times):
        self.thread, self.node_times = thread, node_times
        keep = lengths > 0
        lengths, kinds, tasks = lengths[keep], kinds[keep], tasks[keep]
        begin = np.flatnonzero(begins_of(kinds << 32 | tasks) == np.arange(len(kinds)))
        self.lengths = np.add.reduceat(lengths, begin) if len(begin) else lengths
        self.kinds, self.tasks = kinds[begin], tasks[begin]

    def node(self):
        """The OS node that it was on most of the time."""
        return max(self.node_times, key=self.node_times.get, default=None)


class Durations:
    """How long the tasks of a construct took, and where their data was. bins: {number: tasks}; local, remote: tasks and
    ns; unknown: tasks.
    """

    def __init__(self, tasks, rows):
        rows = rows[tasks.end[rows] >= 0]
        took = tasks.took[rows]
        numbers, counts = np.unique(bin_of(took), return_counts=True)
        self.bins = dict(zip(numbers.tolist(), counts.tolist(), strict=True))
        known = tasks.data_node[rows] >= 0
        home = tasks.data_node[rows] == tasks.node[rows]
        self.local, self.remote = ([int(part.sum()), int(took[part].sum())] for part in (known & home, known & ~home))
        self.unknown = int((~known).sum())


def bin_of(ns):
    return (np.log2(np.maximum(ns, 1)) * BINS_OF_OCTAVE).astype(np.int64)


class Timeline(Adviser):
    """rows: a Row for each thread that was in a region or task; kinds: lists of state, label, OS node of the task and of
    its data, None where it says nothing, -1 for data that nobody knows the place of; matrix: {(node of the task, of its
    data): tasks and ns}.
    """

    def __init__(self, trace):
        super().__init__(trace)
        self.kinds = [[OUTSIDE, None, None, None]]
        self.kinds += [[state, None, None, None] for state in range(len(STATES)) if state not in (TASKS, OUTSIDE)]
        self._find_kinds()
        self._find_rows()
        tasks = self.tasks
        self.durations = {use.label: Durations(tasks, use.construct.tasks) for use in self.uses}
        known = np.flatnonzero((tasks.end >= 0) & (tasks.data_node >= 0))
        pairs, inverse = np.unique(
            np.stack((tasks.node[known], tasks.data_node[known]), axis=1), axis=0, return_inverse=True
        )
        counts = np.bincount(inverse.reshape(-1), minlength=len(pairs)).tolist()
        times = np.bincount(inverse.reshape(-1), tasks.took[known], len(pairs)).astype(np.int64).tolist()
        self.matrix = dict(zip(map(tuple, pairs.tolist()), map(list, zip(counts, times, strict=True)), strict=True))

    def _find_kinds(self):
        """The kind of each interval."""
        tasks, intervals = self.tasks, self.summary.intervals
        of_state = np.zeros(len(STATES), np.int64)
        for number, kind in enumerate(self.kinds):
            of_state[kind[0]] = number
        self.kind = of_state[intervals.state]
        keys = np.stack((tasks.construct, tasks.node, tasks.data_node), axis=1)
        values, inverse = np.unique(keys, axis=0, return_inverse=True)
        inside = intervals.state == TASKS
        self.kind[inside] = len(self.kinds) + inverse.reshape(-1)[tasks.numbers.row(intervals.owner[inside])]
        self.kinds += [[TASKS, tasks.labels[construct], node, data] for construct, node, data in values.tolist()]

    def _find_rows(self):
        intervals = self.summary.intervals
        owners = np.where(intervals.state == TASKS, intervals.owner, SEVERAL_TASKS).astype(np.int64)
        threads = self.trace.column("thread")[intervals.at]
        found = []
        for first in np.unique(intervals.of_writer).tolist():
            part = slice(first, first + int((intervals.of_writer == first).sum()))
            begin, ns, node = intervals.begin[part], intervals.ns[part], intervals.node[part]
            inside = node >= 0  # in a region or task
            if not inside.any():
                continue
            # Between two intervals there may be time of which nothing is known.
            gaps = begin - np.append(0, begin[:-1] + ns[:-1])
            lengths, kinds, tasks = (np.zeros(2 * len(begin), np.int64) for _ in range(3))
            lengths[0::2], lengths[1::2], kinds[1::2], tasks[1::2] = gaps, ns, self.kind[part], owners[part]
            times = np.bincount(node[inside], ns[inside])
            thread = int(threads[part][np.argmax(inside)])
            node_times = {number: int(times[number]) for number in np.flatnonzero(times).tolist()}
            found.append((int(intervals.writer[first]), Row(thread, lengths, kinds, tasks, node_times)))
        found.sort(key=lambda pair: self.place_of(*pair))
        self.rows = [pair for pair in found if len(pair[1].lengths)]

    def place_of(self, writer, row):
        """Rows go by process, node and thread."""
        node = -1 if row.node() is None else row.node()
        return self.trace.process_of(writer), node, row.thread, writer


def merge_short(rows, most):
    """Merges slices so that at most so many are left, and one for each row. Returns the length up to which slices were merged, in
    ns; 0 if none were."""
    count = sum(len(row.lengths) for row in rows)
    if count <= most:
        return 0
    # Each row gets slices for its part of all time, so that those of a busy thread are not longer than those of an idle one.
    shortest = max(2, -(-2 * sum(int(row.lengths.sum()) for row in rows) // most))
    for row in rows:
        merge_row(row, shortest)
    return shortest


def merge_row(row, shortest):
    """Slices that are shorter become one with their neighbours, until that is not; it is of the kind that takes most of it."""
    merged = []
    times, total, members, only = {}, 0, 0, SEVERAL_TASKS

    def close():
        merged.append((total, max(times, key=times.get), only if members == 1 else SEVERAL_TASKS))

    for length, kind, task in zip(row.lengths.tolist(), row.kinds.tolist(), row.tasks.tolist(), strict=True):
        if total and (length >= shortest or total >= shortest):
            close()
            times, total, members = {}, 0, 0
        times[kind] = times.get(kind, 0) + length
        total += length
        members += 1
        only = task
    if total:
        close()
    row.lengths, row.kinds, row.tasks = np.array(merged, np.int64).reshape(-1, 3).T
