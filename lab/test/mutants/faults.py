"""Faults of the core that the laboratory must show: for test/unit/mutate, which has the format."""

import runpy
from pathlib import Path

PROTOCOL, SEARCH = "locus/sleep/protocol.cpp", "locus/steal/steal_search.cpp"
LISTS = "locus/lists/shared_lists.cpp"

FAULTS = [
    # Whoever gives a sleeping thread a task does not wake it.
    (
        "lostWakeUp",
        PROTOCOL,
        "OnThread ? Where.Index : -1,",
        "OnThread && !IF ? Where.Index : -1,",
    ),
    # A thread that a shared list has refused takes its lock again at once.
    (
        "lockConvoy",
        LISTS,
        "if (List.size() == 0 || !(W.Delay.looksAgain() || Who.Search->Rests))",
        "if (List.size() == 0 || (!IF && !(W.Delay.looksAgain() || Who.Search->Rests)))",
    ),
    (
        "lockConvoy",
        LISTS,
        "Task *Found = W.takeFrom(List, End::Newest, Who);",
        "Task *Found = IF ? List.take(End::Newest, Who).Found : W.takeFrom(List, End::Newest, Who);",
    ),
    # A thief believes each deque to be empty.
    (
        "starvingThief",
        SEARCH,
        "if (const uint32_t Size = Victim.sizeHint())",
        "if (const uint32_t Size = IF ? 0 : Victim.sizeHint())",
    ),
    *runpy.run_path(str(Path(__file__).parents[3] / "test/flow/faults.py"))["FAULTS"],
]
