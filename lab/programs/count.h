//===- programs/count.h - What a program does, counted ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_PROGRAMS_COUNT_H
#define LOCUS_LAB_PROGRAMS_COUNT_H

#include "lab/programs/build.h"

namespace locus::lab {

/// Runs \p P without a scheduler, on no machine: each task at once where it is
/// created, one implicit task after the other. What it did, for a team of
/// \p Threads.
WorkCounts count(const Program &P, int Threads);

} // namespace locus::lab

#endif // LOCUS_LAB_PROGRAMS_COUNT_H
