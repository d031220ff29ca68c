//===- model_core.cpp - The sources that the model checks -----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define LOCUS_MODEL_SOURCES
#include "model.h"

locus::Tuning locus::Tuned;

// Queue memory is not what is checked here, but nobody shall read what is
// freed. Blocks are watched, and rings where the test says so.
void *locus::allocateOnNode(size_t Bytes, int OsNode) {
  void *Memory = calloc(1, Bytes);
  if (OsNode == UnknownNode && Bytes % BlockBytes == 0)
    simulated::Watched.watch(Memory, Bytes, BlockBytes);
  else if (simulated::Watched.SeesRings)
    simulated::Watched.watch(Memory, Bytes, 0);
  return Memory;
}
void locus::freeOnNode(void *Memory, size_t Bytes) {
  if (simulated::Watched.SeesRings) // the end of each slot
    for (size_t At = 0; At < Bytes; At += sizeof(Task *))
      simulated::Watched.write(static_cast<char *>(Memory) + At);
  if (Memory)
    memset(Memory, 0, Bytes);
  if (simulated::Watched.watches(Memory))
    simulated::Watched.keep(Memory);
  else
    free(Memory);
}

void locus::outOfMemory() { abort(); }

void locus::notePass(uint32_t) {}
