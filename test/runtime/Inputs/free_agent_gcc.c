// A reduction over tasks, by gcc: called in tasks that free agents run.
int sumOfTasks(void) {
  int Sum = 0;
#pragma omp taskgroup task_reduction(+ : Sum)
  for (int I = 0; I < 10; ++I)
#pragma omp task in_reduction(+ : Sum) if (I & 1)
    Sum += I;
  return Sum;
}
