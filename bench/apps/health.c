//===-- health.c - Villages, their hospitals and patients -----------------===//
//
// A simulation of a health system, after the Olden benchmark of that name: a
// tree of villages, each with a hospital. In every step people fall ill, wait
// for a doctor, are examined, and are treated, sent home, or sent to the
// hospital above. A task for each village and step; it waits for those below
// it, then works on its own linked lists: little work, and all of it memory.
//
//===----------------------------------------------------------------------===//

#include "driver.h"
#include "random.h"

#include <stdio.h>
#include <stdlib.h>

enum { MaxBranching = 16 };
enum { ExamTime = 3, TreatmentTime = 10 };

typedef struct Village Village;

typedef struct Patient {
  struct Patient *Next;
  Village *Home;
  int TimeLeft;
} Patient;

/// A queue of patients.
typedef struct {
  Patient *First, **End;
} List;

struct Village {
  Village *Children; ///< Branching of them, or null.
  uint64_t Random;
  int Level; ///< 0: the lowest.
  int Doctors;
  List Healthy, Waiting, Examined, Treated;
  List Above; ///< Sent to the next hospital in this step.
  // What the simulation finds.
  long Ill, Waited, Cured, Sent;
};

static long Levels = 6, Branching = 5, People = 10, Steps = 100, CutOff = 0;
static Village *Root;
static uint64_t Expected, Result;

static void clear(List *L) {
  L->First = NULL;
  L->End = &L->First;
}

static void append(List *L, Patient *P) {
  P->Next = NULL;
  *L->End = P;
  L->End = &P->Next;
}

/// Takes all patients from \p L; the caller goes through the chain.
static Patient *takeAll(List *L) {
  Patient *First = L->First;
  clear(L);
  return First;
}

static int chance(Village *V, uint32_t OneIn) {
  return randomBelow(&V->Random, OneIn) == 0;
}

static void populationFallsIll(Village *V) {
  for (Patient *P = takeAll(&V->Healthy), *Next; P; P = Next) {
    Next = P->Next;
    if (chance(V, 20)) {
      ++V->Ill;
      append(&V->Waiting, P);
    } else {
      append(&V->Healthy, P);
    }
  }
}

static void treat(Village *V) {
  for (Patient *P = takeAll(&V->Treated), *Next; P; P = Next) {
    Next = P->Next;
    if (--P->TimeLeft) {
      append(&V->Treated, P);
      continue;
    }
    ++V->Doctors;
    ++V->Cured;
    // Home may be a village below: its task of this step has ended.
    append(&P->Home->Healthy, P);
  }
}

static void examine(Village *V) {
  for (Patient *P = takeAll(&V->Examined), *Next; P; P = Next) {
    Next = P->Next;
    if (--P->TimeLeft) {
      append(&V->Examined, P);
    } else if (chance(V, 4)) { // Not ill after all.
      ++V->Doctors;
      append(&P->Home->Healthy, P);
    } else if (V->Level + 1 < Levels && chance(V, 3)) {
      ++V->Doctors;
      ++V->Sent;
      append(&V->Above, P);
    } else {
      P->TimeLeft = TreatmentTime;
      append(&V->Treated, P);
    }
  }
}

static void admit(Village *V) {
  for (Patient *P = takeAll(&V->Waiting), *Next; P; P = Next) {
    Next = P->Next;
    if (V->Doctors) {
      --V->Doctors;
      P->TimeLeft = ExamTime;
      append(&V->Examined, P);
    } else {
      ++V->Waited;
      append(&V->Waiting, P);
    }
  }
}

static void receiveFromBelow(Village *V) {
  if (!V->Children)
    return;
  for (long I = 0; I < Branching; ++I)
    for (Patient *P = takeAll(&V->Children[I].Above), *Next; P; P = Next) {
      Next = P->Next;
      append(&V->Waiting, P);
    }
}

static void stepOfOne(Village *V) {
  receiveFromBelow(V);
  treat(V);
  examine(V);
  admit(V);
  populationFallsIll(V);
}

static void stepSequential(Village *V) {
  if (V->Children)
    for (long I = 0; I < Branching; ++I)
      stepSequential(&V->Children[I]);
  stepOfOne(V);
}

static void stepTasks(Village *V) {
  // The cut-off counts from the root.
  if (CutOff && Levels - V->Level > CutOff) {
    stepSequential(V);
    return;
  }
  if (V->Children) {
    for (long I = 0; I < Branching; ++I) {
#pragma omp task BENCH_TIED firstprivate(V, I)
      stepTasks(&V->Children[I]);
    }
#pragma omp taskwait
  }
  stepOfOne(V);
}

