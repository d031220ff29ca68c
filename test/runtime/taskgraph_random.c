// Random graphs of tasks with dependences of all types, waits, undeferred tasks
// and tasks that create others, recorded once and run again many times: the
// results are those of a program without threads.
//
// RUN: %build
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: env OMP_NUM_THREADS=8 OMP_CANCELLATION=true %run %t

#include "check.h"

enum { MostTasks = 300, Addresses = 12, Runs = 20 };

static uint64_t Data[Addresses], Children;
static uint64_t Expected[Addresses], ExpectedChildren;
static int Bodies;

/// What each task does: two addresses that it reads, one that it writes.
struct What {
  int Kind, From, Other, To;
};
struct Program {
  int NumTasks;
  struct What Tasks[MostTasks];
};

static uint64_t mix(uint64_t A, uint64_t B, uint64_t C) {
  return (A * 31 + B) * 0x9e3779b97f4a7c15u + C;
}
static void join(uint64_t *Sum, uint64_t Number) {
  __atomic_fetch_add(Sum, Number, __ATOMIC_RELAXED);
}

enum { Write, Copy, Merge, Set, Mutex, Child, Undeferred, Wait, Chosen, Kinds };

static struct Program makeProgram(unsigned Seed) {
  struct Program P;
  P.NumTasks = 1 + rand_r(&Seed) % MostTasks;
  for (int I = 0; I < P.NumTasks; ++I) {
    struct What *W = &P.Tasks[I];
    W->Kind = rand_r(&Seed) % Kinds;
    // Few waits.
    if ((W->Kind == Wait || W->Kind == Undeferred) && rand_r(&Seed) % 8)
      W->Kind = Merge;
    W->From = rand_r(&Seed) % Addresses;
    W->Other = rand_r(&Seed) % Addresses;
    W->To = rand_r(&Seed) % Addresses;
  }
  return P;
}

/// Without threads.
static void expect(const struct Program *P) {
  for (int I = 0; I < P->NumTasks; ++I) {
    const struct What W = P->Tasks[I];
    switch (W.Kind) {
    case Write:
    case Undeferred:
      Expected[W.To] = mix(Expected[W.To], 7, (uint64_t)I);
      break;
    case Copy:
    case Chosen:
      Expected[W.To] = mix(Expected[W.From], Expected[W.To], (uint64_t)I);
      break;
    case Merge:
      Expected[W.To] = mix(Expected[W.From], Expected[W.Other], Expected[W.To]);
      break;
    case Set:
    case Mutex:
      Expected[W.To] += (uint64_t)I * 1000003u;
      break;
    case Child:
      Expected[W.To] = mix(Expected[W.To], 5, (uint64_t)I);
      ExpectedChildren += (uint64_t)I;
      break;
    }
  }
}

static void create(void *Argument) {
  const struct Program *P = Argument;
  add(&Bodies, 1);
  for (int I = 0; I < P->NumTasks; ++I) {
    const struct What W = P->Tasks[I];
    switch (W.Kind) {
    case Write:
#pragma omp task depend(inout : Data[W.To]) firstprivate(W, I)
      Data[W.To] = mix(Data[W.To], 7, (uint64_t)I);
      break;
    case Undeferred:
#pragma omp task depend(inout : Data[W.To]) firstprivate(W, I) if (0)
      Data[W.To] = mix(Data[W.To], 7, (uint64_t)I);
      break;
    case Copy:
#pragma omp task depend(in : Data[W.From]) depend(inout : Data[W.To])          \
    firstprivate(W, I)
      Data[W.To] = mix(Data[W.From], Data[W.To], (uint64_t)I);
      break;
    case Chosen: // a priority, and a task that changes its own data
#pragma omp task depend(in : Data[W.From]) depend(inout : Data[W.To])          \
    firstprivate(W, I) priority(I)
    {
      Data[W.To] = mix(Data[W.From], Data[W.To], (uint64_t)I);
      I = -1;
    } break;
    case Merge:
#pragma omp task depend(in : Data[W.From], Data[W.Other])                      \
    depend(inout : Data[W.To]) firstprivate(W)
      Data[W.To] = mix(Data[W.From], Data[W.Other], Data[W.To]);
      break;
    case Set:
#pragma omp task depend(inoutset : Data[W.To]) firstprivate(W, I)
      join(&Data[W.To], (uint64_t)I * 1000003u);
      break;
    case Mutex:
#pragma omp task depend(mutexinoutset : Data[W.To]) firstprivate(W, I)
      Data[W.To] += (uint64_t)I * 1000003u;
      break;
    case Child:
#pragma omp task depend(inout : Data[W.To]) firstprivate(W, I)
    {
      uint64_t Mine = 0;
#pragma omp task shared(Mine) depend(out : Mine)
      Mine = Data[W.To];
#pragma omp task shared(Mine) depend(in : Mine)
      Data[W.To] = mix(Mine, 5, (uint64_t)I);
#pragma omp task firstprivate(I) // nobody waits but the region
      join(&Children, (uint64_t)I);
#pragma omp taskwait depend(inout : Mine)
#pragma omp taskwait
    } break;
    case Wait: {
#pragma omp taskwait
      break;
    }
    }
  }
}

static void test(unsigned Seed) {
  const struct Program P = makeProgram(Seed);
  memset(Data, 0, sizeof(Data));
  memset(Expected, 0, sizeof(Expected));
  Children = ExpectedChildren = 0;
  Bodies = 0;
#pragma omp parallel
#pragma omp single
  for (int Run = 0; Run < Runs; ++Run) {
    omp_taskgraph(Seed, 0, create, (void *)&P);
    expect(&P);
    CHECK_EQUAL(Children, ExpectedChildren, "children");
    for (int I = 0; I < Addresses; ++I)
      CHECK(Data[I] == Expected[I], "seed %u, run %d, address %d", Seed, Run,
            I);
  }
  CHECK_EQUAL(Bodies, 1, "bodies");
  omp_taskgraph(Seed, omp_taskgraph_reset | omp_taskgraph_off, create,
                (void *)&(const struct Program){0, {{0}}});
}

int main(void) {
  for (unsigned Seed = 1; Seed <= 30; ++Seed)
    test(Seed);
  return 0;
}
