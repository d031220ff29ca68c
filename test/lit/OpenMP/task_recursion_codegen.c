// A task may run inside of itself: what runs it is not 'norecurse'.

// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O1 -disable-llvm-passes -emit-llvm %s -o - | FileCheck %s
// The optimizer finds out where it is.
// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -O2 -emit-llvm %s -o - | FileCheck %s --check-prefix=FINAL
// expected-no-diagnostics

void body(int);
int Result;

// CHECK-COUNT-4: define internal {{.*}}i32 @.omp_task_entry{{.*}} [[ENTRY:#[0-9]+]] {
// CHECK: attributes [[ENTRY]] = {
// CHECK-NOT: norecurse
// CHECK-SAME: nounwind
void recurse(int n) {
#pragma omp task
  body(n);
#pragma omp task priority(n)
  body(n);
#pragma omp task untied
  body(n);
#pragma omp taskloop
  for (int i = 0; i < n; ++i)
    body(i);
}

// FINAL: define {{.*}}@leaf(
// FINAL: define internal {{.*}}i32 @.omp_task_entry{{.*}} [[LEAF:#[0-9]+]] {
// FINAL: attributes [[LEAF]] = {
// FINAL-SAME: norecurse
void leaf(int n) {
#pragma omp task final(n)
  Result = n;
}
