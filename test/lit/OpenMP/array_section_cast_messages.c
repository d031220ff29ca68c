// RUN: %clang_cc1 -verify -fopenmp %s
// RUN: %clang_cc1 -verify -fopenmp -x c++ %s

// The operand of a cast, as the base of an array section: this was a crash in C.

struct S { int i; };
void body(void);

void test(int n, int *p) {
#pragma omp task affinity((struct S *)(n)[0:4]) // expected-error {{subscripted value is not an array or pointer}}
  body();
#pragma omp task affinity((struct S *)(n)[:n]) // expected-error {{subscripted value is not an array or pointer}}
  body();
#pragma omp task depend(in: (struct S *)(n)[0:4]) // expected-error {{subscripted value is not an array or pointer}}
  body();
#pragma omp task affinity(((struct S *)(p))[0:4])
  body();
}
