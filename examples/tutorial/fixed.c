// slow.c, mended: the matrix is spread over the nodes, and each task follows its block.
// docs/tutorial.md tells how we got here.
//
//     $LOCUS/bin/clang -fopenmp -O2 -g fixed.c -o fixed
//     OMP_PROC_BIND=close OMP_PLACES=cores ./fixed
#include <omp.h>
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
  omp_set_data_nodes(a, sizeof(double[N][N]), omp_data_blocked, 0, 1); // each node gets a part
  for (int i = 0; i < N; ++i)
    u[i] = 1 + i % 3;
  for (int b = 0; b < Blocks; ++b)
    clear(b);
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < Steps; ++step)
    for (int b = 0; b < Blocks; ++b)
#pragma omp task affinity(data: a[b]) depend(inout: a[b])
      update(b);
  puts(is_right() ? "right" : "WRONG");
  return !is_right();
}
