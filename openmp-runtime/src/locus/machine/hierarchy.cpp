//===- machine/hierarchy.cpp - How a team lies in the machine -------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/hierarchy.h"

namespace locus {

/// Of a thread that may run on any CPU of its node, until it is assigned one.
static constexpr int NoCpuYet = -2;

bool Hierarchy::build(const Topology &TheMachine, int Threads,
                      const ThreadSpot *Spots) {
  Machine = &TheMachine;
  NumThreads = Threads;
  if (!reserve(size_t(Threads))) {
    NumThreads = 0;
    return false;
  }
  assignCpus(Spots);
  sortThreads();
  forgetCuts();
  // What a level lacks it takes from the next coarser one: those come first.
  for (int L = int(Level::Machine); L > int(Level::Thread); --L)
    group(Level(L));
  Levels[int(Level::Thread)].IsPresent = true;
  return true;
}

/// Memory for \p Count threads, which stays if it suffices.
bool Hierarchy::reserve(size_t Count) {
  if (Count <= Room)
    return true;
  const size_t Wanted = grownRoom(Room, Count);
  bool Made = Spots.renew(Wanted) && Order.renew(Wanted);
  for (int L = int(Level::Core); L < NumLevels; ++L)
    Made = Made && Levels[L].GroupOf.renew(Wanted) &&
           Levels[L].Groups.renew(Wanted);
  Room = Made ? Wanted : 0;
  return Made;
}

/// Each thread's node, and a CPU of it.
void Hierarchy::assignCpus(const ThreadSpot *Wanted) {
  for (int T = 0; T < NumThreads; ++T) {
    Spots[T] = Wanted[T];
    if (Machine->nodeOfCpu(Wanted[T].OsCpu) != Wanted[T].OsNode)
      Spots[T].OsCpu = NoCpuYet;
  }
  for (int T = 0; T < NumThreads; ++T)
    if (Spots[T].OsCpu == NoCpuYet)
      spreadOver(Spots[T].OsNode);
}

/// Gives the threads of node \p OsNode without a CPU one each, in blocks; -1 if
/// hwloc shows no CPU there.
void Hierarchy::spreadOver(int OsNode) {
  auto HasNone = [&](int T) {
    return Spots[T].OsNode == OsNode && Spots[T].OsCpu == NoCpuYet;
  };
  auto IsHere = [&](int Index) {
    return Machine->nodeOfCpu(Machine->cpuAt(Index)) == OsNode;
  };
  int NumCpus = 0;
  for (int I = 0; I < Machine->numCpus(); ++I)
    NumCpus += IsHere(I);
  Sharer Next = sharerOf(0, NumThreads, HasNone);
  int Index = 0;  // in the machine, of the CPU to look at next
  int Passed = 0; // CPUs of the node before that
  int OsCpu = -1; // the last of them
  for (int T = 0; T < NumThreads; ++T) {
    if (!HasNone(T))
      continue;
    const int Rank = Next.inBlocks(NumCpus);
    for (; Passed <= Rank && Index < Machine->numCpus(); ++Index)
      if (IsHere(Index)) {
        OsCpu = Machine->cpuAt(Index);
        ++Passed;
      }
    Spots[T].OsCpu = OsCpu;
    ++Next.Rank;
  }
}

/// The threads in hwloc's logical order; those of one CPU by number.
void Hierarchy::sortThreads() {
  for (int T = 0; T < NumThreads; ++T)
    Order[T] = uint64_t(Machine->objectOfCpu(Level::Thread, Spots[T].OsCpu) + 1)
                   << 32 |
               unsigned(T);
  sortKeys(Order.data(), size_t(NumThreads));
}

/// The threads' groups at level \p L, when all coarser ones have theirs.
void Hierarchy::group(Level L) {
  GroupsOfLevel &Made = Levels[int(L)];
  Made.IsPresent = L == Level::Machine;
  for (int T = 0; T < NumThreads && !Made.IsPresent; ++T)
    Made.IsPresent = Machine->objectOfCpu(L, Spots[T].OsCpu) >= 0;
  // What the machine does not have, it has at the next coarser level.
  int Source = int(L);
  while (!Levels[Source].IsPresent)
    ++Source;
  group(Made,
        [&](int A, int B) { return areTogether(L, Level(Source), A, B); });
}

/// Groups the threads, where \p Together(A, B) says whether two are in one.
template <class Function>
void Hierarchy::group(GroupsOfLevel &Made, Function Together) {
  Made.Count = 0;
  for (int I = 0; I < NumThreads; ++I) {
    const int T = int(uint32_t(Order[I]));
    // Threads come sorted: most belong to the group that is the last so far.
    int G = Made.Count - 1;
    while (G >= 0 && !Together(Made.Groups[G].First, T))
      --G;
    if (G < 0) {
      G = Made.Count++;
      Made.Groups[G] = {T, 0};
    }
    Made.GroupOf[T] = G;
    ++Made.Groups[G].NumMembers;
  }
}

/// A cut with memory, but without groups; null if there is no memory.
Hierarchy::GroupsOfLevel *Hierarchy::addCut() {
  LOCUS_CHECK(NumCuts < MaxCuts);
  GroupsOfLevel &Made = Levels[NumLevels + NumCuts];
  if (Made.GroupOf.size() < Room &&
      !(Made.GroupOf.renew(Room) && Made.Groups.renew(Room)))
    return nullptr;
  ++NumCuts;
  Made.IsPresent = true;
  Made.Count = 0;
  return &Made;
}

bool Hierarchy::cut(int Number) {
  LOCUS_CHECK(Number >= 1 && Number <= NumThreads);
  GroupsOfLevel *Made = addCut();
  for (int I = 0; Made && I < NumThreads; ++I) {
    const int T = int(uint32_t(Order[I]));
    const int G = int(int64_t(I) * Number / NumThreads);
    if (G == Made->Count)
      Made->Groups[Made->Count++] = {T, 0};
    Made->GroupOf[T] = G;
    ++Made->Groups[G].NumMembers;
  }
  return Made != nullptr;
}

bool Hierarchy::cutByObjects() {
  GroupsOfLevel *Made = addCut();
  if (Made)
    group(*Made, [&](int A, int B) {
      return Machine->objectOfCpu(FirstCut, Spots[A].OsCpu) ==
             Machine->objectOfCpu(FirstCut, Spots[B].OsCpu);
    });
  return Made != nullptr;
}

/// Whether threads \p A and \p B are in one group at level \p L, whose groups
/// are objects of level \p Source.
bool Hierarchy::areTogether(Level L, Level Source, int A, int B) const {
  // Caches may span nodes (sub-NUMA clustering), groups do not.
  if (L < Level::Numa && Spots[A].OsNode != Spots[B].OsNode)
    return false;
  return Machine->objectOfCpu(Source, Spots[A].OsCpu) ==
         Machine->objectOfCpu(Source, Spots[B].OsCpu);
}

Level Hierarchy::closeness(int A, int B) const {
  for (int L = 0; L < NumLevels; ++L)
    if (groupOf(Level(L), A) == groupOf(Level(L), B))
      return Level(L);
  return Level::Machine;
}

void Hierarchy::nearestGroups(Level L, int Thread, uint64_t *Nearest) const {
  const int Own = groupOf(L, Thread), Count = numGroups(L);
  const int Home = Spots[Thread].OsNode;
  for (int Turn = 1; Turn < Count; ++Turn) {
    const int Other = firstMember(L, (Own + Turn) % Count);
    const int OsNode = Spots[Other].OsNode;
    const uint64_t Far =
        OsNode == Home ? 0 : Machine->distance(Home, OsNode) & 0xffffff;
    Nearest[Turn - 1] =
        Far << 40 | uint64_t(closeness(Thread, Other)) << 32 | unsigned(Turn);
  }
  sortKeys(Nearest, size_t(Count - 1));
  for (int I = 0; I < Count - 1; ++I)
    Nearest[I] = (uint32_t(Nearest[I]) + uint64_t(Own)) % uint64_t(Count);
}

} // namespace locus
