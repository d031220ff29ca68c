#include "run.h"

#include <algorithm>
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// By another name, weak: other compilers' headers do not have them, and other
// runtimes do not define them.
extern "C" {
void setTaskAffinity(int Kind, uintptr_t Value,
                     int Strict) __asm__("omp_set_task_affinity")
    __attribute__((weak));
int getNumNodes(void) __asm__("omp_get_num_nodes") __attribute__((weak));
int getNodeNum(void) __asm__("omp_get_node_num") __attribute__((weak));
int getNodeFromData(const void *) __asm__("omp_get_node_from_data")
    __attribute__((weak));
}

namespace stress {

std::atomic<Moment> Run::Clock{0};

namespace {

/// Where a thread is. Each thread of a region sets its own; a task that finds
/// another one runs in another region than its own, or on a thread that the
/// runtime takes for another.
struct Here {
  const Run *In;
  Id Region;
  int Thread;
};
Here Current = {nullptr, None, 0};
#pragma omp threadprivate(Current)

std::atomic<long> InPlace{0};

/// Whether the current task runs in place, by the variable that the compiler
/// and the runtime share. Other runtimes do not have it.
bool runsInPlace() {
  static thread_local const int *const State =
      static_cast<const int *>(dlsym(RTLD_DEFAULT, "__kmpc_task_inline"));
  return State && State[4] != 0;
}

const size_t PageSize = size_t(getpagesize());
char Touched[16 << 16] = {1}; // the largest pages have 64 KB

/// Pages that nobody touches.
char *untouched() {
  static char *const Pages =
      static_cast<char *>(mmap(nullptr, 16 * PageSize, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  return Pages;
}

int modulo(intptr_t Value, int Count) {
  const intptr_t Rest = Value % Count;
  return int(Rest < 0 ? Rest + Count : Rest);
}

bool isSetTo(const char *Name, const char *Value) {
  const char *Is = getenv(Name);
  return Is && std::string(Is) == Value;
}

} // namespace

Run::Run(const Options &O, const Graph &G)
    : O(O), G(G), Tasks(new TaskState[G.Tasks.size()]),
      Deadlines(new std::atomic<Moment>[G.Deadlines.size()]()),
      Cancels(new std::atomic<Moment>[G.Groups.size()]()),
      Met(new std::atomic<int>[G.Groups.size()]()),
      Cells(new Cell[G.Tasks.size() * CellsOfRecord]),
      Sums(new long[G.Groups.size()]()) {
  for (size_t I = 0; I < sizeof(Touched); I += PageSize)
    Touched[I] = 1;
}

void Run::run() {
  for (Id Which : G.Top)
    region(Which);
}

bool Run::breaks(Break What) {
  return O.What == What && !Broken.exchange(true);
}

bool Run::hasPlaces() {
  return setTaskAffinity && !isSetTo("KMP_TASK_SCHEDULER", "stock");
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

long Run::inPlace() { return InPlace; }

void Run::begin(Id Which, const Payload &P) {
  if (runsInPlace())
    ++InPlace;
  const Task &T = G.Tasks[size_t(Which)];
  TaskState &State = Tasks[size_t(Which)];
  Moment Now = stamp();
  if (!T.Before.empty() ? breaks(Break::Depend)
                        : !T.Exclusive.empty() && breaks(Break::Mutex))
    Now = 1;
  if (State.Runs.fetch_add(1) != 0)
    fail(Which, "runs again");
  State.Start = Now;
  State.Thread = omp_get_thread_num();
  if (T.What == Sort::Explicit && breaks(Break::Twice))
    begin(Which, P);
  if (!P.fits(Which))
    fail(Which, "has other firstprivate data than it was given");
  // A hot team's threads run tasks of the next region before they begin their
  // own part of it, where they would set Current: so does LLVM's own runtime.
  const bool Stale =
      Current.In != this || State.Thread < 0 || // on a free agent
      Deadlines[size_t(G.Regions[size_t(Current.Region)].Deadline)];
  if (!Stale && (Current.Region != T.Region || Current.Thread != State.Thread))
    fail(Which,
         "runs on thread %d, whose threadprivate data is that of thread %d of "
         "region %d",
         State.Thread, Current.Thread, Current.Region);
  checkPlace(Which);
  checkCells(Which, false);
  for (const Dependence &D : T.Depends) {
    if (D.How == Access::Mutex)
      ++Cells[size_t(D.Cell)].MutexTasks;
    else if (D.How != Access::In && D.How != Access::Set)
      Cells[size_t(D.Cell)].Writer = breaks(Break::Value) ? None : Which;
  }
  if (T.What == Sort::Explicit && breaks(Break::Hang))
    for (;;)
      pause();
  if (breaks(Break::Crash))
    *static_cast<volatile int *>(address(14)) = 1;
  if (T.Fulfils != None)
    fulfil(T.Fulfils);
}

void Run::meet(Id Which) {
  const Task &T = G.Tasks[size_t(Which)];
  std::atomic<int> &Here = Met[size_t(T.Group)];
  // A nested region may get fewer threads.
  const int All = std::min(T.Meets, omp_get_num_threads());
  for (++Here; Here < All;)
    sched_yield();
}

void Run::first(Id Which) {
  if (G.Tasks[size_t(Which)].Meets)
    meet(Which);
  actions(Which, G.Tasks[size_t(Which)].First);
  Tasks[size_t(Which)].End = stamp();
}

void Run::second(Id Which) {
  // Another part of an untied task may be on another thread.
  Tasks[size_t(Which)].Thread = omp_get_thread_num();
  checkPlace(Which);
  actions(Which, G.Tasks[size_t(Which)].Second);
}

void Run::end(Id Which) {
  TaskState &State = Tasks[size_t(Which)];
  checkPlace(Which);
  checkCells(Which, true);
  if (State.Ended.exchange(true))
    fail(Which, "ends again");
  State.End = stamp();
}

void Run::cancelling(Id Which) {
  Moment Never = 0;
  Cancels[size_t(G.Tasks[size_t(Which)].Group)].compare_exchange_strong(
      Never, stamp());
}

void Run::fulfil(Id Detached) {
  TaskState &State = Tasks[size_t(Detached)];
  if (State.Fulfilled.exchange(stamp()))
    fail(Detached, "the test fulfils its event twice");
  omp_fulfill_event(State.Event);
}

void Run::iteration(Id Which) { perform(Which, Payload(Which)); }

void Run::reduce(long &Sum, Id Which) {
  Sum += Which + (breaks(Break::Reduction) ? 1 : 0);
}

long *Run::reductionOf(Id Group) {
  while (!G.Groups[size_t(Group)].Reduction)
    Group = G.Groups[size_t(Group)].Outer;
  return &Sums[size_t(Group)];
}

void Run::reach(Id Which) {
  // The first thread of a team that is through a barrier counts.
  static const Break Breaks[] = {Break::Wait,   Break::Wait,    Break::Group,
                                 Break::Group,  Break::Nothing, Break::Barrier,
                                 Break::Nothing};
  const Break What = Breaks[G.Deadlines[size_t(Which)].What];
  Moment Never = 0;
  Deadlines[size_t(Which)].compare_exchange_strong(
      Never, What != Break::Nothing && O.What == What ? 1 : stamp());
}

void Run::actions(Id Which, const Actions &List) {
  TaskState &State = Tasks[size_t(Which)];
  const int Thread = omp_get_thread_num();
  for (const Action &A : List) {
    State.Doing.store(State.Doing.load(std::memory_order_relaxed) + 1,
                      std::memory_order_relaxed);
    switch (A.What) {
    case Step::Create:
      create(A.Which);
      break;
    case Step::Wait: {
#pragma omp taskwait
      reach(A.Which);
      break;
    }
    case Step::WaitDepend:
      wait(G.Waits[size_t(A.Which)]);
      break;
    case Step::Yield: {
#pragma omp taskyield
      break;
    }
    case Step::Group:
      group(A.Which);
      break;
    case Step::Loop:
      loop(G.Loops[size_t(A.Which)]);
      break;
    case Step::Parallel:
      region(A.Which);
      break;
    case Step::Fulfil:
      fulfil(A.Which);
      break;
    case Step::FulfilOutside:
      fulfilOutside(*this, A.Which);
      break;
    }
    checkThread(Which, Thread);
  }
}

void Run::member(Id Which) {
  const Region &Planned = G.Regions[size_t(Which)];
  const int Me = omp_get_thread_num(), Threads = omp_get_num_threads();
  Current = {this, Which, Me};
  if (hasPlaces() && !O.CpuNodes.empty()) {
    const int Nodes = int(nodesOfTeam().size());
    if (getNumNodes() != Nodes)
      fail(Planned.Phases[0].Bodies[0],
           "the runtime says %d nodes, but the team is on %d", getNumNodes(),
           Nodes);
  }
  for (const Phase &P : Planned.Phases) {
    const int Count = int(P.Bodies.size());
    switch (P.How) {
    case PhaseForm::Parts:
      for (int I = Me; I < Count; I += Threads)
        iteration(P.Bodies[size_t(I)]);
      break;
    case PhaseForm::Single:
    case PhaseForm::Gang:
#pragma omp single
      iteration(P.Bodies[0]);
      break;
    case PhaseForm::SingleNoWait:
#pragma omp single nowait
      iteration(P.Bodies[0]);
      break;
    case PhaseForm::Masked:
#pragma omp masked
      iteration(P.Bodies[0]);
      break;
    case PhaseForm::For:
#pragma omp for schedule(dynamic, 1)
      for (int I = 0; I < Count; ++I)
        iteration(P.Bodies[size_t(I)]);
      break;
    case PhaseForm::ForNoWait:
#pragma omp for schedule(guided) nowait
      for (int I = 0; I < Count; ++I)
        iteration(P.Bodies[size_t(I)]);
      break;
    case PhaseForm::ForStatic:
#pragma omp for
      for (int I = 0; I < Count; ++I)
        iteration(P.Bodies[size_t(I)]);
      break;
    }
    if (P.Barrier) {
#pragma omp barrier
    }
    if (P.Deadline != None)
      reach(P.Deadline);
  }
}

void Run::region(Id Which) {
  const Region &Planned = G.Regions[size_t(Which)];
  const Here Outside = Current;
  switch (Planned.How) {
  case TeamForm::Clause:
#pragma omp parallel num_threads(Planned.Threads)
    member(Which);
    break;
  case TeamForm::Setting: {
    const int Before = omp_get_max_threads();
    omp_set_num_threads(Planned.Threads);
#pragma omp parallel
    member(Which);
    omp_set_num_threads(Before);
    break;
  }
  case TeamForm::Close:
#pragma omp parallel num_threads(Planned.Threads) proc_bind(close)
    member(Which);
    break;
  case TeamForm::Spread:
#pragma omp parallel num_threads(Planned.Threads) proc_bind(spread)
    member(Which);
    break;
  case TeamForm::Primary:
#pragma omp parallel num_threads(Planned.Threads) proc_bind(master)
    member(Which);
    break;
  }
  Current = Outside;
  reach(Planned.Deadline);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

void *Run::address(intptr_t Value) const {
  if (Value < 10)
    return Touched + size_t(Value) * PageSize + size_t(Value) * 8;
  if (Value < 13)
    return untouched() + size_t(Value) * PageSize;
  return Value < 15 ? reinterpret_cast<void *>(0x10) : nullptr;
}

void Run::setHint(const Hint &H, bool MayBreak) {
  // Where none is said, the next task may run in place.
  if (!setTaskAffinity || H.Kind == HintKind::None)
    return;
  static const int Kinds[] = {0, 1, 2, 3, 0};
  uintptr_t Value = H.Kind == HintKind::Data
                        ? reinterpret_cast<uintptr_t>(address(H.Value))
                        : uintptr_t(H.Value);
  if (MayBreak && H.Strict) {
    if (H.Kind == HintKind::Thread && omp_get_num_threads() > 1 &&
        breaks(Break::Thread))
      ++Value;
    if (H.Kind == HintKind::Node && getNumNodes() > 1 && breaks(Break::Node))
      ++Value;
  }
  setTaskAffinity(Kinds[int(H.Kind)], Value, H.Strict);
}

void Run::takeBackHint() {
  if (setTaskAffinity)
    setTaskAffinity(0, 0, 0);
}

int Run::nodeOf(int Thread) const {
  return O.CpuNodes[size_t(Thread) % O.CpuNodes.size()];
}

std::vector<int> Run::nodesOfTeam() const {
  std::vector<int> Nodes;
  for (int Thread = 0; Thread < omp_get_num_threads(); ++Thread) {
    bool Known = false;
    for (int Node : Nodes)
      Known |= Node == nodeOf(Thread);
    if (!Known)
      Nodes.push_back(nodeOf(Thread));
  }
  return Nodes;
}

/// The position of \p OsNode in \p Nodes, or -1.
static int find(const std::vector<int> &Nodes, int OsNode) {
  for (size_t I = 0; I < Nodes.size(); ++I)
    if (Nodes[I] == OsNode)
      return int(I);
  return -1;
}

/// The OS node that has the page, negative if there is none yet.
static int osNodeOf(void *Address) {
  void *Page = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(Address) &
                                        ~(PageSize - 1));
  int Node = -1;
  syscall(SYS_move_pages, 0, 1ul, &Page, nullptr, &Node, 0);
  return Node;
}

bool Run::runsAtOnce(const Task &T) const {
  return T.Undeferred || T.Included || omp_get_num_threads() == 1;
}

void Run::checkThread(Id Which, int Before) const {
  const int Now = omp_get_thread_num();
  if (Now != Before ||
      (O.What == Break::Tied && G.Tasks[size_t(Which)].What == Sort::Explicit))
    fail(Which, "went on on thread %d behind a task scheduling point, after %d",
         Now, Before);
}

void Run::checkPlace(Id Which) const {
  const Task &T = G.Tasks[size_t(Which)];
  const TaskState &State = Tasks[size_t(Which)];
  if (T.What != Sort::Part && State.Creator >= 0 && runsAtOnce(T) &&
      (State.Thread != State.Creator || O.What == Break::Included))
    fail(Which, "is undeferred, but runs on thread %d, not %d", State.Thread,
         State.Creator);
  if (!T.Where.Strict || runsAtOnce(T) || !hasPlaces())
    return;
  if (T.Where.Kind == HintKind::Thread) {
    const int Should = modulo(T.Where.Value, omp_get_num_threads());
    if (State.Thread != Should)
      fail(Which, "is strict, but runs on thread %d, not %d", State.Thread,
           Should);
    return;
  }
  // The runtime's word, and ours if the machine is one that we know.
  int Is = getNodeNum();
  if (Is < 0 || Is >= getNumNodes())
    fail(Which, "omp_get_node_num says %d, of %d nodes", Is, getNumNodes());
  std::vector<int> Nodes;
  if (!O.CpuNodes.empty()) {
    Nodes = nodesOfTeam();
    const int Known = find(Nodes, nodeOf(State.Thread));
    if (Is != Known)
      fail(Which, "thread %d is on node %d, but omp_get_node_num says %d",
           State.Thread, Known, Is);
  }
  int Should;
  if (T.Where.Kind == HintKind::Node) {
    Should = modulo(T.Where.Value, getNumNodes());
  } else {
    void *const Memory = address(T.Where.Value);
    const int OsNode = osNodeOf(Memory);
    if (OsNode < 0) {
      if (isSetTo("KMP_TASK_UNKNOWN_NODE", "local"))
        return; // the node of whichever thread made it ready
      Should = 0;
    } else {
      Should = Nodes.empty() ? getNodeFromData(Memory) : find(Nodes, OsNode);
    }
    if (Should < 0)
      return; // the nearest one, which is not ours to say
  }
  if (Is != Should)
    fail(Which, "is strict, but runs on node %d, not %d", Is, Should);
}

/// Whether \p Which sees what those before it have written, and itself.
void Run::checkCells(Id Which, bool HasWritten) const {
  for (const Dependence &D : G.Tasks[size_t(Which)].Depends) {
    const bool Writes = D.How == Access::Out || D.How == Access::InOut;
    const Id Is = Cells[size_t(D.Cell)].Writer;
    const Id Should = Writes && HasWritten ? Which : D.Writer;
    // A cancelled writer has not written.
    if (Should != None && !Tasks[size_t(Should)].Runs)
      continue;
    if (Is != Should)
      fail(Which, "finds cell %d written by record %d, not %d", D.Cell, Is,
           Should);
  }
}

} // namespace stress
