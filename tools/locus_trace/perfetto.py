"""A trace as TrackEvent packets of Perfetto: NUMA nodes as processes, threads as tracks, parts of tasks as slices."""

import numpy as np

from . import reader as r
from .check import Checker
from .intervals import Intervals
from .tasks import Tasks

# The messages and fields of perfetto_trace.proto that are written here: name: (number, type, repeated).
SCHEMA = {
    "TracePacket": {
        "timestamp": (8, "uint64", False),
        "trusted_packet_sequence_id": (10, "uint32", False),
        "track_event": (11, "TrackEvent", False),
        "interned_data": (12, "InternedData", False),
        "sequence_flags": (13, "uint32", False),
        "track_descriptor": (60, "TrackDescriptor", False),
    },
    "TrackDescriptor": {
        "uuid": (1, "uint64", False),
        "name": (2, "string", False),
        "parent_uuid": (5, "uint64", False),
        "counter": (8, "CounterDescriptor", False),
        "process": (3, "ProcessDescriptor", False),
        "thread": (4, "ThreadDescriptor", False),
    },
    "CounterDescriptor": {"unit": (3, "int32", False)},
    "ProcessDescriptor": {"pid": (1, "int32", False), "process_name": (6, "string", False)},
    "ThreadDescriptor": {"pid": (1, "int32", False), "tid": (2, "int32", False), "thread_name": (5, "string", False)},
    "TrackEvent": {
        "type": (9, "int32", False),
        "name_iid": (10, "uint64", False),
        "track_uuid": (11, "uint64", False),
        "category_iids": (3, "uint64", True),
        "debug_annotations": (4, "DebugAnnotation", True),
        "counter_value": (30, "int64", False),
        "flow_ids": (47, "fixed64", True),
        "terminating_flow_ids": (48, "fixed64", True),
    },
    "DebugAnnotation": {"name_iid": (1, "uint64", False), "uint_value": (3, "uint64", False)},
    "InternedData": {
        "event_categories": (1, "Interned", True),
        "event_names": (2, "Interned", True),
        "debug_annotation_names": (3, "Interned", True),
    },
    "Interned": {"iid": (1, "uint64", False), "name": (2, "string", False)},
}
BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
STARTS_ANEW, NEEDS_STATE = 1, 2
# Tracks have numbers: writers their own, of 32 bits; then nodes, and each one's counters.
NODE_UUID = 1 << 32
COUNT, BYTES = 2, 3  # units
# Counters of a node: what they are called, their unit, and the first number of their tracks.
QUEUED, REMOTE = ("tasks in queues", COUNT, 2 << 32), ("bytes from other nodes", BYTES, 3 << 32)
CATEGORIES = ("task", "region", "wait", "search", "steal")
ANNOTATIONS = ("task", "cpu", "victim", "distance")


