// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 200 -std=c++17 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 200 -std=c++17 -triple x86_64-unknown-linux-gnu %s

void foo();
struct Incomplete;                // expected-note 2 {{forward declaration of 'Incomplete'}}
extern Incomplete Unknown;
Incomplete &unknown();
struct NoInt {};
struct ToInt {
  operator int() const;
};
struct ToIntExplicit {
  explicit operator int() const;  // expected-note {{conversion to integral type 'int' declared here}}
};
struct ToTwo {
  operator int() const;           // expected-note {{conversion to integral type 'int' declared here}}
  operator long() const;          // expected-note {{conversion to integral type 'long' declared here}}
};
struct Bits {                     // #Bits
  int field : 3;
  int member;
};
enum Unscoped { Zero };
enum class Scoped { One };
namespace ns {
int data;
}
struct data_t {
  static int member;
};

void syntax(int argc, char **argv, int n) {
  int node = 0, data[4], thread;   // #node
#pragma omp task affinity(node: // expected-error {{expected expression}} expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node:) // expected-error {{expected expression}}
  foo();
#pragma omp task affinity(node: n // expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node: n, // expected-error {{expected expression}} expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node: n,) // expected-error {{expected expression}}
  foo();
#pragma omp task affinity(node: n, strict // expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node: n, strict, n) // expected-error {{placement kind 'node' takes one expression and its strictness, not a list}}
  foo();
#pragma omp task affinity(node: n, 1, 2) // expected-error {{placement kind 'node' takes one expression and its strictness, not a list}}
  foo();
#pragma omp task affinity(data: argv, n, argv, n) // expected-error {{placement kind 'data' takes one expression and its strictness, not a list}}
  foo();
#pragma omp task affinity(node n) // expected-error {{expected ':' after 'node'}}
  foo();
#pragma omp task affinity(thread 1, strict) // expected-error {{expected ':' after 'thread'}}
  foo();
#pragma omp task affinity(data data[0:n]) // expected-error {{expected ':' after 'data'}}
  foo();
#pragma omp task affinity(node: n strict) // expected-error {{expected ','}}
  foo();
#pragma omp task affinity(node: n n) // expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node: strict) // expected-error {{use of undeclared identifier 'strict'}}
  foo();
#pragma omp task affinity(node: n, strictly) // expected-error {{use of undeclared identifier 'strictly'}}
  foo();
#pragma omp task affinity(node: n, strict + 1) // expected-error {{use of undeclared identifier 'strict'}}
  foo();
#pragma omp task affinity(node: n)) // expected-warning {{extra tokens at the end of '#pragma omp task' are ignored}}
  foo();
#pragma omp task affinity(node:: n) // expected-error {{'node' is not a class, namespace, or enumeration}} expected-note@#node {{'node' declared here}}
  foo();
#pragma omp task affinity(node: node: n) // expected-error {{expected ')'}} expected-note {{to match this '('}}
  foo();
#pragma omp task affinity(node: undeclared) // expected-error {{use of undeclared identifier 'undeclared'}}
  foo();
#pragma omp task affinity(in: argv[0]) // expected-error {{use of undeclared identifier 'in'}}
  foo();
#pragma omp task affinity(iterator(i = 0:4): node: i) // expected-error {{placement kind 'node' cannot stand with an iterator in the same 'affinity' clause}}
  foo();
#pragma omp task affinity(iterator(i = 0:4), data: argv[i]) // expected-error {{placement kind 'data' cannot stand with an iterator in the same 'affinity' clause}}
  foo();
#pragma omp task affinity(n, node: n) // expected-error {{placement kind 'node' cannot stand behind a locator in the same 'affinity' clause}}
  foo();
#pragma omp task affinity(n, argc, data: n, strict) // expected-error {{placement kind 'data' cannot stand behind a locator in the same 'affinity' clause}}
  foo();
  // These are locators.
#pragma omp task affinity(node)
  foo();
#pragma omp task affinity(data)
  foo();
#pragma omp task affinity(data[0:2], thread, ns::data, data_t::member)
  foo();
#pragma omp task affinity(data[n ? node : thread])
  foo();
#pragma omp task affinity(argc ? node : thread)
  foo();
  // A name in an expression is no kind.
#pragma omp task affinity(node: node)
  foo();
#pragma omp task affinity(data: data)
  foo();
#pragma omp task affinity(data: ns::data)
  foo();
#pragma omp task affinity(data: n ? &node : &thread, strict)
  foo();
#define KIND node
#define STRICT strict
#define PLACE node: 1, strict
#pragma omp task affinity(KIND: 1, STRICT)
  foo();
#pragma omp task affinity(PLACE)
  foo();
}

