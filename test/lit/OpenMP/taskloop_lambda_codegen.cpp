// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -w -triple x86_64-unknown-linux-gnu -fopenmp -O1 -emit-llvm %s -o /dev/null
// expected-no-diagnostics

// The bounds and clauses of a taskloop name what the lambda captures.

void body(int *);

struct S {
  int limit;
  void run(int n, int &by_reference, int *p) {
    // CHECK-LABEL: define {{.*}}@_ZZN1S3runEiRiPiENKUlvE_clEv(
    // CHECK: call void @__kmpc_taskgroup(
    // CHECK: call void @__kmpc_taskloop(
    // CHECK: call void @__kmpc_end_taskgroup(
    // CHECK: call void @__kmpc_taskloop_5(
    auto copies = [=] {
#pragma omp taskloop grainsize(n) priority(n) final(n > 2)
      for (int i = 0; i < n; ++i)
        body(p + i);
#pragma omp taskloop simd num_tasks(strict: n) nogroup collapse(2)
      for (int i = n; i < limit; ++i)
        for (int j = by_reference; j > n; --j)
          body(p + i);
    };
    copies();
    // CHECK-LABEL: define {{.*}}@_ZZN1S3runEiRiPiENKUlvE0_clEv(
    // CHECK: call void @__kmpc_taskloop(
    auto references = [&, init = n + 1] {
#pragma omp taskloop if(init)
      for (int i = 0; i < init; ++i)
        body(p + i);
#pragma omp taskgroup
      for (int i = 0; i < by_reference; ++i)
#pragma omp task
        body(p + i);
    };
    references();
  }
};

void use(S s, int n) { s.run(n, n, &n); }
