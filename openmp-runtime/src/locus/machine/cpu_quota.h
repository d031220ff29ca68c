//===- machine/cpu_quota.h - A control group's share of CPU time *- C++ -*-===//
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

#ifndef LOCUS_MACHINE_CPU_QUOTA_H
#define LOCUS_MACHINE_CPU_QUOTA_H

namespace locus {

/// How many processors the CPU time pays for that the control groups of this
/// process leave it: the least quota / period of its own group and those above
/// it that it can see, of versions 1 and 2; rounded up, at least 1. 0 if there
/// is no quota. \p Root is what stands before /proc and the mount points, for
/// tests. Reads some files; asks anew each time.
int cpuQuota(const char *Root = "");

} // namespace locus

#endif // LOCUS_MACHINE_CPU_QUOTA_H
