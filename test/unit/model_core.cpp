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
// freed.
void *locus::allocateOnNode(size_t Bytes, int) { return calloc(1, Bytes); }
void locus::freeOnNode(void *Memory, size_t Bytes) {
  if (Memory)
    memset(Memory, 0, Bytes);
  free(Memory);
}

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
