//===- tuning.h - Every number that was chosen by measurement ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All constants of the scheduler that a measurement chose, or a guess. Each has
// a unit, a range and a reason. KMP_TASK_TUNING=name=value,... sets them for
// experiments; docs/scheduler.md has the syntax. The protocols in the other
// files are right for every value in the range; only the speed changes.
//
// Sizes of arrays are at the end: they are fixed when the library is built.
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
     page of pointers. A power of two. Not measured. */                        \
  X(FirstCapacity, 512, 2, 1 << 20, "tasks")                                   \
  /* A combiner serves so many requests, then hands over. More only matters    \
     with more threads than that at one queue. Not measured. */                \
  X(CombineMost, 32, 1, 1 << 20, "requests")                                   \
  /* A waiting thread looks so often at a lock or a line before it gives its   \
     processor away: about a microsecond on x86, where a pause takes 10 to 40  \
     ns, and a yield costs about as much. */                                   \
  X(SpinsBeforeYield, 64, 1, 1 << 20, "looks")                                 \
  /* Tasks in a public queue of placed ones, for each thread that it is for,   \
     from which on new ones stay with their creator. Far beyond what threads   \
     work off while one is created. Not measured. */                           \
  X(PublicLimit, 4096, 1, 1 << 30, "tasks")                                    \
                                                                               \
  /* The thread's own deque, and tasks in place. */                            \
  /* A task list is full with so many: libomp's own number. The team's size    \
     goes before it, for as many tasks may wait for each other. */             \
  X(ListLimit, 256, 1, 1 << 30, "tasks")                                       \
  /* A task counts its first children one by one, so that a recursion pays     \
     nothing, then so many at once. 64 threads of a simulated UV2000: a stream \
     of dependent tasks 6.7 to 4.3 ms. Other numbers were not tried; 1 is as   \
     libomp does it. */                                                        \
  X(ChildrenSingly, 8, 0, 1 << 20, "children")                                 \
  X(ChildrenAtOnce, 32, 1, 1 << 20, "children")                                \
  /* What is left of a limit when it no longer holds: the Hysteresis of 30 %   \
     of Agathos et al., Euro-Par 2012, section 2.1. */                         \
  X(Hysteresis, 70, 0, 100, "percent")                                         \
  /* A thief takes half of the tasks, but no more than so many beside the one  \
     it runs: most tasks of a skewed tree are small. Not measured      \
     apart from that. */                                                       \
  X(BatchMost, 7, 0, 7, "tasks")                                               \
  /* A deque has plenty of tasks when it holds so many beside the creator's    \
     own. Adapts between the next two by what is pushed (inplace/README.md,    \
     "When"). A recursion leaves one for each level, a few ten. */             \
  X(PlentyStart, 64, 1, 1 << 20, "tasks")                                      \
  X(PlentyLeast, 2, 1, 1 << 20, "tasks")                                       \
  X(PlentyMost, 256, 1, 1 << 20, "tasks")                                      \
  /* In a loop of tasks with dependences so many for each thread of the team   \
     are plenty, up to ListLimit: those that are queued keep the next ones     \
     from being ready. 512 addresses, one inout each, 2 threads: 24 ns a task  \
     with 16, 33 with 32, 90 with 128. */                                      \
  X(PlentyDependent, 16, 1, 1 << 20, "tasks")                                  \
  /* Fewer are plenty after so many times as many pushes without plenty ... */ \
  X(PlentyPushes, 4, 1, 1 << 10, "times")                                      \
  /* ... or after so many times as many pushes of which nobody took any. */    \
  X(PlentyPushesKept, 16, 1, 1 << 10, "times")                                 \
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
     48 and 64 threads: tasks of 1 us, a creator's only ones, take 1.8 and 2.8 \
     times as long with 1000. */                                               \
  X(StealLongest, 300, 1, 1 << 30, "ns")                                       \
  /* What a steal is taken for before the first one; medians here are 60 to    \
     80, or 310 between two L3 caches. */                                      \
  X(StealGuess, 100, 1, 1 << 30, "ns")                                         \
  /* A stolen task that took longer counts as this, or one very long task      \
     would outweigh all others for ever: about 1 ms. */                        \
  X(WorkLongest, 1 << 20, 1, 1 << 30, "ns")                                    \
  /* Steals that the means remember. In a very unbalanced tree most tasks are  \
     leaves, and a few are worth thousands of them. */                         \
  X(StealMemoryLog2, 8, 0, 16, "log2 of steals")                               \
  /* A thief whose steals are not worth it rests for this, then twice as long  \
     each time. At the longest one steal costs the creator 2 % of its time. */ \
  X(RestShortest, 1000, 1, 1 << 30, "ns")                                      \
  X(RestLongest, 64000, 1, 1 << 30, "ns")                                      \
  /* A thief that has found nothing rests for this at most, times the threads  \
     of the team: all together look as often whatever its size.                \
     Simulated, 64 threads: 2000 tasks that become ready at once take 1.07     \
     times as long as before with 0, 0.86 with 20. */                          \
  X(RestInVain, 20, 0, 1 << 20, "ns")                                          \
  /* Placed tasks of another node are left alone for so many rounds at least,  \
     each some tenths of a microsecond, and for so many times as long as the   \
     thread's own placed tasks took: first those that their owners can run     \
     soon, then all. */                                                        \
  X(RemoteRoundsBacklog, 64, 0, 1 << 30, "rounds")                             \
  X(RemoteRoundsAny, 4096, 0, 1 << 30, "rounds")                               \
  X(RemoteTasksBacklog, 2, 0, 1 << 20, "task times")                           \
  X(RemoteTasksAny, 4, 0, 1 << 20, "task times")                               \
  /* Longer tasks count as this in the wait: 80 ms at most. */                 \
  X(RemoteTaskLongest, 20000000, 1, 1u << 31, "ns")                            \
  /* The mean of a thread's placed tasks remembers about so many: the last     \
     few count. */                                                             \
  X(RemoteMemoryLog2, 2, 0, 20, "log2 of tasks")                               \
  /* A thread that a queue with a lock has refused looks again 1, 2, 4, ...    \
     rounds later, and then after each so many, some 80 us. Simulated: a       \
     tree of placed tasks takes 4 to 6 times as long with 1, and one in shared \
     lists may never end; 16 to 4096 differ little. */                         \
  X(RefusedRoundsMost, 512, 1, 1 << 30, "rounds")                              \
  /* A list has more than its owners run soon with more than so many for each  \
     of them. */                                                               \
  X(RemoteBacklog, 2, 0, 1 << 20, "tasks")                                     \
                                                                               \
  /* Inferred hints (task/infer.h). */                                         \
  /* Of so many tasks in a row with the same answer the next one is taken to   \
     have it too: a wrong guess for 64 right ones at most. The kernel takes    \
     0.6 us for a page that is there, 1.9 for one that is not. */              \
  X(InferAlike, 64, 1, 1 << 20, "tasks")                                       \
  X(InferMostSkips, 15, 0, 1 << 20, "tasks")                                   \
  /* Tasks shorter than this gain nothing from their node: the question and    \
     the way through a shared queue take 1 to 2 us, remote memory doubles a    \
     task's time at most. */                                                   \
  X(InferShortTask, 4000, 0, 1 << 30, "ns")                                    \
  /* A node is crowded with more than so much of an even spread, ... */        \
  X(InferCrowded, 150, 100, 100000, "percent")                                 \
  /* ... and so many tasks for each of its threads beyond: a loop may create   \
     all tasks of one node first. */                                           \
  X(InferAllowance, 24, 0, 1 << 20, "tasks")                                   \
  /* Older tasks count half after so many for each thread of the team. */      \
  X(InferMemory, 256, 1, 1 << 20, "tasks")                                     \
                                                                               \
  /* Taskloops (loop/). */                                                     \
  /* A taskloop asks at most at so many of its chunks where they belong: 16    \
     bytes each. Of more, neighbours go together. Not measured. */             \
  X(LoopMostAsked, 1 << 20, 1, 1 << 30, "questions")                           \
                                                                               \
  /* Dependences (depend/). */                                                 \
  /* Slots of a task's first table of addresses, of 64 bytes each: enough for  \
     most, and 4 KB. */                                                        \
  X(DomainLog2, 6, 1, 24, "log2 of slots")                                     \
  /* Readers of an address, of which those that have ended are forgotten       \
     first, then with twice as many as were left. */                           \
  X(DomainSweep, 32, 1, 1 << 30, "tasks")                                      \
  /* A thread maps memory for so many nodes, 128 bytes each, then twice as     \
     much each time, up to 1 MB. */                                            \
  X(NodeChunkLeast, 128, 2, 1 << 16, "nodes")                                  \
  X(NodeChunkMost, 8192, 2, 1 << 20, "nodes")                                  \
  /* Nodes go back to the creator so many at a time, and so does the count of  \
     tasks that have ended: one line moves for all. */                         \
  X(NodeBatch, 16, 1, 1 << 20, "nodes")                                        \
  X(EndsBatch, 8, 1, 1 << 20, "tasks")                                         \
  /* A creator runs so many tasks ahead for each thread of its team, beside    \
     ListLimit. Others may know of EndsBatch ends each that it does not. */    \
  X(WindowPerThread, 32, 0, 1 << 20, "tasks")                                  \
  /* It creates again when so much of that is left. */                         \
  X(WindowLow, 50, 0, 100, "percent")                                          \
  /* Where it finds no task to run it creates more, up to so many times as     \
     many, and then waits for the others: ... */                               \
  X(WindowWait, 64, 1, 1 << 20, "times")                                       \
  /* ... so long if none ends meanwhile, then twice as long each time. */      \
  X(WindowPatience, 1000, 1, 1 << 30, "us")                                    \
  /* ... but no longer than so many times as long: about a second. Then it     \
     creates WindowWait times as many more. */                                 \
  X(WindowPatienceMost, 1024, 1, 1 << 20, "times")                             \
  /* Tasks that a creator runs on its stack for that reason may come to it in  \
     turn, so deep: what untied ones run there need not be their own. */       \
  X(WindowDepth, 16, 1, 1 << 20, "tasks")                                      \
  /* Who waits for certain tasks leaves others alone so long, while those run  \
     elsewhere: half of the block time. */                                     \
  X(AwaitPatience, 100000, 0, 1 << 30, "us")                                   \
                                                                               \
  /* Memory with a place (data/). */                                           \
  /* A reader of the directory tries so often while others write, then it asks \
     the kernel, for 0.6 us, or waits: writers come with each allocation, and  \
     are soon gone. Not measured. */                                           \
  X(DirectoryTries, 4, 1, 1 << 20, "tries")                                    \
  /* A page that is in use, by a system call for instance, is moved at the     \
     next try, behind a yield. What cannot be moved then stays where it is,    \
     and the program hears of it. Not measured. */                             \
  X(MoveTries, 20, 1, 1 << 20, "tries")                                        \
                                                                               \
  /* Waiting. */                                                               \
  /* An oversubscribed thread gives its processor away after so many rounds    \
     without a task. */                                                        \
  X(RoundsBeforeYield, 16, 1, 1 << 20, "rounds")                               \
  /* A thread in a tied task looks so many rounds for one that it may run      \
     there before it starts an untied one that it should not. */               \
  X(RoundsBeforeUntied, 256, 0, 1 << 30, "rounds")                             \
  /* A waiting thread starts strict tasks on top of the waiting one at once    \
     while it has used less than this of its stack, ... */                     \
  X(NestFreely, 50, 0, 100, "percent")                                         \
  /* ... and after twice as many rounds for each further step: one of so many  \
     that the stack has. Not measured. */                                      \
  X(NestSteps, 64, 1, 1 << 10, "steps")                                        \
  /* But after no more than 2 to this many rounds. Not measured. */            \
  X(NestDoublings, 20, 0, 31, "doublings")                                     \
  /* Where the system does not say: a small stack begins here. A guess. */     \
  X(NestUnknownStack, 256 << 10, 1 << 10, 1 << 30, "bytes")                    \
                                                                               \
  /* Adaptive lists (lists/). */                                               \
  /* Shortest time between two decisions; an interval of more than so many     \
     times as much was spent in serial code. */                                \
  X(AdaptInterval, 1000000, 1, 1 << 30, "ns")                                  \
  X(AdaptTooLong, 4, 1, 1 << 20, "intervals")                                  \
  /* Accesses of a thread between two looks at the clock. */                   \
  X(AdaptAccesses, 64, 1, 1 << 20, "accesses")                                 \
  /* Below this loss of time nothing is tried; a trial must gain so much to    \
     be kept; one in vain costs so many intervals first, and at most. */       \
  X(AdaptGoodEnough, 20, 0, 1000, "per mille")                                 \
  X(AdaptMargin, 10, 0, 1000, "per mille")                                     \
  X(AdaptPenalty, 4, 1, 1 << 20, "intervals")                                  \
  X(AdaptPenaltyMost, 256, 1, 1 << 20, "intervals")

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

