//===-- spawn.cpp - Ways to create the task of a block --------------------===//

#include "spawn.h"
#include "../common/runtime.h"

#include <omp.h>

using namespace kastors;

void spawn::atOnce(BlockTask T) { T.run(); }

void spawn::plain(BlockTask T) {
#pragma omp task
  T.run();
}

// What a block reads in one field, and what it writes in the other.
#define STENCIL                                                                \
  depend(in : *T.S.Centre, *T.S.North, *T.S.South, *T.S.West, *T.S.East)       \
      depend(out : *T.S.Out)

void spawn::dependent(BlockTask T) {
#pragma omp task STENCIL
  T.run();
}

/// The clause as OpenMP 5 has it.
void spawn::listed(BlockTask T) {
  [[maybe_unused]] double *Out = T.S.Out; // gcc ignores the clause.
  [[maybe_unused]] const size_t Elements = T.elements();
#pragma omp task STENCIL affinity(Out[0 : Elements])
  T.run();
}

void spawn::calledThread(BlockTask T) {
  setTaskAffinity()(AffinityThread, T.owner(), 1);
#pragma omp task STENCIL
  T.run();
}

void spawn::calledData(BlockTask T) {
  setTaskAffinity()(AffinityData, reinterpret_cast<uintptr_t>(T.S.Out), 0);
#pragma omp task STENCIL
  T.run();
}

#ifdef KASTORS_AFFINITY_CLAUSE
void spawn::strictThread(BlockTask T) {
#pragma omp task STENCIL affinity(thread : T.owner(), strict)
  T.run();
}

void spawn::threadHint(BlockTask T) {
#pragma omp task STENCIL affinity(thread : T.owner())
  T.run();
}

void spawn::dataHint(BlockTask T) {
#pragma omp task STENCIL affinity(data : T.S.Out)
  T.run();
}

/// Block after block to the next node.
void spawn::nextNode(BlockTask T) {
  static unsigned Next = 0;
#pragma omp task STENCIL affinity(node : Next++, strict)
  T.run();
}
#endif
