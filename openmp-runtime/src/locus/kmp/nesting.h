//===- kmp/nesting.h - Strict tasks on top of waiting ones ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_NESTING_H
#define LOCUS_KMP_NESTING_H

#include <stdint.h>

namespace locus {

/// Whether a thread in a taskwait may start a strict task that is not a
/// descendant of the waiting one, after \p EmptyRounds rounds without a task.
///
/// It must in the end, or two threads that wait for tasks pinned to each other
/// wait for ever. But each such task starts on top of the waiting one, and the
/// new one may wait as well. So they start at once while the stack has room,
/// and ever more slowly beyond that.
bool mayNest(uint32_t EmptyRounds);

} // namespace locus

#endif // LOCUS_KMP_NESTING_H
