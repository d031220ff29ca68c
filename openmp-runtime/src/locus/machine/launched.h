//===- machine/launched.h - What a launcher has left us ---------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A container or a batch job may have all processors, but only so much of
// their time: the kernel stops its threads for the rest of each period
// (Documentation/admin-guide/cgroup-v2.rst, cpu.max; scheduler/sched-bwc.rst
// for version 1).
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_MACHINE_LAUNCHED_H
#define LOCUS_MACHINE_LAUNCHED_H

#include <sched.h>
#include <stddef.h>

namespace locus {

/// How many processors the CPU time pays for that the control groups of this
/// process leave it: the least quota / period of its own group and those above
/// it that it can see, of versions 1 and 2; rounded up, at least 1. 0 if there
/// is no quota. \p Root is what stands before /proc and the mount points, for
/// tests. Reads some files; asks anew each time.
int cpuQuota(const char *Root = "");

/// A launcher on this machine has started \p Count processes: this one, or one
/// that it descends from, and others. How many of the others may run on a
/// processor of \p Mine now, which has \p Bytes bytes. -1 if they can't be
/// found: started by several launchers, or hidden in /proc. Reads some files
/// there.
int countSharing(const cpu_set_t *Mine, size_t Bytes, int Count);

} // namespace locus

#endif // LOCUS_MACHINE_LAUNCHED_H
