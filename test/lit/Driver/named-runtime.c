// A program that names libomp.so, by path as CMake's FindOpenMP or with -l, and
// is linked without -fopenmp, finds it when it runs.

// RUN: %clang -fopenmp -c %s -o %t.o
// RUN: %clang %t.o %prefix/lib/libomp.so -o %t.path && %t.path
// RUN: %clang %t.o %resource-dir/lib/x86_64-pc-linux-gnu/libomp.so -o %t.resource && %t.resource
// RUN: %clang %t.o -lomp -o %t.name && %t.name
// RUN: %clang %t.o -l:libomp.so -o %t.file && %t.file
// RUN: %clangxx %t.o %prefix/lib/libomp.so -o %t.cxx && %t.cxx

// -fno-rtlib-add-rpath is obeyed, objects get no run path, and programs that
// name other libraries none either.
// RUN: %clang -### -fno-rtlib-add-rpath %t.o -lomp 2>&1 | FileCheck %s
// RUN: %clang -### -r %t.o %prefix/lib/libomp.so 2>&1 | FileCheck %s
// RUN: rm -rf %t.other && mkdir %t.other && cp %prefix/lib/libomp.so %t.other
// RUN: %clang -### %t.o %t.other/libomp.so -lm 2>&1 | FileCheck %s
// RUN: %clang -### %t.o %prefix/lib/libomp.a 2>&1 | FileCheck %s
// RUN: %clang -### %t.o -l:libomp.a 2>&1 | FileCheck %s
// CHECK: "-o" "a.out"
// CHECK-NOT: "-rpath"

// The configuration files are no input.
// RUN: not %clang 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: clang: error: no input files
// RUN: %clang -v 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION-NOT: dynamic-linker

// In its own folder the library has no folder in its name.
// RUN: cd %prefix/lib && %clang %t.o libomp.so -o %t.here && %t.here

#include <omp.h>

int main(void) {
  int Threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : Threads)
  ++Threads;
  return Threads == 3 && omp_get_num_nodes() > 0 ? 0 : 1;
}
