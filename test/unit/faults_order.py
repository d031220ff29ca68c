"""Memory orders of the queues that are too weak, for `mutate`; behind faults_queue's, whose changes they meet."""

from faults_queue import COMBINE, DEQUE, LOCK


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
