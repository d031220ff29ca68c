//===- host/host.h - The scheduling core on simulated threads ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plays libomp's part for the core, as far as tasks are concerned: descriptors
// and their memory, children, taskwait, barriers, the decision to run a task in
// place, sleep. README.md says what stands for what.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_HOST_HOST_H
#define LOCUS_LAB_HOST_HOST_H

#include "lab/engine/context.h"
#include "lab/host/settings.h"
#include "locus/flow/push.h"
#include "locus/flow/register.h"
#include "locus/flow/search.h"
#include "locus/flow/successor.h"
#include "locus/replay/graph.h"
#include "locus/sleep/nap.h"

#include <algorithm>
#include <map>

namespace locus::lab {

/// What libomp has in kmp_taskdata_t and kmp_task_t: as many cache lines, and
/// the fields that the scheduler uses on the same ones as there.
struct alignas(LineBytes) TaskData {
  TaskData *Parent, *LastTied; ///< LastTied: itself, tasks are tied
  int32_t Level;
  TaskHint Hint;
  bool IsImplicit;
  bool IsReplayed;        ///< of a graph: see GraphTask
  int32_t TaskwaitThread; ///< plus 1; 0: not in a taskwait
  int32_t AllocatedBy;
  TaskTarget Target;
  Domain *Dependences; ///< of its children

  alignas(LineBytes) union {
    AllocatedChildren Allocated;
    IncompleteChildren Incomplete;
  };
  Node *DependNode;
  TaskData *NextFree;

  alignas(LineBytes) char Settings[LineBytes]; ///< of the task: libomp's ICVs

  alignas(LineBytes) TaskSpec *What; ///< and what it works on
  uint64_t Number;
  double Created;
  uint64_t Private[5];
};

static_assert(offsetof(TaskData, Allocated) == 64, "as in libomp");

/// flow/README.md says what these are.
struct LabTasks {
  using Data = TaskData;
  static Task *task(Data *D) { return reinterpret_cast<Task *>(D); }
  static const Task *task(const Data *D) {
    return reinterpret_cast<const Task *>(D);
  }
  static Data *data(Task *T) { return reinterpret_cast<Data *>(T); }
  static const Data *data(const Task *T) {
    return reinterpret_cast<const Data *>(T);
  }

  static Data *parent(const Data *D) { return D->Parent; }
  static int32_t level(const Data *D) { return D->Level; }
  static bool isImplicit(const Data *D) { return D->IsImplicit; }
  static bool isCounted(const Data *) { return true; }
  static bool endsInOne(const Data *) { return true; }
  static bool isUndeferred(const Data *) { return false; }
  static bool endsByEvent(const Data *) { return false; }
  static bool isPlaced(const Data *D) { return D->Hint.hasHint(); }

  static TaskHint &hint(Data *D) { return D->Hint; }
  static const TaskHint &hint(const Data *D) { return D->Hint; }
  static TaskTarget target(const Data *D) { return D->Target; }
  static void setHint(Data *D, Kind As, bool IsStrict, TaskTarget Target) {
    D->Hint.set(As, IsStrict);
    D->Target = Target;
  }

  static AllocatedChildren &allocated(Data *D) { return D->Allocated; }
  static IncompleteChildren &incomplete(Data *D) { return D->Incomplete; }
  static Node *node(const Data *D) { return D->DependNode; }
  static void setNode(Data *D, Node *N) { D->DependNode = N; }

