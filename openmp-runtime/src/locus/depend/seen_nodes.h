//===- depend/seen_nodes.h - What is behind a task --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DEPEND_SEEN_NODES_H
#define LOCUS_DEPEND_SEEN_NODES_H

#include "locus/depend/node.h"

namespace locus {

/// Nodes that have been seen, in the order in which they were.
class SeenNodes {
public:
  SeenNodes() = default;
  SeenNodes(const SeenNodes &) = delete;
  ~SeenNodes();
  /// Adds \p N if it is not there. Ends the program if there is no memory.
  void add(Node *N);
  size_t size() const { return Count; }
  Node *operator[](size_t I) const { return List[I]; }

private:
  void grow();
  size_t slotOf(const Node *N) const;

  static constexpr size_t Few = 32;
  Node *FewNodes[Few];
  uint32_t FewSlots[2 * Few] = {};
  Node **List = FewNodes;
  uint32_t *Slots = FewSlots; ///< twice as many: 1 + an index of List, or 0
  size_t Count = 0, Capacity = Few;
};

/// Of a task that has not begun, or does not end meanwhile: whether \p Is(task)
/// for one behind its node \p First, over any number of others, or for one that
/// waits for it.
template <class Predicate> bool leadsTo(Node &First, Predicate Is) {
  SeenNodes Seen;
  Seen.add(&First);
  for (size_t I = 0; I < Seen.size(); ++I)
    if (Seen[I]->anyFollower([&](Node &N) {
          Seen.add(&N);
          Task *Owner = N.owner();
          return Is(Owner ? Owner : N.waiter());
        }))
      return true;
  return false;
}

} // namespace locus

#endif // LOCUS_DEPEND_SEEN_NODES_H
