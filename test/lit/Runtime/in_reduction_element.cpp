// RUN: %clangxx -fopenmp -O0 %s -o %t && env OMP_NUM_THREADS=3 %t
// RUN: %clangxx -fopenmp -O2 %s -o %t && env OMP_NUM_THREADS=3 %t

// Elements and sections in in_reduction clauses, whatever the base is: a
// parameter, an array, a reference, global, captured by a lambda.

#include <stdio.h>

enum { Tasks = 100 };
static int Wrong;
static double Global[4];

static void check(const char *Form, const double *Values, int Count) {
  for (int I = 0; I < Count; ++I)
    if (Values[I] != Tasks) {
      printf("%s: element %d is %g\n", Form, I, Values[I]);
      Wrong = 1;
    }
}

static void element(double *A) {
#pragma omp task in_reduction(+ : A[0])
  A[0] += 1;
}
static void section(double *A, int N) {
#pragma omp task in_reduction(+ : A[0 : N])
  for (int I = 0; I < N; ++I)
    A[I] += 1;
}
static void behind(double *A, int N) {
#pragma omp task in_reduction(+ : A[1 : N])
  for (int I = 1; I <= N; ++I)
    A[I] += 1;
}
static void array(double (&A)[3]) {
#pragma omp task in_reduction(+ : A[0 : 3]) untied
  {
    A[0] += 1;
#pragma omp taskyield
    A[1] += 1, A[2] += 1;
  }
}
static void global() {
#pragma omp task in_reduction(+ : Global[1])
  Global[1] += 1;
}
template <typename T> static void generic(T *A) {
#pragma omp task in_reduction(+ : A[0 : 2])
  {
    A[0] += 1;
    A[1] += 1;
  }
}
static void lambda(double *A) {
  auto Add = [=] {
#pragma omp task in_reduction(+ : A[0])
    A[0] += 1;
  };
  Add();
}
static void nested(double *A) {
#pragma omp task in_reduction(+ : A[0])
  {
#pragma omp task in_reduction(+ : A[0])
    A[0] += 0.5;
    A[0] += 0.5;
#pragma omp taskwait
  }
}
static void loop(double *A) {
#pragma omp taskloop in_reduction(+ : A[0 : 2]) nogroup num_tasks(7)
  for (int I = 0; I < Tasks; ++I) {
    A[0] += 1;
    A[1] += 1;
  }
}

/// Calls \p Add in a taskgroup that sums up \p Count elements.
template <int Count, typename Action>
static void sum(const char *Form, int Calls, Action Add) {
  double V[Count] = {0};
#pragma omp taskgroup task_reduction(+ : V[0 : Count])
  for (int I = 0; I < Calls; ++I)
    Add(V);
  check(Form, V, Count);
}

int main() {
#pragma omp parallel
#pragma omp single
  {
    sum<1>("element", Tasks, [](double *V) { element(V); });
    sum<4>("section", Tasks, [](double *V) { section(V, 4); });
    sum<3>("array", Tasks, [](double (&V)[3]) { array(V); });
    sum<2>("template", Tasks, [](double *V) { generic(V); });
    sum<1>("lambda", Tasks, [](double *V) { lambda(V); });
    sum<1>("nested", Tasks, [](double *V) { nested(V); });
    sum<2>("taskloop", 1, [](double *V) { loop(V); });

    double V[4] = {Tasks, 0, 0, 0};
#pragma omp taskgroup task_reduction(+ : V[1 : 3])
    for (int I = 0; I < Tasks; ++I)
      behind(V, 3);
    check("behind", V, 4);

    Global[0] = Global[2] = Global[3] = Tasks;
#pragma omp taskgroup task_reduction(+ : Global[1])
    for (int I = 0; I < Tasks; ++I)
      global();
    check("global", Global, 4);
  }
  return Wrong;
}
