// Tasks of one construct, in lines 10 and 11.

#include <stdio.h>

int main(void) {
  int Ran = 0;
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < 100; ++I)
#pragma omp task shared(Ran)
    for (volatile int Spin = 0; Spin < 100; ++Spin)
#pragma omp atomic
      ++Ran;
  printf("%d\n", Ran);
  return Ran != 10000;
}
