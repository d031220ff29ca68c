"""A trace as TrackEvent packets of Perfetto: NUMA nodes as processes, threads as tracks, parts of tasks as slices. The numbers of
fields are those of perfetto_trace.proto.
"""

import numpy as np

from . import progress
from . import protobuf as p
from . import reader as r
from .brackets import BLOCK, NOTHING, POP, Brackets
from .graph import edges
from .intervals import begins_of
from .tasks import Tasks

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
STARTS_ANEW, NEEDS_STATE = 1, 2
# Tracks have numbers: writers their own, of 32 bits; then nodes, and each one's counters.
NODE_UUID = 1 << 32
COUNT, BYTES = 2, 3  # units
# Counters of a node: what they are called, their unit, and the first number of their tracks.
QUEUED, REMOTE = ("tasks in queues", COUNT, 2 << 32), ("bytes from other nodes", BYTES, 3 << 32)
CATEGORIES = ("task", "region", "wait", "search", "steal")
ANNOTATIONS = ("task", "cpu", "victim", "distance")
CATEGORY_OF = {r.START: 1, r.IMPLICIT: 2, r.WAIT: 3, r.SEARCH: 4, r.SLEEP: 4, r.STEAL: 5, r.CREATE: 5}
NOTES = {
    r.START: ((1, "task"), (2, "a")),
    r.STEAL: ((3, "a"), (4, "flags")),
}  # of a kind of records: numbers of annotations, fields
SHOWN = (*CATEGORY_OF, r.END, r.IMPLICIT_END, r.WAIT_END, r.SEARCH_END, r.AWAKE)


class Packets:
    """Arrays, an entry for each packet of a table: time, kind, track; at: its record, -1 for a counter; value of a counter."""

    def __init__(self, time, kind, track, at=-1, value=0):
        size = len(time)
        self.time, self.track = time, track
        self.kind = np.broadcast_to(np.uint8(kind), size)
        self.at, self.value = np.broadcast_to(at, size), np.broadcast_to(np.int64(value), size)

    @staticmethod
    def joined(tables):
        """All of them in the order of time; at the same time those of the table that comes first."""
        order = np.argsort(np.concatenate([table.time for table in tables]), kind="stable")
        columns = []
        for name in ("time", "kind", "track", "at", "value"):  # one after the other: together they are large
            columns.append(np.concatenate([getattr(table, name) for table in tables])[order])
            for table in tables:
                delattr(table, name)
        return Packets(*columns)


class Arrows:
    """For each end of an arrow a record and the arrow's number, by record: what packets of records have."""

    def __init__(self, records, numbers):
        order = np.argsort(records, kind="stable")
        self.records, self.numbers = records[order], numbers[order]

    def counts(self, at):
        """Where the arrows of these records begin, and how many each has."""
        first = np.searchsorted(self.records, at)
        return first, np.searchsorted(self.records, at, side="right") - first


