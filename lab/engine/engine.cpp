//===- engine/engine.cpp - Processors in virtual time ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/engine.h"

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>
#include <stdexcept>
#include <stdlib.h>

namespace locus::lab {

namespace fibers = boost::context::detail;

HotClock Hot;
Engine *Engine::Running = nullptr;

/// Where a fiber begins.
struct FiberEntry {
  static void enter(fibers::transfer_t From) {
    Engine &E = *static_cast<Engine *>(From.data);
    E.arrive(From.fctx);
    try {
      E.All[size_t(E.Current)].Body();
    } catch (...) {
      E.Thrown = std::current_exception();
    }
    E.finishThread();
  }
};

static std::vector<int> nodesOf(const Machine &M,
                                const std::vector<int> &Processors) {
  std::vector<int> Nodes;
  for (int P : Processors) {
    if (P < 0 || P >= M.numProcessors())
      throw std::invalid_argument("processor " + std::to_string(P) +
                                  ": the machine has 0 to " +
                                  std::to_string(M.numProcessors() - 1));
    if (std::count(Processors.begin(), Processors.end(), P) != 1)
      throw std::invalid_argument(
          "processor " + std::to_string(P) +
          " for two threads: the laboratory runs one on each");
    Nodes.push_back(M.NodeOf[size_t(P)]);
  }
  if (Processors.empty())
    throw std::invalid_argument("a run needs at least one thread");
  return Nodes;
}

Engine::Engine(const Machine &TheMachine, const std::vector<int> &Processors)
    : M(TheMachine), All(Processors.size()), Queue(Processors.size() + 1),
      Flows(M, nodesOf(M, Processors)), Memory(M), Notes(Processors.size()),
      WasIdle(Processors.size()) {
  const Costs &C = M.Cost;
  AccessPs = toPs(C.AccessNs), LockedPs = toPs(C.LockedNs);
  FencePs = toPs(C.FenceNs), SharePs = toPs(C.ShareNs);
  PausePs = toPs(C.PauseNs), YieldPs = toPs(C.YieldNs);
  ClockPs = toPs(C.ClockNs), RdtscPs = toPs(C.RdtscNs);
  const size_t Threads = All.size();
  Nearest = NoTime;
  for (size_t I = 0; I < Threads; ++I) {
    Processor &P = All[I];
    P.Number = Processors[I];
    P.Node = M.NodeOf[size_t(P.Number)];
    P.L3 = M.L3Of[size_t(P.Number)];
    for (size_t J = 0; J < Threads; ++J) {
      LinePs.push_back(uint32_t(toPs(M.lineNs(P.Number, Processors[J]))));
      if (I != J)
        Nearest = std::min(Nearest, Time(LinePs.back()));
      if (M.L3Of[size_t(Processors[J])] == P.L3)
        P.SameL3[J / 64] |= uint64_t(1) << J % 64;
    }
  }
  for (int N = 0; N < M.NumNodes; ++N)
    for (const Processor &P : All)
      MemoryPs.push_back(uint32_t(toPs(M.MemoryNs[M.pair(N, P.Node)])));
  openArena(int(Threads));
}

Engine::~Engine() { closeArena(); }

//===----------------------------------------------------------------------===//
// Whose turn it is
//===----------------------------------------------------------------------===//

void Engine::begin(int Thread, std::function<void()> Body) {
  Processor &P = All[size_t(Thread)];
  P.Body = std::move(Body);
  char *Top =
      reinterpret_cast<char *>(StackBase + uint64_t(Thread + 1) * StackBytes);
  P.Fiber = fibers::make_fcontext(Top, StackBytes, FiberEntry::enter);
  P.IsBlocked = false;
  Queue.set(size_t(Thread), 0);
}

std::string Engine::run(Time TheMost) {
  Most = TheMost;
  Running = this;
  NumDone = 0;
  const int First = int(Queue.place());
  Queue.set(size_t(First), NoTime);
  Hot = {0, Queue.isEmpty() ? NoTime : Queue.least()};
  Current = First;
  Jumper = -1;
  // From here on a fiber goes to the next one by itself.
  fibers::jump_fcontext(All[size_t(First)].Fiber, this);
  Running = nullptr;
  // What is not accounted for yet: the wait for the last one, or what a thread
  // was at when the run was given up.
  for (Processor &P : All)
    P.Times[int(P.Doing)] += LastEnd - P.Since - P.LinesBefore;
  if (Thrown)
    std::rethrow_exception(Thrown);
  return Trouble;
}

/// The calling thread is blocked, or not the first any more: the one whose
/// clock is the least goes on.
void Engine::schedule(bool IsRunnable) {
  Processor &Me = All[size_t(Current)];
  Me.Now = Hot.Now;
  if (IsRunnable)
    Queue.set(size_t(Current), Hot.Now);
  for (;;) {
    if (Queue.isEmpty() || Queue.least() > Most || Thrown) {
      if (!Thrown)
        Trouble = Queue.isEmpty() ? "nobody can go on: all threads wait"
                                  : "it takes longer than the limit";
      for (const Processor &P : All)
        LastEnd = std::max(LastEnd, P.Now);
      fibers::jump_fcontext(Outside, nullptr);
    }
    if (Queue.place() != All.size())
      break;
    const Time Now = Queue.least();
    Ended.clear();
    Flows.passTo(Now, Ended);
    for (int Thread : Ended)
      wake(Thread, Now);
    Queue.set(All.size(), Flows.next());
  }
  jumpTo(int(Queue.place()));
}

void Engine::jumpTo(int Thread) {
  Processor &Next = All[size_t(Thread)];
  const Time Turn = Queue.least();
  Queue.set(size_t(Thread), NoTime);
  Hot.Now = std::max(Turn, Next.Now);
  Hot.Limit = Queue.isEmpty() ? NoTime : Queue.least();
  Next.IsBlocked = false;
  if (Thread == Current)
    return;
  ++Counts.Switches;
  Jumper = Current;
  Current = Thread;
  arrive(fibers::jump_fcontext(Next.Fiber, this).fctx);
}

/// Somebody has jumped here, and left its context.
void Engine::arrive(void *Context) {
  (Jumper < 0 ? Outside : All[size_t(Jumper)].Fiber) = Context;
}

void Engine::finishThread() {
  Processor &Me = All[size_t(Current)];
  spend(Spent::Other);
  Me.Now = Hot.Now;
  Me.IsDone = true;
  LastEnd = std::max(LastEnd, Me.Now);
  if (++NumDone == numThreads())
    fibers::jump_fcontext(Outside, nullptr);
  Me.IsBlocked = true;
  schedule(/*IsRunnable=*/false);
  abort(); // nobody wakes a thread that is at its end
}

void Engine::block() {
  All[size_t(Current)].IsBlocked = true;
  schedule(/*IsRunnable=*/false);
}

void Engine::wake(int Thread, Time At) {
  Processor &P = All[size_t(Thread)];
  P.IsBlocked = false;
  const Time Then = std::max(P.Now, At);
  Queue.set(size_t(Thread), Then);
  Hot.Limit = std::min(Hot.Limit, Then);
}

Spent Engine::spend(Spent What) {
  Processor &Me = All[size_t(Current)];
  const Spent Before = Me.Doing;
  Me.Times[int(Before)] += Hot.Now - Me.Since - Me.LinesBefore;
  Me.LinesBefore = 0;
  Me.Since = Hot.Now;
  Me.Doing = What;
  return Before;
}

//===----------------------------------------------------------------------===//
// Rounds that find nothing
//===----------------------------------------------------------------------===//

void Engine::ownNotes(int Thread, const void *First, const void *Last) {
  Notes[size_t(Thread)] = {uint64_t(First), uint64_t(Last)};
}

bool Engine::hasBeenIdle() {
  const bool Was = WasIdle[size_t(Current)];
  WasIdle[size_t(Current)] = true;
  return Was;
}

uint64_t Engine::watch(Time Began, Time Due) {
  Processor &Me = All[size_t(Current)];
  if (!WasIdle[size_t(Current)])
    return 0; // since hasBeenIdle()
  Me.RoundBegan = Hot.Now;
  Me.Round = std::max(Time(1), Hot.Now - Began);
  Me.IsWatching = true;
  Me.IsBlocked = true;
  ++Counts.Watches;
  if (Due != NoTime) {
    const Time Wait = Due > Hot.Now ? Due - Hot.Now : 0;
    Queue.set(size_t(Current),
              Hot.Now + (Wait + Me.Round - 1) / Me.Round * Me.Round);
  }
  Me.Due = Due;
  schedule(/*IsRunnable=*/false);
  Me.IsWatching = false;
  return (Hot.Now - Me.RoundBegan) / Me.Round;
}

/// Thread \p Thread has lost a line at \p At. If it repeats a round that found
/// nothing, it looks again in the next one.
void Engine::notice(int Thread, Time At) {
  Processor &P = All[size_t(Thread)];
  WasIdle[size_t(Thread)] = false;
  if (!P.IsWatching)
    return;
  const Time Passed = At > P.RoundBegan ? At - P.RoundBegan : 0;
  const Time Then = P.RoundBegan + (Passed + P.Round - 1) / P.Round * P.Round;
  if (P.Due != NoTime && Then >= P.Due)
    return;
  P.IsWatching = false;
  Queue.set(size_t(Thread), Then);
  Hot.Limit = std::min(Hot.Limit, Then);
}

//===----------------------------------------------------------------------===//
// The system
//===----------------------------------------------------------------------===//

/// Half as much more or less: without, threads that wait for a lock in step
/// with the one that takes it again and again would never see it free.
void Engine::pause() {
  Random ^= Random << 13; // Marsaglia's xorshift
  Random ^= Random >> 7;
  Random ^= Random << 17;
  Hot.Now += PausePs / 2 + (Random >> 11) % (PausePs + 1);
}

uint64_t Engine::readClock() {
  Hot.Now += ClockPs;
  return 1000000000 + Hot.Now / 1000;
}

uint64_t Engine::readTicks() {
  Hot.Now += RdtscPs;
  return uint64_t(double(Hot.Now) / 1000 * M.Cost.TicksPerNs) + 1;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

void Engine::access(const Range *Ranges, size_t Count, double ComputeNs) {
  sync();
  Processor &Me = All[size_t(Current)];
  Moves.Bytes.assign(size_t(M.NumNodes), 0);
  Moves.Lying.assign(size_t(M.NumNodes), 0);
  Moves.FromCache = 0;
  Moves.NewPages = 0;
  for (size_t I = 0; I < Count; ++I)
    Memory.access(Ranges[I], Me.Node, Me.L3, Moves);
  double Most = 0, Moved = 0;
  int Home = -1; // others access while this thread waits
  for (int N = 0; N < M.NumNodes; ++N) {
    Moved += Moves.Bytes[size_t(N)];
    if (Moves.Lying[size_t(N)] > Most) {
      Most = Moves.Lying[size_t(N)];
      Home = N;
    }
  }
  FromCache += Moves.FromCache;
  const double CacheNs = Moves.FromCache > 0 ? Moves.FromCache / M.L3GBs : 0;
  const double FaultNs = double(Moves.NewPages) * M.Cost.PageFaultNs;
  const Time Began = Hot.Now;
  if (Moved > 0) {
    Flows.start(Hot.Now, Current, Moves.Bytes);
    const Time Next = Flows.next();
    Queue.set(All.size(), Next);
    Hot.Limit = std::min(Hot.Limit, Next);
    block();
  }
  Hot.Now = std::max(Hot.Now + toPs(CacheNs), Began + toPs(ComputeNs)) +
            toPs(FaultNs);
  LastHome = Home;
}

} // namespace locus::lab
