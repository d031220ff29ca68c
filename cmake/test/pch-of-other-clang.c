// A PCH of stock clang, or of other patches, is refused: its clauses would be misread.

// RUN: %clang -fopenmp -x c-header %s -o %t.ours
// RUN: %clang -fopenmp -fsyntax-only -include-pch %t.ours -DUSE %s

// RUN: %stock -fopenmp -x c-header %s -o %t.stock
// RUN: not %clang -fopenmp -fsyntax-only -include-pch %t.stock -DUSE %s 2>&1 | FileCheck %s
// RUN: not %stock -fopenmp -fsyntax-only -include-pch %t.ours -DUSE %s 2>&1 | FileCheck %s
// CHECK: error: PCH file '{{.*}}' built from a different branch ({{.*}}) than the compiler ({{.*}})

// RUN: %python %S/Inputs/other-series.py %t.ours %t.other
// RUN: not %clang -fopenmp -fsyntax-only -include-pch %t.other -DUSE %s 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: PCH file '{{.*}}' built from a different branch ((task affinity 000000000000{{(-full)?}})) than the compiler ((task affinity {{[0-9a-f]+(-full)?}}))

#ifdef USE
void use(void) { place(0); }
#else
static void place(int node) {
#pragma omp task affinity(node)
  ;
}
#endif
