"""The mistakes that cost most, each with its evidence and what to change."""

import numpy as np

from . import reader as r
from .intervals import CREATING, SEARCHING, SLEEPING, TASKS, WAITING
from .summary import FEW, Summary

LARGE = 100_000_000  # ns: below, the longest task may be one that lost its processor for a moment
MANY = 1000  # so many small tasks take time
IDLE = 0.3  # of the threads' time: somebody waits for others
SMALL = 1000  # ns: what it costs to hand a task over
NOTHING = 0.05  # of a node's share of the tasks
UNEVEN = 10_000_000  # ns: a thread may lose its processor for less
EXPLICIT = (1, 2, 3)  # sources of hints that somebody wrote: clause, API, list
INFERRED = 4


class Advice:
    """A mistake: what was seen, and what to change. label: the construct's, if it is one's."""

    def __init__(self, name, evidence, cure, label=""):
        self.name, self.evidence, self.cure, self.label = name, evidence, cure, label
        self.processes = []  # labels of those of a merged trace that make it

    def fields(self):
        """For JSON."""
        return {
            "name": self.name,
            "construct": self.label,
            "evidence": self.evidence,
            "cure": self.cure,
            "processes": [label for label in self.processes if label],
        }

    def key(self):
        return self.name, self.label, self.cure

    def said(self):
        """The evidence, and whose it is."""
        evidence = f"{self.label}: {self.evidence}" if self.label else self.evidence
        first, *others = self.processes or [""]
        return f"{first}{f' and {len(others)} more' if others else ''}: {evidence}" if first else evidence


class Use:
    """What the tasks of a construct have in common."""

    def __init__(self, construct, tasks, answers):
        rows = construct.tasks
        self.construct, self.label = construct, construct.label
        self.written = int(np.isin(tasks.source[rows], EXPLICIT).sum())  # tasks with a hint
        self.inferred = int((tasks.source[rows] == INFERRED).sum())
        took = tasks.took[rows]
        self.median, self.longest = float(np.median(took)), int(took.max())
        queued = tasks.strict[rows] & (tasks.start[rows] >= 0)
        self.waiting = int((tasks.start[rows] - tasks.ready[rows])[queued].sum())  # ns of strict tasks
        # Of tasks with a hint to data: how many were asked for it when they began, and of how many it was not touched.
        asked = answers[np.isin(answers[:, 0], rows)]
        self.asked, self.untouched = len(asked), int((asked[:, 1] < 0).sum())
        items = np.isin(tasks.depends.row, rows)
        self.depends = bool(items.any())
        items &= tasks.depends.writes
        self.words = bool((tasks.depends.bytes[items] <= 8).all())
        self.addresses = np.unique(tasks.depends.address[items])


