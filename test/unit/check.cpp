//===- check.cpp - Tests of the checks ------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/check.h"

#include <gtest/gtest.h>

// Dies before other tests have started threads: gtest runs such suites first.
TEST(CheckDeathTest, EndsTheProgram) {
  int Looks = 0;
  LOCUS_CHECK(++Looks == 1);
  EXPECT_EQ(Looks, 1);
  EXPECT_DEATH(LOCUS_CHECK(Looks == 2), "check.cpp:.* 'Looks == 2' does not");
}
