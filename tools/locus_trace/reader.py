"""From a file to its records: openmp-runtime/src/locus/trace/format.h."""

import heapq
import itertools
import json
import os
import struct
from pathlib import Path

MAGIC = b"LOCUSTRC"
MAJOR = 1
HEADER = struct.Struct("<8sHHHHIiQQI")
CHUNK_MAGIC = 0x4B4E4843
CHUNK = struct.Struct("<IHHIIII")
CHUNK_BYTES = 32
# time, kind, flags, thread, task, data, a, b
RECORD = struct.Struct("<QBBHIQII")

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
) = range(1, 23)

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


class TraceError(Exception):
    """The file cannot be read: one line for the user."""


class Trace:
    """A file. events() goes through its records in the order of time."""

    def __init__(self, path):
        self.path = str(path)
        self.writers = {}  # number: list of memoryviews of records
        self.os_threads = {}  # writer: the kernel's number
        self.names = {}
        self.machine = {}
        self._nodes = None
        self.cut = None  # why the file ends before the program did
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise TraceError(f"{path}: {error.strerror}") from error
        self._read(memoryview(data))

    def _read(self, data):
        if len(data) == 0:
            raise TraceError(f"{self.path}: the file is empty")
        if bytes(data[:8]) != MAGIC[: len(data)]:
            raise TraceError(f"{self.path}: not a trace of KMP_TASK_TRACE")
        if len(data) < HEADER.size:
            raise TraceError(f"{self.path}: the file ends in its first {HEADER.size} bytes")
        (_, major, minor, begin, record, self.process, self.rank, self.start_time, self.wall_time, self.parent) = (
            HEADER.unpack_from(data)
        )
        self.version = f"{major}.{minor}"
        if major != MAJOR or record != RECORD.size:
            raise TraceError(f"{self.path}: format {self.version} is not known to this locus-trace, which reads {MAJOR}.x")
        self._read_chunks(data, begin)

    def _read_chunks(self, data, at):
        sequences = {}
        ended = False
        while at < len(data):
            if len(data) - at < CHUNK_BYTES:
                return self._end(f"byte {at}: a chunk's header is cut")
            magic, kind, _, size, sequence, writer, os_thread = CHUNK.unpack_from(data, at)
            if magic != CHUNK_MAGIC:
                return self._end(f"byte {at}: no chunk begins here")
            body = data[at + CHUNK_BYTES : at + CHUNK_BYTES + size]
            if kind == EVENTS_CHUNK:
                if sequence != sequences.get(writer, 0):
                    self._end(f"byte {at}: chunk {sequences.get(writer, 0)} of thread {os_thread} is missing")
                sequences[writer] = sequence + 1
                self.os_threads[writer] = os_thread
                self.writers.setdefault(writer, []).append(body[: len(body) // RECORD.size * RECORD.size])
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
            self.names[int.from_bytes(body[:4], "little")] = body[4:].decode("utf-8", "replace")
        elif kind == MACHINE_CHUNK:
            try:
                machine = json.loads(body)
            except ValueError:
                machine = None
            if isinstance(machine, dict):
                self.machine = machine
            else:
                self._end("the machine's description cannot be read")

    def events(self):
        """All records in the order of time, each as a pair: the record and its writer."""
        streams = (
            zip(itertools.chain.from_iterable(RECORD.iter_unpack(part) for part in parts), itertools.repeat(writer))
            for writer, parts in self.writers.items()
        )
        return heapq.merge(*streams)

    def records_of(self, kind):
        """All records of a rare kind, a writer after the other: without a look at the others."""
        for parts in self.writers.values():
            for part in parts:
                kinds = bytes(part)[8 :: RECORD.size]
                at = kinds.find(kind)
                while at >= 0:
                    yield RECORD.unpack_from(part, at * RECORD.size)
                    at = kinds.find(kind, at + 1)

    def counts(self):
        """How many records there are of each kind."""
        found = [0] * 256
        for parts in self.writers.values():
            for part in parts:
                kinds = bytes(part)[8 :: RECORD.size]
                for kind in set(kinds):
                    found[kind] += kinds.count(kind)
        return found

    def num_records(self):
        return sum(len(part) for parts in self.writers.values() for part in parts) // RECORD.size

    def node_of(self, cpu, thread):
        """The OS node of an OS CPU; on a pretended machine, whose CPUs its threads take in order, that of a team thread."""
        if self._nodes is None:
            cpus = self.machine.get("cpus", ())
            self._nodes = (
                [entry[1] for entry in cpus] if self.machine.get("synthetic") else {entry[0]: entry[1] for entry in cpus}
            )
        if isinstance(self._nodes, list):
            return self._nodes[thread % len(self._nodes)] if self._nodes else 0
        return self._nodes.get(cpu, 0)

    def construct(self, name, code):
        """How to call a construct: file:line, or where its code is."""
        parts = self.names.get(name, "").split(";")
        if len(parts) > 3 and parts[3].isdigit() and parts[3] != "0":
            return f"{os.path.basename(parts[1])}:{parts[3]}"
        for first, behind, offset, path in self.machine.get("code", ()):
            if first <= code < behind:
                if os.path.basename(path).startswith("libomp.so"):
                    return "taskloop: makes tasks"
                return f"{os.path.basename(path)}+{code - first + offset:#x}"
        return f"{code:#x}" if code else "?"