def message_class():
    """TracePacket, by protobuf's library."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError:
        raise r.TraceError(
            "perfetto needs protobuf's Python library: apt install python3-protobuf, or pip install protobuf"
        ) from None
    types = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="locus_perfetto.proto", package="locus.perfetto")
    for name, fields in SCHEMA.items():
        message = file.message_type.add(name=name)
        for field, (number, kind, repeated) in fields.items():
            made = message.field.add(name=field, number=number, label=3 if repeated else 1)
            if kind in SCHEMA:
                made.type, made.type_name = types.TYPE_MESSAGE, f".locus.perfetto.{kind}"
            else:
                made.type = getattr(types, f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    descriptor = pool.FindMessageTypeByName("locus.perfetto.TracePacket")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


class Flows(Checker):
    """What arrows are drawn between: tasks that depend on each other (edges), and the creation of a task and its thief."""

    def __init__(self, trace):
        super().__init__(trace, edges=[])
        self.thieves = set()  # writers whose next task is stolen
        self.stolen = set()
        self.handlers[r.STEAL] = lambda _, writer: self.thieves.add(writer)
        self.handlers[r.START] = self.start_of

    def start_of(self, record, writer):
        if writer in self.thieves:
            self.thieves.discard(writer)
            self.stolen.add(record[4])
        self.start(record, writer)


class Writer:
    """Goes through the trace of a process and writes packets: a sequence of its own for each process of a merged trace."""

    def __init__(self, trace, out, index=0):
        self.trace, self.out, self.sequence = trace, out, index + 1
        self.first_node = index << 16  # of this process' numbers for nodes
        self.packet_class = message_class()
        self.names = {}
        self.labels = {}
        self.stacks = {}  # writer: names of its open slices
        self.nodes = set()
        self.known = set()  # writers with a track
        self.flows_out, self.flows_in = {}, {}
        self.begun = set()  # flows; a trace that is cut may lack the beginning of an arrow
        self.find_flows()
        self.counters = self.find_counters()[::-1]  # the next one is the last
        self.first = True
        self.annotations = {name: iid for iid, name in enumerate(ANNOTATIONS, 1)}
        self.categories = {name: iid for iid, name in enumerate(CATEGORIES, 1)}

    def find_flows(self):
        flows = Flows(self.trace)
        flows.run()
        self.stolen = flows.stolen
        for flow, (first, second) in enumerate(flows.edges, self.sequence << 32):
            self.flows_out.setdefault(first, []).append(flow)
            self.flows_in.setdefault(second, []).append(flow)
        for task in flows.stolen:  # its arrow has its number
            self.flows_in.setdefault(task, []).append(task)

    def find_counters(self):
        """What counters show from then on, by time: pairs of time and (counter, node, value). A task is in a queue from the moment
        that it is ready until it begins, and counts for the node that it begins on.
        """
        tasks = Tasks(self.trace, Intervals(self.trace))
        changes = []
        queued = (tasks.ready >= 0) & (tasks.start >= 0) & (tasks.where != r.THROTTLED) & ~tasks.undeferred
        one = np.ones(int(queued.sum()), np.int64)
        changes += self.steps(
            QUEUED,
            np.append(tasks.ready[queued], tasks.start[queued]),
            np.tile(tasks.node[queued], 2),
            np.append(one, -one),
        )
        row, address, size = tasks.named()
        data = tasks.places.node_of(address, tasks.start[row])
        remote = (data >= 0) & (tasks.start[row] >= 0) & (data != tasks.node[row])
        changes += self.steps(REMOTE, tasks.start[row[remote]], tasks.node[row[remote]], size[remote])
        first = int(self.trace.column("time").min()) if len(self.trace.records) else 0
        return sorted((time + first, counter, node, value) for counter, time, node, value in changes)

    @staticmethod
    def steps(counter, times, nodes, changes):
        """The values of a counter for each node: the sum of all changes so far."""
        for node in np.unique(nodes).tolist():
            mine = nodes == node
            order = np.lexsort((-changes[mine], times[mine]))
            values = np.cumsum(changes[mine][order])
            for time, value in zip(times[mine][order].tolist(), values.tolist(), strict=True):
                yield counter, time, node, value

    def count_until(self, time):
        """Writes the counters' values up to that time."""
        while self.counters and self.counters[-1][0] <= time:
            at, counter, node, value = self.counters.pop()
            name, unit, uuid = counter
            uuid += self.first_node
            if (counter, node) not in self.known:
                self.known.add((counter, node))
                self.add_node(node)
                packet = self.packet_class()
                packet.track_descriptor.uuid, packet.track_descriptor.name = uuid + node, name
                packet.track_descriptor.parent_uuid = NODE_UUID + self.first_node + node
                packet.track_descriptor.counter.unit = unit
                self.write(packet)
            packet = self.packet(at, COUNTER, uuid + node)
            packet.track_event.counter_value = value
            self.write(packet)

    def write(self, packet):
        packet.trusted_packet_sequence_id = self.sequence
        data = packet.SerializeToString()
        # A Trace is a sequence of its field 1: the packets.
        self.out.write(b"\x0a" + varint(len(data)) + data)

    def packet(self, time, kind, writer, category=None, name=None):
        packet = self.packet_class(timestamp=time, sequence_flags=NEEDS_STATE)
        if self.first:
            packet.sequence_flags = STARTS_ANEW | NEEDS_STATE
            for text, iid in self.categories.items():
                packet.interned_data.event_categories.add(iid=iid, name=text)
            for text, iid in self.annotations.items():
                packet.interned_data.debug_annotation_names.add(iid=iid, name=text)
            self.first = False
        event = packet.track_event
        event.type, event.track_uuid = kind, writer
        if name is not None:
            event.category_iids.append(self.categories[category])
            iid = self.names.get(name)
            if iid is None:
                iid = self.names[name] = len(self.names) + 1
                packet.interned_data.event_names.add(iid=iid, name=name)
            event.name_iid = iid
        return packet

    def annotate(self, packet, name, value):
        packet.track_event.debug_annotations.add(name_iid=self.annotations[name], uint_value=value)

    def begin(self, time, writer, category, name, key):
        self.stacks.setdefault(writer, []).append(key)
        return self.packet(time, BEGIN, writer, category, name)

    def end(self, time, writer, key):
        """Ends the slice, and what is still open inside. Null if it is not open."""
        stack = self.stacks.get(writer, [])
        if key not in stack:
            return None
        while stack.pop() != key:
            self.write(self.packet(time, END, writer))
        return self.packet(time, END, writer)

    def begin_flows(self, packet, flows):
        packet.track_event.flow_ids.extend(flows)
        self.begun.update(flows)

    def end_now(self, time, writer, key):
        packet = self.end(time, writer, key)
        if packet:
            self.write(packet)

    def track(self, writer, cpu, thread):
        """The thread belongs to the node that it runs on first."""
        if writer in self.known:
            return
        self.known.add(writer)
        node = self.trace.node_of(cpu, thread)
        self.add_node(node)
        packet = self.packet_class()
        packet.track_descriptor.uuid = writer
        packet.track_descriptor.thread.pid = self.first_node + node + 1
        # Threads of two hosts may have the same number.
        one_host = len(self.trace.machine.get("hosts", ())) < 2
        packet.track_descriptor.thread.tid = self.trace.os_threads[writer] if one_host else writer
        packet.track_descriptor.thread.thread_name = f"thread {thread}"
        self.write(packet)

    def add_node(self, node):
        if node in self.nodes:
            return
        self.nodes.add(node)
        packet = self.packet_class()
        packet.track_descriptor.uuid = NODE_UUID + self.first_node + node
        packet.track_descriptor.process.pid = self.first_node + node + 1
        whose = f"{self.trace.label}, " if self.trace.label else ""
        packet.track_descriptor.process.process_name = f"{whose}node {self.trace.node_name(node)}"
        self.write(packet)

    def run(self):
        handlers = {
            r.CREATE: self.create,
            r.IMPLICIT: self.implicit,
            r.IMPLICIT_END: self.implicit_end,
            r.START: self.start,
            r.END: self.end_task,
            r.WAIT: self.wait,
            r.WAIT_END: lambda record, writer: self.end_now(record[0], writer, ("wait", record[4])),
            r.SEARCH: lambda record, writer: self.write(self.begin(record[0], writer, "search", "searching", "search")),
            r.SEARCH_END: lambda record, writer: self.end_now(record[0], writer, "search"),
            r.SLEEP: lambda record, writer: self.write(self.begin(record[0], writer, "search", "sleeping", "sleep")),
            r.AWAKE: lambda record, writer: self.end_now(record[0], writer, "sleep"),
            r.STEAL: self.steal,
        }
        last = {}
        for record, writer in self.trace.events():
            last[writer] = record[0]
            self.count_until(record[0])
            handler = handlers.get(record[1])
            # A thread has a track from its first region or task on.
            if handler and (writer in self.known or record[1] in (r.CREATE, r.IMPLICIT, r.START)):
                handler(record, writer)
        for writer, stack in self.stacks.items():
            for _ in stack:
                self.write(self.packet(last[writer], END, writer))

    def create(self, record, writer):
        self.labels[record[4]] = (record[7], record[5])
        if record[4] in self.stolen and writer in self.known:
            packet = self.packet(record[0], INSTANT, writer, "steal", "created")
            self.begin_flows(packet, (record[4],))
            self.write(packet)

    def implicit(self, record, writer):
        time, _, _, thread, number, _, region, cpu = record
        if region == 0:
            return
        self.track(writer, cpu, thread)
        self.end_now(time, writer, "sleep")
        self.end_now(time, writer, "search")
        self.end_now(time, writer, "end")
        self.write(self.begin(time, writer, "region", f"region {region}", ("implicit", number)))

    def implicit_end(self, record, writer):
        self.end_now(record[0], writer, ("implicit", record[4]))

    def start(self, record, writer):
        time, _, _, thread, number, _, cpu, _ = record
        self.track(writer, cpu, thread)
        self.end_now(time, writer, "sleep")
        name = self.trace.construct(*self.labels.get(number, (0, 0)))
        packet = self.begin(time, writer, "task", name, ("task", number))
        self.annotate(packet, "task", number)
        self.annotate(packet, "cpu", cpu)
        packet.track_event.terminating_flow_ids.extend(self.begun.intersection(self.flows_in.pop(number, ())))
        self.write(packet)

    def end_task(self, record, writer):
        packet = self.end(record[0], writer, ("task", record[4]))
        if packet:
            self.begin_flows(packet, self.flows_out.pop(record[4], ()))
            self.write(packet)

    def wait(self, record, writer):
        self.write(self.begin(record[0], writer, "wait", r.WAITS[record[2] % len(r.WAITS)], ("wait", record[4])))

    def steal(self, record, writer):
        packet = self.packet(record[0], INSTANT, writer, "steal", "steal")
        self.annotate(packet, "victim", record[6])
        self.annotate(packet, "distance", record[2])
        self.write(packet)


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def write(trace, out):
    """Writes the trace to the binary file out."""
    for index, process in enumerate(trace.processes()):
        Writer(process, out, index).run()
