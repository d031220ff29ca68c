// The thread-local variable of tasks in place is one and the same in the
// program, its libraries and the runtime, however they are linked. Where it is
// not, tasks are ordinary ones.
//
// The library's accessor of the variable is a part of it, so that it shows
// which one the library's tasks use.
// RUN: %clang -O2 -fPIC -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -O2 -c %S/Inputs/inline_library.c -o %t.library.o
// RUN: %clang -O2 -fPIC -c %S/Inputs/inline_library.c -o %t.shared.o
// RUN: %clang -shared %t.shared.o %t.state.o -o %t.so
//
// RUN: %clang -O2 %s %t.library.o %t.state.o -o %t.object
// RUN: %run %t.object
// RUN: %clang -O2 -fno-pie -no-pie %s %S/Inputs/inline_library.c %t.state.o -o %t.nopie
// RUN: %run %t.nopie
// RUN: rm -f %t.a
// RUN: ar rc %t.a %t.library.o %t.state.o
// RUN: %clang -O2 %s %t.a -o %t.archive
// RUN: %run %t.archive
// RUN: %clang -O2 -fvisibility=hidden %s %t.so -o %t.linked
// RUN: %run %t.linked
// RUN: %clang -O2 -DLOAD='"%t.so"' %s -o %t.loaded
// RUN: %run %t.loaded
// A program without tasks, and a library that brings the runtime with it:
// RUN: %clang -O2 -fno-openmp -DLOAD='"%t.so"' -DALONE %s -o %t.alone
// RUN: %run %t.alone

#include <dlfcn.h>
#include <stdio.h>

#ifndef ALONE
static long fib(int N) {
  if (N < 2)
    return N;
  long A, B;
#pragma omp task shared(A)
  A = fib(N - 1);
#pragma omp task shared(B)
  B = fib(N - 2);
#pragma omp taskwait
  return A + B;
}
#else
static long fib(int N) { return N == 15 ? 610 : -1; }
#endif

int depthInLibrary(int N, long *Result);

/// Any argument: no task must run in place.
int main(int Count, char **Arguments) {
  int (*Function)(int, long *);
#ifdef LOAD
  void *Library = dlopen(LOAD, RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  *(void **)&Function = dlsym(Library, "depthInLibrary");
#else
  Function = depthInLibrary;
#endif
  long Here = 0, There = 0;
#pragma omp parallel
#pragma omp single
  Here = fib(15);
  int Depth = Function(12, &There);
  int Expected = Count > 1 ? 0 : 11;
  if (Here != 610 || There != 144 || (Depth == 0) != (Expected == 0) ||
      Depth > Expected) {
    fprintf(stderr, "%s: %ld, %ld, %d tasks in place\n", Arguments[0], Here,
            There, Depth);
    return 1;
  }
  return 0;
}
