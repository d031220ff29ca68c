// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify -fopenmp -fopenmp-version=60 -fno-openmp-extensions -DSTANDARD -ferror-limit 100 -triple x86_64-unknown-linux-gnu -x c++ %s
// RUN: %clang_cc1 -verify=expected,none -fopenmp -fopenmp-version=52 -fno-openmp-extensions -DNONE -ferror-limit 100 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify=expected,none -fopenmp -fopenmp-version=45 -DNONE -ferror-limit 100 -triple x86_64-unknown-linux-gnu %s

// Where task_iteration stands, and what it takes.

void body(int);

#ifdef NONE
void unknown(int n, double *a) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) // none-error {{expected an OpenMP directive}}
    body(i);
  }
#pragma omp taskloop affinity(a[i]) // none-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp taskloop'}} none-error {{use of undeclared identifier 'i'}}
  for (int i = 0; i < n; ++i)
    body(i);
}
#else

void good(int n, double *a) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i])
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
#pragma omp task_iteration affinity(a[i], a[i + 1]) affinity(a[0])
#pragma omp task_iteration affinity(iterator(k = 0:i) : a[k])
    body(i);
#pragma omp parallel masked taskloop simd collapse(2)
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i])
    for (int j = 0; j < n; ++j) {
#pragma omp task_iteration affinity(a[j])
      body(i);
    }
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    _Pragma("omp task_iteration affinity(a[i])") body(i);
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(in: a[i]), depend(out: a[i + 1:2]) if(i % 2)
#pragma omp task_iteration if(task_iteration: n) depend(iterator(k = 0:i), mutexinoutset: a[k]) affinity(a[i])
#pragma omp task_iteration affinity(iterator(k = 0:i) : a[k]), if(a)
    body(i);
  }
}

void places(int n, double *a) {
#pragma omp task_iteration affinity(a[n]) // expected-error {{'#pragma omp task_iteration' has to stand at the beginning of the body of a loop that is associated with a 'taskloop' directive}}
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
    body(i);
#pragma omp task_iteration affinity(a[i]) // expected-error {{'#pragma omp task_iteration' has to stand at the beginning of the body of a loop that is associated with a 'taskloop' directive}}
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
#pragma omp task_iteration affinity(a[i]) // expected-error {{'#pragma omp task_iteration' has to stand at the beginning of the body of a loop that is associated with a 'taskloop' directive}}
      body(i);
    }
#pragma omp for
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) // expected-error {{'#pragma omp task_iteration' has to stand at the beginning of the body of a loop that is associated with a 'taskloop' directive}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
#pragma omp task
  {
#pragma omp task_iteration affinity(a[i]) // expected-error {{'#pragma omp task_iteration' has to stand at the beginning of the body of a loop that is associated with a 'taskloop' directive}}
    body(i);
  }
}

void clauses(int n, double *a) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration priority(n) // expected-error {{unexpected OpenMP clause 'priority' in directive '#pragma omp task_iteration'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i]) what // expected-warning {{extra tokens at the end of '#pragma omp task_iteration' are ignored}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(a[i] // expected-error {{expected ')'}} expected-note {{to match this '('}}
#pragma omp task_iteration affinity(a[j]) // expected-error {{use of undeclared identifier 'j'}}
    body(i);
  }
#ifndef STANDARD
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(node: i) if(i % 2)
    body(i);
  }
#pragma omp taskloop affinity(a[0]) if(task_iteration: i) affinity(a[i]) if(n)
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(node: i) // expected-note {{'affinity' clause is specified here}}
#pragma omp task_iteration affinity(thread: i) // expected-error {{directive '#pragma omp taskloop' cannot contain more than one 'affinity' clause with 'thread', 'node' or 'data' name modifier}}
    body(i);
  }
#else
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration affinity(node: i) // expected-error {{OpenMP clause 'affinity(node:)' is only available as extension, use '-fopenmp-extensions'}}
    body(i);
  }
#pragma omp taskloop affinity(a[i]) // expected-error {{unexpected OpenMP clause 'affinity' in directive '#pragma omp taskloop'}} expected-error {{use of undeclared identifier 'i'}}
  for (int i = 0; i < n; ++i)
    body(i);
#endif
}
#endif
