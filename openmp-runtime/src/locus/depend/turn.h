//===- depend/turn.h - Tasks of several creators in order -------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The children of a transparent task (OpenMP 6.0) are added to the table of its
// creator, in the order in which a program without threads would create them.
// So each such task has its turn, until its body is over. What its creator
// creates meanwhile is held back, and added then.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_TURN_H
#define LOCUS_DEPEND_TURN_H

#include "locus/depend/domain.h"
#include "locus/support/lock.h"

#include <stdlib.h>

namespace locus {

/// Of a Domain that more than one task adds to: the table itself belongs to the
/// first of them. One lock for all of its turns.
class Turn : public Block {
public:
  /// A task that is to be added, or a wait for such tasks, in one piece of
  /// memory with its dependences.
  struct Entry {
    Entry *Next = nullptr;
    Node *Added;
    Task *Owner = nullptr;    ///< of the node; null: it is a wait
    Domain *Inside = nullptr; ///< of a transparent task: its children's
    void *Context;            ///< for OnEdge
    bool UsesAll = false;     ///< all memory
    uint32_t Count = 0;

    /// With room for \p Most dependences. Ends the program if there is no
    /// memory.
    static Entry *make(Node &Of, void *Context, uint32_t Most);
    Dependence *items() { return reinterpret_cast<Dependence *>(this + 1); }
  };

  /// That of \p D, which gets one if it has none.
  static Turn &of(NodePool &Mine, Domain &D);
  /// The Domain for the children of \p Owner, transparent, which the task that
  /// has this turn creates.
  Domain *makeInside(NodePool &Mine, Task *Owner);

  /// Whether something has to be over before its task adds the next one.
  bool isHeldUpNow() {
    const LockGuard Guard(*Lock);
    return isHeldUp();
  }
  /// Whether its task may use the table as if there were no turns: nobody else
  /// does, unless the task creates a transparent one again.
  bool isIdle() { return !Outer && !isHeldUpNow(); }

  /// The transparent task whose turn it is; null for the task of the table.
  Task *owner() const { return Owner; }

  /// Adds \p E, which is not the caller's any more, or holds it back. Whether
  /// its task is ready: the caller queues it.
  bool submit(NodePool &Mine, Entry *E);

  /// The task whose turn this is adds nothing any more: what was held back
  /// behind it is added. \p Ready(task) gets those that are ready then. The
  /// turn goes with its Domain, later if it holds something back.
  template <class Action> void end(NodePool &Mine, Action Ready) {
    Turn *At = this;
    for (Entry *First = finish(Mine, At);; First = advance(Mine, At)) {
      while (Entry *E = First) {
        First = E->Next;
        Ready(E->Owner);
        ::free(E);
      }
      if (!At)
        return;
    }
  }

  /// Whether a task or a wait that is held back here \p IsMine, and \p Is a
  /// transparent task that has to be over before that is added.
  template <class Predicate, class Other>
  bool holdsUp(Predicate IsMine, Other Is) {
    const LockGuard Guard(*Lock);
    const Entry *E = First;
    while (E && !IsMine(E->Owner ? E->Owner : E->Added->waiter()))
      E = E->Next;
    for (const Turn *T = E ? Inner : nullptr; T; T = T->Inner)
      if (!T->IsOver && Is(T->Owner)) // else the owner may be gone
        return true;
    return false;
  }

  /// Whoever has waited for what another thread has added sees what the tasks
  /// before have written.
  void synchronize() { const LockGuard Guard(*Lock); }

private:
  /// So many are added before the first of them is queued.
  static constexpr uint32_t Batch = 32;

  Turn(NodePool *From, Domain &Mine, Turn *TheOuter, Task *TheOwner)
      : Block{From, nullptr}, Own(Mine),
        Table(TheOuter ? TheOuter->Table : Mine), Outer(TheOuter),
        Owner(TheOwner), Lock(TheOuter ? TheOuter->Lock : &LockOfAll) {}
  static Turn *make(NodePool &Mine, Domain &Of, Turn *Outer, Task *Owner);

  bool isHeldUp() const { return Inner || IsAdvancing; }
  bool enter(NodePool &Mine, Entry &E);
  Entry **enterSome(NodePool &Mine, uint32_t &Left, Entry **Ready);
  Entry *finish(NodePool &Mine, Turn *&At);
  static Entry *advance(NodePool &Mine, Turn *&At);

  Domain &Own;   ///< of the task whose turn it is
  Domain &Table; ///< of the first task
  Turn *const Outer;
  Task *const Owner;
  SpinLock *const Lock;   ///< held for all below, and the table
  Turn *Inner = nullptr;  ///< of the transparent task that has to be over first
  Entry *First = nullptr; ///< of those that are held back
  Entry *Newest = nullptr;
  bool IsAdvancing = false; ///< a thread adds those
  bool IsOver = false;
  SpinLock LockOfAll; ///< of the first
};

} // namespace locus

#endif // LOCUS_DEPEND_TURN_H
