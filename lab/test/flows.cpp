//===- test/flows.cpp - Bandwidth and caches ------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/engine.h"

#include <gtest/gtest.h>
#include <random>

using namespace locus::lab;

namespace {

constexpr double GB = 1e9;

/// Two nodes of four cores: memory 10 GB/s, 4 GB/s out of it, a core 3 GB/s at
/// home and 1.5 elsewhere. Faults and caches cost nothing.
Machine twoNodes() {
  Machine M;
  M.Synthetic = "numa:2 l3:1 core:4 pu:1";
  M.fromTopology(10, 3, 0.5);
  M.Links[2].GBs = M.Links[3].GBs = 4;
  M.Cost.PageFaultNs = 0;
  return M;
}

/// When each thread has its \p Bytes of node 0 if it begins at its time.
std::vector<double> secondsOf(const Machine &M, const std::vector<int> &Cpus,
                              const std::vector<double> &Begin, double Bytes) {
  Engine E(M, Cpus);
  E.memory().place(uint64_t(1) << 40, uint64_t(Bytes) * Cpus.size(), 0);
  std::vector<double> Done(Cpus.size());
  for (size_t T = 0; T < Cpus.size(); ++T)
    E.begin(int(T), [&, T] {
      E.advance(toPs(Begin[T] * 1e9));
      const Range R = {(uint64_t(1) << 40) + T * uint64_t(Bytes),
                       uint64_t(Bytes), false};
      E.access(&R, 1, 0);
      Done[T] = double(E.now()) * 1e-12;
    });
  EXPECT_EQ(E.run(NoTime), "");
  return Done;
}

TEST(FlowTest, AloneAFlowGoesAtItsProcessorsRate) {
  EXPECT_NEAR(secondsOf(twoNodes(), {0}, {0}, GB)[0], 1 / 3.0, 1e-9);
  EXPECT_NEAR(secondsOf(twoNodes(), {4}, {0}, GB)[0], 1 / 1.5, 1e-9);
}

TEST(FlowTest, ManyShareALinkAlike) {
  // Four at home: 10 GB/s for all, 3 for each would be 12.
  for (double Done : secondsOf(twoNodes(), {0, 1, 2, 3}, {0, 0, 0, 0}, GB))
    EXPECT_NEAR(Done, 4 / 10.0, 1e-9);
  // Four from the other node: 4 GB/s out of it.
  for (double Done : secondsOf(twoNodes(), {4, 5, 6, 7}, {0, 0, 0, 0}, GB))
    EXPECT_NEAR(Done, 4 / 4.0, 1e-9);
}

TEST(FlowTest, WhoComesLaterSharesWhatIsLeft) {
  // Three flows over a link of 4 GB/s, the third after 0.5 s: two at 1.5 until
  // then, 0.75 GB each; then three at 4/3.
  const std::vector<double> Done =
      secondsOf(twoNodes(), {4, 5, 6}, {0, 0, 0.5}, GB);
  const double First = 0.5 + 0.25 / (4 / 3.0);
  EXPECT_NEAR(Done[0], First, 1e-9);
  EXPECT_NEAR(Done[1], First, 1e-9);
  // Alone it goes on at 1.5.
  EXPECT_NEAR(Done[2], First + 0.75 / 1.5, 1e-9);
}

TEST(FlowTest, RatesAreMaxMinFair) {
  // Three links of 1, 2 and 10 GB/s; flows over (0,2), (0,2), (1,2), (2).
  Machine M = simpleMachine(4, 1);
  M.Links = {{"a", 1}, {"b", 2}, {"c", 10}};
  for (std::vector<int> &Path : M.Paths)
    Path = {2};
  M.Paths[M.pair(0, 0)] = M.Paths[M.pair(0, 1)] = {0, 2};
  M.Paths[M.pair(0, 2)] = {1, 2};
  M.ProcessorGBs.assign(16, 100);
  FlowNetwork F(M, {0, 1, 2, 3});
  for (int T = 0; T < 4; ++T)
    F.start(0, T, {GB, 0, 0, 0});
  EXPECT_NEAR(F.rateOf(0, 0), 0.5 * GB, 1);
  EXPECT_NEAR(F.rateOf(0, 1), 0.5 * GB, 1);
  EXPECT_NEAR(F.rateOf(0, 2), 2 * GB, 1);
  EXPECT_NEAR(F.rateOf(0, 3), 7 * GB, 1);
}

TEST(FlowTest, OneProcessorDividesItsTime) {
  // 1 GB at home and 1 GB from afar take as long as one after the other.
  const Machine M = twoNodes();
  Engine E(M, {0});
  E.memory().place(uint64_t(1) << 40, uint64_t(GB), 0);
  E.memory().place(uint64_t(2) << 40, uint64_t(GB), 1);
  E.begin(0, [&] {
    const Range R[] = {{uint64_t(1) << 40, uint64_t(GB), false},
                       {uint64_t(2) << 40, uint64_t(GB), false}};
    E.access(R, 2, 0);
  });
  EXPECT_EQ(E.run(NoTime), "");
  EXPECT_NEAR(double(E.end()) * 1e-12, 1 / 3.0 + 1 / 1.5, 1e-9);
}

TEST(FlowTest, EndsWhenSimGridSays) {
  // 192 processors that move 20 times 1 to 8 MB from a node each: as in
  // validate/simgrid.cpp, of which SimGrid 3.32 says that it ends then.
  constexpr double Reference = 0.134634734;
  Machine M;
  M.Synthetic = "numa:24 l3:1 core:8 pu:1";
  M.fromTopology(12.2, 4.0, 0.35);
  M.Cost.PageFaultNs = 0;
  for (int N = 0; N < 24; ++N)
    M.Links[size_t(24 + N)].GBs = 7.5;
  std::vector<int> All;
  for (int P = 0; P < 192; ++P)
    All.push_back(P);
  Engine E(M, All);
  auto At = [](uint64_t Node) { return (Node + 1) << 36; };
  for (int N = 0; N < 24; ++N)
    E.memory().place(At(uint64_t(N)), 8000000, N);
  for (int T = 0; T < 192; ++T)
    E.begin(T, [&, T] {
      std::mt19937 Random{unsigned(T)};
      for (int I = 0; I < 20; ++I) {
        const uint64_t Node = Random() % 24, Size = 1 + Random() % 8;
        const Range R = {At(Node), Size * 1000000, false};
        E.access(&R, 1, 0);
      }
    });
  EXPECT_EQ(E.run(NoTime), "");
  EXPECT_NEAR(double(E.end()) * 1e-12, Reference, 1e-8);
}

TEST(FlowTest, ComputingGoesOnMeanwhile) {
  for (double Seconds : {0.1, 0.9}) {
    const Machine M = twoNodes();
    Engine E(M, {0});
    E.begin(0, [&] {
      const Range R = {uint64_t(1) << 40, uint64_t(GB), false};
      E.access(&R, 1, Seconds * 1e9);
    });
    EXPECT_EQ(E.run(NoTime), "");
    EXPECT_NEAR(double(E.end()) * 1e-12, std::max(Seconds, 1 / 3.0), 1e-9);
  }
}

TEST(FlowTest, BytesAreCountedByNodes) {
  Machine M = twoNodes();
  M.WriteFactor = 2;
  Engine E(M, {0, 4});
  E.memory().place(uint64_t(1) << 40, 1 << 20, 1);
  E.begin(0, [&] {
    const Range R[] = {{uint64_t(1) << 40, 1 << 20, false},
                       {uint64_t(2) << 40, 4096, true}};
    E.access(R, 2, 0);
  });
  E.begin(1, [] {});
  EXPECT_EQ(E.run(NoTime), "");
  EXPECT_EQ(E.bytesMoved()[1][0], double(1 << 20));
  EXPECT_EQ(E.bytesMoved()[0][0], 2.0 * 4096); // first touch: at home
  EXPECT_EQ(E.bytesMoved()[0][1], 0);
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

/// What of 1 MB at \p Address comes from the cache of \p Node.
double hits(MemoryMap &Map, uint64_t Address, int Node, bool Writes = false) {
  MemoryMap::Moves Moves;
  Moves.Bytes.assign(2, 0);
  Moves.Lying.assign(2, 0);
  Map.access({Address, 1 << 20, Writes}, Node, Node, Moves);
  return Moves.FromCache / (1 << 20);
}

TEST(CacheTest, KeepsWhatWasUsedLast) {
  Machine M = twoNodes();
  M.L3Bytes = 3 << 20;
  MemoryMap Map(M);
  const uint64_t A = 1ull << 40, B = 2ull << 40, C = 3ull << 40, D = 4ull << 40;
  for (uint64_t At : {A, B, C})
    EXPECT_EQ(hits(Map, At, 0), 0);
  EXPECT_EQ(hits(Map, A, 0), 1);
  EXPECT_EQ(hits(Map, D, 0), 0); // B leaves
  EXPECT_EQ(hits(Map, A, 0), 1);
  EXPECT_EQ(hits(Map, C, 0), 1);
  EXPECT_EQ(hits(Map, B, 0), 0);
  EXPECT_EQ(hits(Map, A, 1), 0); // the other cache has nothing
}

TEST(CacheTest, ForgetsWhatOthersWrite) {
  Machine M = twoNodes();
  M.L3Bytes = 3 << 20;
  MemoryMap Map(M);
  const uint64_t A = 1ull << 40;
  hits(Map, A, 0);
  EXPECT_EQ(hits(Map, A, 1, /*Writes=*/true), 0);
  EXPECT_EQ(hits(Map, A, 1), 1);
  EXPECT_EQ(hits(Map, A, 0), 0);
}

TEST(CacheTest, NoneMeansNone) {
  Machine M = twoNodes();
  MemoryMap Map(M);
  EXPECT_EQ(hits(Map, 1ull << 40, 0), 0);
  EXPECT_EQ(hits(Map, 1ull << 40, 0), 0);
}

TEST(PageTest, WhoTouchesFirstHasThePage) {
  Machine M = twoNodes();
  MemoryMap Map(M);
  EXPECT_EQ(Map.nodeOf(1ull << 40), MemoryMap::Untouched);
  MemoryMap::Moves Moves;
  Moves.Bytes.assign(2, 0);
  Moves.Lying.assign(2, 0);
  Map.access({(1ull << 40) + 100, 5000, false}, 1, 1, Moves);
  EXPECT_EQ(Moves.NewPages, 2u);
  EXPECT_EQ(Map.nodeOf(1ull << 40), 1);
  EXPECT_EQ(Map.nodeOf((1ull << 40) + 8191), 1);
  EXPECT_EQ(Map.nodeOf((1ull << 40) + 8192), MemoryMap::Untouched);
  Map.access({1ull << 40, 8192, true}, 0, 0, Moves);
  EXPECT_EQ(Map.nodeOf(1ull << 40), 1);
}

} // namespace
