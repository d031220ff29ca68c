// RUN: %clang_cc1 -verify=expected,c99 -fopenmp -ferror-limit 200 -std=c99 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify=expected,c23 -fopenmp -ferror-limit 200 -std=c23 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify=expected,c99 -fopenmp-simd -ferror-limit 200 -std=c99 -triple x86_64-unknown-linux-gnu %s

void foo(void);
struct Incomplete;                // expected-note {{forward declaration of 'struct Incomplete'}}
extern struct Incomplete Unknown;
extern int Unbounded[];
struct Bits {
  int field : 3;
  int array[2];
};
struct Bits result(void);
enum E { Zero, Minus = -1 };

void integers(int n, double d, void *v, struct Bits b, enum E e, _Bool f) {
  int a[4];
#pragma omp task affinity(node:) // expected-error {{expected expression}}
  foo();
#pragma omp task affinity(node: n // expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node: n,) // expected-error {{expected expression}}
  foo();
#pragma omp task affinity(node: n, strict, 1) // expected-error {{placement kind 'node' takes one expression and its strictness, not a list}}
  foo();
#pragma omp task affinity(node n) // expected-error {{expected ':' after 'node'}}
  foo();
#pragma omp task affinity(node: n strict) // expected-error {{expected ','}}
  foo();
#pragma omp task affinity(n, node: n) // expected-error {{placement kind 'node' cannot stand behind a locator in the same 'affinity' clause}}
  foo();
#pragma omp task affinity(iterator(i = 0:4), node: i) // expected-error {{placement kind 'node' cannot stand with an iterator in the same 'affinity' clause}}
  foo();
#pragma omp task affinity(node:: n) // expected-error {{use of undeclared identifier 'node'}}
  foo();
#pragma omp task affinity(in: n) // expected-error {{use of undeclared identifier 'in'}}
  foo();
#pragma omp task affinity(thread: d) // expected-error {{expression must have integral or unscoped enumeration type, not 'double'}}
  foo();
#pragma omp task affinity(thread: v) // expected-error {{expression must have integral or unscoped enumeration type, not 'void *'}}
  foo();
#pragma omp task affinity(thread: b) // expected-error {{expression must have integral or unscoped enumeration type, not 'struct Bits'}}
  foo();
#pragma omp task affinity(thread: a[0:2]) // expected-error {{OpenMP array section is not allowed here}}
  foo();
#pragma omp task affinity(thread: -1) // expected-error {{argument to 'affinity' clause must be a non-negative integer value}}
  foo();
#pragma omp task affinity(thread: Minus) // expected-error {{argument to 'affinity' clause must be a non-negative integer value}}
  foo();
#pragma omp task affinity(thread: n, d) // expected-error {{expression must have integral or unscoped enumeration type, not 'double'}}
  foo();
#pragma omp task affinity(thread: n) affinity(data: v) // expected-error {{directive '#pragma omp task' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}} expected-note {{'affinity' clause is specified here}}
  foo();
#pragma omp task affinity(thread: e, f)
  foo();
#pragma omp task affinity(thread: b.field, Minus)
  foo();
}

void memory(int n, void *v, struct Bits b, struct Incomplete *i) {
  register int reg = 0;
  typedef float V __attribute__((vector_size(16)));
  V vector;
#pragma omp task affinity(data: 1) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: n = 1) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: result()) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: result().array) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: *v) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}} c99-warning {{ISO C does not allow indirection on operand of type 'void *'}} c23-warning {{ISO C does not allow indirection on operand of type 'void *'}}
  foo();
#pragma omp task affinity(data: b.field) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: foo()) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: vector[1]) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: (int){1}, (struct Bits){0}.field)
  foo();
#pragma omp task affinity(data: reg) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: foo) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: Unknown) // expected-error {{expression has incomplete class type 'struct Incomplete'}}
  foo();
#pragma omp task affinity(data: v)
  foo();
#pragma omp task affinity(data: i)
  foo();
#pragma omp task affinity(data: (void *)0)
  foo();
#pragma omp task affinity(data: Unbounded)
  foo();
#pragma omp task affinity(data: (int[]){1, 2, 3})
  foo();
#pragma omp task affinity(data: b.array[0:2], strict)
  foo();
}
