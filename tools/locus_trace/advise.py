"""The mistakes that cost most, each with its evidence and what to change."""

import itertools
from collections import Counter
from statistics import median

from . import reader as r
from .summary import CREATING, SEARCHING, SLEEPING, TASKS, WAITING, Summary

PAGE = 4096
HUGE_PAGE = 2 << 20
FEW = 8  # fewer addresses or tasks prove nothing
WORTH = 50_000_000  # ns of work: below, the longest task may be one that lost its processor for a moment
MANY = 1000  # so many small tasks take time
SAMPLES = 1000  # durations that are kept of a construct
IDLE = 0.3  # of the threads' time: somebody waits for others
SMALL = 1000  # ns: what it costs to hand a task over
EXPLICIT = (1, 2, 3)  # sources of hints that somebody wrote: clause, API, list
TO_DATA = (3, 7)  # kinds of hints


class Advice:
    """A mistake: what was seen, and what to change."""

    def __init__(self, name, evidence, cure):
        self.name, self.evidence, self.cure = name, evidence, cure


class Use:
    """What the tasks of a construct have in common."""

    def __init__(self):
        self.hints = Counter()  # tasks by source
        self.strict = self.waiting = 0  # tasks; ns in queues
        self.durations = []
        self.longest = 0
        self.known = self.remote = self.unknown = 0  # tasks by where their data was
        self.asked = 0  # tasks with a hint to data
        self.words = True  # all that they write by depend is at most 8 bytes
        self.written = set()  # addresses, at most SAMPLES
        self.depends = 0


