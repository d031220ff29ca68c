//===-- spawn.h - Ways to create the task of a block ----------------------===//

#ifndef KASTORS_SPAWN_H
#define KASTORS_SPAWN_H

#include "jacobi.h"

namespace kastors::spawn {

/// No task: the block, now.
void atOnce(BlockTask T);

/// Without dependences; with those of the stencil; with OpenMP 5's list.
void plain(BlockTask T);
void dependent(BlockTask T);
void listed(BlockTask T);

/// With dependences, and a hint by omp_set_task_affinity: the owner, strictly;
/// the block that it writes.
void calledThread(BlockTask T);
void calledData(BlockTask T);

// With dependences and the clause: the owner, strictly or not; the block that
// it writes; the next node, strictly.
#ifdef KASTORS_AFFINITY_CLAUSE
void strictThread(BlockTask T);
void threadHint(BlockTask T);
void dataHint(BlockTask T);
void nextNode(BlockTask T);
#else
// The driver refuses their variants.
inline constexpr Spawn strictThread = nullptr, threadHint = nullptr,
                       dataHint = nullptr, nextNode = nullptr;
#endif

} // namespace kastors::spawn

#endif // KASTORS_SPAWN_H
