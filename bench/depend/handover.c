//===-- handover.c - From a task's creation to its start elsewhere --------===//
//
// One thread, the producer, creates a task for each of the others, which wait
// at the end of the region. A task notes how long ago it was created.
// The producer waits outside of the runtime until all have started, then until
// a pause is over, and goes on.
//
// A short pause finds threads that still look for work; a long one finds them
// as they are after some waiting, asleep perhaps. A task may work for a while,
// so that no thread can take two of them.
//
// How long a line of memory takes from the producer's processor to the first
// consumer's and back is measured before each run: a hypervisor may move them.
//
// A runtime may keep a task until the producer calls it again: after a tenth of
// a second the producer waits inside of the runtime. Such rounds are late.
//
//===----------------------------------------------------------------------===//

#include "driver.h"

#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <x86intrin.h>

static long Rounds = 2000, Length = 0, Pause = 1000;
static int Consumers;
static double CyclesPerSecond;
static _Alignas(64) atomic_long Started;
static _Alignas(64) atomic_long Sum;
static _Alignas(64) atomic_long Line;
static long ExpectedSum;

/// What is known of a task that has run.
typedef struct {
  double Cycles;
  int ByProducer;
} Start;
static Start *Starts;       ///< Of a run.
static double *RoundCycles; ///< Of a run: from the first creation until all
                            ///< have started.
static double *Cycles;      ///< Of the tasks of all timed runs that others ran.
static long CycleCount, RunsStarted;
static long ByProducer, Late, Tasks; ///< Over the timed runs.
static size_t CycleRoom;
static double LineLeast = INFINITY, LineMost; ///< Of the timed runs, cycles.
static double *AllRounds; ///< RoundCycles of all timed runs.
static long RoundCount;

static inline void waitFor(uint64_t Since, double CyclesToPass) {
  while ((double)(__rdtsc() - Since) < CyclesToPass)
    _mm_pause();
}

static double cyclesOf(long Nanoseconds) {
  return 1e-9 * (double)Nanoseconds * CyclesPerSecond;
}

static void work(long Number, uint64_t Created, double CyclesToWork) {
  uint64_t Now = __rdtsc();
  // The counters of two processors may differ a little.
  Starts[Number].Cycles = Now > Created ? (double)(Now - Created) : 0;
  Starts[Number].ByProducer = omp_get_thread_num() == 0;
  atomic_fetch_add_explicit(&Sum, Number, memory_order_relaxed);
  atomic_fetch_add_explicit(&Started, 1, memory_order_release);
  waitFor(Now, CyclesToWork);
}

/// Waits until \p Wanted tasks have started. \returns whether it took no help.
static int haveStarted(long Wanted) {
  uint64_t Since = __rdtsc();
  while (atomic_load_explicit(&Started, memory_order_acquire) < Wanted) {
    if ((double)(__rdtsc() - Since) > 0.1 * CyclesPerSecond) {
#pragma omp taskwait
      return 0;
    }
    _mm_pause();
  }
  return 1;
}

/// What the producer does. \returns how many rounds were late.
static long produce(void) {
  const double CyclesToWork = cyclesOf(Length), CyclesToPause = cyclesOf(Pause);
  long LateRounds = 0;
  for (long Round = 0; Round < Rounds; ++Round) {
    const uint64_t Began = __rdtsc();
    for (long I = 0; I < Consumers; ++I) {
      const long Number = Round * Consumers + I;
      const uint64_t Created = __rdtsc();
#pragma omp task
      work(Number, Created, CyclesToWork);
    }
    LateRounds += !haveStarted((Round + 1) * Consumers);
    RoundCycles[Round] = (double)(__rdtsc() - Began);
    waitFor(__rdtsc(), CyclesToWork + CyclesToPause);
  }
  return LateRounds;
}

/// The thread that calls with 1 sends a line to the one that calls with 0,
/// which sends it back. \returns the cycles of a trip there and back.
static double lineTrip(int Is0) {
  enum { Batches = 20, Trips = 200 };
  double Least = INFINITY; // of a batch: the other thread may come late
  for (long Batch = 0, Trip = 0; Batch < Batches; ++Batch) {
    const uint64_t Since = __rdtsc();
    for (const long End = Trip + Trips; Trip < End; ++Trip) {
      const long Wanted = 2 * Trip + !Is0;
      for (int Looks = 0;
           atomic_load_explicit(&Line, memory_order_acquire) != Wanted;)
        if (++Looks % 1000 == 0)
          sched_yield(); // to the other thread, if that has no processor
      atomic_store_explicit(&Line, Wanted + 1, memory_order_release);
    }
    Least = fmin(Least, (double)(__rdtsc() - Since) / Trips);
  }
  return Least;
}

