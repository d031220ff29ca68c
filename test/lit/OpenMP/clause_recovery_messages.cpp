// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 -std=c++17 %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 100 -std=c++17 %s

// A brace that is not closed in a clause ends with the directive: this was an
// endless loop.

void body();

void unclosed(int n, int *p) {
#pragma omp task affinity(p[0 + [&] { return) // expected-error {{expected expression}} expected-error {{expected '}'}} expected-error {{expected ']'}} expected-error {{expected ')'}} expected-note 3 {{to match this}} expected-error 0-1 {{invalid operands to binary expression}}
  body();
#pragma omp task priority([&] { return 1;) // expected-error {{expected expression}} expected-error {{expected '}'}} expected-error {{expected ')'}} expected-note 2 {{to match this}} expected-error {{expression must have integral or unscoped enumeration type}}
  body();
#pragma omp task priority(({ n; ) // expected-error {{expected expression}} expected-error 0-2 {{expected ')'}} expected-note 1-3 {{to match this}} expected-warning 0-1 {{unused}}
  body();
#pragma omp task if([] { return) // expected-error {{expected expression}} expected-error {{expected '}'}} expected-error {{expected ')'}} expected-note 2 {{to match this}} expected-error 0-1 {{not contextually convertible to 'bool'}}
  body();
#pragma omp task priority([&] { return n; }())
  body();
}

// Behind an iterator that cannot be parsed the list is left: this was an endless
// loop as well.
void failed_iterator(int n) {
#pragma omp task affinity(iterator(i = 6 (4)[(int())]) : n) // expected-error {{called object type 'int' is not a function or function pointer}} expected-error 2 {{expected expression}} expected-error {{expected ',' or ')' in 'affinity' clause}} expected-error {{expected ')'}} expected-note {{to match this '('}} expected-warning 0-1 {{extra tokens}}
  body();
}
