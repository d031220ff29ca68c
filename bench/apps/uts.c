//===-- uts.c - Unbalanced tree search ------------------------------------===//
//
// Counts the nodes of a tree that is only known by visiting it, after Olivier
// et al., "UTS: an unbalanced tree search benchmark", LCPC 2006. A binomial
// tree: the root has many children, every other node has m with probability q,
// else none. As q * m is nearly 1, subtrees differ by orders of magnitude and
// nothing tells beforehand.
//
// The original draws its random numbers by SHA-1; here each node hashes its
// number a given number of times.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

enum { Branching = 8 };
static const double Probability = 0.1248;

static long RootChildren = 2000, Rounds = 16, Seed = 1, CutOff = 0;
static long Expected, Result;

static uint64_t childNumber(uint64_t Node, long Child) {
  uint64_t Number = Node + 0x9e3779b97f4a7c15u * (uint64_t)(Child + 1);
  for (long I = 0; I < Rounds; ++I)
    Number = randomMix(Number + 1);
  return Number;
}

static int hasChildren(uint64_t Node) {
  return (double)(Node >> 11) * 0x1p-53 < Probability;
}

static long countSequential(uint64_t Node, long Children) {
  long Nodes = 1;
  for (long I = 0; I < Children; ++I) {
    uint64_t Child = childNumber(Node, I);
    Nodes += countSequential(Child, hasChildren(Child) ? Branching : 0);
  }
  return Nodes;
}

static long countTasks(uint64_t Node, long Children, long Depth) {
  if (CutOff && Depth >= CutOff)
    return countSequential(Node, Children);
  long Counts[Branching];
  for (long I = 0; I < Children; ++I) {
#pragma omp task BENCH_TIED shared(Counts) firstprivate(Node, I, Depth)
    {
      uint64_t Child = childNumber(Node, I);
      Counts[I] =
          countTasks(Child, hasChildren(Child) ? Branching : 0, Depth + 1);
    }
  }
  long Nodes = 1;
#pragma omp taskwait
  for (long I = 0; I < Children; ++I)
    Nodes += Counts[I];
  return Nodes;
}

static uint64_t rootNumber(void) { return randomMix((uint64_t)Seed); }

static void sequential(void) {
  Expected = countSequential(rootNumber(), RootChildren);
}

static void parallel(void) {
  Result = 1;
#pragma omp parallel
#pragma omp single
  for (long I = 0; I < RootChildren; ++I) {
#pragma omp task BENCH_TIED firstprivate(I)
    {
      uint64_t Child = childNumber(rootNumber(), I);
      long Nodes = countTasks(Child, hasChildren(Child) ? Branching : 0, 1);
#pragma omp atomic
      Result += Nodes;
    }
  }
}

static int check(void) {
  if (Result != Expected)
    fprintf(stderr, "uts: the tasks counted %ld nodes, the calls %ld\n", Result,
            Expected);
  return Result == Expected;
}

static void report(double Parallel, double Sequential) {
  (void)Sequential;
  printf("tasks %ld\nns_per_task %.2f\n", Result - 1,
         1e9 * Parallel / (double)(Result - 1));
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'n', "children of the root", &RootChildren, 1, 1000000},
      {'w', "hashes for each node", &Rounds, 1, 1000000},
      {'s', "seed of the tree", &Seed, 0, 1L << 62},
      {'c', "cut-off: levels that create tasks; 0: all", &CutOff, 0, 1000000},
      {0}};
  static const Benchmark Bench = {
      .Name = "uts",
      .Summary = "Counts the nodes of a very unbalanced tree.",
      .Options = Options,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
