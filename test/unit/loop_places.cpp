//===- loop_places.cpp - Tests of loop/loop_places ------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/loop/loop_places.h"
#include "shape_team.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

using namespace locus;
using namespace locus::test;
using Asks = LoopPlaces::Asks;

namespace {

/// Where an iteration belongs.
using Oracle = std::function<int(uint64_t Ordinal)>;

/// Iterations belong to place 0, then, from each of \p Borders on, to the next
/// of \p Count places.
Oracle runsOf(std::vector<uint64_t> Borders, int Count) {
  return [=](uint64_t Ordinal) {
    int Passed = 0;
    for (uint64_t Border : Borders)
      Passed += Border <= Ordinal;
    return Passed % Count;
  };
}

/// Four nodes with two threads each.
ShapeTeam fourNodes() { return {topology("node:4 pu:2"), blocks(4, 2)}; }

struct Loop {
  uint64_t Trips;
  LoopSchedule Schedule = LoopSchedule::Free;
  uint64_t Amount = 0;
  bool Strict = false;
  Asks What = Asks::All;
};

/// What became of a loop.
struct Result {
  std::vector<LoopPart> Parts;
  int Questions = 0;

  std::vector<uint64_t> starts() const {
    std::vector<uint64_t> All;
    for (const LoopPart &P : Parts)
      All.push_back(P.Start);
    return All;
  }
  std::vector<int> places() const {
    std::vector<int> All;
    for (const LoopPart &P : Parts)
      All.push_back(P.Place);
    return All;
  }
  uint64_t tasks() const {
    uint64_t All = 0;
    for (const LoopPart &P : Parts)
      All += P.Chunks.Tasks;
    return All;
  }
};

/// Asks \p Where for what the loop wants to know. Of several iterations the
/// place that most belong to counts; of equal ones the first.
Result place(const Loop &L, ShapeTeam &Team, const Oracle &Where) {
  LoopPlaces Places(L.Trips, L.Schedule, L.Amount, L.Strict, Team->numThreads(),
                    L.What);
  Result Got;
  uint64_t First, Last;
  while (Places.next(First, Last)) {
    ++Got.Questions;
    EXPECT_LE(First, Last);
    EXPECT_LT(Last, L.Trips);
    std::map<int, uint64_t> Votes;
    int Best = Where(First);
    for (uint64_t I = First; I <= Last && I < First + 1000; ++I) {
      const int Place = Where(I);
      if (++Votes[Place] > Votes[Best])
        Best = Place;
    }
    Places.answer(Best);
  }
  Places.forEachPart(*Team, [&](const LoopPart &P) { Got.Parts.push_back(P); });
  // The parts are the loop.
  uint64_t Start = 0;
  for (const LoopPart &P : Got.Parts) {
    EXPECT_EQ(P.Start, Start);
    EXPECT_TRUE(P.Chunks.isValid());
    Start += P.Chunks.Trips;
  }
  EXPECT_EQ(Start, L.Trips);
  return Got;
}

using Numbers = std::vector<uint64_t>;
using Places = std::vector<int>;

} // namespace

//===----------------------------------------------------------------------===//
// Without a clause
//===----------------------------------------------------------------------===//

TEST(SpreadChunksTest, eachNodeHasItsShareOnEachMachine) {
  for (const NamedMachine &M : machines()) {
    SCOPED_TRACE(M.Name);
    const std::vector<ThreadSpot> Spots = onEachCpu(M.Get());
    std::vector<int> Nodes;
    for (const ThreadSpot &S : Spots)
      Nodes.push_back(S.OsNode);
    ShapeTeam Team(M.Get(), boundTo(Nodes));
    for (uint64_t Trips : Numbers{1, 2, 7, 100, 1000003, UINT64_MAX / 4}) {
      const LoopChunks Chunks =
          chunksOf(Trips, LoopSchedule::Free, 0, false, Team->numThreads());
      uint64_t Start = 0;
      int LastNode = -1;
      spreadChunks(*Team, Trips, 0, Chunks, [&](const LoopPart &P) {
        EXPECT_EQ(P.Start, Start);
        EXPECT_TRUE(P.Chunks.isValid());
        EXPECT_GT(P.Place, LastNode);
        LastNode = P.Place;
        Start += P.Chunks.Trips;
        if (Trips < uint64_t(Team->numThreads()) * 10)
          return;
        // No chunk is torn, so it is about the share.
        const uint64_t Share =
            shareOf(Trips, uint64_t(Team->numThreadsOfNode(P.Place)),
                    uint64_t(Team->numThreads()));
        EXPECT_LE(P.Chunks.Trips, Share + Chunks.Grain + 2);
        EXPECT_GE(P.Chunks.Trips + Chunks.Grain + 2, Share);
      });
      EXPECT_EQ(Start, Trips);
    }
  }
}

