// RUN: %clangxx -fopenmp -O0 %s -o %t && env OMP_NUM_THREADS=3 %t
// RUN: %clangxx -fopenmp -O2 %s -o %t && env OMP_NUM_THREADS=3 %t

// Elements and sections of members in in_reduction clauses below a directive
// that names the same member: the compiler crashed.

#include <stdio.h>

enum { Tasks = 20 };
static int Wrong;

static void check(const char *Form, long Is) {
  if (Is == Tasks)
    return;
  printf("%s: %ld\n", Form, Is);
  Wrong = 1;
}

struct Base {
  long Inherited[3] = {};
};

template <typename T> struct Sums : Base {
  T Array[4] = {};
  T *Pointer = Array;
  T Number = 0;

  void element() {
#pragma omp taskgroup task_reduction(+ : Array[1])
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task in_reduction(+ : Array[1])
      Array[1] += 1;
    }
    check("element", Array[1]);
  }
  void section() {
#pragma omp taskgroup task_reduction(+ : this->Array[2 : 2])
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task in_reduction(+ : Array[2 : 2]) untied
      {
        Array[2] += 1;
#pragma omp taskyield
        Array[3] += 1;
      }
    }
    check("section", Array[2] + Array[3] - Tasks);
  }
  void pointer() {
    Pointer[0] = 0;
#pragma omp taskgroup task_reduction(+ : Pointer[0])
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task in_reduction(+ : Pointer[0])
      Pointer[0] += 1;
    }
    check("pointer", Pointer[0]);
  }
  void whole() {
#pragma omp taskgroup task_reduction(+ : Number)
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task in_reduction(+ : Number)
      Number += 1;
    }
    check("whole", Number);
  }
  void inherited() {
#pragma omp taskgroup task_reduction(+ : Inherited[2])
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task in_reduction(+ : Inherited[2])
      Inherited[2] += 1;
    }
    check("inherited", Inherited[2]);
  }
  void below() {
    Array[1] = 0;
#pragma omp taskgroup task_reduction(+ : Array[1])
    for (int I = 0; I < Tasks; I += 2) {
#pragma omp task in_reduction(+ : Array[1])
      {
#pragma omp task in_reduction(+ : Array[1])
        Array[1] += 1;
        Array[1] += 1;
#pragma omp taskwait
      }
    }
    check("below", Array[1]);
  }
  void loop() {
    Array[1] = 0;
#pragma omp taskgroup task_reduction(+ : Array[1])
#pragma omp taskloop in_reduction(+ : Array[1]) nogroup num_tasks(7)
    for (int I = 0; I < Tasks; ++I)
      Array[1] += 1;
    check("loop", Array[1]);
  }
  void parallel() {
    Array[1] = 0;
#pragma omp parallel reduction(task, + : Array[1])
#pragma omp single
    for (int I = 0; I < Tasks; ++I) {
#pragma omp task in_reduction(+ : Array[1])
      Array[1] += 1;
    }
    check("parallel", Array[1]);
  }
};

template <typename T> static void all() {
  Sums<T> S;
#pragma omp parallel
#pragma omp single
  {
    S.element();
    S.section();
    S.pointer();
    S.whole();
    S.inherited();
    S.below();
    S.loop();
  }
  S.parallel();
}

int main() {
  all<int>();
  all<double>();
  return Wrong;
}
