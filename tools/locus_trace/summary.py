"""Where the time of a run went, whose data was far away, and the longest chain of its tasks."""

import numpy as np

from . import reader as r
from .intervals import CREATING, OUTSIDE, SEARCHING, SLEEPING, STATES, TASKS, WAITING, Intervals
from .paths import Paths
from .tasks import Tasks

UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "KB"), (1, "bytes"))
FEW = 8  # tasks: fewer prove nothing
NODES = 8  # of a matrix on the screen
SHOWN = (TASKS, CREATING, WAITING, SEARCHING, SLEEPING)


class Construct:
    """What all tasks of a construct have done: label; tasks: rows of them; count; time: ns; placed, away, stolen: how
    many; at_home, remote: how many began on the node of their data, or not; remote_time: ns; inflation: how much longer
    a remote one takes (medians), or None.
    """

    def __init__(self, label, rows, tasks):
        self.label, self.tasks = label, rows
        self.count = len(rows)
        self.time = int(tasks.took[rows].sum())
        begun = tasks.start[rows] >= 0
        on_thread, on_node = begun & (tasks.where[rows] == r.ON_THREAD), begun & (tasks.where[rows] == r.ON_NODE)
        index = tasks.index[rows]
        self.placed = int((on_thread | on_node).sum())
        self.away = int(
            (on_thread & (tasks.thread[rows] != index)).sum() + (on_node & (tasks.team_node[rows] != index)).sum()
        )
        self.stolen = int((tasks.stolen[rows] >= 0).sum())
        known = begun & (tasks.data_node[rows] >= 0) & ~tasks.touches_first[rows]
        remote = known & (tasks.data_node[rows] != tasks.node[rows])
        home = known & ~remote
        self.at_home, self.remote = int(home.sum()), int(remote.sum())
        took = tasks.took[rows]
        self.remote_time = int(took[remote].sum())
        self.inflation = None
        if min(self.at_home, self.remote) >= FEW:
            self.inflation = float(np.median(took[remote]) / max(1, np.median(took[home])))


