//===- lists/shared_lists.cpp - Lists of tasks for groups -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/lists/shared_lists.h"
#include "locus/team/worker.h"
#include "locus/trace/recorder.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

namespace locus {

/// Shortest time between two decisions, in ns; an interval of more than so many
/// times as much was spent in serial code.
static constexpr uint64_t AdaptInterval = 1000000, AdaptTooLong = 4;
/// Accesses of a thread between two looks at the clock.
static constexpr uint32_t AdaptAccesses = 64;
static_assert(Adaptation::MaxSteps == NumGroupings, "a step for each");

/// Cuts \p Of into the groups that \p Options ask for besides the levels, and
/// sets the level to start with. False if there is no memory.
bool SharedLists::cut(Hierarchy &Of, const ListsOptions &Options,
                      Level &Start) {
  Of.forgetCuts();
  Start = Options.Lists;
  if (Start != FirstCut)
    return true;
  // One list for each thread is what the deques are.
  if (Options.NumLists == 0 ? !Of.canCutByObjects()
                            : Options.NumLists >= Of.numThreads()) {
    Start = Level::Thread;
    return true;
  }
  return Options.NumLists == 0 ? Of.cutByObjects() : Of.cut(Options.NumLists);
}

/// The next step: the lists of level \p L.
bool SharedLists::addStep(Level L, const TeamShape &Shape) {
  Steps[NumSteps++] = L;
  if (L == Level::Thread)
    return true;
  const int NumGroups = Groups->numGroups(L);
  if (!Lists[int(L)].renew(size_t(NumGroups)))
    return false;
  for (int G = 0; G < NumGroups; ++G)
    Lists[int(L)][G].init(&Counters[int(L)],
                          Shape.spotOfThread(Groups->firstMember(L, G)).OsNode);
  return true;
}

/// Steps of half, a quarter, ... of the lists of the last step, as long as they
/// are more than \p Least.
bool SharedLists::addHalves(int Least, TeamShape &Shape) {
  Hierarchy &Of = Shape.groups();
  for (int Number = Of.numGroups(Steps[NumSteps - 1]) / 2;
       Number > Least && Of.numCuts() < MaxCuts; Number /= 2)
    if (!Of.cut(Number) || !addStep(Level(NumLevels + Of.numCuts() - 1), Shape))
      return false;
  return true;
}

bool SharedLists::build(TeamShape &Shape, Worker *TheWorkers,
                        const ListsOptions &Options,
                        std::atomic<int32_t> *Unfinished) {
  for (Array<TaskQueue> &Old : Lists)
    Old.release();
  Groups = &Shape.groups();
  Workers = TheWorkers;
  Adaptive = Options.Adaptive;
  Level Begin;
  if (!cut(Shape.groups(), Options, Begin))
    return false;
  Used = Adaptive || Begin != Level::Thread;
  Current.store(uint8_t(Begin), std::memory_order_relaxed);
  AccessBefore = IdleBefore = TicksBefore = 0;
  DecidedAt.store(0, std::memory_order_relaxed);
  for (TeamCounters &C : Counters)
    C.Unfinished = Unfinished;
  int Start = NumSteps = 0;
  for (int I = 0; I <= NumLevels; ++I) { // FirstCut last
    const Level L = Level(I);
    const bool IsStart = L == Begin;
    if (!IsStart && !(Adaptive && L != FirstCut && Groups->isInformative(L)))
      continue;
    if (NumSteps != 0 && !addHalves(Groups->numGroups(L), Shape))
      return false;
    if (IsStart)
      Start = NumSteps;
    if (!addStep(L, Shape))
      return false;
  }
  Control.init(NumSteps, Start);
  return true;
}

bool SharedLists::push(Level L, Worker &W, Task *NewTask) {
  const bool Timed = Adaptive || Stats::enabled();
  const uint64_t Since = Timed ? ticks() : 0;
  const bool Pushed = list(L, Groups->groupOf(L, W.Number)).push(NewTask);
  if (Timed)
    countAccess(W, Since);
  return Pushed;
}

Task *SharedLists::takeFrom(Level L, Worker &W, const Taker &Who) {
  TaskQueue &List = list(L, Groups->groupOf(L, W.Number));
  if (List.size() == 0 || !(W.Delay.looksAgain() || Who.Search->Rests))
    return nullptr;
  const bool Timed = Adaptive || Stats::enabled();
  const uint64_t Since = Timed ? ticks() : 0;
  Task *Found = W.takeFrom(List, End::Newest, Who);
  if (Timed)
    countAccess(W, Since);
  return Found;
}

Task *SharedLists::takeShared(Worker &W, const Taker &Who) {
  const Level Now = level();
  Task *Found = Now != Level::Thread ? takeFrom(Now, W, Who) : nullptr;
  // What was added before the level changed.
  for (int I = 0; Adaptive && !Found && I < NumSteps; ++I)
    if (Steps[I] != Now && Steps[I] != Level::Thread)
      Found = takeFrom(Steps[I], W, Who);
  if (Found)
    Stats::count(Stat::TakenOwn);
  return Found;
}

bool SharedLists::updateThrottled(Level L, Worker &W, uint32_t Limit) {
  const int Group = Groups->groupOf(L, W.Number);
  const uint64_t Most =
      uint64_t(Limit) * uint64_t(Groups->numMembers(L, Group));
  const uint64_t Size = list(L, Group).size();
  W.Throttled =
      W.Throttled ? Size > Most * Tuned.Hysteresis / 100 : Size >= Most;
  return W.Throttled;
}

bool SharedLists::hasTasksFor(const Worker &W) const {
  for (int I = 0; Used && I < NumSteps; ++I)
    if (const Level L = Steps[I];
        L != Level::Thread &&
        Lists[int(L)][Groups->groupOf(L, W.Number)].size() != 0)
      return true;
  return false;
}

bool SharedLists::hasTasks() const {
  for (const Array<TaskQueue> &OfLevel : Lists)
    for (size_t G = 0; G < OfLevel.size(); ++G)
      if (OfLevel[G].size() != 0)
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Adaptation
//===----------------------------------------------------------------------===//

void Adaptation::init(int TheNumSteps, int TheStep) {
  for (Experience &E : Steps)
    E = Experience();
  NumSteps = TheNumSteps;
  Step = Home = TheStep;
  Interval = 0;
}

int Adaptation::learn(const Overhead &Lost) {
  ++Interval;
  // A thread that slept brings the idle time of many intervals at once.
  if (Lost.Total == 0 || Lost.Access + Lost.Idle > Lost.Total)
    return Step;
  const float Cost =
      float(double(Lost.Access + Lost.Idle) / double(Lost.Total));
  // The workload changes, so what was seen last counts as much as all before.
  Experience &Here = Steps[Step];
  Here.Cost = Here.Cost < 0 || Step != Home ? Cost : (Here.Cost + Cost) / 2;

  if (Step != Home) {
    Experience &Before = Steps[Home];
    if (Here.Cost + Margin < Before.Cost) {
      Here.Penalty = Experience().Penalty;
      Home = Step; // better: go on from here
    } else {
      Here.Until = Interval + Here.Penalty;
      Here.Penalty =
          Here.Penalty < PenaltyMost ? 2 * Here.Penalty : PenaltyMost;
      Step = Home;
      return Step;
    }
  }
  if (Cost < GoodEnough)
    return Step;
  const int First = Lost.Access > Lost.Idle ? Step - 1 : Step + 1;
  const int Second = 2 * Step - First;
  if (mayTry(First))
    Step = First;
  else if (mayTry(Second))
    Step = Second;
  return Step;
}

void SharedLists::countAccess(Worker &W, uint64_t Since) {
  const uint64_t Time = ticks() - Since;
  Stats::count(Stat::AccessTime, Time);
  if (!Adaptive)
    return;
  addOwn(W.Times.Access, Time);
  if (++W.Times.Accesses % AdaptAccesses == 0)
    adapt();
}

void SharedLists::countIdle(Worker &W, bool Found) {
  if (W.Times.Clock.look(Found, W.Times.Idle))
    adapt();
}

void SharedLists::adapt() {
  const uint64_t Now = nanoseconds();
  auto IsTime = [&] {
    return Now >= DecidedAt.load(std::memory_order_relaxed) + AdaptInterval;
  };
  if (!IsTime() || !Deciding.try_lock())
    return;
  if (IsTime()) { // nobody else has decided meanwhile
    const uint64_t Passed = Now - DecidedAt.load(std::memory_order_relaxed);
    DecidedAt.store(Now, std::memory_order_relaxed);
    decide(Passed);
  }
  Deciding.unlock();
}

/// For the trace: there were \p Before lists, and there are \p Now. A thread
/// that slept brings the idle time of many intervals at once: no more than the
/// time that there was counts.
static void noteDecision(const Overhead &Lost, int Before, int Now) {
  if (Lost.Total == 0)
    return;
  const uint64_t Access = Lost.Access < Lost.Total ? Lost.Access : Lost.Total;
  const uint64_t Rest = Lost.Total - Access;
  const uint64_t Idle = Lost.Idle < Rest ? Lost.Idle : Rest;
  Trace::noteLists(Before, Now, uint32_t(1000 * Access / Lost.Total),
                   uint32_t(1000 * Idle / Lost.Total));
}

/// What was lost since the last decision, \p Passed nanoseconds ago, decides
/// about the level. Under Deciding.
void SharedLists::decide(uint64_t Passed) {
  const int NumThreads = Groups->numThreads();
  uint64_t Access = 0, Idle = 0;
  for (int T = 0; T < NumThreads; ++T) {
    Access += Workers[T].Times.Access.load(std::memory_order_relaxed);
    Idle += Workers[T].Times.Idle.load(std::memory_order_relaxed);
  }
  const uint64_t Ticks = ticks();
  const Overhead Lost = {Access - AccessBefore, Idle - IdleBefore,
                         (Ticks - TicksBefore) * uint64_t(NumThreads)};
  AccessBefore = Access;
  IdleBefore = Idle;
  TicksBefore = Ticks;
  // An interval much too long was spent elsewhere, in serial code.
  if (Passed >= AdaptTooLong * AdaptInterval)
    return;
  const Level Next = Steps[Control.learn(Lost)];
  noteDecision(Lost, Groups->numGroups(level()), Groups->numGroups(Next));
  if (Next != level()) // all threads poll it
    Current.store(uint8_t(Next), std::memory_order_relaxed);
}

//===----------------------------------------------------------------------===//
// KMP_TASK_QUEUES
//===----------------------------------------------------------------------===//

const char LegalQueues[] =
    "thread, core, l3, numa, package, machine, adaptive, the name of another "
    "type of hwloc's objects (group, die, l2, ...) and numbers of lists from 1 "
    "to 1000000";

static constexpr long MostLists = 1000000;

/// A word of digits only is a number.
static int parseNumber(const char *Text) {
  if (*Text == '\0' || Text[strspn(Text, "0123456789")] != '\0')
    return 0;
  errno = 0;
  const long Number = strtol(Text, nullptr, 10);
  return errno == 0 && Number <= MostLists ? int(Number) : 0;
}

bool parseQueues(const char *Text, ListsOptions &Options) {
  Level Lists = Level::Thread;
  const int NumLists = parseNumber(Text);
  const bool Adaptive = strcasecmp(Text, "adaptive") == 0;
  if (NumLists != 0)
    Lists = FirstCut;
  // hwloc takes "thread" for no type.
  else if (!Adaptive && strcasecmp(Text, "thread") != 0 &&
           !Topology::parseType(Text, Lists))
    return false;
  Topology::wantObjects(Lists == FirstCut && NumLists == 0 ? Text : nullptr);
  Options.Lists = Lists;
  Options.NumLists = NumLists;
  Options.Adaptive = Adaptive;
  return true;
}

} // namespace locus
