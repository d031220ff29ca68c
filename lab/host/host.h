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
#include "locus/depend/domain.h"
#include "locus/support/host.h"
#include "locus/task/advance.h"
#include "locus/team/find_task.h"

namespace locus::lab {

/// What libomp has in kmp_taskdata_t and kmp_task_t: as many cache lines, and
/// the fields that the scheduler uses on the same ones as there.
struct alignas(LineBytes) TaskData {
  TaskData *Parent, *LastTied; ///< LastTied: itself, tasks are tied
  int32_t Level;
  TaskHint Hint;
  bool IsImplicit;
  int32_t TaskwaitThread; ///< plus 1; 0: not in a taskwait
  int32_t AllocatedBy;
  TaskTarget Target;
  Domain *Dependences; ///< of its children

  /// Low half: descriptors of children that are there, and its own; high half:
  /// children that are not complete.
  alignas(LineBytes) std::atomic<int64_t> Children;
  Node *DependNode;
  TaskData *NextFree;

  alignas(LineBytes) char Settings[LineBytes]; ///< of the task: libomp's ICVs

  alignas(LineBytes) TaskSpec *What; ///< and what it works on
  uint64_t Number;
  double Created;
  uint64_t Private[5];

  static constexpr int64_t OneAllocated = 1, OneIncomplete = int64_t(1) << 32;
  int32_t incomplete() const {
    return int32_t(Children.load(std::memory_order_acquire) >> 32);
  }
};

static_assert(offsetof(TaskData, Children) == 64, "as in libomp");

class Host;

/// A thread of the team.
struct HostThread {
  Host *Of = nullptr;
  int Number = 0;
  Worker *Mine = nullptr;
  NodePool *Nodes = nullptr;
  TaskData *Current = nullptr;
  Advance Children = {};    ///< of Current
  TaskData *Free = nullptr; ///< descriptors
  /// Those of another thread, which go back to it some at a time.
  TaskData *OthersFirst = nullptr, *OthersLast = nullptr;
  int NumOthers = 0;
  // As InPlaceState.
  const std::atomic<int32_t> *Allowed = nullptr;
  int32_t Depth = 0;
  bool RunsPlaced = false;
  char *StackTop = nullptr;
  uint64_t Unknown = 0; ///< number of the innermost task in place
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
  // wait.cpp
  void taskwait(HostThread &T);
  void barrier(HostThread &T);

  bool isAllowed(const HostThread &T, bool Constrained, TaskData *Candidate);
  bool mayNest(const HostThread &T, uint32_t EmptyRounds) const;
  bool wake(int Thread);
  bool sleepsBetweenTasks() const { return Set.IsPassive; }
  void noteCandidate() { ++Candidates; }
  HostThread *thread(int Number) { return &Threads[size_t(Number)]; }

  Engine &E;
  Book &TheirBook;
  const Settings &Set;
  const std::vector<int> &TeamNodeOf;
  const int NumNodes;
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
  void hintFromDepend(TaskData *Data, const TaskSpec &Spec);
  void freeHint(TaskData *Data);
  bool isAlone() const { return E.numThreads() == 1; }
  bool mayRunInPlace(const HostThread &T) const;
  bool runsInPlace(HostThread &T, const TaskSpec &Spec);
  void runInPlace(HostThread &T, const TaskSpec &Spec);
  void knowCurrentTask(HostThread &T);
  bool isReady(HostThread &T, const TaskSpec &Spec);
  bool registerTask(HostThread &T, TaskData *Data);
  void fallBack(HostThread &T, uint32_t Limit);
  bool push(HostThread &T, TaskData *Data);
  bool place(HostThread &T, TaskData *Data);
  void inferHint(HostThread &T, TaskData *Data);
  bool pushOwn(HostThread &T, TaskData *Data);
  void invoke(HostThread &T, TaskData *Data);
  void finish(HostThread &T, TaskData *Data);
  void countChildren(TaskData *Parent, int64_t Number);
  void giveBackChildren(HostThread &T);
  static int32_t uncount(TaskData *Data);
  void freeUncounted(HostThread &T, TaskData *Data, int32_t Left);
  void record(const HostThread &T, const TaskSpec &Spec, uint64_t Number,
              double Made, double Begin, bool InPlace);

  // wait.cpp
  template <class Predicate>
  void waitUntil(HostThread &T, Predicate IsOver, bool IsFinal,
                 bool Constrained, bool MaySleep);
  TaskData *search(HostThread &T, int *Finished, bool Constrained);
  void idle(HostThread &T, Time Began);
  void sleep(HostThread &T);

  Team *Ours = nullptr;
  std::atomic<int32_t> *Unfinished = nullptr;
  ThreadFlags *Flags = nullptr;
  /// Constants that HostThread::Allowed may point at; the latter in a team of
  /// one thread.
  const std::atomic<int32_t> *NeverAllowed = nullptr, *AlwaysAllowed = nullptr;
  std::vector<HostThread> Threads;
  Waker Sleepers = {};
  const Costs &Cost;
  bool AnyStrict = false; ///< tt_untied_task_encountered
  uint32_t Epoch = 0;     ///< of barriers, the primary thread's
  uint64_t Candidates = 0;
  std::vector<bool> WakeIsPending, IsAsleep;
};

} // namespace locus::lab

#endif // LOCUS_LAB_HOST_HOST_H
