// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/data.cppm -o %t/data.pcm
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/data.cppm -o %t/same.pcm -DNAME=same
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/data.cppm -o %t/next.pcm -DNAME=next -DINDEX=i+1
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/data.cppm -o %t/strict.pcm -DNAME=strict_ -DSTRICT=,strict
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/data.cppm -o %t/inner.pcm -DNAME=inner -DINNER=1
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/data.pcm -fmodule-file=same=%t/same.pcm -DOTHER=same -verify=same %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/data.pcm -fmodule-file=next=%t/next.pcm -DOTHER=next -verify=loop %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/data.pcm -fmodule-file=strict_=%t/strict.pcm -DOTHER=strict_ -verify=loop %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/data.pcm -fmodule-file=inner=%t/inner.pcm -DOTHER=inner -verify=iteration %t/use.cpp

// The placement of a loop, by its clause or by task_iteration, is part of the
// profile of a statement: functions that differ in nothing else are not the same.

//--- header.h
inline void loop(int *a) {
#pragma omp taskloop affinity(data: a[INDEX] STRICT)
  for (int i = 0; i < 8; ++i)
    a[i] = i;
}
inline void iteration(int *a) {
#pragma omp taskloop
  for (int i = 0; i < 8; ++i) {
#pragma omp task_iteration affinity(a[INNER])
    a[i] = i;
  }
}

//--- data.cppm
module;
#ifndef NAME
#define NAME placed
#endif
#ifndef INDEX
#define INDEX i
#endif
#ifndef STRICT
#define STRICT
#endif
#ifndef INNER
#define INNER i
#endif
#include "header.h"
export module NAME;
export using ::loop;
export using ::iteration;

//--- use.cpp
// same-no-diagnostics
import placed;
import OTHER;

void use(int *a) {
  loop(a);
  iteration(a);
}
// loop-error@header.h:1 {{'loop' has different definitions in different modules; definition in module}}
// loop-note@header.h:1 {{but in}}
// iteration-error@header.h:6 {{'iteration' has different definitions in different modules; definition in module}}
// iteration-note@header.h:6 {{but in}}
