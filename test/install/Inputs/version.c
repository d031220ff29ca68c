// Prints the version that omp.h says, and starts the runtime.
#include <omp.h>
#include <stdio.h>

int main(void) {
  printf("%d.%d.%d\n", LOCUS_VERSION / 10000, LOCUS_VERSION / 100 % 100, LOCUS_VERSION % 100);
  return omp_get_max_threads() < 1;
}
