// The driver of the install prefix finds libomp.so there, when a program is
// linked and when it runs, and leaves programs without OpenMP alone.

// RUN: %clang -### -fopenmp %s 2>&1 | FileCheck %s -DPREFIX=%prefix
// CHECK: "-cc1"{{.*}} "-resource-dir" "[[RESOURCE:[^"]*/lib/clang/[0-9]+]]"
// CHECK: "-L[[RESOURCE]]/lib/{{[^"]*}}"
// CHECK-SAME: "-lomp"
// CHECK-SAME: "-rpath" "[[RESOURCE]]/lib/{{[^"]*}}"

// RUN: %clang -### %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: %clangxx -### %s 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN-NOT: "-rpath"

// No warning about what is not used.
// RUN: %clang -fopenmp -Werror -c %s -o %t.o
// RUN: %clang -fopenmp -Werror -E %s -o - > %t.i
// RUN: %clangxx -fopenmp -Werror -x c++ -c %s -o %t.o

// Clang's own headers are found, omp.h is ours and not the system's.
// RUN: %clang -fopenmp -E -dI -x c %s -DHEADERS -o - | FileCheck %s --check-prefix=HEADERS
// HEADERS: {{^# 1 .*}}/lib/clang/{{[0-9]+}}/include/stddef.h

#ifdef HEADERS
#include <stddef.h>
#endif
int main(void) { return 0; }
