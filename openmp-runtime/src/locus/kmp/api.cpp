//===- kmp/api.cpp - The user's questions and wishes ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions omp_* of omp.h that Locus adds. docs/scheduler.md describes
// them.
//
//===----------------------------------------------------------------------===//

#include "locus/data/directory.h"
#include "locus/inplace/inplace.h"
#include "locus/kmp/hints.h"
#include "locus/kmp/places.h"
#include "locus/support/host.h"

using namespace locus;

extern "C" void omp_set_task_affinity(int kind, kmp_uintptr_t value,
                                      int strict) {
  kmp_info_t *Thread = callingThread();
  knowCurrentTask();
  forbidInPlace();
  kmp_taskdata_t *Current = Thread->th.th_current_task;
  if (kind < 0 || kind > int(Kind::Data)) {
    warn("omp_set_task_affinity: unknown kind; the next task has no affinity.");
    kind = int(Kind::None);
  }
  Current->td_locus.setNext(Kind(kind), strict != 0);
  Current->td_locus_next_or_length = Kind(kind) != Kind::None ? value : 0;
}

extern "C" void omp_get_task_affinity(int *kind, kmp_uintptr_t *value,
                                      int *strict) {
  knowCurrentTask();
  const kmp_taskdata_t *Current = callingThread()->th.th_current_task;
  const TaskHint Hint = Current->td_locus;
  *kind = int(Hint.nextKind());
  const bool HasNext = Hint.nextKind() != Kind::None;
  *value = HasNext ? Current->td_locus_next_or_length : 0;
  *strict = HasNext && Hint.isNextStrict();
}

extern "C" int omp_get_num_nodes(void) {
  return TeamNodes(callingThread()).count();
}

extern "C" int omp_get_node_num(void) {
  kmp_info_t *Thread = callingThread();
  return TeamNodes(Thread).current(Thread);
}

extern "C" int omp_get_node_from_data(const void *address) {
  const MemoryRange Byte = {reinterpret_cast<uintptr_t>(address), 1};
  int OsNode = nodeOfMemory(&Byte, 1);
  if (OsNode == UnknownNode) // a page of parts of one page, not touched yet
    OsNode = Directory::get().nodeOf(&Byte, 1, /*MayWait=*/true);
  return OsNode == UnknownNode ? -1 : TeamNodes(callingThread()).find(OsNode);
}

// No thread runs tasks of a team that it is not in.
extern "C" int omp_is_free_agent(void) { return 0; }
extern "C" int omp_ancestor_is_free_agent(int) { return 0; }
