// Runs a graph and records what happened.

#ifndef LOCUS_STRESS_RUN_H
#define LOCUS_STRESS_RUN_H

#include "plan.h"

#include <atomic>
#include <memory>
#include <omp.h>

namespace stress {

/// Moments are numbers of one counter: 1, 2, ...; 0 is never.
using Moment = uint64_t;

struct TaskState {
  std::atomic<int> Runs{0};
  std::atomic<bool> Ended{false};
  std::atomic<Moment> Created{0};
  std::atomic<Moment> Start{0};
  std::atomic<Moment> End{0}; ///< of its last part so far
  std::atomic<Moment> Fulfilled{0};
  std::atomic<int> Doing{0}; ///< number of the action that it is in
  // Ordinary data, which the runtime has to make visible.
  int Creator = -1; ///< thread that created it
  int Thread = -1;
  omp_event_handle_t Event = omp_event_handle_t();
};

/// Padded: a task of one cell does not disturb those of another.
struct alignas(128) Cell {
  Id Writer = None;
  int MutexTasks = 0;
};

/// What tasks of gcc and clang get by value.
struct Payload {
  Id Which;
  unsigned Word[5];
  explicit Payload(Id I) : Which(I) {
    for (unsigned J = 0; J < 5; ++J)
      Word[J] = (unsigned(I) + J) * 2654435761u;
  }
  bool fits(Id I) const {
    for (unsigned J = 0; J < 5; ++J)
      if (Word[J] != (unsigned(I) + J) * 2654435761u)
        return false;
    return Which == I;
  }
};

/// The same with a constructor and a destructor that the compiler must call.
struct CountedPayload : Payload {
  static std::atomic<long> Alive;
  explicit CountedPayload(Id I) : Payload(I) { ++Alive; }
  CountedPayload(const CountedPayload &From) : Payload(From) { ++Alive; }
  ~CountedPayload() {
    Which = None;
    --Alive;
  }
};

class Run {
public:
  Run(const Options &O, const Graph &G);
  Run(const Run &) = delete;

  void run();
  /// After run(): ends the program if something was wrong. Returns how many
  /// tasks were cancelled.
  int check() const;

  /// Ends the program with a message, also while it runs.
  __attribute__((noreturn, format(printf, 3, 4))) void
  fail(Id Which, const char *Format, ...) const;

  /// Tasks that were created and have not ended, for the watchdog.
  void dump() const;

  // What a construct in create.cpp does.
  void create(Id Which);
  void begin(Id Which, const Payload &P);
  void first(Id Which);
  void second(Id Which);
  void end(Id Which);
  /// Stamps the request; for the statement before `cancel`.
  void cancelling(Id Which);
  void perform(Id Which, const Payload &P) {
    begin(Which, P);
    first(Which);
    second(Which);
    end(Which);
  }
  void fulfil(Id Detached);
  void meet(Id Which);
  void reduce(long &Sum, Id Which);
  void wait(const WaitDepend &W);
  void loop(const Loop &L);
  void iteration(Id Which);
  void group(Id Which);
  void region(Id Which);
  /// What each thread of the region does.
  void member(Id Which);

  /// What is asked, whether or not the runtime knows of places.
  static bool hasPlaces();
  /// Tasks so far that the runtime did not know of when they began
  /// (openmp-runtime/src/locus/inplace/README.md).
  static long inPlace();
  static Moment now() { return Clock.load(std::memory_order_relaxed); }

private:
  friend struct Constructs;

  static Moment stamp() { return ++Clock; }
  void reach(Id Deadline);
  void actions(Id Which, const Actions &List);
  void checkThread(Id Which, int Before) const;
  void checkPlace(Id Which) const;
  void checkCells(Id Which, bool HasWritten) const;
  void checkTask(Id Which) const;
  void checkOrder(Id Which) const;
  void checkData() const;
  bool wasCancelled(Id Group) const;
  bool runsAtOnce(const Task &T) const;
  Moment finished(Id Which) const;
  void setHint(const Hint &H, bool MayBreak);
  void takeBackHint();
  void *address(intptr_t Value) const;
  int nodeOf(int Thread) const;
  std::vector<int> nodesOfTeam() const;
  long *reductionOf(Id Group);
  /// True for the first that asks, if this is what --break wants.
  bool breaks(Break What);

  const Options &O;
  const Graph &G;
  std::unique_ptr<TaskState[]> Tasks;
  std::unique_ptr<std::atomic<Moment>[]> Deadlines;
  std::unique_ptr<std::atomic<Moment>[]> Cancels; ///< of groups
  std::unique_ptr<std::atomic<int>[]> Met; ///< tasks of groups that are gangs
  std::unique_ptr<Cell[]> Cells;
  std::unique_ptr<long[]> Sums; ///< of groups
  std::atomic<bool> Broken{false};
  static std::atomic<Moment> Clock;
};

/// A thread that OpenMP does not know fulfils the event of \p Detached.
void fulfilOutside(Run &Of, Id Detached);

/// Starts the watchdog, which looks at the run that watch() names. \p Program
/// is how the user calls this one.
void startWatchdog(const Options &O, const char *Program);
/// \p Current is null between two runs.
void watch(const Run *Current, uint64_t Graph);
/// A command that runs the current graph again.
const char *reproduction();

} // namespace stress

#endif