// As OpenMP has it: each thread one piece, the first ones of one iteration
// more.
TEST(SpreadChunksTest, aNodeGetsWhatAStaticLoopGivesItsThreads) {
  for (auto [NumNodes, Each] : {std::pair(4, 2), {24, 1}, {24, 8}, {1, 4}}) {
    ShapeTeam Team(topology("node:" + std::to_string(NumNodes) +
                            " pu:" + std::to_string(Each)),
                   blocks(NumNodes, Each));
    const uint64_t Threads = uint64_t(NumNodes * Each);
    for (uint64_t Trips = Threads; Trips < 40 * Threads; Trips += 5) {
      SCOPED_TRACE(testing::Message()
                   << Trips << " iterations, nodes: " << NumNodes);
      std::vector<int> Touched; // by whose threads
      for (uint64_t T = 0; T < Threads; ++T)
        Touched.insert(Touched.end(),
                       Trips / Threads + (T < Trips % Threads ? 1 : 0),
                       Team->nodeOfThread(int(T)));
      const LoopChunks Chunks =
          chunksOf(Trips, LoopSchedule::Free, 0, false, int(Threads));
      uint64_t Home = 0;
      spreadChunks(*Team, Trips, 0, Chunks, [&](const LoopPart &P) {
        for (uint64_t I = P.Start; I < P.Start + P.Chunks.Trips; ++I)
          Home += Touched[I] == P.Place;
      });
      // Chunks of one iteration fit exactly, others within half of one.
      EXPECT_GE(Home * 100, Trips * (Chunks.Tasks == Trips ? 100 : 95));
    }
  }
}

TEST(SpreadChunksTest, fewerIterationsThanThreads) {
  ShapeTeam Team(topology("node:4 pu:8"), blocks(4, 8));
  Numbers Starts;
  spreadChunks(*Team, 8, 0, evenChunks(8, 8),
               [&](const LoopPart &P) { Starts.push_back(P.Start); });
  EXPECT_EQ(Starts, (Numbers{0, 2, 4, 6}));
}

TEST(SpreadChunksTest, nodesOfDifferentSizes) {
  ShapeTeam Team(irregularMachine(), boundTo({0, 1, 1, 2, 2, 2, 2, 2}));
  Numbers Tasks;
  spreadChunks(*Team, 8000, 0, evenChunks(8000, 80),
               [&](const LoopPart &P) { Tasks.push_back(P.Chunks.Tasks); });
  EXPECT_EQ(Tasks, (Numbers{10, 20, 50}));
}

TEST(SpreadChunksTest, fewerChunksThanNodes) {
  ShapeTeam Team = fourNodes();
  Places Nodes;
  spreadChunks(*Team, 100, 0, evenChunks(100, 2),
               [&](const LoopPart &P) { Nodes.push_back(P.Place); });
  EXPECT_EQ(Nodes, (Places{0, 2}));
}

TEST(DivideTest, aPieceForEachThread) {
  for (uint64_t Tasks = 1; Tasks < 40; ++Tasks)
    for (int Threads = 1; Threads < 12; ++Threads) {
      const LoopPart Part = {
          1000, chunksOf(7 * Tasks - 3, LoopSchedule::Grainsize, 7, true, 1),
          3};
      uint64_t Next = Part.Start, Pieces = 0;
      divideAmongThreads(Part, Threads, [&](const LoopPart &Piece) {
        EXPECT_EQ(Piece.Start, Next);
        EXPECT_EQ(Piece.Place, 3);
        EXPECT_TRUE(Piece.Chunks.isValid());
        EXPECT_LE(Piece.Chunks.Tasks, Tasks / uint64_t(Threads) + 1);
        Next += Piece.Chunks.Trips;
        ++Pieces;
      });
      EXPECT_EQ(Next, Part.Start + Part.Chunks.Trips);
      EXPECT_EQ(Pieces, std::min(Tasks, uint64_t(Threads)));
    }
}

