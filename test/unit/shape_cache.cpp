//===- shape_cache.cpp - Tests of the shapes that a team keeps ------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/team_shape.h"
#include "shape_team.h"

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

class ShapeCacheTest : public testing::Test {
protected:
  /// One thread on each of \p OsNodes.
  const TeamShape *build(const Ints &OsNodes, const Ints &Homes) {
    return Cache.build(Machine, int(OsNodes.size()), boundTo(OsNodes).data(),
                       nullptr, Homes.empty() ? nullptr : Homes.data());
  }
  const TeamShape *find(const Ints &Homes) {
    return Cache.find(int(Homes.size()), [&](int Thread) {
      ++Questions;
      return Homes[size_t(Thread)];
    });
  }
  static Ints osNodes(const TeamShape *Shape) {
    Ints All;
    for (int T = 0; Shape && T < Shape->numThreads(); ++T)
      All.push_back(Shape->osNode(Shape->nodeOfThread(T)));
    return All;
  }

  const Topology &Machine = topology("node:4 pu:2");
  ShapeCache Cache;
  int Questions = 0;
};

TEST_F(ShapeCacheTest, findsByHomes) {
  EXPECT_EQ(find({0}), nullptr);
  const TeamShape *One = build({0, 0, 3}, {10, 11, 12});
  const TeamShape *Two = build({1, 2}, {10, 11});
  ASSERT_NE(One, nullptr);
  ASSERT_NE(Two, nullptr);
  EXPECT_EQ(find({10, 11, 12}), One);
  EXPECT_EQ(find({10, 11}), Two);
  EXPECT_EQ(osNodes(One), (Ints{0, 0, 3}));
  EXPECT_EQ(osNodes(Two), (Ints{1, 2}));
  EXPECT_EQ(find({10, 11, 13}), nullptr);
  EXPECT_EQ(find({11, 10}), nullptr);
  EXPECT_EQ(find({10}), nullptr);
  EXPECT_EQ(find({10, 11, 12, 13}), nullptr);
}

TEST_F(ShapeCacheTest, asksOnceForEachThread) {
  build({0, 0, 3}, {10, 11, 12});
  build({1, 2}, {10, 11});
  find({10, 11, 12});
  EXPECT_EQ(Questions, 3);
}

TEST_F(ShapeCacheTest, doesNotFindWhatHasNoHomes) {
  EXPECT_EQ(osNodes(build({2, 1}, {})), (Ints{2, 1}));
  EXPECT_EQ(find({0, 0}), nullptr);
}

TEST_F(ShapeCacheTest, whatHasNoHomesReplacesNothingElse) {
  const TeamShape *Kept = build({0, 3}, {10, 11});
  for (int Turn = 0; Turn < 2 * ShapesKept; ++Turn)
    EXPECT_EQ(osNodes(build({Turn % 4, 1}, {})), (Ints{Turn % 4, 1}));
  EXPECT_EQ(find({10, 11}), Kept);
  EXPECT_EQ(osNodes(Kept), (Ints{0, 3}));
}

TEST_F(ShapeCacheTest, keepsNoShapeTwice) {
  const TeamShape *Kept = build({0, 3}, {10, 11});
  for (int Turn = 1; Turn < 2 * ShapesKept; ++Turn) {
    EXPECT_EQ(build({0, 3}, {10, 11}), Kept);
    // The others do not push it out.
    ASSERT_NE(build({1}, {Turn}), Kept);
  }
}

TEST_F(ShapeCacheTest, replacesWhatWasNotUsedForLongest) {
  for (int I = 0; I < ShapesKept; ++I)
    ASSERT_NE(build({I % 4}, {I}), nullptr);
  EXPECT_NE(find({0}), nullptr); // now 1 is the oldest
  ASSERT_NE(build({3}, {100}), nullptr);
  EXPECT_EQ(find({1}), nullptr);
  for (int I : {0, 2, 3, 100})
    EXPECT_NE(find({I}), nullptr) << I;
}

TEST_F(ShapeCacheTest, theNewestStays) {
  // Who has it uses it while the others are built.
  const TeamShape *Newest = build({2}, {0});
  for (int I = 1; I < ShapesKept; ++I)
    ASSERT_NE(build({0, 1, 2, 3}, {I, I, I, I}), Newest);
  EXPECT_EQ(osNodes(Newest), (Ints{2}));
}

TEST_F(ShapeCacheTest, aNewShapeInOldMemory) {
  for (int Size = 1; Size < 40; ++Size) {
    const Ints Homes(size_t(Size), Size);
    ASSERT_NE(build(Ints(size_t(Size), Size % 4), Homes), nullptr);
    EXPECT_EQ(osNodes(find(Homes)), Ints(size_t(Size), Size % 4));
    const int Older = Size - ShapesKept;
    if (Older > 0)
      EXPECT_EQ(find(Ints(size_t(Older), Older)), nullptr);
  }
}

} // namespace
