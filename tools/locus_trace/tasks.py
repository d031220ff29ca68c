"""All tasks of a trace, and where the data is that they name."""

import numpy as np

from . import reader as r
from .intervals import TASKS, begins_of, last_of

NEVER = -1  # a time
TO_THREAD, TO_NODE, TO_DATA = 1, 2, (3, 7)  # kinds of hints
WORD = 8  # bytes: an item of depend that is no larger may be a token, which says nothing of the data
BLOCKS = 8  # so many words, each far from all others, stand for the blocks that they begin


class Numbers:
    """A place in arrays for each of the numbers that occur: row() of them."""

    def __init__(self, numbers):
        self.numbers = np.unique(numbers)
        most = int(self.numbers[-1]) if len(self.numbers) else 0
        self._rows = None
        if most < 8 * len(self.numbers) + 1_000_000:
            self._rows = np.full(most + 2, -1)
            self._rows[self.numbers] = np.arange(len(self.numbers))

    def __len__(self):
        return len(self.numbers)

    def row(self, numbers):
        """The rows of an array of numbers, -1 for one that is not there."""
        if self._rows is not None:
            return self._rows[np.minimum(numbers, len(self._rows) - 1)]
        if not len(self.numbers):
            return np.full(len(numbers), -1)
        found = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[found] == numbers, found, -1)


