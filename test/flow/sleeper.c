// A thread creates tasks, each for the other thread, which sleeps, under a
// passive policy. The trace says who is woken.

#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static int Sleeper, MayEnd;

static int sleeps(void) {
  char Name[64], State = 0;
  snprintf(Name, sizeof(Name), "/proc/self/task/%d/stat", Sleeper);
  FILE *File = fopen(Name, "r");
  if (!File || fscanf(File, "%*d (%*[^)]) %c", &State) != 1)
    State = 'S';
  if (File)
    fclose(File);
  return State == 'S';
}

int main(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    while (!__atomic_load_n(&Sleeper, __ATOMIC_ACQUIRE))
      ;
#pragma omp task
    ; // the first one of a region wakes threads in another way
#pragma omp taskwait
    __atomic_store_n(&MayEnd, 1, __ATOMIC_RELEASE);
    for (int I = 0; I < 20; ++I) {
      while (!sleeps())
        ;
#pragma omp task
      ;
#pragma omp taskwait
    }
  } else {
    __atomic_store_n(&Sleeper, gettid(), __ATOMIC_RELEASE);
    while (!__atomic_load_n(&MayEnd, __ATOMIC_ACQUIRE))
      ;
  }
  return 0;
}
