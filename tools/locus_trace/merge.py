"""Traces of several processes, the ranks of an MPI job say, as one file: numbers, nodes and clocks of all of them are told apart."""

import itertools
import json
import os
from pathlib import Path

import numpy as np

from . import reader as r
from .schema import MOST_NAMES, MOST_PLACES

SAME_CLOCK = 1_000_000_000  # ns: machines that began at such different times are different ones
FAR = 255  # the distance of nodes of different hosts: firmware's word for "no way"
FIRST_CODE = 1 << 20
MOST_PROCESSES = 1 << 16
MOST_NUMBERS = 1 << 32
PART = 1 << 20  # records of a chunk
HAS_TASK = (
    r.REGION, r.IMPLICIT, r.IMPLICIT_END, r.CREATE, r.HINT, r.DEPEND, r.READY, r.START, r.END, r.DROP, r.WAIT, r.WAIT_END,
    r.DATA_NODE, r.DEPEND_NODE,
)  # fmt: skip
A_IS_NUMBER = (r.REGION, r.REGION_END, r.IMPLICIT, r.IMPLICIT_END, r.CREATE)
A_IS_CPU, B_IS_CPU = (r.START, r.END), (r.IMPLICIT, r.IMPLICIT_END)
HINTS_TO_ADDRESS = (3, 5, 6, 7)


class Host:
    """A machine of the merged trace, or a pretended one: its CPUs and nodes come behind those of the hosts before. offset:
    between its monotonic clock, which times are of, and its wall clock.
    """

    def __init__(self, trace, others):
        self.name, self.is_pretended = trace.machine.get("host", "?"), bool(trace.machine.get("synthetic"))
        offset = trace.wall_time - trace.start_time
        self.offset = next((other.offset for other in others if other.has_clock(trace)), offset)
        self.first_cpu = self.first_node = 0
        self.cpus, self.distances = {}, {}

    def has_clock(self, trace):
        """Whether the process ran here: the name is the same, and the monotonic clock has begun at the same time."""
        offset = trace.wall_time - trace.start_time
        return trace.machine.get("host", "?") == self.name and abs(offset - self.offset) < SAME_CLOCK

    def has(self, trace):
        return self.has_clock(trace) and bool(trace.machine.get("synthetic")) == self.is_pretended

    def add(self, trace):
        """What a process knows of the machine; another one may know more."""
        for cpu in trace.machine["cpus"]:
            self.cpus.setdefault(cpu[0], cpu)
        nodes = trace.machine.get("nodes", ())
        for node, *distances in nodes:
            for (other, *_), distance in zip(nodes, distances, strict=False):
                self.distances.setdefault((node, other), distance)

    def nodes(self):
        return sorted({cpu[1] for cpu in self.cpus.values()} | {node for node, _ in self.distances})

    def end_of_cpus(self):
        return self.first_cpu + max(self.cpus, default=0) + 1

    def end_of_nodes(self):
        return self.first_node + max(self.nodes(), default=0) + 1

    def numbered_cpus(self):
        for cpu, node, *objects in self.cpus.values():
            yield [
                cpu + self.first_cpu,
                node + self.first_node,
                *(o + self.first_cpu if o >= 0 else o for o in objects),
            ]


def cpus_in(trace):
    """The CPUs of a process that has not said where it runs."""
    kinds = trace.column("kind")
    found = [trace.column(field)[np.isin(kinds, of)] for field, of in (("a", A_IS_CPU), ("b", B_IS_CPU))]
    cpus = np.unique(np.concatenate(found))
    return cpus[cpus < MOST_PLACES].tolist()