void integers(int n, double d, char *p, NoInt x, ToInt i, ToIntExplicit e, ToTwo t,
              Unscoped u, Scoped s, Bits b) {
  int a[4];
#pragma omp task affinity(thread: d) // expected-error {{expression must have integral or unscoped enumeration type, not 'double'}}
  foo();
#pragma omp task affinity(node: p) // expected-error {{expression must have integral or unscoped enumeration type, not 'char *'}}
  foo();
#pragma omp task affinity(node: "0") // expected-error {{expression must have integral or unscoped enumeration type, not 'const char[2]'}}
  foo();
#pragma omp task affinity(node: nullptr) // expected-error {{expression must have integral or unscoped enumeration type, not 'std::nullptr_t'}}
  foo();
#pragma omp task affinity(node: foo()) // expected-error {{expression must have integral or unscoped enumeration type, not 'void'}}
  foo();
#pragma omp task affinity(node: foo) // expected-error {{expression must have integral or unscoped enumeration type, not 'void ()'}}
  foo();
#pragma omp task affinity(node: a) // expected-error {{expression must have integral or unscoped enumeration type, not 'int[4]'}}
  foo();
#pragma omp task affinity(node: a[0:2]) // expected-error {{OpenMP array section is not allowed here}}
  foo();
#pragma omp task affinity(node: x) // expected-error {{expression must have integral or unscoped enumeration type, not 'NoInt'}}
  foo();
#pragma omp task affinity(node: e) // expected-error {{expression requires explicit conversion from 'ToIntExplicit' to 'int'}}
  foo();
#pragma omp task affinity(node: t) // expected-error {{ambiguous conversion from type 'ToTwo' to an integral or unscoped enumeration type}}
  foo();
#pragma omp task affinity(node: s) // expected-error {{expression must have integral or unscoped enumeration type, not 'Scoped'}}
  foo();
#pragma omp task affinity(node: unknown()) // expected-error {{expression has incomplete class type 'Incomplete'}}
  foo();
#pragma omp task affinity(node: int) // expected-error {{expected '(' for function-style cast or type construction}}
  foo();
#pragma omp task affinity(thread: -1) // expected-error {{argument to 'affinity' clause must be a non-negative integer value}}
  foo();
#pragma omp task affinity(node: 1 - 2, strict) // expected-error {{argument to 'affinity' clause must be a non-negative integer value}}
  foo();
#pragma omp task affinity(node: n, d) // expected-error {{expression must have integral or unscoped enumeration type, not 'double'}}
  foo();
#pragma omp task affinity(node: n, p) // expected-error {{expression must have integral or unscoped enumeration type, not 'char *'}}
  foo();
#pragma omp task affinity(data: p, x) // expected-error {{expression must have integral or unscoped enumeration type, not 'NoInt'}}
  foo();
  // No error: a negative value that is no constant, a negative strictness.
#pragma omp task affinity(node: -n)
  foo();
#pragma omp task affinity(node: n, -1)
  foo();
#pragma omp task affinity(node: i, ToInt())
  foo();
#pragma omp task affinity(thread: u, true)
  foo();
#pragma omp task affinity(thread: b.field)
  foo();
#pragma omp task affinity(thread: n = 3)
  foo();
#pragma omp task affinity(thread: [] { return 1; }())
  foo();
}

int *pointer();
int value();
NoInt object();