class Summary:
    """Counts and times of a trace. by_node: {OS node or None: array of ns by state}; threads_of_node: {node: how many};
    constructs: list, the one with most time first; traffic: {(node of the data, node of the task): bytes}; pages: how
    many the samples found (where their data is, elsewhere, not touched).
    """

    def __init__(self, trace):
        self.trace = trace
        self.intervals = Intervals(trace)
        self.tasks = Tasks(trace, self.intervals)
        self.counts_by_kind = trace.counts()
        ns = trace.column("ns")
        self.duration = int(ns.max()) if len(ns) else 0
        self.threads = len(np.unique(trace.writers))
        regions = trace.of_kind(r.REGION)
        self.regions = len(regions)
        self.largest_team = int(trace.column("b")[regions].max()) if len(regions) else 0
        levels = trace.column("flags")[trace.of_kind(r.STEAL)]
        self.steals = {level: count for level, count in enumerate(np.bincount(levels).tolist()) if count}
        self._find_places()
        self._find_nodes()
        self._find_constructs()
        self._find_traffic()

    def _find_places(self):
        """How many tasks were put where: strict ones apart."""
        flags = self.trace.column("flags")[self.trace.of_kind(r.READY)]
        strict = flags & r.STRICT != 0
        self.strict = int(strict.sum())
        self.places = np.bincount(flags[~strict] & r.WHERE_MASK, minlength=r.WHERE_MASK + 1).tolist()

    def _find_nodes(self):
        intervals = self.intervals
        inside = intervals.state != OUTSIDE
        key = (intervals.node[inside] + 1) * len(STATES) + intervals.state[inside]
        times = np.bincount(key, intervals.ns[inside]).astype(np.int64)
        times = np.append(times, np.zeros(-len(times) % len(STATES), np.int64)).reshape(-1, len(STATES))
        self.by_node = {None if node == 0 else node - 1: row for node, row in enumerate(times) if row.any()}
        known = intervals.node >= 0
        pairs = np.unique(intervals.writer[known].astype(np.int64) << 32 | intervals.node[known])
        nodes = pairs & 0xFFFFFFFF
        self.threads_with_node = len(np.unique(pairs >> 32))
        self.threads_of_node = {node: int((nodes == node).sum()) for node in np.unique(nodes).tolist()}

    def _find_constructs(self):
        tasks = self.tasks
        order = np.argsort(tasks.construct, kind="stable")
        ends = np.cumsum(np.bincount(tasks.construct, minlength=len(tasks.labels)))
        groups = np.split(order, ends[:-1])
        found = [Construct(label, rows, tasks) for label, rows in zip(tasks.labels, groups, strict=True) if len(rows)]
        self.constructs = sorted(found, key=lambda construct: -construct.time)

    def _find_traffic(self):
        """Bytes that tasks name, by the node where they are and the node of the task."""
        tasks = self.tasks
        rows, address, size = tasks.named()
        data = tasks.places.node_of(address, tasks.start[rows])
        known = (data >= 0) & (tasks.start[rows] >= 0) & (size > 0)
        key = data[known] << 32 | tasks.node[rows[known]]
        values, inverse = np.unique(key, return_inverse=True)
        total = np.bincount(inverse.reshape(-1), size[known], len(values))
        self.traffic = {
            (value >> 32, value & 0xFFFFFFFF): int(sum_)
            for value, sum_ in zip(values.tolist(), total.tolist(), strict=True)
        }
        places = tasks.places
        touched = places.node >= 0
        there = int(places.on_node[touched].sum())
        self.pages = (there, int(places.pages[touched].sum()) - there, int(places.pages[~touched].sum()))

    def remote_bytes(self):
        return sum(size for (data, node), size in self.traffic.items() if data != node)

    def counts(self):
        """As KMP_TASK_STATS names them, and some more."""
        counts = {
            "created": self.counts_by_kind[r.CREATE],
            "run": self.counts_by_kind[r.START],
            "dropped": self.counts_by_kind[r.DROP],
            "throttled": self.places[r.THROTTLED],
            "pushed_own": self.places[r.OWN],
            "pushed_thread": self.places[r.ON_THREAD],
            "pushed_node": self.places[r.ON_NODE],
            "pushed_strict": self.strict,
            "processes": len(self.trace.processes()),
            "threads": self.threads,
            "regions": self.regions,
            "largest_team": self.largest_team,
            "at_home": sum(construct.at_home for construct in self.constructs),
            "remote": sum(construct.remote for construct in self.constructs),
            "bytes": sum(self.traffic.values()),
            "remote_bytes": self.remote_bytes(),
            "complete": self.trace.cut is None,
        }
        counts.update({f"stolen_{name}": self.steals.get(level, 0) for level, name in enumerate(r.LEVELS) if level})
        return counts


def seconds(ns):
    return f"{ns / 1e9:.6f}"


def show(trace, result, top):
    counts = result.counts()
    processes = trace.processes()
    whose = f"process {trace.process}" + (f", rank {trace.rank}" if trace.rank >= 0 else "")
    if processes != [trace]:
        whose = f"{len(processes)} processes"
    print(f"{trace.path}: {trace.machine.get('program', '?')} on {trace.machine.get('host', '?')}, {whose}")
    regions = f"{counts['regions']} region{'s' if counts['regions'] != 1 else ''}"
    print(
        f"{counts['created']} tasks in {seconds(result.duration)} s, {regions} of up to {counts['largest_team']} threads"
    )
    if processes != [trace]:
        show_processes(processes, result)
    show_nodes(result)
    show_constructs(result, top)
    show_remote(result, top)
    stolen = sum(result.steals.values())
    print(
        f"\n{stolen} stolen"
        + "".join(f", {count} from the same {r.level_name(level)}" for level, count in sorted(result.steals.items()))
    )
    # A chain leads through one process.
    if processes == [trace]:
        paths = [Paths(trace, result.intervals)]
    else:
        paths = [Paths(process, Intervals(process)) for process in processes]
    work, longest = sum(path.work for path in paths), max(path.longest for path in paths)
    if longest:
        print(
            f"work {seconds(work)} s, longest chain {seconds(longest)} s, parallelism {work / longest:.1f}"
            + (" of all processes" if processes != [trace] else "")
        )


