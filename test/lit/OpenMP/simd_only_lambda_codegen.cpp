// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp-simd -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -emit-llvm %s -o /dev/null
// expected-no-diagnostics

// What a task gets as firstprivate is none of its captures. Without tasks it is
// what the lambda has captured.

void body(int *, int);

void use(int n, int &by_reference, int *p) {
  auto copies = [=] {
#pragma omp task
    body(p, n);
#pragma omp taskloop
    for (int i = 0; i < n; ++i)
      body(p + i, 1);
#pragma omp taskloop simd firstprivate(p)
    for (int i = 0; i < n; ++i)
      body(p, by_reference);
    // The variable is private: not what the lambda captures.
#pragma omp taskloop private(n) firstprivate(p)
    for (int i = 0; i < 7; ++i)
      body(p, n = i);
  };
  copies();
  auto references = [&, init = n + 1] {
#pragma omp parallel
#pragma omp task firstprivate(init)
#pragma omp task firstprivate(n)
    body(p + init, n);
  };
  references();
}

// CHECK-LABEL: define {{.*}}@"_ZZ3useiRiPiENK3$_0clEv"(
// CHECK: [[CP:%.+]] = getelementptr {{.*}}%class.anon, ptr %this1, i32 0, i32 0
// CHECK: [[CN:%.+]] = getelementptr {{.*}}%class.anon, ptr %this1, i32 0, i32 1
// CHECK: [[P:%.+]] = load ptr, ptr [[CP]], align 8
// CHECK: [[N:%.+]] = load i32, ptr [[CN]], align 8
// CHECK: call void @_Z4bodyPii(ptr noundef [[P]], i32 noundef [[N]])
// CHECK: for.cond:
// CHECK: call void @_Z4bodyPii(ptr noundef %{{.+}}, i32 noundef 1)
// CHECK: omp.inner.for.cond:
// CHECK: call void @_Z4bodyPii(
// CHECK: for.cond{{[0-9]+}}:
// CHECK: store i32 %{{.+}}, ptr %n,
// CHECK: call void @_Z4bodyPii(
// CHECK-LABEL: define {{.*}}@"_ZZ3useiRiPiENK3$_1clEv"(
// CHECK: call void @_Z4bodyPii(