// Fixed sizes of arrays.

/// Shapes that a team keeps for when it comes back to one of them; each takes
/// 1.5 KB, and some 100 bytes a thread. Programs take turns with two or three
/// sizes, and a task team of nested teams with so many for each partition of
/// the places that they lie in. What all of them take has been measured, what a
/// program needs has not.
constexpr int ShapesKept = 8;

/// Room in one thief's bag: the most that BatchMost may say.
constexpr int BatchRoom = 7;
/// Pages that one question to the kernel names: 0.6 us each.
constexpr int MaxPagesAsked = 16;
/// Locators of a task beyond this many are sampled evenly.
constexpr int MaxRanges = 16;
/// Pages that one order to the kernel moves: 4 KB of our stack.
constexpr int MaxPagesMoved = 256;
/// Parts of one block that the kernel is told one by one. It keeps a record of
/// each, and a process may have 65530 by default.
constexpr int MaxParts = 4096;

/// Nodes that the ranges of one task may lie on: 0.8 KB of our stack. With
/// more, the kernel is asked.
constexpr int MaxNodesTallied = 64;

// What a trace may cost.

/// Records in the buffer of a thread. With the header they are 64 KB, which one
/// write takes in 30 to 50 us: 20 ns a record.
constexpr uint32_t TraceBufferRecords = 2047;
/// Different names of tasks and variables, 8 bytes each in every process. A
/// guess. A power of two.
constexpr uint32_t TraceNames = 1 << 14;
/// Numbers that a thread draws at once for its tasks: one locked instruction in
/// so many tasks, and of 2^32 numbers few are lost.
constexpr uint32_t TraceNumbers = 1024;

// It asks the kernel where data is.

/// So often for each thread in any case: a short program is known as a whole.
constexpr unsigned TraceFreeQuestions = 256;
/// Then the answers take at most one of so many parts of the thread's time.
constexpr unsigned TraceQuestionShare = 50;
/// An answer that took longer, in ns, was held up by something else.
constexpr unsigned TraceQuestionMost = 50000;

} // namespace locus

#endif // LOCUS_TUNING_H
