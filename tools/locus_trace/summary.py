"""Where the time of a run went, and the longest chain of its tasks."""

from collections import Counter

from . import reader as r

TASKS, CREATING, WAITING, SEARCHING, SLEEPING, OUTSIDE = "tasks", "creating", "waiting", "searching", "sleeping", "outside"
# Records after which a thread is in the same state as before, and that nobody asks for the time that it has spent there.
STATELESS = {r.READY, r.STEAL}
SHOWN = (TASKS, CREATING, WAITING, SEARCHING, SLEEPING)


class Construct:
    """What all tasks of a construct have done."""

    def __init__(self, label):
        self.label = label
        self.count = self.time = self.longest = self.placed = self.away = self.stolen = 0


class Thread:
    """What a thread is in, and since when."""

    def __init__(self):
        self.stack = []  # pairs: a state, and the task or region that it belongs to
        self.since = None
        self.searches = self.sleeps = False
        self.node = None
        self.victim = None  # of a steal whose task has not begun yet
        self.ended = None  # the last task, until the next one begins or is created: it may make others ready

    def set_search(self, searches):
        self.searches = searches

    def set_sleep(self, sleeps):
        self.sleeps = sleeps

    def state(self):
        if not self.stack:
            return OUTSIDE
        state = self.stack[-1][0]
        if state == WAITING or state == TASKS:
            return SLEEPING if self.sleeps else SEARCHING if self.searches else state
        return state


