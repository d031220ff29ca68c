// What a trace has to cope with: trace kinds|threads|kill|fork|close|exit|many

#include "check.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static int Ran;
static char Cells[8][64];

/// \p Number tasks that depend on each other.
static void chain(int Number) {
  for (int I = 0; I < Number; ++I) {
#pragma omp task depend(in : Cells[I % 8]) depend(inout : Cells[(I + 1) % 8])
    add(&Ran, 1);
  }
#pragma omp taskwait
}

static void nested(int Level) {
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int I = 0; I < 10; ++I) {
#pragma omp task
    {
      add(&Ran, 1);
      if (Level > 0 && I == 0)
        nested(Level - 1);
    }
  }
}

static void detached(void) {
  for (int I = 0; I < 5; ++I) {
    omp_event_handle_t Event = (omp_event_handle_t)0;
#pragma omp task detach(Event) depend(out : Cells[0])
    add(&Ran, 1);
#pragma omp task
    omp_fulfill_event(Event);
#pragma omp task depend(in : Cells[0])
    add(&Ran, 1);
  }
#pragma omp taskwait
}

static void untied(void) {
  for (int I = 0; I < 20; ++I) {
#pragma omp task untied
    {
      add(&Ran, 1);
#pragma omp taskyield
#pragma omp task
      add(&Ran, 1);
#pragma omp taskwait
    }
  }
#pragma omp taskwait
}

static void loop(unsigned long None) {
#pragma omp taskloop grainsize(2)
  for (int I = 0; I < 100; ++I)
    add(&Ran, 1);
#pragma omp taskloop
  for (unsigned long I = 0; I < None; ++I)
    add(&Ran, 1);
#pragma omp taskloop num_tasks(200)
  for (int I = 0; I < 1000; ++I)
    add(&Ran, 1);
}

static void cancelled(void) {
#pragma omp taskgroup
  {
    for (int I = 0; I < 30; ++I) {
#pragma omp task
      {
#pragma omp cancel taskgroup
        add(&Ran, 1);
      }
    }
  }
}

static void undeferred(void) {
#pragma omp task if (0)
  {
#pragma omp task final(1)
    {
#pragma omp task
      add(&Ran, 1);
    }
#pragma omp taskwait
  }
#pragma omp task if (0) depend(inout : Cells[0])
  add(&Ran, 1);
}

static void allKinds(void) {
#pragma omp task // outside of all regions
  add(&Ran, 1);
#pragma omp parallel num_threads(1)
#pragma omp task depend(inout : Cells[0])
  add(&Ran, 1);
  nested(2);
#pragma omp parallel
  {
#pragma omp single
    {
      chain(100);
      detached();
      untied();
      loop(0);
      cancelled();
      undeferred();
      for (int I = 0; I < 600; ++I) { // more than a list holds
#pragma omp task priority(I % 3)
        add(&Ran, 1);
      }
    }
#pragma omp barrier
#pragma omp task
    add(&Ran, 1);
  }
}

static void many(int Number) {
#pragma omp parallel
#pragma omp single
  for (int I = 0; I < Number; ++I) {
#pragma omp task
    add(&Ran, 1);
  }
}

/// 300 threads, each of which creates a task.
static void manyThreads(void) {
#pragma omp parallel num_threads(300)
#pragma omp task
  add(&Ran, 1);
  CHECK_EQUAL(Ran, 300, "tasks");
}

static void forks(void) {
  many(100);
  for (int Tasks = 50; Tasks >= 0; Tasks -= 50) {
    const pid_t Child = fork();
    if (Child == 0) {
      if (Tasks)
        many(Tasks);
      exit(0);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    CHECK_EQUAL(Status, 0, "the child's status");
    printf("%d\n", (int)Child);
  }
  many(100);
}

/// As daemons do; another file gets the number of ours.
static void closesAll(const char *Other) {
  many(10);
  for (int Descriptor = 3; Descriptor < 100; ++Descriptor)
    close(Descriptor);
  for (int I = 0; I < 50; ++I)
    CHECK(freopen(Other, "w", fopen(Other, "w")), "%s", strerror(errno));
  many(10000);
}

int main(int Count, char **Arguments) {
  const char *What = Count > 1 ? Arguments[1] : "kinds";
  if (strcmp(What, "kinds") == 0) {
    allKinds();
  } else if (strcmp(What, "threads") == 0) {
    manyThreads();
  } else if (strcmp(What, "fork") == 0) {
    forks();
  } else if (strcmp(What, "close") == 0) {
    closesAll(Arguments[2]);
  } else if (strcmp(What, "many") == 0) {
    many(20000);
  } else if (strcmp(What, "talk") == 0) {
    many(200);
    fprintf(stderr, "this belongs to no trace\n");
    many(200);
  } else {
    const struct rlimit NoCore = {0, 0};
    setrlimit(RLIMIT_CORE, &NoCore);
    many(20000);
#pragma omp parallel
#pragma omp single
#pragma omp task
    {
      if (strcmp(What, "kill") == 0)
        raise(SIGKILL);
      exit(0);
    }
  }
  return 0;
}
