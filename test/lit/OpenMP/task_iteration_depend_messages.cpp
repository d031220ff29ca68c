// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 -std=c++17 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 100 -std=c++17 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify=expected,standard -fopenmp -fopenmp-version=60 -fno-openmp-extensions -ferror-limit 100 -std=c++17 -triple x86_64-unknown-linux-gnu %s

// Dependences of iterations that are wrong, and conditions.

void body(int);

void depends(int n, double *a) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(a[i]) // expected-error {{expected depend modifier(iterator) or 'in', 'out', 'inout', 'mutexinoutset', 'depobj' or 'inoutset' in OpenMP clause 'depend'}} expected-warning {{missing ':' after dependency type - ignoring}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(source) // expected-error {{expected depend modifier(iterator) or 'in', 'out', 'inout', 'mutexinoutset', 'depobj' or 'inoutset' in OpenMP clause 'depend'}} expected-warning {{missing ':' after dependency type - ignoring}} expected-error {{expected expression}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(in: i + 1) // expected-error {{expected addressable lvalue expression, array element, array section or array shaping expression}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(in: a[j]) // expected-error {{use of undeclared identifier 'j'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(in: a[i:0]) // expected-error {{zero-length array section is not allowed}}
    body(i);
  }
  // On the directive itself it is an extension, as affinity is.
#pragma omp taskloop depend(out: a[i]) // standard-error {{unexpected OpenMP clause 'depend' in directive '#pragma omp taskloop'}} standard-error {{use of undeclared identifier 'i'}}
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp for depend(out: a[0]) // expected-error {{unexpected OpenMP clause 'depend' in directive '#pragma omp for'}}
  for (int i = 0; i < n; ++i)
    body(i);
}

void between(int n, double *a) {
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; ++i) {
    int row = i * n; // expected-note {{declared here}}
    for (int j = 0; j < n; ++j) {
#pragma omp task_iteration depend(out: a[row + j]) // expected-error {{'row' is declared between the loops: the 'depend' clause cannot use it}}
      body(j);
    }
  }
}

void iterated(int n, double *a) {
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; ++i) {
    int row = i * n; // expected-note {{declared here}}
    for (int j = 0; j < n; ++j) {
#pragma omp task_iteration depend(iterator(k = 0:row), out: a[k]) // expected-error {{'row' is declared between the loops: the 'depend' clause cannot use it}}
      body(j);
    }
  }
}

// OpenMP 6.0 has this clause. What is in it is not read.
void conditions(int n, double *a) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration if(i) // expected-error {{clause 'if' of '#pragma omp task_iteration' is not supported; only 'affinity' and 'depend' are}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(i % 4) // expected-error {{clause 'if' of '#pragma omp task_iteration' is not supported; only 'affinity' and 'depend' are}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]), if(task_iteration: i), depend(out: a[i]) // expected-error {{clause 'if' of '#pragma omp task_iteration' is not supported; only 'affinity' and 'depend' are}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration if(garbage +* 3) // expected-error {{clause 'if' of '#pragma omp task_iteration' is not supported; only 'affinity' and 'depend' are}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if // expected-error {{clause 'if' of '#pragma omp task_iteration' is not supported; only 'affinity' and 'depend' are}}
    body(i);
  }
}

template <typename T> void templ(T t, double *a) {
#pragma omp taskloop
  for (int i = 0; i < 5; ++i) {
#pragma omp task_iteration depend(out: a[t]) // expected-error {{array subscript is not an integer}}
    body(i);
  }
}
template void templ(double, double *); // expected-note {{in instantiation of function template specialization 'templ<double>' requested here}}
