//===- steal/other_policies.cpp - Policies that a setting chooses ---------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All but the default.
//
//===----------------------------------------------------------------------===//

#include "locus/team/find_task.h"

namespace locus {

Task *StealSearch::drawOrder() {
  uint64_t *Order = W.Victims[int(L)].Groups.data();
  for (int I = 0; I < Count - 1; ++I) {
    const int J = W.draw(I + 1);
    Order[I] = Order[J];
    Order[J] = uint64_t(behind(I + 1));
  }
  return tryInOrder(Order, Count - 1);
}

Task *StealSearch::roundRobin() {
  for (int I = 1; I < Count; ++I)
    if (Task *Found = tryList(behind(I)))
      return Found;
  return nullptr;
}

Task *StealSearch::fullest() {
  int Best = behind(1);
  uint32_t Most = sizeOf(Best);
  for (int I = 2; I < Count; ++I)
    if (const uint32_t Size = sizeOf(behind(I)); Size > Most) {
      Best = behind(I);
      Most = Size;
    }
  if (Most == 0)
    return nullptr;
  if (Task *Found = tryList(Best))
    return Found;
  // This thread may never be allowed to run what the fullest list holds.
  for (int I = 1; I < Count; ++I)
    if (const int Other = behind(I); Other != Best && sizeOf(Other) != 0)
      if (Task *Found = tryList(Other))
        return Found;
  return nullptr;
}

Task *StealSearch::fullestFirst() {
  uint64_t *Order = W.Victims[int(L)].Groups.data();
  int NumVictims = 0;
  for (int I = 1; I < Count; ++I)
    if (const uint32_t Size = sizeOf(behind(I)))
      Order[NumVictims++] = uint64_t(~Size) << 32 | uint32_t(I);
  sortKeys(Order, size_t(NumVictims));
  for (int I = 0; I < NumVictims; ++I)
    Order[I] = uint64_t(behind(int(uint32_t(Order[I]))));
  return tryInOrder(Order, NumVictims);
}

Task *StealSearch::tryInOrder(const uint64_t *Order, int NumVictims) {
  for (int I = 0; I < NumVictims; ++I)
    if (Task *Found = tryList(int(Order[I])))
      return Found;
  return nullptr;
}

uint32_t StealSearch::sizeOf(int Group) const {
  return L == Level::Thread ? T.worker(Group).Deque.sizeHint()
                            : T.lists().list(L, Group).size();
}

} // namespace locus
