// Taskloops with an affinity clause: what compiled code calls, by hand. All
// kinds, schedules, steps and sizes; each chunk is made once and runs where it
// belongs; the last one is marked; places that are never used are freed.
//
// RUN: %build
// RUN: %run-each %t
// RUN: %run-each --threads 1,5 --policies active %t

#include "check.h"
#include <malloc.h>

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
} Here = {0, 2, 0, 22, ";taskloop.c;main;1;1;;"},
  There = {0, 2, 0, 22, ";taskloop.c;main;2;1;;"};

enum { OnThread = 1, OnNode, OnData, OnList, Free = 0, Grainsize, NumTasks };
enum { MaxChunks = 20000 };

typedef struct {
  uint64_t Lower, Upper, First;
  int64_t Step;
  int Thread, Node, IsLast;
} Chunk;

static Chunk Chunks[MaxChunks];
static int NumChunks, Questions;
static char *Memory; // of the data of the clauses

typedef struct {
  int Kind, Strict;
  uint64_t First, Last;
  int64_t Step;
  int Schedule;
  uint64_t Amount;
  int Modifier;
  int (*Value)(uint64_t Ordinal); // for OnThread and OnNode
  int NoGroup, NoIf;
} Loop;

static uint64_t ordinal(uint64_t First, int64_t Step, uint64_t Value) {
  return Step > 0 ? (Value - First) / (uint64_t)Step
                  : (First - Value) / (0 - (uint64_t)Step);
}

static int runChunk(int Gtid, void *Task) {
  LoopTask *Mine = Task;
  (void)Gtid;
  int At = add(&NumChunks, 1) - 1;
  CHECK(At < MaxChunks, "too many chunks");
  Chunks[At] =
      (Chunk){Mine->Lower, Mine->Upper,          *(uint64_t *)Mine->Shareds,
              Mine->Step,  omp_get_thread_num(), isSynthetic() ? nodeHere() : 0,
              Mine->IsLast};
  return 0;
}

static void duplicate(LoopTask *To, LoopTask *From, int IsLast) {
  CHECK_EQUAL(To->Routine == From->Routine, 1, "a copy");
  To->IsLast = IsLast;
}

static void answer(const Loop *L, Places *P, uint64_t First, uint64_t Last) {
  uint64_t From = ordinal(L->First, L->Step, First);
  uint64_t To = ordinal(L->First, L->Step, Last);
  ++Questions;
  CHECK(From <= To, "a question");
  CHECK(L->Kind > OnNode || From == To, "a question about several values");
  if (L->Kind <= OnNode) {
    __kmpc_taskloop_places_set(P, (uintptr_t)L->Value(From), 0, L->Strict);
  } else {
    size_t Offset = (size_t)(From % 1000);
    __kmpc_taskloop_places_set(P, (uintptr_t)Memory + Offset, 1, L->Strict);
    for (int I = 0; L->Kind == OnList && I < 20; ++I)
      __kmpc_taskloop_places_set(P, (uintptr_t)Memory + (size_t)I, 1,
                                 L->Strict);
  }
}

static void execute(const Loop *L) {
  int Gtid = __kmpc_global_thread_num(&Here);
  Places *P =
      __kmpc_taskloop_places(&Here, Gtid, L->Kind, L->First, L->Last, L->Step,
                             L->Schedule, L->Amount, L->Modifier);
  uint64_t First, Last;
  Questions = 0;
  while (__kmpc_taskloop_places_next(P, &First, &Last))
    answer(L, P, First, Last);
  LoopTask *Task = __kmpc_omp_task_alloc(&Here, Gtid, 1, sizeof(LoopTask),
                                         sizeof(uint64_t), runChunk);
  *(uint64_t *)Task->Shareds = L->First;
  Task->Lower = L->First;
  Task->Upper = L->Last;
  Task->Step = L->Step;
  Task->IsLast = 0;
  __kmpc_taskloop_placed(&Here, Gtid, Task, !L->NoIf, &Task->Lower,
                         &Task->Upper, L->Step, L->NoGroup, L->Schedule,
                         L->Amount, L->Modifier, (void *)duplicate, P);
}

static int byOrdinal(const void *A, const void *B) {
  const Chunk *Left = A, *Right = B;
  uint64_t L = ordinal(Left->First, Left->Step, Left->Lower);
  uint64_t R = ordinal(Right->First, Right->Step, Right->Lower);
  return L < R ? -1 : L > R;
}

