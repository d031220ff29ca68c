//===- support.h - What the unit tests share --------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_SUPPORT_H
#define LOCUS_TEST_SUPPORT_H

#include "locus/machine/hierarchy.h"
#include "locus/team/seeker.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace locus::test {

/// What warn() was told since the last call.
std::vector<std::string> takeWarnings();

/// The machine that \p Synthetic describes, in hwloc's syntax. Fails the test
/// if hwloc does not understand it. Lives until the end of the program.
const Topology &topology(const std::string &Synthetic);

/// A machine that hwloc's synthetic syntax cannot describe: written as XML, to
/// be read back through HWLOC_XMLFILE.
struct Machine {
  std::string Synthetic;           ///< where to start from
  std::vector<int> Cpus = {};      ///< OS CPUs that stay; all if empty
  std::vector<int> Latencies = {}; ///< of Synthetic, row by row; or none
  /// What each node's CPUs see of it, as memory attributes; or none.
  std::vector<int> Bandwidths = {};
  std::vector<int> NearLatencies = {};
};

/// The name of an XML file for \p From, removed at the end of the program.
std::string writeXml(const Machine &From);

/// \p From, read through HWLOC_XMLFILE.
const Topology &topology(const Machine &From);

/// The machine of the paper: 24 nodes of 8 CPUs, two to a package, with
/// distances that depend on the package.
const Topology &paperMachine();
/// Three nodes with 1, 2 and 5 CPUs, node 2 nearer to 0 than 1 is.
const Topology &irregularMachine();

/// Machines by name, for what must hold on each of them.
struct NamedMachine {
  const char *Name;
  const Topology &(*Get)();
};
const std::vector<NamedMachine> &machines();
/// The one of machines() with that name.
const Topology &machine(const std::string &Name);
[[maybe_unused]] inline void PrintTo(const NamedMachine &M, std::ostream *Out) {
  *Out << M.Name;
}
/// For INSTANTIATE_TEST_SUITE_P: the name of a case that has a Name.
struct NameOf {
  template <class Info> std::string operator()(const Info &Case) const {
    return Case.param.Name;
  }
};

/// Threads on these CPUs, or one on each CPU, in hwloc's logical order.
std::vector<ThreadSpot> onCpus(const Topology &Machine,
                               const std::vector<int> &OsCpus);
std::vector<ThreadSpot> onEachCpu(const Topology &Machine);
/// Threads on any CPU of these nodes.
std::vector<ThreadSpot> onNodes(const std::vector<int> &OsNodes);

/// A task for tests: a number from 1 on, which nothing dereferences.
inline Task *task(int Number) {
  return reinterpret_cast<Task *>(uintptr_t(Number));
}
inline int numberOf(const Task *What) {
  return int(reinterpret_cast<uintptr_t>(What));
}

/// A thread that takes tasks, and decides by a function which ones.
class Picker {
public:
  using Filter = std::function<bool(int Number)>;
  explicit Picker(Filter TheFilter = {}) : Accept(std::move(TheFilter)) {}

  /// For one queue.
  Taker taker();
  /// For the whole search in \p Of.
  const Seeker &seeker(const Team *Of);

  /// For thieves on other nodes: tasks from here on have a hint, ...
  static constexpr int Placed = 1000000;
  /// ... and these an inferred one, for the team node of the last digit.
  static constexpr int Inferred = 2000000;

  int Finished = 0;
  bool MayKeep = false;
  bool IsWaiting = false; ///< in a taskwait
  bool ScanAll = true;
  bool ReachesFar = false;
  std::vector<int> Offered;       ///< every task that it was asked about
  std::vector<int> OfferedExempt; ///< those that were exempt from constraints
  Filter Accept;                  ///< everything if empty
  /// Who wakes its team's threads; nobody if null.
  const Waker *Sleepers = nullptr;

private:
  static TaskPlace placeOf(const Task *Of) {
    const int Number = numberOf(Of);
    return {Number >= Placed, Number >= Inferred, Number % 10};
  }

  struct Search : Seeker {
    Picker *Owner;
  };

  static bool admit(const Taker &Who, Task *Candidate);
  static const Waker *sleepersOf(const Seeker &Of) {
    return static_cast<const Search &>(Of).Owner->Sleepers;
  }
  static bool nests(uint32_t) { return true; }
  static const SeekerHost Host;

  Search Mine = {};
};

/// Asks instead of the kernel as long as it is set: the pages, and the place
/// for the answers. Returns what move_pages shall return.
using MovePages =
    std::function<long(unsigned long Count, void **Pages, int *Status)>;
extern MovePages FakeMovePages;
/// The same for orders to move pages.
extern MovePages FakeOrders;
/// Questions to the kernel, or to its replacement, so far.
extern int MovePagesCalls;

/// Called in front of each write(2) of the core, if it is set.
extern std::function<void()> BeforeWrite;

/// Replaces the kernel's answers for a scope.
class FakeKernel {
public:
  explicit FakeKernel(MovePages Answer) { FakeMovePages = std::move(Answer); }
  ~FakeKernel() { FakeMovePages = nullptr; }
};

/// The time for all threads, which passes only by hand, for a scope.
class FakeClock {
public:
  explicit FakeClock(uint64_t Nanoseconds) { set(Nanoseconds); }
  ~FakeClock() { set(0); }
  void set(uint64_t Nanoseconds); ///< not 0
};

/// The sets of one node each.
std::vector<NodeSet> boundTo(const std::vector<int> &OsNodes);
NodeSet nodeSet(const std::vector<int> &OsNodes);

} // namespace locus::test

#endif // LOCUS_TEST_SUPPORT_H
