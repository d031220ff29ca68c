// RUN: %clangxx -fopenmp -O0 %s -o %t && %t | FileCheck %s
// RUN: %clangxx -fopenmp -O2 %s -o %t && %t | FileCheck %s

// An iterator over an empty range has no iterations, whichever way the range
// runs and whatever its type is: the stack array of locators or dependences had
// a huge size.

#include <cstdio>

static int Locators = -1, Bodies, Failures, Checked;

// In place of the runtime's: it sees how many locators there are.
extern "C" int __kmpc_omp_reg_task_with_affinity(void *, int, void *, int Count,
                                                 void *) {
  Locators = Count;
  return 0;
}

static void check(const char *What, int Line, int Expected) {
  ++Checked;
  if (Locators == Expected)
    return;
  ++Failures;
  std::printf("%s (line %d): %d locators, not %d\n", What, Line, Locators,
              Expected);
}

#define CHECK_LOCATORS(EXPECTED, CLAUSES)                                      \
  do {                                                                         \
    Locators = -1;                                                             \
    _Pragma(#CLAUSES) ++Bodies;                                                \
    check(#CLAUSES, __LINE__, EXPECTED);                                       \
  } while (0)

static void ranges(int Zero, int Five, int Minus, unsigned UZero, unsigned UFive,
                   unsigned char Byte, unsigned long LFive, char *P) {
  char A[16];
  CHECK_LOCATORS(5, omp task if(0) affinity(iterator(i = 0 : Five) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = 0 : Zero) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = 0 : Minus) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = 5 : 0) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = Five : Zero : 2) : A[i]));
  CHECK_LOCATORS(3, omp task if(0) affinity(iterator(i = Zero : Five : 2) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = Zero : Five : Minus) : A[i]));
  CHECK_LOCATORS(5, omp task if(0) affinity(iterator(i = Five : Zero : Minus) : A[i]));
  // Unsigned.
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(unsigned i = UFive : UZero) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(unsigned i = 5 : 0 : 3) : A[i]));
  CHECK_LOCATORS(2, omp task if(0) affinity(iterator(unsigned i = UZero : UFive : 3) : A[i]));
  CHECK_LOCATORS(3, omp task if(0) affinity(iterator(unsigned i = UFive : UZero : -2) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(unsigned i = UZero : UFive : -2) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = Five : Zero : UFive) : A[i]));
  CHECK_LOCATORS(1, omp task if(0) affinity(iterator(i = Zero : Five : UFive) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(unsigned char i = Byte : 1) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(unsigned long i = LFive : 0 : LFive) : A[i]));
  CHECK_LOCATORS(5, omp task if(0) affinity(iterator(unsigned long i = 0 : LFive) : A[i]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(unsigned long i = LFive : 0) : A[i]));
  // Pointers.
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(char *p = P + 4 : P) : *p));
  CHECK_LOCATORS(4, omp task if(0) affinity(iterator(char *p = P : P + 4) : *p));
  // Several, of which one is empty; a list beside it.
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = 0 : Minus, j = 0 : Minus) : A[i + j]));
  CHECK_LOCATORS(0, omp task if(0) affinity(iterator(i = 0 : Five, j = Five : 0) : A[i + j]));
  CHECK_LOCATORS(3, omp task if(0) affinity(iterator(i = 0 : Minus) : A[i]) affinity(iterator(j = 0 : 2) : A[j]) affinity(A));
  // Dependences share the iterators.
  CHECK_LOCATORS(-1, omp task if(0) depend(iterator(i = 0 : Minus), in : A[i]));
  CHECK_LOCATORS(-1, omp task depend(iterator(unsigned i = UFive : UZero : 2), out : A[i]));
  CHECK_LOCATORS(-1, omp task depend(iterator(i = Five : Zero), out : A[i]) depend(in : Five));
#pragma omp taskwait
}

int main() {
  static char Buffer[8];
  // Twice: the second time in a region, where the last tasks are deferred.
  ranges(0, 5, -1, 0, 5, 5, 5, Buffer);
#pragma omp parallel
#pragma omp single
  ranges(0, 5, -1, 0, 5, 5, 5, Buffer);
  // CHECK: 54 tasks, 54 checks, 0 failures
  std::printf("%d tasks, %d checks, %d failures\n", Bodies, Checked, Failures);
  return Failures != 0;
}
