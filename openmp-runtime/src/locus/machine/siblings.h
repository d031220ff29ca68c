//===- machine/siblings.h - Processes of the same launcher ------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_SIBLINGS_H
#define LOCUS_MACHINE_SIBLINGS_H

#include <sched.h>
#include <stddef.h>

namespace locus {

/// A launcher on this machine has started \p Count processes: this one, or one
/// that it descends from, and others. How many of the others may run on a
/// processor of \p Mine now, which has \p Bytes bytes. -1 if they can't be
/// found: started by several launchers, or hidden in /proc. Reads some files
/// there.
int countSharing(const cpu_set_t *Mine, size_t Bytes, int Count);

} // namespace locus

#endif // LOCUS_MACHINE_SIBLINGS_H
