// RUN: %clang -fopenmp -O0 -w -DNESTED %s -o %t && %t
// RUN: %clang -fopenmp -O2 -w -DNESTED %s -o %t && %t
// RUN: %clang -fopenmp -O2 -w -fnoopenmp-use-tls %s -o %t && %t

// copyin on taskloops combined with a parallel region had no effect. Its tasks
// use the copy of the thread that runs them.

#include <omp.h>
#include <stdio.h>

extern int x;
#pragma omp threadprivate(x)
int x = 4;
static double y[3];
#pragma omp threadprivate(y)

static int failures;
static void expect(int good, int line) {
  if (good)
    return;
  printf("line %d\n", line);
#pragma omp atomic
  failures++;
}

#define TEST(...)                                                              \
  do {                                                                         \
    ++x;                                                                       \
    y[1] = x;                                                                  \
    int value = x;                                                             \
    TEST_(omp __VA_ARGS__ num_threads(4) copyin(x, y))                         \
    for (int i = 0; i < 40; ++i)                                               \
      expect(x == value && y[1] == value, __LINE__);                           \
    _Pragma("omp parallel num_threads(4)")                                     \
    expect(x == value && y[1] == value, __LINE__);                             \
    _Pragma("omp parallel num_threads(4)") x = y[1] = -omp_get_thread_num();   \
    x = value;                                                                 \
  } while (0)
#define TEST_(...) _Pragma(#__VA_ARGS__)

// The address of x in a task is that of the thread.
static void addresses(void) {
  int *of[4];
#pragma omp parallel num_threads(4)
  of[omp_get_thread_num()] = &x;
#pragma omp parallel master taskloop copyin(x) num_threads(4) grainsize(1)
  for (int i = 0; i < 40; ++i)
    expect(&x == of[omp_get_thread_num()], __LINE__);
}

static void nested(void) {
  int value = ++x;
#pragma omp parallel num_threads(2)
  {
    x = value + omp_get_thread_num();
    int mine = x;
#pragma omp parallel masked taskloop copyin(x) num_threads(2)
    for (int i = 0; i < 10; ++i)
      expect(x == mine, __LINE__);
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 20; ++round) {
    TEST(parallel master taskloop);
    TEST(parallel masked taskloop);
    TEST(parallel master taskloop simd);
    TEST(parallel masked taskloop simd);
    TEST(parallel master taskloop collapse(1) grainsize(2));
    TEST(parallel masked taskloop nogroup);
    TEST(parallel for);
    addresses();
#ifdef NESTED // without TLS, Clang copies from the initial thread
    nested();
#endif
  }
  return failures != 0;
}
