// RUN: %clang_cc1 -verify=expected,new -fopenmp -fopenmp-version=60 %s
// RUN: %clang_cc1 -verify=expected,old -fopenmp %s
// RUN: %clang_cc1 -verify=expected,new,cxx -x c++ -fopenmp -fopenmp-version=60 %s

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
  // It has another meaning there, which is not implemented.
#pragma omp target data map(tofrom : n) transparent // new-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp target_data'}} old-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp target data'}}
  body();
#pragma omp taskloop simd transparent // expected-error {{unexpected OpenMP clause 'transparent' in directive '#pragma omp taskloop simd'}}
  for (int i = 0; i < n; ++i)
    body();
}

#ifdef __cplusplus
struct Truth {
  explicit operator bool() const; // cxx-note {{conversion to integral type 'bool' declared here}}
};

template <typename T> void templ(T t) {
#pragma omp task transparent(t) // cxx-error {{expression must have integral or unscoped enumeration type, not 'double'}} cxx-error {{expression requires explicit conversion from 'Truth' to 'bool'}}
  body();
}

void use() {
  templ(1);
  templ(true);
  templ(1.5); // cxx-note {{in instantiation of function template specialization 'templ<double>' requested here}}
  templ(Truth()); // cxx-note {{in instantiation of function template specialization 'templ<Truth>' requested here}}
}
#endif
