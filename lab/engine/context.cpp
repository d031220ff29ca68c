//===- engine/context.cpp - What all contenders have in common ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/context.h"

#include <stdexcept>

namespace locus::lab {

std::vector<int> processorsOf(const Machine &M, const RunOptions &Options) {
  M.check();
  if (!Options.Processors.empty())
    return Options.Processors; // the engine looks at each
  const int Wanted = Options.Threads ? Options.Threads : M.numProcessors();
  if (Wanted < 1 || Wanted > M.numProcessors())
    throw std::invalid_argument(std::to_string(Wanted) + " threads on the " +
                                std::to_string(M.numProcessors()) +
                                " processors of " + M.Name +
                                ": the laboratory runs one on each");
  std::vector<int> Processors;
  for (int P = 0; P < Wanted; ++P)
    Processors.push_back(P);
  return Processors;
}

std::vector<int> teamNodesOf(const Machine &M,
                             const std::vector<int> &Processors) {
  std::vector<int> Nodes(size_t(M.NumNodes), -1);
  int Next = 0;
  for (int P : Processors)
    if (int &Node = Nodes[size_t(M.NodeOf[size_t(P)])]; Node < 0)
      Node = Next++;
  return Nodes;
}

void EngineContext::access(const Range *R, size_t N, double ComputeNs) {
  E.access(R, N, ComputeNs);
  const int Home = E.homeOfAccess();
  if (Home < 0)
    return;
  ++TheirBook.R.Hinted;
  TheirBook.R.AtHome += Home == osNode();
}

void EngineContext::place(uint64_t Address, uint64_t Bytes, int Node) {
  if (Node < 0 || Node >= E.machine().NumNodes)
    throw std::invalid_argument("data on node " + std::to_string(Node) +
                                ": the machine has 0 to " +
                                std::to_string(E.machine().NumNodes - 1));
  E.memory().place(Address, Bytes, Node);
}

Result Book::finish(const std::string &Trouble) {
  R.IsComplete = Trouble.empty();
  R.Why = Trouble;
  R.Seconds = double(E.end()) * 1e-12;
  for (int T = 0; T < E.numThreads(); ++T) {
    auto Of = [&](Spent What) {
      return double(E.processor(T).Times[int(What)]) * 1e-12;
    };
    ThreadResult &To = R.Threads[size_t(T)];
    To.Working = Of(Spent::Working);
    To.Creating = Of(Spent::Creating);
    To.Ending = Of(Spent::Ending);
    To.Searching = Of(Spent::Searching);
    To.Waiting = Of(Spent::Waiting);
    To.Sleeping = Of(Spent::Sleeping);
    To.Other = Of(Spent::Other);
  }
  R.BytesMoved = E.bytesMoved();
  R.BytesFromCache = E.bytesFromCache();
  const EngineCounts &C = E.counts();
  R.LinesMoved = C.LinesMoved;
  R.LineWaitSeconds = double(C.LineWait) * 1e-12;
  R.Wakes = C.Wakes;
  R.Steps = C.Steps;
  return R;
}

} // namespace locus::lab
