//===- cpu.cpp - Tests of support/cpu -------------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/cpu.h"
#include "locus/support/array.h"

#include <gtest/gtest.h>
#include <stdint.h>
#include <sys/mman.h>

using namespace locus;

namespace {

static_assert((CacheLine & (CacheLine - 1)) == 0 && CacheLine >= 64,
              "lines are powers of two");

TEST(CpuTest, ArraysBeginAtLines) {
  for (int I = 0; I < 100; ++I) {
    Array<char> Bytes;
    ASSERT_TRUE(Bytes.renew(size_t(I) + 1));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(&Bytes[0]) % CacheLine, 0u);
  }
}

TEST(CpuTest, ThePageIsTheKernels) {
  const size_t Page = pageSize();
  EXPECT_EQ(Page & (Page - 1), 0u);
  char *const Two =
      static_cast<char *>(mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(Two, MAP_FAILED);
  // No smaller piece has rights of its own, and each page has.
  EXPECT_NE(mprotect(Two + Page / 2, Page / 2, PROT_READ), 0);
  EXPECT_EQ(mprotect(Two + Page, Page, PROT_READ), 0);
  Two[Page - 1] = 1;
  EXPECT_EQ(munmap(Two, 2 * Page), 0);
}

TEST(CpuTest, TicksGoOnWithTime) {
  const uint64_t Since = ticks(), Until = nanoseconds() + 1000000;
  while (nanoseconds() < Until)
    relax();
  EXPECT_GT(ticks(), Since);
}

} // namespace
