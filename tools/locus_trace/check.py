"""What must hold in any trace: each task is created once, is ready once, after what it depends on, and runs once, where it may."""

from . import reader as r


class Task:
    """What the trace says of a task."""

    __slots__ = (
        "created",
        "creator",
        "depends",
        "dropped",
        "ended",
        "flags",
        "index",
        "label",
        "readies",
        "ready",
        "region",
        "starts",
        "where",
    )

    def __init__(self):
        self.creator = self.created = self.ready = self.ended = self.region = None
        self.flags = self.label = self.readies = self.starts = self.where = self.index = 0
        self.depends = None
        self.dropped = False


class Checker:
    """Goes through a trace once. errors has a line for each fault."""

    def __init__(self, trace, edges=None):
        self.trace = trace
        self.edges = edges  # a list: gets each pair of tasks of which the second depends on the first
        self.errors = []
        self.tasks = {}
        self.regions = {}  # number: the time of its end, or None
        self.implicits = {}  # number: region
        self.stacks = {}  # writer: tasks that it is in
        self.families = {}  # creator: its tasks with dependences
        # A forked child knows nothing of the tasks that its parent had created.
        self.knows_all = trace.parent == 0
        self.handlers = {
            r.CREATE: self.create,
            r.DEPEND: self.depend,
            r.READY: self.ready,
            r.START: self.start,
            r.END: self.end,
            r.DROP: self.drop,
            r.REGION: self.region,
            r.REGION_END: self.region_end,
            r.IMPLICIT: self.implicit,
        }

    def run(self):
        handlers = self.handlers
        for record, writer in self.trace.events():
            handler = handlers.get(record[1])
            if handler:
                handler(record, writer)
        for number, task in self.tasks.items():
            self.finish(number, task)
        for family in self.families.values():
            self.check_dependences(family)
        return self.errors

    def fail(self, number, what):
        task = self.tasks.get(number)
        name = f" ({self.trace.construct(*task.label)})" if task and task.label else ""
        self.errors.append(f"task {number}{name}: {what}")

    def get(self, number, what):
        task = self.tasks.get(number)
        if task is None:
            task = self.tasks[number] = Task()
            if self.knows_all and not self.trace.cut:
                self.fail(number, f"{what}, but was never created")
        return task

    def create(self, record, _):
        time, _, flags, _, number, code, creator, name = record
        task = self.tasks.get(number)
        if task is None:
            task = self.tasks[number] = Task()
        elif task.created is not None:
            self.fail(number, "created twice")
        task.created, task.flags, task.creator, task.label = time, flags, creator, (name, code)

    def depend(self, record, _):
        task = self.get(record[4], "has dependences")
        if task.depends is None:
            task.depends = []
            self.families.setdefault(task.creator, []).append(record[4])
        task.depends.append((record[2], record[5]))

    def ready(self, record, _):
        time, _, flags, _, number, _, index, _ = record
        task = self.get(number, "became ready")
        task.readies += 1
        task.ready = task.ready or time
        task.where, task.index = flags, index
        if task.readies > 1 and not task.flags & r.UNTIED:
            self.fail(number, "ready twice")

    def start(self, record, writer):
        _, _, flags, thread, number, _, _, node = record
        task = self.get(number, "ran")
        task.starts += 1
        self.stacks.setdefault(writer, []).append(number)
        if task.dropped:
            self.fail(number, "ran although it was cancelled")
        if task.starts > 1 and not task.flags & r.UNTIED:
            self.fail(number, "ran twice")
        if not task.readies and (flags & r.BEGUN_UNDEFERRED or task.flags & r.UNDEFERRED):
            return
        if task.readies < task.starts and not self.trace.cut:
            self.fail(number, "ran before it was ready")
        where = task.where & r.WHERE_MASK
        if task.where & r.STRICT and where == r.ON_THREAD and thread != task.index:
            self.fail(number, f"strict for thread {task.index}, ran on thread {thread}")
        if task.where & r.STRICT and where == r.ON_NODE and node != task.index:
            self.fail(number, f"strict for team node {task.index}, ran on thread {thread} of node {node}")

    def end(self, record, writer):
        number = record[4]
        task = self.get(number, "ended")
        stack = self.stacks.get(writer)
        if not stack or stack[-1] != number:
            if not self.trace.cut and self.knows_all:
                self.fail(number, f"ended in thread {self.trace.os_threads[writer]}, which was not in it")
        else:
            stack.pop()
        task.ended = record[0]

    def drop(self, record, _):
        task = self.get(record[4], "was cancelled")
        if task.dropped:
            self.fail(record[4], "cancelled twice")
        # A part of an untied task may have ended before.
        if task.ended is not None and not task.flags & r.UNTIED:
            self.fail(record[4], "cancelled although it ran")
        task.dropped = True

    def region(self, record, _):
        self.regions[record[6]] = None

    def region_end(self, record, _):
        self.regions[record[6]] = record[0]

    def implicit(self, record, _):
        self.implicits[record[4]] = record[6]

    def region_of(self, number):
        """The region whose end waits for the task; 0 for none."""
        way = {}  # in order
        while number in self.tasks and self.tasks[number].region is None:
            if number in way:
                self.fail(number, "created by itself, or by a task that it created")
                self.tasks[number].region = 0
                break
            way[number] = None
            number = self.tasks[number].creator
        region = self.tasks[number].region if number in self.tasks else self.implicits.get(number, 0)
        for task in way:
            self.tasks[task].region = region
        return region

    def finish(self, number, task):
        """At the end of the trace."""
        if task.created is None or self.trace.cut:
            return
        region = self.region_of(number)
        region_end = self.regions.get(region)
        if region and region_end is None:  # exit() in the region: tasks are left
            return
        if task.starts and task.ended is not None:
            if region_end and task.ended > region_end and not task.flags & r.DETACHABLE:
                self.fail(number, "ended after its region")
        elif not task.dropped:
            over = "its region" if region else "the program"
            self.fail(number, f"{over} has ended, but it never " + ("ended" if task.starts else "ran"))

    def check_dependences(self, family):
        """That no task of the family, children of one task in the order of their creation, is ready before those that it waits for."""
        cells = {}  # address: [what ordered all before, those since then, their kind]
        everything = None  # the last one with omp_all_memory
        since = []  # tasks since then
        for number in family:
            task = self.tasks[number]
            before = [everything] if everything else []
            whole = any(kind & 0x80 for kind, _ in task.depends)
            if whole:
                before += since
                cells, since, everything = {}, [], number
            else:
                for kind, address in set(task.depends):
                    before += self.add(cells, address, kind, number)
                since.append(number)
            for other in before:
                if other != number:
                    self.check_order(other, number)

    @staticmethod
    def add(cells, address, kind, number):
        """Adds an item to its cell. Returns the tasks that it waits for."""
        mode = {1: "in", 4: "mutex", 8: "set"}.get(kind, "out")
        last, group, group_mode = cells.get(address, ((), (), None))
        if mode == "out":
            cells[address] = ((number,), (), None)
            return list(group or last)
        if mode == group_mode:
            group.append(number)
            return list(last)
        # Another mode: a group of its own, behind the one before.
        before = tuple(group or last)
        cells[address] = (before, [number], mode)
        return list(before)

    def check_order(self, first, second):
        if self.edges is not None:
            self.edges.append((first, second))
        before, after = self.tasks[first], self.tasks[second]
        if after.ready is None or before.dropped:
            return
        if before.ended is None:
            if not self.trace.cut and self.regions.get(self.region_of(second)) is not None:
                self.fail(second, f"ready, though task {first}, which it depends on, has not ended")
        elif before.ended > after.ready:
            self.fail(
                second, f"ready {before.ended - after.ready} ns before the end of task {first}, which it depends on"
            )


def check(trace):
    """The faults of the trace, a line each, and how many tasks it has."""
    checker = Checker(trace)
    errors = checker.run()
    return errors, checker
