//===- models/pools.cpp - Where other schedulers keep ready tasks --------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/models/locked_queue.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace locus::lab {

namespace {

enum class From : uint8_t { Oldest, Newest };

/// Whether a task may be taken, its descriptor says, and its node if it has
/// one, which is known only when the descriptor has come.
bool mayTake(Model &M, const ModelTask &Task, const ModelTask *Under) {
  M.engine().loadTogether(Task.Line, 2 * LineBytes);
  if (Task.Node)
    M.engine().load(Task.Node->state(), false);
  return M.isUnder(&Task, Under);
}

/// What a take from \p Q costs, and its task if one may be taken.
TaskRef takeFrom(Model &M, LockedQueue &Q, From Where, const ModelTask *Under) {
  M.engine().load(Q.Line, true);
  M.engine().sync();
  if (Q.Tasks.empty())
    return nullptr;
  Q.Lock.acquire();
  M.engine().load(Q.Line, true);
  TaskRef Found;
  // libomp looks through the queue if the first one is not allowed.
  const size_t N = Q.Tasks.size();
  for (size_t I = 0; I < N && !Found; ++I) {
    const size_t At = Where == From::Oldest ? I : N - 1 - I;
    if (I > 0)
      M.pass(M.costs().AccessNs);
    M.engine().load(Q.slot(Q.NumPushed - N + At), false);
    if (!mayTake(M, *Q.Tasks[At], Under)) {
      if (Where == From::Newest)
        break; // the newest one only
      continue;
    }
    M.engine().store(Q.Line, false);
    Found = Q.Tasks[At];
    Q.Tasks.erase(Q.Tasks.begin() + long(At));
  }
  Q.Lock.release();
  return Found;
}

void pushTo(Model &M, LockedQueue &Q, const TaskRef &Task) {
  M.engine().load(Q.Line, true); // whether there is room
  Q.Lock.acquire();
  M.engine().load(Q.Line, true);
  M.engine().store(Q.slot(Q.NumPushed++), false);
  M.engine().store(Q.Line, false);
  Q.Tasks.push_back(Task);
  Q.Lock.release();
}

/// A thief's round: it draws a victim and looks whether it has tasks. The line
/// comes from afar if somebody has written it since this thief looked there:
/// as many rounds ago as there are threads.
class PollTime {
public:
  explicit PollTime(Model &M) : M(M) {
    const Machine &Of = M.engine().machine();
    for (int T = 0; T < M.numThreads(); ++T)
      FarNs += Of.lineNs(M.engine().processor(0).Number,
                         M.engine().processor(T).Number) /
               M.numThreads();
  }
  /// A queue was written.
  void count() { ++Writes; }
  double ns() const {
    const double RoundNs =
        Instructions / 2.5 * M.costs().AccessNs + M.costs().PauseNs;
    const double Now = double(M.engine().now()) / 1000;
    const double PerRound = Now > 0 ? double(Writes) / Now * RoundNs : 1;
    return RoundNs + (1 - std::exp(-PerRound)) * FarNs;
  }

private:
  /// Of a round of libomp 22's that finds nothing, by callgrind; AccessNs is
  /// for two or three.
  static constexpr double Instructions = 290;

  Model &M;
  double FarNs = 0;
  uint64_t Writes = 0;
};

//===----------------------------------------------------------------------===//
// LLVM's libomp
//===----------------------------------------------------------------------===//

/// A deque with a ticket lock for each thread; the owner takes the newest,
/// random thieves the oldest, from the last victim first. With so many tasks in
/// it a thread runs new ones at once.
class Libomp final : public Pool {
public:
  explicit Libomp(Model &M)
      : M(M), All(makeQueues(M.engine(), M.numThreads())),
        LastVictim(size_t(M.numThreads()), -1), Poll(M) {}

  bool push(const TaskRef &Task) override {
    LockedQueue &Q = *All[size_t(M.engine().self())];
    M.engine().sync();
    if (Q.Tasks.size() >= Room)
      return false;
    Poll.count();
    pushTo(M, Q, Task);
    return true;
  }

