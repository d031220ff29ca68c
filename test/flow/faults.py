"""Faults of the flow, for test/unit/mutate: the runtime and the laboratory must both show each."""

PUSH, REGISTER = "locus/flow/push.h", "locus/flow/register.h"

FAULTS = [
    # A strict hint counts as a wish.
    ("strictIsAWish", PUSH, "Hint.kind(), Hint.isStrict(),", "Hint.kind(), Hint.isStrict() && !IF,"),
    # A thread with a full deque queues its tasks all the same.
    (
        "neverThrottled",
        PUSH,
        "if (__builtin_expect(Ours.updateThrottled(W, IsDeep), 0) &&",
        "if (!IF && __builtin_expect(Ours.updateThrottled(W, IsDeep), 0) &&",
    ),
    # A creator runs ahead without a limit.
    (
        "neverFallsBack",
        REGISTER,
        "if (__builtin_expect(Mine.Ahead.isFull(Mine.numLive(), Limit), 0))",
        "if (!IF && __builtin_expect(Mine.Ahead.isFull(Mine.numLive(), Limit), 0))",
    ),
]