class Adviser:
    """Judges a trace."""

    def __init__(self, trace):
        self.trace = trace
        self.summary = Summary(trace)
        self.tasks = self.summary.tasks
        self.threads = self.summary.largest_team
        self.page = trace.page_bytes()
        self.huge_page = self.page * self.page // 8  # what a page of the kernel's table leads to
        places = self.tasks.places
        hinted = trace.column("kind")[places.at] == r.DATA_NODE
        rows = self.tasks.numbers.row(trace.column("task")[places.at[hinted]])
        answers = np.stack((rows, places.node[hinted]), axis=1)
        self.uses = [Use(construct, self.tasks, answers) for construct in self.summary.constructs]
        times = sum(self.summary.by_node.values(), np.zeros(6, np.int64))
        self.total = int(times.sum())
        self.work = int(times[TASKS] + times[CREATING])
        # The part of the threads' time in regions in which they had nothing to do.
        self.idle = float(times[[WAITING, SEARCHING, SLEEPING]].sum() / max(1, self.total))

    def nodes_used(self):
        return set(self.summary.threads_of_node)

    def nodes_allowed(self):
        if self.trace.machine.get("synthetic"):
            return {cpu[1] for cpu in self.trace.machine.get("cpus", ())}
        return {self.trace.node_of(cpu, 0) for cpu in self.trace.machine.get("allowed", ())}

    def judge(self):
        """All mistakes. Where threads run hides what follows from it."""
        found = list(self.judge_threads())
        if not found:
            found += self.judge_pages()
            found += self.judge_hints()
            found = found or list(self.judge_nodes())
        found += self.judge_grain()
        found = found or list(self.judge_balance())
        # What is wrong above may keep the creator busy.
        return found or list(self.judge_creator())

    def judge_threads(self):
        nodes = len(self.trace.machine.get("nodes", ()))
        if nodes < 2 or self.threads < 2:
            return
        threads, movers = (
            self.summary.threads,
            sum(self.summary.threads_of_node.values()) - self.summary.threads_with_node,
        )
        begun = self.tasks.start >= 0
        if self.tasks.unbound.sum() * 2 > begun.sum() or movers > 0:
            seen = (
                f"{movers} of {threads} threads changed their node"
                if movers > 0
                else "each thread may run on several nodes"
            )
            yield Advice(
                "unbound",
                f"the threads are not bound: {seen}",
                "set OMP_PROC_BIND=close and OMP_PLACES=cores (or spread)",
            )
            return
        allowed, used = self.nodes_allowed(), self.nodes_used()
        if used and len(used) < min(len(allowed), self.threads):
            yield Advice(
                "crowded-team",
                f"the {self.threads} threads are on {len(used)} of the {len(allowed)} nodes that the process may use",
                "set OMP_PROC_BIND=spread, or start more threads",
            )

    def judge_pages(self):
        if len(self.nodes_used()) < 2 or self.trace.machine.get("synthetic"):
            return
        places = self.tasks.places
        known = places.node >= 0
        pages, inverse = np.unique(places.address[known] // self.page, return_inverse=True)
        pairs = np.unique(np.stack((inverse.reshape(-1), places.node[known]), axis=1), axis=0)
        again = np.bincount(inverse.reshape(-1), minlength=len(pages)) > 1
        moved = np.bincount(pairs[:, 0], minlength=len(pages)) > 1
        homes = np.full(len(pages), -1)
        homes[inverse.reshape(-1)] = places.node[known]
        total = len(pages)
        if (
            total >= FEW
            and again.any()
            and moved.sum() * 10 >= again.sum()
            and self.trace.machine.get("numa_balancing", "0") != "0"
        ):
            yield Advice(
                "balancing",
                f"{moved.sum()} of {again.sum()} pages that tasks name changed their node during the run: the kernel's automatic balancing is on",
                "echo 0 > /proc/sys/kernel/numa_balancing, or place the data by omp_alloc or omp_set_data_nodes, which it leaves alone",
            )
            return
        counts = np.bincount(homes) if total else np.zeros(1, int)
        if total >= FEW and counts.max() >= 0.9 * total:
            yield Advice(
                "first-touch",
                f"{counts.max()} of the {total} pages that tasks name are on node {self.trace.node_name(int(counts.argmax()))}, and the threads on {len(self.nodes_used())} nodes: one thread has touched all data first",
                "touch the data first where it is used, in a parallel loop or in tasks with the same affinity, or spread it: omp_set_data_nodes, omp_atk_partition",
            )
            return
        touched = list(self.judge_touching_tasks())
        yield from touched or self.judge_huge_pages(pages, homes)

    def judge_touching_tasks(self):
        """Tasks that touch data first and that nothing places: it lies where they happened to run."""
        tasks = self.tasks
        for use in self.uses:
            rows = use.construct.tasks
            first = rows[tasks.touches_first[rows] & ~np.isin(tasks.source[rows], (*EXPLICIT, INFERRED))]
            users = (tasks.data_node >= 0) & ~tasks.touches_first & np.isin(tasks.address, tasks.address[first])
            away = int((users & (tasks.node != tasks.data_node)).sum())
            if len(first) >= FEW and away * 5 >= users.sum() * 2 > FEW:
                yield Advice(
                    "first-touch",
                    f"{len(first)} tasks touched data first where they happened to run; {away} of {users.sum()} tasks that use it ran on another node",
                    "give the tasks that touch first an affinity: the one of the tasks that use the data, or affinity(node: ...) that spreads it",
                    use.label,
                )

    def judge_huge_pages(self, pages, homes):
        """Huge pages of which one node has all that is used, and tasks of several nodes use their own blocks."""
        tasks = self.tasks
        ran = (tasks.node >= 0) & np.isin(tasks.address // self.page, pages)
        page = np.searchsorted(pages, tasks.address[ran] // self.page)
        nodes, of_task = np.unique(tasks.node[ran], return_inverse=True)
        span = max(1, len(nodes))
        counts = np.bincount(page * span + of_task.reshape(-1), minlength=len(pages) * span).reshape(-1, span)
        owners = nodes[counts.argmax(axis=1)] if len(nodes) else np.zeros(len(pages), int)
        shared = away = total = 0
        areas = pages // (self.huge_page // self.page)
        for area in np.unique(areas).tolist():
            blocks = (areas == area) & (counts.sum(axis=1) > 0)
            total += int(blocks.sum())
            if len(np.unique(homes[blocks])) == 1 and len(np.unique(owners[blocks])) > 1:
                shared += 1
                away += int((homes[blocks] != owners[blocks]).sum())
        if "[never]" not in self.trace.machine.get("huge_pages", "[never]") and away >= FEW and away * 4 >= total:
            yield Advice(
                "huge-pages",
                f"in {shared} areas of {self.huge_page >> 20} MB tasks of several nodes have blocks, and all lie on one node: a huge page lies as a whole where its first byte was touched; {away} of {total} blocks are away from their tasks",
                f"madvise(MADV_NOHUGEPAGE) for this data, or blocks of whole {self.huge_page >> 20} MB, or omp_atk_partition",
            )

    def judge_hints(self):
        if len(self.nodes_used()) < 2:
            return
        for use in self.uses:
            known = use.construct.at_home + use.construct.remote
            if use.untouched >= FEW and use.untouched * 2 > use.asked:
                yield Advice(
                    "untouched",
                    f"nobody had touched the data of {use.untouched} of {use.asked} tasks with a hint to data; all of these go to the team's first node",
                    "place such tasks by affinity(node: ...) or affinity(thread: ...), or the data by omp_atk_partition",
                    use.label,
                )
            elif not use.written and known >= 2 * FEW and use.construct.remote * 5 >= known * 2:
                yield Advice(
                    "no-hint",
                    f"{use.construct.remote} of {known} tasks ran on another node than the data that they write, and nothing says where they belong",
                    "write affinity(data: ...) with what the task writes",
                    use.label,
                )
            elif not use.written and use.inferred and use.words and self.are_blocks(use.addresses):
                yield Advice(
                    "words",
                    f"its dependences name words of 8 bytes, {len(use.addresses)} of them and all on pages of their own; tasks are placed by these words alone",
                    "name the whole block, depend(inout: a[i * n : n]), or write affinity(data: ...)",
                    use.label,
                )

    def judge_nodes(self):
        """Nodes whose threads get no tasks, as hints lead all of them to others."""
        threads = self.summary.threads_of_node
        begun = self.tasks.start >= 0
        count = int(begun.sum())
        if len(threads) < 2 or sum(use.construct.placed for use in self.uses) * 2 < count:
            return
        share = count / sum(threads.values())  # of a thread
        idle = [
            node
            for node, number in threads.items()
            if share * number >= FEW and (begun & (self.tasks.node == node)).sum() < share * number * NOTHING
        ]
        if idle:
            names = [self.trace.node_name(node) for node in idle]
            yield Advice(
                "idle-nodes",
                f"hardly any of {count} tasks ran on node{'s' if len(names) > 1 else ''} {', '.join(names)}, where {sum(threads[node] for node in idle)} of the threads are: their hints lead to the other nodes",
                "spread the data over all nodes (omp_set_data_nodes, omp_atk_partition, or touch it first in a parallel loop), or name these nodes: affinity(node: ...)",
            )

    def are_blocks(self, addresses):
        """Whether the addresses look like those of blocks of a page or more."""
        return len(addresses) >= FEW and np.diff(addresses).min() >= self.page

    def judge_grain(self):
        """Tasks that are too small or too large, and threads that wait for one of them."""
        if self.threads < 2:
            return
        for use in self.uses:
            count = use.construct.count
            if (use.depends or use.written) and count >= MANY and use.median < SMALL:
                yield Advice(
                    "small",
                    f"{count} tasks of {use.median / 1000:.2f} us; to hand one over takes as long",
                    "make the tasks larger: several blocks or iterations for each, taskloop grainsize(...)",
                    use.label,
                )
                return
        yield from self.judge_idle()

    def judge_idle(self):
        if self.idle < IDLE or not self.uses:
            return
        tasks = self.tasks
        strict = tasks.strict & (tasks.where == r.ON_THREAD) & (tasks.start >= 0)
        time = np.bincount(tasks.index[strict], tasks.took[strict], 1)
        if time.max() > time.sum() * min(0.9, 2 / self.threads) and time.max() * 2 > self.work:
            use = max(self.uses, key=lambda use: use.waiting)
            yield Advice(
                "strict-queue",
                f"strict tasks for thread {time.argmax()} took {time.max() / 1e9:.6f} s of {self.work / 1e9:.6f} s in all, while threads had nothing to do for {self.idle:.0%} of their time",
                "spread the tasks over the threads, name a node instead of a thread, or leave strict out",
                use.label,
            )
            return
        use = max(self.uses, key=lambda use: use.longest)
        if use.longest > LARGE and use.longest * 2 > self.work:
            yield Advice(
                "large",
                f"one task takes {use.longest / 1e9:.6f} s of {self.work / 1e9:.6f} s in all, while threads had nothing to do for {self.idle:.0%} of their time",
                "cut this task into smaller ones",
                use.label,
            )

    def judge_balance(self):
        """Threads whose tasks take far longer than those of the others."""
        intervals = self.summary.intervals
        inside = intervals.node >= 0
        in_task = inside & (intervals.state == TASKS)
        threads = len(np.unique(intervals.of_writer[inside]))
        if self.idle < IDLE or self.threads < 2 or not in_task.any():
            return
        times = np.bincount(intervals.of_writer[in_task], intervals.ns[in_task])
        most, mean = float(times.max()), float(times.sum()) / threads
        if most > 2 * mean and most - mean > UNEVEN and times.sum() * 2 > self.work:
            at = intervals.at[times.argmax()]
            node = self.trace.node_name(int(intervals.node[in_task & (intervals.of_writer == times.argmax())][0]))
            yield Advice(
                "imbalance",
                f"thread {self.trace.os_threads[int(self.trace.writers[at])]} on node {node} was in tasks for {most / 1e9:.6f} s, a thread in the mean for {mean / 1e9:.6f} s, while threads had nothing to do for {self.idle:.0%} of their time",
                "give each thread and node as much to do: more and smaller tasks, hints that lead to all of them, or no strict hints",
            )

    def judge_creator(self):
        if self.idle < IDLE or self.threads < 2 or not len(self.tasks):
            return
        intervals = self.summary.intervals
        creating = intervals.state == CREATING
        of_thread = intervals.of_writer[creating]  # a position, where the writer's number may be any
        busiest = int(np.bincount(of_thread, intervals.ns[creating], 1).max())
        deferred = self.tasks.creator[self.tasks.flags & r.UNDEFERRED == 0]
        made = int(np.unique(deferred, return_counts=True)[1].max(initial=0))
        total = len(deferred)
        if made >= MANY and made > 0.9 * total and busiest > self.tasks.took.sum() / self.threads:
            yield Advice(
                "one-creator",
                f"one thread creates {made} of {total} tasks and takes {busiest / made / 1000:.2f} us for each, while the others had nothing to do for {self.idle:.0%} of all time",
                "let several threads create tasks (taskloop, tasks that create tasks), do less between them, or make them larger",
            )


def advise(trace):
    """The mistakes that the trace shows. What several processes have in common is said once, for the first of them."""
    found = {}
    for process in trace.processes():
        for advice in Adviser(process).judge():
            found.setdefault(advice.key(), advice).processes.append(process.label)
    return list(found.values())


def show(trace, found):
    if not found:
        print(f"{trace.path}: nothing to advise")
    for advice in found:
        print(f"{trace.path}: {advice.name}: {advice.said()}")
        print(f"    {advice.cure}")