static void build(Village *V, int Level, uint64_t Number) {
  *V = (Village){.Level = Level, .Random = randomMix(Number)};
  clear(&V->Healthy);
  clear(&V->Waiting);
  clear(&V->Examined);
  clear(&V->Treated);
  clear(&V->Above);
  V->Doctors = Level + 1;
  for (long I = 0; I < People; ++I) {
    Patient *P = benchAllocate(sizeof(Patient));
    P->Home = V;
    append(&V->Healthy, P);
  }
  if (Level == 0)
    return;
  V->Children = benchAllocate((size_t)Branching * sizeof(Village));
  for (long I = 0; I < Branching; ++I)
    build(&V->Children[I], Level - 1,
          Number * (uint64_t)Branching + (uint64_t)I + 1);
}

static void freeAll(List *L) {
  for (Patient *P = takeAll(L), *Next; P; P = Next) {
    Next = P->Next;
    free(P);
  }
}

static void destroy(Village *V) {
  if (V->Children)
    for (long I = 0; I < Branching; ++I)
      destroy(&V->Children[I]);
  free(V->Children);
  freeAll(&V->Healthy);
  freeAll(&V->Waiting);
  freeAll(&V->Examined);
  freeAll(&V->Treated);
  freeAll(&V->Above);
}

static long lengthOf(const List *L) {
  long Length = 0;
  for (Patient *P = L->First; P; P = P->Next)
    ++Length;
  return Length;
}

/// A number that depends on every figure of every village; counts people.
static uint64_t fingerprint(const Village *V, long *Population) {
  const List *Lists[] = {&V->Healthy, &V->Waiting, &V->Examined, &V->Treated,
                         &V->Above};
  uint64_t Print = V->Random;
  for (int I = 0; I < 5; ++I) {
    long Length = lengthOf(Lists[I]);
    *Population += Length;
    Print = randomMix(Print * 31 + (uint64_t)Length);
  }
  const long Figures[] = {V->Ill, V->Waited, V->Cured, V->Sent};
  for (int I = 0; I < 4; ++I)
    Print = randomMix(Print * 31 + (uint64_t)Figures[I]);
  if (V->Children)
    for (long I = 0; I < Branching; ++I)
      Print = randomMix(Print * 31 + fingerprint(&V->Children[I], Population));
  return Print;
}

static long villages(void) {
  long Count = 1;
  for (long I = 1; I < Levels; ++I)
    Count = Count * Branching + 1;
  return Count;
}

static void reset(void) {
  if (!Root)
    Root = benchAllocate(sizeof(Village));
  else
    destroy(Root);
  build(Root, (int)Levels - 1, 0);
}

static void prepare(int Threads) {
  (void)Threads;
  if (villages() * People > 50000000)
    benchFail("-l %ld -b %ld -p %ld: more than 50 million people", Levels,
              Branching, People);
}

static uint64_t outcome(void) {
  long Population = 0;
  uint64_t Print = fingerprint(Root, &Population);
  if (Population == villages() * People)
    return Print;
  fprintf(stderr, "health: %ld people are left of %ld\n", Population,
          villages() * People);
  return ~Print;
}

static void sequential(void) {
  for (long I = 0; I < Steps; ++I)
    stepSequential(Root);
  Expected = outcome();
}

static void parallel(void) {
#pragma omp parallel
#pragma omp single
  for (long I = 0; I < Steps; ++I)
    stepTasks(Root);
}

static int check(void) {
  Result = outcome();
  if (Result != Expected)
    fprintf(stderr, "health: not the sequential twin's villages\n");
  return Result == Expected;
}

static void report(double Parallel, double Sequential) {
  (void)Sequential;
  double Tasks = (double)((villages() - 1) * Steps);
  printf("tasks %.0f\nns_per_task %.2f\n", Tasks,
         Tasks > 0 ? 1e9 * Parallel / Tasks : 0);
}

int main(int ArgCount, char **Args) {
  static const BenchOption Options[] = {
      {'l', "levels of the tree of villages", &Levels, 1, 12},
      {'b', "villages below each", &Branching, 1, MaxBranching},
      {'p', "people in each", &People, 1, 10000},
      {'t', "steps", &Steps, 1, 1000000},
      {'c', "cut-off: levels, from the root, that are tasks; 0: all", &CutOff,
       0, 12},
      {0}};
  static const Benchmark Bench = {
      .Name = "health",
      .Summary = "Simulates a tree of villages with hospitals and patients.",
      .Options = Options,
      .Prepare = prepare,
      .Reset = reset,
      .Sequential = sequential,
      .Parallel = parallel,
      .Check = check,
      .Report = report};
  return benchMain(&Bench, ArgCount, Args);
}
