// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 -triple x86_64-unknown-linux-gnu -x c++ %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 100 -triple x86_64-unknown-linux-gnu %s

// Bad clauses of loops. The clause is looked at in the body of the loop, and
// diagnosed where it stands.

void body(int);

void clauses(int n, double *a) {
#pragma omp taskloop affinity(data: a[k]) // expected-error {{use of undeclared identifier 'k'}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(node: i // expected-error {{expected ')'}} expected-note {{to match this '('}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity // expected-error {{expected '(' after 'affinity'}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity) grainsize(2) // expected-warning {{extra tokens at the end of '#pragma omp taskloop' are ignored}} expected-error {{expected '(' after 'affinity'}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity() // expected-error {{expected expression}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(node:) // expected-error {{expected expression}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(node: i, i, 2) // expected-error {{placement kind 'node' takes one expression and its strictness, not a list}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(node: -1) // expected-error {{argument to 'affinity' clause must be a non-negative integer value}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(thread: a) // expected-error {{expression must have integral or unscoped enumeration type, not 'double *'}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(data: i + 1) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(a[i], node: i) // expected-error {{placement kind 'node' cannot stand behind a locator in the same 'affinity' clause}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(node: i) affinity(thread: 2) // expected-error {{directive '#pragma omp taskloop' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}} expected-note {{'affinity' clause is specified here}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp parallel masked taskloop simd affinity(node: i) affinity(thread: 2) // expected-error {{directive '#pragma omp parallel masked taskloop simd' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}} expected-note {{'affinity' clause is specified here}}
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(iterator(k = 0:j) : a[k]) // expected-error {{use of undeclared identifier 'j'}} expected-error {{expected expression}}
  for (int i = 0; i < n; ++i) body(i);
}

// Only variables of associated loops.
void loops(int n, double *a) {
#pragma omp taskloop affinity(node: j) // expected-error {{use of undeclared identifier 'j'}}
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) body(i);
#pragma omp taskloop affinity(node: local) // expected-error {{use of undeclared identifier 'local'}}
  for (int i = 0; i < n; ++i) {
    int local = i;
    body(local);
  }
#pragma omp taskloop collapse(2) affinity(node: i) // expected-note {{as specified in 'collapse' clause}} expected-error {{use of undeclared identifier 'i'}}
  for (int i = 0; i < n; ++i)
    body(i); // expected-error {{expected 2 for loops after '#pragma omp taskloop', but found only 1}}
#pragma omp taskloop affinity(node: n)
  body(n); // expected-error {{statement after '#pragma omp taskloop' must be a for loop}}
#pragma omp taskloop affinity(node: i) // expected-error {{use of undeclared identifier 'i'}}
  while (n) // expected-error {{statement after '#pragma omp taskloop' must be a for loop}}
    body(n);
  // The loops that a transformation makes have no names.
#pragma omp taskloop affinity(node: n)
#pragma omp tile sizes(4)
  for (int i = 0; i < n; ++i) body(i);
#pragma omp taskloop affinity(node: i) // expected-error {{use of undeclared identifier 'i'}}
#pragma omp tile sizes(4)
  for (int i = 0; i < n; ++i) body(i);
  // A statement that cannot be parsed is enough of a message.
#pragma omp taskloop affinity(node: i)
  for (int i = 0; i < n; ++i) {
    body(i) // expected-error {{expected ';' after expression}}
  }
#pragma omp taskloop affinity(node: i)
  for (int i = 0 i < n; ++i) // expected-error {{expected ';' in 'for' statement specifier}}
    body(i);
#pragma omp taskloop affinity(node: i)
  for ; // expected-error {{expected '(' after 'for'}}
}

// Where the standard does not have it.
#pragma omp task_iteration affinity(node: 3) // expected-error {{expected an OpenMP directive}}
void others(int n, double *a) {
#pragma omp for affinity(data: a[i]) // expected-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp for'}} expected-error {{use of undeclared identifier 'i'}}
  for (int i = 0; i < n; ++i) body(i);
}
