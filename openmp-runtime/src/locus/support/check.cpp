//===- support/check.cpp - Checks of what must always hold ----------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/check.h"

#ifdef LOCUS_CHECKS

#include <stdio.h>
#include <stdlib.h>

void locus::checkFailed(const char *Condition, const char *File, int Line) {
  fprintf(stderr, "%s:%d: locus: '%s' does not hold\n", File, Line, Condition);
  abort();
}

#endif