def show_processes(processes, result):
    """A line for each: when it began, and the time of its threads."""
    names = [process.label for process in processes]
    width = max(map(len, names))
    print(
        f"\n{'':>{width}} {'began':>11} {'ended':>11} {'tasks':>9}"
        + "".join(f" {STATES[state]:>11}" for state in SHOWN)
        + "   seconds; of all its threads, on nodes"
    )
    first = int(result.trace.column("time").min()) if len(result.trace) else 0
    for name, process in zip(names, processes, strict=True):
        intervals = Intervals(process)
        times = np.bincount(intervals.state, intervals.ns, len(STATES)).astype(np.int64)
        time = process.column("time")
        span = [seconds(int(edge) - first) for edge in (time.min(), time.max())] if len(time) else ["-", "-"]
        nodes = ", ".join(process.node_name(node) for node in np.unique(intervals.node[intervals.node >= 0]).tolist())
        print(
            f"{name:>{width}} {span[0]:>11} {span[1]:>11} {process.counts()[r.CREATE]:>9}"
            + "".join(f" {seconds(times[state]):>11}" for state in SHOWN)
            + f"   {nodes}"
        )


def show_nodes(result):
    names = {node: "?" if node is None else result.trace.node_name(node) for node in result.by_node}
    width = max([6, *map(len, names.values())])
    print(
        f"\n{'node':>{width}} {'threads':>7}"
        + "".join(f" {STATES[state]:>11}" for state in SHOWN)
        + "   seconds of all its threads"
    )
    for node, times in sorted(result.by_node.items(), key=lambda item: -1 if item[0] is None else item[0]):
        threads = result.threads_of_node.get(node, 0)
        print(f"{names[node]:>{width}} {threads:>7}" + "".join(f" {seconds(times[state]):>11}" for state in SHOWN))


def show_constructs(result, top):
    print(f"\n{'seconds':>11} {'tasks':>9} {'us each':>9} {'placed':>9} {'away':>9} {'stolen':>9}  construct")
    for c in result.constructs[:top]:
        print(
            f"{seconds(c.time):>11} {c.count:>9} {c.time / c.count / 1000:>9.2f} {c.placed:>9} {c.away:>9} {c.stolen:>9}  {c.label}"
        )
    if len(result.constructs) > top:
        print(f"{'':>11} and {len(result.constructs) - top} more constructs")


def show_remote(result, top):
    """Where the data was, if the trace says it."""
    far = sorted((c for c in result.constructs if c.remote), key=lambda c: -c.remote_time)
    if result.traffic:
        show_traffic(result, top)
    there, elsewhere, untouched = result.pages
    if there + elsewhere + untouched:
        print(
            f"\n{there + elsewhere + untouched} pages asked: {untouched} not touched yet, {elsewhere} on another node than most of their data"
        )
    if far:
        print(f"\n{'remote s':>11} {'remote':>9} {'at home':>9} {'inflation':>9}  construct")
    for c in far[:top]:
        inflation = f"{c.inflation:.2f}" if c.inflation else "-"
        print(f"{seconds(c.remote_time):>11} {c.remote:>9} {c.at_home:>9} {inflation:>9}  {c.label}")


def show_traffic(result, top):
    """A row for each node with data, a column for each node with tasks; of many nodes the pairs with most."""
    data, nodes = (sorted({pair[side] for pair in result.traffic}) for side in (0, 1))
    called = result.trace.node_name
    total = sum(result.traffic.values())
    far = result.remote_bytes()
    unit, name = next((entry for entry in UNITS if total >= 10 * entry[0]), UNITS[-1])
    print(
        f"\n{far / unit:.1f} of {total / unit:.1f} {name} that tasks name were on another node ({100 * far / max(1, total):.0f} %)"
    )
    if len(data) > NODES or len(nodes) > NODES:
        far = sorted((pair for pair in result.traffic if pair[0] != pair[1]), key=lambda pair: -result.traffic[pair])
        for home, node in far[:top]:
            print(
                f"{result.traffic[home, node] / unit:>11.1f} {name} on node {called(home)}, used on node {called(node)}"
            )
        return
    print(
        f"{'data on':>7}"
        + "".join(f" {f'node {called(node)}':>9}" for node in nodes)
        + f"   {name}, by the node of the task"
    )
    for home in data:
        print(f"{called(home):>7}" + "".join(f" {result.traffic.get((home, node), 0) / unit:>9.1f}" for node in nodes))
