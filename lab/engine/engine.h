//===- engine/engine.h - Processors in virtual time -------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated threads, one on each simulated processor, in one thread of the
// system. Each has a clock of its own; whoever does something that others can
// see must be the one whose clock is the least far on, and waits until it is.
// README.md has the model and what it leaves out.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_ENGINE_H
#define LOCUS_LAB_ENGINE_ENGINE_H

#include "lab/engine/arena.h"
#include "lab/engine/flows.h"
#include "lab/engine/memory.h"
#include "lab/engine/queue.h"
#include "lab/machine.h"

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace locus::lab {

/// What a thread spends its time on.
enum class Spent : uint8_t {
  Working,
  Creating,
  Ending,
  Searching,
  Waiting, ///< for lines; part of none of the others
  Sleeping,
  Other
};
constexpr int NumSpent = int(Spent::Other) + 1;

/// A simulated thread on its processor.
struct Processor {
  Time Now = 0;
  Time Drained = 0; ///< when its last store is done
  void *Fiber = nullptr;
  std::function<void()> Body;
  int Number = 0; ///< of the machine
  int Node = 0, L3 = 0;
  bool IsBlocked = true, IsDone = false;

  // watch()
  bool IsWatching = false;
  Time RoundBegan = 0, Round = 0, Due = 0;

  // The store buffer: when each store on its way is done, the oldest first.
  static constexpr int MostStores = 64;
  Time Stores[MostStores];
  int FirstStore = 0, NumStores = 0;

  Spent Doing = Spent::Other;
  Time Since = 0, LinesBefore = 0;
  Time Times[NumSpent] = {};

  uint64_t SameL3[4] = {}; ///< threads on its L3, as Line::Sharers
};

/// Counts of a run.
struct EngineCounts {
  uint64_t LinesMoved = 0, Switches = 0, Steps = 0, Watches = 0, Wakes = 0;
  Time LineWait = 0; ///< for lines on their way to others
};

/// Of the thread that runs: its clock, and the least of the others'.
struct HotClock {
  Time Now, Limit;
};
extern HotClock Hot;

class Engine {
public:
  /// Thread I on processor \p Processors[I] of \p M. Throws
  /// std::invalid_argument for what cannot be.
  Engine(const Machine &M, const std::vector<int> &Processors);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// The one that runs; null outside of run().
  static Engine *running() { return Running; }

  int numThreads() const { return int(All.size()); }
  const Machine &machine() const { return M; }
  const Processor &processor(int Thread) const { return All[size_t(Thread)]; }
  MemoryMap &memory() { return Memory; }
  FlowNetwork &flows() { return Flows; }

  /// For what varies at random: how long a pause takes.
  void setSeed(uint64_t Seed) { Random = Seed * 0x9e3779b97f4a7c15u | 1; }
  /// Before run(): what thread \p Thread does from time 0 on.
  void begin(int Thread, std::function<void()> Body);
  /// Runs until all threads are at their end, or nobody can run any more, or a
  /// thread's clock is beyond \p Most. Empty if all are at their end, else what
  /// was wrong. Passes on what a thread throws.
  std::string run(Time Most);
  /// The last clock.
  Time end() const { return LastEnd; }

  //===--------------------------------------------------------------------===//
  // The calling thread
  //===--------------------------------------------------------------------===//

  int self() const { return Current; }
  Time now() const { return Hot.Now; }
  void advance(Time Ps) { Hot.Now += Ps; }
  /// Waits until no other clock is less far on.
  void sync() {
    if (Hot.Now > Hot.Limit)
      schedule(/*IsRunnable=*/true);
  }
  /// Waits until another one calls wake().
  void block();
  /// \p Thread, which is in block(), goes on at time \p At, or at once if its
  /// own clock is beyond that.
  void wake(int Thread, Time At);
  bool isBlocked(int Thread) const { return All[size_t(Thread)].IsBlocked; }

  /// The calling thread has begun a round at time \p Began that is over now,
  /// that only read, and that it would repeat. Returns at the end of a round,
  /// when a line of which it has a copy has been written, or at \p Due. What it
  /// returns is how many rounds were left out. NoTime: only when a line is
  /// written.
  uint64_t watch(Time Began, Time Due);
  /// Whether the calling thread has written a line of the arena, or lost a line
  /// that it had, since the last call of this.
  bool hasBeenIdle();
  /// Lines that count for nobody's hasBeenIdle(): the thread's own notes.
  void ownNotes(int Thread, const void *First, const void *Last);

  /// Moves \p Ranges to or from the calling thread, with \p ComputeNs beside.
  void access(const struct Range *Ranges, size_t Count, double ComputeNs);
  /// Of the last access(), the node that most of its bytes are on; -1: none.
  int homeOfAccess() const { return LastHome; }

  /// From here on its time counts as \p What; returns what it was before.
  Spent spend(Spent What);

  //===--------------------------------------------------------------------===//
  // What the scheduler does, for engine/instrument.cpp and the host
  //===--------------------------------------------------------------------===//

  void load(uint64_t Address, bool IsAtomic);
  /// Reads all lines of \p Bytes from \p Address on. None of these loads needs
  /// what another one returns, so that a processor has all of them on their way
  /// at the same time.
  void loadTogether(uint64_t Address, uint64_t Bytes);
  void store(uint64_t Address, bool IsAtomic);
  void readModifyWrite(uint64_t Address);
  void fence();
  void prefetch(uint64_t Address);
  void pause();
  void yield() { advance(YieldPs); }
  uint64_t readClock();
  uint64_t readTicks();

  void countWake() { ++Counts.Wakes; }
  const EngineCounts &counts() const { return Counts; }
  const std::vector<std::vector<double>> &bytesMoved() const {
    return Flows.bytesMoved();
  }
  double bytesFromCache() const { return FromCache; }

private:
  friend struct FiberEntry;

  void schedule(bool IsRunnable);
  void jumpTo(int Thread);
  void arrive(void *Context);
  void finishThread();
  bool has(const Line &L) const {
    return (L.Sharers[Current / 64] >> (Current % 64) & 1) != 0;
  }
  bool isAlone(const Line &L) const;
  bool isNear(const Line &L) const;
  Time memoryPs(uint64_t Offset);
  Time costToRead(const Line &L, uint64_t Offset);
  Time take(Line &L, uint64_t Offset);
  void readMiss(Line &L, uint64_t Offset);
  void stallUntil(Time Done);
  void addStore(Time Done);
  void noteWrite(uint64_t Address);
  void notice(int Thread, Time At);

  static Engine *Running;

  const Machine &M;
  std::vector<Processor> All;
  std::vector<uint32_t> LinePs;   ///< by thread that has, and that wants it
  std::vector<uint32_t> MemoryPs; ///< by node, and thread
  TimeQueue Queue;                ///< of the others; the last place is Flows'
  FlowNetwork Flows;
  MemoryMap Memory;
  int Current = -1;
  int Jumper = -1; ///< who jumped to Current; -1: run()
  int NumDone = 0;
  void *Outside = nullptr; ///< who called run()
  Time LastEnd = 0, Most = 0;
  Time AccessPs, LockedPs, FencePs, SharePs, PausePs, YieldPs, ClockPs, RdtscPs;
  Time Nearest = 0; ///< what a line takes at least between two threads
  std::string Trouble;
  std::exception_ptr Thrown;
  EngineCounts Counts;
  uint64_t Random = 1;
  int LastHome = -1;
  double FromCache = 0;
  std::vector<std::pair<uint64_t, uint64_t>> Notes; ///< by thread
  std::vector<char> WasIdle;                        ///< by thread
  MemoryMap::Moves Moves;
  std::vector<int> Ended;
};

} // namespace locus::lab

#endif // LOCUS_LAB_ENGINE_ENGINE_H