class Summary:
    """Goes through a trace once."""

    def __init__(self, trace):
        self.trace = trace
        self.first = self.last = None
        self.counts_by_kind = None
        self.steals = Counter()  # by distance
        self.places = Counter()  # of ready tasks
        self.by_node = {}  # node: Counter of ns by state
        self.threads = {}
        self.threads_of_node = {}
        self.constructs = {}
        self.by_code = {}  # name and code: construct
        self.labels = {}  # task: construct
        self.wanted = {}  # task: where and index
        self.paths = Paths()
        self.ends = {record[6]: record[0] for record in trace.records_of(r.REGION_END)}
        self.regions = 0
        self.largest_team = 0
        self.handlers = {
            r.REGION: self.region,
            r.IMPLICIT: self.implicit,
            r.IMPLICIT_END: self.implicit_end,
            r.CREATE: self.create,
            r.READY: self.ready,
            r.START: self.start,
            r.END: self.end,
            r.STEAL: self.steal,
            r.WAIT: self.wait,
            r.WAIT_END: self.wait_end,
            r.SEARCH: lambda _, thread: thread.set_search(searches=True),
            r.SEARCH_END: lambda _, thread: thread.set_search(searches=False),
            r.SLEEP: lambda _, thread: thread.set_sleep(sleeps=True),
            r.AWAKE: lambda _, thread: thread.set_sleep(sleeps=False),
        }

    def run(self):
        handlers = self.handlers
        threads = self.threads
        pass_time = self.pass_time
        time = None
        for record, writer in self.trace.events():
            time, kind = record[0], record[1]
            thread = threads.get(writer)
            if thread is None:
                thread = threads[writer] = Thread()
                if self.first is None:
                    self.first = time
            if kind in handlers:
                if kind not in STATELESS:
                    pass_time(thread, time)
                handlers[kind](record, thread)
        self.last = time
        for thread in threads.values():
            pass_time(thread, time)
        self.counts_by_kind = self.trace.counts()
        return self

    def pass_time(self, thread, now):
        """The thread has been in its state until now."""
        since, thread.since = thread.since, now
        if since is None or not thread.stack:
            return
        state, owner = thread.stack[-1]
        if state == WAITING:
            if owner < 0:  # for the end of region -owner
                now = max(since, min(now, self.ends.get(-owner, now)))
            state = thread.state()
        self.spend(thread, state, owner, since, now)

    def spend(self, thread, state, owner, since, until):
        """The thread has been in that state, for that task or region."""
        elapsed = until - since
        if state == TASKS:
            self.labels[owner].time += elapsed
        if state in (TASKS, CREATING):
            self.paths.run(owner, elapsed)
        node = self.by_node.get(thread.node)
        if node is None:
            node = self.by_node[thread.node] = Counter()
        node[state] += elapsed

    def find_node(self, thread, cpu, team_thread):
        thread.node = self.trace.node_of(cpu, team_thread)
        self.threads_of_node.setdefault(thread.node, set()).add(id(thread))

    def region(self, record, _):
        self.regions += 1
        self.largest_team = max(self.largest_team, record[7])
        self.paths.fork(record[4], record[6])

    def implicit(self, record, thread):
        thread.searches = thread.sleeps = False
        region = record[6]
        if region == 0:  # of one thread, or none: it has no end that is recorded
            return
        if thread.stack and thread.stack[-1][1] < 0:
            thread.stack.pop()
        self.find_node(thread, record[7], record[3])
        thread.stack.append((CREATING, record[4]))
        self.paths.begin_implicit(record[4], region)

    def implicit_end(self, record, thread):
        while thread.stack and thread.stack[-1] != (CREATING, record[4]):
            thread.stack.pop()
        if thread.stack:
            thread.stack[-1] = (WAITING, -record[6])
        self.paths.end_implicit(record[4], record[6])

    def create(self, record, thread):
        _, _, _, _, number, code, creator, name = record
        construct = self.by_code.get((name, code))
        if construct is None:
            label = self.trace.construct(name, code)
            construct = self.by_code[name, code] = self.constructs.setdefault(label, Construct(label))
        construct.count += 1
        self.labels[number] = construct
        thread.ended = None
        self.paths.create(number, creator)

    def ready(self, record, thread):
        where = record[2] & r.WHERE_MASK
        self.places["strict" if record[2] & r.STRICT else where] += 1
        self.wanted[record[4]] = (where, record[6])
        self.paths.ready(record[4], thread.ended)

    def start(self, record, thread):
        _, _, _, team_thread, number, _, cpu, node = record
        thread.searches = thread.sleeps = False
        if number not in self.labels:
            self.labels[number] = self.constructs.setdefault("?", Construct("?"))
        construct = self.labels[number]
        where, index = self.wanted.get(number, (None, None))
        if where in (r.ON_THREAD, r.ON_NODE):
            construct.placed += 1
            construct.away += (node if where == r.ON_NODE else team_thread) != index
        if thread.victim is not None:
            construct.stolen += 1
            thread.victim = None
        self.find_node(thread, cpu, team_thread)
        thread.stack.append((TASKS, number))
        thread.ended = None
        self.paths.start(number)

    def end(self, record, thread):
        if (TASKS, record[4]) in thread.stack:
            while thread.stack.pop() != (TASKS, record[4]):
                pass
        thread.ended = record[4]
        self.paths.end(record[4])

    def steal(self, record, thread):
        self.steals[record[2]] += 1
        thread.victim = record[6]

    def wait(self, record, thread):
        if thread.stack:
            thread.stack.append((WAITING, record[4]))

    def wait_end(self, record, thread):
        thread.searches = thread.sleeps = False
        if thread.stack and thread.stack[-1][0] == WAITING and thread.stack[-1][1] >= 0:
            thread.stack.pop()
        self.paths.wait_end(record[4])

    def counts(self):
        """As KMP_TASK_STATS names them."""
        counts = {
            "created": self.counts_by_kind[r.CREATE],
            "run": self.counts_by_kind[r.START],
            "dropped": self.counts_by_kind[r.DROP],
            "inlined": self.places[r.THROTTLED],
            "pushed_own": self.places[r.OWN],
            "pushed_thread": self.places[r.ON_THREAD],
            "pushed_node": self.places[r.ON_NODE],
            "pushed_strict": self.places["strict"],
            "threads": len(self.threads),
            "regions": self.regions,
            "largest_team": self.largest_team,
            "complete": self.trace.cut is None,
        }
        counts.update({f"stolen_{name}": self.steals[level] for level, name in enumerate(r.LEVELS) if level})
        return counts


