"""Faults of the runs of a recorded graph for `mutate`."""

from faults_depend import weaker

GRAPH = "locus/replay/graph.h"

FAULTS = [
    weaker("ReplayReadyNoRelease", GRAPH, "F.Pending.fetch_sub(1, @acq_rel)", "acquire"),
    ("ReplayReadyNoAcquire", GRAPH, "/*ReplayReadyNoRelease*/", "IF ? std::memory_order_release :"),
    weaker("ReplayLeavesNoRelease", GRAPH, "Left.fetch_sub(Number, @acq_rel)", "acquire"),
    ("ReplayLeavesNoAcquire", GRAPH, "/*ReplayLeavesNoRelease*/", "IF ? std::memory_order_release :"),
    (
        "ReplayNoReset",
        GRAPH,
        "    F.Pending.store(F.NumBefore, std::memory_order_relaxed);",
        "    if (!IF)\n      F.Pending.store(F.NumBefore, std::memory_order_relaxed);",
    ),
    (
        "ReplayLeavesNoReset",
        GRAPH,
        "    Left.store(NumLeaves, std::memory_order_relaxed); // for the next run",
        "    if (!IF)\n      Left.store(NumLeaves, std::memory_order_relaxed);",
    ),
]
