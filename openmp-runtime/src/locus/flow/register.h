//===- flow/register.h - A task with dependences comes ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the items of a depend clause to the graph of depend/. A List has
// anyOf(Predicate); README.md says what its items, Tasks and a Thread are.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_FLOW_REGISTER_H
#define LOCUS_FLOW_REGISTER_H

#include "locus/depend/turn.h"
#include "locus/support/stats.h"
#include "locus/task/hint.h"
#include "locus/tuning.h"

namespace locus::flow {

/// Whether \p Is(item) for an item of \p Items. The null pointer is no storage,
/// so it is no dependence: libomp's rule.
template <class Tasks, class List, class Predicate>
LOCUS_ALWAYS_INLINE bool anyOf(const List &Items, Predicate Is) {
  return Items.anyOf([&](const auto &Item) {
    return (Tasks::dependence(Item).Address != 0 || Tasks::isAllMemory(Item)) &&
           Is(Item);
  });
}

template <class Tasks, class List, class Action>
LOCUS_ALWAYS_INLINE void forEach(const List &Items, Action Do) {
  anyOf<Tasks>(Items, [&](const auto &Item) {
    Do(Tasks::dependence(Item));
    return false;
  });
}

template <class Tasks, class List> bool hasAllMemory(const List &Items) {
  return anyOf<Tasks>(
      Items, [](const auto &Item) { return Tasks::isAllMemory(Item); });
}

/// Whether a task with \p Items, a child of the task that has \p D, would have
/// nothing to wait for, nor anything to hold.
template <class Tasks, class List>
LOCUS_ALWAYS_INLINE bool isReady(const Domain *D, const List &Items) {
  return !anyOf<Tasks>(Items, [=](const auto &Item) {
    const Dependence Each = Tasks::dependence(Item);
    return Tasks::isAllMemory(Item) ||
           (D ? !D->isReady(Each) : Each.How == Access::Mutex);
  });
}

/// Whether a draft with \p Items, which \p T is about to create, runs in place.
/// Where tasks follow the data of their dependences, none does. A task in place
/// has no children yet: it would be known if it had.
template <class Thread, class List>
bool runsInPlace(const Thread &T, const List &Items) {
  return T.mayRunInPlace() && !T.followsDepend() &&
         (T.isInPlace() || T.isReady(Items));
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

/// Gives \p D the ranges that \p Get returns for 0 .. \p Count - 1: as of kind
/// \p OfOne if it is one, else \p OfMany.
template <class Thread, class Getter>
void setRanges(Thread &T, typename Thread::Data *D, Kind OfOne, Kind OfMany,
               int Count, Getter Get) {
  if (Count <= 0)
    return;
  if (Count == 1) {
    const MemoryRange Only = Get(0);
    T.setHint(D, OfOne, false, {Only.Base, Only.Length});
    return;
  }
  RangeList *List = T.newRanges();
  List->Count = Count < MaxRanges ? Count : MaxRanges;
  for (int I = 0; I < List->Count; ++I)
    List->Ranges[I] = Get(int(int64_t(I) * Count / List->Count));
  T.setHint(D, OfMany, false, {reinterpret_cast<uintptr_t>(List), 0});
}

/// Whether \p D, a new task of \p T, gets a hint by its dependences.
template <class Thread>
bool takesHintFromDepend(const Thread &T, const typename Thread::Data *D) {
  return !T.hint(D).hasHint() && T.followsDepend();
}

/// Notes for \p D, which has no hint, the data that it writes by \p Items.
template <class Thread, class List>
void hintFromDepend(Thread &T, typename Thread::Data *D, const List &Items) {
  MemoryRange Written[MaxRanges];
  int Found = 0;
  anyOf<Thread>(Items, [&](const auto &Item) {
    const Dependence Each = T.dependence(Item);
    // omp_all_memory says nothing about where the data is.
    if (Each.How != Access::In && !T.isAllMemory(Item))
      Written[Found++] = {Each.Address, T.length(Item)};
    return Found == MaxRanges;
  });
  setRanges(T, D, Kind::Depend, Kind::DependRanges, Found,
            [&](int I) { return Written[I]; });
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// How many tasks with dependences a thread of a team of \p NumThreads may have
/// created that have not ended, where no setting says so.
inline uint32_t defaultDependentLimit(int NumThreads) {
  return Tuned.ListLimit + Tuned.WindowPerThread * uint32_t(NumThreads);
}

/// \p T, a creator, has \p Limit tasks or more that have not ended.
template <class Thread>
void fallBack(Thread &T, NodePool &Mine, uint32_t Limit) {
  Window &Ahead = Mine.Ahead;
  Ahead.enter(Mine.numLive(), Limit);
  Stats::count(Stat::FellBack);
  {
    const typename Thread::RunningBehind Waits(T);
    // In a serial team nobody ends tasks while this thread waits.
    const bool IsAlone = T.isAlone(T.current());
    while (!IsAlone && !Ahead.isLowEnough(Mine.numLive())) {
      if (T.runAny()) {
        if (!Ahead.runsOn(Mine.numLive()))
          break;
        continue;
      }
      if (!Ahead.waits(Mine.numLive(), nanoseconds()))
        break;
      T.pause();
    }
  }
  Ahead.leave(Mine.numLive());
}

/// \p T, which is about to create a task with dependences, runs others first if
/// too many of its own have not ended.
template <class Thread>
LOCUS_ALWAYS_INLINE void keepUp(Thread &T, NodePool &Mine) {
  const uint32_t Limit = T.dependentLimit();
  if (__builtin_expect(Mine.Ahead.isFull(Mine.numLive(), Limit), 0))
    fallBack(T, Mine, Limit);
}

/// What \p N has to be added with, to a table that has turns.
template <class Thread, class List>
Turn::Entry *entryOf(Thread &T, Node &N, const List &Items, bool HoldsMutexes) {
  uint32_t Most = 0;
  forEach<Thread>(Items, [&](Dependence) { ++Most; });
  Turn::Entry *E = Turn::Entry::make(N, T.toolContext(), Most);
  E->UsesAll = hasAllMemory<Thread>(Items);
  if (!E->UsesAll)
    forEach<Thread>(Items, [&](Dependence Item) {
      if (Item.How == Access::Mutex && !HoldsMutexes)
        Item.How = Access::Out;
      E->items()[E->Count++] = Item;
    });
  return E;
}

/// The node of \p D, which \p T creates.
template <class Thread>
Node *makeNode(Thread &T, NodePool &Mine, typename Thread::Data *D) {
  Mine.countBegin();
  Node *N = Node::make(Mine, T.task(D));
  T.setNode(D, N);
  if (__builtin_expect(T.endsByEvent(D), 0))
    N->noteEvent();
  return N;
}

/// Adds \p D in its turn, transparent if its children add to \p Inside. True
/// if it is ready: the caller queues it. It may be held back.
template <class Thread, class List>
bool registerInTurn(Thread &T, typename Thread::Data *D, Turn &Order,
                    const List &Items, Domain *Inside = nullptr) {
  NodePool &Mine = T.pool();
  Turn::Entry *E = entryOf(T, *makeNode(T, Mine, D), Items,
                           /*HoldsMutexes=*/!Inside && !T.isUndeferred(D));
  E->Owner = T.task(D);
  E->Inside = Inside;
  return Order.submit(Mine, E);
}

/// Adds \p D, which \p T creates, to the graph. True if it is ready: the caller
/// queues it. If not, the thread that ends the last task before it does. May
/// run other tasks first, where too many have been created that have not ended.
template <class Thread, class List>
LOCUS_ALWAYS_INLINE bool registerTask(Thread &T, typename Thread::Data *D,
                                      const List &Items) {
  NodePool &Mine = T.pool();
  keepUp(T, Mine);
  Domain *Known = T.domain();
  if (__builtin_expect(!Known, 0)) {
    Known = Domain::create(Mine);
    T.setDomain(Known);
  }
  Node *N = makeNode(T, Mine, D);
  if (__builtin_expect(hasAllMemory<Thread>(Items), 0))
    Known->addAll(Mine, *N, T.toolContext());
  else
    forEach<Thread>(Items, [&](Dependence Item) {
      // An undeferred task runs at once, without asking for mutexes. It has
      // waited for those before it; those behind wait for it.
      if (__builtin_expect(Item.How == Access::Mutex && T.isUndeferred(D), 0))
        Item.How = Access::Out;
      Known->add(Mine, *N, Item, T.toolContext());
    });
  return N->endRegistration();
}

} // namespace locus::flow

#endif // LOCUS_FLOW_REGISTER_H