// One task for each other place, then one for each further thread of its own.
TEST(MakePartsTest, passesOnWhatOthersMake) {
  struct Maker {
    std::vector<LoopPart> &Made;
    Numbers &PassedOn; ///< start, place, threads
    void make(const LoopPart &Part) const { Made.push_back(Part); }
    void passOn(const LoopPart &Part, int Threads) const {
      for (uint64_t Number : {Part.Start, uint64_t(Part.Place)})
        PassedOn.push_back(Number);
      PassedOn.push_back(uint64_t(Threads));
      makePart(*this, Part, 1);
    }
  };
  ShapeTeam Team(irregularMachine(), boundTo({0, 1, 1, 2, 2, 2, 2, 2}));
  std::vector<LoopPart> Made;
  Numbers PassedOn;
  makeParts(
      Maker{Made, PassedOn}, /*OwnPlace=*/1,
      [&](auto Do) { spreadChunks(*Team, 8, 0, evenChunks(8, 8), Do); },
      [&](int Node) { return (*Team).numThreadsOfNode(Node); });
  // Node 0 has a single one, and so have both threads of node 1.
  EXPECT_EQ(PassedOn, (Numbers{3, 2, 5}));
  Numbers Starts;
  for (const LoopPart &Part : Made)
    Starts.push_back(Part.Start);
  EXPECT_EQ(Starts, (Numbers{0, 3, 2, 1}));
  Made.clear();
  PassedOn.clear();
  makeParts(
      Maker{Made, PassedOn}, /*OwnPlace=*/2,
      [&](auto Do) { spreadChunks(*Team, 80, 0, evenChunks(80, 80), Do); },
      [&](int Node) { return (*Team).numThreadsOfNode(Node); });
  EXPECT_EQ(PassedOn, (Numbers{0, 0, 1, 10, 1, 2, 40, 2, 1, 50, 2, 1, 60, 2, 1,
                               70, 2, 1}));
  EXPECT_EQ(Made.back().Start, 30u);
  uint64_t Tasks = 0;
  for (const LoopPart &Part : Made)
    Tasks += Part.Chunks.Tasks;
  EXPECT_EQ(Tasks, 80u);
}

//===----------------------------------------------------------------------===//
// With a clause
//===----------------------------------------------------------------------===//

TEST(LoopPlacesTest, bordersFallOnThoseOfTheData) {
  ShapeTeam Team = fourNodes();
  const Result Got = place({8000}, Team, runsOf({1999, 4033, 6017}, 4));
  EXPECT_EQ(Got.starts(), (Numbers{0, 1999, 4033, 6017}));
  EXPECT_EQ(Got.places(), (Places{0, 1, 2, 3}));
  EXPECT_EQ(Got.tasks(), 80u);
  // One for each chunk, one at the end, and some for each border in a chunk of
  // 100.
  EXPECT_LE(Got.Questions, 81 + 3 * 7);
}

TEST(LoopPlacesTest, oneChunkForAllThatBelongsTogether) {
  ShapeTeam Team = fourNodes();
  EXPECT_EQ(place({8000}, Team, runsOf({}, 4)).starts(), (Numbers{0}));
}

TEST(LoopPlacesTest, grainsizeIsKept) {
  ShapeTeam Team = fourNodes();
  std::mt19937 Random(7);
  for (int Round = 0; Round < 2000; ++Round) {
    const uint64_t Trips = 1 + Random() % 500, Grain = 1 + Random() % 60;
    Numbers Borders;
    for (uint64_t At = 0; (At += 1 + Random() % 150) < Trips;)
      Borders.push_back(At);
    const Oracle Where = runsOf(Borders, 4);
    const Result Got = place(
        {Trips, LoopSchedule::Grainsize, Grain, false, Asks::All}, Team, Where);
    for (const LoopPart &P : Got.Parts)
      for (uint64_t I = 0; I < P.Chunks.Tasks; ++I) {
        const uint64_t Size = P.Chunks.start(I + 1) - P.Chunks.start(I);
        ASSERT_GE(Size, std::min(Trips, Grain));
        ASSERT_LT(Size, 2 * Grain);
      }
  }
}

