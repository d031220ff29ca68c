// RUN: %clang_cc1 -verify=expected,new -fopenmp -fopenmp-version=60 %s
// RUN: %clang_cc1 -verify=expected,old -fopenmp %s

struct Record {
  int member;
};

void body(void);

void test(int n, struct Record r) {
#pragma omp task transparent(n) // old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task transparent if (n) // old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task if (task : n) transparent // old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task transparent() // expected-error {{expected expression}} old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task transparent(unknown) // expected-error {{use of undeclared identifier 'unknown'}} old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task if (taskgroup : n) // expected-error {{directive name modifier 'taskgroup' is not allowed for '#pragma omp task'}}
  body();
#pragma omp parallel transparent // expected-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp parallel'}}
  body();
#pragma omp task transparent(r) // new-error {{expression must have integral or unscoped enumeration type, not 'struct Record'}} old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
#pragma omp task transparent transparent // expected-error {{directive '#pragma omp task' cannot contain more than one 'transparent' clause}} old-error 2 {{unexpected OpenMP clause 'transparent' in directive '#pragma omp task'}}
  body();
}
