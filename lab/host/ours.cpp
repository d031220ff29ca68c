//===- host/ours.cpp - A run with the scheduling core ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/contenders/contenders.h"
#include "lab/host/core_system.h"
#include "lab/host/graph.h"

#include <limits.h>
#include <stdexcept>

namespace locus::lab {

HostContext::HostContext(Host &TheHost, int Thread)
    : EngineContext(TheHost.E, TheHost.TheirBook, Thread, TheHost.TeamNodeOf,
                    TheHost.NumNodes),
      H(TheHost) {}

static Host *Running = nullptr;

void HostContext::create(const TaskSpec &Spec) {
  H.create(*H.thread(thread()), Spec);
}
void HostContext::taskwait() { H.taskwait(*H.thread(thread())); }
void HostContext::barrier() { H.barrier(*H.thread(thread())); }
void HostContext::taskgraph(uint64_t Id,
                            const std::function<void(Context &)> &Body) {
  H.taskgraph(*H.thread(thread()), Id, Body);
}

void Host::build(const Topology &Machine, const std::vector<NodeSet> &Spots,
                 const std::vector<int> &Cpus) {
  const int Count = E.numThreads();
  Unfinished = new (locus::lab::allocate(64)) std::atomic<int32_t>(Count);
  NeverAllowed = new (locus::lab::allocate(64)) std::atomic<int32_t>(0);
  AlwaysAllowed =
      new (locus::lab::allocate(64)) std::atomic<int32_t>(INT32_MAX);
  Flags = static_cast<ThreadFlags *>(
      locus::lab::allocate(sizeof(ThreadFlags) * size_t(Count)));
  Ours = Team::create(Unfinished);
  if (!Ours ||
      !Ours->rebuild(Machine, Count, Spots.data(), Cpus.data(), Set.Options))
    outOfMemory();
  Running = this;
  Sleepers.Wake = [](const Waker &, int Thread) {
    return Running->wake(Thread);
  };
  WakeIsPending.resize(size_t(Count));
  IsAsleep.resize(size_t(Count));
  Threads.resize(size_t(Count));
  Contexts.reserve(size_t(Count));
  for (int I = 0; I < Count; ++I) {
    new (&Flags[I]) ThreadFlags;
    if (Seed != 1)
      Ours->worker(I).Random = uint32_t(Seed + 1) * 2654435761u + uint32_t(I);
    HostThread &T = Threads[size_t(I)];
    T.Of = this;
    T.Number = I;
    T.Mine = &Ours->worker(I);
    T.Allowed = NeverAllowed;
    T.StackTop =
        reinterpret_cast<char *>(StackBase + uint64_t(I + 1) * StackBytes);
    Contexts.emplace_back(*this, I);
    E.ownNotes(I, &T.Mine->Number, T.Mine + 1);
  }
}

void Host::runThread(int Number, const Program &P) {
  HostThread &T = Threads[size_t(Number)];
  T.Nodes = NodePool::adopt();
  T.Current = new (locus::lab::allocate(sizeof(TaskData))) TaskData();
  T.Current->LastTied = T.Current;
  T.Current->IsImplicit = true;
  // Threads come out of a barrier one after the other, and never in the same
  // way: a seed stands for one of the ways.
  if (Seed != 1)
    E.advance(
        (Seed * 0x9e3779b97f4a7c15u ^ uint64_t(Number) * 0xbf58476d1ce4e5b9u) %
        toPs(1000));
  E.spend(Spent::Working);
  P.ImplicitTask(Contexts[size_t(Number)]);
  barrier(T);
}

/// The topology that the core gets of \p M.
static void load(Topology &To, const Machine &M) {
  if (!M.Xml.empty())
    setenv("HWLOC_XMLFILE", M.Xml.c_str(), /*overwrite=*/1);
  const bool Loaded = To.load(M.Xml.empty() ? M.Synthetic.c_str() : nullptr);
  unsetenv("HWLOC_XMLFILE");
  if (!Loaded)
    throw std::invalid_argument("the core cannot read the topology of " +
                                M.Name);
}

static void addCounters(Result &To, const std::vector<ThreadStats> &Of,
                        uint64_t Switches) {
  uint64_t Sums[NumStats] = {};
  for (const ThreadStats &T : Of)
    for (int S = 0; S < NumStats; ++S)
      Sums[S] += T.Counts[S].load(std::memory_order_relaxed);
  for (int L = 0; L < 5; ++L)
    To.Steals[L] = Sums[int(Stat::StolenCore) + L];
  To.EmptySearches = Sums[int(Stat::Searches)];
  const char *const Names[] = {
#define LOCUS_LAB_NAME(Name, Reported) Reported,
      LOCUS_STATS(LOCUS_LAB_NAME)
#undef LOCUS_LAB_NAME
  };
  for (int S = 0; S < NumStats; ++S)
    if (!isTime(Stat(S)) && S != int(Stat::Created) && S != int(Stat::Run))
      To.Counters.push_back({Names[S], double(Sums[S])});
  To.Counters.push_back({"switches", double(Switches)});
}

/// Everything that one run needs beside the engine.
struct Setup {
  Topology Shape;
  std::vector<ThreadStats> Stats;
  std::vector<int> NodeOfOsNode, OsNodeOfNode;
  std::vector<NodeSet> Spots;
  std::vector<int> Cpus;

