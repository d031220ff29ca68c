// A parallel region, and, with an argument, a task in it.
int main(int ArgCount, char **Args) {
  (void)Args;
  int Sum = 0;
#pragma omp parallel
#pragma omp single
  {
    if (ArgCount > 1) {
#pragma omp task affinity(thread : 1, strict) shared(Sum)
      ++Sum;
    }
  }
  return Sum != ArgCount - 1;
}
