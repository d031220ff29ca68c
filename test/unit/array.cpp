//===- array.cpp - Tests of support/array ---------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/array.h"

#include <cstdint>
#include <gtest/gtest.h>

using namespace locus;

#ifndef __has_feature // GCC
#define __has_feature(Name) 0
#endif

namespace {

/// Counts its objects.
struct Counted {
  static inline int Alive = 0;
  Counted() { ++Alive; }
  ~Counted() { --Alive; }
  Counted(const Counted &) = delete;
  Counted &operator=(const Counted &) = delete;
  int Value = 5;
};

} // namespace

TEST(ArrayTest, ownsItsItems) {
  {
    Array<Counted> Items;
    EXPECT_EQ(Items.size(), 0u);
    EXPECT_EQ(Items.data(), nullptr);
    ASSERT_TRUE(Items.renew(7));
    EXPECT_EQ(Items.size(), 7u);
    EXPECT_EQ(Counted::Alive, 7);
    EXPECT_EQ(uintptr_t(Items.data()) % 64, 0u);
    Items[6].Value = 1;
    ASSERT_TRUE(Items.renew(9));
    EXPECT_EQ(Counted::Alive, 9);
    EXPECT_EQ(Items[6].Value, 5);
  }
  EXPECT_EQ(Counted::Alive, 0);
}

TEST(ArrayTest, isZeroed) {
  Array<int> Items;
  for (int Turn = 0; Turn < 3; ++Turn) {
    ASSERT_TRUE(Items.renew(1000));
    for (int I = 0; I < 1000; ++I) {
      ASSERT_EQ(Items[I], 0);
      Items[I] = -1;
    }
  }
}

TEST(ArrayTest, withoutMemoryItIsEmpty) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers end a program that asks for too much";
#endif
  Array<char> Items;
  ASSERT_TRUE(Items.renew(10));
  EXPECT_FALSE(Items.renew(SIZE_MAX / 4));
  EXPECT_EQ(Items.size(), 0u);
  EXPECT_EQ(Items.data(), nullptr);
  EXPECT_TRUE(Items.renew(10));
}

TEST(ArrayDeathTest, indexOutOfRange) {
  Array<int> Items;
  ASSERT_TRUE(Items.renew(3));
  EXPECT_DEATH(Items[3] = 0, "Size");
  EXPECT_DEATH(Items[-1] = 0, "Size");
}

TEST(ArrayTest, roomGrowsByAQuarter) {
  EXPECT_EQ(grownRoom(0, 1), 1u);
  EXPECT_EQ(grownRoom(3, 4), 4u);
  EXPECT_EQ(grownRoom(8, 9), 10u);
  EXPECT_EQ(grownRoom(100, 101), 125u);
  EXPECT_EQ(grownRoom(100, 126), 126u);
}

TEST(GrowingTest, keepsWhatIsAdded) {
  Growing<int> Items;
  for (int I = 0; I < 1000; ++I)
    Items.add(I);
  Items.shorten(999);
  Items.shorten(999);
  Items.add(-1);
  ASSERT_EQ(Items.size(), 1000u);
  for (int I = 0; I < 999; ++I)
    ASSERT_EQ(Items[I], I);
  EXPECT_EQ(Items.data()[999], -1);
}

TEST(GrowingDeathTest, indexOutOfRange) {
  Growing<int> Items;
  Items.add(1);
  EXPECT_DEATH(Items[1] = 0, "Size");
  EXPECT_DEATH(Items.shorten(2), "Size");
}
