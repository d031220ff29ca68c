//===- queue/surplus.h - When a thread has tasks to spare -------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread whose deque has plenty of tasks for thieves runs new ones in place,
// without a call of the runtime. Surplus decides how many are plenty: it learns
// from what the owner pushes, and from thieves that find nothing.
// inplace/README.md, "When", has the policy; queue/README.md, "Plenty", says
// who may change it under which lock. The deque does the counting.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_QUEUE_SURPLUS_H
#define LOCUS_QUEUE_SURPLUS_H

#include "locus/support/check.h"
#include "locus/tuning.h"

#include <atomic>
#include <stdint.h>

namespace locus {

class Surplus {
public:
  Surplus() {
    setEnough(int32_t(Tuned.PlentyStart));
    setFew(Enough);
  }

  /// From \p Tasks on there are plenty, whoever creates them; 0 = never. For a
  /// task with dependences already from \p IfDependent on.
  void limit(uint32_t Tasks, uint32_t IfDependent) {
    Limit = Tasks;
    LimitIfDependent = IfDependent < Tasks ? IfDependent : Tasks;
  }

  /// How deep tasks may nest in place: 0 or less unless there are plenty for
  /// thieves, and none of these has come in vain since the last push. A hint,
  /// without any order. Compiled code polls it.
  const std::atomic<int32_t> &depth() const { return Depth; }
  bool isPlenty() const { return Depth.load(std::memory_order_relaxed) > 0; }

  /// There are not plenty any more. For anyone.
  void end() {
    if (isPlenty())
      Depth.store(0, std::memory_order_relaxed);
  }

  //===--------------------------------------------------------------------===//
  // The owner
  //===--------------------------------------------------------------------===//

  /// Whether there are ever plenty.
  bool isLimited() const { return Limit != 0; }

  /// After a push while there are not plenty, if isLimited(). How many tasks
  /// would be, if the creator of the new one has \p Siblings that are not
  /// complete, and it \p IsDependent.
  uint32_t onPush(int32_t Siblings, bool IsDependent);

  /// There are \p Tasks or more, as onPush() wanted. Under the deque's lock.
  void begin(uint32_t Tasks);

  /// Learns from a push of a recursion: whether there are enough tasks, and
  /// where the thieves are in the deque, at \p Head.
  void learn(bool HasEnough, const std::atomic<int64_t> &Head);

  /// The owner has taken a task, and \p Left are left. Fewer of them are few
  /// than after a thief did, which has shown that there are takers: an owner
  /// that comes back from a recursion takes them one by one, and would make two
  /// new ones of each.
  void onPop(int64_t Left) {
    if (Left < FewForOwner)
      end();
  }

  //===--------------------------------------------------------------------===//
  // Thieves
  //===--------------------------------------------------------------------===//

  /// A thief has taken tasks, and \p Left are left. Under the deque's lock.
  void onSteal(int64_t Left) {
    if (Left < FewForThief.load(std::memory_order_relaxed))
      end();
  }

  /// A thief has found no task.
  void starve() {
    if (Depth.load(std::memory_order_relaxed) != Starves)
      Depth.store(Starves, std::memory_order_relaxed);
  }

private:
  friend struct Layout;

  void setEnough(int32_t Tasks);
  void setFew(int64_t Tasks);

  static constexpr int32_t Starves = -1; ///< as 0, and a thief has found none
  /// Enough stays between these.
  static constexpr int32_t EnoughLeast = 2, EnoughMost = 256;
  /// Fewer are enough after so many times as many pushes without plenty, or of
  /// which nobody has taken any.
  static constexpr int32_t PushesPerEnough = 4, KeptPerEnough = 16;

  // What each push, pop and steal looks at.
  std::atomic<int32_t> Depth{0};       ///< set by owner, cleared by anyone
  std::atomic<int32_t> FewForThief{0}; ///< by owner, under the deque's lock
  int32_t FewForOwner = 0;
  bool HadPlenty = false; ///< since Enough changed

  // The owner's, for pushes while there are not plenty.
  /// There are plenty from Enough tasks beside the creator's own on, or from
  /// Limit tasks of any.
  int32_t Enough = 0;
  uint32_t Limit = Tuned.ListLimit, LimitIfDependent = Tuned.ListLimit;
  int32_t PushesSince = 0;     ///< since there were plenty, or Enough changed
  int32_t PushesSinceLook = 0; ///< since the last look at the deque's head,
  int64_t HeadAtLook = 0;      ///< which it was
  // So many pushes make Enough smaller.
  int32_t MostPushes = 0, MostPushesSinceLook = 0;
};

inline void Surplus::setEnough(int32_t Tasks) {
  Enough = Tasks < EnoughLeast  ? EnoughLeast
           : Tasks > EnoughMost ? EnoughMost
                                : Tasks;
  MostPushes = PushesPerEnough * Enough;
  MostPushesSinceLook = KeptPerEnough * Enough;
  PushesSince = 0;
  HadPlenty = false;
}

/// Fewer tasks than these are few, now that there are plenty from \p Tasks on.
inline void Surplus::setFew(int64_t Tasks) {
  const int64_t Few = Tasks - Tasks * (100 - int64_t(Tuned.Hysteresis)) / 100;
  FewForThief.store(int32_t(Few), std::memory_order_relaxed);
  const int32_t OwnersFew = int32_t(Few * Tuned.PlentyOwner / 100);
  FewForOwner = OwnersFew > 0 ? OwnersFew : 1; // none are few
}

inline uint32_t Surplus::onPush(int32_t Siblings, bool IsDependent) {
  LOCUS_CHECK(isLimited() && Siblings >= 0);
  // A thief has found nothing at all though the owner kept tasks for itself:
  // there have to be more. A recursion that never gets so many: fewer will do.
  // (The mark stays where nobody learns from it: the line is a thief's.)
  if (HadPlenty && Depth.load(std::memory_order_relaxed) == Starves) {
    Depth.store(0, std::memory_order_relaxed);
    setEnough(2 * Enough);
  }
  // The creator's own tasks may wait for those that it has yet to create. What
  // a recursion leaves behind are tasks of several creators.
  const uint32_t Wanted = uint32_t(Siblings) + uint32_t(Enough);
  const uint32_t Most = IsDependent ? LimitIfDependent : Limit;
  return Wanted < Most ? Wanted : Most;
}

inline void Surplus::begin(uint32_t Tasks) {
  LOCUS_CHECK(Tasks != 0 && Tasks <= Limit);
  const bool IsLoop = Tasks == Limit || Tasks == LimitIfDependent;
  setFew(IsLoop ? int64_t(Tasks) : Enough);
  PushesSince = 0;
  HadPlenty = HadPlenty || !IsLoop;
  Depth.store(int32_t(Tuned.InplaceDepth), std::memory_order_relaxed);
}

inline void Surplus::learn(bool HasEnough, const std::atomic<int64_t> &Head) {
  if (!HasEnough && ++PushesSince > MostPushes)
    setEnough(Enough / 2);
  // Nobody takes what the owner pushes: fewer will do as well.
  if (++PushesSinceLook >= MostPushesSinceLook) {
    const int64_t First = Head.load(std::memory_order_relaxed);
    if (First == HeadAtLook)
      setEnough(Enough / 2);
    HeadAtLook = First;
    PushesSinceLook = 0;
  }
}

} // namespace locus

#endif // LOCUS_QUEUE_SURPLUS_H
