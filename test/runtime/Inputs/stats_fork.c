// 100 tasks, then 70 in each of two forked children and 30 in a child of the
// second one; a third child has none. With "late" the parent has none before.
// Prints the numbers of the processes: parent, children, grandchild.

#include "check.h"
#include <sys/wait.h>

static void run(int Tasks) {
  int Ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int I = 0; I < Tasks; ++I)
#pragma omp task shared(Ran)
    add(&Ran, 1);
  CHECK_EQUAL(Ran, Tasks, "tasks");
}

/// A child that ends as a program does.
static int start(int Tasks, int TasksOfChild) {
  fflush(stdout);
  const pid_t Child = fork();
  CHECK(Child >= 0, "fork");
  if (Child == 0) {
    if (Tasks)
      run(Tasks);
    if (TasksOfChild)
      start(TasksOfChild, 0);
    exit(0);
  }
  int Status;
  CHECK(waitpid(Child, &Status, 0) == Child && Status == 0, "a child failed");
  printf("%d\n", (int)Child);
  return Child;
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  const int Late = Count > 1;
  printf("%d\n", (int)getpid());
  if (!Late)
    run(60);
  start(70, 0);
  start(70, 30);
  start(0, 0);
  run(Late ? 100 : 40);
  return 0;
}
