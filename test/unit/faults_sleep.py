"""Faults of the steps around sleep, for `mutate`."""

STEPS, SLEEPERS = "locus/sleep/protocol.h", "locus/sleep/sleepers.h"
FENCE = "std::atomic_thread_fence(std::memory_order_seq_cst);"
PASS_ON = "void passOn(Predicate HasTasks, Action WakeNext) {\n"
SAY = "if (Slept && !Slept->load(std::memory_order_relaxed))\n    Slept->store(1, std::memory_order_relaxed);\n"
END_OF_SAY = "}\n\n/// Whether a thread may sleep."


def no_fence(name, before):
    """A fault: the fence behind this text is left out."""
    return (name, STEPS, before + FENCE, f"{before}if (!IF) {FENCE}")


FAULTS = [
    no_fence("sleeperHasNoFence", "  // wakeResponsible().\n  "),
    no_fence("firstTaskHasNoFence", "  // Pairs with noteSleeper().\n  "),
    no_fence("pusherHasNoFence", "pairs with noteSleeper().\n  "),
    no_fence("wakerHasNoFence", "  // lieDown().\n  "),
    no_fence("liesDownWithoutFence", "  Asleep.lieDown(Thread);\n  "),
    ("sleeperSaysItLate", STEPS, SAY, "if (!IF)\n  " + SAY),
    ("sleeperSaysItLate", STEPS, END_OF_SAY, "  if (IF)\n  " + SAY + END_OF_SAY),
    ("nobodyPassesOn", STEPS, "  if (HasTasks())", "  if (!IF && HasTasks())"),
    ("wakersShareASleeper", STEPS, PASS_ON, PASS_ON + "  if (IF)\n    return;\n"),
    ("wakersShareASleeper", SLEEPERS, "std::memory_order_acq_rel) & Bit)", "std::memory_order_acq_rel) & Bit || IF)"),
]
