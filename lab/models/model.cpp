//===- models/model.cpp - Other schedulers, as models --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/models/model.h"

#include <algorithm>
#include <stdexcept>

namespace locus::lab {

//===----------------------------------------------------------------------===//
// A lock
//===----------------------------------------------------------------------===//

void SimLock::acquire() {
  E.readModifyWrite(Word);
  if (Holder < 0) {
    Holder = E.self();
    return;
  }
  Waiters.push_back(E.self());
  E.block();
  E.load(Word, true);
}

void SimLock::release(double SyscallNs) {
  E.readModifyWrite(Word);
  Holder = -1;
  if (Waiters.empty())
    return;
  const int Next = Waiters.front();
  Waiters.pop_front();
  Holder = Next;
  // All who wait read the line again; the next one is in the middle of them.
  const double Others = double(Waiters.size()) / 2;
  E.wake(Next, E.now() + toPs(Others * E.machine().Cost.ShareNs));
  E.advance(toPs(SyscallNs));
}

uint64_t Blocks::get() {
  if (Free.empty())
    return uint64_t(allocate(size_t(Lines) * LineBytes));
  const uint64_t Block = Free.back();
  Free.pop_back();
  return Block;
}

//===----------------------------------------------------------------------===//
// What programs see
//===----------------------------------------------------------------------===//

class ModelContext final : public EngineContext {
public:
  ModelContext(Model &TheModel, TaskRef Task)
      : EngineContext(TheModel.engine(), TheModel.numbers(),
                      TheModel.engine().self(), TheModel.teamNodes(),
                      TheModel.numTeamNodes()),
        M(TheModel), Self(std::move(Task)) {}

