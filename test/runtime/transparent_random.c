// Random trees of tasks, transparent and not, with dependences of all types,
// waits, undeferred, final, untied and detached ones, and locks that are held
// over waits: each begins behind those that OpenMP 6.0 puts before it, and none
// waits for good.
//
// RUN: %build
// RUN: %run-each %t
// RUN: env OMP_NUM_THREADS=1 %run %t
// RUN: env OMP_NUM_THREADS=4 KMP_TASK_DEPENDENT_LIMIT=3 %run %t
// RUN: %run-each --threads 2,8 --policies passive --env KMP_TASK_SCHEDULER=stock %t 100

#include "raw_task.h"

#include <pthread.h>
#include <stdbool.h>

enum { MostNodes = 64, Addresses = 3, Trees = 300, MostItems = 2 };

/// A task, or a taskwait with dependences, which has no children. The first is
/// the task that the region begins with.
struct TreeNode {
  int Index, Parent, Flags;
  bool Undeferred, IsWait, WaitsForChildren;
  int Takes; ///< the lock of a task that holds it over its taskwait, or -1
  int NumItems, Address[MostItems], How[MostItems];
  int Done;
};
static struct TreeNode Nodes[MostNodes];
static int NumNodes;
static bool Before[MostNodes]
                  [MostNodes]; ///< [B][A]: A has ended before B begins
static char Memory[Addresses];
static omp_lock_t Locks[MostNodes];

static void makeTree(unsigned Seed) {
  static const int Types[] = {DependIn, DependOut, DependMutex, DependSet};
  const bool HasUntied = rand_r(&Seed) % 3 == 0;
  NumNodes = 2 + rand_r(&Seed) % (MostNodes - 2);
  memset(Nodes, 0, sizeof(Nodes));
  for (int I = 0; I < NumNodes; ++I) {
    struct TreeNode *N = &Nodes[I];
    N->Index = I;
    N->Flags = Tied;
    N->WaitsForChildren = rand_r(&Seed) % 4 == 0;
    N->Takes = -1;
    if (I == 0)
      continue;
    // In the order of a walk: below the last one, or one that it is below.
    N->Parent = I - 1;
    while (N->Parent && (rand_r(&Seed) % 5 < 2 || Nodes[N->Parent].IsWait))
      N->Parent = Nodes[N->Parent].Parent;
    N->IsWait = rand_r(&Seed) % 12 == 0;
    N->NumItems = rand_r(&Seed) % (MostItems + 1);
    if (rand_r(&Seed) % 2) {
      N->Flags |= Transparent;
      N->NumItems = rand_r(&Seed) % 3 == 0;
    }
    if (HasUntied)
      N->Flags ^= rand_r(&Seed) % 10 == 0 ? Tied : 0;
    N->Flags |= rand_r(&Seed) % 14 == 0 ? Final : 0;
    if (rand_r(&Seed) % 14 == 0)
      N->Flags = (N->Flags | Detached) & ~Transparent;
    else
      N->Undeferred = rand_r(&Seed) % 10 == 0;
    for (int J = 0; J < N->NumItems; ++J) {
      N->Address[J] = rand_r(&Seed) % Addresses;
      N->How[J] = Types[rand_r(&Seed) % 4];
    }
    if (N->NumItems == 2 && N->Address[0] == N->Address[1])
      N->NumItems = 1;
    if (N->IsWait) // mutexinoutset is not for waits
      for (int J = 0; J < N->NumItems; ++J)
        N->How[J] = DependOut;
  }
}

static bool isTransparent(int I) { return (Nodes[I].Flags & Transparent) != 0; }

static bool conflict(const struct TreeNode *A, const struct TreeNode *B) {
  for (int I = 0; I < A->NumItems; ++I)
    for (int J = 0; J < B->NumItems; ++J)
      if (A->Address[I] == B->Address[J] &&
          (A->How[I] != B->How[J] || A->How[I] == DependOut))
        return true;
  return false;
}

