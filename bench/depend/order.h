//===-- order.h - Tasks whose order is checked, made by one thread --------===//
//
// A task that depends on some cells hashes what it reads into the cell that it
// writes. Tasks that run in another order than their dependences allow leave
// other cells behind than the sequential twin, which hashes in the order of
// creation.
//
// By default only the run to warm up does so. In the timed runs the tasks are
// empty, and are counted.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_DEPEND_ORDER_H
#define BENCH_DEPEND_ORDER_H

#include "driver.h"

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "../taskpool/counters.h"

/// What a dependence names, on a cache line of its own.
typedef struct {
  _Alignas(64) uint64_t Value;
} Cell;

static Cell *Cells;
static Cell *Expected; ///< What the sequential twin left.
static long CellCount, ExpectedTasks;
static int Hashing;      ///< Whether the tasks of this run hash.
static int Dawdling;     ///< Whether some of them take long.
static long AlwaysHash;  ///< Option -b.
static long RunsStarted; ///< Parallel ones, that to warm up included.

enum { MostCreations = 4096 };
static double Creations[MostCreations]; ///< Seconds of each timed run.

#define BODY_OPTION                                                            \
  {'b', "1: tasks hash in the timed runs too", &AlwaysHash, 0, 1}

static inline uint64_t fold(uint64_t Hash, uint64_t Value) {
  return ((Hash ^ Value) + 1) * 0x9e3779b97f4a7c15u;
}

/// Takes time in the run to warm up, so that a task that starts too early
/// overtakes this one.
static inline void linger(int Iterations) {
  if (Dawdling)
    for (volatile int I = 0; I < Iterations; ++I)
      ;
}

/// Some tasks linger before they read, some before they write.
static inline uint64_t dawdle(uint64_t Hash) {
  if (Hash % 64 == 0)
    linger(1000);
  return Hash;
}

/// What a task does that depends on \p Out alone. \p Number tells tasks apart.
static inline void write0(Cell *Out, uint64_t Number) {
  ++TasksHere;
  if (!Hashing)
    return;
  uint64_t Hash = dawdle(fold(0, Number));
  Out->Value = dawdle(fold(Hash, Out->Value));
}

static inline void write1(Cell *Out, const Cell *A, uint64_t Number) {
  ++TasksHere;
  if (!Hashing)
    return;
  uint64_t Hash = dawdle(fold(0, Number));
  Out->Value = dawdle(fold(fold(Hash, Out->Value), A->Value));
}

static inline void write2(Cell *Out, const Cell *A, const Cell *B,
                          uint64_t Number) {
  ++TasksHere;
  if (!Hashing)
    return;
  uint64_t Hash = fold(dawdle(fold(0, Number)), Out->Value);
  Out->Value = dawdle(fold(fold(Hash, A->Value), B->Value));
}

static void takeCells(long Count) {
  CellCount = Count;
  Cells = benchAllocate((size_t)Count * sizeof(Cell));
  Expected = benchAllocate((size_t)Count * sizeof(Cell));
}

/// Before each run.
static void resetCells(void) {
  memset(Cells, 0, (size_t)CellCount * sizeof(Cell));
  clearCounts();
}

/// The twin of createTasks: \p Run writes the cells.
static void expectCells(void (*Run)(void)) {
  Hashing = 1;
  TasksHere = 0;
  Run();
  ExpectedTasks = TasksHere;
  memcpy(Expected, Cells, (size_t)CellCount * sizeof(Cell));
}

/// A region in which one thread creates all tasks.
static void createTasks(void (*Create)(void)) {
  Dawdling = RunsStarted == 0;
  Hashing = Dawdling || AlwaysHash;
#pragma omp parallel
#pragma omp single
  {
    double Start = benchSeconds();
    Create();
    if (RunsStarted > 0 && RunsStarted <= MostCreations)
      Creations[RunsStarted - 1] = benchSeconds() - Start;
  }
  ++RunsStarted;
}

static int checkCells(void) {
  long Tasks = sumCounts(0).Tasks;
  long Wrong = 0;
  for (long I = 0; Hashing && I < CellCount; ++I)
    Wrong += Cells[I].Value != Expected[I].Value;
  if (Wrong)
    fprintf(stderr, "%ld of %ld cells are wrong: tasks ran out of order\n",
            Wrong, CellCount);
  if (Tasks != ExpectedTasks)
    fprintf(stderr, "%ld of %ld tasks ran\n", Tasks, ExpectedTasks);
  return !Wrong && Tasks == ExpectedTasks;
}

/// The whole time for each task, and that of the thread that creates them;
/// where its list is full it runs tasks too.
static void reportTasks(double Parallel, double Sequential) {
  (void)Sequential;
  struct rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  long Runs = RunsStarted - 1 < MostCreations ? RunsStarted - 1 : MostCreations;
  double Tasks = (double)ExpectedTasks;
  printf("tasks %ld\nns_per_task %.2f\nns_creation %.2f\npeak_rss_kb %ld\n",
         ExpectedTasks, 1e9 * Parallel / Tasks,
         1e9 * benchMedian(Creations, (int)Runs) / Tasks, Usage.ru_maxrss);
}

#endif // BENCH_DEPEND_ORDER_H