class Paths:
    """The longest chain of tasks: for each task how much work lies on the longest way to where it is now, in ns."""

    def __init__(self):
        self.length = {}
        self.creator = {}
        self.children = {}  # creator: the longest way to the end of a child
        self.regions = {}
        self.longest = self.work = 0
        self.begin = {}

    def run(self, number, elapsed):
        self.work += elapsed
        length = self.length[number] = self.length.get(number, 0) + elapsed
        self.longest = max(self.longest, length)

    def fork(self, parent, region):
        self.regions[region] = self.length.get(parent, self.longest)

    def begin_implicit(self, number, region):
        self.length[number] = self.regions.get(region, 0)

    def end_implicit(self, number, region):
        self.regions[region] = max(self.regions.get(region, 0), self.length.get(number, 0))

    def create(self, number, creator):
        self.creator[number] = creator
        self.begin[number] = self.length.get(creator, 0)

    def ready(self, number, released_by):
        if released_by and released_by != self.creator.get(number):
            self.begin[number] = max(self.begin.get(number, 0), self.length.get(released_by, 0))

    def start(self, number):
        self.length.setdefault(number, self.begin.get(number, 0))

    def end(self, number):
        creator = self.creator.get(number)
        length = self.length.get(number, 0)
        self.children[creator] = max(self.children.get(creator, 0), length)

    def wait_end(self, number):
        if number in self.length:
            self.length[number] = max(self.length[number], self.children.get(number, 0))


def summarize(trace):
    return Summary(trace).run()


def seconds(ns):
    return f"{ns / 1e9:.6f}"


def show(trace, result, top):
    duration = (result.last or 0) - (result.first or 0)
    counts = result.counts()
    print(
        f"{trace.path}: {trace.machine.get('program', '?')} on {trace.machine.get('host', '?')}, process {trace.process}"
        + (f", rank {trace.rank}" if trace.rank >= 0 else "")
    )
    print(
        f"{counts['created']} tasks in {seconds(duration)} s, {counts['regions']} regions of up to {counts['largest_team']} threads"
    )
    show_nodes(result)
    show_constructs(result, top)
    stolen = sum(result.steals.values())
    print(
        f"\n{stolen} stolen"
        + "".join(f", {count} from the same {r.level_name(level)}" for level, count in sorted(result.steals.items()))
    )
    paths = result.paths
    if paths.longest:
        print(
            f"work {seconds(paths.work)} s, longest chain {seconds(paths.longest)} s, parallelism {paths.work / paths.longest:.1f}"
        )


def show_nodes(result):
    print(f"\n{'node':>6} {'threads':>7}" + "".join(f" {name:>11}" for name in SHOWN) + "   seconds of all its threads")
    for node, times in sorted(result.by_node.items(), key=lambda item: -1 if item[0] is None else item[0]):
        threads = len(result.threads_of_node.get(node, ()))
        name = "?" if node is None else node
        print(f"{name:>6} {threads:>7}" + "".join(f" {seconds(times[state]):>11}" for state in SHOWN))


def show_constructs(result, top):
    ranked = sorted((c for c in result.constructs.values() if c.count), key=lambda c: -c.time)
    print(f"\n{'seconds':>11} {'tasks':>9} {'us each':>9} {'placed':>9} {'away':>9} {'stolen':>9}  construct")
    for c in ranked[:top]:
        print(
            f"{seconds(c.time):>11} {c.count:>9} {c.time / c.count / 1000:>9.2f} {c.placed:>9} {c.away:>9} {c.stolen:>9}  {c.label}"
        )
    if len(ranked) > top:
        print(f"{'':>11} and {len(ranked) - top} more constructs")