void memory(int n, Bits b, int *p) {
  typedef float V __attribute__((vector_size(16)));
  V v;
#pragma omp task affinity(data: 1) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: n + 1) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: value()) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: object()) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: static_cast<int &&>(n)) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: foo()) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: foo) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: b.field) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: v[1]) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: Unknown) // expected-error {{expression has incomplete class type 'Incomplete'}}
  foo();
#pragma omp task affinity(data: p[0:]) // expected-error {{section length is unspecified and cannot be inferred because subscripted value is not an array}}
  foo();
#pragma omp task affinity(data: p[0:-1]) // expected-error {{section length is evaluated to a negative value -1}}
  foo();
#pragma omp task affinity(data: &p[0:2]) // expected-error {{OpenMP array section is not allowed here}}
  foo();
#pragma omp task affinity(data: ([-1])p) // expected-error {{array shaping dimension is evaluated to a non-positive value -1}}
  foo();
#pragma omp task affinity(data: Bits) // expected-error {{'Bits' does not refer to a value}} expected-note@#Bits {{declared here}}
  foo();
#pragma omp task affinity(data: "text")
  foo();
#pragma omp task affinity(data: pointer())
  foo();
#pragma omp task affinity(data: &foo)
  foo();
#pragma omp task affinity(data: &Unknown)
  foo();
}

void clauses(int n, int *p) {
#pragma omp task affinity(node: 1) affinity(thread: 2) // expected-error {{directive '#pragma omp task' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}} expected-note {{'affinity' clause is specified here}}
  foo();
#pragma omp task affinity(node: 1) affinity(p[0]) affinity(node: 1) // expected-error {{directive '#pragma omp task' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}} expected-note {{'affinity' clause is specified here}}
  foo();
#pragma omp task affinity(p[0]) affinity(node: 1) affinity(n)
  foo();
#pragma omp task affinity(node: 1) depend(in: n) priority(1) untied if(n) final(n) mergeable
  foo();
#pragma omp taskgroup affinity(node: 1) // expected-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp taskgroup'}}
  foo();
#pragma omp parallel affinity(node: 1) // expected-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp parallel'}}
  foo();
}

template <typename T, int N, typename... Ts> void templates(T t, Ts... ts) {
#pragma omp task affinity(node: t) // expected-error {{expression must have integral or unscoped enumeration type, not 'double'}}
  foo();
#pragma omp task affinity(node: N) // expected-error {{argument to 'affinity' clause must be a non-negative integer value}}
  foo();
#pragma omp task affinity(data: t + t) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
  foo();
#pragma omp task affinity(data: t, t) // expected-error {{expression must have integral or unscoped enumeration type, not 'double'}}
  foo();
#pragma omp task affinity(node: ts) // expected-error {{expression contains unexpanded parameter pack 'ts'}}
  foo();
#pragma omp task affinity(data: ts) // expected-error {{expression contains unexpanded parameter pack 'ts'}}
  foo();
#pragma omp task affinity(data: ts[0:1]) // expected-error {{expression contains unexpanded parameter pack 'ts'}}
  foo();
#pragma omp task affinity(data: t) affinity(node: N) // expected-error {{directive '#pragma omp task' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}} expected-note {{'affinity' clause is specified here}}
  foo();
}
template void templates<double, -1>(double); // expected-note {{in instantiation of function template specialization 'templates<double, -1>' requested here}}

// Variables of the clause are used by the encountering task.
void sharing(int n, int *p) {
  int unused_in_task = 0;
#pragma omp task default(none) affinity(node: n)
  foo();
#pragma omp task default(none) affinity(data: p, unused_in_task)
  foo();
#pragma omp parallel default(none) // expected-note {{explicit data sharing attribute requested here}}
  {
#pragma omp task affinity(node: n) // expected-error {{variable 'n' must have explicitly specified data sharing attributes}}
    foo();
  }
#pragma omp parallel default(none) shared(n, p)
  {
#pragma omp task default(none) affinity(data: p[0:n], n)
    foo();
  }
}
