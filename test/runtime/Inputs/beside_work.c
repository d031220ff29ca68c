// A library with a loop and tasks; whether both compute what they should.
int work(void) {
  long Sum = 0, Tasks = 0;
#pragma omp parallel for reduction(+ : Sum) num_threads(3)
  for (int I = 0; I < 1000; ++I)
    Sum += I;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int I = 0; I < 100; ++I) {
#pragma omp task shared(Tasks) firstprivate(I)
#pragma omp atomic
    Tasks += I;
  }
  return Sum == 499500 && Tasks == 4950;
}
