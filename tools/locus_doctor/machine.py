"""What the kernel's files say of this machine, and of what this process may use of it."""

import re
from pathlib import Path


def parse_list(text):
    """The kernel's lists of numbers: "0-3,8" is {0, 1, 2, 3, 8}."""
    numbers = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        if first.strip().isdigit():
            numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def format_list(numbers):
    """The same, back."""
    ranges = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges) or "none"


class Machine:
    """Reads /proc and /sys below a root. What is not there counts as not known, and is in `missing`."""

    def __init__(self, root="/"):
        self.root = Path(root)
        self.missing = []
        self.online = parse_list(self.read("sys/devices/system/cpu/online") or "")
        self.node_cpus = self.find_nodes()
        self.node_of = {cpu: node for node, cpus in self.node_cpus.items() for cpu in cpus}
        status = self.read("proc/self/status") or ""
        allowed = self.status_list(status, "Cpus_allowed_list") or self.online
        # The kernel's mask has processors that are offline, too.
        self.allowed = allowed & self.online if self.online else allowed
        self.allowed_mems = self.status_list(status, "Mems_allowed_list") or set(self.node_cpus)
        self.memory_nodes = parse_list(self.read("sys/devices/system/node/has_memory", optional=True) or "") or set(
            self.node_cpus
        )
        self.core_of = {cpu: self.find_core(cpu) for cpu in self.allowed}
        self.balancing = (self.read("proc/sys/kernel/numa_balancing", optional=True) or "0").strip()
        pages = re.search(r"\[(\w+)\]", self.read("sys/kernel/mm/transparent_hugepage/enabled", optional=True) or "")
        self.huge_pages = pages[1] if pages else "not known"
        self.groups = Groups(self)

    def read(self, name, optional=False):
        try:
            return (self.root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            if not optional:
                self.missing.append("/" + name)
            return None

    @staticmethod
    def status_list(status, name):
        found = re.search(rf"^{name}:\s*(\S*)", status, re.MULTILINE)
        return parse_list(found[1]) if found else set()

    def find_nodes(self):
        """OS node: its CPUs, maybe none. A kernel without NUMA has no folder of nodes, and one node."""
        found = {}
        for folder in (self.root / "sys/devices/system/node").glob("node[0-9]*"):
            found[int(folder.name[4:])] = parse_list(self.read(f"sys/devices/system/node/{folder.name}/cpulist") or "")
        return found or {0: set(self.online)}

    def find_core(self, cpu):
        """The first CPU of the core."""
        for name in ("core_cpus_list", "thread_siblings_list"):
            siblings = self.read(f"sys/devices/system/cpu/cpu{cpu}/topology/{name}", optional=True)
            if siblings:
                return min(parse_list(siblings), default=cpu)
        return cpu

    def nodes(self, cpus=None):
        """The OS nodes of these CPUs, or of those that the process may use."""
        return {self.node_of[cpu] for cpu in (self.allowed if cpus is None else cpus) if cpu in self.node_of}

    def cores(self, cpus=None):
        return {self.core_of.get(cpu, cpu) for cpu in (self.allowed if cpus is None else cpus)}

    def hardware_threads(self):
        """Of a core, of those that the process may use."""
        counts = {}
        for core in self.core_of.values():
            counts[core] = counts.get(core, 0) + 1
        return max(counts.values(), default=1)


class Groups:
    """The control groups of this process, version 1 or 2: the least of their CPU quotas, and their cpuset."""

    def __init__(self, machine):
        self.machine = machine
        self.quota = None  # processors' time, as 2.5; None if there is no limit
        self.quota_group = None
        self.cpus = self.cpuset_group = None
        mounts = self.find_mounts()
        for line in (machine.read("proc/self/cgroup", optional=True) or "").splitlines():
            _, controllers, path = (line.split(":", 2) + ["", ""])[:3]
            names = controllers.split(",") if controllers else [""]
            for name in names:
                if name in mounts:
                    self.look(name, path, *mounts[name])

    def find_mounts(self):
        """Controller, or "" for version 2: where it is mounted, and which group that is."""
        found = {}
        for line in (self.machine.read("proc/self/mountinfo", optional=True) or "").splitlines():
            left, _, right = line.partition(" - ")
            left, right = left.split(), right.split()
            if len(left) < 5 or len(right) < 3:
                continue
            where = (left[4].lstrip("/"), left[3])
            if right[0] == "cgroup2":
                found.setdefault("", where)
            elif right[0] == "cgroup":
                for option in right[2].split(","):
                    found.setdefault(option, where)
        return found

    def look(self, controller, path, mount, top):
        """At the group and those that it is in, up to the one that is mounted."""
        inside = path[len(top.rstrip("/")) :] if (path + "/").startswith(top.rstrip("/") + "/") else "/"
        folders = [part for part in inside.split("/") if part and part != ".."]
        for depth in range(len(folders), -1, -1):
            group = "/" + "/".join(folders[:depth])
            folder = f"{mount}{group}".rstrip("/")
            if controller in ("", "cpu"):
                self.see_quota(self.quota_of(controller, folder), group)
            if controller in ("", "cpuset") and self.cpus is None:
                name = "cpuset.cpus.effective" if controller == "" else "cpuset.effective_cpus"
                text = self.machine.read(f"{folder}/{name}", optional=True)
                if text and text.strip():
                    self.cpus, self.cpuset_group = parse_list(text), group

    def quota_of(self, controller, folder):
        """Processors' time, or None."""
        if controller == "":
            quota, _, period = (self.machine.read(f"{folder}/cpu.max", optional=True) or "max").strip().partition(" ")
        else:
            quota = (self.machine.read(f"{folder}/cpu.cfs_quota_us", optional=True) or "-1").strip()
            period = (self.machine.read(f"{folder}/cpu.cfs_period_us", optional=True) or "0").strip()
        return int(quota) / int(period) if quota.isdigit() and period.isdigit() and int(period) else None

    def see_quota(self, quota, group):
        if quota is not None and (self.quota is None or quota < self.quota):
            self.quota, self.quota_group = quota, group
