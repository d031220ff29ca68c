// A library with tasks that a program loads, uses and closes again and again
// leaves no memory behind.
//
// RUN: %clang -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: gcc -O1 %s -o %t -ldl
// RUN: %run --env OMP_NUM_THREADS=2 %t %t.so
//
// REQUIRES: gcc

#ifdef LIBRARY

long work(void) {
  long Sum = 0;
  int X[8] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int I = 0; I < 20000; ++I) {
#pragma omp task depend(inout : X[I % 8]) shared(Sum, X)
    X[I % 8]++;
#pragma omp task shared(Sum)
    __atomic_add_fetch(&Sum, 1, __ATOMIC_SEQ_CST);
  }
  return Sum;
}

#else

#include <dlfcn.h>
#include <stdio.h>

/// Resident memory of the process, in KiB.
static long resident(void) {
  long All = 0, Here = 0;
  FILE *File = fopen("/proc/self/statm", "r");
  if (!File || fscanf(File, "%ld %ld", &All, &Here) != 2)
    return -1;
  fclose(File);
  return Here * 4;
}

int main(int Count, char **Arguments) {
  enum { Warm = 20, Cycles = 150, Most = 15 }; // KiB a cycle
  long Before = 0;
  if (Count != 2)
    return 2;
  for (int I = 0; I < Warm + Cycles; ++I) {
    void *Library = dlopen(Arguments[1], RTLD_NOW | RTLD_LOCAL);
    long (*Work)(void) =
        Library ? (long (*)(void))dlsym(Library, "work") : NULL;
    if (!Work || Work() != 20000) {
      fprintf(stderr, "the library does not work: %s\n", dlerror());
      return 1;
    }
    dlclose(Library);
    if (I + 1 == Warm)
      Before = resident();
  }
  // 33 KiB a cycle were left. What libomp itself leaves is about one.
  const long Grown = resident() - Before;
  if (Grown > Cycles * Most)
    fprintf(stderr, "%ld KiB in %d cycles\n", Grown, Cycles);
  return Grown > Cycles * Most;
}

#endif