  Setup(const Machine &M, const std::vector<int> &Processors)
      : Stats(Processors.size()), NodeOfOsNode(MaxOsNodes, -1),
        OsNodeOfNode(size_t(M.NumNodes), -1), Spots(Processors.size()) {
    load(Shape, M);
    for (int P = 0; P < M.numProcessors(); ++P) {
      const int OsNode = Shape.nodeOfCpu(Shape.cpuAt(P));
      NodeOfOsNode[size_t(OsNode)] = M.NodeOf[size_t(P)];
      OsNodeOfNode[size_t(M.NodeOf[size_t(P)])] = OsNode;
    }
    for (size_t I = 0; I < Processors.size(); ++I) {
      Cpus.push_back(Shape.cpuAt(Processors[I]));
      Spots[I].add(Shape.nodeOfCpu(Cpus.back()));
    }
    StatsOfThreads = &Stats;
    locus::lab::NodeOfOsNode = &NodeOfOsNode;
    locus::lab::OsNodeOfNode = &OsNodeOfNode;
  }
};

Result runOurs(const Machine &M, const RunOptions &Options, const Program &P) {
  const std::vector<int> Processors = processorsOf(M, Options);
  const Settings Set = Settings::parse(Options);
  Engine E(M, Processors);
  E.setSeed(Options.Seed);
  auto Made = std::make_unique<Setup>(M, Processors);
  if (Set.Options.Lists == FirstCut && Set.Options.NumLists == 0 &&
      !Made->Shape.hasWantedObjects())
    throw std::invalid_argument("KMP_TASK_QUEUES: the machine " + M.Name +
                                " has no such objects");
  Book TheBook(E, Options);
  const std::vector<int> TeamNodes = teamNodesOf(M, Processors);
  const int NumNodes =
      1 + *std::max_element(TeamNodes.begin(), TeamNodes.end());
  Host H(E, TheBook, Set, TeamNodes, NumNodes);
  H.Seed = Options.Seed;
  H.build(Made->Shape, Made->Spots, Made->Cpus);
  for (int T = 0; T < E.numThreads(); ++T)
    E.begin(T, [&H, &P, T] { H.runThread(T, P); });
  const std::string Trouble = E.run(toPs(Options.MostSeconds * 1e9));
  Result R = TheBook.finish(Trouble);
  addCounters(R, Made->Stats, E.counts().Switches);
  if (R.IsComplete && H.Created != H.Ended) {
    R.IsComplete = false;
    R.Why = std::to_string(H.Created) + " tasks were created, " +
            std::to_string(H.Ended) + " ran";
  }
  return R;
}

} // namespace locus::lab
