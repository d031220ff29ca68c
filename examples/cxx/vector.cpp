// A std::vector that main has filled, so that all of it lies on one node. One call spreads it over
// the nodes; the tasks of the taskloop follow their own iterations.
//
//     $LOCUS/bin/clang++ -fopenmp -O2 vector.cpp -o vector
//     OMP_PROC_BIND=close OMP_PLACES=cores ./vector
#include <cstdio>
#include <cstring>
#include <omp.h>
#include <vector>

int main() {
  std::vector<double> values(1 << 22, 1.0);
  double *p = values.data();
  const long size = long(values.size());
  double sum = 0;
#pragma omp parallel
#pragma omp single
  {
    // In the team, as its nodes count. A page that is cut by the vector's ends stays where it is.
    if (int error = omp_set_data_nodes(p, size * sizeof(*p), omp_data_blocked, 0, 1))
      std::printf("the vector stays where it is: %s\n", std::strerror(error));
#pragma omp taskloop affinity(data: p[i]) grainsize(1 << 16)
    for (long i = 0; i < size; ++i)
      p[i] *= 2;
#pragma omp taskloop affinity(data: p[i]) grainsize(1 << 16) reduction(+ : sum)
    for (long i = 0; i < size; ++i)
      sum += p[i];
  }
  std::printf("sum %.0f\n", sum);
  return sum != 2.0 * size;
}
