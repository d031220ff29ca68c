"""What waits for what, for pictures: the dependences of tasks, and the way of the longest chain."""

import numpy as np

from . import reader as r
from .graph import edges
from .intervals import Intervals
from .paths import Paths

MOST = 1_000_000  # dependences in a page
NONE = np.zeros(0, np.int64)


def dependences(trace, tasks):
    """Two arrays of numbers of tasks, the second waits for the first, by the second; how many there are, if these are too many."""
    first, second = edges(trace, tasks.numbers, trace.positions())
    if len(first) > MOST:
        return NONE, NONE, len(first)
    order = np.lexsort((tasks.number[first], tasks.number[second]))
    return tasks.number[first[order]], tasks.number[second[order]], 0


def longest_chain(trace, intervals):
    """Numbers of the tasks of the longest chain, of all processes."""
    processes = trace.processes()
    if len(processes) == 1:
        return Paths(trace, intervals).chain()
    paths = [Paths(process, Intervals(process)) for process in processes]
    return max(paths, key=lambda path: path.longest).chain()


class Way:
    """The longest chain as a line: points, pairs of ns and the writer whose thread it is on then."""

    def __init__(self, trace, tasks, numbers):
        self.creator, self.made_by = tasks.creator.tolist(), self.creating_writers(trace, tasks)
        self.created, self.start, self.end = tasks.created.tolist(), tasks.start.tolist(), tasks.end.tolist()
        self.writer = tasks.writer.tolist()
        self.implicit = self.implicit_tasks(trace)
        self.points = []
        numbers = numbers.astype(np.int64)
        rows = tasks.numbers.row(numbers).tolist()  # -1 is an implicit task
        numbers = numbers.tolist()
        for place, (row, number) in enumerate(zip(rows, numbers, strict=True)):
            before = place - 1
            if not place or row >= 0 and self.creator[row] == numbers[before]:
                self.begin(row, number)
            elif rows[before] >= 0 and self.creator[rows[before]] == number:
                self.finish(rows[before], numbers[before])  # its parent has waited for it
                self.add(self.end[rows[before]], self.made_by[rows[before]])
            else:
                self.finish(rows[before], numbers[before])
                if row >= 0:
                    self.add(self.start[row], self.writer[row])
        if rows:
            self.finish(rows[-1], numbers[-1])

    @staticmethod
    def implicit_tasks(trace):
        """Number: begin, end, writer."""
        found = {}
        at = trace.of_kind((r.IMPLICIT, r.IMPLICIT_END))
        columns = trace.column("kind"), trace.column("task"), trace.column("ns"), trace.writers
        for kind, task, ns, writer in zip(*(column[at].tolist() for column in columns), strict=True):
            if kind == r.IMPLICIT:
                found[task] = [ns, ns, writer]
            elif task in found:
                found[task][1] = ns
        return found

    @staticmethod
    def creating_writers(trace, tasks):
        found = np.zeros(len(tasks), np.int64)
        at = trace.of_kind(r.CREATE)
        found[tasks.numbers.row(trace.column("task")[at])] = trace.writers[at]
        return found.tolist()

    def begin(self, row, number):
        """Of a task that its creator leads to."""
        if row >= 0:
            self.add(self.created[row], self.made_by[row])
            self.add(self.start[row], self.writer[row])
        elif number in self.implicit:
            self.add(self.implicit[number][0], self.implicit[number][2])

    def finish(self, row, number):
        if row >= 0:
            self.add(self.end[row], self.writer[row])
        elif number in self.implicit:
            self.add(*self.implicit[number][1:])

    def add(self, time, writer):
        if time >= 0 and (not self.points or time >= self.points[-1][0]):
            self.points.append((time, writer))
