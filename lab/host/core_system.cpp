//===- host/core_system.cpp - What the core asks of its surroundings ------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the laboratory, in place of support/stats.cpp, trace/recorder.cpp
// and machine/page_node.cpp.
//
//===----------------------------------------------------------------------===//

#include "lab/host/core_system.h"
#include "lab/engine/engine.h"
#include "locus/machine/page_node.h"
#include "locus/queue/combining.h"
#include "locus/support/host.h"
#include "locus/trace/recorder.h"

#include <stdio.h>

namespace locus {

using lab::Engine;

namespace lab {
std::vector<ThreadStats> *StatsOfThreads = nullptr;
std::vector<int> *NodeOfOsNode = nullptr;
std::vector<int> *OsNodeOfNode = nullptr;
} // namespace lab

void warn(const char *Text) { fprintf(stderr, "locus-lab: %s\n", Text); }

void outOfMemory() {
  fprintf(stderr, "locus-lab: no memory\n");
  exit(1);
}

void *allocateOnNode(size_t Bytes, int OsNode) {
  const bool IsKnown =
      OsNode >= 0 && size_t(OsNode) < lab::NodeOfOsNode->size();
  return lab::allocate(Bytes,
                       IsKnown ? (*lab::NodeOfOsNode)[size_t(OsNode)] : -1);
}

void freeOnNode(void *Memory, size_t) {
  if (Memory)
    lab::release(Memory);
}

/// As the kernel does: pages that somebody has touched, a few of many.
int nodeOfMemory(const MemoryRange *Ranges, int Count) {
  Engine *E = Engine::running();
  std::vector<double> Bytes(size_t(E->machine().NumNodes));
  const int Each = Count >= MaxPagesAsked ? 1 : MaxPagesAsked / Count;
  int Asked = 0;
  for (int I = 0; I < Count && Asked < MaxPagesAsked; ++I) {
    const MemoryRange &R = Ranges[I];
    const uint64_t Length = R.Length ? R.Length : 1;
    const uint64_t Page = E->machine().PageBytes;
    const uint64_t Pages = (Length + Page - 1) / Page;
    const int Samples = int(Pages < uint64_t(Each) ? Pages : uint64_t(Each));
    for (int S = 0; S < Samples; ++S, ++Asked) {
      const uint64_t At = R.Base + Length * uint64_t(S) / uint64_t(Samples);
      if (const int Node = E->memory().nodeOf(At); Node >= 0)
        Bytes[size_t(Node)] += double(Length) / Samples;
    }
  }
  // The core has just read its clock, twice in all, to count the time of this:
  // the product does not, unless it counts.
  const lab::Costs &C = E->machine().Cost;
  E->advance(lab::toPs(std::max(0.0, Asked * C.PageQueryNs - 2 * C.RdtscNs)));
  int Best = -1;
  for (int N = 0; N < int(Bytes.size()); ++N)
    if (Bytes[size_t(N)] > (Best < 0 ? 0 : Bytes[size_t(Best)]))
      Best = N;
  return Best < 0 ? UnknownNode : (*lab::OsNodeOfNode)[size_t(Best)];
}

//===----------------------------------------------------------------------===//
// Counters: those of KMP_TASK_STATS, which cost nothing here
//===----------------------------------------------------------------------===//

std::atomic<bool> Stats::Enabled{true};

ThreadStats &Stats::mine() {
  static ThreadStats Nobody;
  Engine *E = Engine::running();
  return E ? (*lab::StatsOfThreads)[size_t(E->self())] : Nobody;
}

void Stats::countSearch(bool Found, int) {
  if (!Found)
    addOwn(mine().Counts[int(Stat::Searches)], 1);
}

void notePass(uint32_t Requests) {
  addOwn(Stats::mine().Counts[int(Stat::Passes)], 1);
  addOwn(Stats::mine().Counts[int(Stat::Served)], Requests);
}
void Stats::countPlaced(int, bool) {}
void Stats::countLists(int, uint64_t, uint64_t, uint64_t) {}

std::atomic<bool> Trace::Enabled{false};
void Trace::noteSearch(bool) {}
void Trace::record(Event, uint32_t, uint8_t, uint16_t, uint64_t, uint32_t,
                   uint32_t) {}

} // namespace locus
