//===-- counters.h - What each thread of a team did -----------------------===//
//
// Counted without shared writes: a thread-private word costs an addition.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_COUNTERS_H
#define BENCH_COUNTERS_H

/// Tasks that this thread ran, and units of work in them.
static long TasksHere, WorkHere;
#pragma omp threadprivate(TasksHere, WorkHere)

/// Sums over a team.
typedef struct {
  long Tasks, Work;
} Counts;

/// Clears the counters of every thread of a team of the usual size.
static inline void clearCounts(void) {
#pragma omp parallel
  TasksHere = WorkHere = 0;
}

/// Sums up the counters of all threads from number \p First of the team. The
/// region is like the one that counted, so it has the same threads and their
/// thread-private data.
static inline Counts sumCounts(int First) {
  long Tasks = 0, Work = 0;
#pragma omp parallel reduction(+ : Tasks, Work)
  if (omp_get_thread_num() >= First) {
    Tasks += TasksHere;
    Work += WorkHere;
  }
  return (Counts){Tasks, Work};
}

#endif // BENCH_COUNTERS_H
