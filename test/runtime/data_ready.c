// A data task is placed when it becomes ready, not when it is created. The page
// is touched by the task that it depends on, so at creation its node is
// unknown; whoever releases it does not matter: a thread that ran the last
// predecessor, a thread that fulfils an event, a foreign thread, a proxy task.
//
// On the pretended machine all pages are on OS node 0. There the policy for
// unknown nodes shows the moment: with "local" a task for an untouched page
// runs on the node of the thread that made it ready.
//
// REQUIRES: numa-calls
// RUN: %build -pthread
// RUN: %run-each %t touch
// RUN: %run-each --env KMP_TASK_UNKNOWN_NODE=local %t local

#include "check.h"
#include <pthread.h>

enum { Rounds = 12 };

static int Ran;

/// The node that a task should run on whose page was touched here.
static int touch(char *Page) {
  *Page = 1;
  return teamNodeOf(osNodeOf(Page));
}

static void nextThread(int Thread) {
  omp_set_task_affinity(omp_affinity_thread, (uintptr_t)Thread, 1);
}
static void nextData(void *Address) {
  omp_set_task_affinity(omp_affinity_data, (uintptr_t)Address, 1);
}

/// The consumer is created while its producer is held back.
static void byProducer(char *Page, int Producer) {
  int Go = 0, Node = -1, Dep;
  nextThread(Producer);
#pragma omp task shared(Go, Node) depend(out : Dep)
  {
    while (!get(&Go))
      sched_yield();
    set(&Node, touch(Page));
  }
  nextData(Page);
#pragma omp task shared(Node) depend(in : Dep)
  {
    CHECK_EQUAL(nodeHere(), get(&Node), "released by its producer");
    add(&Ran, 1);
  }
  set(&Go, 1);
#pragma omp taskwait
}

/// Two predecessors: one touches, the other ends later and releases.
static void byOther(char *Page, int Producer, int Releaser) {
  int Touched = 0, Node = -1, A, B;
  if (Producer == Releaser)
    return;
  nextThread(Producer);
#pragma omp task shared(Touched, Node) depend(out : A)
  {
    set(&Node, touch(Page));
    set(&Touched, 1);
  }
  nextThread(Releaser);
#pragma omp task shared(Touched) depend(out : B)
  WAIT_FOR(&Touched, 1);
  nextData(Page);
#pragma omp task shared(Node) depend(in : A, B)
  {
    CHECK_EQUAL(nodeHere(), get(&Node), "released by another thread");
    add(&Ran, 1);
  }
#pragma omp taskwait
}

struct Outside {
  omp_event_handle_t Event;
  char *Page;
  int Thread, Node, Started;
};

/// A thread that OpenMP does not know touches the page and releases the task.
static void *outside(void *Argument) {
  struct Outside *Task = (struct Outside *)Argument;
  WAIT_FOR(&Task->Started, 1);
  set(&Task->Node, touch(Task->Page));
  omp_fulfill_event(Task->Event);
  return NULL;
}

static void byForeign(char *Page, int Detached) {
  struct Outside Task = {.Page = Page, .Node = -1};
  pthread_t Thread;
  omp_event_handle_t Event = (omp_event_handle_t)0;
  int Dep;
  nextThread(Detached);
#pragma omp task detach(Event) shared(Task) depend(out : Dep)
  {
    CHECK_EQUAL(omp_get_thread_num(), modulo(Detached, omp_get_num_threads()),
                "a detached task");
    Task.Event = Event;
    set(&Task.Started, 1);
  }
  nextData(Page);
#pragma omp task shared(Task) depend(in : Dep)
  {
    CHECK_EQUAL(nodeHere(), get(&Task.Node), "released by a foreign thread");
    add(&Ran, 1);
  }
  // And one that has to be on a thread, whoever releases it.
  nextThread(Detached + 1);
#pragma omp task depend(in : Dep)
  {
    CHECK_EQUAL(omp_get_thread_num(),
                modulo(Detached + 1, omp_get_num_threads()),
                "released by a foreign thread");
    add(&Ran, 1);
  }
  CHECK(pthread_create(&Thread, NULL, outside, &Task) == 0, "no thread");
#pragma omp taskwait
  pthread_join(Thread, NULL);
}

/// A thread of the team fulfils the event of a task that has ended.
static void byFulfiller(char *Page, int Fulfiller) {
  omp_event_handle_t Event = (omp_event_handle_t)0, Copy;
  int Dep, Started = 0, Node = -1;
  nextThread(0);
#pragma omp task detach(Event) shared(Copy, Started) depend(out : Dep)
  {
    Copy = Event;
    set(&Started, 1);
  }
  nextData(Page);
#pragma omp task shared(Node) depend(in : Dep)
  {
    CHECK_EQUAL(nodeHere(), get(&Node), "released by fulfilment");
    add(&Ran, 1);
  }
  nextThread(Fulfiller);
#pragma omp task shared(Copy, Started, Node)
  {
    while (!get(&Started)) {
#pragma omp taskyield
    }
    set(&Node, touch(Page));
    omp_fulfill_event(Copy);
  }
#pragma omp taskwait
}

