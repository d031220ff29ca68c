// A matrix in blocks of rows, and ten updates A += u u^T, with a common mistake: one thread touches
// the whole matrix first, so all of it lies on one NUMA node. docs/tutorial.md finds it.
//
//     $LOCUS/bin/clang -fopenmp -O2 -g slow.c -o slow
//     OMP_PROC_BIND=close OMP_PLACES=cores ./slow
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024, Rows = 32, Blocks = N / Rows, Steps = 10 };
static double (*a)[Rows][N]; // a block has 256 KiB: whole pages
static double u[N];

static void clear(int b) {
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < N; ++j)
      a[b][i][j] = 0;
}

static void update(int b) {
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < N; ++j)
      a[b][i][j] += u[b * Rows + i] * u[j];
}

static int is_right(void) {
  for (int b = 0; b < Blocks; ++b)
    for (int i = 0; i < Rows; ++i)
      for (int j = 0; j < N; ++j)
        if (a[b][i][j] != Steps * u[b * Rows + i] * u[j])
          return 0;
  return 1;
}

int main(void) {
  a = aligned_alloc(4096, sizeof(double[N][N]));
  if (!a)
    return 1;
  for (int i = 0; i < N; ++i)
    u[i] = 1 + i % 3;
  for (int b = 0; b < Blocks; ++b)
    clear(b);
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < Steps; ++step)
    for (int b = 0; b < Blocks; ++b)
#pragma omp task depend(inout: a[b])
      update(b);
  puts(is_right() ? "right" : "WRONG");
  return !is_right();
}