/// The chunks are the loop, and each is where it should be.
static void check(const Loop *L, int HasPlaces) {
  const int Threads = omp_get_num_threads(), Nodes = omp_get_num_nodes();
  const uint64_t Trips = ordinal(L->First, L->Step, L->Last) + 1;
  uint64_t Next = 0;
  qsort(Chunks, (size_t)NumChunks, sizeof(Chunk), byOrdinal);
  for (int I = 0; I < NumChunks; ++I) {
    const Chunk *C = &Chunks[I];
    uint64_t From = ordinal(L->First, L->Step, C->Lower);
    uint64_t To = ordinal(L->First, L->Step, C->Upper);
    if (From != Next || To < From)
      FAIL("kind %d, schedule %d %lu, step %ld, chunk %d of %d: from iteration "
           "%lu to %lu, not from %lu",
           L->Kind, L->Schedule, (unsigned long)L->Amount, (long)L->Step, I,
           NumChunks, (unsigned long)From, (unsigned long)To,
           (unsigned long)Next);
    CHECK_EQUAL(C->IsLast != 0, To == Trips - 1, "the mark of the last chunk");
    if (L->Schedule == Grainsize && !L->Modifier && Trips >= L->Amount)
      CHECK(To - From + 1 >= L->Amount && To - From + 1 < 2 * L->Amount,
            "grainsize");
    if (L->Schedule == Grainsize && L->Modifier && I < NumChunks - 1)
      CHECK_EQUAL(To - From + 1, L->Amount, "grainsize(strict)");
    if (L->Strict && HasPlaces && L->Kind == OnThread)
      CHECK_EQUAL(C->Thread, modulo(L->Value(From), Threads), "strict thread");
    if (L->Strict && HasPlaces && L->Kind == OnNode && isSynthetic())
      CHECK_EQUAL(C->Node, modulo(L->Value(From), Nodes), "strict node");
    // All real memory is on OS node 0, which is the team's first.
    if (L->Strict && HasPlaces && L->Kind >= OnData && isSynthetic())
      CHECK_EQUAL(C->Node, 0, "strict data");
    Next = To + 1;
  }
  CHECK_EQUAL(Next, Trips, "iterations");
  if (L->Schedule == NumTasks)
    CHECK_EQUAL(NumChunks, L->Amount < Trips ? L->Amount : Trips, "num_tasks");
  NumChunks = 0;
}

static uint64_t Length; // of the loop, for blocks()
static int blocks(uint64_t Ordinal) {
  return (int)(Ordinal / (Length / 7 + 1));
}
static int each(uint64_t Ordinal) { return (int)Ordinal - 5; }
static int constant(uint64_t Ordinal) { return Ordinal == UINT64_MAX ? 1 : -3; }
static int (*const Values[])(uint64_t) = {blocks, each, constant};

static void tryAll(void) {
  static const struct {
    uint64_t First, Last;
    int64_t Step;
  } Ranges[] = {{0, 999, 1},
                {0, 0, 1},
                {0, 6, 1},
                {100, 1099, 3},
                {2000, 3, -3},
                {99, 0, -1},
                {(uint64_t)-50, 49, 1},
                {50, (uint64_t)-49, -1}};
  static const struct {
    int Schedule, Amount, Modifier;
  } Schedules[] = {
      {Free, 0, 0},      {Grainsize, 1, 0},    {Grainsize, 7, 0},
      {Grainsize, 7, 1}, {Grainsize, 2000, 0}, {NumTasks, 1, 0},
      {NumTasks, 13, 0}, {NumTasks, 13, 1},    {NumTasks, 5000, 0}};
  for (int Kind = OnThread; Kind <= OnList; ++Kind)
    for (int Strict = 0; Strict < 2; ++Strict)
      for (size_t V = 0; V < (Kind <= OnNode ? 3 : 1); ++V)
        for (size_t R = 0; R < sizeof(Ranges) / sizeof(*Ranges); ++R)
          for (size_t S = 0; S < sizeof(Schedules) / sizeof(*Schedules); ++S) {
            Loop L = {Kind,
                      Strict,
                      Ranges[R].First,
                      Ranges[R].Last,
                      Ranges[R].Step,
                      Schedules[S].Schedule,
                      (uint64_t)Schedules[S].Amount,
                      Schedules[S].Modifier,
                      Values[V],
                      0,
                      0};
            Length = ordinal(L.First, L.Step, L.Last) + 1;
            execute(&L);
            check(&L, omp_get_num_threads() > 1);
          }
}

/// As many iterations as there can be, in a few chunks.
static void tryHuge(void) {
  static const uint64_t Lasts[] = {(1ull << 63) - 1, 1ull << 63,
                                   UINT64_MAX - 1};
  for (size_t I = 0; I < 3; ++I)
    for (int Schedule = Free; Schedule <= NumTasks; ++Schedule)
      for (int Strict = 0; Strict < 2; ++Strict) {
        Length = Lasts[I] + 1;
        Loop L = {OnNode,
                  Strict,
                  0,
                  Lasts[I],
                  1,
                  Schedule,
                  Schedule == Grainsize ? Length / 100 : 100,
                  0,
                  blocks,
                  0,
                  0};
        execute(&L);
        check(&L, omp_get_num_threads() > 1);
      }
}

