//===- support/check.h - Checks of what must always hold --------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LOCUS_CHECK(Condition) ends the program where the condition does not hold, if
// it is compiled with LOCUS_CHECKS, as the tests are. The product has no trace
// of it.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_SUPPORT_CHECK_H
#define LOCUS_SUPPORT_CHECK_H

#ifdef LOCUS_CHECKS
#include <stdio.h>
#include <stdlib.h>

namespace locus {

/// Says what does not hold, and ends the program.
[[noreturn]] inline void checkFailed(const char *Condition, const char *File,
                                     int Line) {
  fprintf(stderr, "%s:%d: locus: '%s' does not hold\n", File, Line, Condition);
  abort();
}

} // namespace locus

#define LOCUS_CHECK(Condition)                                                 \
  ((Condition) ? (void)0 : locus::checkFailed(#Condition, __FILE__, __LINE__))
#else
// Compiled, so that it stays correct, but never evaluated.
#define LOCUS_CHECK(Condition) ((void)sizeof((Condition) ? 1 : 0))
#endif

#endif // LOCUS_SUPPORT_CHECK_H
