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

/// Whom a thread without a task robs: KMP_TASK_STEAL. A list is that of one
/// group of threads. All but the first are those of Clet-Ortega et al.
/// (Euro-Par 2014), section 3.2.
enum class StealPolicy : uint8_t {
  Sample,       ///< the last that had a task, one of its node's, and one of all
  Hierarchical, ///< all lists, the nearest first
  Random,       ///< one list, drawn for each search
  RandomOrder,  ///< all lists, in an order drawn for each search
  RoundRobin,   ///< all lists in their order, from behind the thread's own on
  Producer,     ///< the one with most tasks; the others where that gives none
  ProducerOrder ///< all lists, those with most tasks first
};
constexpr int NumStealPolicies = int(StealPolicy::ProducerOrder) + 1;

} // namespace locus

#endif // LOCUS_STEAL_POLICY_H