class Writer:
    """Writes the packets of a process: a sequence of its own for each process of a merged trace."""

    def __init__(self, trace, out, index=0):
        self.trace, self.out, self.sequence = trace, out, index + 1
        self.first_node = index << 16  # of this process' numbers for nodes
        self.position = trace.positions()
        self.tasks = Tasks(trace)
        self.names, self.name_of = ["created", "steal", "searching", "sleeping", *r.WAITS], {}
        self.find_records()
        self.find_stolen()

    def find_records(self):
        """at: all that are shown, thread by thread: each from its first region or task on."""
        column = self.trace.column
        at = self.trace.of_kind(SHOWN)
        at = at[np.lexsort((self.position[at], self.trace.writers[at]))]
        kinds = column("kind")[at]
        serial = np.isin(kinds, (r.IMPLICIT, r.IMPLICIT_END)) & (column("a")[at] == 0)
        at, kinds = at[~serial], kinds[~serial]
        writers = self.trace.writers[at]
        begin = begins_of(writers)
        opens = np.isin(kinds, (r.START, r.IMPLICIT))
        known = np.cumsum(opens) - (np.cumsum(opens) - opens)[begin] if len(at) else np.zeros(0, int)
        self.at, kinds = at[known > 0], kinds[known > 0]
        self.brackets = Brackets(self.trace, self.at)
        first = np.flatnonzero(begins_of(self.trace.writers[self.at]) == np.arange(len(self.at)))
        self.threads = self.at[first]  # the record that begins each track

    def find_stolen(self):
        """Rows of tasks that a thief began: these have an arrow from their creation."""
        self.is_stolen = self.tasks.stolen >= 0
        at = self.trace.of_kind(r.CREATE)
        self.shows_creation = np.zeros(len(self.trace), bool)
        self.shows_creation[at[self.is_stolen[self.tasks.numbers.row(self.trace.column("task")[at])]]] = True

    def packets_of_records(self):
        """What each record ends and begins."""
        brackets, time, writers = self.brackets, self.trace.column("time"), self.trace.writers
        kinds = self.trace.column("kind")[self.at]
        kind = np.where(brackets.does == NOTHING, INSTANT, BEGIN)
        begins = (brackets.does != POP) & ((kinds != r.CREATE) | self.shows_creation[self.at])
        # The ends come before the beginning of the same record; of several the last one is the record's own.
        count = brackets.closes + begins
        order = np.argsort(self.position[self.at], kind="stable")
        index = np.repeat(order, count[order])
        nth = np.arange(len(index)) - np.repeat(np.cumsum(count[order]) - count[order], count[order])
        ends = nth < brackets.closes[index]
        own = ~ends | ((nth == brackets.closes[index] - 1) & (begins[index] == 0))
        at = self.at[index]
        return Packets(time[at], np.where(ends, END, kind[index]), writers[at].astype(np.uint64), np.where(own, at, -1))

    def packets_at_end(self):
        """Ends of what a trace that is cut leaves open."""
        at = self.at[np.repeat(list(self.brackets.left), list(self.brackets.left.values())).astype(int)]
        last = np.searchsorted(self.trace.writers, self.trace.writers[at], side="right") - 1
        return Packets(self.trace.column("time")[last], END, self.trace.writers[at].astype(np.uint64))

    def counters(self):
        """A task is in a queue from the moment that it is ready until it begins, and counts for the node that it begins on."""
        tasks = self.tasks
        queued = (tasks.ready >= 0) & (tasks.start >= 0) & (tasks.where != r.THROTTLED) & ~tasks.undeferred
        one = np.ones(int(queued.sum()), np.int64)
        times, nodes = np.append(tasks.ready[queued], tasks.start[queued]), np.tile(tasks.node[queued], 2)
        yield from self.steps(QUEUED, times, nodes, np.append(one, -one))
        row, address, size = tasks.named()
        data = tasks.places.node_of(address, tasks.start[row])
        remote = (data >= 0) & (tasks.start[row] >= 0) & (data != tasks.node[row])
        yield from self.steps(REMOTE, tasks.start[row[remote]], tasks.node[row[remote]], size[remote])

    def steps(self, counter, times, nodes, changes):
        """The values of a counter for each node: the sum of all changes so far. Describes its tracks."""
        name, unit, first = counter
        began = int(self.trace.column("time").min()) if len(self.trace) else 0
        for node in np.unique(nodes).tolist():
            self.add_node(node)
            uuid = first + self.first_node + node
            parent = p.number(5, NODE_UUID + self.first_node + node)
            self.add_track(p.number(1, uuid), p.text(2, name), parent, p.message(8, p.number(3, unit)))
            mine = np.flatnonzero(nodes == node)
            mine = mine[np.argsort(times[mine], kind="stable")]
            when, values = times[mine], np.cumsum(changes[mine])
            last = np.append(when[1:] != when[:-1], True)  # of several changes at one time
            track = np.broadcast_to(np.uint64(uuid), int(last.sum()))
            yield Packets((when[last] + began).astype(np.uint64), COUNTER, track, value=values[last])

    def find_arrows(self, packets):
        """From the end of a task to the beginning of one that depends on it, and from the creation of a task to its thief; both ends
        must be there, the first one first.
        """
        size = len(self.tasks)
        shown, kinds = packets.at[packets.at >= 0], self.trace.column("kind")
        records = []
        for kind in (r.END, r.START, r.CREATE):
            at = shown[kinds[shown] == kind][::-1]  # of several the first one
            records.append(np.full(size, -1))
            records[-1][self.tasks.numbers.row(self.trace.column("task")[at])] = at
        end, start, create = records
        first, second = self.pairs
        stolen = np.flatnonzero(self.is_stolen)
        begin = np.append(end[first], create[stolen])
        target = np.append(start[second], start[stolen])
        number = np.append(np.arange(len(first)) + (self.sequence << 32), self.tasks.number[stolen].astype(np.int64))
        drawn = (begin >= 0) & (target >= 0) & (self.position[begin] < self.position[target])
        self.out_of, self.into = (Arrows(side[drawn], number[drawn]) for side in (begin, target))

    def run(self):
        self.nodes = set()
        self.pairs = edges(self.trace, self.tasks.numbers, self.position)
        self.find_names()
        self.add_state()
        for at in self.threads.tolist():
            self.add_thread(at)
        tables = [*self.counters(), self.packets_of_records(), self.packets_at_end()]
        packets = Packets.joined(tables)
        del tables
        self.find_arrows(packets)
        for first in range(0, len(packets.time), BLOCK):
            progress.show("writing", first / len(packets.time))
            self.write_block(packets, slice(first, first + BLOCK))

    def find_names(self):
        """Numbers of texts: those of the constructs, in the order of labels, then regions."""
        self.first_label = len(self.names) + 1
        self.names += self.tasks.labels
        at = self.trace.of_kind(r.IMPLICIT)
        self.regions = np.unique(self.trace.column("a")[at])
        self.first_region = len(self.names) + 1
        self.names += [f"region {region}" for region in self.regions.tolist()]

    def names_of(self, at):
        """The number of the name of what each record begins."""
        column = self.trace.column
        kinds, task = column("kind")[at], column("task")[at]
        found = np.ones(len(at), np.int64)  # created
        found[kinds == r.STEAL], found[kinds == r.SEARCH], found[kinds == r.SLEEP] = 2, 3, 4
        waits = kinds == r.WAIT
        found[waits] = 5 + column("flags")[at[waits]] % len(r.WAITS)
        starts = kinds == r.START
        found[starts] = self.first_label + self.tasks.construct[self.tasks.numbers.row(task[starts])]
        regions = kinds == r.IMPLICIT
        found[regions] = self.first_region + np.searchsorted(self.regions, column("a")[at[regions]])
        return found

    def write(self, *fields):
        """A single packet."""
        parts = p.message(1, p.number(10, self.sequence), *fields)
        self.out.write(b"".join(parts))

    def add_state(self):
        texts = (field_of(number, list_) for number, list_ in ((1, CATEGORIES), (2, self.names), (3, ANNOTATIONS)))
        self.write(p.number(13, STARTS_ANEW | NEEDS_STATE), p.message(12, *texts))

    def add_track(self, *fields):
        self.write(p.message(60, *fields))

    def add_node(self, node):
        if node in self.nodes:
            return
        self.nodes.add(node)
        whose = f"{self.trace.label}, " if self.trace.label else ""
        name = f"{whose}node {self.trace.node_name(node)}"
        process = p.message(3, p.number(1, self.first_node + node + 1), p.text(6, name))
        self.add_track(p.number(1, NODE_UUID + self.first_node + node), process)

    def add_thread(self, at):
        """The thread belongs to the node that it runs on first."""
        column = self.trace.column
        writer, thread = int(self.trace.writers[at]), int(column("thread")[at])
        cpu = int(column("a" if column("kind")[at] == r.START else "b")[at])
        node = self.trace.node_of(cpu, thread)
        self.add_node(node)
        # Threads of two hosts may have the same number.
        one_host = len(self.trace.machine.get("hosts", ())) < 2
        tid = self.trace.os_threads[writer] if one_host else writer
        fields = p.number(1, self.first_node + node + 1), p.number(2, tid), p.text(5, f"thread {thread}")
        self.add_track(p.number(1, writer), p.message(4, *fields))

    def write_block(self, packets, part):
        """Packets of the same shape are made at once: of one kind and category, with as many arrows."""
        time, kind, track, at, value = (
            getattr(packets, name)[part] for name in ("time", "kind", "track", "at", "value")
        )
        own = at >= 0
        record = np.where(own & (kind != END), self.trace.column("kind")[at], 0).astype(np.int64)
        (first_out, outs), (first_in, ins) = self.out_of.counts(at), self.into.counts(at)
        outs, ins = np.where(own, outs, 0), np.where(own, ins, 0)
        _, shape = np.unique((outs << 20 | ins) << 16 | record << 8 | kind, return_inverse=True)
        shape = shape.reshape(-1)
        lines, sizes = [], np.zeros(len(time), np.int64)
        for number in range(int(shape.max()) + 1):
            mine = np.flatnonzero(shape == number)
            one = mine[0]
            fields = [p.number(9, int(kind[one])), p.number(11, track[mine])]
            if kind[one] == COUNTER:
                fields.append(p.number(30, value[mine]))
            if record[one]:
                fields += self.describe(at[mine], int(record[one]))
            for field, arrows, first, count in ((47, self.out_of, first_out, outs), (48, self.into, first_in, ins)):
                fields += [p.fixed64(field, arrows.numbers[first[mine] + turn]) for turn in range(count[one])]
            packet = p.message(
                1,
                p.number(8, time[mine]),
                p.number(10, self.sequence),
                p.number(13, NEEDS_STATE),
                p.message(11, *fields),
            )
            lines.append((mine, p.rows(packet, len(mine))))
            sizes[mine] = lines[-1][1].shape[1]
        begin = np.cumsum(sizes) - sizes
        data = np.empty(int(sizes.sum()), np.uint8)
        for mine, made in lines:
            data[begin[mine][:, None] + np.arange(made.shape[1])] = made
        self.out.write(data)

    def describe(self, at, kind):
        """Category, name and annotations of what these records of a kind begin."""
        yield p.number(3, CATEGORY_OF[kind])
        yield p.number(10, self.names_of(at))
        for name, field in NOTES.get(kind, ()):
            yield p.message(4, p.number(1, name), p.number(3, self.trace.column(field)[at]))


def field_of(number, texts):
    """Numbered texts, from 1 on."""
    return [
        piece for iid, string in enumerate(texts, 1) for piece in p.message(number, p.number(1, iid), p.text(2, string))
    ]


def write(trace, out):
    """Writes the trace to the binary file out."""
    for index, process in enumerate(trace.processes()):
        Writer(process, out, index).run()
