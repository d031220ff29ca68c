"""From a file to its records: openmp-runtime/src/locus/trace/format.h, with which test/docs/check-trace-format compares the
layouts and numbers here."""

import bisect
import itertools
import json
import os
import struct
from collections import namedtuple
from pathlib import Path

import numpy as np

from . import schema
from .lines import Lines

MAGIC = b"LOCUSTRC"
MAJOR = 1
OLD_PAGE = 4096  # bytes, of machines whose traces do not say
MERGED = 2  # the minor version of a file of several processes
HEADER_BYTES = 64
HEADER = struct.Struct("<8sHHHHIiQQI")
Header = namedtuple("Header", "magic major minor header_bytes record_bytes process rank start_time wall_time parent")
CHUNK_MAGIC = 0x4B4E4843
CHUNK = struct.Struct("<IHHIIII")
Chunk = namedtuple("Chunk", "magic kind reserved bytes sequence writer os_thread")
CHUNK_BYTES = 32
RECORD = np.dtype(
    [
        ("time", "<u8"),
        ("kind", "u1"),
        ("flags", "u1"),
        ("thread", "<u2"),
        ("task", "<u4"),
        ("data", "<u8"),
        ("a", "<u4"),
        ("b", "<u4"),
    ]
)
DAY = 86400 * 10**9
LONGEST_RUN = 365 * DAY  # what says more is damaged; the page of such a run would not fit into the memory

EVENTS_CHUNK, NAME_CHUNK, MACHINE_CHUNK, END_CHUNK = 1, 2, 3, 4

(
    REGION,
    REGION_END,
    IMPLICIT,
    IMPLICIT_END,
    CREATE,
    HINT,
    DEPEND,
    READY,
    START,
    END,
    DROP,
    STEAL,
    WAIT,
    WAIT_END,
    SEARCH,
    SEARCH_END,
    SLEEP,
    AWAKE,
    WAKE,
    DATA_NODE,
    FLUSH,
    DEPEND_NODE,
    LISTS,
) = range(1, 24)
LAST_KIND = LISTS

UNTIED, FINAL, UNDEFERRED, DETACHABLE, COPY, TARGET, PRIORITY = (1 << i for i in range(7))
OWN, ON_THREAD, ON_NODE, THROTTLED, LIBOMP = range(5)
WHERE_MASK, STRICT, FOREIGN = 0x0F, 0x40, 0x80
# Flags of START.
BEGUN_UNDEFERRED, UNBOUND = 1, 2
NO_THREAD, NO_NODE = 0xFFFF, 0xFFFFFFFF
KINDS = ("none", "thread", "node", "data", "inferred", "depend", "depend", "data")
SOURCES = ("none", "clause", "API", "list", "depend", "inferred")
WAITS = ("", "taskwait", "taskgroup", "barrier", "predecessors", "fewer tasks")
LEVELS = ("thread", "core", "l3", "numa", "package", "machine")


def level_name(level):
    """How close a thief is to its victim; the number for a level that this version does not know."""
    return LEVELS[level] if level < len(LEVELS) else f"level {level}"


def header(minor, start_time, wall_time):
    """The header of a file that is not of one process."""
    fields = Header(MAGIC, MAJOR, minor, HEADER_BYTES, RECORD.itemsize, 0, -1, start_time, wall_time, 0)
    return HEADER.pack(*fields).ljust(HEADER_BYTES, b"\0")


def is_trace_of_process(path):
    """Whether the file was written by a process, so that there is no other one like it."""
    with open(path, "rb") as file:
        begin = file.read(HEADER.size)
    return begin[: len(MAGIC)] == MAGIC and (len(begin) < HEADER.size or Header(*HEADER.unpack(begin)).process != 0)


def index_type(length):
    """Of arrays of indices: half as large wherever that is enough."""
    return np.int32 if length < 1 << 31 else np.int64


BLOCK = 1 << 15  # records of equal times that are put into order at once


class TraceError(Exception):
    """The file cannot be read: one line for the user."""


