// RUN: %clangxx -fopenmp -O0 %s -o %t.O0 && env OMP_NUM_THREADS=4 %t.O0 | FileCheck %s
// RUN: %clangxx -fopenmp -O2 %s -o %t.O2 && env OMP_NUM_THREADS=4 %t.O2 | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t.O2 | FileCheck %s

// The side effects of a placement happen once for each task, those of its
// strictness as well, whatever becomes of the task.

#include <atomic>
#include <cstdio>

static std::atomic<int> Exprs, Stricts, Bodies;
static int Failures, Checked;
static int Array[8];

static int place(int N) { ++Exprs; return N; }
static int *memory() { ++Exprs; return Array; }
static int strict(int S) { ++Stricts; return S; }
static void body() { ++Bodies; }

static void check(const char *What, int Line, int Tasks, int Ran, int PerTask) {
  ++Checked;
  if (Exprs == Tasks * PerTask && Stricts == Tasks && Bodies == Ran)
    return;
  ++Failures;
  std::printf("%s (line %d): %d tasks of which %d run, but %d expressions, "
              "%d strictnesses, %d bodies\n",
              What, Line, Tasks, Ran, Exprs.load(), Stricts.load(),
              Bodies.load());
}

// Runs TEXT, which creates TASKS tasks with PER_TASK side effects in each
// placement. All of them run.
#define CHECK_TASKS(TASKS, PER_TASK, ...)                                      \
  do {                                                                         \
    Exprs = Stricts = Bodies = 0;                                              \
    __VA_ARGS__                                                                \
    _Pragma("omp taskwait")                                                    \
    check(#__VA_ARGS__, __LINE__, TASKS, TASKS, PER_TASK);                     \
  } while (0)
#define TASK(CLAUSES) _Pragma(#CLAUSES) body();

static void constructs(int Yes, int No) {
  int X = 0;
  // Deferred, undeferred, included, merged.
  CHECK_TASKS(1, 1, TASK(omp task affinity(node: place(0), strict(0))));
  CHECK_TASKS(1, 1, TASK(omp task affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task affinity(thread: place(7), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task if(0) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task if(1) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task if(Yes) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task if(No) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task final(1) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task final(Yes) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task final(No) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task mergeable affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task mergeable if(No) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task mergeable final(Yes) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task untied affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task untied if(No) final(Yes) mergeable affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task priority(3) affinity(node: place(0), strict(1))));
  CHECK_TASKS(1, 1, TASK(omp task firstprivate(X) affinity(node: place(0), strict(1))));
  // With dependences, deferred or not.
  CHECK_TASKS(2, 1, TASK(omp task depend(out: X) affinity(node: place(0), strict(0)))
                    TASK(omp task depend(in: X) affinity(node: place(0), strict(1))));
  CHECK_TASKS(2, 1, TASK(omp task depend(out: X) affinity(node: place(0), strict(0)))
                    TASK(omp task depend(in: X) if(No) affinity(node: place(0), strict(1))));
  // A final task's children are included tasks.
  CHECK_TASKS(
      2, 1, _Pragma("omp task final(Yes) affinity(node: place(0), strict(1))") {
        body();
        TASK(omp task affinity(thread: place(1), strict(1)))
        _Pragma("omp taskwait")
      });
  // Nested, in a taskgroup, in a taskgroup with a reduction.
  CHECK_TASKS(
      2, 1, _Pragma("omp task untied affinity(node: place(0), strict(0))") {
        body();
        TASK(omp task untied affinity(node: place(0), strict(0)))
        _Pragma("omp taskwait")
      });
  CHECK_TASKS(1, 1, _Pragma("omp taskgroup") {
    TASK(omp task affinity(node: place(0), strict(1)))
  });
  CHECK_TASKS(1, 1, _Pragma("omp taskgroup task_reduction(+: X)") {
    TASK(omp task in_reduction(+: X) affinity(node: place(0), strict(1)))
  });
  // More than fit a queue: some run at once.
  CHECK_TASKS(3000, 1, for (int I = 0; I < 3000; ++I) {
    TASK(omp task affinity(node: place(I), strict(0)))
  });
  // Memory: pointers, elements, members, sections, shapings.
  CHECK_TASKS(1, 1, TASK(omp task affinity(data: memory(), strict(0))));
  CHECK_TASKS(1, 1, TASK(omp task affinity(data: *memory(), strict(0))));
  CHECK_TASKS(1, 2, TASK(omp task affinity(data: memory()[place(2)], strict(0))));
  CHECK_TASKS(1, 3, TASK(omp task affinity(data: memory()[place(1):place(2)], strict(0))));
  CHECK_TASKS(1, 3, TASK(omp task affinity(data: (memory())[place(1):place(2)], strict(0))));
  CHECK_TASKS(1, 3, TASK(omp task if(No) affinity(data: (memory() + 1)[place(1):place(2)], strict(0))));
  CHECK_TASKS(1, 2, TASK(omp task affinity(data: Array[place(1):place(2)], strict(0))));
  CHECK_TASKS(1, 3, TASK(omp task affinity(data: ([place(2)][place(3)])memory(), strict(0))));
  CHECK_TASKS(1, 1, TASK(omp task affinity(Array) affinity(data: memory(), strict(0)) affinity(X)));
}

// Tasks that cancellation discards have been placed before.
static void cancelled() {
  Exprs = Stricts = Bodies = 0;
#pragma omp taskgroup
  {
#pragma omp task affinity(node: place(0), strict(0))
    {
#pragma omp cancel taskgroup
    }
    for (int I = 0; I < 10; ++I) {
#pragma omp task affinity(node: place(0), strict(0))
      body();
    }
  }
  int Ran = Bodies;
  check("cancel", __LINE__, 11, Ran, 1);
}

// With OMP_CANCELLATION unset 'cancel' does nothing: all run.
int main() {
  constructs(1, 0);
#pragma omp parallel
#pragma omp single
  {
    constructs(1, 0);
    cancelled();
  }
#pragma omp parallel num_threads(1)
  constructs(1, 0);
  // CHECK: 100 checks, 0 failures
  std::printf("%d checks, %d failures\n", Checked, Failures);
  return Failures != 0;
}