static void parallel(void) {
  long LateRounds = 0;
  double Trip = 0;
#pragma omp parallel
  {
    const int Thread = omp_get_thread_num();
    if (Thread == 1)
      lineTrip(0);
    if (Thread == 0) {
      Trip = lineTrip(1);
      LateRounds = produce();
    }
  }
  if (!RunsStarted++)
    return;
  Late += LateRounds;
  LineLeast = fmin(LineLeast, Trip);
  LineMost = fmax(LineMost, Trip);
}

static void prepare(int Threads) {
  if (Threads < 2)
    benchFail("1 thread: nobody waits for tasks (OMP_NUM_THREADS)");
  Consumers = Threads - 1;
  CyclesPerSecond = benchCyclesPerSecond();
  Starts = benchAllocate((size_t)(Rounds * Consumers) * sizeof(Start));
  RoundCycles = benchAllocate((size_t)Rounds * sizeof(double));
}

static void reset(void) { Started = Sum = Line = 0; }

static void sequential(void) {
  ExpectedSum = 0;
  for (long I = 0; I < Rounds * Consumers; ++I)
    ExpectedSum += I;
}

/// Adds the run's tasks to those of the others.
static void keep(void) {
  const long Count = Rounds * Consumers;
  if ((size_t)(CycleCount + Count) > CycleRoom) {
    CycleRoom = 2 * (CycleRoom + (size_t)Count);
    Cycles = realloc(Cycles, CycleRoom * sizeof(double));
    if (!Cycles)
      benchFail("not enough memory for %zu numbers", CycleRoom);
  }
  AllRounds =
      realloc(AllRounds, (size_t)(RoundCount + Rounds) * sizeof(double));
  if (!AllRounds)
    benchFail("not enough memory for %ld numbers", RoundCount + Rounds);
  for (long Round = 0; Round < Rounds; ++Round)
    AllRounds[RoundCount++] = RoundCycles[Round];
  Tasks += Count;
  for (long I = 0; I < Count; ++I) {
    ByProducer += Starts[I].ByProducer;
    if (!Starts[I].ByProducer)
      Cycles[CycleCount++] = Starts[I].Cycles;
  }
}

static int check(void) {
  const long Count = Rounds * Consumers;
  int Right = Started == Count && Sum == ExpectedSum;
  if (!Right)
    fprintf(stderr, "handover: %ld of %ld tasks ran, or some ran twice\n",
            (long)Started, Count);
  else if (RunsStarted > 1)
    keep();
  return Right;
}

/// benchMedian sorts; so the others are at hand.
static double nanoseconds(double Part) {
  if (!CycleCount)
    return 0;
  long At = (long)(Part * (double)(CycleCount - 1));
  return 1e9 * Cycles[At] / CyclesPerSecond;
}

static void report(double Parallel, double Sequential) {
  (void)Parallel;
  (void)Sequential;
  if (CycleCount)
    benchMedian(Cycles, (int)CycleCount);
  printf("consumers %d\ntasks %ld\nby_producer %ld\nlate %ld\n", Consumers,
         Tasks, ByProducer, Late);
  printf("ns_handover %.1f\nns_handover_10 %.1f\nns_handover_90 %.1f\n"
         "ns_handover_99 %.1f\n",
         nanoseconds(0.5), nanoseconds(0.1), nanoseconds(0.9),
         nanoseconds(0.99));
  printf("ns_line_least %.1f\nns_line_most %.1f\n",
         1e9 * LineLeast / CyclesPerSecond, 1e9 * LineMost / CyclesPerSecond);
  printf("ns_round %.1f\n",
         RoundCount
             ? 1e9 * benchMedian(AllRounds, (int)RoundCount) / CyclesPerSecond
             : 0);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "rounds, in each a task for every thread but one", &Rounds, 1,
       10000000},
      {'l', "nanoseconds that a task works", &Length, 0, 1000000000},
      {'g', "nanoseconds between the end of a round and the next", &Pause, 0,
       1000000000},
      {0}};
  static const Benchmark Bench = {
      .Name = "handover",
      .Summary = "One thread creates tasks for the others, which wait for "
                 "them. Prints the\nnanoseconds from a task's creation to its "
                 "start: the median, and percentiles;\nand of a round, from "
                 "its first creation until all have started.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
