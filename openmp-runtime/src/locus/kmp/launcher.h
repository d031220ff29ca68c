//===- kmp/launcher.h - What who started us left this process ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A batch system, a container or an MPI launcher gives a process a part of the
// machine: by its cpuset, which libomp respects by itself, or by a quota of CPU
// time.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_KMP_LAUNCHER_H
#define LOCUS_KMP_LAUNCHER_H

namespace locus {

/// The number of threads of a team where nobody says one: that of the
/// processors, \p Available, or as many of them as a control group's quota of
/// CPU time pays for.
int defaultThreads(int Available);

/// Says so, in the first rank of each machine, if an MPI launcher has left it
/// fewer processors than it has threads, or the same as other ranks, whose
/// bound threads share them then. Without a launcher, if the process has one
/// processor of several, and the settings want more. Called when libomp knows
/// its places and the number of threads.
void warnOfRanks();

} // namespace locus

#endif // LOCUS_KMP_LAUNCHER_H