// A proxy task, as a target construct with nowait makes one; no compiler emits
// one without a device.
typedef struct Proxy {
  void *Shareds;
  int (*Routine)(int, struct Proxy *);
  int Part;
  void *Data[2];
} Proxy;
typedef struct {
  intptr_t Base;
  size_t Length;
  unsigned char Flags;
} Dependence;
int __kmpc_global_thread_num(void *);
Proxy *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                             int (*)(int, Proxy *));
int __kmpc_omp_task_with_deps(void *, int, Proxy *, int, Dependence *, int,
                              Dependence *);
void __kmpc_proxy_task_completed_ooo(Proxy *);

static char *ProxyPage;
static int ProxyNode, ProxyThread, ProxyGo;

static void *completeProxy(void *Task) {
  WAIT_FOR(&ProxyGo, 1);
  set(&ProxyNode, touch(ProxyPage));
  __kmpc_proxy_task_completed_ooo((Proxy *)Task);
  return NULL;
}

static int startProxy(int Gtid, Proxy *Task) {
  pthread_t Thread;
  CHECK(pthread_create(&Thread, NULL, completeProxy, Task) == 0, "no thread");
  pthread_detach(Thread);
  set(&ProxyThread, omp_get_thread_num());
  return Gtid * 0;
}

static void byProxy(char *Page, int Round) {
  int Dep, Gtid = __kmpc_global_thread_num(NULL);
  ProxyPage = Page;
  set(&ProxyNode, -1);
  set(&ProxyThread, -1);
  set(&ProxyGo, 0);
  // The hint is for the next task that the program writes, not for the proxy.
  nextData(Page);
  Proxy *Task =
      __kmpc_omp_task_alloc(NULL, Gtid, 17, sizeof(Proxy), 0, startProxy);
  Dependence Out = {(intptr_t)&Dep, sizeof(Dep), 3};
  __kmpc_omp_task_with_deps(NULL, Gtid, Task, 1, &Out, 0, NULL);
#pragma omp task depend(in : Dep)
  {
    CHECK_EQUAL(nodeHere(), get(&ProxyNode), "released by a proxy task");
    add(&Ran, 1);
  }
  nextThread(Round);
#pragma omp task depend(in : Dep)
  {
    CHECK_EQUAL(omp_get_thread_num(), modulo(Round, omp_get_num_threads()),
                "released by a proxy task");
    add(&Ran, 1);
  }
  // Libomp looks at the proxy once more when its routine has returned: it must
  // not be completed before. A strict task on that thread runs behind it.
  while (get(&ProxyThread) < 0) {
#pragma omp taskyield
  }
  nextThread(get(&ProxyThread));
#pragma omp task
  set(&ProxyGo, 1);
#pragma omp taskwait
}

/// Not touched at all: the node is that of the thread that releases.
static void localTo(char *Page, int Releaser) {
  int Go = 0, Node = -1, Dep;
  nextThread(Releaser);
#pragma omp task shared(Go, Node) depend(out : Dep)
  {
    while (!get(&Go))
      sched_yield();
    set(&Node, nodeHere());
  }
  nextData(Page);
#pragma omp task shared(Node) depend(in : Dep)
  {
    CHECK_EQUAL(nodeHere(), get(&Node), "not touched, released elsewhere");
    add(&Ran, 1);
  }
  set(&Go, 1);
#pragma omp taskwait
}

int main(int argc, char **argv) {
  CHECK(argc == 2, "usage: touch | local");
  const int Local = strcmp(argv[1], "local") == 0;
  const size_t Size = (size_t)getpagesize();
  char *Pages = newPages(5 * Rounds);
#pragma omp parallel
#pragma omp masked
  {
    const int Threads = omp_get_num_threads();
    int Expected = 0;
    for (int Round = 0; Round < Rounds; ++Round) {
      char *Page = Pages + (size_t)(5 * Round) * Size;
      // Thread 0 holds producers back before it waits: not one of them.
      int Other = 1 + Round % (Threads - 1);
      if (Local) {
        localTo(Page, Other);
        Expected += 1;
        continue;
      }
      byProducer(Page, Other);
      byOther(Page + Size, Round % Threads, Other);
      byForeign(Page + 2 * Size, Round);
      byFulfiller(Page + 3 * Size, Other);
      byProxy(Page + 4 * Size, Round);
      Expected += 6 + (Round % Threads != Other);
    }
    CHECK_EQUAL(Ran, Expected, "dependent tasks");
  }
  return 0;
}
