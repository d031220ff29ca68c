// RUN: %clang_cc1 -verify -fopenmp -Wall -Wextra -Wconditional-uninitialized %s
// RUN: %clang_cc1 -verify -fopenmp -Wall -Wextra -Wconditional-uninitialized -x c++ %s
// RUN: %clang_cc1 -verify -fopenmp-simd -Wall -Wextra -Wconditional-uninitialized %s

// The clause reads its expressions, but of a variable that 'data' names it takes
// the address only.

void body(void);

void address_only(void) {
  int x;
#pragma omp task affinity(data: x)
  body();
  int y;
#pragma omp task affinity(data: (y), strict)
  body();
  y = 3;
#pragma omp task affinity(data: y, 1)
  body();
  // The standard clause has always been like that.
  int z;
#pragma omp task affinity(z)
  body();
  struct S { int member, array[4]; } s;
#pragma omp task affinity(data: s)
  body();
#pragma omp task affinity(data: s.array[0:2])
  body();
}

int still_uninitialized(void) {
  int x;          // expected-note {{initialize the variable 'x' to silence this warning}}
#pragma omp task affinity(data: x)
  body();
  return x;       // expected-warning {{variable 'x' is uninitialized when used here}}
}

void value_read(void) {
  int n;          // expected-note {{initialize the variable 'n' to silence this warning}}
#pragma omp task affinity(node: n) // expected-warning {{variable 'n' is uninitialized when used here}}
  body();
  int *p;         // expected-note {{initialize the variable 'p' to silence this warning}}
#pragma omp task affinity(data: p) // expected-warning {{variable 'p' is uninitialized when used here}}
  body();
  int *q;         // expected-note {{initialize the variable 'q' to silence this warning}}
#pragma omp task affinity(data: *q) // expected-warning {{variable 'q' is uninitialized when used here}}
  body();
  int *section;   // expected-note {{initialize the variable 'section' to silence this warning}}
#pragma omp task affinity(data: section[0:4]) // expected-warning {{variable 'section' is uninitialized when used here}}
  body();
  int index, a[4]; // expected-note {{initialize the variable 'index' to silence this warning}}
#pragma omp task affinity(data: a[index]) // expected-warning {{variable 'index' is uninitialized when used here}}
  body();
  int x, flag;    // expected-note {{initialize the variable 'flag' to silence this warning}}
#pragma omp task affinity(data: x, flag) // expected-warning {{variable 'flag' is uninitialized when used here}}
  body();
}

// A variable that only the clause uses is used.
void used(int parameter) {
  int n = 1, strict = 0, x = 2;
  n = 3;
#pragma omp task affinity(node: n, (strict))
  body();
#pragma omp task affinity(data: x)
  body();
#pragma omp task affinity(thread: parameter)
  body();
}
