//===- sleep/protocol.h - Who sleeps, who wakes: the steps ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread does before it sleeps, and one that has queued a task: over
// what the caller knows of queues and of threads, so that the model checker
// runs the same steps. README.md has the argument.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SLEEP_PROTOCOL_H
#define LOCUS_SLEEP_PROTOCOL_H

#include "locus/sleep/sleepers.h"

namespace locus {

//===----------------------------------------------------------------------===//
// By default: only the first task of a region wakes threads
//===----------------------------------------------------------------------===//

/// The calling thread, which has published that it sleeps, says so in \p Slept,
/// if there is one. It may sleep unless it finds something to do behind this.
template <class Flag> void noteSleeper(Flag *Slept) {
  // Written once in a region, then only read.
  if (Slept && !Slept->load(std::memory_order_relaxed))
    Slept->store(1, std::memory_order_relaxed);
  // Orders what it has published before its looks: at the mark of the first
  // task, which pairs with mayHaveSlept(), and at the queues, with
  // wakeResponsible().
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// Whether a thread may sleep. The caller has published that there is a task.
template <class Flag> bool mayHaveSlept(const Flag &Slept) {
  // Pairs with noteSleeper().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return Slept.load(std::memory_order_relaxed) != 0;
}

//===----------------------------------------------------------------------===//
// A task for certain threads
//===----------------------------------------------------------------------===//

/// Wakes one of those that a task is for that has just been queued: \p First,
/// if that is not negative, else one of \p Others but \p Pusher. \p
/// Wake(thread) says whether it slept. False if none did.
template <class Action>
bool wakeResponsible(int First, const int *Others, int NumOthers, int Pusher,
                     Action Wake) {
  // Orders the push before the look at who sleeps; pairs with noteSleeper().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (First >= 0 && Wake(First))
    return true;
  for (int I = 0; I < NumOthers; ++I)
    if (Others[I] != Pusher && Wake(Others[I]))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// A task for anybody
//===----------------------------------------------------------------------===//

/// \p Thread, the calling one, is about to sleep: it lies down, and looks.
/// False: there is a task, so it must not sleep.
template <class Predicate>
bool lieDown(Sleepers &Asleep, int Thread, Predicate HasTasks) {
  Asleep.lieDown(Thread);
  std::atomic_thread_fence(std::memory_order_seq_cst); // pairs with wakeOne()
  return !HasTasks();
}

/// Wakes one that has lain down, for a task that \p Pusher has queued.
template <class Action>
void wakeOne(Sleepers &Asleep, int Pusher, Action Wake) {
  // Orders the push before the look at who has lain down; pairs with
  // lieDown().
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (int T; (T = Asleep.claim(Pusher)) >= 0;)
    if (Wake(T))
      return;
}

/// The calling thread has found the first task since it lay down. Perhaps it
/// was woken for another one: if there still is one, \p WakeNext() makes the
/// next sleeper take over.
template <class Predicate, class Action>
void passOn(Predicate HasTasks, Action WakeNext) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (HasTasks())
    WakeNext();
}

} // namespace locus

#endif // LOCUS_SLEEP_PROTOCOL_H