/// Nothing to do, nothing to wait for, at once.
static void trySpecial(void) {
  int Gtid = __kmpc_global_thread_num(&Here);
  uint64_t First, Last;
  CHECK(!__kmpc_taskloop_places(&Here, Gtid, OnThread, 0, UINT64_MAX, 1, Free,
                                0, 0),
        "no iterations");
  CHECK(!__kmpc_taskloop_places_next(NULL, &First, &Last), "no places");
  Loop Empty = {OnThread, 1, 0, UINT64_MAX, 1, Free, 0, 0, each, 1, 0};
  execute(&Empty);
#pragma omp taskwait
  CHECK_EQUAL(NumChunks, 0, "no iterations");
  Length = 1000;
  Loop Apart = {OnNode, 1, 0, 999, 1, Grainsize, 10, 0, blocks, 1, 0};
  execute(&Apart);
#pragma omp taskwait
  check(&Apart, omp_get_num_threads() > 1);
  Loop AtOnce = {OnThread, 1, 0, 999, 1, Grainsize, 10, 0, each, 0, 1};
  execute(&AtOnce);
  for (int I = 0; I < NumChunks; ++I)
    CHECK_EQUAL(Chunks[I].Thread, omp_get_thread_num(), "if(0)");
  check(&AtOnce, 0);
}

/// A clause whose evaluation executes another such loop.
static void tryNested(void) {
  int Gtid = __kmpc_global_thread_num(&Here);
  uint64_t First, Last;
  Places *Outer =
      __kmpc_taskloop_places(&There, Gtid, OnThread, 0, 9, 1, Grainsize, 1, 1);
  int Asked = 0;
  while (__kmpc_taskloop_places_next(Outer, &First, &Last)) {
    CHECK_EQUAL(First, Asked, "the outer loop's question");
    ++Asked;
    Length = 100;
    Loop Inner = {OnThread, 1, 0, 99, 1, Grainsize, 3, 1, each, 0, 0};
    execute(&Inner);
    check(&Inner, omp_get_num_threads() > 1);
    __kmpc_taskloop_places_set(Outer, 1, 0, 1);
  }
  CHECK_EQUAL(Asked, omp_get_num_threads() > 1 ? 10 : 0, "questions");
  LoopTask *Task = __kmpc_omp_task_alloc(&Here, Gtid, 1, sizeof(LoopTask),
                                         sizeof(uint64_t), runChunk);
  *(uint64_t *)Task->Shareds = 0;
  Task->Lower = 0;
  Task->Upper = 9;
  Task->Step = 1;
  __kmpc_taskloop_placed(&Here, Gtid, Task, 1, &Task->Lower, &Task->Upper, 1, 0,
                         Grainsize, 1, 1, (void *)duplicate, Outer);
  CHECK_EQUAL(NumChunks, 10, "the outer loop");
  for (int I = 0; I < 10; ++I)
    CHECK_EQUAL(Chunks[I].Thread, 1 % omp_get_num_threads(), "the outer loop");
  NumChunks = 0;
}

/// An expression that throws: the places are never used.
__attribute__((noinline)) static void abandon(int Depth) {
  volatile char Frame[64];
  Frame[0] = (char)Depth;
  uint64_t First, Last;
  int Gtid = __kmpc_global_thread_num(&Here);
  Places *P = __kmpc_taskloop_places(&Here, Gtid, OnThread, 0, 9999, 1,
                                     Grainsize, 1, 0);
  for (int I = 0; I < 50 && __kmpc_taskloop_places_next(P, &First, &Last); ++I)
    __kmpc_taskloop_places_set(P, First, 0, 0);
  if (Depth > 0)
    abandon(Depth - 1);
  Frame[1] = Frame[0];
}

static void tryAbandoned(void) {
  abandon(3);
  const size_t Before = mallinfo2().uordblks;
  for (int I = 0; I < 20000; ++I)
    abandon(I % 4);
  const size_t After = mallinfo2().uordblks;
  CHECK(After < Before + 100000, "%zu bytes more", After - Before);
  Length = 100;
  Loop L = {OnThread, 1, 0, 99, 1, Grainsize, 3, 0, each, 0, 0};
  execute(&L);
  check(&L, omp_get_num_threads() > 1);
}

int main(void) {
  Memory = newPages(1);
  Memory[0] = 1;
#pragma omp parallel
#pragma omp single
  {
    tryAll();
    tryHuge();
    trySpecial();
    tryNested();
    tryAbandoned();
  }
  // In a team of one there is nothing to place.
  CHECK(!__kmpc_taskloop_places(&Here, __kmpc_global_thread_num(&Here),
                                OnThread, 0, 9, 1, Free, 0, 0),
        "outside of a region");
  return 0;
}
