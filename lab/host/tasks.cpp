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
  Data->IsImplicit = Data->IsReplayed = false;
  Data->TaskwaitThread = 0;
  Data->AllocatedBy = T.Number;
  Data->Allocated.begin(1);
  Data->Dependences = nullptr;
  Data->DependNode = nullptr;
  memcpy(Data->Settings, Parent->Settings, sizeof(Data->Settings));
  Data->What = Spec ? new TaskSpec(*Spec) : nullptr;
  Data->Number = Number;
  Data->Created = double(E.now()) / 1000;
  for (uint64_t &Word : Data->Private)
    Word = 0;
  if (const int32_t Number = T.Children.countNext())
    flow::addChildren<LabTasks>(Parent, Number);
  return Data;
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

void Host::setHint(HostThread &T, TaskData *Data, const TaskSpec &Spec) {
  const Hint &Given = Spec.Affinity;
  if (Set.UsesHints && Given.Kind != HintKind::None) {
    const Kind As = Given.Kind == HintKind::Thread ? Kind::Thread
                    : Given.Kind == HintKind::Node ? Kind::Node
                                                   : Kind::Data;
    T.setHint(Data, As, Given.Strict, {Given.Value, Given.Bytes});
  }
  if (!Spec.Depends.empty() && flow::takesHintFromDepend(T, Data))
    flow::hintFromDepend(T, Data, DependList{Spec.Depends});
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

LOCUS_LAB_COMPILED bool Host::runsInPlace(HostThread &T, const TaskSpec &Spec) {
  const bool HasHint = Set.UsesHints && Spec.Affinity.Kind != HintKind::None;
  if (HasHint || T.Recorded)
    return false;
  if (Spec.Depends.empty())
    return Spec.MayRunInPlace && T.mayRunInPlace();
  if (!T.mayRunInPlace())
    return false;
  E.advance(toPs(Cost.CreateNs)); // a draft
  return flow::runsInPlace(T, DependList{Spec.Depends});
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
  finish(T, T.Current);
  flow::returnTo(T, T.Current);
}

void Host::knowCurrentTask(HostThread &T) {
  int32_t Unknown = T.Depth;
  T.Depth = 0;
  for (; Unknown > 0; --Unknown) {
    TaskData *Known = make(T, nullptr, 0);
    flow::giveBack<LabTasks>(T.Children, T.Current);
    T.Current = Known;
    E.advance(toPs(Cost.InvokeNs));
    if (flow::isRealAtLevel(T.Current->Level))
      T.forbidInPlace();
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
  if (T.Recorded)
    recordTask(T, Spec);
  if (T.isAlone(Data)) { // as __kmp_push_task: nothing to queue for
    flow::runsAtOnce(T, Data);
    invoke(T, Data);
    E.spend(Before);
    return;
  }
  setHint(T, Data, Spec);
  const bool IsReady = Spec.Depends.empty() ||
                       flow::registerTask(T, Data, DependList{Spec.Depends});
  if (IsReady)
    queue(T, Data);
  E.spend(Before);
}

/// As __kmp_omp_task.
void Host::queue(HostThread &T, TaskData *Data) {
  if (flow::pushReady(*Ours, T, Data))
    flow::wakeForAny(*Ours, T);
  else
    invoke(T, Data);
}

//===----------------------------------------------------------------------===//
// Run and ended
//===----------------------------------------------------------------------===//

void Host::invoke(HostThread &T, TaskData *Data) {
  if (Data->IsReplayed) {
    runReplayed(T, Data);
    return;
  }
  E.advance(toPs(Cost.InvokeNs));
  E.loadTogether(uint64_t(Data), sizeof(TaskData));
  TaskData *Before = T.Current;
  flow::giveBack<LabTasks>(T.Children, T.Current);
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
  flow::resume(T, Before);
  E.spend(Was);
}

/// \p Data, T's current task, has ended: as __kmp_task_finish.
void Host::finish(HostThread &T, TaskData *Data) {
  flow::giveBack<LabTasks>(T.Children, T.Current);
  const int32_t KeepParent =
      flow::endForOthers<LabTasks>(Data, /*MayBeFreed=*/true, [&] {
        if (Data->Dependences) {
          Domain::destroy(*T.Nodes, Data->Dependences);
          Data->Dependences = nullptr;
        }
        if (Node *N = Data->DependNode)
          N->end(*T.Nodes, [&](Task *Ready) {
            flow::keepOrQueue(*Ours, T, Data, LabTasks::data(Ready),
                              [&](TaskData *Next) { queue(T, Next); });
          });
      });
  T.Current = Data->Parent;
  flow::freeEnded<LabTasks>(
      Data, KeepParent,
      [&](TaskData *Ended) {
        T.freeRanges(Ended);
        Ended->Hint.clear();
        release(T, Ended);
      },
      [](TaskData *) {});
}

/// What is the same for a task that runs again as for others, and what it
/// costs beside the flow.
LOCUS_LAB_COMPILED void Host::runGraphTask(HostThread &T,
                                           const TaskSpec &Spec) {
  E.advance(toPs(Cost.ReplayNs));
  const uint64_t Number = TheirBook.newTask(T.Number);
  ++Created;
  const double Begin = double(E.now()) / 1000;
  const Spent Was = E.spend(Spent::Working);
  Spec.Body(Contexts[size_t(T.Number)]);
  E.spend(Was);
  record(T, Spec, Number, Begin, Begin, /*InPlace=*/false);
}

} // namespace locus::lab