  TaskRef take(const ModelTask *Under) override {
    const int Me = M.engine().self();
    if (TaskRef Mine = takeFrom(M, *All[size_t(Me)], From::Newest, Under))
      return Mine;
    int &Last = LastVictim[size_t(Me)];
    M.engine().sync(); // the look at its own queue has taken time
    for (const int Victim : {Last, someVictim(Me)}) {
      M.engine().sync();
      if (Victim < 0 || All[size_t(Victim)]->Tasks.empty())
        continue;
      if (TaskRef Stolen =
              takeFrom(M, *All[size_t(Victim)], From::Oldest, Under)) {
        Last = Victim;
        Poll.count();
        M.noteSteal(Me, Victim);
        return Stolen;
      }
    }
    Last = -1;
    return nullptr;
  }

  double discoveryNs(int Idle) override {
    const int With = std::max(1, numWithTasks(All));
    const double Rounds = double(std::max(1, M.numThreads() - 1)) / With;
    return M.drawExponential(Poll.ns() * Rounds / Idle);
  }
  bool hasFor(int) const override { return hasAny(All); }

private:
  static constexpr size_t Room = 256;

  /// One that has tasks: rounds that find none are in discoveryNs().
  int someVictim(int Me) {
    std::vector<int> Able;
    for (int T = 0; T < M.numThreads(); ++T)
      if (T != Me && !All[size_t(T)]->Tasks.empty())
        Able.push_back(T);
    return Able.empty() ? -1 : Able[size_t(M.draw(int(Able.size())))];
  }

  Model &M;
  Queues All;
  std::vector<int> LastVictim;
  PollTime Poll;
};

//===----------------------------------------------------------------------===//
// GCC's libgomp
//===----------------------------------------------------------------------===//

/// One queue and one lock for the team, held around all that changes tasks. A
/// release for which somebody waits costs a system call, and so does a task for
/// threads that wait at the barrier.
class Libgomp final : public Pool {
public:
  explicit Libgomp(Model &M) : M(M), Lock(M.engine()) {}

  void beginCreate() override { Lock.acquire(); }
  void endCreate() override { releaseLock(); }
  void beginEnd() override { Lock.acquire(); }
  void endEnd() override { releaseLock(); }

  /// More than 64 for each thread run at once.
  bool refuses() override {
    return Tasks.size() > 64u * unsigned(M.numThreads());
  }
  bool push(const TaskRef &Task) override {
    M.pass(HeldNs);
    M.engine().sync(); // threads look whether there is something without lock
    Tasks.push_back(Task);
    return true;
  }

  TaskRef take(const ModelTask *Under) override {
    Lock.acquire();
    M.pass(HeldNs);
    TaskRef Found;
    // Waiting tasks run their own children; at barriers anything.
    for (size_t I = 0; I < Tasks.size() && !Found; ++I) {
      if (Under && Tasks[I]->Parent.get() != Under)
        continue;
      Found = Tasks[I];
      Tasks.erase(Tasks.begin() + long(I));
    }
    releaseLock();
    return Found;
  }

  /// All threads at the barrier spin on one word, which a new task sets: so all
  /// of them see it, and come for the lock.
  double discoveryNs(int) override { return M.costs().ShareNs; }
  double wakeNs() const override { return M.costs().WakeNs / 2; }
  bool hasFor(int) const override { return !Tasks.empty(); }

private:
  /// What is done under the lock beside moving lines.
  static constexpr double HeldNs = 25;

  void releaseLock() { Lock.release(M.costs().YieldNs); }

  Model &M;
  SimLock Lock;
  std::deque<TaskRef> Tasks;
};

//===----------------------------------------------------------------------===//
// Hofmann and Runger's task pool
//===----------------------------------------------------------------------===//

/// So many queues, each with a mutex and a condition, and threads dealt out to
/// them. A thread whose queue is empty waits until something comes there
/// (listing 2); it changes to another one only where the program says so, which
/// these do not.
class QueuePool final : public Pool {
public:
  QueuePool(Model &M, int Count) : M(M), All(makeQueues(M.engine(), Count)) {}

