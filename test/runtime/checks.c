// The runtime that the tests use checks itself: here a task ends while a task
// in place seems to run. The product has no trace of these checks.
//
// REQUIRES: checked
// RUN: %clang -c %S/Inputs/inline_state.c -o %t.state.o
// RUN: %clang -I%S/Inputs %s %t.state.o -o %t
// RUN: not %run --env LD_PRELOAD=%checked %t 2>&1 | FileCheck %s
// CHECK: locus: '{{.*}}isInPlace(){{.*}}' does not hold
// CHECK: signal 6
// RUN: grep -q 'does n.t hold' %checked
// RUN: not grep -q 'does n.t hold' %product

#include "check.h"
#include "inline_state.h"

int main(void) {
  nextReal();
#pragma omp task
  pretendUnknown();
  FAIL("nobody has noticed");
}
