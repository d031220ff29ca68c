"""What must hold in any trace: each task is created once, is ready once, after what it depends on, and runs once, where it may."""

import functools

import numpy as np

from . import reader as r
from .graph import edges
from .intervals import begins_of
from .reader import index_type
from .tasks import Numbers

# What is said of a task that was never created, by the record that names it first.
FIRST_SEEN = {
    r.DEPEND: "has dependences",
    r.READY: "became ready",
    r.START: "ran",
    r.END: "ended",
    r.DROP: "was cancelled",
}
NEVER = -1  # a time


class Events:
    """All records of a kind, task by task, each task's in the order of time: at: index of the record; row of its task;
    nth of this task, from 0 on.
    """

    def __init__(self, checker, kind):
        trace, position = checker.trace, checker.position
        at = trace.of_kind(kind)
        row = checker.numbers.row(trace.column("task")[at])
        order = np.lexsort((position[at], row))
        small = index_type(len(position))
        self.at, self.row = at[order].astype(small), row[order].astype(small)
        self.nth = (np.arange(len(at)) - begins_of(self.row)).astype(small)
        self.first = np.flatnonzero(self.nth == 0).astype(small)
        self.last = np.append(self.first[1:], small(len(at))) - small(1) if len(at) else self.first
        self.position, self._span = position, len(position) + 1

    @functools.cached_property
    def _keys(self):
        return self.row.astype(np.int64) * self._span + self.position[self.at]

    def __len__(self):
        return len(self.at)

    def count(self, row, position):
        """How many of the task there are in front of that position."""
        keys = row.astype(np.int64) * self._span
        return np.searchsorted(self._keys, keys + position) - np.searchsorted(self._keys, keys)

    def latest(self, row, position):
        """The index of the last one in front of that position, where there is one."""
        return np.searchsorted(self._keys, row.astype(np.int64) * self._span + position) - 1


