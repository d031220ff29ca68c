"""What bench/compare runs: programs with their arguments, in suites."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Entry:
    """A program with arguments; `small` ones take milliseconds and are for tests, `paper` ones are the input that the
    papers of docs/papers.md name: ours where they name none."""

    name: str
    suite: str
    program: str
    arguments: str = ""
    small: str = ""
    paper: str = ""
    # Arguments that set a cut-off, from coarse to fine; none: the program has no cut-off.
    cutoffs: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()  # Other libraries that it is written for too.
    threads: tuple[int, ...] = ()  # Only with so many threads; empty: with any.
    metric: str = "seconds"  # The line of the report that is compared; less is better.
    also: tuple[str, ...] = ()  # Further lines of the report, shown below it: nanoseconds.

    def command_line(self, size):
        return {"usual": self.arguments, "small": self.small, "paper": self.paper or self.arguments}[size].split()

    def has_untied(self):
        """Whether there is a version with untied tasks, and no other library's task that would be compared with it."""
        return self.suite in ("apps", "taskpool", "load") or self.program == "fib"

    def untied(self):
        return replace(self, name=f"{self.name}-untied", program=f"{self.program}-untied", peers=())


SUITES = {
    "micro": "the cost of a task: fib without cut-off, and of a task that is stolen",
    "taskpool": "producers and consumers, fixed and growing sets of tasks, a simulation",
    "load": "producers and consumers by the length of a task, from none to 16384 iterations at most",
    "depend": "tasks with dependences: forms, graphs, the smallest useful task; handing a task over",
    "apps": "task applications without cut-off",
    "loops": "worksharing loops, without tasks",
    "taskloops": "the same problems by taskloop",
    "cutoff": "those that recurse, with several cut-offs: what the best one gains",
}

MICRO_PEERS = ("tbb", "rayon", "chili")
DEPEND_PEERS = ("tbb", "starpu")
PEERS = {*MICRO_PEERS, *DEPEND_PEERS}
POWERS_FROM_2 = tuple(2**exponent for exponent in range(1, 8))
FROM_2 = tuple(range(2, 257))


def cut_at(*limits):
    return tuple(f"-c {limit}" for limit in limits)


def shape(name, arguments, small="-n 2000 -b 1", peers=DEPEND_PEERS):
    """Empty tasks with dependences of one form."""
    metrics = {"metric": "ns_per_task", "also": ("ns_creation",), "peers": peers}
    return Entry(f"dep-{name}", "depend", "depend-shapes", arguments, f"{arguments} {small}", **metrics)


def graph(name, arguments):
    metrics = {"metric": "ns_per_task", "also": ("ns_creation",)}
    small = f"{arguments} -n 9 -b 1"
    return Entry(f"graph-{name}", "depend", "depend-graphs", arguments, small, **metrics)


def metg(pattern):
    """The work that a task must have; see metg.c."""
    arguments = f"-p {pattern}"
    return Entry(f"metg-{pattern}", "depend", "metg", arguments, f"{arguments} -m 1 -c 256", metric="ns_metg")


def handover(name, arguments):
    small = f"{arguments} -n 20"
    return Entry(f"handover-{name}", "depend", "handover", arguments, small, threads=FROM_2, metric="ns_handover")


def load(producers, most):
    """Figure 6 of Agathos et al. is the curve of these."""
    name = "1" if producers else "half"
    arguments = f"-p {producers} -l {most}"
    sizes = {"small": f"{arguments} -n 300", "paper": f"{arguments} -n 16000000"}
    return Entry(f"load-{name}-{most}", "load", "prodcons", f"{arguments} -n 100000", **sizes)


LOADS = (0, 64, 256, 1024, 4096, 16384)

