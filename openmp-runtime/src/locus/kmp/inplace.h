//===- kmp/inplace.h - Tasks in place, in libomp ----------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When tasks of libomp's threads run in place, and what it takes to run one.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_INPLACE_H
#define LOCUS_KMP_INPLACE_H

#include "kmp.h"
#include "locus/inplace/inplace.h"

namespace locus {

/// Whether tasks may run in place in this process: tools see all tasks, counts
/// and traces are of all tasks, and cancellation discards those that have not
/// begun.
bool allowsInPlace();

/// \p Allowed says from now on whether tasks of the calling thread, \p Gtid,
/// run in place. Null: they do not.
void offerInPlace(kmp_int32 Gtid, const std::atomic<int32_t> *Allowed);

/// What the patched clang compiles a task to: `call(Gtid)` in place.
template <class Body> static inline void callInPlace(Body Call) {
  InPlaceState &State = __kmpc_task_inline;
  const int32_t Depth = State.Depth;
  State.Depth = Depth + 1;
  Call();
  if (State.Depth != 0)
    State.Depth = Depth; // libomp still does not know of it
  else
    State.Leave();
}

/// Runs a task of gcc's in place, if that may be: \p Function on \p Data, or on
/// what \p Copy makes of it in \p Size bytes aligned to \p Align.
bool runInPlace(void (*Function)(void *), void *Data,
                void (*Copy)(void *To, void *From), long Size, long Align);

} // namespace locus

#endif // LOCUS_KMP_INPLACE_H
