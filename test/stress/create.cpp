// The constructs: everything that has to stand in the program text. What can be
// chosen at run time, like if and final, is on many of them; the others are
// chosen by Task::How.

#include "run.h"

#ifndef __has_extension
#define __has_extension(X) 0
#endif
// What GCC 12 does not know is said by other words that order at least as much.
#if defined(__clang__) || __GNUC__ >= 13
#define EVERYTHING depend(inout : omp_all_memory)
#define SET inoutset
#else
#define EVERYTHING DEPENDS
#define SET inout
#endif

// For free agents: most tasks, but for the simple ones.
#ifdef STRESS_POOL
#define POOL threadset(omp_pool)
#else
#define POOL
#endif

#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define TASK(...) TASK_WITH(POOL, __VA_ARGS__)
#define TASK_WITH(...)                                                         \
  PRAGMA(omp task firstprivate(Me, Which, P) final(Final) __VA_ARGS__)
#define LOOP(...) LOOP_WITH(POOL, __VA_ARGS__)
#define LOOP_WITH(...) PRAGMA(omp taskloop firstprivate(Me) __VA_ARGS__)
// Without the clauses that keep a task from running in place.
#define SIMPLE_TASK(...) PRAGMA(omp task firstprivate(Me, Which, P) __VA_ARGS__)
#define EACH_AS(Kind) iterator(int I = 0 : L.Count[int(Access::Kind)]),
#define CELLS_AS(Kind) Cells[L.Of[int(Access::Kind)][I]]
#define DEPENDS                                                                \
  depend(EACH_AS(In) in : CELLS_AS(In))                                        \
      depend(EACH_AS(Out) out : CELLS_AS(Out))                                 \
          depend(EACH_AS(InOut) inout : CELLS_AS(InOut))                       \
              depend(EACH_AS(Mutex) mutexinoutset : CELLS_AS(Mutex))           \
                  depend(EACH_AS(Set) SET : CELLS_AS(Set))

