// A chain of tasks, each of which creates the next and does not wait for it,
// takes no more stack the longer it is, though all run in place: while the
// other thread is in a task, nobody wants them. Nor much, if each has variables
// of 8 KB: it fits in a stack of 1 MB.
//
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -I%S/Inputs %s %t.state.o -o %t
// RUN: %run-each --threads 2 --policies active %t
// RUN: %clang -I%S/Inputs -mllvm -openmp-task-inline=false %s %t.state.o -o %t.drafts
// RUN: %run-each --threads 2 --policies active %t.drafts

#include "check.h"
#include "inline_state.h"

// libomp looks through all ancestors of a task.
enum {
  LongChain = 20000,
  GroupChain = 4000,
  Queued = 300,
  Bytes = 8192,
  MostStack = 768 * 1024
};

static char *Start;
static int Links, Begun, Over, Deepest, InPlace;

static void touch(char *Memory) {
  __asm__ volatile("" ::"r"(Memory) : "memory");
}

static void chain(int Left, int Group) {
  char Here;
  // The task that continues it may run on any thread, from another frame.
  if (Left == Links)
    Start = &Here;
  if (omp_get_thread_num() == 0 && Start - &Here > Deepest)
    Deepest = (int)(Start - &Here);
  if (inlineDepth())
    add(&InPlace, 1);
  if (Left == 0) {
    set(&Over, 1);
    return;
  }
  if (Group) { // makes it a real task
#pragma omp taskgroup
    {
    }
  }
#pragma omp task firstprivate(Left, Group)
  {
    char Memory[Bytes];
    touch(Memory);
    chain(Left - 1, Group);
    touch(Memory);
  }
}

int main(void) {
  for (int Group = 0; Group < 2; ++Group) {
    Links = Group ? GroupChain : LongChain;
    Begun = Over = Deepest = InPlace = 0;
#pragma omp parallel
#pragma omp masked
    {
#pragma omp task
      {
        set(&Begun, 1);
        WAIT_FOR(&Over, 1);
      }
      WAIT_FOR(&Begun, 1);
      for (int I = 0; I < Queued; ++I) {
#pragma omp task
        add(&InPlace, 0);
      }
      // In an explicit task: behind each task that an implicit one has waited
      // for, its thread's next task is a real one.
#pragma omp task
#pragma omp taskgroup
      chain(Links, Group);
#pragma omp taskwait
    }
    CHECK(Deepest < MostStack, "%d bytes of stack", Deepest);
    if (!Group)
      CHECK(InPlace > Links / 2, "only %d of %d in place", InPlace, Links);
  }
  return 0;
}
