// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp -fopenmp-version=60 -std=c++17 -O1 -disable-llvm-passes -emit-llvm %s -o - | FileCheck %s
// RUN: %clang_cc1 -fopenmp -fopenmp-version=60 -std=c++17 -x c++ -triple x86_64-unknown-linux-gnu -emit-pch -o %t %s
// RUN: %clang_cc1 -fopenmp -fopenmp-version=60 -std=c++17 -triple x86_64-unknown-linux-gnu -include-pch %t -verify %s -ast-print | FileCheck %s --check-prefix=PRINT
// RUN: %clang_cc1 -verify -triple x86_64-unknown-linux-gnu -fopenmp-simd -fopenmp-version=60 -std=c++17 -emit-llvm %s -o - | FileCheck %s --check-prefix=SIMD
// expected-no-diagnostics

// The flag 0x100 says to the runtime that a task is transparent. Such a task
// does not run in place.

// SIMD-NOT: __kmpc

#ifndef HEADER
#define HEADER

enum Impex { NotImpex, Import, Export, Both };

void body();

// CHECK-LABEL: define {{.*}}@_Z9constantsv(
// CHECK-NOT: @__kmpc_task_inline
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 257,
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 257,
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 256,
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 1,
// CHECK-NOT: @__kmpc_task_inline
// CHECK: ret void
// PRINT-LABEL: void constants() {
// PRINT-NEXT: #pragma omp task transparent(3)
// PRINT-NEXT: body();
// PRINT-NEXT: #pragma omp task transparent(Import) if(1)
// PRINT-NEXT: body();
// PRINT-NEXT: #pragma omp task untied transparent(Export)
// PRINT-NEXT: body();
// PRINT-NEXT: #pragma omp task transparent(NotImpex)
// PRINT-NEXT: body();
void constants() {
#pragma omp task transparent
  body();
#pragma omp task transparent(Import) if (1)
  body();
#pragma omp task untied transparent(Export)
  body();
#pragma omp task transparent(NotImpex)
  body();
}

// The value is evaluated once, before the task is there.
//
// CHECK-LABEL: define {{.*}}@_Z8variablei(
// CHECK: [[VALUE:%.+]] = call {{.*}}i32 @_Z5valuev()
// CHECK: [[IS:%.+]] = icmp ne i32 [[VALUE]], 0
// CHECK: [[FLAG:%.+]] = select i1 [[IS]], i32 256, i32 0
// CHECK: [[FLAGS:%.+]] = or i32 1, [[FLAG]]
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 [[FLAGS]],
// CHECK-NOT: call {{.*}}@_Z5valuev
// CHECK: ret void
Impex value();
void variable(int n) {
#pragma omp task transparent(value()) depend(inout : n)
  body();
}

// CHECK-LABEL: define {{.*}}@_Z4loopi(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 257,
// CHECK: call void @__kmpc_taskloop(
// PRINT-LABEL: void loop(int n) {
// PRINT-NEXT: #pragma omp taskloop transparent(Both)
void loop(int n) {
#pragma omp taskloop transparent(Both)
  for (int i = 0; i < n; ++i)
    body();
}

// CHECK-LABEL: define {{.*}}@_Z5templIiLi0EEvT_(
// CHECK: call ptr @__kmpc_omp_task_alloc(ptr {{.+}}, i32 {{.+}}, i32 1,
// CHECK: select i1 {{.+}}, i32 256, i32 0
// PRINT: template <typename T, int N> void templ(T t) {
// PRINT-NEXT: #pragma omp task transparent(N)
// PRINT: #pragma omp task transparent(t)
template <typename T, int N> void templ(T t) {
#pragma omp task transparent(N)
  body();
#pragma omp task transparent(t)
  body();
}
template void templ<int, 0>(int);

#endif // HEADER