namespace stress {

static const char OtherObject[] =
    "has another firstprivate object than it was given";

std::atomic<long> CountedPayload::Alive{0};

namespace {

/// The cells of a task by kind of access.
struct Lists {
  Id Of[NumAccesses][CellsOfRecord] = {};
  int Count[NumAccesses] = {};
  explicit Lists(const std::vector<Dependence> &Depends) {
    for (const Dependence &D : Depends)
      Of[int(D.How)][Count[int(D.How)]++] = D.Cell;
  }
};

} // namespace

struct Constructs {
  // Only where the compiler has it.
  static void withClause(Run *Me, Id Which, const Payload &Sent);
  static void plain(Run *Me, Id Which, const Payload &Sent);
  static void special(Run *Me, Id Which, const Payload &Sent);
  static void reducing(Run *Me, Id Which, const Payload &Sent, long &Sum);
  static void detached(Run *Me, Id Which, const Payload &Sent);
};

#if __has_extension(openmp_task_affinity)
/// Tasks with an affinity clause.
void Constructs::withClause(Run *Me, Id Which, const Payload &Sent) {
  const Task &T = Me->G.Tasks[size_t(Which)];
  Payload P = Sent;
  const bool Deferred = !T.Undeferred, Final = T.Final;
  const intptr_t Value = T.Where.Value;
  const bool Strict = T.Where.Strict;
  char *const Memory = static_cast<char *>(Me->address(Value));
  Cell *const Cells = Me->Cells.get();
  const Lists L(T.Depends);
  const int Kind = int(T.Where.Kind) - int(HintKind::Thread);
  switch (Kind + (T.How == Form::Depend ? 4 : 0)) {
  case 0:
    TASK(if (Deferred) affinity(thread : Value, Strict))
    Me->perform(Which, P);
    break;
  case 1:
    TASK(if (Deferred) affinity(node : Value, Strict))
    Me->perform(Which, P);
    break;
  case 2:
    TASK(if (Deferred) affinity(data : Memory, Strict))
    Me->perform(Which, P);
    break;
  case 3:
    TASK(if (Deferred) affinity(Memory [0:16], Cells[Which]))
    Me->perform(Which, P);
    break;
  case 4:
    TASK(if (Deferred) affinity(thread : Value, Strict) DEPENDS)
    Me->perform(Which, P);
    break;
  case 5:
    TASK(if (Deferred) affinity(node : Value, Strict) DEPENDS)
    Me->perform(Which, P);
    break;
  case 6:
    TASK(if (Deferred) affinity(data : Memory [0:16], Strict) DEPENDS)
    Me->perform(Which, P);
    break;
  case 7:
    TASK(if (Deferred) affinity(Memory [0:16]) DEPENDS)
    Me->perform(Which, P);
    break;
  default:
    Me->fail(Which, "the test has no such construct");
  }
}
#endif

/// Tasks that differ in their dependences only.
void Constructs::plain(Run *Me, Id Which, const Payload &Sent) {
  const Task &T = Me->G.Tasks[size_t(Which)];
  Payload P = Sent;
  const bool Deferred = !T.Undeferred, Final = T.Final;
  Cell *const Cells = Me->Cells.get();
  const Lists L(T.Depends);
  Cell *const Only = T.Depends.empty() ? nullptr : &Cells[T.Depends[0].Cell];
  switch (T.How) {
  case Form::Plain:
    if (Final) {
      TASK(if (Deferred))
      Me->perform(Which, P);
    } else {
      SIMPLE_TASK(if (Deferred))
      Me->perform(Which, P);
    }
    break;
  case Form::Depend:
    TASK(if (Deferred) DEPENDS)
    Me->perform(Which, P);
    break;
  case Form::FixedIn:
    TASK(if (Deferred) depend(in : *Only))
    Me->perform(Which, P);
    break;
  case Form::FixedOut:
    TASK(if (Deferred) depend(out : *Only))
    Me->perform(Which, P);
    break;
  case Form::FixedInOut:
    TASK(if (Deferred) depend(inout : *Only))
    Me->perform(Which, P);
    break;
  case Form::FixedMutex:
    TASK(if (Deferred) depend(mutexinoutset : *Only))
    Me->perform(Which, P);
    break;
  case Form::FixedSet:
    TASK(if (Deferred) depend(SET : *Only))
    Me->perform(Which, P);
    break;
  case Form::AllMemory:
    TASK(if (Deferred) EVERYTHING)
    Me->perform(Which, P);
    break;
  default:
    Me->fail(Which, "the test has no such construct");
  }
}

/// Tasks with other clauses, with dependences if there are any.
void Constructs::special(Run *Me, Id Which, const Payload &Sent) {
  const Task &T = Me->G.Tasks[size_t(Which)];
  Payload P = Sent;
  const bool Deferred = !T.Undeferred, Final = T.Final;
  const int Priority = T.Priority;
  Cell *const Cells = Me->Cells.get();
  const Lists L(T.Depends);
  const bool Simple = !Final && T.Depends.empty();
  switch (T.How) {
  case Form::Priority:
    TASK(if (Deferred) priority(Priority) DEPENDS)
    Me->perform(Which, P);
    break;
  case Form::Mergeable:
    TASK(if (Deferred) mergeable DEPENDS)
    Me->perform(Which, P);
    break;
  case Form::Untied:
    if (Simple) {
      SIMPLE_TASK(untied)
      Me->perform(Which, P);
    } else {
      TASK(untied DEPENDS)
      Me->perform(Which, P);
    }
    break;
  case Form::Split:
    if (Simple) {
      SIMPLE_TASK(untied) {
        Me->begin(Which, P);
        Me->first(Which);
#pragma omp taskyield
        Me->second(Which);
        Me->end(Which);
      }
    } else {
      TASK(untied DEPENDS) {
        Me->begin(Which, P);
        Me->first(Which);
#pragma omp taskyield
        Me->second(Which);
        Me->end(Which);
      }
    }
    break;
  case Form::Class: {
    CountedPayload Q(Which);
    if (Simple) {
      SIMPLE_TASK(if (Deferred) firstprivate(Q)) {
        if (!Q.fits(Which))
          Me->fail(Which, OtherObject);
        Me->perform(Which, P);
      }
    } else {
      TASK(if (Deferred) firstprivate(Q) DEPENDS) {
        if (!Q.fits(Which))
          Me->fail(Which, OtherObject);
        Me->perform(Which, P);
      }
    }
    break;
  }
  case Form::Cancel:
    TASK(if (Deferred) DEPENDS) {
      Me->begin(Which, P);
      Me->first(Which);
#pragma omp cancellation point taskgroup
      Me->second(Which);
      Me->end(Which);
      if (Me->G.Tasks[size_t(Which)].Cancels) {
        Me->cancelling(Which);
#pragma omp cancel taskgroup
      }
    }
    break;
  default:
    Me->fail(Which, "the test has no such construct");
  }
}

/// \p Sum is a parameter: clang wants the same object in all threads, and can
/// tell that of others that they are not.
void Constructs::reducing(Run *Me, Id Which, const Payload &Sent, long &Sum) {
  const Task &T = Me->G.Tasks[size_t(Which)];
  Payload P = Sent;
  const bool Deferred = !T.Undeferred, Final = T.Final;
  Cell *const Cells = Me->Cells.get();
  const Lists L(T.Depends);
  TASK(if (Deferred) in_reduction(+ : Sum) DEPENDS) {
    Me->reduce(Sum, Which);
    Me->perform(Which, P);
  }
}

void Constructs::detached(Run *Me, Id Which, const Payload &Sent) {
  const Task &T = Me->G.Tasks[size_t(Which)];
  TaskState &State = Me->Tasks[size_t(Which)];
  Payload P = Sent;
  const bool Final = false;
  Cell *const Cells = Me->Cells.get();
  const Lists L(T.Depends);
  omp_event_handle_t Event = omp_event_handle_t();
  const Fulfiller By = T.By;
  TASK(detach(Event) firstprivate(By) DEPENDS) {
    if (By == Fulfiller::Body || By == Fulfiller::Child ||
        By == Fulfiller::ThreadOfBody)
      Me->Tasks[size_t(Which)].Event = Event;
    Me->begin(Which, P);
    if (By == Fulfiller::ThreadOfBody)
      fulfilOutside(*Me, Which);
    if (By == Fulfiller::Body && Which % 2)
      Me->fulfil(Which);
    Me->first(Which);
    Me->end(Which);
    if (By == Fulfiller::Body && Which % 2 == 0)
      Me->fulfil(Which);
  }
  if (By == Fulfiller::Creator || By == Fulfiller::Sibling ||
      By == Fulfiller::ThreadOfParent || By == Fulfiller::Later) {
    // The task may be over, but for this event.
    State.Event = Event;
    if (By == Fulfiller::Creator)
      Me->fulfil(Which);
    if (By == Fulfiller::ThreadOfParent)
      fulfilOutside(*Me, Which);
  }
}

void Run::create(Id Which) {
  const Task &T = G.Tasks[size_t(Which)];
  TaskState &State = Tasks[size_t(Which)];
  if (T.How != Form::Detach && T.Fulfils == None && !T.Holds &&
      breaks(Break::Lost))
    return;
  Payload P(Which);
  if (breaks(Break::Payload))
    P.Word[2] ^= 1;
  State.Creator = omp_get_thread_num();
  State.Created = stamp();
  // Other compilers make the same graph without the clause.
  constexpr bool HaveClause = __has_extension(openmp_task_affinity);
  if (!HaveClause || !T.Where.ByClause)
    setHint(T.Where, !runsAtOnce(T));
  if (T.How == Form::Reduce)
    Constructs::reducing(this, Which, P, *reductionOf(T.Group));
  else if (T.How == Form::Detach)
    Constructs::detached(this, Which, P);
  else if (T.How > Form::AllMemory)
    Constructs::special(this, Which, P);
#if __has_extension(openmp_task_affinity)
  else if (T.Where.ByClause)
    Constructs::withClause(this, Which, P);
#endif
  else
    Constructs::plain(this, Which, P);
  if (T.After != None)
    reach(T.After);
}

void Run::wait(const WaitDepend &W) {
  const Lists L(W.Depends);
  Cell *const C = Cells.get();
#pragma omp taskwait depend(iterator(int I = 0 : L.Count[0]),                  \
                                in : C[L.Of[0][I]])                            \
    depend(iterator(int I = 0 : L.Count[1]), out : C[L.Of[1][I]])              \
    depend(iterator(int I = 0 : L.Count[2]), inout : C[L.Of[2][I]])
  reach(W.Deadline);
}

