// What each fault of faults.py makes impossible, whoever is faster: a first
// task holds back the others while the creator goes on.

#include <omp.h>
#include <stdint.h>
#include <stdio.h>

enum { NumParents = 100 };
static int HasBegun, MayEnd;
static uintptr_t Parents[NumParents]; // where the descriptors are

static void waitFor(int *Flag) {
  while (!__atomic_load_n(Flag, __ATOMIC_ACQUIRE))
    ;
}
static void set(int *Flag) { __atomic_store_n(Flag, 1, __ATOMIC_RELEASE); }

int main(void) {
  char Data = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : Data)
    {
      set(&HasBegun);
      waitFor(&MayEnd);
    }
    waitFor(&HasBegun); // on the other thread
    for (int I = 0; I < 100; ++I) {
#pragma omp task depend(in : Data)
      ;
    }
    for (int I = 0; I < 100; ++I) {
#pragma omp task
      ;
    }
    for (int I = 0; I < 10; ++I) {
      omp_set_task_affinity(omp_affinity_thread, (uintptr_t)I, 1);
#pragma omp task
      ;
    }
    set(&MayEnd);
#pragma omp taskwait
    for (int I = 0; I < NumParents; ++I) {
#pragma omp task firstprivate(I)
      {
        Parents[I] = (uintptr_t)&I;
#pragma omp task
        ;
#pragma omp taskwait
      }
#pragma omp taskwait
    }
  }
  int Reused = 0; // the memory of a parent that has been freed
  for (int I = 0; I < NumParents; ++I)
    for (int Before = 0; Before < I; ++Before)
      if (Parents[I] == Parents[Before]) {
        ++Reused;
        break;
      }
  printf("reused %d\n", Reused);
  return 0;
}