  static bool isAllMemory(const Depend &) { return false; }
  static size_t length(const Depend &) { return 1; }
  static Dependence dependence(const Depend &D) {
    constexpr Access Of[] = {Access::In, Access::Out, Access::Out,
                             Access::Mutex, Access::Set}; // as DepKind
    return {uintptr_t(D.Address), Of[int(D.Kind)]};
  }
};

/// The items of a clause.
struct DependList {
  const std::vector<Depend> &Items;
  template <class Predicate> bool anyOf(Predicate Is) const {
    return std::any_of(Items.begin(), Items.end(), Is);
  }
};

class Host;
struct HostRecording;
class HostGraphLoop;

/// A recorded region: no taskwait within it.
struct HostGraph {
  Graph *Tasks = nullptr;
  TaskData *Parent = nullptr; ///< of the run
  uint64_t NumContext = 0;    ///< another one for another parent
};

/// A thread of the team.
struct HostThread : LabTasks {
  Host *Of = nullptr;
  int Number = 0;
  Worker *Mine = nullptr;
  NodePool *Nodes = nullptr;
  TaskData *Current = nullptr;
  Advance Children = {}; ///< of Current
  ImmediateSuccessor Next = {};
  TaskData *Free = nullptr; ///< descriptors
  /// Those of another thread, which go back to it some at a time.
  TaskData *OthersFirst = nullptr, *OthersLast = nullptr;
  int NumOthers = 0;
  // As InPlaceState.
  const std::atomic<int32_t> *Allowed = nullptr;
  int32_t Depth = 0;
  bool RunsPlaced = false;
  Nap Naps;
  Time LooksSince = 0;               ///< in vain; 0: it has just begun to
  HostRecording *Recorded = nullptr; ///< the region that it records
  HostGraphLoop *Queueing = nullptr; ///< its loop that is queueing a task
  char *StackTop = nullptr;

  // What flow/ asks: flow.cpp.
  int number() const { return Number; }
  static bool isMember() { return true; }
  Data *current() const { return Current; }
  const Advance &advance() const { return Children; }
  ImmediateSuccessor &successor() { return Next; }
  static bool mayKeep(const Data *) { return true; }
  bool mayRunNow(Data *D) const;
  bool isOffered(const std::atomic<int32_t> *To) const { return Allowed == To; }
  void offerInPlace(const std::atomic<int32_t> *To);
  void alwaysOfferInPlace();
  void forbidInPlace();
  bool runsPlaced() const { return RunsPlaced; }
  void endPlaced();
  void freeRanges(Data *D) const;
  RangeList *newRanges() const;
  UnknownPolicy unknownPolicy() const;
  void noteStrict() const;
  bool sleepsBetweenTasks() const;
  bool mayBeAsleep() const { return sleepsBetweenTasks(); }
  const Waker &waker() const;
  bool mayRunInPlace() const;
  bool followsDepend() const;
  bool isInPlace() const { return Depth != 0; }
  bool isReady(const DependList &Items) const;
  NodePool &pool() const { return *Nodes; }
  uint32_t dependentLimit() const;
  Domain *domain() const { return Current->Dependences; }
  void setDomain(Domain *D) const { Current->Dependences = D; }
  void *toolContext() const;
  bool isAlone(const Data *) const;
  struct RunningBehind;
  bool runAny();
  void pause() const;
  // Nobody is told.
  static void warnUnbound(const TeamShape &, Kind) {}
  static void noteInferred(const Data *) {}
  template <class Place> static void noteReady(const Data *, Place) {}
  static void takeBackReady() {}
};

/// What others write of a thread: each on a line of its own.
struct alignas(LineBytes) ThreadFlags {
  alignas(LineBytes) std::atomic<uint32_t> Arrived{0};
  alignas(LineBytes) std::atomic<uint32_t> Go{0};
  alignas(LineBytes) std::atomic<uint32_t> SleepsAt{
      0}; ///< 1: asleep, or about to be
  alignas(LineBytes) std::atomic<TaskData *> Returned{nullptr};
};

/// A search, as the core sees it, with what its host needs.
struct HostSeeker : Seeker {
  HostThread *Thread;
  bool Constrained;
};

class HostContext : public EngineContext {
public:
  HostContext(Host &TheHost, int Thread);
  void create(const TaskSpec &Spec) override;
  void taskwait() override;
  void barrier() override;
  void taskgraph(uint64_t Id,
                 const std::function<void(Context &)> &Body) override;

private:
  Host &H;
};

class Host {
public:
  Host(Engine &TheEngine, Book &TheBook, const Settings &TheSettings,
       const std::vector<int> &TheTeamNodeOf, int TheNumNodes)
      : E(TheEngine), TheirBook(TheBook), Set(TheSettings),
        TeamNodeOf(TheTeamNodeOf), NumNodes(TheNumNodes),
        Cost(TheEngine.machine().Cost) {}