class Tasks:
    """Arrays, an entry for each task, in the order of their numbers:

    number; creator: number; flags: of its creation; construct: index in labels; created, ready, start, end: ns, NEVER;
    where, index: where it was put; strict; by: thread that made it ready;
    writer, thread, node, team_node: of its first part; unbound, undeferred; took: ns in it, without what it waits for;
    stolen: how far from, -1 if it was not; hint, source: kinds; address, bytes: of its hint to data, else of the first
    thing that it writes, else names, by depend; data_node: OS node where this is when it begins, -1 if not known;
    touches_first: nobody has touched it before. Without intervals took is not there.
    """

    def __init__(self, trace, intervals=None):
        self.trace = trace
        at = trace.of_kind((r.CREATE, r.READY, r.START, r.END, r.DROP))
        self.numbers = Numbers(trace.column("task")[at])
        self.number = self.numbers.numbers
        self._read_creation()
        self._read_ready()
        self._read_parts()
        self._read_steals()
        self._read_hints()
        self.depends = Depends(trace, self.numbers)
        self.places = Places(trace)
        self._find_data()
        if intervals:
            inside = intervals.state == TASKS
            rows = self.numbers.row(intervals.owner[inside])
            self.took = np.bincount(rows, intervals.ns[inside], len(self)).astype(np.int64)

    def __len__(self):
        return len(self.number)

    def array(self, value, kind=np.int64):
        return np.full(len(self), value, kind)

    def first_of(self, kind):
        """The rows of all tasks with such a record, and the index of each one's first."""
        at = self.trace.of_kind(kind)
        rows = self.numbers.row(self.trace.column("task")[at])
        time = self.trace.column("ns")[at]
        order = np.lexsort((time, rows)) if len(np.unique(rows)) < len(rows) else np.argsort(rows)
        rows, at = rows[order], at[order]
        first = begins_of(rows) == np.arange(len(rows))
        first &= rows >= 0
        return rows[first], at[first]

    def _read_creation(self):
        column = self.trace.column
        rows, at = self.first_of(r.CREATE)
        self.created, self.creator, self.flags = self.array(NEVER), self.array(0), self.array(0)
        self.created[rows], self.creator[rows], self.flags[rows] = (
            column("ns")[at],
            column("a")[at],
            column("flags")[at],
        )
        self.creating_thread = self.array(r.NO_THREAD, np.int32)
        self.creating_thread[rows] = column("thread")[at]
        self.construct = self.array(0, np.int32)
        # Names are few; code is in the lower 47 bits.
        key = column("data")[at] | column("b")[at].astype(np.uint64) << np.uint64(48)
        values, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        self.labels = ["?"]
        known = {"?": 0}
        places = []
        for name, code in zip(column("b")[at[first]].tolist(), column("data")[at[first]].tolist(), strict=True):
            label = self.trace.construct(name, code)
            if label not in known:
                known[label] = len(self.labels)
                self.labels.append(label)
            places.append(known[label])
        if len(values):
            self.construct[rows] = np.array(places)[inverse.reshape(-1)]

    def _read_ready(self):
        column = self.trace.column
        rows, at = self.first_of(r.READY)
        self.ready = self.array(NEVER)
        self.where, self.index, self.by = (self.array(-1, np.int32) for _ in range(3))
        self.strict = self.array(False, bool)
        self.ready[rows], self.index[rows], self.by[rows] = column("ns")[at], column("a")[at], column("thread")[at]
        self.where[rows] = column("flags")[at] & r.WHERE_MASK
        self.strict[rows] = column("flags")[at] & r.STRICT != 0

    def _read_parts(self):
        column = self.trace.column
        rows, at = self.first_of(r.START)
        self.start, self.end, self.writer = self.array(NEVER), self.array(NEVER), self.array(0)
        self.thread, self.node, self.team_node = (self.array(-1, np.int32) for _ in range(3))
        self.unbound, self.undeferred = self.array(False, bool), self.array(False, bool)
        self.start[rows], self.writer[rows] = column("ns")[at], self.trace.writers[at]
        self.thread[rows], self.team_node[rows] = column("thread")[at], column("b")[at]
        self.node[rows] = self.trace.nodes_of(column("a")[at], column("thread")[at])
        self.unbound[rows] = column("flags")[at] & r.UNBOUND != 0
        self.undeferred[rows] = column("flags")[at] & r.BEGUN_UNDEFERRED != 0
        at = self.trace.of_kind(r.END)
        np.maximum.at(self.end, self.numbers.row(column("task")[at]), column("ns")[at])

    def _read_steals(self):
        """A thread begins next what it has stolen."""
        column = self.trace.column
        at = self.trace.of_kind((r.STEAL, r.START))
        kinds = column("kind")[at]
        stolen = np.zeros(len(at), bool)
        stolen[1:] = (kinds[1:] == r.START) & (kinds[:-1] == r.STEAL)
        stolen &= begins_of(self.trace.writers[at]) != np.arange(len(at))
        after = np.flatnonzero(stolen)
        self.stolen = self.array(-1)
        self.stolen[self.numbers.row(column("task")[at[after]])] = column("flags")[at[after - 1]]

    def _read_hints(self):
        column = self.trace.column
        rows, at = self.first_of(r.HINT)
        self.hint, self.source = self.array(0, np.uint8), self.array(0, np.int32)
        self.address, self.bytes = self.array(0, np.uint64), self.array(0)
        self.hint[rows], self.source[rows] = column("flags")[at] & 0x7F, column("b")[at]
        data = np.isin(self.hint[rows], TO_DATA)
        self.address[rows[data]], self.bytes[rows[data]] = column("data")[at[data]], column("a")[at[data]]

    def named(self):
        """All that tasks name by hints to data and by depend: arrays of rows, addresses, bytes. What is in both counts once."""
        depends = self.depends
        hinted = np.flatnonzero(np.isin(self.hint, TO_DATA))
        others = ~np.isin(self.hint[depends.row], TO_DATA) | (depends.address != self.address[depends.row])
        others &= depends.are_data
        return (
            np.append(depends.row[others], hinted),
            np.append(depends.address[others], self.address[hinted]),
            np.append(depends.bytes[others], self.bytes[hinted]),
        )

    def _find_data(self):
        """By the hint; else by what it writes; else by what it names."""
        depends = self.depends
        for writes in (True, False):
            chosen = np.flatnonzero(depends.are_data & (depends.writes == writes) & (self.address[depends.row] == 0))
            rows = depends.row[chosen][::-1]  # of several the first one
            self.address[rows], self.bytes[rows] = depends.address[chosen][::-1], depends.bytes[chosen][::-1]
        begun = np.where(self.start >= 0, self.start, self.created)
        self.data_node = self.places.node_of(self.address, begun)
        # Who says where a task belongs need not mean its dependences by that.
        self.data_node[np.isin(self.hint, (TO_THREAD, TO_NODE))] = -1
        # What the task itself was asked for is sure.
        at = self.trace.of_kind(r.DATA_NODE)
        at = at[self.trace.column("a")[at] != r.NO_NODE]
        rows = self.numbers.row(self.trace.column("task")[at])
        self.data_node[rows[rows >= 0]] = self.trace.column("a")[at[rows >= 0]]
        self.touches_first = (self.data_node >= 0) & self.places.untouched(self.address, begun)


