//===-- steal.h - The cost of tasks that other threads run ----------------===//
//
// As Podobas, Brorsson, Faxen ("A comparison of some recent task-based parallel
// programming models", section 3.1) define it. A balanced binary tree of tasks
// is spawned and joined again and again; each of its leaves, one for every
// processor, runs a loop C that makes no memory references. The cost is the
// time of the tree of depth log2 p on p processors, less that of the loop alone
// on one. The length of the loop is chosen so that the difference is 10 to 20 %
// of it: then the tasks really run in parallel.
//
// Where there are more threads than processors, a tree cannot take less than
// its share of loops one after another; that is what is subtracted then, and
// the report says how many processors there were.
//
// A program includes this file and defines treeRounds for its runtime.
//
//===----------------------------------------------------------------------===//

#ifndef BENCH_STEAL_H
#define BENCH_STEAL_H

#include "driver.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/// Runs \p Rounds trees of \p Depth one after another. \returns the sum of
/// stealLoop over all leaves of all trees.
static uint64_t treeRounds(long Rounds, int Depth);

static long StealIterations = 0, StealMilliseconds = 200;
static long StealRounds;
static int StealDepth, StealThreads;
static uint64_t StealExpected, StealResult;

/// The loop C. Each iteration needs the one before it.
__attribute__((noinline)) static uint64_t stealLoop(void) {
  uint64_t Value = 1;
  // A loop of the same result each time would be run but once.
  __asm__ volatile("" : "+r"(Value));
  for (long I = StealIterations; I > 0; --I)
    Value = Value * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
  return Value;
}

/// Loops that the busiest processor has to run for a tree.
static int loopsInSequence(void) {
  int Processors = runtimeProcessors();
  return (StealThreads + Processors - 1) / Processors;
}

static double stealTime(long Rounds, int Parallel) {
  double Start = benchSeconds();
  if (Parallel) {
    treeRounds(Rounds, StealDepth);
  } else {
    for (long I = Rounds * loopsInSequence(); I > 0; --I)
      stealLoop();
  }
  return benchSeconds() - Start;
}

/// Finds a loop of which the cost is 15 %, roughly.
static void calibrate(void) {
  // No more than some milliseconds: a tree is done by then.
  const double Shortest = 100, Longest = 10000000;
  double Iterations = 2000;
  for (int Trial = 0; Trial < 12; ++Trial) {
    StealIterations = (long)Iterations;
    long Rounds = (long)(0.01 / stealTime(3, 0) * 3) + 3;
    stealTime(Rounds / 3, 1);
    double Share = stealTime(Rounds, 1) / stealTime(Rounds, 0) - 1;
    if (Share >= 0.10 && Share <= 0.20)
      return;
    // Noise may make it negative; no step is larger than eightfold.
    Iterations *= fmin(fmax(Share / 0.15, 0.125), 8);
    Iterations = fmin(fmax(Iterations, Shortest), Longest);
  }
}

static void stealPrepare(int Threads) {
  if (Threads < 2 || Threads & (Threads - 1))
    benchFail("%d threads: the tree needs a power of two from 2 "
              "(OMP_NUM_THREADS)",
              Threads);
  StealThreads = Threads;
  for (StealDepth = 0; 1 << StealDepth < Threads; ++StealDepth)
    ;
  if (!StealIterations)
    calibrate();
  StealRounds = (long)(1e-3 * (double)StealMilliseconds / stealTime(1, 0)) + 1;
}

static void stealSequential(void) {
  uint64_t Last = 0;
  for (long I = StealRounds * loopsInSequence(); I > 0; --I)
    Last = stealLoop();
  // All leaves have the same result.
  StealExpected = Last * (uint64_t)StealRounds * (uint64_t)StealThreads;
}

static void stealParallel(void) {
  StealResult = treeRounds(StealRounds, StealDepth);
}

static int stealCheck(void) {
  if (StealResult != StealExpected)
    fprintf(stderr, "steal: the sum over all leaves is wrong\n");
  return StealResult == StealExpected;
}

static void stealReport(double Parallel, double Sequential) {
  double Cost = (Parallel - Sequential) / (double)StealRounds;
  printf("processors %d\ndepth %d\niterations %ld\nrounds %ld\n"
         "ns_per_tree %.1f\ncycles_per_tree %.0f\ndifference_percent %.1f\n",
         runtimeProcessors(), StealDepth, StealIterations, StealRounds,
         1e9 * Cost, Cost * benchCyclesPerSecond(),
         100 * (Parallel / Sequential - 1));
}

static int stealMain(const char *Name, int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'i', "iterations of the loop; 0: so many that the cost is 10 to 20 %",
       &StealIterations, 0, 1L << 40},
      {'m', "milliseconds that the loops of a timed run take",
       &StealMilliseconds, 1, 100000},
      {0, NULL, NULL, 0, 0}};
  const Benchmark Bench = {
      Name,
      "Spawns and joins balanced trees of tasks, a leaf for each thread, and "
      "prints the\ncost of a tree.",
      Options,
      stealPrepare,
      NULL,
      stealSequential,
      stealParallel,
      stealCheck,
      stealReport};
  return benchMain(&Bench, ArgCount, Args);
}

#endif // BENCH_STEAL_H