class Merger:
    """Writes the merged trace of files; the first one's clock is that of all. notes: what the user should know."""

    def __init__(self, paths):
        self.paths, self.notes = paths, []
        self.hosts, self.processes, self.begins = [], [], []
        self.writers = self.numbers = 0  # used so far
        self.names = {}  # text: number
        self.code = {}  # (path, offset, bytes): address
        self.next_code = FIRST_CODE
        self.seen = {}

    def run(self, out):
        processes = self.meet_processes()
        began = min(self.begins)
        out.write(r.header(r.MERGED, began, max(0, began + self.hosts[0].offset)))
        for index, process in enumerate(processes):
            trace = r.Trace(process.path)
            host = self.host_of(trace)
            records, writers = self.translate(trace, index, host)
            self.describe(trace, host, records)
            self.write_records(out, trace, records, writers)
        for text, number in self.names.items():
            self.write_chunk(out, r.NAME_CHUNK, number.to_bytes(4, "little") + text.encode())
        self.write_chunk(out, r.MACHINE_CHUNK, json.dumps(self.machine()).encode())
        self.write_chunk(out, r.END_CHUNK, b"")
        self.note_clocks()

    def meet_processes(self):
        """Reads all files for who they are and where they ran: then each host's CPUs and nodes can have their numbers. Returns them
        without their records, in the order of ranks.
        """
        processes = []
        for path in self.paths:
            trace = r.Trace(path)
            self.refuse(trace)
            if trace.cut:
                self.notes.append(f"{path} is incomplete: {trace.cut}")
            if not trace.machine.get("cpus"):
                trace.machine["cpus"] = [[cpu, 0, 0, 0, cpu] for cpu in cpus_in(trace)]
            trace.forget_records()
            processes.append(trace)
        processes.sort(key=lambda trace: (trace.rank < 0, trace.rank, trace.parent != 0, trace.start_time))
        for trace in processes:
            self.meet_host(trace)
        for before, host in itertools.pairwise(self.hosts):
            host.first_cpu, host.first_node = before.end_of_cpus(), before.end_of_nodes()
        if self.hosts and max(self.hosts[-1].end_of_cpus(), self.hosts[-1].end_of_nodes()) > MOST_PLACES:
            raise r.TraceError("these are more CPUs than a trace has numbers for: merge fewer files")
        return processes

    def meet_host(self, trace):
        host = self.host_of(trace)
        if host is None:
            host = Host(trace, self.hosts)
            self.hosts.append(host)
        host.add(trace)
        self.begins.append(trace.start_time + self.shift(host))
        if self.begins[-1] < 0:
            behind = -self.shift(host) // 1_000_000_000
            raise r.TraceError(
                f"{trace.path}: the clock of {host.name} was {behind} s behind that of {self.hosts[0].name}"
            )

    def shift(self, host):
        """What to add to its times, in ns."""
        return host.offset - self.hosts[0].offset

    def host_of(self, trace):
        return next((host for host in self.hosts if host.has(trace)), None)

    def refuse(self, trace):
        if "processes" in trace.machine:
            raise r.TraceError(f"{trace.path} is merged already: name the files of its processes")
        which = (trace.process, trace.start_time, trace.wall_time)
        if which in self.seen:
            raise r.TraceError(f"{trace.path} is the trace of the same process as {self.seen[which]}")
        self.seen[which] = trace.path
        if trace.rank >= 0 and not trace.parent:
            if trace.rank in self.seen:
                raise r.TraceError(
                    f"{trace.path} and {self.seen[trace.rank]} are both of rank {trace.rank}: are they of the same job?"
                )
            self.seen[trace.rank] = trace.path

    def translate(self, trace, index, host):
        """The records with their new numbers, and their writers."""
        known = trace.column("kind") <= r.LAST_KIND
        if not known.all():
            self.notes.append(
                f"{trace.path}: {int((~known).sum())} records that this locus-trace does not know (format {trace.version}) are left out"
            )
        records = trace.records(known)
        kinds = records["kind"]
        records["time"] += np.uint64(self.shift(host) % (1 << 64))
        self.number(records, kinds)
        self.place(trace, records, kinds, host)
        self.rename(trace, records, kinds)
        self.move_code(trace, records, kinds)
        addresses = np.isin(kinds, (r.DEPEND, r.DATA_NODE, r.DEPEND_NODE))
        addresses |= (kinds == r.HINT) & np.isin(records["flags"] & 0x7F, HINTS_TO_ADDRESS)
        addresses &= records["data"] != 0
        # Memory of another process is other memory. Addresses have 48 bits.
        records["data"][addresses] |= np.uint64(index << 48)
        return records, trace.writers[known]

    def number(self, records, kinds):
        """Numbers of tasks and regions, which are behind those of the processes before."""
        most = 0
        for field, which in (("task", HAS_TASK), ("a", A_IS_NUMBER)):
            at = np.isin(kinds, which) & (records[field] != 0)
            most = max(most, int(records[field][at].max(initial=0)))
            if self.numbers + most >= MOST_NUMBERS:
                raise r.TraceError("these are more tasks than a trace has numbers for: merge fewer files")
            records[field][at] += np.uint32(self.numbers)
        self.numbers += most

    def place(self, trace, records, kinds, host):
        """CPUs and nodes."""
        for field, which in (("a", A_IS_CPU), ("b", B_IS_CPU)):
            at = np.isin(kinds, which)
            cpus = records[field][at]
            if trace.machine.get("synthetic"):  # threads have its CPUs in order
                order = np.array([cpu[0] for cpu in trace.machine.get("cpus", ())] or [0], np.uint32)
                thread = records["thread"][at]
                cpus = np.where(thread == r.NO_THREAD, cpus, order[thread % len(order)])
            records[field][at] = cpus + np.uint32(host.first_cpu)
        at = np.isin(kinds, (r.DATA_NODE, r.DEPEND_NODE)) & (records["a"] != r.NO_NODE)
        records["a"][at] += np.uint32(host.first_node)

    def rename(self, trace, records, kinds):
        """A text has one number for all processes."""
        names = np.zeros(max(trace.names, default=0) + 1, np.uint32)
        for number, text in trace.names.items():
            names[number] = self.name(text)
        for field, kind in (("b", r.CREATE), ("data", r.REGION)):
            at = kinds == kind
            old = records[field][at]
            records[field][at] = names[np.where(old < len(names), old, 0)]

    def name(self, text):
        if text not in self.names and len(self.names) + 1 < MOST_NAMES:
            self.names[text] = len(self.names) + 1
        return self.names.get(text, 0)

    def move_code(self, trace, records, kinds):
        """Gives code of a file the same address in all processes."""
        created = kinds == r.CREATE
        old = records["data"][created]
        new = np.zeros(len(old), np.uint64)
        for first, behind, offset, path in trace.machine.get("code", ()):
            inside = (old >= first) & (old < behind)
            if inside.any():
                key = (path, offset, behind - first)
                if key not in self.code:
                    self.code[key] = self.next_code
                    self.next_code += behind - first
                new[inside] = old[inside] - np.uint64(first) + np.uint64(self.code[key])
        records["data"][created] = new

    def describe(self, trace, host, records):
        machine = {key: value for key, value in trace.machine.items() if key not in ("cpus", "nodes", "code")}
        machine["allowed"] = [cpu + host.first_cpu for cpu in machine.get("allowed", ())]
        self.processes.append(
            {
                **machine,
                "process": trace.process,
                "rank": trace.rank,
                "parent": trace.parent,
                "cut": trace.cut,
                "clock": self.shift(host),
                "host_index": self.hosts.index(host),
                "first_writer": self.writers + 1,
                "span": self.span(records),
            }
        )

    @staticmethod
    def span(records):
        return [int(records["time"].min()), int(records["time"].max())] if len(records) else None

    def write_records(self, out, trace, records, writers):
        for old in np.unique(writers).tolist():
            self.writers += 1
            mine = records[writers == old]
            for sequence, first in enumerate(range(0, len(mine), PART)):
                part = mine[first : first + PART].tobytes()
                self.write_chunk(out, r.EVENTS_CHUNK, part, sequence, self.writers, trace.os_threads[old])

    @staticmethod
    def write_chunk(out, kind, body, sequence=0, writer=0, thread=0):
        header = r.CHUNK.pack(r.CHUNK_MAGIC, kind, 0, len(body), sequence, writer, thread)
        out.write(header.ljust(r.CHUNK_BYTES, b"\0") + body + bytes(-len(body) % 8))

    def machine(self):
        """The description of all hosts, as if they were one machine."""
        nodes = [(host, node) for host in self.hosts for node in host.nodes()]
        return {
            "program": self.one_of("program"),
            "host": self.one_of("host"),
            "synthetic": False,
            "cpus": [cpu for host in self.hosts for cpu in host.numbered_cpus()],
            "nodes": [
                [
                    host.first_node + node,
                    *(host.distances.get((node, other), FAR) if host is there else FAR for there, other in nodes),
                ]
                for host, node in nodes
            ],
            "code": [[address, address + size, offset, path] for (path, offset, size), address in self.code.items()],
            "allowed": sorted({cpu for process in self.processes for cpu in process["allowed"]}),
            "page_bytes": max(process.get("page_bytes", r.OLD_PAGE) for process in self.processes),
            "hosts": [[name, host.first_node, host.end_of_nodes()] for name, host in self.named_hosts()],
            "processes": self.processes,
        }

    def named_hosts(self):
        """Containers on two machines may have the same name: the second one is "name (2)"."""
        for number, host in enumerate(self.hosts):
            same = sum(other.name == host.name for other in self.hosts[: number + 1])
            yield host.name if same == 1 else f"{host.name} ({same})", host

    def one_of(self, key):
        values = list(dict.fromkeys(process.get(key, "?") for process in self.processes))
        return values[0] + (f" and {len(values) - 1} more" if len(values) > 1 else "")

    def note_clocks(self):
        clocks = len({(host.name, host.offset) for host in self.hosts})
        if clocks > 1:
            self.notes.append(
                f"{len(self.processes)} processes on {clocks} machines: times of different machines agree as well as their wall clocks did"
            )
        spans = [process["span"] for process in self.processes if process["span"]]
        if clocks > 1 and spans and max(span[0] for span in spans) > min(span[1] for span in spans):
            self.notes.append("not all processes ran at the same time: are they of one job, and did the clocks agree?")


def write(paths, name):
    """Merges the files. The result has the name only if all went well. Returns what the user should know."""
    out = Path(name)
    if out.is_file() and r.is_trace_of_process(out):
        raise r.TraceError(
            f"{name} is the trace of a process: nothing is written; the first name is that of the result"
        )
    if len(paths) > MOST_PROCESSES:
        raise r.TraceError(f"more than {MOST_PROCESSES} processes cannot be merged")
    merger = Merger(paths)
    part = out if out.exists() and not out.is_file() else out.with_name(f"{out.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            merger.run(file)
        if part is not out:
            part.replace(out)
    finally:
        if part is not out:
            part.unlink(missing_ok=True)
    return merger.notes
