// RUN: %clang -w -fopenmp -O0 %s -o %t && %t
// RUN: %clang -w -fopenmp -O2 -mllvm -openmp-task-inline=false %s -o %t && %t

// A compound literal of C lives as long as the block around it, also across a
// task scheduling point of an untied task.

__attribute__((noinline)) static int overwrite(int Value) {
  volatile long Room[300];
  for (int I = 0; I < 300; ++I)
    Room[I] = Value;
  return Room[Value];
}

int main(void) {
  int Kept = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task untied shared(Kept)
  {
    int *Literal = (int[2]){overwrite(4), 5};
#pragma omp taskyield
    overwrite(6);
    Kept = Literal[0] == 4 && Literal[1] == 5;
  }
  return !Kept;
}