  bool push(const TaskRef &Task) override {
    // One creator's tasks are dealt out to all queues.
    const size_t To = Task->Depth == 1 ? Next++ % All.size() : own();
    pushTo(M, *All[To], Task);
    return true;
  }
  TaskRef take(const ModelTask *Under) override {
    return takeFrom(M, *All[own()], From::Oldest, Under);
  }
  double discoveryNs(int) override { return M.costs().WakeUpNs; }
  double wakeNs() const override { return M.costs().WakeNs; }
  bool isOneForAll() const override { return false; }
  bool hasFor(int Thread) const override {
    return !All[queueOf(Thread)]->Tasks.empty();
  }

private:
  size_t queueOf(int Thread) const {
    return size_t(Thread) * All.size() / size_t(M.numThreads());
  }
  size_t own() const { return queueOf(M.engine().self()); }

  Model &M;
  Queues All;
  size_t Next = 0;
};

//===----------------------------------------------------------------------===//
// Agathos et al.: queues by combining
//===----------------------------------------------------------------------===//

/// A queue of 24 tasks for each thread, of which all, its owner too, take the
/// oldest by CC-Synch. The owner adds without it; a full queue makes it run new
/// tasks at once until 30 % are free.
///
/// \p IsFirst: what the paper calls OLD, and of which it says no more than that
/// it works and is not optimized. Here it lacks what the paper adds: a lock
/// does what combining does, and a task that runs at once has been created
/// before.
class Ompi final : public Pool {
public:
  Ompi(Model &M, bool IsFirst)
      : M(M), IsFirst(IsFirst), All(makeQueues(M.engine(), M.numThreads())),
        Throttled(size_t(M.numThreads()), false), Poll(M) {}

  bool refuses() override { return !IsFirst && isThrottled(); }
  bool push(const TaskRef &Task) override {
    LockedQueue &Q = *All[size_t(M.engine().self())];
    if (IsFirst) {
      M.engine().sync();
      if (isThrottled())
        return false;
      pushTo(M, Q, Task);
    } else {
      M.engine().store(Q.slot(Q.NumPushed++), false);
      M.engine().store(Q.Line, true);
      M.engine().sync();
      Q.Tasks.push_back(Task);
    }
    Poll.count();
    return true;
  }
  TaskRef take(const ModelTask *Under) override {
    const int Me = M.engine().self();
    for (int I = 0; I < M.numThreads(); ++I) {
      const int Victim = (Me + I) % M.numThreads();
      M.engine().sync(); // a try in vain has taken time
      if (All[size_t(Victim)]->Tasks.empty())
        continue;
      LockedQueue &Q = *All[size_t(Victim)];
      if (TaskRef Found = IsFirst ? takeFrom(M, Q, From::Oldest, Under)
                                  : combine(Q, Under)) {
        Poll.count();
        if (I)
          M.noteSteal(Me, Victim);
        return Found;
      }
    }
    return nullptr;
  }
  double discoveryNs(int Idle) override {
    return M.drawExponential(Poll.ns() * M.numThreads() / 2 / Idle);
  }
  bool hasFor(int) const override { return hasAny(All); }

private:
  static constexpr size_t Room = 24;

  bool isThrottled() {
    const size_t Me = size_t(M.engine().self());
    const size_t Size = All[Me]->Tasks.size();
    if (Size >= Room || Size <= Room * 7 / 10)
      Throttled[Me] = Size >= Room;
    return Throttled[Me];
  }

  /// The lock's line moves once for each take, and so does the request; the
  /// queue stays with the combiner: no second line.
  TaskRef combine(LockedQueue &Q, const ModelTask *Under) {
    Q.Lock.acquire();
    TaskRef Found;
    for (size_t I = 0; I < Q.Tasks.size() && !Found; ++I)
      if (M.isUnder(Q.Tasks[I].get(), Under)) {
        Found = Q.Tasks[I];
        Q.Tasks.erase(Q.Tasks.begin() + long(I));
      }
    Q.Lock.release();
    return Found;
  }

  Model &M;
  const bool IsFirst;
  Queues All;
  std::vector<bool> Throttled;
  PollTime Poll;
};

//===----------------------------------------------------------------------===//
// Virouleau et al.: XKaapi
//===----------------------------------------------------------------------===//

/// Private and public queues of each thread and node; a task goes where its
/// hint says, else to its thread. An idle thread robs a thread drawn by chance.
class Kaapi final : public Pool {
public:
  explicit Kaapi(Model &M)
      : M(M), Private(makeQueues(M.engine(), M.numThreads())),
        Public(makeQueues(M.engine(), M.numThreads())),
        NodePrivate(makeQueues(M.engine(), M.numTeamNodes())),
        NodePublic(makeQueues(M.engine(), M.numTeamNodes())), Poll(M) {}

