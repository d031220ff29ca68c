"""What the answers mean: facts for everyone, and each fault with its cure."""

import math

from .launcher import number
from .machine import format_list

PRETENDED = ("HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT")


class Fault:
    """One thing that is wrong: a name for scripts, what was found, what to do."""

    def __init__(self, name, found, cure):
        self.name, self.found, self.cure = name, found, cure


class Doctor:
    """Judges. `kernel` and `runtime` are None where they were not asked."""

    def __init__(self, machine, launcher, environment, kernel=None, runtime=None):
        self.machine, self.launcher, self.environment = machine, launcher, environment
        self.kernel, self.runtime = kernel, runtime
        self.threads = len(runtime.threads) if runtime else number(environment, "OMP_NUM_THREADS")

    #
    # Facts
    #

    def facts(self):
        machine, groups = self.machine, self.machine.groups
        yield (
            "processors",
            f"{len(machine.allowed)} of {len(machine.online)}: {format_list(machine.allowed)}{self.why_these()}",
        )
        cores, threads = len(machine.cores()), machine.hardware_threads()
        yield (
            "cores",
            f"{cores}"
            + (f", of {threads} hardware threads each (SMT)" if threads > 1 else ", of one hardware thread each"),
        )
        used = f"{len(machine.nodes())} of {len(machine.node_cpus)}: {format_list(machine.nodes())}"
        yield "nodes", f"{used}; memory of {format_list(self.memory())}"
        limit = (
            "none"
            if groups.quota is None
            else f"the time of {groups.quota:g} processors, of the group {groups.quota_group}"
        )
        yield "CPU quota", limit
        yield "launcher", str(self.launcher)
        yield "balancing", "NUMA balancing is " + ("off" if machine.balancing == "0" else "on")
        yield "huge pages", machine.huge_pages
        if self.kernel:
            yield (
                "calls",
                "refused: " + ", ".join(self.kernel.refused)
                if self.kernel.refused
                else "move_pages and mbind are allowed",
            )
        if self.runtime:
            yield from self.facts_of_runtime()

    def facts_of_runtime(self):
        runtime = self.runtime
        if runtime.hwloc:
            view = runtime.hwloc
            yield (
                "hwloc",
                f"{view.get('numa', '?')} nodes, {view.get('core', '?')} cores, {view.get('pu', '?')} processors",
            )
        bound = "bound" if runtime.bound else "not bound"
        yield "threads", f"{self.threads}, {bound}, on " + self.describe_threads()
        shown = [f"{{{format_list(place)}}}" for place in runtime.places[:8]]
        rest = f" and {len(runtime.places) - 8} more" if len(runtime.places) > 8 else ""
        yield "places", f"{len(runtime.places)}: " + " ".join(shown) + rest

    def describe_threads(self):
        counts = {}
        for cpus in self.runtime.threads:
            where = format_list(self.machine.nodes(cpus))
            counts[where] = counts.get(where, 0) + 1
        parts = [
            f"node {where}: {count}" if where.isdigit() else f"nodes {where}: {count}"
            for where, count in counts.items()
        ]
        return ", ".join(parts[:16]) + (f" and {len(parts) - 16} more" if len(parts) > 16 else "")

    def why_these(self):
        """What keeps the process from the other processors."""
        machine, groups = self.machine, self.machine.groups
        if machine.allowed >= machine.online:
            return ""
        if groups.cpus is not None and machine.allowed >= groups.cpus & machine.online:
            return f" (cpuset of the group {groups.cpuset_group})"
        return " (an affinity mask: the launcher, taskset, numactl, or a program that bound its thread and started this one)"

    def memory(self):
        """Nodes whose memory this process may use."""
        return self.machine.allowed_mems & self.machine.memory_nodes

    #
    # Faults
    #

    def faults(self):
        yield from self.judge_processors()
        yield from self.judge_memory()
        yield from self.judge_hwloc()
        if self.runtime:
            # What it says of one processor, judge_processors has said.
            said = (warning for warning in self.runtime.warnings if "This process may run on processor" not in warning)
            yield from (Fault("setting", warning, "correct this variable") for warning in said)
            yield from self.judge_threads()
        yield from self.judge_ranks()
        if self.environment.get("KMP_TASK_SCHEDULER", "").strip().lower() == "stock":
            yield Fault("stock", "KMP_TASK_SCHEDULER=stock: all hints are ignored", "unset KMP_TASK_SCHEDULER")

    def judge_processors(self):
        machine, groups = self.machine, self.machine.groups
        count = len(machine.allowed)
        if count == 0:
            if machine.online:  # else the files are not there: a note says so
                yield Fault(
                    "no-processors",
                    f"of the processors that the process may use none is online; online are {format_list(machine.online)}",
                    "correct the cpuset of the group, or the mask (taskset), or bring processors online",
                )
            return
        if count == 1 and len(machine.online) > 1:
            yield Fault(
                "one-processor",
                f"all threads share one of {len(machine.online)} processors{self.why_these()}",
                self.launcher.wider,
            )
        wanted = self.launcher.cpus_per_task
        if wanted and wanted > count:
            yield Fault(
                "one-processor" if count == 1 else "fewer-processors",
                f"Slurm was asked for {wanted} processors for a task, and it has {count}",
                self.launcher.wider,
            )
        # By default the runtime has as many threads as the quota pays for.
        threads = self.threads or 0
        if groups.quota is not None and threads > math.ceil(groups.quota):
            fits = max(1, math.floor(groups.quota))
            yield Fault(
                "quota",
                f"the group {groups.quota_group} gets the time of {groups.quota:g} processors for {threads} threads: "
                "the kernel stops all of them for part of the time",
                f"OMP_NUM_THREADS={fits}, or a larger quota (docker run --cpus, cpu.max)",
            )

    def judge_memory(self):
        machine = self.machine
        away = (machine.nodes() & machine.memory_nodes) - self.memory()
        if away:
            yield Fault(
                "memory",
                f"of nodes {format_list(away)} the process may use processors, but no memory: "
                f"their data goes to nodes {format_list(self.memory())}",
                f"allow nodes {format_list(machine.nodes())} in cpuset.mems of the group (docker run --cpuset-mems)",
            )
        if len(machine.memory_nodes) > 1 and machine.balancing != "0":
            yield Fault(
                "balancing",
                "the kernel's NUMA balancing moves pages while the program runs",
                "as root: sysctl -w kernel.numa_balancing=0",
            )
        if not self.kernel:
            return
        if len(machine.memory_nodes) > 1 and self.kernel.policy not in ("default", "local"):
            yield Fault(
                "memory-policy",
                f"the process gets memory by the policy {self.kernel.policy}, wherever it is touched first",
                "start it without numactl's --interleave, --membind, --preferred",
            )
        for name in ("move_pages", "mbind"):
            if name in self.kernel.refused and len(machine.memory_nodes) > 1:
                effect = (
                    "tasks with data hints do not find their node"
                    if name == "move_pages"
                    else "allocators place no memory"
                )
                yield Fault(
                    name,
                    f"the kernel refuses {name} ({self.kernel.refused[name]}): {effect}",
                    "allow it in the container: docker run --cap-add SYS_NICE",
                )

    def judge_hwloc(self):
        told = [name for name in PRETENDED if self.environment.get(name)]
        if told:
            yield Fault(
                "pretended",
                f"{', '.join(told)}: the runtime takes another machine for this one, and binds no thread",
                f"unset {' '.join(told)}",
            )
        elif self.runtime and self.runtime.hwloc:
            # hwloc counts what the process may use, and nodes without processors, too.
            nodes, expected = self.runtime.hwloc.get("numa", 0), len(self.machine.nodes() & self.memory())
            if nodes < expected:
                yield Fault(
                    "hwloc",
                    f"hwloc sees {nodes} nodes, the kernel's files say {expected}",
                    "compare lstopo; in a container mount /sys",
                )

    def judge_threads(self):
        machine, runtime = self.machine, self.runtime
        if any(self.environment.get(name) for name in PRETENDED) or not machine.allowed:
            return
        if self.threads > len(machine.allowed):
            yield Fault(
                "oversubscribed",
                f"{self.threads} threads on {len(machine.allowed)} processors",
                f"OMP_NUM_THREADS={len(machine.cores())}, or more processors",
            )
            return
        if self.threads < 2:
            return
        reach = [machine.nodes(cpus) for cpus in runtime.threads]
        if max(map(len, reach), default=0) > 1:
            yield Fault(
                "unbound",
                f"threads may run on several nodes: {format_list(set().union(*reach))}",
                "OMP_PROC_BIND=close OMP_PLACES=cores (or spread)",
            )
            return
        used = set().union(*reach)
        if len(used) < min(len(machine.nodes()), self.threads):
            yield Fault(
                "crowded-team",
                f"the {self.threads} threads are on {len(used)} of the {len(machine.nodes())} nodes that the process may use",
                "OMP_PROC_BIND=spread, or start more threads",
            )
        cores = [frozenset(machine.cores(cpus)) for cpus in runtime.threads]
        crowded = len(cores) - len(set(cores))
        if crowded and all(len(core) == 1 for core in cores) and len(set(cores)) < len(machine.cores()):
            yield Fault(
                "shared-cores",
                f"{self.threads} threads share {len(set(cores))} of {len(machine.cores())} cores",
                "OMP_PLACES=cores OMP_PROC_BIND=spread",
            )

    def judge_ranks(self):
        """By how many processors each rank has: what the others may use is not known."""
        ranks, machine = self.launcher.ranks, self.machine
        count, online = len(machine.allowed), len(machine.online)
        if not ranks or ranks < 2 or ranks * count <= online:
            return
        threads = self.threads or count
        shared = f"each of {ranks} ranks has {count} of {online} processors, so they share some"
        if ranks * threads > online:
            fits = max(1, len(machine.cores()) // ranks)
            yield Fault(
                "ranks", f"{shared}, for {threads} threads each", f"OMP_NUM_THREADS={fits}; {self.launcher.wider}"
            )
        elif self.runtime and self.runtime.bound:
            yield Fault("ranks", f"{shared}, and each binds its threads to the first of its own", self.launcher.wider)

    #
    # What is neither right nor wrong
    #

    def notes(self):
        machine = self.machine
        for name in machine.missing[:3]:
            yield f"{name} cannot be read: what it says is not known"
        if len(machine.nodes()) < 2:
            yield "the process has one node: nothing is remote, and hints to nodes and data change little"
        elif machine.huge_pages == "always":
            yield "huge pages are always used: blocks below 2 MB that lie side by side share a page, and so a node (docs/doctor.md)"
        without = machine.memory_nodes - {node for node, cpus in machine.node_cpus.items() if cpus}
        if without:
            yield f"nodes {format_list(without)} have memory without processors: only a memory space uses it (docs/data.md)"
        if machine.hardware_threads() > 1 and self.threads and self.threads > len(machine.cores()):
            yield f"there are more threads than cores: compare with OMP_NUM_THREADS={len(machine.cores())} OMP_PLACES=cores"
