//===- support/host.h - What the core asks of its host ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The core is linked into a host: libomp, by the adapter in kmp/, or the unit
// tests, or the model check. It calls these functions, and its host defines
// them. There are two more, declared where they are used:
//
//   makeTasksKnown()  inplace/inplace.h; defined by kmp/inplace.cpp
//   notePass()        queue/combining.h; the core's own support/stats.cpp has
//                     it, but the model check is linked without that
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_HOST_H
#define LOCUS_SUPPORT_HOST_H

namespace locus {

/// Prints "OMP: Warning: <Text>" unless warnings are off. Any thread may call
/// it; it may block for the output.
void warn(const char *Text);

/// Says that there is no memory, and ends the program: for where a task would
/// be lost.
[[noreturn]] void outOfMemory();

} // namespace locus

#endif // LOCUS_SUPPORT_HOST_H
