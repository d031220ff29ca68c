//===- machine/hierarchy.cpp - How a team lies in the machine -------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/hierarchy.h"
#include "locus/support/sort.h"

#include <stdlib.h>
#include <string.h>

namespace locus {

Hierarchy::~Hierarchy() { free(Storage); }

/// All that build() counts up is 0 then.
bool Hierarchy::reserve(size_t Threads) {
  for (int L = 0; L < NumLevels; ++L) {
    NumGroups[L] = 0;
    Present[L] = false;
  }
  constexpr size_t ForThread = (3 * NumLevels + 2) * sizeof(int);
  if (Threads <= Room) {
    memset(Storage, 0, Threads * ForThread);
    return true;
  }
  free(Storage);
  Storage = static_cast<int *>(calloc(Threads, ForThread));
  Room = Storage ? Threads : 0;
  return Storage != nullptr;
}

/// Gives the threads of node \p OsNode whose CPU is \p Any one each, in blocks:
/// -1 if hwloc shows none there.
void Hierarchy::spread(int Any, int OsNode, int *Cpus) const {
  auto IsHere = [&](int Cpu) { return Machine->nodeOfCpu(Cpu) == OsNode; };
  int Sharers = 0, Choices = 0;
  for (int T = 0; T < NumThreads; ++T)
    Sharers += OsNodes[T] == OsNode && Cpus[T] == Any;
  for (int I = 0; I < Machine->numCpus(); ++I)
    Choices += IsHere(Machine->cpuAt(I));
  int Before = 0, Next = 0, Passed = 0, Cpu = -1;
  for (int T = 0; T < NumThreads; ++T) {
    if (OsNodes[T] != OsNode || Cpus[T] != Any)
      continue;
    const int Rank = int(int64_t(Before++) * Choices / Sharers);
    for (; Passed <= Rank && Next < Machine->numCpus(); ++Next)
      if (IsHere(Machine->cpuAt(Next))) {
        Cpu = Machine->cpuAt(Next);
        ++Passed;
      }
    Cpus[T] = Cpu;
  }
}

bool Hierarchy::build(const Topology &TheMachine, int Threads,
                      const ThreadSpot *Spots) {
  Machine = &TheMachine;
  NumThreads = Threads;
  const size_t Count = size_t(Threads);
  if (!reserve(Count))
    return false;
  uint64_t *Sorted = static_cast<uint64_t *>(calloc(Count, sizeof(uint64_t)));
  if (!Sorted)
    return false;
  int *Free = Storage;
  auto Take = [&] {
    int *Array = Free;
    Free += Count;
    return Array;
  };
  OsNodes = Take();
  int *Cpus = Take();

  constexpr int NotYet = -2;
  for (int T = 0; T < Threads; ++T) {
    OsNodes[T] = Spots[T].OsNode;
    const bool IsBound = Machine->nodeOfCpu(Spots[T].OsCpu) == OsNodes[T];
    Cpus[T] = IsBound ? Spots[T].OsCpu : NotYet;
  }
  for (int T = 0; T < Threads; ++T)
    if (Cpus[T] == NotYet)
      spread(NotYet, OsNodes[T], Cpus);

  // Threads in hwloc's logical order; of one CPU by number.
  for (int T = 0; T < Threads; ++T)
    Sorted[T] =
        uint64_t(Machine->logicalIndex(Cpus[T]) + 1) << 32 | unsigned(T);
  sortKeys(Sorted, Count);

  NumGroups[int(Level::Thread)] = Threads;
  Present[int(Level::Thread)] = Present[int(Level::Machine)] = true;
  for (int L = int(Level::Machine); L > int(Level::Thread); --L) {
    Groups[L] = Take();
    First[L] = Take();
    Members[L] = Take();
    for (int T = 0; T < Threads; ++T)
      Present[L] |= Machine->objectOfCpu(Level(L), Cpus[T]) >= 0;
    // What the machine does not have, it has at the next coarser level.
    int Source = L;
    while (!Present[Source])
      ++Source;
    for (int I = 0; I < Threads; ++I) {
      const int T = int(uint32_t(Sorted[I]));
      const int Object = Machine->objectOfCpu(Level(Source), Cpus[T]);
      // Caches may span nodes (sub-NUMA clustering), lists do not.
      const bool Within = L < int(Level::Numa);
      // Threads come sorted: most belong to the group that is the last so far.
      int Group = NumGroups[L] - 1;
      while (Group >= 0 &&
             (Machine->objectOfCpu(Level(Source), Cpus[First[L][Group]]) !=
                  Object ||
              (Within && OsNodes[First[L][Group]] != OsNodes[T])))
        --Group;
      if (Group < 0) {
        Group = NumGroups[L]++;
        First[L][Group] = T;
      }
      Groups[L][T] = Group;
      ++Members[L][Group];
    }
  }
  free(Sorted);
  return true;
}

Level Hierarchy::closeness(int A, int B) const {
  for (int L = 0; L < NumLevels; ++L)
    if (groupOf(Level(L), A) == groupOf(Level(L), B))
      return Level(L);
  return Level::Machine;
}

void Hierarchy::nearestGroups(Level L, int Thread, uint64_t *Order) const {
  const int Own = groupOf(L, Thread), Count = numGroups(L);
  uint64_t *Next = Order;
  for (int Turn = 1; Turn < Count; ++Turn) {
    const int Other = firstMember(L, (Own + Turn) % Count);
    const uint64_t Near = uint64_t(closeness(Thread, Other));
    const uint64_t Far = Machine->distance(OsNodes[Thread], OsNodes[Other]);
    const bool Local = OsNodes[Thread] == OsNodes[Other];
    *Next++ = (Local ? 0 : Far & 0xffffff) << 40 | Near << 32 | unsigned(Turn);
  }
  sortKeys(Order, size_t(Count - 1));
  for (int I = 0; I < Count - 1; ++I)
    Order[I] = (uint32_t(Order[I]) + uint64_t(Own)) % uint64_t(Count);
}

} // namespace locus
