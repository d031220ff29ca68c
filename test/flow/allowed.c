// What the runtime tells compiled code about tasks in place: in a team of one,
// and where a thread returns to an implicit task. inplace/README.md has the
// variable.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>

static int MayEnd;

/// How deep tasks may nest in place.
static int allowed(void) {
  struct State {
    const int *Allowed;
  };
  return *((const struct State *)dlsym(RTLD_DEFAULT, "__kmpc_task_inline"))
              ->Allowed;
}

int main(void) {
  int Alone = 0, Before = 0, Behind = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    ;
    Alone = allowed();
  }
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    for (int I = 0; I < 4; ++I) { // its list is full then
#pragma omp task
      ;
    }
    Before = allowed();
#pragma omp taskyield // which runs one of them
    Behind = allowed();
    __atomic_store_n(&MayEnd, 1, __ATOMIC_RELEASE);
  } else {
    while (!__atomic_load_n(&MayEnd, __ATOMIC_ACQUIRE))
      ; // takes none
  }
  printf("offered_alone %d\n", Alone > 0);
  printf("real_behind_return %d\n", Before > 0 && Behind == 0);
  return 0;
}
