// Where the chunks of taskloops run, counted by the kernel, over data that
// another loop has touched first: without a clause, with data affinity, and
// strict. In the guest (guest.test, guest_taskloop.test) the counts must be
// what the arguments say; elsewhere the loops have to be right.
//
// Clang warns of its own comparison in loops whose end is not known.
//
// REQUIRES: numa-calls
// RUN: %build -Wno-sign-compare
// RUN: %run-each %t
// RUN: %run-each --threads 8 --policies active \
// RUN:   --env KMP_TASK_LOOP_AFFINITY=0 %t

#include "check.h"

typedef struct Places Places;
typedef struct { // as the compiler lays it out for a taskloop
  void *Shareds;
  int (*Routine)(int, void *);
  int Part;
  void *Data1, *Data2;
  uint64_t Lower, Upper;
  int64_t Step;
  int IsLast;
  void *Reductions;
} LoopTask;

extern int __kmpc_global_thread_num(void *);
extern LoopTask *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t,
                                       int (*)(int, void *));
extern Places *__kmpc_taskloop_places(void *, int, int, uint64_t, uint64_t,
                                      int64_t, int, uint64_t, int);
extern int __kmpc_taskloop_places_next(Places *, uint64_t *, uint64_t *);
extern void __kmpc_taskloop_places_set(Places *, uintptr_t, size_t, int);
extern void __kmpc_taskloop_placed(void *, int, LoopTask *, int, uint64_t *,
                                   uint64_t *, int64_t, int, int, uint64_t, int,
                                   void *, Places *);

static struct {
  int Zero, Flags, Zero2, Length;
  const char *Text;
} Here = {0, 2, 0, 22, ";taskloop.c;main;1;1;;"};

// Pages for each thread; a multiple of eight.
enum { PagesEach = 24, Rounds = 4 };

static char *Data;
static long Bytes, PageSize;
static int Home, Away;

/// Spends some time at the chunk \p First .. \p Last of the data, and counts
/// its pages by whether they are on this thread's node.
static void work(long First, long Last) {
  const int Node = nodeHere();
  for (long At = First; At <= Last; At += PageSize) {
    for (volatile int Spin = 0; Spin < 2000; ++Spin)
      ;
    Data[At] = (char)(Data[At] + 1);
    const int There = teamNodeOf(osNodeOf(Data + At));
    add(There == Node ? &Home : &Away, 1);
  }
}

static int runChunk(int Gtid, void *Task) {
  (void)Gtid;
  LoopTask *Mine = Task;
  work((long)Mine->Lower * PageSize, (long)Mine->Upper * PageSize);
  return 0;
}

/// What `taskloop affinity(data: Data[i * PageSize : PageSize])` compiles to.
static void placedLoop(int Kind, int Strict, int Schedule, int Amount) {
  const int Gtid = __kmpc_global_thread_num(&Here);
  const uint64_t Count = (uint64_t)(Bytes / PageSize);
  Places *P = __kmpc_taskloop_places(&Here, Gtid, Kind, 0, Count - 1, 1,
                                     Schedule, (uint64_t)Amount, 0);
  uint64_t First, Last;
  while (__kmpc_taskloop_places_next(P, &First, &Last))
    __kmpc_taskloop_places_set(P, (uintptr_t)Data + First * (size_t)PageSize,
                               (Last - First + 1) * (size_t)PageSize, Strict);
  LoopTask *Task =
      __kmpc_omp_task_alloc(&Here, Gtid, 1, sizeof(LoopTask), 0, runChunk);
  Task->Lower = 0;
  Task->Upper = Count - 1;
  Task->Step = 1;
  __kmpc_taskloop_placed(&Here, Gtid, Task, 1, &Task->Lower, &Task->Upper, 1, 0,
                         Schedule, (uint64_t)Amount, 0, NULL, P);
}

static void plainLoop(void) {
#pragma omp taskloop
  for (long At = 0; At < Bytes; At += PageSize)
    work(At, At);
}

/// At least \p Least percent of all pages were used at home.
static void expectHome(const char *What, int Least) {
  const int All = Home + Away;
  CHECK_EQUAL(All, Rounds * (Bytes / PageSize), What);
  printf("%s: %d of %d pages at home, %.1f %%\n", What, Home, All,
         100.0 * Home / All);
  if ((long)Home * 100 < (long)Least * All)
    FAIL("%s: %d of %d pages at home, less than %d %%", What, Home, All, Least);
  Home = Away = 0;
}

/// Data that nobody has touched, for \p Threads threads. With \p More, half of
/// the threads have a page more than the others in a static loop.
static void makeData(int Threads, int More) {
  const int NumPages = PagesEach * Threads + (More ? Threads / 2 : 0);
  Bytes = NumPages * PageSize;
  Data = newPages(NumPages);
}

/// \p HasBlocks: pages of one node come eight or more together.
static void useAll(const char *How, int Plain, int Wish, int HasBlocks) {
  char Name[100];
  for (int Round = 0; Round < Rounds; ++Round)
    plainLoop();
  snprintf(Name, sizeof(Name), "%s, no clause", How);
  expectHome(Name, Plain);
  for (int Round = 0; Round < Rounds; ++Round)
    placedLoop(3, 0, 0, 0);
  snprintf(Name, sizeof(Name), "%s, data", How);
  expectHome(Name, Wish);
  for (int Round = 0; Round < Rounds; ++Round)
    placedLoop(3, 1, 0, 0);
  snprintf(Name, sizeof(Name), "%s, strict data", How);
  expectHome(Name, Wish ? 100 : 0);
  if (!HasBlocks)
    return;
  for (int Round = 0; Round < Rounds; ++Round)
    placedLoop(3, 0, 1, 5);
  snprintf(Name, sizeof(Name), "%s, data, grainsize", How);
  expectHome(Name, Wish);
  for (int Round = 0; Round < Rounds; ++Round)
    placedLoop(4, 1, 1, 3);
  snprintf(Name, sizeof(Name), "%s, strict list, grainsize", How);
  expectHome(Name, Wish ? 100 : 0);
}

int main(int Count, char **Arguments) {
  // Percentages that must be at home: without a clause where a taskloop has
  // touched the data, and where a loop has; with a wish.
  const int Touched = Count > 1 ? atoi(Arguments[1]) : 0;
  const int Plain = Count > 2 ? atoi(Arguments[2]) : 0;
  const int Wish = Count > 3 ? atoi(Arguments[3]) : 0;
  PageSize = getpagesize();
#pragma omp parallel
#pragma omp single
  {
    const int Threads = omp_get_num_threads();
    // When a program has just started, some threads run before others do.
    makeData(Threads, 0);
    plainLoop();
    makeData(Threads, 0);
    plainLoop();
    Home = Away = 0;
    useAll("touched by a taskloop", Touched, Wish, 0);
    makeData(Threads, 1);
  }
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long At = 0; At < Bytes; At += PageSize)
      Data[At] = 1;
#pragma omp single
    useAll("touched by a loop", Plain, Wish, 1);
  }
  // In turns over the threads: no part of the loop is at home without a clause.
#pragma omp parallel
  {
#pragma omp single
    makeData(omp_get_num_threads(), 0);
#pragma omp for schedule(static, 1)
    for (long Block = 0; Block < Bytes / PageSize / 8; ++Block)
      for (int I = 0; I < 8; ++I)
        Data[(Block * 8 + I) * PageSize] = 1;
#pragma omp single
    useAll("touched in turns", 0, Wish, 1);
  }
  return 0;
}
