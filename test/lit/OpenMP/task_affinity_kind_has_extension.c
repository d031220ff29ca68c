// RUN: %clang_cc1 -fopenmp -E %s | FileCheck %s --check-prefix=YES
// RUN: %clang_cc1 -fopenmp-simd -E %s | FileCheck %s --check-prefix=YES
// RUN: %clang_cc1 -fopenmp -fopenmp-version=50 -E -x c++ %s | FileCheck %s --check-prefix=YES
// RUN: %clang_cc1 -E %s | FileCheck %s --check-prefix=NO
// RUN: %clang_cc1 -fopenmp -fopenmp-version=45 -E %s | FileCheck %s --check-prefix=NO
// RUN: %clang_cc1 -fopenmp -fno-openmp-extensions -E %s | FileCheck %s --check-prefix=NO

// The fallback that the documentation shows compiles with and without.
// RUN: %clang_cc1 -fopenmp -DFALLBACK -emit-llvm %s -o - | FileCheck %s --check-prefix=WITH
// RUN: %clang_cc1 -fopenmp -fno-openmp-extensions -DFALLBACK -emit-llvm %s -o - | FileCheck %s --check-prefix=WITHOUT
// WITH: call void @__kmpc_omp_task_affinity({{.+}}, i32 2, i64 %{{.+}}, i64 0, i32 0)
// WITHOUT: call i32 @__kmpc_omp_task(
// WITHOUT-NOT: @__kmpc_omp_task_affinity(

#ifndef FALLBACK
// YES: value: 1
// NO: value: 0
value: __has_extension(openmp_task_affinity)
// YES: loops: 1
// NO: loops: 0
loops: __has_extension(openmp_taskloop_affinity)
#else
#if defined(_OPENMP) && defined(__has_extension)
#if __has_extension(openmp_task_affinity)
#define ON_NODE(n) affinity(node: n)
#endif
#endif
#ifndef ON_NODE
#define ON_NODE(n)
#endif

void work(int i);

void run(int count) {
  for (int i = 0; i < count; i++) {
#pragma omp task ON_NODE(i)
    work(i);
  }
}
#endif
