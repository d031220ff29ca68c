"""Memory orders of the queues that are too weak, for `mutate`; behind faults_queue's, whose changes they meet."""

from faults_queue import COMBINE, DEQUE, LOCK

DIRECTORY = "locus/data/directory.cpp"

# That of the process begins before the model does, and is large.
SEEN = [
    (
        DIRECTORY,
        "static Directory OfProcess;",
        "static char Room[sizeof(Directory)];\nstatic Directory &OfProcess = *reinterpret_cast<Directory *>(Room);",
    ),
    (DIRECTORY, "2 * Old->Room : 64;", "2 * Old->Room : 2;"),
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