void Run::group(Id Which) {
  const Group &Planned = G.Groups[size_t(Which)];
  const Id Owner = G.Deadlines[size_t(Planned.Deadline)].Of;
  if (Planned.Reduction) {
    long &Sum = Sums[size_t(Which)];
#pragma omp taskgroup task_reduction(+ : Sum)
    actions(Owner, Planned.Body);
  } else {
#pragma omp taskgroup
    actions(Owner, Planned.Body);
  }
  reach(Planned.Deadline);
}

void Run::loop(const Loop &Planned) {
  const bool Deferred = Planned.Deferred;
  const size_t Count = Planned.Iterations.size();
  const int Size = Planned.Size;
  const Id *const Ids = Planned.Iterations.data();
  Run *const Me = this;
  for (Id Which : Planned.Iterations) {
    Tasks[size_t(Which)].Creator = omp_get_thread_num();
    Tasks[size_t(Which)].Created = stamp();
  }
  // Where the tasks of a taskloop run is not specified: none of them is
  // strict for the checks.
  setHint(Planned.Where, false);
  switch (Planned.How) {
  case LoopForm::Grainsize:
    LOOP(grainsize(Size) if (Deferred))
    for (size_t I = 0; I < Count; ++I)
      Me->iteration(Ids[I]);
    break;
  case LoopForm::NumTasks:
    LOOP(num_tasks(Size) if (Deferred))
    for (size_t I = 0; I < Count; ++I)
      Me->iteration(Ids[I]);
    break;
  case LoopForm::NoGroup:
    LOOP(grainsize(Size) firstprivate(Ids) nogroup if (Deferred))
    for (size_t I = 0; I < Count; ++I)
      Me->iteration(Ids[I]);
    break;
  case LoopForm::Reduction: {
    long &Sum = Sums[size_t(Planned.Group)];
    LOOP(grainsize(Size) reduction(+ : Sum) if (Deferred))
    for (size_t I = 0; I < Count; ++I) {
      Me->reduce(Sum, Ids[I]);
      Me->iteration(Ids[I]);
    }
    break;
  }
  }
  if (Planned.Where.Kind != HintKind::None)
    takeBackHint(); // if the loop has not used it
  if (Planned.Group != None)
    reach(G.Groups[size_t(Planned.Group)].Deadline);
}

} // namespace stress
