// OpenMP 6.0: a team runs its tasks alone, those of threadset(omp_pool), too;
// that a task is transparent has no effect, which is said once.
//
// RUN: %build -fopenmp-version=60
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=2 %run %t transparent 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 KMP_WARNINGS=0 %run %t transparent 2>&1 | FileCheck --allow-empty --check-prefix=QUIET %s
//
// CHECK: OMP: Warning: task transparent: dependences order the tasks of one
// CHECK-NOT: transparent
// QUIET-NOT: Warning

#include "check.h"

#include <string.h>

enum { Tasks = 50 };
static int Ran, Elsewhere;

static void expectNone(int Level) {
  CHECK(!omp_is_free_agent(), "level %d", Level);
  for (int L = -1; L <= Level + 1; ++L)
    CHECK(!omp_ancestor_is_free_agent(L), "level %d of %d", L, Level);
}

static void testPool(void) {
  expectNone(0);
#pragma omp parallel
#pragma omp single
  {
    expectNone(1);
    for (int I = 0; I < Tasks; ++I)
#pragma omp task threadset(omp_pool)
    {
      add(&Ran, 1);
      add(&Elsewhere, omp_get_level() != 1 || omp_is_free_agent() ||
                          omp_ancestor_is_free_agent(1));
    }
  }
  CHECK_EQUAL(Ran, Tasks, "of the pool");
  CHECK_EQUAL(Elsewhere, 0, "free agents");
}

typedef int Entry(int, void *);
void *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, Entry *);
int __kmpc_omp_task(void *, int, void *);
int __kmpc_global_thread_num(void *);

static int count(int Gtid, void *Task) {
  (void)Gtid, (void)Task;
  add(&Ran, 1);
  return 0;
}

/// As LLVM 23's clang sends it.
static void testTransparent(void) {
  enum { Tied = 1, Transparent = 0x100, TaskBytes = 40 };
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Tasks; ++I) {
    const int Gtid = __kmpc_global_thread_num(NULL);
    __kmpc_omp_task(NULL, Gtid,
                    __kmpc_omp_task_alloc(NULL, Gtid, Tied | Transparent,
                                          TaskBytes, 0, count));
  }
  CHECK_EQUAL(Ran, Tasks, "transparent");
}

int main(int Count, char **Arguments) {
  if (Count > 1 && strcmp(Arguments[1], "transparent") == 0)
    testTransparent();
  else
    testPool();
  return 0;
}
