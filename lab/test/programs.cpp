//===- test/programs.cpp - The programs, counted -------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine.h"
#include "lab/program.h"
#include "lab/programs/catalog.h"
#include "lab/programs/count.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace locus::lab;

namespace {

constexpr CoreSpeed Speed = {2.0, 10.0};

/// What makeProgram() says of \p Spec; empty if it makes it.
std::string refusal(const std::string &Spec, int Threads = 4) {
  try {
    makeProgram(Spec, Threads, Speed);
  } catch (const std::invalid_argument &Error) {
    return Error.what();
  }
  return "";
}

void expectSame(const WorkCounts &Got, const WorkCounts &Wanted) {
  EXPECT_EQ(Got.Tasks, Wanted.Tasks);
  EXPECT_EQ(Got.Depends, Wanted.Depends);
  EXPECT_EQ(Got.Read, Wanted.Read);
  EXPECT_EQ(Got.Written, Wanted.Written);
  EXPECT_EQ(Got.Waits, Wanted.Waits);
}

TEST(ProgramsTest, JacobiMovesWhatTheStencilNeeds) {
  for (const bool Copies : {false, true})
    for (const Placing Where : {Placing::None, Placing::Loop, Placing::Strict})
      for (const FirstTouch Touch :
           {FirstTouch::OneThread, FirstTouch::Owners}) {
        const JacobiSize Size = {1024, 128, 3, Copies};
        expectSame(count(jacobi(Size, Where, Touch, 6, Speed), 6),
                   jacobiCounts(Size, Where, Touch));
      }
}

TEST(ProgramsTest, RoundsAndGraphsHaveTheSameTasks) {
  for (const Repeat Again :
       {Repeat{3, false}, Repeat{3, true}, Repeat{1, true}}) {
    const JacobiSize Grid = {1024, 128, 3, true, Again};
    expectSame(
        count(jacobi(Grid, Placing::None, FirstTouch::Tasks, 6, Speed), 6),
        jacobiCounts(Grid, Placing::None, FirstTouch::Tasks));
    const CholeskySize Matrix = {1024, 128, Again};
    expectSame(
        count(cholesky(Matrix, Placing::None, FirstTouch::Tasks, 4, Speed), 4),
        choleskyCounts(Matrix));
  }
}

TEST(ProgramsTest, JacobiOfThePaperHasItsTasks) {
  const JacobiSize Size; // 49152, blocks of 1024
  const WorkCounts Counts =
      jacobiCounts(Size, Placing::Strict, FirstTouch::Tasks);
  EXPECT_EQ(Counts.Tasks, 48u * 48 * (1 + 2 * 10));
  // Three fields of 18 GiB are touched, and two written in each step.
  EXPECT_EQ(Counts.Written, 23 * uint64_t(49152) * 49152 * 8);
}

TEST(ProgramsTest, OwnersHaveEqualShares) {
  for (const int Threads : {1, 2, 6, 16, 48, 96, 128, 192}) {
    const ThreadRectangle Owners(Threads, 48);
    std::vector<int> Blocks(size_t(Threads), 0);
    for (uint64_t Row = 0; Row < 48; ++Row)
      for (uint64_t Column = 0; Column < 48; ++Column)
        ++Blocks.at(size_t(Owners.owner(Row, Column)));
    for (int Number : Blocks)
      EXPECT_EQ(Number, 48 * 48 / Threads) << Threads;
  }
}

TEST(ProgramsTest, TaskloopsGoOverAllData) {
  for (const FirstTouch Touch : {FirstTouch::Tasks, FirstTouch::Owners})
    expectSame(count(taskloop(TaskloopSize(), Touch, 6), 6),
               taskloopCounts(TaskloopSize(), Touch, 6));
}

TEST(ProgramsTest, SpmvReadsEachNonzeroOnce) {
  for (const uint64_t Parts : {0, 1, 6, 16}) {
    const SpmvSize Size = {120, Parts, 4};
    expectSame(
        count(spmv(Size, Placing::Thread, FirstTouch::Tasks, 6, Speed), 6),
        spmvCounts(Size, 6));
  }
}

TEST(ProgramsTest, CholeskyHasTheTasksOfItsLoops) {
  const CholeskySize Size = {1024, 128};
  WorkCounts Wanted = choleskyCounts(Size);
  expectSame(
      count(cholesky(Size, Placing::Data, FirstTouch::Cyclic, 4, Speed), 4),
      Wanted);
  // 8 potrf, 28 trsm, 28 syrk, 56 gemm, and 36 tiles to touch.
  EXPECT_EQ(Wanted.Tasks, 8u + 28 + 28 + 56 + 36);
}

TEST(ProgramsTest, QrHasTheTasksOfItsLoops) {
  const QrSize Size = {1024, 128, 32};
  for (const FirstTouch Touch : {FirstTouch::Tasks, FirstTouch::Cyclic})
    expectSame(count(qr(Size, Placing::Data, Touch, 4, Speed), 4),
               qrCounts(Size));
  // 8 geqrt, 28 ormqr, 28 tsqrt, 140 tsmqr, and 64 tiles to touch.
  EXPECT_EQ(qrCounts(Size).Tasks, 8u + 28 + 28 + 140 + 64);
}

/// Panels and triangular factors cost more than the algorithm's 4/3 N^3, the
/// less the narrower they are; tiles of one column at once would be slowest.
TEST(ProgramsTest, QrComputesItsOperationsAndMore) {
  const double Least = 4.0 / 3 * 8192 * 8192 * 8192 / Speed.Gflops;
  const auto Ns = [](uint64_t Inner) {
    return count(qr({8192, 512, Inner}, Placing::None, FirstTouch::Tasks, 4,
                    Speed),
                 4)
        .ComputeNs;
  };
  EXPECT_GT(Ns(128), Least);
  EXPECT_LT(Ns(128), 1.6 * Least);
  EXPECT_LT(Ns(128), Ns(512));
}

/// Each of five sweeps once an iteration; matrix and vectors as it needs them.
TEST(ProgramsTest, BicgstabHasFiveSweeps) {
  const SpmvSize Size = {120, 6, 4};
  const auto Count = [&](Placing Where) {
    return count(bicgstab(Size, Where, FirstTouch::Tasks, 6, Speed), 6);
  };
  const WorkCounts Got = Count(Placing::Thread);
  EXPECT_EQ(Got.Tasks, 6u * (1 + 5 * 4));
  EXPECT_EQ(Got.Waits, 1u + 5 * 4);
  const uint64_t Rows = 120 * 120, Nonzeros = 5 * Rows - 4 * 120;
  const uint64_t Matrix = Nonzeros * 12 + (Rows + 6) * 4;
  EXPECT_EQ(Got.Written, Matrix + (7 + 6 * 4) * Rows * 8);
  const uint64_t Edges = 2 * 120 * (1 + 2); // 2 x 3 parts
  EXPECT_EQ(Got.Read, 4 * (2 * (Matrix + Edges * 8) + 11 * Rows * 8));
  EXPECT_EQ(Count(Placing::Loop).Written, Got.Written);
}

/// 2/3 N^3 operations, and what panels and exchanges move beside the updates.
TEST(ProgramsTest, LuHasTheTasksOfItsLoops) {
  const WorkCounts Got =
      count(lu({1024, 128}, Placing::Data, FirstTouch::Cyclic, 4, Speed), 4);
  // 8 panels, 28 exchanges, 140 updates, 7 columns at last, 64 to touch.
  EXPECT_EQ(Got.Tasks, 8u + 28 + 140 + 7 + 64);
  // The first panel and exchanges have no tile above.
  EXPECT_EQ(Got.Depends, 64u + (8 * 2 - 1) + (28 * 3 - 7) + 140 * 3 + 7 * 3);
  const double Least = 2.0 / 3 * 1024 * 1024 * 1024 / Speed.Gflops;
  EXPECT_GT(Got.ComputeNs, Least);
  EXPECT_LT(Got.ComputeNs, 2 * Least);
}

/// No tile is computed that stays empty: of 4 x 4 there are four.
TEST(ProgramsTest, SparseLuWithDependFillsUp) {
  const LuSize Size = {512, 128};
  const WorkCounts Got = count(
      sparseLuDepend(Size, Placing::Strict, FirstTouch::Owners, 4, Speed), 4);
  // Full are the band, (0, 2) and (2, 0). 4 factors; 4 tiles in row and column
  // 0, 2 and 2 in those of 1 and 2; 4, 1, 1 updates; 16 tiles to touch.
  EXPECT_EQ(Got.Tasks, 4u + 8 + 6 + 16);
}

TEST(ProgramsTest, StrassenByTilesHasSevenProducts) {
  const auto Tasks = [](int Levels) {
    const StrassenSize Size = {1024, 128, Levels};
    return count(strassenDepend(Size, Placing::Data, FirstTouch::Cyclic, 4,
                                Speed),
                 4)
        .Tasks;
  };
  // 8 x 8 tiles of three matrices; 512 products.
  EXPECT_EQ(Tasks(0), 3u * 64 + 512);
  // 17 temporaries of 16 tiles, 18 sums of 16 tiles, 7 times 64 products.
  EXPECT_EQ(Tasks(1), 3u * 64 + 17 * 16 + 18 * 16 + 7 * 64);
}

/// A plan that is found prunes others: by depth first, as the counter runs it,
/// far fewer than the 2^(n-1) (n-1)! places of n cells of one shape.
TEST(ProgramsTest, FloorplanPrunes) {
  EXPECT_GT(count(floorplan(6, 1, Speed), 1).Tasks, 6u);
  EXPECT_LT(count(floorplan(6, 1, Speed), 1).Tasks, 32u * 120);
  for (const char *Contender : {"ours", "libgomp", "ompi-old"}) {
    RunOptions Options;
    Options.Contender = Contender;
    const Result R = run(simpleMachine(2, 2), Options, floorplan(5, 1, Speed));
    EXPECT_TRUE(R.IsComplete) << Contender;
    EXPECT_GT(R.Tasks, 5u) << Contender;
  }
}

/// Strict tasks run on their threads, whoever schedules: two schedulers have
/// the same tasks on each thread. All complete: their dependences have no
/// cycle.
TEST(ProgramsTest, StrictTilesStayWithTheirOwners) {
  const Machine M = simpleMachine(4, 2);
  for (const char *Name :
       {"cholesky", "lu", "qr", "sparselu_depend", "strassen_depend"}) {
    const std::string Spec =
        std::string(Name) + ":order=512,tile=64,place=strict,touch=owners";
    const auto TasksOf = [&](const char *Contender) {
      RunOptions Options;
      Options.Contender = Contender;
      const Result R = run(M, Options, makeProgram(Spec, 8, Speed));
      EXPECT_TRUE(R.IsComplete) << Name << ": " << R.Why;
      std::vector<uint64_t> Tasks;
      for (const ThreadResult &T : R.Threads)
        Tasks.push_back(T.Tasks);
      return Tasks;
    };
    const std::vector<uint64_t> Ours = TasksOf("ours");
    EXPECT_EQ(Ours, TasksOf("kaapi")) << Name;
    EXPECT_GT(*std::min_element(Ours.begin(), Ours.end()), 4u) << Name;
  }
}

/// Wherever the scheduler takes tasks, each node has its share of the memory.
TEST(ProgramsTest, TilesAndPagesAreDealtOutToNodes) {
  const Machine M = simpleMachine(4, 2);
  for (const char *Touch : {"dealt", "paged"}) {
    RunOptions Options;
    Options.Contender = "stock";
    const std::string Spec =
        std::string("cholesky:order=1024,tile=64,touch=") + Touch;
    const Result R = run(M, Options, makeProgram(Spec, 8, Speed));
    double All = 0;
    std::vector<double> From(4);
    for (size_t Node = 0; Node < 4; ++Node)
      for (double Bytes : R.BytesMoved[Node])
        From[Node] += Bytes, All += Bytes;
    for (double Bytes : From)
      EXPECT_NEAR(Bytes / All, 0.25, 0.05) << Touch;
    EXPECT_EQ(R.Tasks, 816u) << Touch; // and no tasks that touch
  }
}

TEST(ProgramsTest, SparseLuCreatesTheSameByOneAndByMany) {
  for (const bool Many : {false, true}) {
    const SparseLuSize Size = {12, 10, Many};
    const WorkCounts Got = count(sparseLu(Size, Speed), 5);
    EXPECT_EQ(Got.Tasks, sparseLuCounts(Size).Tasks);
    EXPECT_EQ(Got.Waits, sparseLuCounts(Size).Waits);
  }
}

TEST(ProgramsTest, TreesHaveTheirNodes) {
  expectSame(count(fib(15, Speed), 4), fibCounts(15));
  EXPECT_EQ(fibCounts(15).Tasks, 2u * 987 - 2);
  EXPECT_EQ(fibCounts(0).Tasks, 0u);
  const StealTreeSize Tree = {3, 7, 100};
  expectSame(count(stealTree(Tree), 4), stealTreeCounts(Tree));
  EXPECT_EQ(count(stealTree(Tree), 4).ComputeNs, 7 * 8 * 100);
  const UtsSize Search = {50, 10, 3};
  expectSame(count(uts(Search), 2), utsCounts(Search));
  EXPECT_GT(utsCounts(Search).Tasks, 50u);
  const SortSize Sort = {100000, 1000};
  EXPECT_EQ(count(sortTree(Sort, Speed), 2).Tasks, sortCounts(Sort).Tasks);
}

TEST(ProgramsTest, RecursionsHaveTheirTasks) {
  for (const FftSize &Size :
       {FftSize{10, 16}, FftSize{10, 1}, FftSize{4, 16}}) {
    const WorkCounts Got = count(fft(Size, Speed), 2);
    EXPECT_EQ(Got.Tasks, fftCounts(Size).Tasks);
    EXPECT_EQ(Got.Waits, fftCounts(Size).Waits);
  }
  // Halves of 4 and 2 values, and of 2 butterflies.
  EXPECT_EQ(fftCounts({2, 1}).Tasks, 2u + 4 + 2);
  EXPECT_EQ(fftCounts({4, 16}).Tasks, 0u);
  const ProductSize Product = {256, 32};
  const WorkCounts Got = count(strassen(Product, Speed), 2);
  EXPECT_EQ(Got.Tasks, strassenCounts(Product).Tasks);
  EXPECT_EQ(Got.Tasks, 7u + 49 + 343);
  EXPECT_EQ(Got.Waits, strassenCounts(Product).Waits);
}

TEST(ProgramsTest, QueensHaveATaskForEachSafeSquare) {
  // On 4 x 4: 4 first queens, 6 second, 4 third and 2 last ones.
  EXPECT_EQ(queensCounts({4, 0}).Tasks, 16u);
  EXPECT_EQ(queensCounts({4, 2}).Tasks, 10u);
  EXPECT_EQ(count(queens({8, 0}, Speed), 2).Tasks, queensCounts({8, 0}).Tasks);
  // A cut-off creates fewer tasks for the same work.
  EXPECT_EQ(count(queens({8, 3}, Speed), 2).Tasks, queensCounts({8, 3}).Tasks);
  EXPECT_NEAR(count(queens({8, 3}, Speed), 2).ComputeNs,
              count(queens({8, 0}, Speed), 2).ComputeNs, 1e-3);
}

TEST(ProgramsTest, PoolsHaveTheTasksOfThePapers) {
  // Hofmann and Runger count 1204 for k = 12.
  const WorkCounts Got = count(dynamicPool(12, 1, Speed), 32);
  EXPECT_EQ(Got.Tasks, 1204u);
  const WorkCounts Wanted = dynamicPoolCounts(12, 1, Speed);
  EXPECT_EQ(Wanted.Tasks, 1204u);
  EXPECT_NEAR(Got.ComputeNs, Wanted.ComputeNs, 1);
  const SierpinskiSize Carpet = {30, 100, 'C'};
  EXPECT_EQ(count(sierpinski(Carpet, Speed), 2).Tasks,
            sierpinskiCounts(Carpet).Tasks);
  EXPECT_EQ(count(producers({3, 1000, 16}, Speed), 8).Tasks, 1000u);
  EXPECT_EQ(count(staticPool(77, 5, Speed), 8).Tasks, 77u);
  EXPECT_EQ(count(flat({77, 5, true}), 8).Tasks, 77u);
  EXPECT_EQ(count(handover({3, 5, 100}), 8).Tasks, 3u * 7);
  EXPECT_EQ(count(storm({3, 20, 5}), 8).Depends, 3u * 21);
  EXPECT_EQ(count(barriers(5), 8).Tasks, 0u);
  StreamSize Chains = {100, 10, 7, false}, Stencil = {100, 10, 7, true};
  EXPECT_EQ(count(stream(Chains), 8).Depends, 100u);
  EXPECT_EQ(count(stream(Stencil), 8).Depends, 300u);
  EXPECT_EQ(count(stream(Stencil), 8).ComputeNs, 700);
  EXPECT_EQ(count(idleNode(50, 4), 8).ComputeNs, 200);
  // Each thread has two tasks; on the odd ones the first is long.
  EXPECT_EQ(count(behindLong(100, 1), 6).ComputeNs, 3 * 101 + 3 * 2);
}

TEST(ProgramsTest, EachCanBeNamed) {
  for (const std::string &Line : describePrograms()) {
    const std::string Spec = Line.substr(0, Line.find(' '));
    EXPECT_EQ(refusal(Spec), "") << Spec;
    EXPECT_EQ(refusal(Spec.substr(0, Spec.find(':'))), "") << Spec;
  }
}

TEST(ProgramsTest, WhatCannotBeIsRefused) {
  EXPECT_NE(refusal("jakobi").find("there is no program 'jakobi'"),
            std::string::npos);
  EXPECT_NE(refusal("jacobi:size=5")
                .find("'size' is not known; there are "
                      "order="),
            std::string::npos);
  EXPECT_NE(refusal("jacobi:order=1000,block=300").find("does not divide"),
            std::string::npos);
  EXPECT_NE(refusal("jacobi:order=256,block=128", 5).find("fewer blocks"),
            std::string::npos);
  EXPECT_NE(refusal("jacobi:place=near").find("none of none, loop"),
            std::string::npos);
  EXPECT_NE(refusal("producers:tasks=0").find("tasks=0 is not a number from 1"),
            std::string::npos);
  EXPECT_NE(refusal("producers:producers=5").find("more producers"),
            std::string::npos);
  EXPECT_NE(refusal("strassen:order=100").find("no power of two"),
            std::string::npos);
  EXPECT_NE(refusal("qr:order=1000,tile=300").find("does not divide"),
            std::string::npos);
  EXPECT_NE(refusal("qr:place=loop").find("it has no loop"), std::string::npos);
  EXPECT_NE(refusal("fib:n=").find("n= is not a number"), std::string::npos);
  EXPECT_NE(refusal("fib:n=20x").find("n=20x"), std::string::npos);
}

} // namespace
