// What depend names may be a token of which nobody knows the node, or tokens
// that are all on one node. Tasks that only have such dependences go to whoever
// is idle, as if nobody had looked where the token is. Tokens on all nodes are
// data: their tasks are left to their nodes.
//
// RUN: %build
// RUN: env HWLOC_SYNTHETIC="node:4 pu:2" OMP_NUM_THREADS=8 OMP_WAIT_POLICY=active %run %t order
// RUN: env HWLOC_SYNTHETIC="node:4 pu:2" OMP_NUM_THREADS=8 OMP_WAIT_POLICY=passive %run %t asleep
//
// On real nodes: guest.test runs "chains".

#include "check.h"

// Page N is that of node N, the last one that of no node.
enum { Nodes = 4, Nowhere = Nodes };
static int TokensOfPage;
static char *Pages;
static int Questions;

/// Stands between the runtime and the kernel.
long move_pages(int Process, unsigned long Count, void **Asked,
                const int *Where, int *Status, int Flags) {
  if (!Pages)
    return syscall(SYS_move_pages, Process, Count, Asked, Where, Status, Flags);
  add(&Questions, 1);
  for (unsigned long I = 0; I < Count; ++I) {
    long Page = ((char *)Asked[I] - Pages) / TokensOfPage;
    Status[I] = Page >= 0 && Page < Nodes ? (int)Page : -ENOENT;
  }
  return 0;
}

static void work(double Seconds) {
  for (double Start = seconds(); seconds() - Start < Seconds;)
    ;
}

/// \p Count tasks with a token each on \p Node. They take long enough to be
/// worth a question.
static void run(int Node, int Count) {
  for (int I = 0; I < Count; ++I) {
    char *Token = Pages + Node * TokensOfPage + I;
#pragma omp task depend(inout : *Token)
    work(2e-5);
  }
#pragma omp taskwait
}

// Who runs what. Thread 0 keeps out of it, thread 7, on node 3, creates the
// tasks, and all others are held, but for those that shall take them.

static int Held, Done, Ran;
static int Go[8];
static char Order[8];

static void note(char Name) {
  Order[get(&Ran)] = Name; // one thief
  add(&Ran, 1);
}

static void hold(int Thread) {
  set(&Go[Thread], 0);
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Thread, 1);
#pragma omp task firstprivate(Thread)
  {
    add(&Held, 1);
    WAIT_FOR(&Go[Thread], 1);
  }
}

enum { Director = 7, Thief = 2 };

static void token(int Node, char Name) {
  char *Token = Pages + Node * TokensOfPage;
#pragma omp task depend(inout : *Token)
  note(Name);
}
static void plain(char Name) {
#pragma omp task
  note(Name);
}
static void wish(int Node, char Name) {
  omp_set_task_affinity(omp_affinity_node, (uintptr_t)Node, 0);
#pragma omp task
  note(Name);
}

/// Calls \p Create while everybody is held, then lets the thief have what it
/// made: two tasks, in the order of \p Wanted.
#define CHECK_ORDER(Wanted, Create, What)                                      \
  do {                                                                         \
    Held = Ran = 0;                                                            \
    memset(Order, 0, sizeof(Order));                                           \
    for (int T = 1; T < Director; ++T)                                         \
      hold(T);                                                                 \
    WAIT_FOR(&Held, Director - 1);                                             \
    Create;                                                                    \
    set(&Go[Thief], 1);                                                        \
    WAIT_FOR(&Ran, 2);                                                         \
    if (strcmp(Order, Wanted) != 0)                                            \
      FAIL("%s: the thief took %s, not %s", What, Order, Wanted);              \
    for (int T = 1; T < Director; ++T)                                         \
      set(&Go[T], 1);                                                          \
    _Pragma("omp taskwait")                                                    \
  } while (0)

/// \p Count questions at most for 1000 tasks on \p Node.
static void checkQuestions(int Node, int Most) {
  set(&Questions, 0);
  run(Node, 1000);
  if (get(&Questions) > Most)
    FAIL("1000 tasks with tokens on node %d: the kernel was asked %d times",
         Node, get(&Questions));
}

/// The thief, on node 1, comes by node 2, then 3, then 0.
static void checkOrder(void) {
  for (int I = 0; I < 200; ++I)
    run(I % Nodes, 1);
  CHECK_ORDER("wt", (wish(2, 'w'), token(0, 't')), "data on all nodes");
  run(0, 400);
  CHECK_ORDER("tw", (wish(2, 'w'), token(0, 't')), "tokens on one node");
  checkQuestions(0, 500);
  run(3, 2000);
  // Its creator is on the same node, and has it in its own list.
  CHECK_ORDER("tp", (token(3, 't'), plain('p')), "tokens on the own node");
  run(Nowhere, 100);
  CHECK_ORDER("tp", (token(Nowhere, 't'), plain('p')), "tokens without memory");
  checkQuestions(Nowhere, 500);
}

/// Node 0 has no time for its task; others may sleep.
static void checkAsleep(void) {
  run(0, 400);
  for (int Round = 0; Round < 50; ++Round) {
    Held = Ran = 0;
    hold(1);
    WAIT_FOR(&Held, 1);
    token(0, 't');
    WAIT_FOR(&Ran, 1);
    set(&Go[1], 1);
#pragma omp taskwait
  }
}

/// Chains of tasks over tokens of one page: other nodes take some of them as
/// soon as these are too many. The second half waits for that on the page's own
/// node. (guest.test lets nobody take a task of another node just because it
/// has waited for long.)
static void checkChains(void) {
  enum { Chains = 64, Length = 20 };
  static char Tokens[Chains];
  int Elsewhere = 0;
  memset(Tokens, 1, sizeof(Tokens));
  const int Home = teamNodeOf(osNodeOf(Tokens));
  const int IsBound = omp_get_proc_bind() != omp_proc_bind_false;
#pragma omp parallel
#pragma omp masked
  for (int I = 0; I < Chains * Length; ++I) {
    char *Token = Tokens + I % Chains;
#pragma omp task depend(inout : *Token) shared(Elsewhere)
    {
      work(2e-6);
      if (nodeHere() != Home)
        set(&Elsewhere, 1);
      else if (IsBound && I >= Chains * Length / 2)
        WAIT_FOR(&Elsewhere, 1);
    }
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2, "usage: order | asleep | chains");
  if (strcmp(argv[1], "chains") == 0) {
    checkChains();
    return 0;
  }
  CHECK(isSynthetic() && omp_get_max_threads() == 8, "not the test's machine");
  TokensOfPage = getpagesize();
  Pages = newPages(Nodes + 1);
  void (*Check)(void) =
      strcmp(argv[1], "order") == 0 ? checkOrder : checkAsleep;
#pragma omp parallel
#pragma omp masked
  {
    omp_set_task_affinity(omp_affinity_thread, Director, 1);
#pragma omp task
    {
      Check();
      set(&Done, 1);
    }
    WAIT_FOR(&Done, 1);
  }
  return 0;
}
