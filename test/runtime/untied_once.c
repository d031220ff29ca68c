// An untied task is queued and run once, and once more for each task scheduling
// point in it. The code of a stock clang has another part in front, which does
// nothing but ask for the body: that thread goes on with it.
//
// RUN: %build
// RUN: env OMP_NUM_THREADS=2 KMP_TASK_QUEUE_SIZE=0 KMP_TASK_STATS=summary %run %t 2>&1 | FileCheck %s
// RUN: env OMP_NUM_THREADS=2 KMP_TASK_QUEUE_SIZE=0 KMP_TASK_STATS=summary %run %t hand 2>&1 | FileCheck %s
// CHECK: created 1000, run 1500, pushed_own 1500,

#include "check.h"

enum { Count = 500 };

static int Ran;

/// With a priority, as compiled code does not run them in place.
static void byCompiler(void) {
  for (int I = 0; I < Count; ++I) {
#pragma omp task untied priority(1)
    add(&Ran, 1);
#pragma omp task untied priority(1)
    {
      add(&Ran, 1);
#pragma omp taskyield
      add(&Ran, 1);
    }
  }
}

// What a stock clang makes of the same tasks.
typedef struct Task Task;
struct Task {
  void *Shareds;
  int (*Routine)(int, Task *);
  int Part;
  void *Destructors;
  int Priority;
};
Task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                            int (*)(int, Task *));
int __kmpc_omp_task(void *, int, Task *);
int __kmpc_omp_taskyield(void *, int, int);
int __kmpc_global_thread_num(void *);

static int goOn(int Gtid, Task *Own, int Part) {
  Own->Part = Part;
  return __kmpc_omp_task(NULL, Gtid, Own);
}

static int one(int Gtid, Task *Own) {
  if (Own->Part == 0)
    return goOn(Gtid, Own, 1);
  add(&Ran, 1);
  return 0;
}

static int two(int Gtid, Task *Own) {
  if (Own->Part == 0)
    return goOn(Gtid, Own, 1);
  add(&Ran, 1);
  if (Own->Part == 2)
    return 0;
  __kmpc_omp_taskyield(NULL, Gtid, 0);
  return goOn(Gtid, Own, 2);
}

static void byHand(void) {
  const int Gtid = __kmpc_global_thread_num(NULL), WithPriority = 32;
  for (int I = 0; I < 2 * Count; ++I) {
    Task *New = __kmpc_omp_task_alloc(NULL, Gtid, WithPriority, sizeof(Task), 0,
                                      I % 2 ? two : one);
    New->Priority = 1;
    __kmpc_omp_task(NULL, Gtid, New);
  }
}

int main(int Arguments, char **Argument) {
  (void)Argument;
#pragma omp parallel
#pragma omp single
  if (Arguments > 1)
    byHand();
  else
    byCompiler();
  CHECK_EQUAL(Ran, 3 * Count, "parts");
  return 0;
}
