//===-- tbb.h - The threads of a run, with oneTBB -------------------------===//

#ifndef BENCH_TBB_H
#define BENCH_TBB_H

#include <tbb/task_arena.h>

/// An arena of as many threads as OMP_NUM_THREADS says.
tbb::task_arena &benchArena();

#endif // BENCH_TBB_H
