// A PCH names the compiler that wrote it. A placement is stored in a way that
// another clang of the same version would misread: it has to refuse the file.

// RUN: %clang_cc1 -fopenmp -emit-pch -o %t.pch %s
// RUN: %clang_cc1 -fopenmp -include-pch %t.pch -fsyntax-only -verify %s
// expected-no-diagnostics

// Debian's clang does not read ours, and ours does not read Debian's.
// RUN: not %stock_cc1 -fopenmp -include-pch %t.pch -fsyntax-only %s 2>&1 | FileCheck %s
// RUN: %stock_cc1 -fopenmp -emit-pch -o %t.stock.pch %s -DSTOCK
// RUN: not %clang_cc1 -fopenmp -include-pch %t.stock.pch -fsyntax-only %s -DSTOCK 2>&1 | FileCheck %s

// Nor do overlays of different series read each other's: here, one whose
// version string differs in a character.
// RUN: sed 's/(task affinity/(task affinitY/' %t.pch > %t.other.pch
// RUN: not cmp %t.pch %t.other.pch
// RUN: not %clang_cc1 -fopenmp -include-pch %t.other.pch -fsyntax-only %s 2>&1 | FileCheck %s

// CHECK: error: PCH file {{.*}}built from a different branch (({{.*}})) than the compiler (({{.*}}))

#ifndef HEADER
#define HEADER
#ifndef STOCK
static inline void f(int n) {
#pragma omp task affinity(node: n)
  ;
}
#endif
#endif
