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
// freed. Blocks are watched.
void *locus::allocateOnNode(size_t Bytes, int OsNode) {
  void *Memory = calloc(1, Bytes);
  if (OsNode == UnknownNode && Bytes % BlockBytes == 0)
    simulated::Watched.watch(Memory, Bytes, BlockBytes);
  return Memory;
}
void locus::freeOnNode(void *Memory, size_t Bytes) {
  if (Memory)
    memset(Memory, 0, Bytes);
  if (simulated::Watched.watches(Memory))
    simulated::Watched.keep(Memory);
  else
    free(Memory);
}

void locus::outOfMemory() { abort(); }

void locus::notePass(uint32_t) {}

bool locus::AsymmetricFences = true;
bool locus::thiefFence() {
  if (simulated::Membarrier.Refused) {
    AsymmetricFences = false;
    return false;
  }
  simulated::Membarrier.membarrier();
  return true;
}
void locus::warnOfRefusal() {}
