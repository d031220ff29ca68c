//===- tuning.h - Numbers that can be set -----------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What KMP_TASK_TUNING=name=value,... sets for experiments (docs/scheduler.md
// has the syntax), and what tests make smaller to get to rare paths. Each has a
// unit, a range and a reason. The protocols in the other files are right for
// every value in the range; only the speed changes. Other numbers are constants
// beside the code that uses them.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TUNING_H
#define LOCUS_TUNING_H

#include <stdint.h>

namespace locus {

// X(name, default, least, most, unit)
#define LOCUS_TUNING(X)                                                        \
  /* Queues. */                                                                \
  /* Memory for the first tasks of a queue, then twice as much each time: one  \
     page of pointers. A power of two. Tests want less. */                     \
  X(FirstCapacity, 512, 2, 1 << 20, "tasks")                                   \
  /* A combiner serves so many requests, then hands over. */                   \
  X(CombineMost, 32, 1, 1 << 20, "requests")                                   \
                                                                               \
  /* The thread's own deque, and tasks in place. */                            \
  /* A deque is full with so many: libomp's own number. The team's size        \
     goes before it, for as many tasks may wait for each other. */             \
  X(ListLimit, 256, 1, 1 << 30, "tasks")                                       \
  /* What is left of a limit when it no longer holds: the Hysteresis of 30 %   \
     of Agathos et al., Euro-Par 2012, section 2.1. */                         \
  X(Hysteresis, 70, 0, 100, "percent")                                         \
  /* A deque has plenty of tasks when it holds so many beside the creator's    \
     own: at first, then what is pushed decides (inplace/README.md, "When").   \
     A recursion leaves one for each level, a few ten. */                      \
  X(PlentyStart, 64, 1, 1 << 20, "tasks")                                      \
  /* In a loop of tasks with dependences so many for each thread of the team   \
     are plenty, up to ListLimit: those that are queued keep the next ones     \
     from being ready. 512 addresses, one inout each, 2 threads: 24 ns a task  \
     with 16, 33 with 32, 90 with 128. */                                      \
  X(PlentyDependent, 16, 1, 1 << 20, "tasks")                                  \
  /* There are few again, after the owner took one, below so much of what few  \
     means after a thief did. fib(30), 2 threads: 17,000 real tasks a region   \
     with 100, 2,400 with 50, and 2.5 instead of 3.2 ms. */                    \
  X(PlentyOwner, 50, 0, 100, "percent")                                        \
  /* How deep tasks nest in place in a team: with 60 KB of variables each, 64  \
     need half of a stack of 8 MB. 512 crashed where libomp did not. */        \
  X(InplaceDepth, 64, 1, 1 << 20, "tasks")                                     \
                                                                               \
  /* Stealing. */                                                              \
  /* A task is worth a steal if it takes so many steals' time with what the    \
     thief does for it. Nothing is won or lost at 2.4 with near caches and 1.4 \
     with far ones if it needs no data of its creator's; most need some. */    \
  X(WorthSteals, 3, 0, 1 << 10, "steals")                                      \
  /* A steal that took longer waited for others: counts as this. Simulated,    \
     48 and 64 threads: tasks of 1 us, a creator's only ones, take 2.7 and 1.8 \
     times as long with 700; one fine producer on 16 threads of the UV2000     \
     takes 1.6 times as long with 300. */                                      \
  X(StealLongest, 400, 1, 1 << 30, "ns")                                       \
  /* A thief whose steals are not worth it rests for 1 us, then twice as long  \
     each time, up to this: one steal costs the creator 2 % of its time. */    \
  X(RestLongest, 64000, 1000, 1 << 30, "ns")                                   \
  /* A thief that has found nothing rests for this at most, times the threads  \
     of the team: all together look as often whatever its size.                \
     Simulated, 64 threads: 2000 tasks that become ready at once take 1.07     \
     times as long as before with 0, 0.86 with 20. */                          \
  X(RestInVain, 20, 0, 1 << 20, "ns")                                          \
  /* Placed tasks of another node are left alone for so many rounds at least,  \
     each some tenths of a microsecond: first those that their owners can run  \
     soon, then all; ... */                                                    \
  X(RemoteRoundsBacklog, 256, 0, 1 << 30, "rounds")                            \
  X(RemoteRoundsAny, 4096, 0, 1 << 30, "rounds")                               \
  /* ... and for so many times as long as the thread's own placed tasks took,  \
     before it takes any; for half of that, before it takes the first. */      \
  X(RemoteTasksAny, 4, 0, 1 << 20, "task times")                               \
                                                                               \
  /* Inferred hints (task/): a node is crowded with more than so much          \
     of an even spread. Simulated, 64 threads of the UV2000: a Cholesky        \
     factorization of 6000 tasks, all tiles on one node, takes 1.17 times as   \
     long with 100000. */                                                      \
  X(InferCrowded, 150, 100, 100000, "percent")                                 \
                                                                               \
  /* Dependences (depend/). */                                                 \
  /* Slots of a task's first table of addresses, of 64 bytes each: enough for  \
     most, and 4 KB. Tests want less. */                                       \
  X(DomainLog2, 6, 1, 24, "log2 of slots")                                     \
  /* Readers of an address, of which those that have ended are forgotten       \
     first, then with twice as many as were left. Tests want less. */          \
  X(DomainSweep, 32, 1, 1 << 30, "tasks")                                      \
  /* A thread maps memory for so many nodes, 128 bytes each, then twice as     \
     much each time, up to 1 MB. Tests want less. */                           \
  X(NodeChunkLeast, 128, 2, 1 << 16, "nodes")                                  \
  X(NodeChunkMost, 8192, 2, 1 << 20, "nodes")                                  \
  /* Nodes go back to the creator so many at a time, and so does the count of  \
     tasks that have ended: one line moves for all. */                         \
  X(NodeBatch, 16, 1, 1 << 20, "nodes")                                        \
  X(EndsBatch, 8, 1, 1 << 20, "tasks")                                         \
  /* A creator runs so many tasks ahead for each thread of its team, beside    \
     ListLimit. Others may know of EndsBatch ends each that it does not. */    \
  X(WindowPerThread, 32, 0, 1 << 20, "tasks")                                  \
  /* A thread that waits for certain tasks leaves others alone so long, while  \
     those run elsewhere: half of the default block time. */                   \
  X(AwaitPatience, 100000, 0, 1 << 30, "us")

/// The values in force. Set before the first task, and only read afterwards.
struct Tuning {
#define LOCUS_TUNING_FIELD(Name, Default, Least, Most, Unit)                   \
  uint32_t Name = Default;
  LOCUS_TUNING(LOCUS_TUNING_FIELD)
#undef LOCUS_TUNING_FIELD
};
extern Tuning Tuned;

/// Sets what \p Text says: name=value[,name=value...]; spaces do not count.
/// Null if that was all right. Else nothing has changed, and the answer, which
/// the next call overwrites, says what is wrong. Not for two threads at once.
const char *setTuning(const char *Text);

/// What differs from the defaults, as setTuning() takes it, in \p Size bytes at
/// \p Text; cut off if it does not fit.
void showTuning(char *Text, unsigned Size);

/// Calls \p Say with a line for each number: its name, what it is, its range
/// and its unit.
void listTuning(void (*Say)(const char *Line));

} // namespace locus

#endif // LOCUS_TUNING_H
