//===- host/core_system.cpp - What the core asks of its surroundings ------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the laboratory, in place of the sources that README.md says are left out.
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

bool nodesOfPages(void **Pages, int Count, int *Nodes) {
  Engine *E = Engine::running();
  for (int I = 0; I < Count; ++I) {
    const int Node = E->memory().nodeOf(uint64_t(Pages[I]));
    Nodes[I] = Node < 0 ? UnknownNode : (*lab::OsNodeOfNode)[size_t(Node)];
  }
  // The core has just read its clock, twice in all, to count the time of this:
  // the product does not, unless it counts.
  const lab::Costs &C = E->machine().Cost;
  E->advance(lab::toPs(std::max(0.0, Count * C.PageQueryNs - 2 * C.RdtscNs)));
  return true;
}

int nodeOfPolicy(void *) { return UnknownNode; } // nobody sets one

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

std::atomic<bool> Trace::Enabled{false};
void Trace::noteSearch(bool) {}
void Trace::record(Event, uint32_t, uint8_t, uint16_t, uint64_t, uint32_t,
                   uint32_t) {}

} // namespace locus