  /// Makes the team on \p Spots; takes no virtual time.
  void build(const Topology &Shape, const std::vector<NodeSet> &Spots,
             const std::vector<int> &Cpus);
  /// What thread \p Number does in the run of \p P.
  void runThread(int Number, const Program &P);

  // tasks.cpp
  void create(HostThread &T, const TaskSpec &Spec);
  void queue(HostThread &T, TaskData *Data);
  void runGraphTask(HostThread &T, const TaskSpec &Spec);
  // graph.cpp
  void taskgraph(HostThread &T, uint64_t Id,
                 const std::function<void(Context &)> &Body);
  // wait.cpp
  void taskwait(HostThread &T);
  void barrier(HostThread &T);

  bool isAllowed(const HostThread &T, bool Constrained, TaskData *Candidate);
  void endSearches(HostThread &T);
  TaskData *search(HostThread &T, int *Finished, bool Constrained);
  void invoke(HostThread &T, TaskData *Data);
  bool mayNest(const HostThread &T, uint32_t EmptyRounds) const;
  bool wake(int Thread);
  bool sleepsBetweenTasks() const { return Set.IsPassive; }
  void noteCandidate() { ++Candidates; }
  HostThread *thread(int Number) { return &Threads[size_t(Number)]; }

  Team *Ours = nullptr;
  Engine &E;
  Book &TheirBook;
  const Settings &Set;
  const std::vector<int> &TeamNodeOf;
  const int NumNodes;
  const Costs &Cost;
  /// Constants that HostThread::Allowed may point at; the latter in a team of
  /// one thread.
  const std::atomic<int32_t> *NeverAllowed = nullptr, *AlwaysAllowed = nullptr;
  Waker Sleepers = {};
  bool AnyStrict = false; ///< tt_untied_task_encountered
  std::vector<HostContext> Contexts;
  uint64_t Seed = 1;
  uint64_t Created = 0, Ended = 0; ///< real tasks, those in place included

private:
  // tasks.cpp
  TaskData *allocate(HostThread &T);
  void release(HostThread &T, TaskData *Old);
  void giveBack(HostThread &T);
  TaskData *make(HostThread &T, const TaskSpec *Spec, uint64_t Number);
  void setHint(HostThread &T, TaskData *Data, const TaskSpec &Spec);
  bool runsInPlace(HostThread &T, const TaskSpec &Spec);
  void runInPlace(HostThread &T, const TaskSpec &Spec);
  void knowCurrentTask(HostThread &T);
  void finish(HostThread &T, TaskData *Data);
  void record(const HostThread &T, const TaskSpec &Spec, uint64_t Number,
              double Made, double Begin, bool InPlace);

  // graph.cpp
  void recordTask(HostThread &T, const TaskSpec &Spec);
  void replay(HostThread &T, HostGraph &Of);
  void runReplayed(HostThread &T, TaskData *Data);

  // wait.cpp
  template <class Predicate>
  void waitUntil(HostThread &T, Predicate IsOver, bool IsFinal,
                 bool Constrained, bool MaySleep);
  void idle(HostThread &T, Time Began);
  void miss(HostThread &T, Time At);
  void sleep(HostThread &T);

  std::atomic<int32_t> *Unfinished = nullptr;
  ThreadFlags *Flags = nullptr;
  std::vector<HostThread> Threads;
  uint32_t Epoch = 0; ///< of barriers, the primary thread's
  uint64_t Candidates = 0;
  std::vector<bool> WakeIsPending, IsAsleep;
  std::map<uint64_t, HostGraph> Graphs; ///< by their numbers
};

/// As long as it lives, the thread's current task waits as in a taskwait.
struct HostThread::RunningBehind {
  explicit RunningBehind(HostThread &Thread)
      : T(Thread), Was(T.Of->E.spend(Spent::Searching)),
        Before(T.Current->TaskwaitThread) {
    flow::giveBack<LabTasks>(T.Children, T.Current);
    T.Current->TaskwaitThread = T.Number + 1;
  }
  ~RunningBehind() {
    T.Current->TaskwaitThread = Before;
    T.Of->E.spend(Was);
  }
  HostThread &T;
  const Spent Was;
  const int32_t Before;
};

} // namespace locus::lab

#endif // LOCUS_LAB_HOST_HOST_H
