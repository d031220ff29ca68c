//===- engine/lines.cpp - Cache lines between processors ------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/engine.h"

#include <algorithm>

namespace locus::lab {

bool Engine::isAlone(const Line &L) const {
  const uint64_t Bit = uint64_t(1) << Current % 64;
  for (int W = 0; W < 4; ++W)
    if (L.Sharers[W] != (W == Current / 64 ? Bit : 0))
      return false;
  return true;
}

/// Whether a thread on the same L3 has a copy.
bool Engine::isNear(const Line &L) const {
  const uint64_t *Near = All[size_t(Current)].SameL3;
  return ((L.Sharers[0] & Near[0]) | (L.Sharers[1] & Near[1]) |
          (L.Sharers[2] & Near[2]) | (L.Sharers[3] & Near[3])) != 0;
}

/// A line that no thread has comes from the memory of its page's node, which is
/// that of the thread that touches it first.
Time Engine::memoryPs(uint64_t Offset) {
  int16_t &Node = PageNodes[Offset / PageSize];
  if (Node == 0)
    Node = int16_t(All[size_t(Current)].Node + 1);
  return MemoryPs[size_t(Node - 1) * All.size() + size_t(Current)];
}

Time Engine::costToRead(const Line &L, uint64_t Offset) {
  if (L.Owner == 0 && !isNear(L))
    return memoryPs(Offset);
  const Time Far =
      L.Owner == 0 ? NoTime
                   : LinePs[size_t(L.Owner - 1) * All.size() + size_t(Current)];
  return isNear(L) ? std::min(Far, toPs(M.L3LineNs)) : Far;
}

void Engine::stallUntil(Time Done) {
  if (Done <= Hot.Now)
    return;
  Processor &Me = All[size_t(Current)];
  Me.Times[int(Spent::Waiting)] += Done - Hot.Now;
  Me.LinesBefore += Done - Hot.Now;
  Hot.Now = Done;
}

void Engine::readMiss(Line &L, uint64_t Offset) {
  const Time Start = std::max(Hot.Now, L.FreeAt);
  const Time Done = Start + costToRead(L, Offset);
  ++Counts.LinesMoved;
  Counts.LineWait += Start - Hot.Now;
  L.FreeAt = Start + SharePs;
  L.Sharers[Current / 64] |= uint64_t(1) << Current % 64;
  stallUntil(Done);
}

/// The calling thread gets \p L for itself. Returns when it has.
Time Engine::take(Line &L, uint64_t Offset) {
  const Time Start = std::max(Hot.Now, L.FreeAt);
  const bool Had = has(L);
  Time Cost = Had ? 0 : costToRead(L, Offset);
  for (int W = 0; W < 4; ++W)
    for (uint64_t Left = L.Sharers[W]; Left != 0; Left &= Left - 1) {
      const int Thread = W * 64 + __builtin_ctzll(Left);
      if (Thread != Current)
        Cost = std::max(
            Cost, Time(LinePs[size_t(Thread) * All.size() + size_t(Current)]));
    }
  const Time Done = Start + Cost;
  for (int W = 0; W < 4; ++W) {
    for (uint64_t Left = L.Sharers[W]; Left != 0; Left &= Left - 1) {
      const int Thread = W * 64 + __builtin_ctzll(Left);
      if (Thread != Current)
        notice(Thread, Done);
    }
    L.Sharers[W] = W == Current / 64 ? uint64_t(1) << Current % 64 : 0;
  }
  if (Cost != 0) {
    ++Counts.LinesMoved;
    Counts.LineWait += Start - Hot.Now;
  }
  L.Owner = int16_t(Current + 1);
  L.IsAbsent = !Had;
  L.FreeAt = Done;
  return Done;
}

/// A store is on its way until \p Done; they are done in their order.
void Engine::addStore(Time Done) {
  Processor &Me = All[size_t(Current)];
  Me.Drained = std::max(Me.Drained, Done);
  while (Me.NumStores != 0 && Me.Stores[Me.FirstStore] <= Hot.Now) {
    Me.FirstStore = (Me.FirstStore + 1) % Processor::MostStores;
    --Me.NumStores;
  }
  if (Me.NumStores >= M.Cost.StoreBuffer) {
    stallUntil(Me.Stores[Me.FirstStore]);
    Me.FirstStore = (Me.FirstStore + 1) % Processor::MostStores;
    --Me.NumStores;
  }
  Me.Stores[(Me.FirstStore + Me.NumStores) % Processor::MostStores] =
      Me.Drained;
  ++Me.NumStores;
}

void Engine::noteWrite(uint64_t Address) {
  const auto &[First, Last] = Notes[size_t(Current)];
  if (Address - First >= Last - First)
    WasIdle[size_t(Current)] = false;
}

void Engine::load(uint64_t Address, bool IsAtomic) {
  const uint64_t Offset = Address - ArenaBase;
  if (Offset >= ArenaBytes)
    return; // the thread's own, or the laboratory's
  Line &L = Lines[Offset / LineBytes];
  // A copy may be read for as long as its end takes to come from the nearest
  // thread.
  if (IsAtomic && (Hot.Now > Hot.Limit + Nearest)) {
    ++Counts.Steps;
    sync();
  }
  if (!has(L)) {
    ++Counts.Steps;
    sync();
    if (!has(L))
      readMiss(L, Offset);
  } else if (L.IsAbsent && L.Owner == Current + 1) {
    stallUntil(L.FreeAt);
    L.IsAbsent = false;
  }
  Hot.Now += AccessPs;
}

void Engine::loadTogether(uint64_t Address, uint64_t Bytes) {
  sync();
  const Time Began = Hot.Now;
  Time Last = Began;
  for (uint64_t At = Address; At < Address + Bytes; At += LineBytes) {
    Line &L = Lines[(At - ArenaBase) / LineBytes];
    if (has(L))
      continue;
    const Time Start = std::max(Began, L.FreeAt);
    Last = std::max(Last, Start + costToRead(L, At - ArenaBase));
    ++Counts.LinesMoved;
    Counts.LineWait += Start - Began;
    L.FreeAt = Start + SharePs;
    L.Sharers[Current / 64] |= uint64_t(1) << Current % 64;
  }
  stallUntil(Last);
}

void Engine::store(uint64_t Address, bool IsAtomic) {
  const uint64_t Offset = Address - ArenaBase;
  if (Offset >= ArenaBytes)
    return; // the thread's own, or the laboratory's
  Line &L = Lines[Offset / LineBytes];
  noteWrite(Address);
  if (IsAtomic || !isAlone(L)) {
    ++Counts.Steps;
    sync();
  }
  if (isAlone(L))
    L.Owner = int16_t(Current + 1);
  else
    addStore(take(L, Offset));
  Hot.Now += AccessPs;
}

void Engine::readModifyWrite(uint64_t Address) {
  const uint64_t Offset = Address - ArenaBase;
  Processor &Me = All[size_t(Current)];
  stallUntil(Me.Drained);
  Hot.Now += AccessPs + LockedPs;
  if (Offset >= ArenaBytes)
    return;
  ++Counts.Steps;
  sync();
  Line &L = Lines[Offset / LineBytes];
  noteWrite(Address);
  if (isAlone(L)) {
    stallUntil(L.FreeAt);
    L.Owner = int16_t(Current + 1);
  } else {
    stallUntil(take(L, Offset));
  }
  L.IsAbsent = false;
}

void Engine::fence() {
  stallUntil(All[size_t(Current)].Drained);
  Hot.Now += FencePs;
}

void Engine::prefetch(uint64_t Address) {
  const uint64_t Offset = Address - ArenaBase;
  Hot.Now += AccessPs;
  if (Offset >= ArenaBytes)
    return;
  Line &L = Lines[Offset / LineBytes];
  if (isAlone(L))
    return;
  sync();
  take(L, Offset); // nobody waits for it
}

} // namespace locus::lab
