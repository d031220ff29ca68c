//===- engine/system.cpp - The system, as the core sees it ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/engine.h"
#include "locus/support/cpu.h"

#include <stdlib.h>
#include <time.h>

using locus::lab::Engine;

int labAllocate(void **To, size_t, size_t Bytes) {
  *To = locus::lab::allocate(Bytes);
  return 0;
}

void labFree(void *Memory) {
  if (locus::lab::isInArena(Memory))
    locus::lab::release(Memory);
  else
    free(Memory);
}

int labClock(clockid_t, timespec *Now) {
  const uint64_t Ns = Engine::running() ? Engine::running()->readClock() : 1;
  Now->tv_sec = time_t(Ns / 1000000000);
  Now->tv_nsec = long(Ns % 1000000000);
  return 0;
}

int labPageSize() {
  const Engine *E = Engine::running();
  return int(E ? E->machine().PageBytes : locus::lab::UsualPageBytes);
}

int labYield() {
  if (Engine *E = Engine::running())
    E->yield();
  return 0;
}

void locus::relax() {
  if (Engine *E = Engine::running())
    E->pause();
}

uint64_t locus::ticks() {
  return Engine::running() ? Engine::running()->readTicks() : 1;
}

void labPrefetch(const void *Address, int) {
  if (Engine *E = Engine::running())
    E->prefetch(uint64_t(Address));
}
