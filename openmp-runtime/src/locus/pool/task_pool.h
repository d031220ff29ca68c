//===- pool/task_pool.h - Tasks for threads outside of a team ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OpenMP 6.0, section 14.8: tasks that may run on any thread of the OpenMP
// thread pool, and those that such threads leave to the team. README.md has
// the rules.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_POOL_TASK_POOL_H
#define LOCUS_POOL_TASK_POOL_H

#include <atomic>
#include <stdint.h>
#include <stdlib.h>

namespace locus {

class Task;

/// The pool of one team. All of it is used under one lock, that of the list
/// that it is in (PoolList), but for mayHaveTasks(). As it is when its memory
/// is zero, it is empty and in no list.
class TaskPool {
public:
  /// Any thread may ask, without the lock.
  int32_t size() const { return Size.load(std::memory_order_relaxed); }
  bool mayHaveTasks() const { return size() != 0; }
  bool hasTasksForAgents() const { return NumForAgents > 0; }

  /// Adds \p New. False if there is no memory.
  bool push(Task *New, bool IsForAgents) {
    Entry *E = static_cast<Entry *>(malloc(sizeof(Entry)));
    if (!E)
      return false;
    *E = {New, IsForAgents, Newest, nullptr};
    (Newest ? Newest->Newer : Oldest) = E;
    Newest = E;
    count(*E, 1);
    return true;
  }

  /// Takes the newest task that \p Admits(task, is for agents); null if there
  /// is none.
  template <class Predicate> Task *takeNewest(Predicate Admits) {
    for (Entry *E = Newest; E; E = E->Older)
      if (Admits(E->Which, E->IsForAgents))
        return take(E);
    return nullptr;
  }
  /// The same of the oldest.
  template <class Predicate> Task *takeOldest(Predicate Admits) {
    for (Entry *E = Oldest; E; E = E->Newer)
      if (Admits(E->Which, E->IsForAgents))
        return take(E);
    return nullptr;
  }

private:
  friend class PoolList;

  struct Entry {
    Task *Which;
    bool IsForAgents;
    Entry *Older;
    Entry *Newer;
  };

  void count(const Entry &E, int32_t Change) {
    NumForAgents += E.IsForAgents ? Change : 0;
    Size.store(size() + Change, std::memory_order_relaxed);
  }

  Task *take(Entry *E) {
    (E->Older ? E->Older->Newer : Oldest) = E->Newer;
    (E->Newer ? E->Newer->Older : Newest) = E->Older;
    count(*E, -1);
    Task *Taken = E->Which;
    free(E);
    return Taken;
  }

  std::atomic<int32_t> Size;
  int32_t NumForAgents;
  Entry *Oldest;
  Entry *Newest;
  TaskPool *Before; ///< in a PoolList
  TaskPool *Behind;
  bool IsListed;

public:
  int32_t Running;    ///< free agents in tasks of it
  int32_t Limit;      ///< the most of them that there may be
  uint64_t FloatMode; ///< for the host: that of who creates the tasks
};

/// Pools with tasks for free agents, in the order in which agents look.
class PoolList {
public:
  /// \p P has got a task.
  void update(TaskPool &P) {
    if (P.hasTasksForAgents() != P.IsListed)
      P.IsListed ? remove(P) : append(P);
  }
  /// Takes the oldest task that an agent may run, of the first team that has
  /// one and may have one more agent; that team is the last one then. \p Admits
  /// as above, of (pool, task). Null if there is none.
  template <class Predicate> Task *take(Predicate Admits) {
    for (TaskPool *P = First; P; P = P->Behind) {
      if (P->Running >= P->Limit)
        continue;
      Task *Found = P->takeOldest([&](Task *T, bool IsForAgents) {
        return IsForAgents && Admits(*P, T);
      });
      if (!Found)
        continue;
      remove(*P);
      update(*P);
      return Found;
    }
    return nullptr;
  }

private:
  void append(TaskPool &P) {
    P.Before = Last;
    P.Behind = nullptr;
    (Last ? Last->Behind : First) = &P;
    Last = &P;
    P.IsListed = true;
  }
  void remove(TaskPool &P) {
    (P.Before ? P.Before->Behind : First) = P.Behind;
    (P.Behind ? P.Behind->Before : Last) = P.Before;
    P.IsListed = false;
  }

  TaskPool *First = nullptr;
  TaskPool *Last = nullptr;
};

} // namespace locus

#endif // LOCUS_POOL_TASK_POOL_H