class Adviser(Summary):
    """Goes through a trace once, then judges."""

    def __init__(self, trace):
        super().__init__(trace)
        self.uses = {}  # label: Use
        self.creators = Counter()
        self.thread_times = {}  # id of a Thread: Counter of ns by state
        self.strict_time = Counter()  # thread: ns of tasks that are strict for it
        self.readied = {}  # strict task: when
        self.begun = {}  # task: when its part began
        self.data = {}  # task: OS node of its data and the address
        self.pages = {}  # page: Counter of its nodes
        self.users = {}  # page: Counter of the nodes that its tasks ran on
        self.unbound = self.starts = 0
        self.handlers[r.HINT] = self.hint
        self.handlers[r.DEPEND] = self.depend
        self.handlers[r.DATA_NODE] = self.data_node
        self.handlers[r.DEPEND_NODE] = self.data_node

    def use_of(self, task):
        construct = self.labels.get(task)
        label = construct.label if construct else "?"
        use = self.uses.get(label)
        if use is None:
            use = self.uses[label] = Use()
        return use

    def spend(self, thread, state, owner, since, until):
        super().spend(thread, state, owner, since, until)
        self.thread_times.setdefault(id(thread), Counter())[state] += until - since

    def create(self, record, thread):
        super().create(record, thread)
        if not record[2] & r.UNDEFERRED:
            self.creators[record[6]] += 1

    def hint(self, record, _):
        use = self.use_of(record[4])
        use.hints[record[7]] += 1
        if record[7] in EXPLICIT:
            use.strict += record[2] >> 7
            use.asked += record[2] & 0x7F in TO_DATA

    def depend(self, record, _):
        use = self.use_of(record[4])
        use.depends += 1
        if record[2] != 1 and record[2] != 0x80:  # it writes
            use.words &= record[6] <= 8 and record[7] == 0
            if len(use.written) < SAMPLES:
                use.written.add(record[5])

    def data_node(self, record, _):
        node = record[6]
        self.data[record[4]] = (node, record[5])
        if node != r.NO_NODE:
            self.pages.setdefault(record[5] // PAGE, Counter())[node] += 1

    def ready(self, record, thread):
        super().ready(record, thread)
        if record[2] & r.STRICT:
            self.readied[record[4]] = record[0]

    def start(self, record, thread):
        super().start(record, thread)
        number = record[4]
        self.starts += 1
        self.unbound += bool(record[2] & r.UNBOUND)
        self.begun[number] = record[0]
        use = self.use_of(number)
        use.waiting += record[0] - self.readied.get(number, record[0])
        node, address = self.data.pop(number, (None, 0))
        if node == r.NO_NODE:
            use.unknown += 1
        elif node is not None:
            use.known += 1
            use.remote += node != thread.node
            self.users.setdefault(address // PAGE, Counter())[thread.node] += 1

    def end(self, record, thread):
        number = record[4]
        begun = self.begun.pop(number, None)
        if begun is not None:
            use = self.use_of(number)
            took = record[0] - begun
            use.longest = max(use.longest, took)
            if len(use.durations) < SAMPLES:
                use.durations.append(took)
            where, index = self.wanted.get(number, (None, None))
            if number in self.readied and where == r.ON_THREAD:
                self.strict_time[index] += took
        super().end(record, thread)

    #
    # What it means
    #

    def nodes_used(self):
        return {node for node in self.threads_of_node if node is not None}

    def nodes_allowed(self):
        if self.trace.machine.get("synthetic"):
            return {cpu[1] for cpu in self.trace.machine.get("cpus", ())}
        return {self.trace.node_of(cpu, 0) for cpu in self.trace.machine.get("allowed", ())}

    def idle_share(self):
        """The part of the threads' time in regions in which they had nothing to do."""
        times = sum(self.thread_times.values(), Counter())
        total = sum(times.values())
        return (times[WAITING] + times[SEARCHING] + times[SLEEPING]) / total if total else 0

    def judge(self):
        """All mistakes. Where threads run hides what follows from it."""
        found = list(self.judge_threads())
        if not found:
            found += self.judge_pages()
            found += self.judge_hints()
        found += self.judge_grain()
        # What is wrong above may keep the creator busy.
        return found or list(self.judge_creator())

    def judge_threads(self):
        nodes = len(self.trace.machine.get("nodes", ()))
        if nodes < 2 or self.largest_team < 2:
            return
        movers = sum(
            len({node for node, threads in self.threads_of_node.items() if id(thread) in threads}) > 1
            for thread in self.threads.values()
        )
        if self.unbound * 2 > self.starts or movers:
            seen = f"{movers} of {len(self.threads)} threads ran on several nodes" if movers else "each thread may run on several nodes"
            yield Advice("unbound", f"the threads are not bound: {seen}", "set OMP_PROC_BIND=close and OMP_PLACES=cores (or spread)")
            return
        allowed, used = self.nodes_allowed(), self.nodes_used()
        if used and len(used) < min(len(allowed), self.largest_team):
            yield Advice(
                "crowded-team",
                f"the {self.largest_team} threads are on {len(used)} of the {len(allowed)} nodes that the process may use",
                "set OMP_PROC_BIND=spread, or start more threads",
            )

    def judge_pages(self):
        if len(self.nodes_used()) < 2 or self.trace.machine.get("synthetic"):
            return
        nodes = Counter()
        moved = seen_again = 0
        for page in self.pages.values():
            nodes[page.most_common(1)[0][0]] += 1
            seen_again += sum(page.values()) > 1
            moved += len(page) > 1
        total = sum(nodes.values())
        if total >= FEW and seen_again and moved * 10 >= seen_again and self.trace.machine.get("numa_balancing", "0") != "0":
            yield Advice(
                "balancing",
                f"{moved} of {seen_again} pages that tasks name changed their node during the run: the kernel's automatic balancing is on",
                "echo 0 > /proc/sys/kernel/numa_balancing, or place the data by omp_alloc or omp_set_data_nodes, which it leaves alone",
            )
            return
        if total >= FEW and nodes.most_common(1)[0][1] >= 0.9 * total:
            node, count = nodes.most_common(1)[0]
            yield Advice(
                "first-touch",
                f"{count} of the {total} pages that tasks name are on node {node}, and the threads on {len(self.nodes_used())} nodes: one thread has touched all data first",
                "touch the data first where it is used, in a parallel loop or in tasks with the same affinity, or spread it: omp_set_data_nodes, omp_atk_partition",
            )
        else:
            yield from self.judge_huge_pages()

    def judge_huge_pages(self):
        """Pages of 2 MB of which one node has all that is used, and tasks of several nodes use their own blocks."""
        areas = {}
        for page, users in self.users.items():
            if page in self.pages:
                areas.setdefault(page * PAGE // HUGE_PAGE, []).append((self.pages[page].most_common(1)[0][0], users.most_common(1)[0][0]))
        shared = away = total = 0
        for blocks in areas.values():
            total += len(blocks)
            homes, owners = {home for home, _ in blocks}, {owner for _, owner in blocks}
            if len(homes) == 1 and len(owners) > 1:
                shared += 1
                away += sum(home != owner for home, owner in blocks)
        if "[never]" not in self.trace.machine.get("huge_pages", "[never]") and away >= FEW and away * 4 >= total:
            yield Advice(
                "huge-pages",
                f"in {shared} areas of 2 MB tasks of several nodes have blocks, and all lie on one node: a huge page lies as a whole where its first byte was touched; {away} of {total} blocks are away from their tasks",
                "madvise(MADV_NOHUGEPAGE) for this data, or blocks of whole 2 MB, or omp_atk_partition",
            )

    def judge_hints(self):
        if len(self.nodes_used()) < 2:
            return
        for label, use in self.by_time():
            written = sum(use.hints[source] for source in EXPLICIT)
            data = use.known + use.unknown
            if use.asked and use.unknown >= FEW and use.unknown * 2 > data:
                yield Advice(
                    "untouched",
                    f"{label}: nobody had touched the data of {use.unknown} of {data} tasks with a hint to data; all of these go to the team's first node",
                    "place such tasks by affinity(node: ...) or affinity(thread: ...), or the data by omp_atk_partition",
                )
            elif not written and use.known >= 2 * FEW and use.remote * 5 >= use.known * 2:
                yield Advice(
                    "no-hint",
                    f"{label}: {use.remote} of {use.known} tasks ran on another node than the data that they write, and nothing says where they belong",
                    "write affinity(data: ...) with what the task writes",
                )
            elif not written and use.hints[4] and use.words and self.are_blocks(use.written):
                yield Advice(
                    "words",
                    f"{label}: its dependences name words of 8 bytes, {len(use.written)} of them and all on pages of their own; tasks are placed by these words alone",
                    "name the whole block, depend(inout: a[i * n : n]), or write affinity(data: ...)",
                )

    @staticmethod
    def are_blocks(addresses):
        """Whether the addresses look like those of blocks of a page or more."""
        ordered = sorted(addresses)
        return len(ordered) >= FEW and min(b - a for a, b in itertools.pairwise(ordered)) >= PAGE

    def judge_grain(self):
        """Tasks that are too small or too large, and threads that wait for one of them."""
        idle = self.idle_share()
        threads = self.largest_team
        if threads < 2:
            return
        for label, use in self.by_time():
            count = self.constructs[label].count if label in self.constructs else 0
            handed = use.depends or use.hints
            if handed and count >= MANY and use.durations and median(use.durations) < SMALL:
                yield Advice(
                    "small",
                    f"{label}: {count} tasks of {median(use.durations) / 1000:.2f} us; to hand one over takes as long",
                    "make the tasks larger: several blocks or iterations for each, taskloop grainsize(...)",
                )
                return
        yield from self.judge_idle(idle, threads)

    def judge_idle(self, idle, threads):
        work = self.paths.work
        if idle < IDLE or not work:
            return
        queue, strict = self.strict_time.most_common(1)[0] if self.strict_time else (0, 0)
        total_strict = sum(self.strict_time.values())
        if strict > total_strict * min(0.9, 2 / threads) and strict * 2 > work:
            label = max(self.uses.items(), key=lambda item: item[1].waiting)[0]
            yield Advice(
                "strict-queue",
                f"{label}: strict tasks for thread {queue} took {strict / 1e9:.6f} s of {work / 1e9:.6f} s in all, while threads had nothing to do for {idle:.0%} of their time",
                "spread the tasks over the threads, name a node instead of a thread, or leave strict out",
            )
            return
        label, use = max(self.uses.items(), key=lambda item: item[1].longest, default=("?", Use()))
        if use.longest * 2 > work > WORTH:
            yield Advice(
                "large",
                f"{label}: one task takes {use.longest / 1e9:.6f} s of {work / 1e9:.6f} s in all, while threads had nothing to do for {idle:.0%} of their time",
                "cut this task into smaller ones",
            )

    def judge_creator(self):
        idle, threads = self.idle_share(), self.largest_team
        if idle < IDLE or threads < 2:
            return
        creating = max((times[CREATING] for times in self.thread_times.values()), default=0)
        tasks = sum(times[TASKS] for times in self.thread_times.values())
        _, made = self.creators.most_common(1)[0] if self.creators else (0, 0)
        total = sum(self.creators.values())
        if made >= MANY and made > 0.9 * total and creating > tasks / threads:
            yield Advice(
                "one-creator",
                f"one thread creates {made} of {total} tasks and takes {creating / made / 1000:.2f} us for each, while the others had nothing to do for {idle:.0%} of all time",
                "let several threads create tasks (taskloop, tasks that create tasks), do less between them, or make them larger",
            )

    def by_time(self):
        """Constructs, the one with most time first."""
        return sorted(self.uses.items(), key=lambda item: -self.constructs[item[0]].time if item[0] in self.constructs else 0)


def advise(trace):
    """The mistakes that the trace shows."""
    adviser = Adviser(trace).run()
    return adviser.judge()


def show(trace, found):
    if not found:
        print(f"{trace.path}: nothing to advise")
    for advice in found:
        print(f"{trace.path}: {advice.name}: {advice.evidence}")
        print(f"    {advice.cure}")
