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
    Implicit.back()->Line = newLine();
  }
  BarrierLine = newLine();
  NumReturned.resize(size_t(E.numThreads()));
  Ready = makePool(*this);
}

uint64_t Model::newLine() {
  if (FreeLines.empty())
    return uint64_t(allocate(LineBytes));
  const uint64_t Line = FreeLines.back();
  FreeLines.pop_back();
  return Line;
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
  Task->Line = newLine();
  Task->Number = Numbers.newTask(E.self());
  Task->Created = double(E.now()) / 1000;
  ++Self->Children;
  ++Unfinished;
  return Task;
}

void Model::create(const TaskRef &Self, const TaskSpec &Spec) {
  const Spent Before = E.spend(Spent::Creating);
  const bool IsIncluded = Spec.Depends.empty() && Ready->refuses();
  const TaskRef Task = newTask(Self, Spec);
  if (IsIncluded) {
    runTask(Task, IsIncluded);
    E.spend(Before);
    return;
  }
  pass(costs().CreateNs);
  // The parent's two counters of children.
  E.store(Task->Line, false);
  E.readModifyWrite(Self->Line);
  E.readModifyWrite(Self->Line);
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
  callIdle();
}

void Model::runTask(const TaskRef &Task, bool IsIncluded) {
  const int Thread = E.self();
  const Spent Before = E.spend(Spent::Working);
  pass(IsIncluded ? costs().InPlaceNs : costs().InvokeNs);
  E.load(Task->Line, false);
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

void Model::complete(const TaskRef &Task, bool IsIncluded) {
  ModelTask &Parent = *Task->Parent;
  if (!IsIncluded) {
    Ready->beginEnd();
    Task->HasEnded = true;
    const std::vector<TaskRef> Successors = std::move(Task->Successors);
    for (const TaskRef &After : Successors) {
      E.readModifyWrite(After->Line);
      if (--After->Missing == 0)
        makeReady(After);
    }
    // The parent's counters.
    E.readModifyWrite(Parent.Line);
    E.readModifyWrite(Parent.Line);
  }
  Task->Depends.clear();
  --Unfinished;
  if (--Parent.Children == 0 && Parent.Waiter >= 0)
    stopBeingIdle(Parent.Waiter);
  // Descriptors go back to the thread that they are from, 16 at a time.
  if (!IsIncluded && Task->Creator != E.self() &&
      ++NumReturned[size_t(E.self())] % 16 == 0)
    E.readModifyWrite(Implicit[size_t(Task->Creator)]->Line);
  FreeLines.push_back(Task->Line);
  if (!IsIncluded)
    Ready->endEnd();
  if (Unfinished == 0 && Arrived == numThreads())
    releaseBarrier();
}

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

void Model::addPredecessor(const TaskRef &Task, const TaskRef &Before) {
  // Its lock, its state and the list that it keeps.
  E.readModifyWrite(Before->Line);
  if (Before->HasEnded || Before == Task)
    return;
  ++Task->Missing;
  Before->Successors.push_back(Task);
}

void Model::addDepends(const TaskRef &Task) {
  auto &Table = Task->Parent->Depends;
  // Others that end meanwhile must not make it ready.
  ++Task->Missing;
  for (const Depend &D : Task->Spec.Depends) {
    pass(costs().DependNs);
    Accesses &A = Table[D.Address];
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
    A.Readers.clear();
    A.Writers.assign(1, Task);
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

/// Somebody who is idle will find what is queued: how soon, the pool says.
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
  pass(Ready->wakeNs());
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
  const auto Answer = [&] {
    if (Called == Me)
      Called = -1;
    callIdle();
  };
  while (!IsOver()) {
    pass(costs().RoundNs);
    E.sync();
    const TaskRef Task = Queued > 0 ? Ready->take(Under) : nullptr;
    Queued -= Task != nullptr;
    Numbers.R.EmptySearches += Task == nullptr;
    if (Task || Called == Me)
      Misses = Task ? 0 : Misses + 1;
    Answer();
    if (Task) {
      runTask(Task);
      continue;
    }
    E.sync();
    if (IsOver())
      break;
    Idle.push_back(Me);
    E.block();
  }
  Answer();
  E.spend(Before);
}

void Model::taskwait(const TaskRef &Self) {
  pass(costs().WaitNs);
  E.load(Self->Line, true);
  if (Self->Children == 0)
    return;
  Self->Waiter = E.self();
  workUntil(Self->Depth > 0 ? Self.get() : nullptr,
            [&] { return Self->Children == 0; });
  Self->Waiter = -1;
  E.load(Self->Line, true);
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
