// RUN: rm -rf %t && split-file %s %t
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/node.cppm -o %t/node.pcm
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/node.cppm -o %t/same.pcm -DNAME=same
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/node.cppm -o %t/thread.pcm -DNAME=thread_ -DKIND=thread
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/node.cppm -o %t/strict.pcm -DNAME=strict_ -DSTRICT=,strict
// RUN: %clang_cc1 -std=c++20 -fopenmp -emit-module-interface %t/node.cppm -o %t/one.pcm -DNAME=one -DSTRICT=,1
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/node.pcm -fmodule-file=same=%t/same.pcm -DOTHER=same -verify=same %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/node.pcm -fmodule-file=thread_=%t/thread.pcm -DOTHER=thread_ -verify %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/node.pcm -fmodule-file=strict_=%t/strict.pcm -DOTHER=strict_ -verify %t/use.cpp
// RUN: %clang_cc1 -std=c++20 -fopenmp -fmodule-file=placed=%t/node.pcm -fmodule-file=one=%t/one.pcm -DOTHER=one -verify %t/use.cpp

// The kind and the strictness are part of the profile of a statement: functions
// that differ in nothing else are not the same.

//--- header.h
inline void placed(int n) {
#pragma omp task affinity(KIND: n STRICT)
  ;
}

//--- node.cppm
module;
#ifndef NAME
#define NAME placed
#endif
#ifndef KIND
#define KIND node
#endif
#ifndef STRICT
#define STRICT
#endif
#include "header.h"
export module NAME;
export using ::placed;

//--- use.cpp
// same-no-diagnostics
import placed;
import OTHER;

void use() { placed(1); }
// expected-error@header.h:1 {{'placed' has different definitions in different modules; definition in module}}
// expected-note@header.h:1 {{but in}}