static bool isBelow(int I, int Ancestor) {
  while (I && I != Ancestor)
    I = Nodes[I].Parent;
  return I == Ancestor;
}

/// Whether \p A, which comes earlier in the walk, is a preceding
/// dependence-compatible task of \p B.
static bool mayPrecede(int A, int B) {
  if (isBelow(B, A))
    return false;
  int P = Nodes[A].Parent;
  for (; !isBelow(B, P); P = Nodes[P].Parent)
    if (!isTransparent(P))
      return false;
  for (int Q = Nodes[B].Parent; Q != P; Q = Nodes[Q].Parent)
    if (!isTransparent(Q))
      return false;
  return true;
}

static void findOrder(void) {
  memset(Before, 0, sizeof(Before));
  for (int B = 1; B < NumNodes; ++B) {
    memcpy(Before[B], Before[Nodes[B].Parent], sizeof(Before[B]));
    for (bool Changes = true; Changes;) {
      Changes = false;
      for (int A = 1; A < B; ++A)
        if (!Nodes[A].IsWait && !Before[B][A] && mayPrecede(A, B) &&
            conflict(&Nodes[A], &Nodes[B])) {
          Changes = Before[B][A] = true;
          for (int I = 1; I < A; ++I)
            Before[B][I] |= Before[A][I];
        }
    }
  }
}

/// Whether the creator of \p I goes on only when \p I has ended.
static bool isAtOnce(int I) {
  if (Nodes[I].Undeferred || omp_get_max_threads() == 1)
    return true;
  for (int P = Nodes[I].Parent; P; P = Nodes[P].Parent)
    if (Nodes[P].Flags & Final)
      return true;
  return false;
}

/// Marks what has to end before \p I does, and what may lie on top of that.
/// What an undeferred one creates comes behind the transparent tasks before it.
static void findNeeded(bool Needed[MostNodes], int I) {
  const bool InTurn = isTransparent(I) && isAtOnce(I);
  Needed[I] = true;
  for (bool Changes = true; Changes;) {
    Changes = false;
    for (int B = 1; B < NumNodes; ++B)
      for (int A = 1; A < NumNodes; ++A)
        if (Needed[B] && !Needed[A] &&
            (Before[B][A] || isBelow(A, B) ||
             (InTurn && A < B && isTransparent(A) && mayPrecede(A, B))))
          Changes = Needed[A] = true;
  }
}

/// Tasks take the lock of one that waits for its children with that, if they do
/// not wait for it whatever threads do. (An untied task that waits may lie
/// below any other one, so not where there are such tasks; and two such locks
/// could wait for each other.)
static void drawLocks(unsigned Seed) {
  int Holder = 0;
  bool HasUntied = false, Needed[MostNodes] = {false};
  for (int I = 1; I < NumNodes; ++I) {
    HasUntied |= !(Nodes[I].Flags & Tied);
    if (Nodes[I].WaitsForChildren && (!Holder || rand_r(&Seed) % 3 == 0))
      Holder = I;
  }
  if (HasUntied || !Holder)
    return;
  findNeeded(Needed, Holder);
  for (int I = 1; I < NumNodes; ++I)
    if (!Needed[I] && !isBelow(Holder, I) && rand_r(&Seed) % 2)
      Nodes[I].Takes = Holder;
}

static void checkOrder(int B) {
  for (int A = 1; A < B; ++A)
    CHECK(!Before[B][A] || Nodes[A].IsWait || get(&Nodes[A].Done),
          "%d begins, and %d has not ended", B, A);
}

/// A ring of events that the thread outside fulfills: no tree has more.
static struct ToFulfill {
  int *Done;
  omp_event_handle_t Event;
  int IsThere;
} Events[MostNodes];
static int NumEvents, IsOver;

