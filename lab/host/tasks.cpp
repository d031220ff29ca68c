//===- host/tasks.cpp - Tasks come and go ---------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/host/host.h"

#include <limits.h>

namespace locus::lab {

/// What stands for compiled code, whose cost is Costs::InPlaceNs: not
/// instrumented.
#define LOCUS_LAB_COMPILED __attribute__((no_sanitize("thread"), noinline))

//===----------------------------------------------------------------------===//
// Descriptors: libomp's fast memory
//===----------------------------------------------------------------------===//

TaskData *Host::allocate(HostThread &T) {
  if (!T.Free) // what others have given back
    T.Free = Flags[T.Number].Returned.load(std::memory_order_relaxed)
                 ? Flags[T.Number].Returned.exchange(nullptr)
                 : nullptr;
  if (!T.Free) {
    constexpr int Many = 16;
    TaskData *More =
        static_cast<TaskData *>(locus::lab::allocate(Many * sizeof(TaskData)));
    for (int I = 0; I < Many; ++I) {
      More[I].NextFree = T.Free;
      T.Free = &More[I];
    }
  }
  TaskData *Found = T.Free;
  T.Free = Found->NextFree;
  return Found;
}

/// To the thread that it is from: those of one other thread are collected, and
/// given back when they are 16, or when one of a third thread comes.
void Host::release(HostThread &T, TaskData *Old) {
  delete Old->What;
  Old->What = nullptr;
  if (Old->AllocatedBy == T.Number) {
    Old->NextFree = T.Free;
    T.Free = Old;
    return;
  }
  constexpr int Most = 16; // KMP_FREE_LIST_LIMIT
  if (T.OthersFirst &&
      (T.NumOthers == Most || T.OthersFirst->AllocatedBy != Old->AllocatedBy))
    giveBack(T);
  Old->NextFree = T.OthersFirst;
  if (!T.OthersFirst)
    T.OthersLast = Old;
  T.OthersFirst = Old;
  ++T.NumOthers;
}

void Host::giveBack(HostThread &T) {
  std::atomic<TaskData *> &List = Flags[T.OthersFirst->AllocatedBy].Returned;
  TaskData *Head = List.load(std::memory_order_relaxed);
  do
    T.OthersLast->NextFree = Head;
  while (!List.compare_exchange_weak(Head, T.OthersFirst,
                                     std::memory_order_release,
                                     std::memory_order_relaxed));
  T.OthersFirst = T.OthersLast = nullptr;
  T.NumOthers = 0;
}

/// A descriptor of the next child of T's current task.
TaskData *Host::make(HostThread &T, const TaskSpec *Spec, uint64_t Number) {
  E.advance(toPs(Cost.CreateNs));
  TaskData *Data = allocate(T);
  TaskData *Parent = T.Current;
  Data->Parent = Parent;
  Data->LastTied = Data;
  Data->Level = Parent->Level + 1;
  Data->Hint = TaskHint();
  Data->IsImplicit = false;
  Data->TaskwaitThread = 0;
  Data->AllocatedBy = T.Number;
  Data->Children.store(TaskData::OneAllocated, std::memory_order_relaxed);
  Data->Dependences = nullptr;
  Data->DependNode = nullptr;
  memcpy(Data->Settings, Parent->Settings, sizeof(Data->Settings));
  Data->What = Spec ? new TaskSpec(*Spec) : nullptr;
  Data->Number = Number;
  Data->Created = double(E.now()) / 1000;
  for (uint64_t &Word : Data->Private)
    Word = 0;
  if (const int32_t Number = T.Children.countNext())
    countChildren(Parent, Number);
  return Data;
}

void Host::countChildren(TaskData *Parent, int64_t Number) {
  Parent->Children.fetch_add(
      Number * (TaskData::OneIncomplete +
                (Parent->IsImplicit ? 0 : TaskData::OneAllocated)),
      std::memory_order_acq_rel);
}

/// Before T's current task waits, ends, or is not the current one any more.
void Host::giveBackChildren(HostThread &T) {
  if (const int32_t Rest = T.Children.giveBack())
    countChildren(T.Current, -Rest);
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

void Host::setHint(HostThread &, TaskData *Data, const TaskSpec &Spec) {
  const Hint &Given = Spec.Affinity;
  if (Set.UsesHints && Given.Kind != HintKind::None) {
    const Kind As = Given.Kind == HintKind::Thread ? Kind::Thread
                    : Given.Kind == HintKind::Node ? Kind::Node
                                                   : Kind::Data;
    Data->Hint.set(As, Given.Strict);
    Data->Target = {Given.Value, Given.Bytes};
  }
  if (!Data->Hint.hasHint() && !Spec.Depends.empty() && Set.FollowsDepend &&
      E.machine().NumNodes > 1)
    hintFromDepend(Data, Spec);
}

void Host::hintFromDepend(TaskData *Data, const TaskSpec &Spec) {
  MemoryRange Written[MaxRanges];
  int Found = 0;
  for (const Depend &D : Spec.Depends)
    if (D.Kind != DepKind::In && Found < MaxRanges)
      Written[Found++] = {uintptr_t(D.Address), 1};
  if (Found == 0)
    return;
  if (Found == 1) {
    Data->Hint.set(Kind::Depend, false);
    Data->Target = {Written[0].Base, Written[0].Length};
    return;
  }
  RangeList *List =
      static_cast<RangeList *>(locus::lab::allocate(sizeof(RangeList)));
  List->Count = Found;
  for (int I = 0; I < Found; ++I)
    List->Ranges[I] = Written[I];
  Data->Hint.set(Kind::DependRanges, false);
  Data->Target = {reinterpret_cast<uintptr_t>(List), 0};
}

void Host::freeHint(TaskData *Data) {
  if (Data->Hint.hasHint() && hasRanges(Data->Hint.kind()))
    locus::lab::release(reinterpret_cast<void *>(Data->Target.Value));
  Data->Hint.clear();
}

void Host::inferHint(HostThread &T, TaskData *Data) {
  int Node = Ours->infer(*T.Mine, Data->Hint.kind(), Data->Target);
  if (Node != UnknownNode && Ours->isCrowded(Node) && Data->Parent != T.Current)
    Node = UnknownNode;
  freeHint(Data);
  if (Node != UnknownNode) {
    Data->Hint.set(Kind::Inferred, false);
    Data->Target = {uintptr_t(Node), 0};
  }
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// One load and a test. Instrumented: while the creator's clock is beyond those
/// of the others it has to let them go on before it looks. (Without, GCC leaves
/// out the load, too; Clang does not.)
__attribute__((noinline)) bool Host::mayRunInPlace(const HostThread &T) const {
  return T.Depth < T.Allowed->load(std::memory_order_relaxed);
}

LOCUS_LAB_COMPILED bool Host::runsInPlace(HostThread &T, const TaskSpec &Spec) {
  if (isAlone() && Set.Options.InPlace && !Spec.Depends.empty() &&
      mayRunInPlace(T)) {
    E.advance(toPs(Cost.CreateNs)); // a draft, which waits for nothing
    return true;
  }
  const bool HasHint = Set.UsesHints && Spec.Affinity.Kind != HintKind::None;
  if (HasHint)
    return false;
  if (Spec.Depends.empty())
    return Spec.MayRunInPlace && mayRunInPlace(T);
  const bool Follows = Set.FollowsDepend && E.machine().NumNodes > 1;
  if (Follows || !mayRunInPlace(T))
    return false;
  E.advance(toPs(Cost.CreateNs)); // a draft
  return T.Depth != 0 || isReady(T, Spec);
}

LOCUS_LAB_COMPILED void Host::record(const HostThread &T, const TaskSpec &Spec,
                                     uint64_t Number, double Made, double Begin,
                                     bool InPlace) {
  TheirBook.endTask({Number, Spec.Construct, T.Number, Made, Begin,
                     double(E.now()) / 1000, InPlace, false});
  ++Ended;
}

LOCUS_LAB_COMPILED void Host::runInPlace(HostThread &T, const TaskSpec &Spec) {
  E.advance(toPs(Cost.InPlaceNs));
  const uint64_t Number = TheirBook.newTask(T.Number);
  ++Created;
  const double Begin = double(E.now()) / 1000;
  const int32_t Depth = T.Depth;
  T.Depth = Depth + 1;
  const Spent Before = E.spend(Spent::Working);
  Spec.Body(Contexts[size_t(T.Number)]);
  E.spend(Before);
  record(T, Spec, Number, Begin, Begin, /*InPlace=*/true);
  if (T.Depth != 0) {
    T.Depth = Depth;
    return;
  }
  // It has become known.
  TaskData *Known = T.Current;
  finish(T, Known);
}

void Host::knowCurrentTask(HostThread &T) {
  int32_t Unknown = T.Depth;
  T.Depth = 0;
  for (; Unknown > 0; --Unknown) {
    TaskData *Known = make(T, nullptr, 0);
    giveBackChildren(T);
    T.Current = Known;
    E.advance(toPs(Cost.InvokeNs));
    if (T.Current->Level > int32_t(Tuned.InplaceDepth))
      T.Allowed = NeverAllowed;
  }
}

//===----------------------------------------------------------------------===//
// Created and queued
//===----------------------------------------------------------------------===//

void Host::create(HostThread &T, const TaskSpec &Spec) {
  const Spent Before = E.spend(Spent::Creating);
  if (runsInPlace(T, Spec)) {
    runInPlace(T, Spec);
    E.spend(Before);
    return;
  }
  knowCurrentTask(T);
  TaskData *Data = make(T, &Spec, TheirBook.newTask(T.Number));
  ++Created;
  if (isAlone()) { // nothing to queue for, nothing to wait for
    if (Set.Options.InPlace)
      T.Allowed = AlwaysAllowed;
    invoke(T, Data);
    E.spend(Before);
    return;
  }
  setHint(T, Data, Spec);
  const bool IsReady = Spec.Depends.empty() || registerTask(T, Data);
  if (IsReady && !push(T, Data))
    invoke(T, Data);
  E.spend(Before);
}

/// False: it is throttled.
bool Host::push(HostThread &T, TaskData *Data) {
  if (Data->Hint.hasHint() && place(T, Data))
    return true;
  if (!pushOwn(T, Data))
    return false;
  if (sleepsBetweenTasks())
    Ours->wakeOne(T.Number, Sleepers);
  return true;
}

bool Host::place(HostThread &T, TaskData *Data) {
  if (isFromDepend(Data->Hint.kind()))
    inferHint(T, Data);
  const TaskHint Given = Data->Hint;
  if (!Given.hasHint())
    return false;
  const Placement Where = resolve(Ours->shape(), Given.kind(), Given.isStrict(),
                                  Data->Target, T.Number, Set.Unknown);
  if (Where.Place == Placement::Anywhere)
    return false;
  AnyStrict = AnyStrict || Where.Strict;
  if (!Ours->push(Where, reinterpret_cast<Task *>(Data)))
    return false;
  if (sleepsBetweenTasks() && !Ours->wakeFor(Where, T.Number, Sleepers) &&
      Given.kind() == Kind::Inferred && Ours->isCrowded(Where.Index))
    Ours->wakeOne(T.Number, Sleepers);
  return true;
}

bool Host::pushOwn(HostThread &T, TaskData *Data) {
  TaskData *Creator = T.Current;
  const std::atomic<int32_t> *Depth = Ours->inPlaceDepth(*T.Mine);
  if (T.Allowed != Depth)
    Ours->startOver(*T.Mine);
  const bool IsReleased = Data->DependNode && Data->Parent != Creator;
  const bool IsDeep = Creator->Level >= int32_t(Tuned.InplaceDepth);
  if (Ours->updateThrottled(*T.Mine, IsDeep) && !IsReleased &&
      isAllowed(T, /*Constrained=*/true, Data)) {
    Stats::count(Stat::Throttled);
    return false;
  }
  const int32_t Siblings = Creator->IsImplicit
                               ? INT32_MAX
                               : Creator->incomplete() - T.Children.inHand();
  if (!Ours->push(*T.Mine, reinterpret_cast<Task *>(Data), Siblings,
                  /*IsDependent=*/Data->DependNode != nullptr))
    outOfMemory();
  Stats::count(Stat::PushedOwn);
  T.Allowed = Depth ? Depth : NeverAllowed;
  return true;
}

//===----------------------------------------------------------------------===//
// Run and ended
//===----------------------------------------------------------------------===//

void Host::invoke(HostThread &T, TaskData *Data) {
  E.advance(toPs(Cost.InvokeNs));
  E.loadTogether(uint64_t(Data), sizeof(TaskData));
  TaskData *Before = T.Current;
  giveBackChildren(T);
  T.Current = Data;
  const TaskSpec &Spec = *Data->What;
  const uint64_t Number = Data->Number;
  const double Made = Data->Created, Begin = double(E.now()) / 1000;
  const Spent Was = E.spend(Spent::Working);
  Spec.Body(Contexts[size_t(T.Number)]);
  E.spend(Spent::Ending);
  record(T, Spec, Number, Made, Begin, /*InPlace=*/false);
  finish(T, Data);
  T.Current = Before;
  if (Before->IsImplicit && !isAlone())
    T.Allowed = NeverAllowed;
  E.spend(Was);
}

/// \p Data, T's current task, has ended.
void Host::finish(HostThread &T, TaskData *Data) {
  giveBackChildren(T);
  if (Data->Dependences) {
    Domain::destroy(*T.Nodes, Data->Dependences);
    Data->Dependences = nullptr;
  }
  if (Node *N = Data->DependNode)
    N->end(*T.Nodes, [&](Task *Ready) {
      TaskData *Next = reinterpret_cast<TaskData *>(Ready);
      if (!push(T, Next))
        invoke(T, Next);
    });
  TaskData *Parent = Data->Parent;
  // As hooks/0006: a task without children ends for its parent, and is freed,
  // in one instruction. One that counts only itself is not seen by others.
  const bool CountsItself =
      int32_t(Data->Children.load(std::memory_order_acquire)) == 1;
  const bool InOne = CountsItself && !Parent->IsImplicit;
  const int64_t Less =
      TaskData::OneIncomplete + (InOne ? TaskData::OneAllocated : 0);
  const int64_t Left =
      Parent->Children.fetch_sub(Less, std::memory_order_acq_rel) - Less;
  T.Current = Parent;
  freeHint(Data);
  if (!CountsItself) {
    freeUncounted(T, Data, uncount(Data));
  } else {
    Data->Children.store(0, std::memory_order_relaxed);
    release(T, Data);
    if (InOne)
      freeUncounted(T, Parent, int32_t(Left));
  }
  if (T.RunsPlaced) {
    T.RunsPlaced = false;
    Ours->endTask(*T.Mine);
  }
}

/// How many descriptors keep that of \p Data, with one less.
int32_t Host::uncount(TaskData *Data) {
  return int32_t(Data->Children.fetch_sub(TaskData::OneAllocated,
                                          std::memory_order_acq_rel)) -
         1;
}

/// \p Left descriptors keep that of \p Data: frees it if there is none, and
/// what only it has kept.
void Host::freeUncounted(HostThread &T, TaskData *Data, int32_t Left) {
  while (Left == 0) {
    TaskData *Parent = Data->Parent;
    release(T, Data);
    if (Parent->IsImplicit)
      return;
    Data = Parent;
    Left = uncount(Data);
  }
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

static Dependence toDependence(const Depend &D) {
  switch (D.Kind) {
  case DepKind::In:
    return {uintptr_t(D.Address), Access::In};
  case DepKind::MutexInOutSet:
    return {uintptr_t(D.Address), Access::Mutex};
  case DepKind::InOutSet:
    return {uintptr_t(D.Address), Access::Set};
  case DepKind::Out:
  case DepKind::InOut:
    break;
  }
  return {uintptr_t(D.Address), Access::Out};
}

bool Host::isReady(HostThread &T, const TaskSpec &Spec) {
  const Domain *Known = T.Current->Dependences;
  for (const Depend &D : Spec.Depends) {
    const Dependence Item = toDependence(D);
    if (Known ? !Known->isReady(Item) : Item.How == Access::Mutex)
      return false;
  }
  return true;
}

/// True if it is ready.
bool Host::registerTask(HostThread &T, TaskData *Data) {
  NodePool &Mine = *T.Nodes;
  const uint32_t Limit =
      Set.HasDependentLimit
          ? Set.DependentLimit
          : Tuned.ListLimit + Tuned.WindowPerThread * uint32_t(Threads.size());
  if (Mine.Ahead.isFull(Mine.numLive(), Limit))
    fallBack(T, Limit);
  TaskData *Creator = T.Current;
  if (!Creator->Dependences)
    Creator->Dependences = Domain::create(Mine);
  Mine.countBegin();
  Node *N = Node::make(Mine, reinterpret_cast<Task *>(Data));
  Data->DependNode = N;
  for (const Depend &D : Data->What->Depends) {
    E.advance(toPs(Cost.DependNs));
    Creator->Dependences->add(Mine, *N, toDependence(D), nullptr);
  }
  return N->endRegistration();
}

void Host::fallBack(HostThread &T, uint32_t Limit) {
  NodePool &Mine = *T.Nodes;
  Window &Ahead = Mine.Ahead;
  Ahead.enter(Mine.numLive(), Limit);
  const Spent Was = E.spend(Spent::Searching);
  const int32_t Waited = T.Current->TaskwaitThread;
  giveBackChildren(T);
  T.Current->TaskwaitThread = T.Number + 1;
  while (!Ahead.isLowEnough(Mine.numLive())) {
    int Finished = 0;
    if (TaskData *Found = search(T, &Finished, /*Constrained=*/true)) {
      invoke(T, Found);
      if (!Ahead.runsOn(Mine.numLive()))
        break;
      continue;
    }
    if (!Ahead.waits(Mine.numLive(), nanoseconds()))
      break;
    E.pause();
  }
  T.Current->TaskwaitThread = Waited;
  Ahead.leave(Mine.numLive());
  E.spend(Was);
}

} // namespace locus::lab
