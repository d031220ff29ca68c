// 10,000 unrelated strict tasks of one thread, each waiting for a child on
// another: they start on top of each other only as far as the stack allows,
// and all end. So do 1,000 each of two threads that wait for each other.
//
// RUN: %build
// RUN: %run-each --env OMP_STACKSIZE=512k --threads 3,8 --policies active,noblock %t

#include "check.h"

/// Touches a frame of some size, as real tasks do.
static void useStack(void) {
  volatile char Frame[1024];
  Frame[0] = Frame[sizeof(Frame) - 1] = 1;
  (void)Frame;
}

static void waiters(int Count, int Home, int Away, int Group, int *Ran) {
  for (int I = 0; I < Count; ++I) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Home, 1);
#pragma omp task
    {
      CHECK_EQUAL(omp_get_thread_num(), Home, "a waiting task");
      useStack();
      if (Group) {
#pragma omp taskgroup
        {
          omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Away, 1);
#pragma omp task
          add(Ran, 1);
        }
      } else {
        omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Away, 1);
#pragma omp task
        add(Ran, 1);
#pragma omp taskwait
      }
      CHECK_EQUAL(omp_get_thread_num(), Home, "after the wait");
    }
  }
}

/// Workers, as their stack is the small one.
static void test(int Count, int Group, int Mutual) {
  int Ran = 0;
#pragma omp parallel
  {
    int Last = omp_get_num_threads() - 1;
#pragma omp single
    {
      waiters(Count, Last, Last - 1, Group, &Ran);
      if (Mutual)
        waiters(Count, Last - 1, Last, Group, &Ran);
    }
  }
  CHECK_EQUAL(Ran, Count * (1 + Mutual), "children");
}

int main(void) {
  test(10000, 0, 0);
  test(1000, 1, 0);
  test(1000, 0, 1);
  test(1000, 1, 1);
  return 0;
}
