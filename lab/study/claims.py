"""What the laboratory says to each claim of lab/papers/claims.csv, as a number.

A function raises KeyError where a run is missing. Those of other claims are missing for a reason, which claims.csv
gives.
"""


def producers(p):
    """Agathos, Kallimanis and Dimakopoulos, Euro-Par 2012."""

    def one(case, threads):
        return p.time("producers", f"{case} one", threads)

    def load(case, creators, most):
        return p.time("producers", f"{case} {creators} of 16, load", most)

    def coarse():
        times = [load(case, creators, 16384) for case in ("icc", "gcc", "ompi") for creators in (1, 8)]
        return max(times) / min(times)

    return {
        "000-a": lambda: one("icc", 16) / one("ompi", 16),
        "000-b": lambda: max(one(case, 2) / one(case, 16) for case in ("icc", "gcc", "ompi")),
        "000-c": coarse,
        "000-d": lambda: load("icc", 8, 256) / load("ompi", 8, 256),
        "000-e": lambda: p.time("producers", "icc fib", 16) / p.time("producers", "ompi fib", 16),
        "000-f": lambda: max(load("icc", 1, most) / load("ompi", 1, most) for most in (0, 64, 256, 1024, 4096)),
        "000-i": lambda: min(
            p.time("producers", f"{case} floorplan", 16) / p.time("producers", "ompi floorplan", 16)
            for case in ("gcc", "ompi-old")
        ),
        "000-j": lambda: p.time("producers", "ompi-old fib", 16) / p.time("producers", "ompi fib", 16),
        "000-h": lambda: p.time("producers", "icc queens", 16) / p.time("producers", "ompi queens", 16),
        "000-g": lambda: min(
            p.time("producers", f"{case} half", 16) / p.time("producers", "ompi half", 16) for case in ("icc", "gcc")
        ),
    }


POLICIES = ("hierarchical", "random", "random_order", "round_robin", "producer", "producer_order")


def bots(p):
    """Clet-Ortega, Carribault and Perache, Euro-Par 2014."""

    def time(program, policy, lists="thread"):
        return p.time("bots", f"{program} {lists} {policy}", 128, "solve_seconds")

    def each(program, lists):
        """Time of a task, by hierarchical: with fewer lists some programs were run at a smaller size."""
        case = f"{program} {lists} hierarchical"
        return p.time("bots", case, 128, "solve_seconds") / p.time("bots", case, 128, "tasks")

    def thread_lists_win():
        programs = ("alignment for", "alignment single", "fib", "sort", "fft")
        return int(all(each(name, "thread") <= each(name, lists) for name in programs for lists in ("machine", "numa")))

    def does_not_end():
        """Whether the paper's fib of 860 million tasks would take longer than any that ended."""
        tasks, slowest = 860e6, 1544.99
        return int(tasks * p.time("bots", "fib libgomp", 128) / p.time("bots", "fib libgomp", 128, "tasks") > slowest)

    def alike(program):
        times = [time(program, policy) for policy in POLICIES]
        return max(times) / min(times)

    def best(program):
        return min(time(program, policy) for policy in POLICIES)

    return {
        "001-a": thread_lists_win,
        "001-d": does_not_end,
        "001-h": lambda: each("fft", "thread") / each("fft", "machine"),
        "001-b": lambda: time("fib", "random") / time("fib", "hierarchical"),
        "001-c": lambda: time("sparselu", "random") / time("sparselu", "hierarchical"),
        "001-e": lambda: time("alignment single", "hierarchical") / p.time("bots", "alignment single stock", 128),
        "001-f": lambda: alike("alignment for"),
        "001-g": lambda: time("sort", "random") / best("sort"),
        "001-i": lambda: time("sparselu", "hierarchical", "4") / time("sparselu", "hierarchical"),
    }


QUEUES = (1, 2, 4, 8, 16, 32)
FACTORS = ("0.1", 1, 10, 100, 1000)


