// The ways to link that Debian's clang offers: the other linker, link-time
// optimization, the runtime by its other name, the target by a short one. There
// is no static runtime, and each linker says so.

// RUN: %clang -fopenmp -O2 -fuse-ld=lld %s -o %t.lld && %t.lld
// RUN: %clang -fopenmp -O2 -flto %s -o %t.lto && %t.lto
// RUN: %clang -fopenmp -O2 -flto=thin %s -o %t.thin && %t.thin
// RUN: %clang -fopenmp -O2 -flto -fuse-ld=lld %s -o %t.lld-lto && %t.lld-lto
// RUN: %clangxx -fopenmp -O2 -flto -x c++ %s -o %t.cxx-lto && %t.cxx-lto
// RUN: %clang -fopenmp=libiomp5 -O2 %s -o %t.iomp5 && %t.iomp5
// RUN: %clang --target=x86_64-linux-gnu -fopenmp -O2 %s -o %t.target && %t.target

// RUN: not %clang -fopenmp -static-openmp %s -o %t.static 2>&1 | FileCheck %s
// RUN: not %clang -fopenmp -static-openmp -fuse-ld=lld %s -o %t.static 2>&1 | FileCheck %s
// RUN: not %clang -fopenmp -static %s -o %t.static 2>&1 | FileCheck %s
// CHECK: Locus has no static libomp: link without -static-openmp and -static

#include <omp.h>

int main(void) {
  int Sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int I = 0; I < 10; ++I)
#pragma omp task affinity(node : I) shared(Sum)
#pragma omp atomic
    Sum += I;
  return Sum == 45 && omp_get_num_nodes() > 0 ? 0 : 1;
}
