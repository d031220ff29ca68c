// Random graphs of tasks: dependences, taskgroup, taskwait, taskyield, untied,
// final, if(0), strict and other hints of all kinds. Each task runs
// once, not before what it depends on, strict ones where they must; taskwait
// and taskgroup wait for theirs.
//
// RUN: %clangxx %s -o %t
// RUN: %run-each %t 1 250
// More, with other seeds:   run-each --repeat 20 PROGRAM SEED TASKS-A-ROUND

#include "check.h"
#include <atomic>
#include <memory>
#include <random>
#include <vector>

namespace {

unsigned Seed;
bool Placed = true; ///< hints are in force
std::atomic<int> NextId, Budget;
std::vector<std::atomic<int>> Runs(1 << 16);
char Data[64];

/// What the tasks of one taskgroup, and of those around it, count.
struct Group {
  Group *Outer;
  std::atomic<int> Open{0};
};

/// What the children of one task share. Each cell counts the writers and
/// readers that ended; the creator alone knows how many there were to be.
struct Scope {
  static constexpr int NumCells = 4;
  char Cell[NumCells];
  std::atomic<int> Writers[NumCells] = {}, Readers[NumCells] = {};
  std::atomic<int> OpenChildren{0};
};

struct Need {
  int Cell = 0;
  bool Write = false;
  int Writers = 0, Readers = 0; ///< that must have ended
};

struct Hint {
  int Kind = omp_affinity_none;
  intptr_t Value = 0;
  bool Strict = false;
};

void check(const Hint &Where, int Encountering, bool Included, int Id) {
  if (Included) {
    if (Encountering >= 0 && omp_get_thread_num() != Encountering)
      FAIL("seed %u: undeferred task %d on thread %d, not %d", Seed, Id,
           omp_get_thread_num(), Encountering);
    return;
  }
  if (!Where.Strict || !Placed)
    return;
  int Is = nodeHere(), Should = 0;
  switch (Where.Kind) {
  case omp_affinity_thread:
    Is = omp_get_thread_num();
    Should = modulo(Where.Value, omp_get_num_threads());
    break;
  case omp_affinity_node:
    Should = modulo(Where.Value, omp_get_num_nodes());
    break;
  case omp_affinity_data:
    Should = teamNodeOf(osNodeOf((void *)Where.Value));
    break;
  default:
    return;
  }
  if (Is != Should)
    FAIL("seed %u: strict task %d of kind %d ran on %d, not %d", Seed, Id,
         Where.Kind, Is, Should);
}

/// All that a task knows, copied into it: its creator may have ended.
struct Job {
  int Id, Depth;
  bool Final, Untied, Included;
  int Encountering; ///< the creating thread, if that is certain
  Group *In;
  Hint Where;
  std::shared_ptr<Scope> Of;
  int NumNeeds;
  Need Needs[2];
};

void children(int Id, int Depth, bool Final, bool Untied, Group *In);

void run(const Job &J) {
  check(J.Where, J.Encountering, J.Included, J.Id);
  for (int I = 0; I < J.NumNeeds; ++I) {
    const Need &N = J.Needs[I];
    int Writers = J.Of->Writers[N.Cell], Readers = J.Of->Readers[N.Cell];
    if (Writers != N.Writers || (N.Write && Readers != N.Readers))
      FAIL("seed %u: task %d started behind %d writers and %d readers, not %d "
           "and %d",
           Seed, J.Id, Writers, Readers, N.Writers, N.Readers);
  }
  ++Runs[J.Id];
  children(J.Id, J.Depth, J.Final, J.Untied, J.In);
  check(J.Where, J.Encountering, J.Included, J.Id);
  for (int I = 0; I < J.NumNeeds; ++I)
    ++(J.Needs[I].Write ? J.Of->Writers : J.Of->Readers)[J.Needs[I].Cell];
  for (Group *G = J.In; G; G = G->Outer)
    --G->Open;
  --J.Of->OpenChildren;
}

/// Creates the task of \p J.
void create(Job J, bool Undeferred, bool MakeFinal) {
  const Need &First = J.Needs[0], &Second = J.Needs[1];
  char *A = &J.Of->Cell[First.Cell], *B = &J.Of->Cell[Second.Cell];
  const bool Deferred = !Undeferred;
  omp_set_task_affinity(omp_affinitykind_t(J.Where.Kind),
                        uintptr_t(J.Where.Value), J.Where.Strict);
  // A task with one need has the clause that it wants; 4 bits choose.
  switch (J.NumNeeds * 4 + First.Write + 2 * Second.Write) {
  case 0:
    if (J.Untied) {
#pragma omp task untied final(MakeFinal) firstprivate(J)
      run(J);
    } else {
#pragma omp task if (Deferred) final(MakeFinal) firstprivate(J)
      run(J);
    }
    break;
  case 4:
#pragma omp task if (Deferred) final(MakeFinal) depend(in : *A) firstprivate(J)
    run(J);
    break;
  case 5:
#pragma omp task if (Deferred) final(MakeFinal) depend(inout : *A)             \
    firstprivate(J)
    run(J);
    break;
  case 8:
#pragma omp task if (Deferred) final(MakeFinal) depend(in : *A, *B)            \
    firstprivate(J)
    run(J);
    break;
  case 9:
#pragma omp task if (Deferred) final(MakeFinal) depend(out : *A)               \
    depend(in : *B) firstprivate(J)
    run(J);
    break;
  case 10:
#pragma omp task if (Deferred) final(MakeFinal) depend(in : *A)                \
    depend(inout : *B) firstprivate(J)
    run(J);
    break;
  case 11:
#pragma omp task if (Deferred) final(MakeFinal) depend(out : *A, *B)           \
    firstprivate(J)
    run(J);
    break;
  default:
    FAIL("no such form");
  }
}

/// Creates the children of task \p Id, and sometimes waits for them.
void children(int Id, int Depth, bool Final, bool Untied, Group *In) {
  std::mt19937 Random(Seed * 7919u + unsigned(Id));
  auto Below = [&](int Limit) {
    return int(std::uniform_int_distribution<int>(0, Limit - 1)(Random));
  };
  if (Depth == 0)
    return;
  // Shared with tasks that outlive this one.
  auto Shared = std::make_shared<Scope>();
  int Writers[Scope::NumCells] = {}, Readers[Scope::NumCells] = {};
  auto WaitForAll = [&] {
#pragma omp taskwait
    if (Shared->OpenChildren)
      FAIL("seed %u: taskwait left %d children of task %d", Seed,
           Shared->OpenChildren.load(), Id);
  };

  auto Create = [&](Group *Inside) {
    if (--Budget < 0)
      return;
    Job J = {};
    J.Id = ++NextId;
    J.Depth = Depth - 1;
    J.Where.Kind = Below(4);
    J.Where.Strict = Below(2);
    J.Where.Value = J.Where.Kind == omp_affinity_data
                        ? intptr_t(&Data[Below(64)])
                        : Below(40) - 20;
    const bool MakeFinal = Below(8) == 0, Undeferred = Below(8) == 0;
    J.Final = Final || MakeFinal;
    J.Included = Final || Undeferred;
    J.NumNeeds = Below(3);
    // Untied tasks are leaves and not if(0): with upstream's libomp 19, too,
    // those that wait on top of a tied task can hang, and those with if(0)
    // corrupt memory.
    J.Untied = J.NumNeeds == 0 && !Undeferred && Below(3) == 0;
    if (J.Untied)
      J.Depth = 0;
    J.Of = Shared;
    J.In = Inside;
    // An untied creator may change threads before it comes to the construct.
    J.Encountering = Untied ? -1 : omp_get_thread_num();
    for (int I = 0; I < J.NumNeeds; ++I) {
      Need &N = J.Needs[I];
      N.Cell = I * 2 + Below(2);
      N.Write = Below(2);
      N.Writers = Writers[N.Cell];
      N.Readers = Readers[N.Cell];
      ++(N.Write ? Writers : Readers)[N.Cell];
    }
    for (Group *G = Inside; G; G = G->Outer)
      ++G->Open;
    ++Shared->OpenChildren;
    create(J, Undeferred, MakeFinal);
  };

  for (int Left = 1 + Below(7); Left > 0; --Left) {
    switch (Below(10)) {
    case 0:
      WaitForAll();
      break;
    case 1: {
#pragma omp taskyield
      break;
    }
    case 2: {
      Group Inner;
      Inner.Outer = In;
#pragma omp taskgroup
      for (int I = Below(4); I >= 0; --I)
        Create(&Inner);
      if (Inner.Open)
        FAIL("seed %u: a taskgroup of task %d left %d tasks", Seed, Id,
             Inner.Open.load());
      break;
    }
    default:
      Create(In);
    }
  }
  if (Below(3) == 0)
    WaitForAll();
}

void round(int Tasks) {
  NextId = 0;
  Budget = Tasks;
  for (auto &Count : Runs)
    Count = 0;
#pragma omp parallel
  {
    // Several roots; the barrier waits for what nobody else does.
    int Root = ++NextId;
    children(Root, 6, false, false, nullptr);
#pragma omp barrier
#pragma omp masked
    for (int Id = omp_get_num_threads() + 1; Id <= NextId; ++Id)
      if (Runs[Id] > 1)
        FAIL("seed %u: task %d ran %d times", Seed, Id, Runs[Id].load());
  }
  int Ran = 0;
  for (auto &Count : Runs)
    Ran += Count;
  int Created = Tasks - std::max(0, Budget.load());
  if (Ran != Created)
    FAIL("seed %u: %d of %d tasks ran", Seed, Ran, Created);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    FAIL("usage: SEED TASKS");
  Data[0] = 1;
  // To see how the stock scheduler does.
  const char *Scheduler = getenv("KMP_TASK_SCHEDULER");
  Placed = !Scheduler || strcmp(Scheduler, "stock") != 0;
  unsigned First = unsigned(atoi(argv[1]));
  int Tasks = std::min(atoi(argv[2]), 60000);
  for (Seed = First; Seed < First + 4; ++Seed)
    round(Tasks);
  return 0;
}
