//===- engine/flows.h - Bandwidth that flows share --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data on its way between the memories of nodes and processors. All flows have
// equal rights: their rates are max-min fair over the links, whose capacities
// they share, and over what one processor can have on its way. (D. Bertsekas,
// R. Gallager, "Data Networks", 1992, section 6.5.2: progressive filling;
// SimGrid's model of networks is the same.)
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_FLOWS_H
#define LOCUS_LAB_ENGINE_FLOWS_H

#include "lab/engine/queue.h"
#include "lab/machine.h"

#include <vector>

namespace locus::lab {

class FlowNetwork {
public:
  /// The flows of threads on nodes \p NodeOfThread of \p M.
  FlowNetwork(const Machine &M, const std::vector<int> &NodeOfThread);

  /// From time \p Now on, \p Bytes[N] bytes come from node N to \p Thread, at
  /// the same time. At least one of them is not 0, and the thread has no other
  /// flow. Times do not decrease from one call of this class to the next.
  void start(Time Now, int Thread, const std::vector<double> &Bytes);

  /// When the next flow ends; NoTime: there is none.
  Time next();

  /// It is \p Now, not beyond next(). Appends the threads all of whose flows
  /// have ended to \p Done.
  void passTo(Time Now, std::vector<int> &Done);

  /// Bytes so far, from the row's node to the column's.
  const std::vector<std::vector<double>> &bytesMoved() const { return Moved; }
  /// Rate in bytes/s of the flow from \p Node to \p Thread; 0: none. For tests.
  double rateOf(int Node, int Thread);
  /// How often rates were computed.
  uint64_t numSolved() const { return Solved; }

private:
  struct Flow {
    int Thread, From;
    double Left;   ///< bytes
    double Rate;   ///< bytes/s
    double Weight; ///< s/byte: what it takes of its processor
    const std::vector<int> *Path;
  };

  struct Constraint;
  void solve();
  size_t fix(const Constraint &Full, double Share);
  void move(Time Now);

  const Machine &M;
  std::vector<int> NodeOf;
  std::vector<Flow> Flows;
  std::vector<int> FlowsOf; ///< by thread, how many
  std::vector<std::vector<double>> Moved;
  Time Last = 0;
  bool IsSolved = true;
  Time Next = NoTime;
  uint64_t Solved = 0;

  // Of solve(), kept for their memory.
  struct Constraint {
    double Left, Weight; ///< capacity; sum of the open flows' weights
    int Open;            ///< flows without a rate
    std::vector<int> Users;
  };
  std::vector<Constraint> Constraints; ///< links, then threads
  std::vector<int> InUse;
  std::vector<char> IsFixed;
};

} // namespace locus::lab

#endif // LOCUS_LAB_ENGINE_FLOWS_H
