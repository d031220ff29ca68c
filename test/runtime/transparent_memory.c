// Transparent tasks keep no memory where nobody else could wait for their
// children: in a team of one thread.
//
// RUN: %build -fopenmp-version=60
// RUN: %run-each --threads 1 %t

#include "check.h"

enum { Many = 20000, Rounds = 5, MostPages = 1000 };
static int X, Ran;

static long pages(void) {
  long Size, Pages = 0;
  FILE *File = fopen("/proc/self/statm", "r");
  const int Found = File ? fscanf(File, "%ld %ld", &Size, &Pages) : 0;
  CHECK_EQUAL(Found, 2, "numbers in /proc/self/statm");
  fclose(File);
  return Pages;
}

static void nested(void) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Many; ++I)
#pragma omp task
  {
#pragma omp task transparent
    add(&Ran, 1);
#pragma omp task transparent if (0)
#pragma omp task depend(inout : X)
    add(&Ran, 1);
  }
}

int main(void) {
  nested(); // what threads keep for later
  const long Before = pages();
  for (int I = 0; I < Rounds; ++I)
    nested();
  const long More = pages() - Before;
  CHECK(More < MostPages, "%ld pages more than before", More);
  CHECK_EQUAL(Ran, 2 * (1 + Rounds) * Many, "tasks");
  return 0;
}
