// fib, a wavefront by dependences and nested taskloops, again and again, each
// time with the sum that it has to give: repeat TIMES. scripts/test-aarch64
// runs it on emulated processors.

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static long fib(int N) {
  if (N < 2)
    return N;
  long A, B;
#pragma omp task shared(A)
  A = fib(N - 1);
  B = fib(N - 2);
#pragma omp taskwait
  return A + B;
}

enum { Side = 12 };

/// The number of paths to the last corner: plain loads and stores, which
/// nothing but the dependences puts in order.
static long wavefront(void) {
  static long Paths[Side][Side];
  for (int I = 0; I < Side; ++I)
    for (int J = 0; J < Side; ++J) {
      if (I == 0 || J == 0) {
#pragma omp task depend(out : Paths[I][J])
        Paths[I][J] = 1;
        continue;
      }
#pragma omp task depend(in : Paths[I - 1][J], Paths[I][J - 1])                 \
    depend(out : Paths[I][J])
      Paths[I][J] = Paths[I - 1][J] + Paths[I][J - 1];
    }
#pragma omp taskwait
  return Paths[Side - 1][Side - 1];
}

static long loops(void) {
  long Sum = 0;
#pragma omp taskloop grainsize(1) reduction(+ : Sum)
  for (int I = 0; I < 16; ++I) {
    long Part = 0;
#pragma omp taskloop grainsize(4) reduction(+ : Part)
    for (int J = 0; J < 32; ++J)
      Part += I * J;
    Sum += Part;
  }
  return Sum;
}

static int check(const char *What, int Time, long Got, long Expected) {
  if (Got == Expected)
    return 0;
  printf("%s, time %d: %ld, not %ld\n", What, Time, Got, Expected);
  return 1;
}

int main(int Count, char **Values) {
  const int Times = Count > 1 ? atoi(Values[1]) : 1000;
  int Wrong = 0, Threads = 0;
  for (int Time = 0; Time < Times; ++Time) {
#pragma omp parallel
#pragma omp single
    {
      Threads = omp_get_num_threads();
      Wrong += check("fib", Time, fib(10), 55);
      Wrong += check("dependences", Time, wavefront(), 705432);
      Wrong += check("taskloops", Time, loops(), 59520);
    }
    // Emulated, a thousand take long, and may be cut off.
    if (Time % 50 == 49) {
      printf("%d times, %d wrong\n", Time + 1, Wrong);
      fflush(stdout);
    }
  }
  printf("%d times with %d threads, %d wrong\n", Times, Threads, Wrong);
  return Wrong != 0;
}
