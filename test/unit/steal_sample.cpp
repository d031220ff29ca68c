//===- steal_sample.cpp - Tests of a policy that looks at few lists -------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "team_fixture.h"

#include <algorithm>

using namespace locus;
using namespace locus::test;

namespace {

using Ints = std::vector<int>;

/// A team whose thieves look at few lists, by a clock that the test sets.
struct SampleTeam : TestTeam {
  explicit SampleTeam(const Topology &Machine, Level Lists = Level::Thread)
      : TestTeam(Machine, with(Lists, StealPolicy::Sample)) {}

  /// Until no thread rests any more, which is no pause yet.
  void pass(uint64_t Time = 20000) { Clock.set(Now += Time); }
  /// The lists of a search in vain, behind a rest.
  Ints looks(int Thread) {
    pass();
    return visits(Thread);
  }

  uint64_t Now = 1000;
  FakeClock Clock{1000};
};

TEST(StealSampleTest, fewListsAreAllLookedAt) {
  SampleTeam P(machine("n2x2"));
  P.fill(Level::Thread);
  for (int I = 0; I < 3; ++I) {
    EXPECT_EQ(P.looks(0), (Ints{1, 2, 3}));
    EXPECT_EQ(P.looks(3), (Ints{2, 0, 1}));
  }
}

class StealSampleEachTest : public testing::TestWithParam<NamedMachine> {};
INSTANTIATE_TEST_SUITE_P(, StealSampleEachTest, testing::ValuesIn(machines()),
                         NameOf());

/// Two lists, one of them of the own node; all equally often.
TEST_P(StealSampleEachTest, oneOfTheNodeAndOneOfAll) {
  for (Level L : Levels) {
    SCOPED_TRACE(int(L));
    SampleTeam P(GetParam().Get(), L);
    const int Count = P->groups().numGroups(L);
    if (Count <= 4)
      continue;
    P.fill(L);
    const int Thread = P->groups().numThreads() - 1;
    const int Own = P->groups().groupOf(L, Thread);
    Ints Near, Times(Count);
    for (int G = 0; G < Count; ++G)
      if (G != Own && P->groups().closeness(
                          Thread, P->groups().firstMember(L, G)) <= Level::Numa)
        Near.push_back(G);
    constexpr int Each = 100;
    const int All = Each * (Count - 1), Apart = (Count - 1) / 3 + 1;
    int Full = 0;
    for (int I = 1; I <= All; ++I) {
      const Ints Lists = P.looks(Thread);
      if (I % Apart == 0) { // after so many in vain it looks at all
        ASSERT_EQ(int(Lists.size()), Count - 1);
        ++Full;
        continue;
      }
      ASSERT_LE(Lists.size(), Near.empty() ? 1u : 2u);
      if (!Near.empty()) {
        ASSERT_NE(std::find(Near.begin(), Near.end(), Lists[0]), Near.end());
      }
      ++Times[Lists.back()]; // the same twice is one visit
    }
    EXPECT_EQ(Times[Own], 0);
    // Four standard deviations; the numbers are the same in each run.
    const double Mean = double(All - Full) / (Count - 1);
    for (int G = 0; G < Count; ++G)
      if (G != Own) {
        EXPECT_GT(Times[G], Mean / 2) << G;
        EXPECT_LT(Times[G], Mean * 3 / 2) << G;
      }
  }
}

TEST(StealSampleTest, theLastThatHadATaskComesFirst) {
  SampleTeam P(machine("n4x8"));
  Picker Any;
  P.pushAll(29, 1, 9);
  int Searches = 0;
  while (P.steal(0, Any) != 1) {
    ASSERT_LT(++Searches, 30 * 31);
    P.pass();
  }
  for (int I = 2; I <= 9; ++I)
    ASSERT_EQ(P.steal(0, Any), I); // no luck is needed, nor a rest
  // Once in vain it is as any other.
  P.push(29, 29 + 1);
  EXPECT_EQ(P.looks(0), Ints{29});
  int Times = 0;
  for (int I = 0; I < 100; ++I)
    Times += P.looks(0) == Ints{29};
  EXPECT_LT(Times, 30);
}

TEST(StealSampleTest, behindAPauseAllAreLookedAt) {
  SampleTeam P(machine("n4x8"));
  P.fill(Level::Thread);
  EXPECT_LE(P.looks(0).size(), 2u);
  P.pass(100000);
  EXPECT_EQ(P.visits(0).size(), 31u);
  EXPECT_LE(P.looks(0).size(), 2u);
}

TEST(StealSampleTest, restsInVainAsLongAsThereAreThreads) {
  for (const char *Name : {"n2x2", "n4x8"}) {
    SampleTeam P(machine(Name));
    const uint64_t Others = P->numThreads() - 1;
    Picker Any;
    auto Search = [&] {
      EXPECT_EQ(P.steal(0, Any), 0);
      return P.worker(0).Backoff.hasLeftOut();
    };
    P.pass();
    for (int I = 0; I < 20; ++I) {
      EXPECT_FALSE(Search());
      if (Others <= 3)
        continue;
      EXPECT_TRUE(Search());
      EXPECT_FALSE(P->lieDown(P.worker(0))); // it has not looked
      P.pass(Tuned.RestInVain * (Others + 1));
    }
  }
}

} // namespace
