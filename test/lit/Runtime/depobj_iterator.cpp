// RUN: %clangxx -fopenmp -O0 %s -o %t && %t | FileCheck %s
// RUN: %clangxx -fopenmp -O2 %s -o %t && %t | FileCheck %s

// A task has the dependences of all depend objects that an iterator goes
// through, and none if that has no values: only those of the last one were
// counted, which overran an array on the stack, or a sum was not initialized.

#include <cstdio>
#include <cstdint>
#include <omp.h>

struct Dependence {
  intptr_t Address;
  size_t Len;
  unsigned char Flags;
};

static int Count, Failures, Checked;
static intptr_t Sum;

// In place of the runtime's: it sees what a task depends on that is not
// deferred.
extern "C" void __kmpc_omp_taskwait_deps_51(void *, int, int N, Dependence *D,
                                            int, void *, int) {
  Count = N;
  Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += D[I].Address;
}

static char M[16];

static void check(const char *What, int Expected, int Cells) {
  ++Checked;
  intptr_t Addresses = Cells + Expected * reinterpret_cast<intptr_t>(M);
  if (Count == Expected && Sum == Addresses)
    return;
  ++Failures;
  std::printf("%s: %d dependences, not %d\n", What, Count, Expected);
}

static void dirtyStack() {
  volatile char Stack[4096];
  for (volatile char &C : Stack)
    C = 0x55;
}

int main() {
  omp_depend_t One[8], Two[8];
  for (int I = 0; I < 8; ++I) {
#pragma omp depobj(One[I]) depend(in : M[I])
#pragma omp depobj(Two[I]) depend(iterator(k = 0 : 2), inout : M[I + k])
  }
  for (int N = 0; N < 8; ++N) {
    int Ones = N * (N - 1) / 2, Twos = N * N;
    dirtyStack();
#pragma omp task if (0) depend(iterator(k = 0 : N), depobj : One[k])
    ;
    check("one", N, Ones);
    dirtyStack();
#pragma omp task if (0) depend(iterator(k = 0 : N), depobj : One[k], Two[k])   \
    depend(in : M[0])
    ;
    check("two", 3 * N + 1, Ones + Twos);
    dirtyStack();
#pragma omp task if (0) depend(depobj : One[0]) depend(iterator(k = 0 : N), depobj : Two[k])
    ;
    check("beside another", 2 * N + 1, Twos);
  }
  // CHECK: 24 checks, 0 failures
  std::printf("%d checks, %d failures\n", Checked, Failures);
  return Failures != 0;
}
