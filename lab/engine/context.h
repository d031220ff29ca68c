//===- engine/context.h - What all contenders have in common ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_CONTEXT_H
#define LOCUS_LAB_ENGINE_CONTEXT_H

#include "lab/engine/engine.h"
#include "lab/program.h"

namespace locus::lab {

/// The processors that \p Options names. Throws std::invalid_argument.
std::vector<int> processorsOf(const Machine &M, const RunOptions &Options);

/// The numbers of a run, beside those of the engine.
class Book {
public:
  Book(Engine &TheEngine, const RunOptions &TheOptions)
      : Options(TheOptions), E(TheEngine) {
    R.Threads.resize(size_t(E.numThreads()));
  }

  uint64_t newTask(int Creator) {
    ++R.Threads[size_t(Creator)].Created;
    return ++R.Tasks;
  }
  /// A task ran on \p Thread; Record.IsHome does not count.
  void endTask(const TaskRecord &Record) {
    ++R.Threads[size_t(Record.Thread)].Tasks;
    R.InPlace += Record.InPlace;
    if (Options.OnTask)
      Options.OnTask(Record);
  }
  /// The result of the run, which ended with \p Trouble.
  Result finish(const std::string &Trouble);

  Result R;
  const RunOptions &Options;

private:
  Engine &E;
};

/// All of Context that is the same for each scheduler: data and numbers.
class EngineContext : public Context {
public:
  /// Of \p Thread; \p TeamNodeOf gives the team node of an OS node.
  EngineContext(Engine &TheEngine, Book &TheBook, int TheThread,
                const std::vector<int> &TheTeamNodeOf, int TheNumNodes)
      : E(TheEngine), TheirBook(TheBook), Thread(TheThread),
        TeamNodeOf(TheTeamNodeOf), NumNodes(TheNumNodes) {}

  void compute(double Ns) override { E.advance(toPs(Ns)); }
  void access(const Range *R, size_t N, double ComputeNs) override;
  int thread() const override { return Thread; }
  int numThreads() const override { return E.numThreads(); }
  int node() const override { return TeamNodeOf[size_t(osNode())]; }
  int numNodes() const override { return NumNodes; }
  double now() const override { return double(E.now()) / 1000; }
  void place(uint64_t Address, uint64_t Bytes, int Node) override;

  int osNode() const { return E.processor(Thread).Node; }

protected:
  Engine &E;
  Book &TheirBook;

private:
  const int Thread;
  const std::vector<int> &TeamNodeOf;
  const int NumNodes;
};

/// Team nodes by OS node of threads on \p Processors, -1 for none, in order of
/// first appearance.
std::vector<int> teamNodesOf(const Machine &M,
                             const std::vector<int> &Processors);

} // namespace locus::lab

#endif // LOCUS_LAB_ENGINE_CONTEXT_H
