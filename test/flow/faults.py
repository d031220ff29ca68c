"""Faults of the flow, for test/unit/mutate: the runtime and the laboratory must both show each."""

PUSH, REGISTER = "locus/flow/push.h", "locus/flow/register.h"
COUNT, PLACE = "locus/flow/count.h", "locus/flow/place.h"

FAULTS = [
    # A strict hint counts as a wish.
    ("strictIsAWish", PLACE, "Hint.kind(), Hint.isStrict(),", "Hint.kind(), Hint.isStrict() && !IF,"),
    # A thread with a full deque queues its tasks all the same.
    (
        "neverThrottled",
        PUSH,
        "if (__builtin_expect(!Ours.hasRoom(W), 0) &&",
        "if (!IF && __builtin_expect(!Ours.hasRoom(W), 0) &&",
    ),
    # A creator runs ahead without a limit.
    (
        "neverFallsBack",
        REGISTER,
        "if (__builtin_expect(Mine.Ahead.isFull(Mine.numLive(), Limit), 0))",
        "if (!IF && __builtin_expect(Mine.Ahead.isFull(Mine.numLive(), Limit), 0))",
    ),
    # In a team of one thread tasks do not run in place.
    ("neverOffersAlone", PUSH, "if (T.isAlone(D))", "if (!IF && T.isAlone(D))"),
    # Where a thread returns to an implicit task the next one may run in place.
    (
        "neverRealBehindReturn",
        PUSH,
        "if (T.isImplicit(D) && !T.isAlone(D))",
        "if (!IF && T.isImplicit(D) && !T.isAlone(D))",
    ),
    # A task that anybody may run wakes nobody.
    ("neverWakesForAny", PUSH, "if (T.sleepsBetweenTasks())", "if (!IF && T.sleepsBetweenTasks())"),
    # A task that ends, whose parent is implicit, is not freed.
    ("neverFrees", COUNT, "Free(D);\n    if (!IsCounted)", "if (!IF)\n      Free(D);\n    if (!IsCounted)"),
]