class Checker:
    """Checks a trace. errors has a line for each fault."""

    def __init__(self, trace):
        self.trace, self.position = trace, trace.positions()
        self.ns, self.found = trace.column("ns"), []  # (when it is checked, order, task or None, what)
        kinds = (r.CREATE, *FIRST_SEEN)
        self.numbers = Numbers(trace.column("task")[trace.of_kind(kinds)])
        self.events = {kind: Events(self, kind) for kind in kinds}
        self.strict = not trace.cut
        # A forked child knows nothing of the tasks that its parent had created.
        self.knows_all = trace.parent == 0 and self.strict
        size = len(self.numbers)
        self.flags, self.creator = np.zeros(size, np.uint8), np.full(size, -1)
        self.name, self.code = np.zeros(size, np.uint32), np.zeros(size, np.uint64)
        self.ready, self.ended = np.full(size, NEVER), np.full(size, NEVER)
        self.created, self.dropped, self.started = (np.zeros(size, bool) for _ in range(3))
        self.read()

    def read(self):
        created, ready, end = self.events[r.CREATE], self.events[r.READY], self.events[r.END]
        rows, at = created.row[created.last], created.at[created.last]
        column = self.trace.column
        self.created[rows] = True
        self.flags[rows], self.creator[rows] = column("flags")[at], column("a")[at]
        self.name[rows], self.code[rows] = column("b")[at], column("data")[at]
        self.ready[ready.row[ready.first]] = self.ns[ready.at[ready.first]]
        self.ended[end.row[end.last]] = self.ns[end.at[end.last]]
        # Whose creation is lost may be untied, too. (Where nothing is lost check_seen() names it.)
        self.untied = ~self.created | (self.flags & r.UNTIED != 0)
        self.dropped[self.events[r.DROP].row] = True
        self.started[self.events[r.START].row] = True
        self.find_seen()
        self.find_regions()

    def find_seen(self):
        """By which record each task is seen first."""
        self.seen = np.full(len(self.numbers), len(self.position))
        self.seen_by = np.zeros(len(self.numbers), np.uint8)
        for kind, events in self.events.items():
            rows, at = events.row[events.first], self.position[events.at[events.first]]
            earlier = at < self.seen[rows]
            self.seen[rows[earlier]], self.seen_by[rows[earlier]] = at[earlier], kind

    def find_regions(self):
        """The region whose end waits for each task, 0 for none; -1 for tasks that are their own ancestors."""
        trace = self.trace
        at = trace.of_kind(r.IMPLICIT)
        implicits = dict(zip(trace.column("task")[at].tolist(), trace.column("a")[at].tolist(), strict=True))
        parent = np.where(self.created, self.numbers.row(self.creator), -1)
        tops = np.flatnonzero(parent < 0)
        self.region = np.full(len(parent), -1)
        values, inverse = np.unique(self.creator[tops], return_inverse=True)
        regions = np.array([implicits.get(number, 0) for number in values.tolist()], np.int64)
        self.region[tops] = regions[inverse.reshape(-1)]
        # Each round looks twice as far up.
        for _ in range(len(parent).bit_length() + 1):
            open_ = np.flatnonzero(self.region < 0)
            if not len(open_):
                break
            above = parent[open_]
            self.region[open_], parent[open_] = self.region[above], parent[above]
        ends = trace.of_kind(r.REGION_END)
        self.ends = dict(zip(trace.column("a")[ends].tolist(), self.ns[ends].tolist(), strict=True))

    def ends_of(self, rows):
        """When the regions of these tasks ended, NEVER for one that has not and for none."""
        values, inverse = np.unique(self.region[rows], return_inverse=True)
        found = np.array(
            [self.ends.get(region, NEVER) if region > 0 else NEVER for region in values.tolist()], np.int64
        )
        return found[inverse.reshape(-1)] if len(values) else np.zeros(0, np.int64)

    def run(self):
        self.check_seen()
        self.check_twice()
        self.check_starts()
        self.check_nesting()
        if self.strict:
            self.check_ancestors()
            self.check_ends()
        self.check_dependences()
        self.errors = [self.line(row, what) for _, _, row, what in sorted(self.found, key=lambda fault: fault[:2])]
        return self.errors

    def line(self, row, what):
        name = self.trace.construct(int(self.name[row]), int(self.code[row])) if self.created[row] else ""
        return f"task {self.numbers.numbers[row]}{f' ({name})' if name else ''}: {what}"

    def fail(self, events, wrong, what):
        """A fault for each of the events that are wrong: by a mask, or indices. what: a text, or a text for each index."""
        for index in np.flatnonzero(wrong).tolist():
            said = what if isinstance(what, str) else what(index)
            self.found.append((0, int(self.position[events.at[index]]), int(events.row[index]), said))

    def check_seen(self):
        if self.knows_all:
            for row in np.flatnonzero(self.seen_by != r.CREATE).tolist():
                what = FIRST_SEEN[int(self.seen_by[row])]
                self.found.append((0, int(self.seen[row]), row, f"{what}, but was never created"))

    def check_twice(self):
        created, ready, dropped = (self.events[kind] for kind in (r.CREATE, r.READY, r.DROP))
        self.fail(created, created.nth > 0, "created twice")
        self.fail(ready, (ready.nth > 0) & ~self.untied[ready.row], "ready twice")
        self.fail(dropped, dropped.nth > 0, "cancelled twice")
        # A part of an untied task may have ended before.
        ended = self.events[r.END].count(dropped.row, self.position[dropped.at]) > 0
        self.fail(dropped, ended & ~self.untied[dropped.row], "cancelled although it ran")

    def check_starts(self):
        start, ready = self.events[r.START], self.events[r.READY]
        row, at, column = start.row, start.at, self.trace.column
        now = self.position[at]
        self.fail(start, self.events[r.DROP].count(row, now) > 0, "ran although it was cancelled")
        self.fail(start, (start.nth > 0) & ~self.untied[row], "ran twice")
        readies = ready.count(row, now)
        direct = (column("flags")[at] & r.BEGUN_UNDEFERRED != 0) | (self.flags[row] & r.UNDEFERRED != 0)
        queued = (readies > 0) | ~direct
        if self.strict:
            self.fail(start, queued & (readies <= start.nth), "ran before it was ready")
        if not len(ready):
            return
        latest = ready.at[ready.latest(row, now)]
        where, place = column("flags")[latest], column("a")[latest]
        strict = queued & (readies > 0) & (where & r.STRICT != 0)
        thread, node = column("thread")[at], column("b")[at]
        where = where & r.WHERE_MASK
        self.fail(
            start,
            strict & (where == r.ON_THREAD) & (thread != place),
            lambda i: f"strict for thread {place[i]}, ran on thread {thread[i]}",
        )
        self.fail(
            start,
            strict & (where == r.ON_NODE) & (node != place),
            lambda i: f"strict for team node {place[i]}, ran on thread {thread[i]} of node {node[i]}",
        )

    def check_nesting(self):
        """Each thread ends the task that it is in."""
        if not self.knows_all:
            return
        at = self.trace.of_kind((r.START, r.END))
        at = at[np.lexsort((self.position[at], self.trace.writers[at]))]
        writer, task = self.trace.writers[at], self.trace.column("task")[at]
        starts = self.trace.column("kind")[at] == r.START
        depth = np.cumsum(np.where(starts, 1, -1))
        begin = begins_of(writer)
        depth -= depth[begin] - np.where(starts, 1, -1)[begin] if len(at) else 0
        level = np.where(starts, depth, depth + 1)
        order = np.lexsort((level, begin))
        # Of one level: a task begins, and it ends.
        fits = np.zeros(len(at), bool)
        before, now = order[:-1], order[1:]
        fits[now] = (
            starts[before] & (task[before] == task[now]) & (begin[before] == begin[now]) & (level[before] == level[now])
        )
        for first in np.unique(begin[~starts & ~fits]).tolist():
            mine = begin == first
            self.check_thread(at[mine], starts[mine].tolist(), task[mine])

    def check_thread(self, at, starts, task):
        """One that does not: which tasks are wrong."""
        stack, rows = [], self.numbers.row(task).tolist()
        what = f"ended in thread {self.trace.os_threads[int(self.trace.writers[at[0]])]}, which was not in it"
        for index, (begins, row) in enumerate(zip(starts, rows, strict=True)):
            if begins:
                stack.append(row)
            elif stack and stack[-1] == row:
                stack.pop()
            else:
                self.found.append((0, int(self.position[at[index]]), row, what))

    def check_ancestors(self):
        """Tasks that stay without a region have a circle of creators above them."""
        lost = np.flatnonzero((self.region < 0) & self.created)
        for row in lost[np.argsort(self.seen[lost])].tolist():
            way = {}
            while self.region[row] < 0 and row not in way:
                way[row] = None
                row = int(self.numbers.row(self.creator[[row]])[0])
            if row in way:
                self.found.append((1, int(self.seen[row]), row, "created by itself, or by a task that it created"))
            self.region[list(way)] = 0

    def check_ends(self):
        rows = np.flatnonzero(self.created)
        region, over = self.region[rows], self.ends_of(rows)
        left = (region > 0) & (over == NEVER)  # exit() in the region: tasks are left
        ended, started = self.ended[rows], self.started[rows]
        whole = started & (ended != NEVER)
        late = whole & (over != NEVER) & (ended > over) & (self.flags[rows] & r.DETACHABLE == 0)
        lost = ~whole & ~self.dropped[rows]
        for index in np.flatnonzero(~left & (late | lost)).tolist():
            row = int(rows[index])
            end = "its region" if region[index] else "the program"
            said = f"{end} has ended, but it never {'ended' if started[index] else 'ran'}"
            self.found.append((1, int(self.seen[row]), row, "ended after its region" if late[index] else said))

    def check_dependences(self):
        first, second = edges(self.trace, self.numbers, self.position)
        ready, ended = self.ready[second], self.ended[first]
        asked = (ready != NEVER) & ~self.dropped[first]
        over = self.ends_of(second)
        never = asked & (ended == NEVER) & (over != NEVER) & self.strict
        early = asked & (ended != NEVER) & (ended > ready)
        for index in np.flatnonzero(never | early).tolist():
            row, of = int(second[index]), f"task {self.numbers.numbers[first[index]]}, which it depends on"
            if early[index]:
                what = f"ready {ended[index] - ready[index]} ns before the end of {of}"
            else:
                what = f"ready, though {of}, has not ended"
            self.found.append((2, int(self.seen[row]), row, what))


def check(trace):
    """The faults of the trace, a line each, and how many tasks it has."""
    checker = Checker(trace)
    return checker.run(), len(checker.numbers)