class Depends:
    """Arrays, an entry for each item of a depend clause, of a task the first one first: row of the task, address, bytes,
    writes; are_data: it is more than a token, as far as anybody can know.
    """

    def __init__(self, trace, numbers):
        at = trace.of_kind(r.DEPEND)
        flags = trace.column("flags")[at]
        row = numbers.row(trace.column("task")[at])
        at, flags, row = (array[(flags & 0x80 == 0) & (row >= 0)] for array in (at, flags, row))
        self.row, self.address = row, trace.column("data")[at]
        self.bytes = trace.column("a")[at] | trace.column("b")[at].astype(np.int64) << 32
        self.writes = flags != 1
        self.are_data = (self.bytes > WORD) | self._begin_blocks(trace.page_bytes())

    def _begin_blocks(self, page):
        """Words of which no other one is within a page."""
        words = np.unique(self.address[self.bytes <= WORD])
        far = np.diff(words) >= page
        alone = words[np.append(True, far) & np.append(far, True)] if len(words) else words
        return np.isin(self.address, alone if len(alone) >= BLOCKS else ())


class Places:
    """Where data was, by what the runtime has asked the kernel. Arrays, an entry for each answer, by address and time:
    address, ns, node (-1: nobody had touched it, or it is not known), pages: how many were asked; on_node: how many of
    them were there.
    """

    def __init__(self, trace):
        at = trace.of_kind((r.DATA_NODE, r.DEPEND_NODE))
        order = np.lexsort((trace.column("ns")[at], trace.column("data")[at]))
        at = at[order]
        self.at = at
        self.address, self.ns = trace.column("data")[at], trace.column("ns")[at]
        node = trace.column("a")[at].astype(np.int64)
        self.node = np.where(node == r.NO_NODE, -1, node)
        self.pages, self.on_node = trace.column("b")[at] >> 16, trace.column("b")[at] & 0xFFFF
        known = self.node >= 0
        self._address, self._ns, self._node = self.address[known], self.ns[known], self.node[known]
        self._ids = np.unique(self._address)
        self._span = int(trace.column("ns").max()) + 1 if len(trace) else 1
        self._keys = np.searchsorted(self._ids, self._address) * self._span + self._ns

    def node_of(self, address, ns):
        """The node of each address at that time: by the last answer before, else by the first one behind; -1."""
        if not len(self._keys):
            return np.full(len(address), -1)
        place = np.minimum(np.searchsorted(self._ids, address), len(self._ids) - 1)
        found = self._last_before(self._keys, place, ns)
        behind = np.minimum(found + 1, len(self._keys) - 1)
        found = np.where((found >= 0) & (self._address[found] == address), found, behind)
        return np.where(self._address[found] == address, self._node[found], -1)

    def _last_before(self, keys, place, ns):
        """The last answer for an address (a place in _ids) or one in front of it, up to that time; -1."""
        return np.searchsorted(keys, place * self._span + np.maximum(ns, 0), side="right") - 1

    def untouched(self, address, ns):
        """Whether nobody had touched the address yet when the kernel was asked last before that time."""
        if not len(self._keys):
            return np.zeros(len(address), bool)
        place = np.minimum(np.searchsorted(self._ids, address), len(self._ids) - 1)
        known = np.isin(self.address, self._ids)
        keys = np.searchsorted(self._ids, self.address[known]) * self._span + self.ns[known]
        found = self._last_before(keys, place, ns)
        return (found >= 0) & (self.address[known][found] == address) & (self.node[known][found] < 0)


def releasers(trace):
    """For the first records of READY of all tasks: indices of the records, and the numbers of the tasks whose end made
    them ready; 0 if none did.
    """
    at = trace.of_kind((r.READY, r.END, r.CREATE, r.START))
    kinds = trace.column("kind")[at]
    last = last_of(kinds != r.READY, begins_of(trace.writers[at]))
    ready = np.flatnonzero(kinds == r.READY)
    before = last[ready]
    by_end = (before >= 0) & (kinds[before] == r.END)
    return at[ready], np.where(by_end, trace.column("task")[at[before]], 0)
