//===- task/placement.h - Where a ready task goes ---------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a task's hint to the queue that it is for. task/README.md has the way of
// a hint as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TASK_PLACEMENT_H
#define LOCUS_TASK_PLACEMENT_H

#include "locus/machine/team_shape.h"
#include "locus/task/hint.h"

namespace locus {

/// Where a ready task goes.
struct Placement {
  enum Where : uint8_t {
    Anywhere, ///< no constraint, or satisfied by the pushing thread's own list
    OnThread, ///< queue of thread Index
    OnNode    ///< queue of team node Index
  };
  Where Place;
  bool Strict;
  int Index;
};

/// What to do with data whose node the kernel cannot tell.
enum class UnknownPolicy : uint8_t {
  First, ///< team node 0, as in Virouleau et al., IWOMP 2016, section 3.3
  Local  ///< the node of the thread that makes the task ready
};

/// Where a task with a hint goes that thread \p Pusher of the team \p Shape
/// makes ready now. \p HintKind and \p Target are the hint: a thread number,
/// the number of a team node, the address and length of data in bytes, or a
/// RangeList. Numbers out of range are reduced modulo the number of threads or
/// nodes; the index that comes out is in range.
///
/// Data goes to the team node nearest to the one that holds most of its bytes,
/// and by \p Unknown if nobody knows. A hint that is not \p Strict and that the
/// pusher's own list satisfies gives Anywhere; so do no hint and the kinds that
/// Inference has to turn into a hint first.
///
/// Asks the directory or the kernel if the hint names data and the team has
/// several nodes: see nodeOfData(). So it must not be called before the task
/// is ready: the data may move until then.
Placement resolve(const TeamShape &Shape, Kind HintKind, bool Strict,
                  const TaskTarget &Target, int Pusher, UnknownPolicy Unknown);

/// The team node nearest to the one that holds most of the bytes that a hint of
/// kind \p HintKind names: Data or Depend, or Ranges or DependRanges.
/// UnknownNode if nobody can tell.
///
/// For a \p Strict task the kernel is asked each time. For a wish the directory
/// of what our allocators placed (data/README.md) goes before it, and answers
/// without a system call. Both are counted where KMP_TASK_STATS does.
int nodeOfData(const TeamShape &Shape, Kind HintKind, bool Strict,
               const TaskTarget &Target);

} // namespace locus

#endif // LOCUS_TASK_PLACEMENT_H