class Trace:
    """A file. column() gives a field of all records, a writer behind the other, each writer's in the order of time; writers
    says whose they are; order() is that of time.
    """

    first_writer = 1
    label = ""  # of one of several processes

    def __init__(self, path):
        self.path = str(path)
        self._parts = {}  # writer: list of memoryviews of records
        self._order = None
        self.os_threads = {}  # writer: the kernel's number
        self.names = {}
        self.machine = {}
        self._nodes = None
        self.lines = Lines(0)
        self.cut = None  # why the file ends before the program did
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise TraceError(f"{path}: {error.strerror}") from error
        self._read(memoryview(data))
        numbers = sorted(self._parts)
        parts = [np.frombuffer(part, RECORD) for writer in numbers for part in self._parts[writer]]
        parts.append(np.zeros(0, RECORD))
        self._columns = {name: np.concatenate([part[name] for part in parts]) for name in RECORD.names}
        lengths = [sum(map(len, self._parts[writer])) // RECORD.itemsize for writer in numbers]
        self.writers = np.repeat(np.array(numbers, np.uint32), lengths)
        del self._parts, parts, data  # the file's bytes
        self._check_records()
        self._processes = [self]
        if self.process == 0:
            self._find_processes()

    def _damaged(self, what):
        return TraceError(f"{self.path}: the file is damaged: {what}")

    def _check_records(self):
        time = self.column("time")
        span = int(time.max() - time.min()) if len(time) else 0
        if span > LONGEST_RUN:
            raise self._damaged(f"its times span {span // DAY} days")
        ready = self.of_kind(READY)
        where = self.column("flags")[ready] & WHERE_MASK
        for what, at, field, behind, nothing in (
            ("thread", ready[where == ON_THREAD], "a", NO_THREAD, None),
            ("team node", ready[where == ON_NODE], "a", schema.MOST_PLACES, None),
            ("team node", self.of_kind(START), "b", schema.MOST_PLACES, NO_NODE),
            ("node", self.of_kind((DATA_NODE, DEPEND_NODE)), "a", schema.MOST_PLACES, NO_NODE),
        ):
            numbers = self.column(field)[at]
            wrong = numbers[(numbers >= behind) & (numbers != nothing)]
            if len(wrong):
                raise self._damaged(f"a record says {what} {wrong[0]}")

    def _find_processes(self):
        entries = self.machine.get("processes")
        if not entries:
            raise TraceError(f"{self.path}: a merged trace that is cut: merge the traces of its processes again")
        behind = [entry["first_writer"] for entry in entries[1:]] + [int(self.writers.max(initial=0)) + 1]
        self._processes = [Process(self, entry, end) for entry, end in zip(entries, behind, strict=True)]
        for process in self._processes:
            if process.cut:
                self._end(f"{process.label}: {process.cut}")

    def forget_records(self):
        """What is left says of which process it is, and where that ran."""
        self.writers, self._order = self.writers[:0].copy(), None
        self._columns = {name: np.zeros(0, RECORD[name]) for name in RECORD.names}

    def processes(self):
        """The trace of each process that it is of, in a merged one; else itself."""
        return self._processes

    def process_of(self, writer):
        """The index of a writer's process in processes()."""
        return max(bisect.bisect_right(self._processes, writer, key=lambda process: process.first_writer) - 1, 0)

    def ends(self, writers):
        """When the processes of an array of writers ended: behind their last records, ns."""
        firsts = [process.first_writer for process in self._processes]
        edges = np.append(np.searchsorted(self.writers, firsts), len(self.writers))
        ns = self.column("ns")
        ends = [int(ns[first:end].max(initial=-1)) + 1 for first, end in itertools.pairwise(edges.tolist())]
        return np.array(ends, np.int64)[np.searchsorted(firsts, writers, side="right") - 1]

    def node_name(self, node):
        """How to call an OS node."""
        hosts = self.machine.get("hosts", ())
        for name, first, behind in hosts:
            if len(hosts) > 1 and first <= node < behind:
                return f"{name}:{node - first}"
        return str(node)

    def _read(self, data):
        if len(data) == 0:
            raise TraceError(f"{self.path}: the file is empty")
        if bytes(data[:8]) != MAGIC[: len(data)]:
            raise TraceError(f"{self.path}: not a trace of KMP_TASK_TRACE")
        if len(data) < HEADER.size:
            raise TraceError(f"{self.path}: the file ends in its first {HEADER.size} bytes")
        head = Header(*HEADER.unpack_from(data))
        self.process, self.rank, self.parent = head.process, head.rank, head.parent
        self.start_time, self.wall_time = head.start_time, head.wall_time
        self.version = f"{head.major}.{head.minor}"
        if head.major != MAJOR or head.record_bytes != RECORD.itemsize:
            raise TraceError(
                f"{self.path}: format {self.version} is not known to this locus-trace, which reads {MAJOR}.x"
            )
        if max(self.start_time, self.wall_time) >= schema.MOST_TIME:
            raise self._damaged("it began after the end of all clocks")
        self.lines = Lines(self.wall_time)
        self._read_chunks(data, head.header_bytes)

    def _read_chunks(self, data, at):
        sequences = {}
        ended = False
        while at < len(data):
            if len(data) - at < CHUNK_BYTES:
                return self._end(f"byte {at}: a chunk's header is cut")
            magic, kind, _, size, sequence, writer, os_thread = Chunk(*CHUNK.unpack_from(data, at))
            if magic != CHUNK_MAGIC:
                return self._end(f"byte {at}: no chunk begins here")
            body = data[at + CHUNK_BYTES : at + CHUNK_BYTES + size]
            if kind == EVENTS_CHUNK:
                if writer >= schema.MOST_WRITERS or os_thread >= schema.MOST_THREADS:
                    raise self._damaged(f"byte {at}: there is no writer {writer}, thread {os_thread}")
                if sequence != sequences.get(writer, 0):
                    self._end(f"byte {at}: chunk {sequences.get(writer, 0)} of thread {os_thread} is missing")
                sequences[writer] = sequence + 1
                self.os_threads[writer] = os_thread
                self._parts.setdefault(writer, []).append(body[: len(body) // RECORD.itemsize * RECORD.itemsize])
            if len(body) < size:
                return self._end(f"byte {at}: a chunk has {len(body)} of its {size} bytes")
            self._read_text(kind, bytes(body) if kind != EVENTS_CHUNK else b"")
            ended |= kind == END_CHUNK
            at += CHUNK_BYTES + (size + 7) // 8 * 8
        if not ended:
            self._end("the program has not come to its end, or has ended without exit()")
        return None

    def _end(self, why):
        self.cut = self.cut or why

    def _read_text(self, kind, body):
        if kind == NAME_CHUNK:
            number = int.from_bytes(body[:4], "little")
            if number >= schema.MOST_NAMES:
                raise self._damaged(f"a name has the number {number}")
            self.names[number] = body[4:].decode("utf-8", "replace")
        elif kind == MACHINE_CHUNK:
            try:
                machine = json.loads(body.decode("utf-8", "replace"))  # paths are bytes
                schema.check_machine(machine)
                self.machine = machine
            except (ValueError, RecursionError):
                self._end("the machine's description cannot be read")
            except schema.Unfit as unfit:
                self._end(f"the machine's description cannot be read: {unfit}")

    def column(self, name):
        """A field of all records, as an array; "ns" is their time from the first one on, and then kept in place of it."""
        if name == "ns" and name not in self._columns:
            time = self._columns.pop("time")
            self._first = time.min() if len(time) else np.uint64(0)
            self._columns["ns"] = (time - self._first).view(np.int64)
        if name == "time" and name not in self._columns:
            return self._columns["ns"].view(np.uint64) + self._first
        return self._columns[name]

    def records(self, which):
        """The records at these places, as they are in a file."""
        found = np.empty(len(self.writers[which]), RECORD)
        for name in RECORD.names:
            found[name] = self.column(name)[which]
        return found

    def of_kind(self, kind):
        """The indices of all records of a kind, or of several, as they are in records."""
        kinds = self.column("kind")
        return np.flatnonzero(np.isin(kinds, kind) if isinstance(kind, tuple) else kinds == kind)

    def order(self):
        """The indices of all records in the order of time. Of several with the same time each writer's stay in order;
        beyond that they go by kind, as what a task does: it is created, gets ready, begins, ends.
        """
        if self._order is None:
            time = self.column("ns")
            order = np.argsort(time, kind="stable").astype(index_type(len(time)))
            self._order = self._untie(order, time[order])
        return self._order

    def positions(self):
        """Of each record its position in that order."""
        order = self.order()
        found = np.empty_like(order)
        found[order] = np.arange(len(order), dtype=order.dtype)
        return found

    def _untie(self, order, time):
        same = time[1:] == time[:-1]
        tied = np.flatnonzero(np.append(False, same) | np.append(same, False))
        ends = np.searchsorted(time[tied], np.unique(time[tied[BLOCK::BLOCK]]), side="right")
        for part in np.split(tied, ends):  # in pieces, as all that is needed to sort is larger than the records
            order[part] = self._untied(order[part], time[part])
        return order

    def _untied(self, index, time):
        writers, kinds = self.writers[index], self._columns["kind"][index].astype(np.int64)
        by_writer = np.lexsort((index, writers, time))
        turns = np.append(True, (np.diff(time[by_writer]) != 0) | (writers[by_writer[1:]] != writers[by_writer[:-1]]))
        group = np.cumsum(turns[: len(index)]) << 8
        latest = np.empty(len(index), np.int64)  # a writer's highest kind so far: later ones do not fall behind it
        latest[by_writer] = np.maximum.accumulate(kinds[by_writer] | group) - group
        return index[np.lexsort((index, writers, latest, time))]

    def counts(self):
        """How many records there are of each kind."""
        return np.bincount(self.column("kind"), minlength=256).tolist()

    def __len__(self):
        return len(self.writers)

    def nodes_of(self, cpus, threads):
        """node_of() for arrays."""
        pairs = cpus.astype(np.int64) << 16 | threads
        values, inverse = np.unique(pairs, return_inverse=True)
        found = [self.node_of(pair >> 16, pair & 0xFFFF) for pair in values.tolist()]
        return np.array(found, np.int64)[inverse.reshape(-1)] if len(found) else np.zeros(0, np.int64)

    def page_bytes(self):
        """Of a page of the kernel; of a merged trace of the largest ones."""
        return self.machine.get("page_bytes", OLD_PAGE)

    def node_of(self, cpu, thread):
        """The OS node of an OS CPU; on a pretended machine, whose CPUs its threads take in order, that of a team thread."""
        if self._nodes is None:
            cpus = self.machine.get("cpus", ())
            self._nodes = (
                [entry[1] for entry in cpus]
                if self.machine.get("synthetic")
                else {entry[0]: entry[1] for entry in cpus}
            )
        if isinstance(self._nodes, list):
            return self._nodes[thread % len(self._nodes)] if self._nodes else 0
        return self._nodes.get(cpu, 0)

    def construct(self, name, code):
        """How to call a construct: file:line, or where its code is."""
        parts = self.names.get(name, "").split(";")
        if len(parts) > 3 and parts[3].isdigit() and parts[3] != "0":
            return f"{os.path.basename(parts[1])}:{parts[3]}"
        if len(parts) > 3 and not parts[1] and parts[2]:  # of the laboratory
            return parts[2]
        for first, behind, offset, path in self.machine.get("code", ()):
            if first <= code < behind:
                if os.path.basename(path).startswith("libomp.so"):
                    return "taskloop: makes tasks"
                line = self.lines.line(path, code - first + offset)
                return line or f"{os.path.basename(path)}+{code - first + offset:#x}"
        return f"{code:#x}" if code else "?"


def machine_of(machine, host):
    """The CPUs and nodes of one of the hosts of a merged trace."""
    _, first, end = machine["hosts"][host]
    mine = [first <= node[0] < end for node in machine["nodes"]]
    nodes = [
        [node, *(distance for distance, is_mine in zip(distances, mine, strict=True) if is_mine)]
        for node, *distances in machine["nodes"]
        if first <= node < end
    ]
    return {"cpus": [cpu for cpu in machine["cpus"] if first <= cpu[1] < end], "nodes": nodes}


class Process(Trace):
    """One process of a merged trace. Writers, numbers, CPUs and nodes are those of the whole."""

    def __init__(self, whole, entry, behind):
        self.path, self.names, self.os_threads, self.version = whole.path, whole.names, whole.os_threads, whole.version
        self.lines = whole.lines
        self.process, self.rank, self.parent = entry["process"], entry["rank"], entry["parent"]
        self.label = f"rank {self.rank}" if self.rank >= 0 else f"process {self.process}"
        if self.rank >= 0 and self.parent:
            self.label += f", child {self.process}"
        self.cut = entry["cut"]
        self.first_writer = entry["first_writer"]
        first, end = np.searchsorted(whole.writers, (self.first_writer, behind)).tolist()
        self.writers = whole.writers[first:end]
        self.machine = {**whole.machine, **entry, **machine_of(whole.machine, entry["host_index"])}
        self._columns = {name: whole.column(name)[first:end] for name in RECORD.names}
        self._order = self._nodes = None
        self._processes = [self]
