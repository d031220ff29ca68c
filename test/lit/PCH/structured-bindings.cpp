// A lambda of a header, instantiated where the header is read from a PCH or a
// module: a task in it captures the bindings that the header declares.

// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-pch -o %t.pch %s
// RUN: %clang_cc1 -std=c++20 -fopenmp -include-pch %t.pch -emit-llvm -o - %s | FileCheck %s
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-llvm -o - -include %s %s | FileCheck %s
// RUN: echo 'export module m;' > %t.cppm
// RUN: cat %s >> %t.cppm
// RUN: %clang_cc1 -std=c++20 -fopenmp -DEXPORT=export -emit-module-interface -o %t.pcm %t.cppm
// RUN: %clang_cc1 -std=c++20 -fopenmp -DIMPORT -fmodule-file=m=%t.pcm -emit-llvm -o - %s | FileCheck %s

#ifndef EXPORT
#define EXPORT
#endif

#if !defined(HEADER) && !defined(IMPORT)
#define HEADER
EXPORT struct P {
  int a, b;
};
EXPORT P get();
EXPORT void use(int);
EXPORT inline auto make() {
  auto [x, y] = get();
  return [=](auto z) mutable {
#pragma omp task
    use(x + z);
#pragma omp task default(none) shared(y) firstprivate(z)
    use(y + z);
  };
}
#else
#ifdef IMPORT
import m;
#endif
void f() {
  auto l = make();
  l(1);
  l(2L);
}
// CHECK: define {{.*}}@_Z1fv
// CHECK-COUNT-4: call {{.*}}@__kmpc_omp_task_alloc
#endif
