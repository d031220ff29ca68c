// Taskloops of gcc's over all kinds of ranges, empty ones too: each iteration
// once, as a loop without OpenMP says.

#include "check.h"
#include <limits.h>

#pragma weak omp_get_num_nodes
int omp_get_num_nodes(void);

/// What a loop has done: how many iterations, the sum of their values, the
/// last.
typedef struct {
  long Count;
  unsigned long Sum, Last;
} Seen;

static void visit(Seen *S, unsigned long Value) {
  __atomic_add_fetch(&S->Count, 1, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&S->Sum, Value * 2654435761u + 1, __ATOMIC_SEQ_CST);
}

static void compare(const Seen *Is, const Seen *Should, const char *Form,
                    long From, long To, long Step) {
  CHECK(Is->Count == Should->Count && Is->Sum == Should->Sum &&
            Is->Last == Should->Last,
        "%s from %ld to %ld by %ld: %ld iterations, not %ld, the last %lx, not "
        "%lx",
        Form, From, To, Step, Is->Count, Should->Count, Is->Last, Should->Last);
}

#define PRAGMA(Text) _Pragma(#Text)
/// The loop with CLAUSE, against the one without OpenMP.
#define FORM(Type, Relation, Operator, CLAUSE)                                 \
  do {                                                                         \
    Seen Is = {0, 0, 77}, Should = {0, 0, 77};                                 \
    unsigned long Last = 77, Sum = 0, Wanted = 0;                              \
    for (Type I = (Type)From; I Relation(Type) To; I Operator(Type) Step) {    \
      visit(&Should, (unsigned long)I);                                        \
      Should.Last = (unsigned long)I;                                          \
      Wanted += (unsigned long)I;                                              \
    }                                                                          \
    PRAGMA(omp taskloop shared(Is) lastprivate(Last) reduction(+ : Sum)        \
               CLAUSE)                                                         \
    for (Type I = (Type)From; I Relation(Type) To; I Operator(Type) Step) {    \
      visit(&Is, (unsigned long)I);                                            \
      Last = (unsigned long)I;                                                 \
      Sum += (unsigned long)I;                                                 \
    }                                                                          \
    Is.Last = Last;                                                            \
    compare(&Is, &Should, #Type " " #Relation " " #CLAUSE, From, To, Step);    \
    CHECK(Sum == Wanted, "the reduction of " #CLAUSE);                         \
  } while (0)

#define ALL_CLAUSES(Type, Relation, Operator)                                  \
  FORM(Type, Relation, Operator, );                                            \
  FORM(Type, Relation, Operator, grainsize(7));                                \
  FORM(Type, Relation, Operator, num_tasks(5));                                \
  FORM(Type, Relation, Operator, if (0));                                      \
  FORM(Type, Relation, Operator, grainsize(1000000) if (0))

/// Unsigned numbers only where the loop ends before it wraps around.
#define ALL_TYPES(Relation, Operator)                                          \
  ALL_CLAUSES(int, Relation, Operator);                                        \
  ALL_CLAUSES(short, Relation, Operator);                                      \
  ALL_CLAUSES(long, Relation, Operator);                                       \
  if (From >= 0 && To >= Step) {                                               \
    ALL_CLAUSES(unsigned, Relation, Operator);                                 \
    ALL_CLAUSES(unsigned long, Relation, Operator);                            \
  }

static void up(long From, long To, long Step) { ALL_TYPES(<, +=); }
static void down(long From, long To, long Step) { ALL_TYPES(>, -=); }

/// Ranges that only 64 bits hold, and the ends of the type. A loop over the
/// last value would overflow.
static void ends(void) {
  long From = LONG_MAX - 40, To = LONG_MAX - 3, Step = 3;
  ALL_CLAUSES(long, <, +=);
  From = LONG_MIN + 40, To = LONG_MIN + 4;
  ALL_CLAUSES(long, >, -=);
  From = -40, To = -4; // as unsigned numbers the greatest
  ALL_CLAUSES(unsigned long, <, +=);
  From = LONG_MAX - 20, To = LONG_MIN + 20; // across the sign
  ALL_CLAUSES(unsigned long, <, +=);
  From = 10, To = LONG_MIN;
  ALL_CLAUSES(long, <, +=);
  From = -10, To = LONG_MAX;
  ALL_CLAUSES(long, >, -=);
}

static void collapsed(int Rows, int Columns) {
  int Count = 0;
#pragma omp taskloop collapse(2) shared(Count)
  for (int I = 0; I < Rows; ++I)
    for (int J = Columns; J > 0; --J)
      add(&Count, 1);
  CHECK_EQUAL(Count, Rows > 0 && Columns > 0 ? Rows * Columns : 0, "collapsed");
}

/// The first iteration of the task that runs \p I; \p Own is the task's, -1 at
/// first.
static int firstOf(int *Own, int I) { return *Own = *Own < 0 ? I : *Own; }

/// With `strict` all tasks but the last have as many iterations as the clause
/// says, or there are as many tasks.
static void strict(int Trips) {
  enum { Most = 100, Size = 7, Tasks = 5 };
  int First[Most], Own = -1, NumTasks = 0;
#pragma omp taskloop grainsize(strict : Size) firstprivate(Own) shared(First)
  for (int I = 0; I < Trips; ++I)
    First[I] = firstOf(&Own, I);
  for (int I = 0; I < Trips; ++I)
    CHECK_EQUAL(First[I], I - I % Size, "grainsize(strict: 7)");
#pragma omp taskloop grainsize(strict : Size) firstprivate(Own) shared(First)
  for (int I = Trips; I > 0; --I)
    First[I - 1] = firstOf(&Own, Trips - I);
  for (int I = 0; I < Trips; ++I)
    CHECK_EQUAL(First[Trips - 1 - I], I - I % Size, "strict, downwards");
#pragma omp taskloop num_tasks(strict : Tasks) firstprivate(Own) shared(First)
  for (int I = 0; I < Trips; ++I)
    First[I] = firstOf(&Own, I);
  for (int I = 0; I < Trips; ++I)
    NumTasks += First[I] == I;
  CHECK_EQUAL(NumTasks, Trips < Tasks ? Trips : Tasks, "num_tasks(strict: 5)");
}

int main(void) {
  CHECK(omp_get_num_nodes, "not our runtime");
  static const int Bounds[] = {-9, -1, 0, 1, 10, 11, 40};
  enum { Number = sizeof(Bounds) / sizeof(*Bounds) };
#pragma omp parallel
#pragma omp single
  {
    for (int I = 0; I < Number; ++I)
      for (int J = 0; J < Number; ++J)
        for (int Step = 1; Step < 8; Step += 3) {
          up(Bounds[I], Bounds[J], Step);
          down(Bounds[I], Bounds[J], Step);
          collapsed(Bounds[I], Bounds[J]);
        }
    ends();
    for (int Trips = 0; Trips <= 100; ++Trips)
      strict(Trips);
  }
  return 0;
}
