// Calls kmp_set_defaults with each argument in turn; "long" stands for a file
// name that is too long, "wait" for a line of input at the end. Then runs some
// tasks.

#include "check.h"

#ifdef SECURE
#include <sys/auxv.h>
/// As in a program with the set-user-ID bit.
unsigned long getauxval(unsigned long Type) { return Type == AT_SECURE; }
#endif

int main(int Count, char **Arguments) {
  char Long[2000] = "KMP_TASK_STATS=";
  memset(Long + strlen(Long), 'x', sizeof(Long) - strlen(Long) - 1);
  const int Waits = Count > 1 && !strcmp(Arguments[Count - 1], "wait");
  for (int I = 1; I < Count - Waits; ++I)
    kmp_set_defaults(strcmp(Arguments[I], "long") ? Arguments[I] : Long);
  int Ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int I = 0; I < 10; ++I)
#pragma omp task shared(Ran)
    add(&Ran, 1);
  CHECK_EQUAL(Ran, 10, "tasks");
  if (Waits) {
    puts("waits");
    fflush(stdout);
    getchar();
  }
  return 0;
}
