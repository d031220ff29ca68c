"""The longest chain of tasks: for each task how much work lies on the longest way to its end."""

from array import array

import numpy as np

from . import reader as r
from .intervals import CREATING, TASKS, begins_of
from .tasks import Numbers, releasers

NOWHERE = -1  # a step
KINDS = (r.REGION, r.REGION_END, r.IMPLICIT, r.IMPLICIT_END, r.CREATE, r.READY, r.END, r.WAIT_END)


class Paths:
    """work, longest: ns. A chain goes from task to task by creation, by the dependence that was met last, and by
    taskwait. chain(): the tasks of the longest one.
    """

    def __init__(self, trace, intervals):
        self.work = self.longest = 0
        working = np.isin(intervals.state, (TASKS, CREATING))
        self._measure(intervals, np.flatnonzero(working))
        self._go(self._events(trace, intervals))

    def _measure(self, intervals, at):
        """How long each owner has worked before each of its intervals, and in all."""
        at = at[np.argsort(intervals.begin[at], kind="stable")]
        at = at[np.argsort(intervals.owner[at], kind="stable")]
        ns = intervals.ns[at]
        total = np.cumsum(ns)
        self.work = int(total[-1]) if len(total) else 0
        begin = begins_of(intervals.owner[at])
        base = (total - ns)[begin]
        self.before = np.zeros(len(intervals.at), np.int64)
        self.before[at] = total - ns - base
        last = np.append(begin[1:] != begin[:-1], True) if len(at) else np.zeros(0, bool)
        self.owners, self.totals = intervals.owner[at[last]], (total - base)[last]

    def _events(self, trace, intervals):
        """Lists, an entry for each step in the order of time: kind, task (row), other, ns."""
        at = trace.of_kind(KINDS)
        column = trace.column
        other = column("a")[at].astype(np.int64)
        ready, by = releasers(trace)
        before = np.zeros(len(trace), np.int64)
        before[intervals.at] = self.before
        others = np.zeros(len(trace), np.int64)
        others[ready] = by
        kinds = column("kind")[at]
        other = np.where(kinds == r.READY, others[at], other)
        keep = (kinds != r.READY) | (other != 0)
        at, kinds, other = at[keep], kinds[keep], other[keep]
        is_task = np.isin(kinds, (r.CREATE, r.READY))
        task = column("task")[at]
        self.numbers = Numbers(
            np.concatenate((task, other[is_task].astype(task.dtype), self.owners.astype(task.dtype)))
        )
        task = self.numbers.row(task)
        other[is_task] = self.numbers.row(other[is_task])
        order = np.argsort(column("ns")[at], kind="stable")
        return [array[order].tolist() for array in (kinds, task, other, before[at])]

    def _go(self, events):
        size = len(self.numbers)
        size += 1  # row -1 is nobody
        base = [0] * size  # the longest way to where it is, without its own work
        last = [0] * size  # the longest way to its end
        children = [0] * size  # the longest way to the end of a child
        creator = [-1] * size
        known = [False] * size
        totals = np.zeros(size, np.int64)
        totals[self.numbers.row(self.owners)] = self.totals
        total = totals.tolist()
        regions, parents = {}, {}
        longest = 0
        steps = self._steps = Steps(size)
        at, ended, child, region_at = steps.at, steps.ended, steps.child, steps.region_at
        for kind, task, other, ns in zip(*events, strict=True):
            if kind == r.CREATE:
                creator[task] = other
                known[task] = True
                base[task] = base[other] + ns
                at[task] = steps.step(task, at[other])
            elif kind == r.END:
                length = last[task] = base[task] + total[task]
                ended[task] = at[task]
                if length > longest:
                    longest, steps.longest = length, at[task]
                parent = creator[task]
                if length > children[parent]:
                    children[parent], child[parent] = length, at[task]
            elif kind == r.READY:
                if last[other] > base[task] and other != creator[task]:
                    base[task] = last[other]
                    at[task] = steps.step(task, ended[other])
            elif kind == r.WAIT_END:
                if children[task] - ns > base[task]:
                    base[task] = children[task] - ns
                    at[task] = steps.step(task, child[task])
            elif kind == r.REGION:
                # Outside of all tasks: behind everything.
                parents[other] = task
                regions[other] = base[task] + ns if known[task] else longest
                region_at[other] = at[task] if known[task] else steps.longest
            elif kind == r.IMPLICIT:
                known[task] = True
                base[task] = regions.get(other, 0)
                at[task] = steps.step(task, region_at.get(other, NOWHERE))
            elif kind == r.IMPLICIT_END:
                length = base[task] + total[task]
                if length > longest:
                    longest, steps.longest = length, at[task]
                if length > regions.get(other, 0):
                    regions[other], region_at[other] = length, at[task]
            elif other in parents:  # the end of a region
                task = parents[other]
                if regions[other] - ns > base[task]:
                    base[task] = regions[other] - ns
                    at[task] = steps.step(task, region_at[other])
        self.longest = longest

    def chain(self):
        """The numbers of the tasks of the longest chain, implicit ones too, the first one first."""
        rows = self._steps.way()
        return self.numbers.numbers[rows]


class Steps:
    """How the longest way to a place in a task came there: of each step its task, and the step before. at: of each task the step that
    it is in; ended, child: those of its end, and of the end of its child with the longest way; region_at: of regions.
    """

    def __init__(self, size):
        self.task, self.before = array("q"), array("q")
        self.at, self.ended, self.child = ([NOWHERE] * size for _ in range(3))
        self.region_at, self.longest = {}, NOWHERE

    def step(self, task, before):
        self.task.append(task)
        self.before.append(before)
        return len(self.task) - 1

    def way(self):
        """Rows of tasks, each once in a row."""
        found, step = [], self.longest
        while step != NOWHERE:
            task = self.task[step]
            if task >= 0 and (not found or found[-1] != task):
                found.append(task)
            step = self.before[step]
        return found[::-1]
