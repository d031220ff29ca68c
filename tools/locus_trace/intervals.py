"""What each thread was in, from each of its records to the next one."""

import numpy as np

from . import reader as r
from .reader import index_type

OUTSIDE, TASKS, CREATING, WAITING, SEARCHING, SLEEPING = range(6)
STATES = ("outside", "tasks", "creating", "waiting", "searching", "sleeping")

RELEVANT = (
    r.REGION,
    r.REGION_END,
    r.IMPLICIT,
    r.IMPLICIT_END,
    r.CREATE,
    r.START,
    r.END,
    r.WAIT,
    r.WAIT_END,
    r.SEARCH,
    r.SEARCH_END,
    r.SLEEP,
    r.AWAKE,
)


def by_kind(default, values):
    """A table of 256 numbers, for the kinds of records."""
    table = np.full(256, default)
    for kind, value in values.items():
        table[kind] = value
    return table


DEPTHS = by_kind(0, {r.START: 1, r.WAIT: 1, r.END: -1, r.WAIT_END: -1})
# What the thread is in from such a record on, as long as nothing is nested in it. IMPLICIT_END: it waits for the region's end.
OPENS = by_kind(-1, {r.START: TASKS, r.IMPLICIT: CREATING, r.WAIT: WAITING, r.IMPLICIT_END: WAITING})
SEARCHES = by_kind(-1, {r.SEARCH: 1, r.SEARCH_END: 0, r.IMPLICIT: 0, r.START: 0, r.WAIT_END: 0})
SLEEPS = by_kind(-1, {r.SLEEP: 1, r.AWAKE: 0, r.IMPLICIT: 0, r.START: 0, r.WAIT_END: 0})


def last_of(valid, group_begin):
    """For each position the last one up to there at which valid is true, -1 if there is none since group_begin."""
    here = np.arange(len(valid))
    last = np.maximum.accumulate(np.where(valid, here, -1)) if len(valid) else here
    return np.where(last >= group_begin, last, -1)


def begins_of(keys):
    """For each position the first one of the run of equal keys that it is in."""
    here = np.arange(len(keys))
    new = np.ones(len(keys), bool)
    new[1:] = keys[1:] != keys[:-1]
    return np.maximum.accumulate(np.where(new, here, 0)) if len(keys) else here


class Intervals:
    """Arrays, an entry for each interval, a writer behind the other, each in the order of time:

    at: index of the record that begins it; begin, ns: when, and how long; writer;
    state: TASKS, ... OUTSIDE; owner: of TASKS and CREATING the task, of a wait who waits, 0 outside and behind the end of
    an implicit task; top: position in these arrays of the interval that began what it is in, -1 outside;
    node: OS node that the thread is on, -1 if not known yet.
    """

    def __init__(self, trace):
        kinds = trace.column("kind")
        relevant = by_kind(0, dict.fromkeys(RELEVANT, 1)).astype(bool)[kinds]
        # A region of one thread has no end that is recorded.
        relevant &= ~((kinds == r.IMPLICIT) & (trace.column("a") == 0))
        self.at = np.flatnonzero(relevant).astype(index_type(len(kinds)))
        self.kind = kinds[self.at]
        self.writer = trace.writers[self.at]
        self.begin = trace.column("ns")[self.at]
        self.of_writer = begins_of(self.writer).astype(self.at.dtype)
        self._find_tops(trace)
        self._find_states(trace)
        self._find_nodes(trace)
        self._find_lengths(trace)

    def _find_tops(self, trace):
        depth = self._depths(trace)
        # Behind a record the thread is in what was opened last at this depth.
        most = int(depth.max()) + 1 if len(depth) else 1
        key = self.of_writer.astype(np.int64) * most + depth
        order = np.argsort(key, kind="stable")
        last = last_of(OPENS[self.kind[order]] >= 0, begins_of(key[order]))
        self.top = np.full(len(order), -1, self.at.dtype)
        self.top[order] = np.where(last >= 0, order[last], -1)
        self.top[depth == 0] = -1

    def _depths(self, trace):
        change = DEPTHS[self.kind]
        regions = np.flatnonzero(np.isin(self.kind, (r.IMPLICIT, r.IMPLICIT_END, r.REGION_END)))
        kind, region = self.kind[regions], trace.column("a")[self.at[regions]]
        before = np.roll(kind, 1)
        before[begins_of(self.writer[regions]) == np.arange(len(regions))] = 0
        waits = before == r.IMPLICIT_END
        # The next implicit task takes the place of the wait for the end of the one before. A primary thread sees that end.
        change[regions[(kind == r.IMPLICIT) & ~waits]] = 1
        change[regions[(kind == r.REGION_END) & waits & (region == np.roll(region, 1))]] = -1
        depth = np.cumsum(change)
        begin = self.of_writer
        depth -= depth[begin] - change[begin] if len(depth) else 0
        # What ends without having begun, as in a forked child, changes nothing.
        if len(depth) and depth.min() < 0:
            big = len(depth) + 1
            writers = np.cumsum(begin == np.arange(len(depth)))
            depth -= np.minimum.accumulate(np.minimum(depth, 0) - writers * big) + writers * big
        return depth

    def _find_states(self, trace):
        inside = self.top >= 0
        opener = np.where(inside, self.kind[self.top], 0)
        self.state = np.where(inside, OPENS[opener], OUTSIDE).astype(np.int8)
        self.ends_region = opener == r.IMPLICIT_END
        task = trace.column("task")[self.at]
        self.owner = np.where(inside & ~self.ends_region, task[self.top], 0)
        waiting = self.state == WAITING
        for table, state in ((SEARCHES, SEARCHING), (SLEEPS, SLEEPING)):
            value = table[self.kind]
            last = last_of(value >= 0, self.of_writer)
            self.state[waiting & (last >= 0) & (value[last] == 1)] = state

    def _find_nodes(self, trace):
        """OS nodes: from what the last part of a task or region on this thread says."""
        says = np.isin(self.kind, (r.START, r.IMPLICIT))
        at = self.at[says]
        cpus = np.where(self.kind[says] == r.START, trace.column("a")[at], trace.column("b")[at])
        nodes = np.full(len(self.at), -1)
        nodes[says] = trace.nodes_of(cpus, trace.column("thread")[at])
        last = last_of(says, self.of_writer)
        self.node = np.where(last >= 0, nodes[last], -1).astype(np.int32)

    def _find_lengths(self, trace):
        """Until the thread's next record; of a wait for the end of a region, until that."""
        end = np.empty_like(self.begin)
        end[:-1] = self.begin[1:]
        time = trace.column("ns")
        if len(end):
            is_last = np.append(self.writer[1:] != self.writer[:-1], True)
            end[is_last] = trace.ends(self.writer[is_last])
        ends = trace.of_kind(r.REGION_END)
        ended = dict(zip(trace.column("a")[ends].tolist(), time[ends].tolist(), strict=True))
        waits = np.flatnonzero(self.ends_region)
        regions = trace.column("a")[self.at[self.top[waits]]]
        values, inverse = np.unique(regions, return_inverse=True)
        forever = np.iinfo(np.int64).max
        until = np.array([ended.get(region, forever) for region in values.tolist()], np.int64)
        if len(waits):
            end[waits] = np.minimum(end[waits], until[inverse.reshape(-1)])
        self.ns = np.maximum(end - self.begin, 0)
