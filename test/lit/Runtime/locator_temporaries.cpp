// RUN: %clangxx -fopenmp -O0 %s -o %t && %t | FileCheck %s
// RUN: %clangxx -fopenmp -O2 %s -o %t && %t | FileCheck %s

// Each temporary of a locator is destroyed once. Those in an iterator were not
// destroyed but for one, which without values of the iterator did not exist.

#include <cstdio>
#include <omp.h>
#include <set>

static std::set<const void *> Alive;
static int Made, Wrong, Failures, Checked;
static char Cells[16];
static omp_depend_t Objects[16];

struct Temporary {
  int I;
  explicit Temporary(int I) : I(I) {
    ++Made;
    Wrong += !Alive.insert(this).second;
  }
  ~Temporary() { Wrong += Alive.erase(this) == 0; }
  char &cell() const { return Cells[I]; }
  omp_depend_t &object() const { return Objects[I]; }
};

static void check(const char *What, int Line, int Expected) {
  ++Checked;
  if (Made != Expected || Wrong || !Alive.empty()) {
    ++Failures;
    std::printf("%s (line %d): %d made, not %d; %d wrong, %zu left\n", What,
                Line, Made, Expected, Wrong, Alive.size());
  }
  Made = Wrong = 0;
  Alive.clear();
}

#define CHECK_MADE(EXPECTED, CLAUSES)                                          \
  do {                                                                         \
    {                                                                          \
      _Pragma(#CLAUSES);                                                       \
    }                                                                          \
    check(#CLAUSES, __LINE__, EXPECTED);                                       \
  } while (0)

static void tasks(int N) {
  CHECK_MADE(N, omp task depend(iterator(k = 0 : N), in : Temporary(k).cell()));
  CHECK_MADE(2 * N, omp task depend(iterator(k = 0 : N), out : Temporary(k).cell(), Temporary(k + 1).cell()));
  CHECK_MADE(N * N, omp task depend(iterator(k = 0 : N, j = 0 : N), in : Temporary(k).cell()));
  CHECK_MADE(N + 1, omp task depend(iterator(k = 0 : N), in : Temporary(k).cell()) depend(in : Temporary(9).cell()));
  CHECK_MADE(N, omp task affinity(iterator(k = 0 : N) : Temporary(k).cell()));
  CHECK_MADE(N + 1, omp task affinity(Temporary(9).cell()) affinity(iterator(k = 0 : N) : Temporary(k).cell()));
  // The size of the object is asked for first.
  CHECK_MADE(2 * N, omp task depend(iterator(k = 0 : N), depobj : Temporary(k).object()));
  CHECK_MADE(2, omp task depend(depobj : Temporary(3).object()));
  CHECK_MADE(N, omp task depend(iterator(k = 0 : N), in : (k % 2 ? Temporary(k) : Temporary(k + 1)).cell()));
}

int main() {
  for (int I = 0; I < 16; ++I) {
#pragma omp depobj(Objects[I]) depend(in : Cells[I])
  }
  for (int N = 0; N < 4; ++N)
    tasks(N);
  // CHECK: 36 checks, 0 failures
  std::printf("%d checks, %d failures\n", Checked, Failures);
  return Failures != 0;
}