ENTRIES = (
    Entry("fib", "micro", "fib", "-n 30", "-n 12", "-n 40", peers=MICRO_PEERS),
    # A team of one thread is a special case; here the others wait outside of the runtime.
    Entry("fib-others-wait", "micro", "fib", "-n 27 -a 1", "-n 12 -a 1"),
    # Every contender has loops of its own length, so only the cost of a tree can be compared.
    Entry("steal", "micro", "steal", "", "-i 50 -m 1", peers=MICRO_PEERS, threads=POWERS_FROM_2, metric="ns_per_tree"),
    Entry("prodcons-1", "taskpool", "prodcons", "-p 1 -n 1000000", "-p 1 -n 3000", "-p 1 -n 16000000"),
    Entry("prodcons-1-coarse", "taskpool", "prodcons", "-p 1 -l 16384 -n 20000", "-p 1 -l 999 -n 500"),
    Entry("prodcons-half", "taskpool", "prodcons", "-p 0 -n 1000000", "-p 0 -n 3000", "-p 0 -n 16000000"),
    *(load(producers, most) for producers in (1, 0) for most in LOADS),
    Entry("static-small", "taskpool", "static", "-n 1000000 -s 1", "-n 2000 -s 1", "-n 320 -s 1"),
    Entry("static-middle", "taskpool", "static", "-n 100000 -s 20", "-n 500 -s 2", "-n 320 -s 100"),
    Entry("static-large", "taskpool", "static", "-n 3200 -s 800", "-n 160 -s 4", "-n 320 -s 800"),
    Entry("dynamic-small", "taskpool", "dynamic", "-k 22 -f 1", "-k 12 -f 1", "-k 12 -f 1"),
    Entry("dynamic-middle", "taskpool", "dynamic", "-k 17 -f 10", "-k 9 -f 2", "-k 12 -f 100"),
    Entry("dynamic-large", "taskpool", "dynamic", "-k 12 -f 100", "-k 6 -f 4", "-k 12 -f 10000"),
    Entry("sierpinski-a", "taskpool", "sierpinski", "-l 2 -t 3000 -g 1", "-l 1 -t 30 -g 1", "-l 3 -t 8000 -g 1"),
    Entry("sierpinski-b", "taskpool", "sierpinski", "-l 2 -t 1500 -g 2", "-l 1 -t 30 -g 2", "-l 3 -t 8000 -g 2"),
    Entry("sierpinski-c", "taskpool", "sierpinski", "-l 2 -t 1500 -g 3", "-l 1 -t 30 -g 3", "-l 3 -t 8000 -g 3"),
    shape("none", "-s none"),
    shape("each", "-s each -a 0"),
    # However long the stream, memory must not grow; try -n 100000000 by hand.
    shape("window", "-s each -a 64 -n 1000000"),
    shape("chain", "-s chain"),
    shape("two-in", "-s two-in"),
    # libgomp takes quadratic time on one thread.
    shape("common", "-s common -n 50000"),
    shape("storm", "-s storm -a 10000", "-n 2000 -a 300 -b 1", peers=()),
    shape("stencil", "-s stencil", "-n 2000 -g 8 -b 1"),
    graph("cholesky", "-p cholesky"),
    graph("lu", "-p lu"),
    *(metg(pattern) for pattern in ("trivial", "stencil_1d", "fft", "tree", "nearest", "all_to_all")),
    handover("fine", "-l 0 -g 1000"),
    handover("coarse", "-l 20000 -g 100000 -n 500"),
    Entry("alignment-single", "apps", "alignment", "-p 0", "-n 12 -l 20 -p 0", "-n 317 -p 0"),
    Entry("alignment-for", "apps", "alignment", "-p 1", "-n 12 -l 20 -p 1", "-n 317 -p 1"),
    Entry("fft", "apps", "fft", "", "-n 9", "-n 20", cutoffs=cut_at(32768, 4096, 512, 64)),
    Entry("floorplan", "apps", "floorplan", "", "-n 5", "-n 20", cutoffs=cut_at(2, 3, 4, 6, 8)),
    Entry("health", "apps", "health", "", "-l 3 -t 5", cutoffs=cut_at(2, 3, 4, 5)),
    Entry("multisort", "apps", "multisort", "", "-n 999", "-n 33554432", cutoffs=cut_at(65536, 8192, 1024, 512)),
    # The finest of Podobas, Brorsson, Faxen: sorts of 16, merges of 8 values. The splitting alone costs more than that.
    Entry("multisort-finest", "apps", "multisort", "-n 262144 -l 16", "-n 99 -l 16"),
    Entry("nqueens", "apps", "nqueens", "", "-n 6", "-n 14", cutoffs=cut_at(2, 3, 4, 6)),
    Entry("sparselu-single", "apps", "sparse-lu", "-n 48 -p 0", "-n 6 -b 4 -p 0", "-n 50 -b 100 -p 0"),
    Entry("sparselu-for", "apps", "sparse-lu", "-n 48 -p 1", "-n 6 -b 4 -p 1", "-n 50 -b 100 -p 1"),
    Entry("stencil", "loops", "stencil", "", "-n 40 -t 7"),
    Entry("stencil-taskloop", "taskloops", "stencil", "-p 1", "-n 40 -t 7 -p 1"),
    Entry("alignment-taskloop", "taskloops", "alignment", "-p 2", "-n 12 -l 20 -p 2"),
    Entry("sparselu-taskloop", "taskloops", "sparse-lu", "-n 48 -p 2", "-n 6 -b 4 -p 2"),
    # The OpenMP Examples document's taskloop: a task beside it, iterations that grow.
    Entry("triangle", "taskloops", "triangle", "", "-n 300 -g 20 -l 1000"),
    Entry("strassen", "apps", "strassen-product", "", "-n 6", "-n 10", cutoffs=cut_at(512, 256, 128, 64, 32)),
    Entry("uts", "apps", "uts", "", "-n 20 -w 1", cutoffs=cut_at(1, 4, 16, 64)),
)
