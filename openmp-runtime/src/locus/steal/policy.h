//===- steal/policy.h - Whom a thief robs -----------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_STEAL_POLICY_H
#define LOCUS_STEAL_POLICY_H

#include <stdint.h>

namespace locus {

/// Whom a thread without a task robs: X(policy, member of StealSearch, value of
/// KMP_TASK_STEAL). A list is that of one group of threads. All but the first
/// are those of Clet-Ortega et al. (Euro-Par 2014), section 3.2.
#define LOCUS_STEAL_POLICIES(X)                                                \
  /* the last that had a task, one of its node's, and one of all */            \
  X(Sample, sample, "sample")                                                  \
  /* all lists, the nearest first */                                           \
  X(Hierarchical, nearestFirst, "hierarchical")                                \
  /* one list, drawn for each search */                                        \
  X(Random, drawOne, "random")                                                 \
  /* all lists, in an order drawn for each search */                           \
  X(RandomOrder, drawOrder, "random_order")                                    \
  /* all lists in their order, from behind the thread's own on */              \
  X(RoundRobin, roundRobin, "round_robin")                                     \
  /* the one with most tasks; the others where that gives none */              \
  X(Producer, fullest, "producer")                                             \
  /* all lists, those with most tasks first */                                 \
  X(ProducerOrder, fullestFirst, "producer_order")

enum class StealPolicy : uint8_t {
#define LOCUS_POLICY(Name, Search, Value) Name,
  LOCUS_STEAL_POLICIES(LOCUS_POLICY)
#undef LOCUS_POLICY
};

} // namespace locus

#endif // LOCUS_STEAL_POLICY_H
