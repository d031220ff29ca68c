//===- kmp/drafts.cpp - Tasks of other compilers, in place ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/drafts.h"

namespace locus {

void makeReal(ident_t *Location, kmp_int32 Gtid, kmp_task_t *Draft) {
  const kmp_taskdata_t *Data = KMP_TASK_TO_TASKDATA(Draft);
  LOCUS_CHECK(Data->td_locus.progress() == TaskHint::Progress::Ready);
  kmp_tasking_flags_t Flags = {};
  Flags.tiedness = Data->td_locus.isUntied() ? TASK_UNTIED : TASK_TIED;
  Flags.destructors_thunk = Data->td_locus.hasDestructors();
  const size_t Size = Data->td_size_alloc;
  __kmp_task_alloc(Location, Gtid, &Flags, Size - sizeof(kmp_taskdata_t), 0,
                   Draft->routine, nullptr, Draft);
}

} // namespace locus
