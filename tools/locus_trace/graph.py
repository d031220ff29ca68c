"""Which tasks wait for which, by what their depend clauses name. Children of one task wait for each other, in the order of their creation."""

import numpy as np

from . import reader as r
from .intervals import begins_of
from .reader import index_type

ALL_MEMORY = 0x80
IN, MUTEX, SET = 1, 4, 8  # kinds of items; all others are alike: out


class Family:
    """Arrays, an entry for each task with dependences, those with the same creator one behind the other, as they were
    created: row; part: they are cut in parts by omp_all_memory; head: of each part the entry of the task that begins it,
    -1 for a family's first one.
    """

    def __init__(self, rows, firsts, creators, for_all):
        order = np.lexsort((firsts, creators))
        self.row, self.creator, self.for_all = rows[order], creators[order], for_all[order]
        new = begins_of(self.creator) == np.arange(len(order))
        self.part = np.cumsum(new | self.for_all) - 1
        begin = np.flatnonzero(begins_of(self.part) == np.arange(len(order)))
        self.head = np.where(self.for_all[begin], begin, -1)

    def pairs(self):
        """With omp_all_memory a task waits for all since the last one that had it, and all behind wait for it."""
        here = np.arange(len(self.row))
        head = np.append(self.head, -1)
        mine, following = head[self.part], head[self.part + 1]
        # The part behind a family's last one is another family's.
        inside, before = (mine >= 0) & (mine != here), following >= 0
        before[before] = self.creator[here[before]] == self.creator[following[before]]
        return (
            np.concatenate((mine[inside], here[before])),
            np.concatenate((here[inside], following[before])),
        )


def pairs_of_items(entry, part, address, kind):
    """Pairs of entries: items of one address in the order of entries. Equal modes form a group, an out is one by itself; each
    of a group waits for all of the group before.
    """
    mode = np.where(np.isin(kind, (IN, MUTEX, SET)), kind, 0).astype(np.uint8)
    order = np.lexsort((mode, entry, address, part))
    entry, part, address, mode = entry[order], part[order], address[order], mode[order]
    del order
    if not len(entry):
        return entry, entry
    new_cell = np.ones(len(entry), bool)
    new_cell[1:] = (part[1:] != part[:-1]) | (address[1:] != address[:-1])
    del part, address
    new_group = new_cell | (mode == 0)
    new_group[1:] |= mode[1:] != mode[:-1]
    begin = np.flatnonzero(new_group).astype(entry.dtype)
    size = np.diff(np.append(begin, entry.dtype.type(len(entry))))
    group = np.cumsum(new_group, dtype=entry.dtype) - 1
    # How many each item waits for: the group before, unless it is of another address.
    waits = np.where(new_cell[begin], 0, np.append(0, size[:-1]))[group]
    second = np.repeat(np.arange(len(entry), dtype=entry.dtype), waits)
    # Of the group before one after the other.
    first = begin[group[second] - 1] - np.repeat(np.cumsum(waits) - waits, waits)
    first += np.arange(len(second))
    return entry[first], entry[second]


def edges(trace, numbers, position):
    """Two arrays of rows of numbers: the second task waits for the first one. Each pair is there once. position: that of each
    record in the order of time.
    """
    at = trace.of_kind(r.DEPEND)
    at = at[np.argsort(position[at], kind="stable")]
    small = index_type(len(trace))
    row = numbers.row(trace.column("task")[at]).astype(small)
    at, row = at[row >= 0].astype(small), row[row >= 0]
    flags, address = trace.column("flags")[at], trace.column("data")[at]
    rows, first = np.unique(row, return_index=True)
    creators = np.zeros(len(numbers), np.int64)
    created = trace.of_kind(r.CREATE)
    creators[numbers.row(trace.column("task")[created])] = trace.column("a")[created]
    for_all = np.zeros(len(numbers), bool)
    for_all[row[flags & ALL_MEMORY != 0]] = True
    family = Family(rows, first, creators[rows], for_all[rows])
    entry_of = np.zeros(len(numbers), small)
    entry_of[family.row] = np.arange(len(family.row), dtype=small)
    plain = ~for_all[row]
    entry = entry_of[row[plain]]
    address, flags = address[plain], flags[plain]
    del at, row, plain, entry_of
    pairs = family.pairs(), pairs_of_items(entry, family.part[entry].astype(small), address, flags)
    del entry, address, flags
    before, behind = (family.row[np.concatenate(side)] for side in zip(*pairs, strict=True))
    keys = np.unique((before.astype(np.int64) << 32 | behind)[before != behind])
    return keys >> 32, keys & 0xFFFFFFFF
