// RUN: %clang -fopenmp -O0 -w %s -o %t && %t
// RUN: %clang -fopenmp -O2 -w %s -o %t && %t
// RUN: %clang -fopenmp -O2 -w -DTASK=untied %s -o %t && %t
// RUN: %clang -fopenmp -O0 -w -DTASK=untied %s -o %t && %t
// RUN: %clang -fopenmp-simd -O2 -w %s -o %t && %t

// Types of variable size in tasks. What a cast, sizeof, typeof, va_arg or a
// pointer's declaration needs for its sizes was not captured, and an untied
// task with such a variable crashed the compiler.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifndef TASK
#define TASK
#endif
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define TASK_(...) PRAGMA(omp task __VA_ARGS__)
#define TASKS(...) TASK_(TASK __VA_ARGS__)

static int failures;
static void expect(long is, long wanted, int line) {
  if (is == wanted)
    return;
  printf("line %d: %ld, not %ld\n", line, is, wanted);
  failures++;
}
static int twice(int n) { return 2 * n; }

static void casts(int n, int k, int *m) {
  TASKS()
  {
    ((int(*)[n])m)[1][2] = 5;
#pragma omp taskyield
    expect(sizeof(*(int(*)[n][k])m), sizeof(int) * n * k, __LINE__);
    expect(sizeof(int[n + 1][twice(k)]), sizeof(int) * (n + 1) * 2 * k,
           __LINE__);
  }
#pragma omp taskwait
  expect(m[n + 2], 5, __LINE__);
  TASKS(firstprivate(k) shared(n))
  ((int(*)[n][k])m)[1][0][1] = 6;
#pragma omp taskwait
  expect(m[n * k + 1], 6, __LINE__);
  TASKS(firstprivate(k))
  {
    k = 2;
    ((int(*)[k])m)[2][1] = 7;
  }
#pragma omp taskwait
  expect(m[5], 7, __LINE__);
#pragma omp taskloop
  for (int i = 0; i < 4; ++i)
    ((int(*)[n])m)[i][0] = i;
  expect(m[3 * n], 3, __LINE__);
#pragma omp taskloop collapse(2) firstprivate(k)
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      ((int(*)[n][k])m)[i][j][1] = i + j;
  expect(m[n * k + k + 1], 2, __LINE__);
  TASKS()
  {
    TASKS()
    {
      TASKS()
      ((int(*)[twice(n)])m)[1][1] = 8;
#pragma omp taskwait
    }
#pragma omp taskwait
  }
#pragma omp taskwait
  expect(m[2 * n + 1], 8, __LINE__);
}

static void declared(int n, int *m) {
  typedef int Row[n];
  int(*rows)[n] = (int(*)[n])m;
  n += 100; // the types keep their size
  TASKS()
  {
    Row *r = (Row *)m;
    r[1][0] = 1;
    __typeof__(rows) q = (__typeof__(rows))m;
    q[2][0] = 2;
    expect(sizeof *q + sizeof(Row), 2 * sizeof(Row), __LINE__);
  }
#pragma omp taskwait
  n -= 100;
  expect(m[n] * 10 + m[2 * n], 12, __LINE__);
}

static void inside(int n, int *m) {
  TASKS()
  {
    int a[n];
    struct {
      char c[3];
    } s[n][2];
    typedef int Row[n + 1];
    memset(a, 0, sizeof a);
    a[n - 1] = 4;
#pragma omp taskyield
    TASKS(shared(a))
    a[0] = 3;
#pragma omp taskwait
    Row *r = (Row *)m;
    r[1][1] = a[0] + a[n - 1] + sizeof s;
  }
#pragma omp taskwait
  expect(m[n + 2], 7 + 6 * n, __LINE__);
  TASKS(firstprivate(n))
  for (int i = 0; i < n; ++i) {
    int(*q)[n] = (int(*)[n])m;
    TASKS(depend(inout : q[i]))
    q[i][0] = i;
#pragma omp taskwait
  }
#pragma omp taskwait
  expect(m[(n - 1) * n], n - 1, __LINE__);
  for (int i = 1; i < 4; ++i) {
    TASKS(firstprivate(i))
    {
      int size = i;
      for (int k = 0; k < 3; ++k) {
        int b[size][k + 1];
        b[size - 1][k] = k;
#pragma omp taskyield
        expect(sizeof b / sizeof(int), i * (k + 1), __LINE__);
        expect(b[size - 1][k], k, __LINE__);
      }
    }
  }
#pragma omp taskwait
}

static void arguments(int n, int *m, ...) {
  va_list list;
  va_start(list, m);
  va_list *all = &list;
  TASKS()
  {
    (*va_arg(*all, int(*)[n]))[1] = 9;
    int(**rows)[n] = (int(*[2])[n]){(int(*)[n])m, (int(*)[n])(m + n)};
    rows[1][0][2] = 10;
  }
#pragma omp taskwait
  va_end(list);
  expect(m[1] + m[n + 2], 19, __LINE__);
}

int main(void) {
  static int m[1000];
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    casts(7, 3, m);
    declared(5, m);
    inside(6, m);
    arguments(4, m, m);
  }
  return failures != 0;
}
