// A team that takes turns with a few sizes, bindings and sets of threads keeps
// the queues that it had for each: a task is where its hint says, and none is
// lost, whichever team was there before.
//
// RUN: %build
// RUN: %run-each --threads 3,8 %t
// RUN: %run-each --threads 13 --policies passive %t
// RUN: %run-each --threads 8 --policies active --env KMP_HOT_TEAMS_MODE=1 --env KMP_HOT_TEAMS_MAX_LEVEL=2 %t
// RUN: %run-each --threads 8 --policies active --env KMP_TASK_QUEUES=numa %t
// RUN: %run --env OMP_NUM_THREADS=8 --env OMP_PLACES='{0},{0},{0}' --env OMP_PROC_BIND=spread,close %t
// RUN: %run --env OMP_NUM_THREADS=4 --env KMP_AFFINITY=balanced %t

#include "check.h"

enum { Turns = 6, Loose = 6, Phases = 3, MostThreads = 64 };

static int Misplaced, Ran;
/// Of a region that is not nested: whether it is bound, the node that each
/// thread is on, and the one that the task for each team node ran on.
static int IsBound, NodeOf[MostThreads], RanOn[Phases][MostThreads];

static int syntheticNodes(int Threads) {
  return syntheticNodeOf((Threads < 8 ? Threads : 8) - 1) + 1;
}

/// A thread's part of a phase: tasks for everybody with children of their own,
/// one for each thread, and one for each node, which thread 0 creates. Returns
/// how many.
static int create(int Phase) {
  const int Threads = omp_get_num_threads(), Nodes = omp_get_num_nodes();
  for (int I = 0; I < Loose; ++I) {
#pragma omp task
    {
      dither((unsigned)I);
#pragma omp task
      add(&Ran, 1);
      add(&Ran, 1);
    }
  }
  if (omp_get_thread_num() != 0)
    return 2 * Loose;
  for (int T = 0; T < Threads; ++T) {
    omp_set_task_affinity(omp_affinity_thread, (uintptr_t)T, 1);
#pragma omp task firstprivate(T)
    {
      add(&Misplaced, omp_get_thread_num() != T);
      add(&Ran, 1);
    }
  }
  for (int N = 0; N < Nodes; ++N) {
    omp_set_task_affinity(omp_affinity_node, (uintptr_t)N, 1);
#pragma omp task firstprivate(N, Phase)
    {
      add(&Misplaced, isSynthetic() && nodeHere() != N);
      set(&RanOn[Phase][N], nodeHere()); // for checkNodes()
      add(&Ran, 1);
    }
  }
  return 2 * Loose + Threads + Nodes;
}

/// Three phases, so that both task teams have tasks, and the second one of the
/// next region begins with them.
static void work(int *Created) {
  if (getenv("KMP_AFFINITY")) { // balanced: each thread binds itself
#pragma omp barrier
  }
  if (isSynthetic())
    CHECK_EQUAL(omp_get_num_nodes(), syntheticNodes(omp_get_num_threads()),
                "nodes of the team");
  if (omp_get_level() == 1)
    set(&NodeOf[omp_get_thread_num()], nodeHere());
  if (omp_get_thread_num() == 0)
    set(&IsBound, omp_get_proc_bind() != omp_proc_bind_false);
  for (int Phase = 0; Phase < Phases; ++Phase) {
    add(Created, create(Phase));
#pragma omp barrier
  }
}

static void checkAll(const char *What, const int *Created) {
  CHECK_EQUAL(get(&Misplaced), 0, What);
  CHECK_EQUAL(get(&Ran), get(Created), What);
  set(&Ran, 0);
}

/// Team nodes are numbered as they first appear by thread.
static void checkNodes(int Threads) {
  for (int T = 0, Node = 0; T < Threads; ++T) {
    int First = 0;
    while (NodeOf[First] != NodeOf[T])
      ++First;
    for (int Phase = 0; First == T && Phase < Phases; ++Phase)
      CHECK_EQUAL(RanOn[Phase][Node], NodeOf[T], "node of a task");
    Node += First == T;
  }
}

static void region(int Threads, int Bind) {
  int Created = 0;
  if (Bind) {
#pragma omp parallel num_threads(Threads) proc_bind(close)
    work(&Created);
  } else {
#pragma omp parallel num_threads(Threads)
    work(&Created);
  }
  checkAll("a region", &Created);
  if (IsBound)
    checkNodes(Threads);
}

static void nested(int Turn, const int *Sizes) {
  int Created = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(Sizes[(Turn + omp_get_thread_num()) % 3])
    work(&Created);
#pragma omp barrier
  }
  checkAll("nested regions", &Created);
}

int main(void) {
  const int Most = omp_get_max_threads();
  const int Sizes[3] = {Most, Most / 2 + 1, Most / 2};
  CHECK(Most <= MostThreads, "more threads than the test knows");
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int Turn = 0; Turn < Turns; ++Turn)
    for (int I = 0; I < 3; ++I)
      region(Sizes[I], 0);
  for (int Turn = 0; Turn < Turns; ++Turn) { // as many threads, other places
    region(Most, 0);
    region(Most, 1);
  }
  for (int Turn = 0; Turn < Turns; ++Turn) {
    nested(Turn, Sizes);
    region(Sizes[Turn % 3], Turn % 2);
  }
  for (int Turn = 0; Turn < Turns; ++Turn) // more sizes than are kept
    for (int Threads = 1; Threads <= Most; ++Threads)
      region(1 + Threads * 3 % Most, 0);
  return 0;
}
