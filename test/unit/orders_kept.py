"""Weaker memory orders that the model does not find, each with the reason why the source keeps its own.

File; a text of the line; the weaker orders ("unused": no case comes there); why.
"""

SLOT = "each slot is one thread's, and its own order suffices; for two threads that use one: queue/PROOF.md, Combining, 5"
EMPTY = (
    "who finds the deque empty takes itself off Unfinished after the thief has counted: the shape S, an order of two "
    "read-modify-writes of Unfinished. Relacy gives those the order in which it runs them"
)
COUNTED = "the compare-and-swap behind it decides; as std::atomic's, whose failure acquires"
FENCED = (
    "the pusher has a fence before it takes the bit, the sleeper one behind its own change of it: they order the push "
    "before the sleeper's look. Before a sleep it costs nothing that counts"
)

CLOSED = (
    "with a tool the lock orders it and the creator's edges; but the table reads Closed without it (hasEnded, the shape "
    "MP), which no case with a tool does"
)
FOLLOWERS = "while nothing ends; the model has the same look in node.cpp (mayLeadToWait), whose acquire it finds"

KEPT = [
    ("depend/node.h", "return State.fetch_or(Closed,", "acquire release relaxed", CLOSED),
    ("depend/node.h", "forEachOf(State.load(std::memory_order_acquire)", "unused", FOLLOWERS),
    ("flow/count.h", "fetch_add(", "release", "nobody frees an implicit task; the order of libomp's own counts"),
    (
        "flow/count.h",
        "incomplete(Parent).fetch_sub(",
        "release",
        "the thread that ends a child reads nothing that others wrote; the order of libomp's own counts",
    ),
    ("queue/combining.h", "Spare.exchange(", "relaxed", SLOT),
    ("queue/combining.h", "Spare.store(Node", "relaxed", SLOT),
    (
        "queue/combining.h",
        "CombineNode::Leads, std::memory_order_release",
        "relaxed",
        "the lock, released before and taken behind it, orders one combiner and the next; so the mark stays simple",
    ),
    ("queue/work_deque.cpp", "if (Head.load(std::memory_order_acquire) > Last)", "relaxed", EMPTY),
    ("queue/work_deque.h", "Head.load(std::memory_order_acquire));", "relaxed", EMPTY),
    ("sleep/sleepers.h", "fetch_or(", "release", FENCED),
    ("sleep/sleepers.h", "fetch_and(", "acquire", FENCED),
    ("task/child_count.h", "operator int32_t()", "unused", "libomp's assertions alone read so; as std::atomic's"),
    ("task/child_count.h", "Seen = Word.load(std::memory_order_seq_cst)", "acquire relaxed", COUNTED),
]