  void create(const TaskSpec &Spec) override { M.create(Self, Spec); }
  void taskwait() override { M.taskwait(Self); }
  void barrier() override { M.barrier(); }

private:
  Model &M;
  TaskRef Self;
};

Model::Model(Engine &TheEngine, Book &TheNumbers,
             const std::vector<int> &Processors, const Program &TheProgram)
    : E(TheEngine), Numbers(TheNumbers), P(TheProgram),
      TeamNodes(teamNodesOf(TheEngine.machine(), Processors)),
      Draw(TheNumbers.Options.Seed) {
  for (int Node : TeamNodes)
    NumNodes = std::max(NumNodes, Node + 1);
  for (int T = 0; T < E.numThreads(); ++T) {
    Implicit.push_back(std::make_shared<ModelTask>());
    Implicit.back()->Creator = T;
    Implicit.back()->Line = Descriptors.get();
  }
  BarrierLine = Descriptors.get();
  NumReturned.resize(size_t(E.numThreads()));
  Ready = makePool(*this);
}

void Model::runThread(int Thread) {
  E.spend(Spent::Working);
  const TaskRef Self = Implicit[size_t(Thread)];
  ModelContext C(*this, Self);
  P.ImplicitTask(C);
  barrier();
}

bool Model::isUnder(const ModelTask *Task, const ModelTask *Ancestor) const {
  if (!Ancestor)
    return true;
  while (Task && Task->Depth > Ancestor->Depth)
    Task = Task->Parent.get();
  return Task == Ancestor;
}

int Model::hintedThread(const Hint &H) const {
  return H.Kind == HintKind::Thread ? int(H.Value % uint64_t(numThreads()))
                                    : -1;
}

int Model::hintedNode(const Hint &H) const {
  if (H.Kind == HintKind::Node)
    return int(H.Value % uint64_t(NumNodes));
  if (H.Kind != HintKind::Data)
    return -1;
  const int Node = E.memory().nodeOf(H.Value);
  return Node < 0 ? 0 : std::max(0, TeamNodes[size_t(Node)]);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

TaskRef Model::newTask(const TaskRef &Self, const TaskSpec &Spec) {
  TaskRef Task = std::make_shared<ModelTask>();
  Task->Spec = Spec;
  if (!Ready->obeysHints() || !Numbers.Options.UseHints)
    Task->Spec.Affinity = {};
  Task->Parent = Self;
  Task->Depth = Self->Depth + 1;
  Task->Creator = E.self();
  Task->Line = Descriptors.get();
  if (!Spec.Depends.empty())
    Task->Node = std::make_unique<DependNode>(Nodes);
  Task->Number = Numbers.newTask(E.self());
  Task->Created = double(E.now()) / 1000;
  ++Self->Children;
  ++Unfinished;
  return Task;
}

/// A block from the list of free ones, whose link has to be read first: who
/// freed it has written that.
void Model::fillIn(uint64_t Block, int Lines) {
  E.load(Block, false);
  for (int I = 0; I < Lines; ++I)
    E.store(Block + uint64_t(I) * LineBytes, false);
}

void Model::create(const TaskRef &Self, const TaskSpec &Spec) {
  const Spent Before = E.spend(Spent::Creating);
  // The creator may have computed since others last had their turn: what they
  // have taken from its queue by now counts.
  E.sync();
  const bool IsIncluded = Spec.Depends.empty() && Ready->refuses();
  const TaskRef Task = newTask(Self, Spec);
  if (IsIncluded) {
    runTask(Task, IsIncluded);
    E.spend(Before);
    return;
  }
  pass(costs().CreateNs);
  fillIn(Task->Line, ModelTask::Lines);
  // The parent's two counters of children.
  E.readModifyWrite(Self->counters());
  E.readModifyWrite(Self->counters());
  Ready->beginCreate();
  if (!Spec.Depends.empty())
    addDepends(Task);
  if (Task->Missing == 0)
    makeReady(Task);
  Ready->endCreate();
  E.spend(Before);
}

void Model::makeReady(const TaskRef &Task) {
  if (!Ready->push(Task)) {
    runTask(Task);
    return;
  }
  ++Queued;
  if (!Idle.empty())
    pass(Ready->wakeNs());
  callIdle();
}

void Model::runTask(const TaskRef &Task, bool IsIncluded) {
  const int Thread = E.self();
  const Spent Before = E.spend(Spent::Working);
  pass(IsIncluded ? costs().InPlaceNs : costs().InvokeNs);
  if (!IsIncluded) {
    E.loadTogether(Task->Line, ModelTask::Lines * LineBytes);
    E.store(Task->Line, false); // it is started
  }
  const double Begin = double(E.now()) / 1000;
  ModelContext C(*this, Task);
  Task->Spec.Body(C);
  Task->Spec.Body = nullptr;
  E.spend(Spent::Ending);
  complete(Task, IsIncluded);
  Numbers.endTask({Task->Number, Task->Spec.Construct, Thread, Task->Created,
                   Begin, double(E.now()) / 1000, IsIncluded, false});
  E.spend(Before);
}

void Model::releaseSuccessors(const TaskRef &Task) {
  E.readModifyWrite(Task->Node->lock());
  E.store(Task->Node->state(), false);
  Task->HasEnded = true;
  E.store(Task->Node->lock(), true);
  const std::vector<TaskRef> Successors = std::move(Task->Successors);
  for (const TaskRef &After : Successors) {
    E.readModifyWrite(After->Node->counters());
    if (--After->Missing == 0)
      makeReady(After);
  }
  E.readModifyWrite(Task->Node->counters()); // one reference less
}

void Model::complete(const TaskRef &Task, bool IsIncluded) {
  ModelTask &Parent = *Task->Parent;
  if (!IsIncluded) {
    Ready->beginEnd();
    E.store(Task->Line, false); // it is complete
    if (Task->Node)
      releaseSuccessors(Task);
    // The parent's counters.
    E.readModifyWrite(Parent.counters());
    E.readModifyWrite(Parent.counters());
  }
  Task->HasEnded = true;
  Task->Depends.clear();
  --Unfinished;
  if (--Parent.Children == 0 && Parent.Waiter >= 0)
    stopBeingIdle(Parent.Waiter);
  // Descriptors go back to the thread that they are from, 16 at a time.
  if (!IsIncluded && Task->Creator != E.self() &&
      ++NumReturned[size_t(E.self())] % 16 == 0)
    E.readModifyWrite(Implicit[size_t(Task->Creator)]->Line);
  Descriptors.put(Task->Line);
  if (!IsIncluded)
    Ready->endEnd();
  if (Unfinished == 0 && Arrived == numThreads())
    releaseBarrier();
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

void Model::addPredecessor(const TaskRef &Task, const TaskRef &Before) {
  // Whether it has ended; if not, again under its lock.
  E.load(Before->Node->state(), false);
  if (Before->HasEnded || Before == Task)
    return;
  E.readModifyWrite(Before->Node->lock());
  E.store(Before->Node->state(), false);
  E.readModifyWrite(Task->Node->counters()); // it has one reference more
  E.store(Before->Node->lock(), true);
  // Each of these let others go on; from here on nobody does.
  if (Before->HasEnded)
    return;
  ++Task->Missing;
  Before->Successors.push_back(Task);
}

/// The table no longer keeps \p Those.
void Model::forget(std::vector<TaskRef> &Those) {
  for (const TaskRef &Old : Those)
    E.readModifyWrite(Old->Node->counters());
  Those.clear();
}

void Model::addDepends(const TaskRef &Task) {
  auto &Table = Task->Parent->Depends;
  fillIn(Task->Node->state(), DependNode::Lines);
  // Others that end meanwhile must not make it ready.
  ++Task->Missing;
  for (const Depend &D : Task->Spec.Depends) {
    pass(costs().DependNs);
    Accesses &A = Table[D.Address];
    E.readModifyWrite(Task->Node->counters()); // the table keeps it
    const bool Reads = D.Kind == DepKind::In;
    const bool Joins = D.Kind == DepKind::InOutSet && A.Kind == D.Kind &&
                       A.Readers.empty() && !A.Writers.empty();
    if (Joins) {
      A.Writers.push_back(Task);
      continue;
    }
    if (Reads || A.Readers.empty())
      for (const TaskRef &Before : A.Writers)
        addPredecessor(Task, Before);
    if (Reads) {
      A.Readers.push_back(Task);
      continue;
    }
    for (const TaskRef &Before : A.Readers)
      addPredecessor(Task, Before);
    forget(A.Readers);
    forget(A.Writers);
    A.Writers.push_back(Task);
    A.Kind = D.Kind;
  }
  --Task->Missing;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// The place in Idle of one that may take what is queued; Idle.size(): none.
size_t Model::chooseIdle() {
  if (Ready->isOneForAll())
    return Ready->hasFor(Idle.front()) ? size_t(draw(int(Idle.size())))
                                       : Idle.size();
  std::vector<size_t> Able;
  for (size_t I = 0; I < Idle.size(); ++I)
    if (Ready->hasFor(Idle[I]))
      Able.push_back(I);
  return Able.empty() ? Idle.size() : Able[size_t(draw(int(Able.size())))];
}

/// Somebody who is idle will look where something is queued: how soon, the pool
/// says. Whoever comes lets the next one come, as long as there is something to
/// be seen. So more come than there are tasks, and stand in line for a lock.
void Model::callIdle() {
  if (Called >= 0 || Idle.empty() || Queued <= 0)
    return;
  const size_t At = chooseIdle();
  if (At == Idle.size())
    return;
  // Where what is queued is not for those who come, fewer come: a saving of
  // steps.
  const double Discovery =
      Ready->discoveryNs(int(Idle.size())) * double(1 << std::min(Misses, 8));
  Called = Idle[At];
  Idle[At] = Idle.back();
  Idle.pop_back();
  E.wake(Called, E.now() + toPs(Discovery));
}

/// \p Thread waits no longer for what it waited for, if it is idle.
void Model::stopBeingIdle(int Thread) {
  const auto Found = std::find(Idle.begin(), Idle.end(), Thread);
  if (Found == Idle.end())
    return;
  Idle.erase(Found);
  E.wake(Thread, E.now());
}

template <typename F>
void Model::workUntil(const ModelTask *Under, F &&IsOver) {
  const Spent Before = E.spend(Spent::Searching);
  const int Me = E.self();
  // Whoever was called for a task lets the next one be called.
  while (!IsOver()) {
    pass(costs().RoundNs);
    E.sync();
    const bool WasCalled = Called == Me;
    if (WasCalled)
      Called = -1;
    if (IsOver())
      break;
    if (WasCalled)
      callIdle();
    const TaskRef Task = Queued > 0 ? Ready->take(Under) : nullptr;
    Queued -= Task != nullptr;
    Numbers.R.EmptySearches += Task == nullptr;
    if (Task) {
      Misses = 0;
      runTask(Task);
      continue;
    }
    if (WasCalled && Ready->hasFor(Me))
      ++Misses; // what is there is not for this thread
    E.sync();
    if (IsOver())
      break;
    Idle.push_back(Me);
    callIdle();
    E.block();
  }
  callIdle();
  E.spend(Before);
}

void Model::taskwait(const TaskRef &Self) {
  pass(costs().WaitNs);
  E.load(Self->counters(), true);
  E.sync(); // a copy of the line needs no turn
  if (Self->Children == 0)
    return;
  Self->Waiter = E.self();
  workUntil(Self->Depth > 0 ? Self.get() : nullptr,
            [&] { return Self->Children == 0; });
  Self->Waiter = -1;
  E.load(Self->counters(), true);
}

/// All threads gather in a tree of which each level moves a line, and run tasks
/// meanwhile; the last one lets them go in a tree, too.
void Model::barrier() {
  const Spent Before = E.spend(Spent::Other);
  E.readModifyWrite(BarrierLine);
  E.sync();
  const uint64_t Round = BarrierRound;
  ++Arrived;
  if (Arrived == numThreads() && Unfinished == 0)
    releaseBarrier();
  else
    workUntil(nullptr, [&] { return BarrierRound != Round; });
  E.spend(Before);
}

void Model::releaseBarrier() {
  Arrived = 0;
  ++BarrierRound;
  int Levels = 0;
  while ((1 << 2 * Levels) < numThreads()) // of four branches, as libomp's
    ++Levels;
  const std::vector<int> Waiting = std::move(Idle);
  Idle.clear();
  for (int Thread : Waiting) {
    const double Line = E.machine().lineNs(E.processor(E.self()).Number,
                                           E.processor(Thread).Number);
    E.wake(Thread, E.now() + toPs(Levels * Line));
  }
}

//===----------------------------------------------------------------------===//
// What was
//===----------------------------------------------------------------------===//

void Model::noteSteal(int Thief, int Victim) {
  const Machine &M = E.machine();
  const size_t A = size_t(E.processor(Thief).Number),
               B = size_t(E.processor(Victim).Number);
  ++Numbers.R.Steals[M.CoreOf[A] == M.CoreOf[B]         ? 0
                     : M.L3Of[A] == M.L3Of[B]           ? 1
                     : M.NodeOf[A] == M.NodeOf[B]       ? 2
                     : M.PackageOf[A] == M.PackageOf[B] ? 3
                                                        : 4];
}

Result runModel(const Machine &M, const RunOptions &Options, const Program &P) {
  const std::vector<int> Processors = processorsOf(M, Options);
  Engine E(M, Processors);
  Book Numbers(E, Options);
  Model Team(E, Numbers, Processors, P);
  for (int T = 0; T < E.numThreads(); ++T)
    E.begin(T, [&Team, T] { Team.runThread(T); });
  return Numbers.finish(E.run(toPs(Options.MostSeconds * 1e9)));
}

} // namespace locus::lab
