// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 100 %s

// An iterator with a type and no name: this crashed.

int a[10];

void test(int n) {
#pragma omp task depend(iterator(int = 0 : n), in : a[0]) // expected-error {{expected identifier}}
  ;
#pragma omp task depend(iterator(i = 0 : n, unsigned long = 0 : n), in : a[i]) // expected-error {{expected identifier}}
  ;
#pragma omp task affinity(iterator(int) : a[0]) // expected-error {{expected identifier}} expected-error {{expected '=' in iterator specifier}} expected-error 3 {{expected expression}}
  ;
#pragma omp taskwait depend(iterator(int * = a : a + n), in : a[0]) // expected-error {{expected identifier}}
}

template <typename T> void generic(T n) {
#pragma omp task depend(iterator(unsigned = 0 : n), in : a[0]) // expected-error {{expected identifier}}
  ;
#pragma omp task depend(iterator(T i = 0 : n), in : a[i])
  ;
}
template void generic<int>(int);

int last() { return undeclared; } // expected-error {{use of undeclared identifier 'undeclared'}}
