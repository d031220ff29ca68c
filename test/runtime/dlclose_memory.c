// A library with tasks that a program loads, uses and closes again and again
// leaves no memory behind, nor a file of a trace that is open.
//
// RUN: %clang -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: gcc -O1 %s -o %t -ldl
// RUN: %run --env OMP_NUM_THREADS=2 %t %t.so
// RUN: %run --env OMP_NUM_THREADS=2 --env KMP_TASK_TRACE=%t.trace %t %t.so
// RUN: %locus-trace check %t.trace
//
// REQUIRES: gcc, unloaded

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
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/// Resident memory of the process, in KiB.
static long resident(void) {
  long All = 0, Here = 0;
  FILE *File = fopen("/proc/self/statm", "r");
  if (!File || fscanf(File, "%ld %ld", &All, &Here) != 2)
    return -1;
  fclose(File);
  return Here * 4;
}

/// The number of the next file.
static int nextFile(void) {
  const int File = open("/dev/null", O_RDONLY);
  close(File);
  return File;
}

int main(int Count, char **Arguments) {
  enum { Warm = 20, Cycles = 150, Most = 15 }; // KiB a cycle
  const int Files = nextFile();
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
  if (nextFile() != Files)
    fprintf(stderr, "files are open: %d, not %d\n", nextFile(), Files);
  return Grown > Cycles * Most || nextFile() != Files;
}

#endif
