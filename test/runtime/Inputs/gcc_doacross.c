// Loops whose iterations wait for earlier ones, also in a team of one thread.

#include "check.h"

enum { Count = 40 };

int main(void) {
  int Done[Count] = {1};
#pragma omp parallel for ordered(1)
  for (int I = 1; I < Count; ++I) {
#pragma omp ordered depend(sink : I - 1)
    CHECK_EQUAL(get(&Done[I - 1]), 1, "the iteration before");
    set(&Done[I], 1);
#pragma omp ordered depend(source)
  }
  return 0;
}