def pools(p):
    """Hofmann and Rünger, IPDPS 2008."""

    def static(times, case):
        field = "solve_seconds"
        return p.time("static", "one queue, 1 threads", times, field) / p.time("static", case, times, field)

    def dynamic(factor, queues):
        return p.time("dynamic", "1 thread", factor) / p.time("dynamic", f"{queues} queues", factor)

    def best_queues(factor):
        return max(QUEUES, key=lambda queues: dynamic(factor, queues))

    def falls():
        """The last best number, if it never rises while tasks grow, and begins with 8."""
        best = [best_queues(factor) for factor in FACTORS]
        return best[-1] if best[0] == 8 and best == sorted(best, reverse=True) else max(best)

    def carpet(kind):
        return min(QUEUES[:5], key=lambda queues: p.time("sierpinski", f"set {kind}", queues))

    def overhead(queues):
        """What threads spend outside of tasks: the paper measures locks and waits, not how long tasks take."""
        return 1 - p.time("sierpinski", "set C", queues, "working_percent") / 100

    return {
        "002-a": lambda: static(800, "one queue, 16 threads") / 16,
        "002-b": lambda: max(static(times, "one queue, 32 threads") for times in (1,)),
        "002-c": lambda: min(max(dynamic(factor, queues) for queues in QUEUES) for factor in FACTORS),
        "002-d": falls,
        "002-e": lambda: max(carpet("B"), carpet("C")),
        "002-f": lambda: overhead(2),
        "002-g": lambda: overhead(1),
        "002-h": lambda: static(10, "32 threads, 16 queues") / static(800, "32 threads, 16 queues"),
        "002-i": lambda: static(800, "one queue, 32 threads") / 32,
        "002-j": lambda: max(dynamic(factor, queues) for factor in FACTORS for queues in QUEUES),
        "002-k": lambda: carpet("A") / max(carpet("B"), carpet("C")),
    }


def steals(p):
    """Podobas, Brorsson and Faxen, 2010: table 1 in cycles of 2.0 GHz, a tree of 100."""

    def tree(system, threads):
        rounds, leaf_ns, ghz = 100, 50000, 2.0
        return (p.time("steal", f"tree {system}", threads) * 1e9 / rounds - leaf_ns) * ghz

    def grain(program, system, threads, field="solve_seconds"):
        name = program if program == "sparselu" else f"{program} coarse"
        return p.time("grains", f"{name} {system}", threads, field)

    def apart(program):
        times = [grain(program, system, 8) for system in ("stock", "libgomp")]
        return max(times) / min(times)

    programs, systems = ("fft", "queens", "sort", "sparselu", "strassen"), ("stock", "libgomp")
    return {
        "003-k": lambda: max(apart(program) for program in programs),
        "003-m": lambda: min(
            grain(program, system, 1, "working_percent") / 100 for program in programs for system in systems
        ),
        "003-a": lambda: tree("stock", 2),
        "003-b": lambda: tree("stock", 4),
        "003-c": lambda: tree("stock", 8),
        "003-d": lambda: tree("libgomp", 2),
        "003-e": lambda: tree("libgomp", 4),
        "003-f": lambda: tree("libgomp", 8),
        "003-g": lambda: tree("stock", 8) / tree("stock", 2),
        "003-h": lambda: tree("libgomp", 8) / tree("libgomp", 2),
    }


def places(p):
    """Virouleau et al., IWOMP 2016."""

    def jacobi(case, threads, block=1024):
        return p.time("jacobi", f"{case} {block}", threads, "solve_seconds")

    def spmv(case, threads):
        return p.time("spmv", case, threads, "solve_seconds")

    def rise(case):
        """At most threads, relative to the best number."""
        return max(
            jacobi(case, 192, block) / min(jacobi(case, t, block) for t in (16, 48, 64, 128, 192))
            for block in (1024, 2048)
        )

    def hint(block):
        return jacobi("hint komp", 128, block) / jacobi("strict komp", 128, block)

    def spread(threads):
        times = [spmv(case, threads) for case in ("clang", "gcc", "komp")]
        return max(times) / min(times)

    return {
        "004-a": lambda: min(jacobi(case, 192) / jacobi(case, 16) for case in ("taskdep clang", "taskdep komp")),
        "004-b": lambda: rise("strict komp"),
        "004-c": lambda: min(hint(1024), hint(2048) / hint(1024)),
        "004-d": lambda: jacobi("taskdep clang", 128) / jacobi("for", 128),
        "004-e": lambda: jacobi("for", 48) * 48 / (jacobi("for", 64) * 64),
        "004-f": lambda: max(spread(threads) for threads in (1, 2, 4, 8)),
        "004-g": lambda: min(spmv(case, 16) / spmv(case, 8) for case in ("clang", "gcc")),
        "004-h": lambda: spmv("komp", 16) / spmv("komp", 8),
        "004-i": lambda: min(rise(case) for case in ("taskdep clang", "taskdep komp", "for")),
    }


def numbers(p):
    return producers(p) | bots(p) | pools(p) | steals(p) | places(p)
