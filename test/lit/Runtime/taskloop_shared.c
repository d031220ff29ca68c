// RUN: %clang -w -fopenmp -O0 %s -o %t && %t
// RUN: %clang -w -fopenmp -O2 %s -o %t && %t

// Local variables without a clause on taskloops: shared in a parallel region,
// also where the taskloop is combined with it, and firstprivate elsewhere.

#include <stdio.h>

static int Failures;
static void expect(const char *Directive, long Is, long Wanted) {
  if (Is == Wanted)
    return;
  printf("%s: %ld, not %ld\n", Directive, Is, Wanted);
  Failures++;
}

#define P_(...) _Pragma(#__VA_ARGS__)
#define P(...) P_(omp __VA_ARGS__)
#define LOOP                                                                   \
  for (int I = 0; I < 7; ++I)                                                  \
    if (I == 3)                                                                \
      Last += 8, Array[2] += Known;
#define CASE(Wanted, Region, ...)                                              \
  {                                                                            \
    long Last = 1;                                                             \
    int Array[4] = {1, 2, 3, 4}, Known = 5;                                    \
    Region P(__VA_ARGS__)                                                      \
        LOOP expect(#Region #__VA_ARGS__, Last + Array[2], 4 + Wanted);        \
  }

int main(void) {
  CASE(13, , parallel master taskloop)
  CASE(13, , parallel masked taskloop)
  CASE(13, , parallel master taskloop simd)
  CASE(13, , parallel masked taskloop simd)
  CASE(13, , parallel master taskloop default(shared))
  CASE(13, , parallel master taskloop firstprivate(Known))
  CASE(13, , parallel masked taskloop private(Failures) grainsize(2))
  CASE(13, P(parallel), master taskloop)
  CASE(13, P(parallel) P(single), taskloop)
  CASE(8, , parallel master taskloop firstprivate(Array))
  CASE(5, , parallel master taskloop firstprivate(Last))
  CASE(0, , taskloop)
  CASE(0, , taskloop simd)
  return Failures != 0;
}