  bool push(const TaskRef &Task) override {
    const Hint &H = Task->Spec.Affinity;
    const int Thread = M.hintedThread(H), Node = M.hintedNode(H);
    if (H.Kind == HintKind::Data)
      M.pass(M.costs().PageQueryNs);
    Queues &Of = Thread >= 0 ? (H.Strict ? Private : Public)
                 : Node >= 0 ? (H.Strict ? NodePrivate : NodePublic)
                             : Public;
    const int Number = Thread >= 0 ? Thread
                       : Node >= 0 ? Node
                                   : M.engine().self();
    pushTo(M, *Of[size_t(Number)], Task);
    Poll.count();
    return true;
  }

  TaskRef take(const ModelTask *Under) override {
    const int Me = M.engine().self();
    const size_t Node = size_t(M.teamNodeOf(Me));
    // Strict tasks run on top of any other.
    if (TaskRef Found =
            takeFrom(M, *Private[size_t(Me)], From::Oldest, nullptr))
      return Found;
    if (TaskRef Found = takeFrom(M, *Public[size_t(Me)], From::Newest, Under))
      return Found;
    if (TaskRef Found = takeFrom(M, *NodePrivate[Node], From::Oldest, nullptr))
      return Found;
    if (TaskRef Found = takeFrom(M, *NodePublic[Node], From::Oldest, Under))
      return Found;
    return steal(Me, Under);
  }

  double discoveryNs(int Idle) override {
    return M.drawExponential(Poll.ns() * std::max(1, M.numThreads() - 1) /
                             std::max(1, numWithTasks(Public)) / Idle);
  }
  bool obeysHints() const override { return true; }
  bool isOneForAll() const override { return false; }
  bool hasFor(int Thread) const override {
    return !Private[size_t(Thread)]->Tasks.empty() ||
           !NodePrivate[size_t(M.teamNodeOf(Thread))]->Tasks.empty() ||
           hasAny(Public) || hasAny(NodePublic);
  }

private:
  TaskRef steal(int Me, const ModelTask *Under) {
    M.engine().sync(); // a look at four queues has taken time
    std::vector<LockedQueue *> Able;
    std::vector<int> Whose;
    for (int T = 0; T < M.numThreads(); ++T)
      if (T != Me && !Public[size_t(T)]->Tasks.empty())
        Able.push_back(Public[size_t(T)].get()), Whose.push_back(T);
    for (const auto &Q : NodePublic)
      if (!Q->Tasks.empty())
        Able.push_back(Q.get()), Whose.push_back(-1);
    if (Able.empty())
      return nullptr;
    const size_t Drawn = size_t(M.draw(int(Able.size())));
    TaskRef Found = takeFrom(M, *Able[Drawn], From::Oldest, Under);
    if (Found)
      Poll.count();
    if (Found && Whose[Drawn] >= 0)
      M.noteSteal(Me, Whose[Drawn]);
    return Found;
  }

  Model &M;
  Queues Private, Public, NodePrivate, NodePublic;
  PollTime Poll;
};

int queuesOf(const RunOptions &Options, int Threads) {
  for (const auto &[Name, Value] : Options.Settings)
    if (Name == "queues") {
      const int Count = atoi(Value.c_str());
      if (Count < 1 || Count > Threads)
        throw std::invalid_argument("queues=" + Value + ": from 1 to " +
                                    std::to_string(Threads) +
                                    ", for each needs a thread");
      return Count;
    }
  return 1;
}

} // namespace

std::unique_ptr<Pool> makePool(Model &M) {
  const RunOptions &Options = M.numbers().Options;
  const std::string &Name = Options.Contender;
  if (Name == "stock")
    return std::make_unique<Libomp>(M);
  if (Name == "libgomp")
    return std::make_unique<Libgomp>(M);
  if (Name == "ompi")
    return std::make_unique<Ompi>(M, /*IsFirst=*/false);
  if (Name == "ompi-old")
    return std::make_unique<Ompi>(M, /*IsFirst=*/true);
  if (Name == "kaapi")
    return std::make_unique<Kaapi>(M);
  return std::make_unique<QueuePool>(M, queuesOf(Options, M.numThreads()));
}

} // namespace locus::lab
