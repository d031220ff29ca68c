//===- tool/main.cpp - locus-lab ------------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdio.h>

int main() {
  fprintf(stderr, "usage: locus-lab COMMAND ...\n");
  return 2;
}