TEST(LoopPlacesTest, longRunsAreFoundExactly) {
  ShapeTeam Team = fourNodes();
  std::mt19937 Random(11);
  for (int Round = 0; Round < 500; ++Round) {
    const uint64_t Grain = 1 + Random() % 30;
    Numbers Borders = {0};
    for (int I = 0; I < 5; ++I) // no two in a chunk, which has up to 2 * Grain
      Borders.push_back(Borders.back() + 4 * Grain + Random() % 100);
    const uint64_t Trips = Borders.back();
    Borders.pop_back();
    const Result Got = place({Trips, LoopSchedule::Grainsize, Grain}, Team,
                             runsOf({Borders.begin() + 1, Borders.end()}, 4));
    ASSERT_EQ(Got.starts(), Borders) << "grain " << Grain;
  }
}

TEST(LoopPlacesTest, strictSchedulesAreExact) {
  ShapeTeam Team = fourNodes();
  // 11 chunks of 100, the last one of 50; most of chunk 3 is behind the border.
  const Oracle Where = runsOf({320}, 2);
  const Result Got =
      place({1050, LoopSchedule::Grainsize, 100, true}, Team, Where);
  EXPECT_EQ(Got.starts(), (Numbers{0, 300}));
  EXPECT_EQ(Got.Parts[1].Chunks.Short, 50u);
  EXPECT_EQ(Got.tasks(), 11u);
  EXPECT_EQ(Got.Questions, 11);
  // The first iteration of chunk 3 is before it.
  EXPECT_EQ(place({1050, LoopSchedule::Grainsize, 100, true, Asks::First}, Team,
                  Where)
                .starts(),
            (Numbers{0, 400}));
  // A number of tasks is that number.
  EXPECT_EQ(place({1050, LoopSchedule::NumTasks, 13}, Team, Where).tasks(),
            13u);
}

TEST(LoopPlacesTest, eachChunkItsOwn) {
  ShapeTeam Team = fourNodes();
  const Result Got =
      place({100, LoopSchedule::NumTasks, 100, false, Asks::First}, Team,
            [](uint64_t I) { return int(I % 8); });
  ASSERT_EQ(Got.Parts.size(), 100u);
  for (int I = 0; I < 100; ++I)
    EXPECT_EQ(Got.Parts[size_t(I)].Place, I % 8);
}

TEST(LoopPlacesTest, bordersWithinAChunkStayIfTheyHelpNobody) {
  ShapeTeam Team = fourNodes();
  // Each iteration belongs elsewhere: each chunk goes with its first one.
  const Result Got = place({800, LoopSchedule::Grainsize, 10}, Team,
                           [](uint64_t I) { return int(I % 7 % 4); });
  EXPECT_EQ(Got.tasks(), 80u);
  for (const LoopPart &P : Got.Parts)
    EXPECT_EQ(P.Start % 10, 0u);
}

TEST(LoopPlacesTest, whatNobodyKnowsIsSpread) {
  ShapeTeam Team = fourNodes();
  const Result Got = place({8000}, Team, [](uint64_t) { return SpreadPlace; });
  EXPECT_EQ(Got.starts(), (Numbers{0, 2000, 4000, 6000}));
  EXPECT_EQ(Got.places(), (Places{0, 1, 2, 3}));
  // The second half is not known: its nodes are those of the whole loop.
  const Result Half = place(
      {8000}, Team, [](uint64_t I) { return I < 4000 ? 1 : SpreadPlace; });
  EXPECT_EQ(Half.starts(), (Numbers{0, 4000, 6000}));
  EXPECT_EQ(Half.places(), (Places{1, 2, 3}));
}

TEST(LoopPlacesTest, hugeLoops) {
  ShapeTeam Team = fourNodes();
  const uint64_t Half = uint64_t(1) << 63;
  for (uint64_t Trips : {UINT64_MAX, Half + 3, Half}) {
    const Result Got = place({Trips}, Team, runsOf({Half / 2 - 5}, 2));
    EXPECT_EQ(Got.starts(), (Numbers{0, Half / 2 - 5}));
    EXPECT_LE(Got.Questions, 81 + 64);
  }
}
