"""Memory orders of the queues that are too weak, for `mutate`; behind faults_queue's, whose changes they meet."""

from faults_queue import COMBINE, DEQUE, LOCK

DIRECTORY = "locus/data/directory.cpp"

SUBSPACE = "locus/data/subspace"

# Those of the process begin before the model does, and the directory is large.
SEEN = [
    (
        f"{SUBSPACE}.cpp",
        "static Subspaces OfProcess;",
        "static char Room[sizeof(Subspaces)];\nstatic Subspaces &OfProcess = *reinterpret_cast<Subspaces *>(Room);",
    ),
    (f"{SUBSPACE}.h", "uintptr_t Parent; ///", "simulated::Plain<uintptr_t> Parent; ///"),
    (f"{SUBSPACE}.h", "  const Subspace *Next;", "  simulated::Plain<const Subspace *> Next;"),
    (
        DIRECTORY,
        "static Directory OfProcess;",
        "static char Room[sizeof(Directory)];\nstatic Directory &OfProcess = *reinterpret_cast<Directory *>(Room);",
    ),
    (DIRECTORY, "2 * Old->Room : 64;", "2 * Old->Room : 2;"),
    # A simulated atomic is larger.
    (
        "locus/task/child_count.h",
        "sizeof(AllocatedChildren) == 8 && sizeof(IncompleteChildren) == 8",
        "sizeof(AllocatedChildren) == sizeof(IncompleteChildren)",
    ),
]


def weaker(name, file, text, order, was):
    """A fault: the order at the @ in the text, which is what it was, becomes a weaker one."""
    either = f"(IF ? std::memory_order_{order} : std::memory_order_{was})"
    return (name, file, text.replace("@", f"std::memory_order_{was}"), text.replace("@", either))


FAULTS = [
    weaker("tryLockDoesNotAcquire", LOCK, "exchange(/*desired=*/true, @)", "relaxed", "acquire"),
    weaker("idleDoesNotAcquire", COMBINE, "return End.load(@)\n               ->State", "relaxed", "acquire"),
    weaker("lineUpDoesNotAcquire", COMBINE, "Stand = End.exchange(Fresh, @)", "release", "acq_rel"),
    weaker(
        "refusedPopDoesNotRelease",
        DEQUE,
        "Tail.store(Last + 1, @);\n    return {Outcome::Refused};",
        "relaxed",
        "release",
    ),
]
