// RUN: %clang_cc1 -verify -fopenmp -ferror-limit 100 -std=c++17 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify -fopenmp-simd -ferror-limit 100 -std=c++17 -triple x86_64-unknown-linux-gnu %s
// RUN: %clang_cc1 -verify=expected,standard -fopenmp -fopenmp-version=60 -fno-openmp-extensions -ferror-limit 100 -std=c++17 -triple x86_64-unknown-linux-gnu %s

// Dependences of iterations, and conditions, that are wrong.

void body(int);
struct No {};

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

void conditions(int n, double *a, No no) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(i) if(n) // expected-error {{directive '#pragma omp task_iteration' cannot contain more than one 'if' clause}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if // expected-error {{expected '(' after 'if'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration if(no) depend(out: a[i]) // expected-error {{value of type 'No' is not contextually convertible to 'bool'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if() // expected-error {{expected expression}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(what) // expected-error {{use of undeclared identifier 'what'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(taskloop: i) // expected-error {{directive name modifier 'taskloop' is not allowed for '#pragma omp task_iteration'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(for: i) // expected-error {{directive name modifier 'for' is not allowed for '#pragma omp task_iteration'}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(i // expected-error {{expected ')'}} expected-note {{to match this '('}}
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(i, n) // expected-error {{expected ')'}} expected-note {{to match this '('}}
    body(i);
  }
  // The modifiers of the taskloop's own clause are what they were.
#pragma omp taskloop if(task: n) // expected-error {{directive name modifier 'task' is not allowed for '#pragma omp taskloop'}}
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop simd if(task: n) if(simd: n) // expected-error {{directive name modifier 'task' is not allowed for '#pragma omp taskloop simd'}}
  for (int i = 0; i < n; ++i)
    body(i);
#pragma omp taskloop if(n) if(taskloop: n) // expected-error {{no more 'if' clause is allowed}} expected-note {{previous clause with directive name modifier specified here}}
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(i)
    body(i);
  }
}

// Without other clauses there is nothing that it could be a condition of.
void lone(int n, double *a) {
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration if(i) // expected-warning {{clause 'if' of '#pragma omp task_iteration' has no effect without another clause}}
#pragma omp task_iteration depend(out: a[i]) if(n)
    body(i);
  }
#pragma omp taskloop
  for (int i = 0; i < n; ++i) {
#pragma omp task_iteration if(garbage +* 3) // expected-error {{use of undeclared identifier 'garbage'}} expected-error {{indirection requires pointer operand ('int' invalid)}}
    body(i);
  }
}

void written(int n, double *a) {
#pragma omp taskloop if(task_iteration: i) depend(out: a[i]) // standard-error {{use of undeclared identifier 'task_iteration'}} standard-error {{expected ')'}} standard-note {{to match this '('}} standard-error {{unexpected OpenMP clause 'depend' in directive '#pragma omp taskloop'}} standard-error {{use of undeclared identifier 'i'}}
  for (int i = 0; i < n; ++i)
    body(i);
}

void conditionBetween(int n, double *a) {
#pragma omp taskloop collapse(2)
  for (int i = 0; i < n; ++i) {
    int row = i * n; // expected-note {{declared here}}
    for (int j = 0; j < n; ++j) {
#pragma omp task_iteration if(row) depend(out: a[j]) // expected-error {{'row' is declared between the loops: the 'if' clause cannot use it}}
      body(j);
    }
  }
}

template <typename T> void conditionTempl(T t, double *a) {
#pragma omp taskloop
  for (int i = 0; i < 5; ++i) {
#pragma omp task_iteration depend(out: a[i]) if(t) // expected-error {{value of type 'No' is not contextually convertible to 'bool'}}
    body(i);
  }
}
template void conditionTempl(int, double *);
template void conditionTempl(No, double *); // expected-note {{in instantiation of function template specialization 'conditionTempl<No>' requested here}}

template <typename T> void templ(T t, double *a) {
#pragma omp taskloop
  for (int i = 0; i < 5; ++i) {
#pragma omp task_iteration depend(out: a[t]) // expected-error {{array subscript is not an integer}}
    body(i);
  }
}
template void templ(double, double *); // expected-note {{in instantiation of function template specialization 'templ<double>' requested here}}
