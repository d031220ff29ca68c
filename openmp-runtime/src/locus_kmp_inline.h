//===- locus_kmp_inline.h - Tasks in place, in libomp -----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libomp's hooks and the adapter call for tasks that run in place.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_INLINE_H
#define LOCUS_KMP_INLINE_H

#include "kmp.h"
#include "locus_inline.h"

namespace locus {

/// \p Allowed says from now on whether tasks of the calling thread, \p Gtid,
/// run in place. Null: they do not.
void offerInline(kmp_int32 Gtid, const std::atomic<int32_t> *Allowed);

/// \p Task will run at once on the calling thread, \p Gtid. If all tasks of the
/// team do, the next ones need not be real.
static inline void inlineSerial(kmp_int32 Gtid, const kmp_taskdata_t *Task) {
  if (Task->td_flags.team_serial)
    offerInline(Gtid, &AlwaysInline);
}

/// The thread returns to \p Task, which may have set a hint for its next child.
static inline void resumeTask(const kmp_taskdata_t *Task) {
  if (UNLIKELY(Task->td_locus.NextKind != Kind::None))
    forbidInline();
}

} // namespace locus

#endif // LOCUS_KMP_INLINE_H
