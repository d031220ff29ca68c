// Random graphs of tasks with dependences of all types, waits, undeferred tasks
// and tasks that create others, recorded once and run again many times: the
// results are those of a program without threads, in a team of any size. Now
// and then the program changes, and is recorded again.
//
// RUN: %build
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: env OMP_NUM_THREADS=8 OMP_CANCELLATION=true %run %t
// RUN: %run-each --threads 2,8 --policies passive --env KMP_TASK_SCHEDULER=stock %t 5

#include "check.h"

enum { MostTasks = 300, Addresses = 12, Parts = 6, Runs = 4 };

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
  struct Program P = makeProgram(Seed);
  memset(Data, 0, sizeof(Data));
  memset(Expected, 0, sizeof(Expected));
  Children = ExpectedChildren = 0;
  Bodies = 0;
  const int Most = omp_get_max_threads();
  for (int Part = 0; Part < Parts; ++Part) {
    if (Part == Parts / 2) // as many tasks, or not
      P = makeProgram(Seed + 1000);
#pragma omp parallel num_threads(Part % 3 ? Most : 1 + Part % Most)
#pragma omp single
    for (int Run = 0; Run < Runs; ++Run) {
      omp_taskgraph(Seed, 0, create, &P, sizeof(P));
      expect(&P);
      CHECK_EQUAL(Children, ExpectedChildren, "children");
      for (int I = 0; I < Addresses; ++I)
        CHECK(Data[I] == Expected[I], "seed %u, part %d, run %d, address %d",
              Seed, Part, Run, I);
    }
  }
  CHECK_EQUAL(Bodies, 2, "bodies");
  P.NumTasks = 0;
  omp_taskgraph(Seed, omp_taskgraph_reset | omp_taskgraph_off, create, &P, 0);
}

int main(int Count, char **Arguments) {
  const int Seeds = Count > 1 ? atoi(Arguments[1]) : 30;
  for (int Seed = 1; Seed <= Seeds; ++Seed)
    test((unsigned)Seed);
  return 0;
}