static void *fulfill(void *Unused) {
  (void)Unused;
  for (unsigned Next = 0; !get(&IsOver);) {
    struct ToFulfill *E = &Events[Next % MostNodes];
    if (!get(&E->IsThere)) {
      sched_yield();
      continue;
    }
    const omp_event_handle_t Event = E->Event;
    set(E->Done, 1);
    set(&E->IsThere, 0);
    omp_fulfill_event(Event);
    ++Next;
  }
  return NULL;
}

static void runNode(void *Data, omp_event_handle_t Event) {
  struct TreeNode *N = Data;
  checkOrder(N->Index);
  if (N->Takes >= 0) {
    omp_set_lock(&Locks[N->Takes]);
    omp_unset_lock(&Locks[N->Takes]);
  }
  dither((unsigned)(N->Index * 7 + NumNodes));
  for (int I = N->Index + 1; I < NumNodes; ++I) {
    struct TreeNode *Child = &Nodes[I];
    if (Child->Parent != N->Index)
      continue;
    struct RawDepend List[MostItems];
    for (int J = 0; J < Child->NumItems; ++J)
      List[J] = (struct RawDepend){&Memory[Child->Address[J]], 1,
                                   (unsigned char)Child->How[J]};
    if (!Child->IsWait) {
      createRaw(Child->Flags, Child->Undeferred, Child->NumItems, List, runNode,
                Child);
      continue;
    }
    __kmpc_omp_wait_deps(NULL, __kmpc_global_thread_num(NULL), Child->NumItems,
                         List, 0, NULL);
    checkOrder(I);
  }
  if (N->WaitsForChildren) {
    omp_set_lock(&Locks[N->Index]);
#pragma omp taskwait
    omp_unset_lock(&Locks[N->Index]);
    for (int I = N->Index + 1; I < NumNodes; ++I)
      CHECK(Nodes[I].Parent != N->Index || Nodes[I].IsWait ||
                get(&Nodes[I].Done),
            "%d has not ended behind a taskwait of %d", I, N->Index);
  }
  if (!(N->Flags & Detached)) {
    set(&N->Done, 1);
    return;
  }
  struct ToFulfill *E = &Events[(unsigned)(add(&NumEvents, 1) - 1) % MostNodes];
  E->Done = &N->Done;
  E->Event = Event;
  set(&E->IsThere, 1);
}

int main(int Count, char **Arguments) {
  const int Last = Count > 1 ? atoi(Arguments[1]) : Trees;
  const int First = Count > 2 ? atoi(Arguments[2]) : 0;
  pthread_t Outside;
  for (int I = 0; I < MostNodes; ++I)
    omp_init_lock(&Locks[I]);
  pthread_create(&Outside, NULL, fulfill, NULL);
  for (int Seed = First; Seed < Last; ++Seed) {
    makeTree((unsigned)Seed);
    findOrder();
    drawLocks((unsigned)Seed);
    if (Count > 2)
      for (int I = 0; I < NumNodes; ++I) {
        const struct TreeNode *N = &Nodes[I];
        printf("%d of %d flags %x%s%s%s:", I, N->Parent, (unsigned)N->Flags,
               N->Undeferred ? " undeferred" : "", N->IsWait ? " wait" : "",
               N->WaitsForChildren ? " waits" : "");
        for (int J = 0; J < N->NumItems; ++J)
          printf(" %d:%d", N->How[J], N->Address[J]);
        printf("\n");
      }
#pragma omp parallel
    {
      if (Seed % 2) {
#pragma omp single
        runNode(&Nodes[0], (omp_event_handle_t)0);
      } else {
#pragma omp single
#pragma omp task
        runNode(&Nodes[0], (omp_event_handle_t)0);
      }
    }
    for (int I = 0; I < NumNodes; ++I)
      CHECK(Nodes[I].IsWait || Nodes[I].Done, "%d of tree %d", I, Seed);
  }
  set(&IsOver, 1);
  pthread_join(Outside, NULL);
  return 0;
}
