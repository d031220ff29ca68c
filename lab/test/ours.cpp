//===- test/ours.cpp - The core on simulated machines ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/machine.h"
#include "lab/programs/programs.h"
#include "locus/team/settings.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <unistd.h>

using namespace locus::lab;

namespace {

/// A program and how many tasks it has.
struct Known {
  const char *Name;
  Program P;
  uint64_t Tasks;
};

/// One of each kind.
std::vector<Known> knownPrograms() {
  CoreSpeed Speed;
  Speed.Gflops = 50;
  JacobiSize Grid;
  Grid.Order = 512;
  Grid.Block = 64;
  Grid.Steps = 3;
  CholeskySize Matrix;
  Matrix.Order = 1024;
  Matrix.Tile = 128;
  JacobiSize GridAgain = Grid;
  CholeskySize MatrixAgain = Matrix;
  GridAgain.Again = MatrixAgain.Again = {3, true};
  ProducersSize Many;
  Many.Producers = 1;
  Many.Tasks = 2000;
  UtsSize Tree;
  Tree.RootChildren = 50;
  StealTreeSize Leaves;
  Leaves.Rounds = 5;
  return {
      {"fib", fib(16, Speed), fibCounts(16).Tasks},
      {"uts", uts(Tree), utsCounts(Tree).Tasks},
      {"stealTree", stealTree(Leaves), stealTreeCounts(Leaves).Tasks},
      {"producers", producers(Many, Speed), producersCounts(Many, 8).Tasks},
      {"jacobi", jacobi(Grid, Placing::None, FirstTouch::Tasks, 8, Speed),
       jacobiCounts(Grid, Placing::None, FirstTouch::Tasks).Tasks},
      {"jacobiData", jacobi(Grid, Placing::Data, FirstTouch::Cyclic, 8, Speed),
       jacobiCounts(Grid, Placing::Data, FirstTouch::Cyclic).Tasks},
      {"jacobiStrict",
       jacobi(Grid, Placing::Strict, FirstTouch::Owners, 8, Speed),
       jacobiCounts(Grid, Placing::Strict, FirstTouch::Owners).Tasks},
      {"cholesky", cholesky(Matrix, Placing::None, FirstTouch::Tasks, 8, Speed),
       choleskyCounts(Matrix).Tasks},
      {"jacobiGraph",
       jacobi(GridAgain, Placing::None, FirstTouch::Owners, 8, Speed),
       jacobiCounts(GridAgain, Placing::None, FirstTouch::Owners).Tasks},
      {"jacobiStrictGraph",
       jacobi(GridAgain, Placing::Strict, FirstTouch::Owners, 8, Speed),
       jacobiCounts(GridAgain, Placing::Strict, FirstTouch::Owners).Tasks},
      {"choleskyGraph",
       cholesky(MatrixAgain, Placing::None, FirstTouch::Tasks, 8, Speed),
       choleskyCounts(MatrixAgain).Tasks},
  };
}

/// Each task once; each thread's time is all there.
void expectConserved(const Machine &M, RunOptions Options, const Known &Of) {
  std::set<uint64_t> Ran;
  Options.OnTask = [&](const TaskRecord &Record) {
    EXPECT_TRUE(Ran.insert(Record.Number).second) << "ran twice";
    EXPECT_LE(Record.Created, Record.Begin);
    EXPECT_LE(Record.Begin, Record.End);
  };
  const Result R = run(M, Options, Of.P);
  ASSERT_TRUE(R.IsComplete) << R.Why;
  EXPECT_EQ(R.Tasks, Of.Tasks);
  EXPECT_EQ(Ran.size(), Of.Tasks);
  uint64_t Tasks = 0;
  for (const ThreadResult &T : R.Threads) {
    Tasks += T.Tasks;
    EXPECT_NEAR(T.Working + T.Creating + T.Ending + T.Searching + T.Waiting +
                    T.Sleeping + T.Other,
                R.Seconds, 1e-9);
  }
  EXPECT_EQ(Tasks, Of.Tasks);
}

TEST(OursTest, RunsEachTaskOnceAndLosesNoTime) {
  for (const Known &Of : knownPrograms())
    for (const auto &[Nodes, Cores] :
         {std::pair(1, 1), std::pair(1, 2), std::pair(2, 4)}) {
      SCOPED_TRACE(std::string(Of.Name) + " on " + std::to_string(Nodes) +
                   " x " + std::to_string(Cores));
      expectConserved(simpleMachine(Nodes, Cores, 1e6), {}, Of);
    }
}

TEST(OursTest, DoesSoWithEachSetting) {
  std::vector<std::pair<const char *, const char *>> Settings = {
      {"KMP_TASK_QUEUES", "core"},         {"KMP_TASK_QUEUES", "l3"},
      {"KMP_TASK_QUEUES", "numa"},         {"KMP_TASK_QUEUES", "adaptive"},
      {"KMP_TASK_QUEUE_SIZE", "4"},        {"KMP_TASK_QUEUE_SIZE", "0"},
      {"KMP_TASK_DEPENDENT_LIMIT", "10"},  {"OMP_WAIT_POLICY", "passive"},
      {"KMP_TASK_TUNING", "ListLimit=16"}, {"KMP_TASK_INPLACE", "0"}};
  // What no default chooses.
  for (const locus::Variable &V : locus::Variables)
    for (int I = 1; V.Values[0] && V.Values[I]; ++I)
      if (strcmp(V.Name, "KMP_TASK_SCHEDULER") != 0 &&
          strcmp(V.Name, "KMP_TASK_LOOP_AFFINITY") != 0)
        Settings.emplace_back(V.Name, V.Values[I]);
  for (const Known &Of : knownPrograms())
    for (const auto &[Name, Value] : Settings) {
      SCOPED_TRACE(std::string(Of.Name) + " with " + Name + "=" + Value);
      RunOptions Options;
      Options.Settings = {{Name, Value}};
      expectConserved(simpleMachine(2, 4, 1e6), Options, Of);
    }
}

/// The creator's clock is far beyond the thieves' after each task that it runs
/// in place: it has to wait for them before it looks whether there are plenty.
TEST(OursTest, ACreatorThatRunsTasksInPlaceLetsOthersSteal) {
  const FlatSize Many = {1000, 48000, false};
  const Result R = run(simpleMachine(2, 8, 1e6), {}, flat(Many));
  ASSERT_TRUE(R.IsComplete) << R.Why;
  EXPECT_LT(R.InPlace, Many.Tasks / 10);
  EXPECT_LT(R.Seconds, 1.2e-9 * Many.TaskNs * double(Many.Tasks) / 16);
}

/// A tree of tasks, each of which waits for its children, which are for the
/// nodes in turn.
void waitForTwo(Context &C, int Depth) {
  if (Depth == 0)
    return C.compute(100);
  for (uint64_t Child = 0; Child < 2; ++Child) {
    TaskSpec Spec;
    Spec.Affinity = {HintKind::Node, uint64_t(Depth) + Child, 0, false};
    Spec.Body = [Depth](Context &T) { waitForTwo(T, Depth - 1); };
    C.create(Spec);
  }
  C.taskwait();
}

/// Threads that wait for their children look at queues that hold nothing but
/// others'. Each look takes a lock, which those with new tasks need.
TEST(OursTest, ThreadsThatAreRefusedLetOthersHaveTheLock) {
  Program Tree;
  Tree.Constructs = {"node"};
  Tree.ImplicitTask = [](Context &C) {
    if (C.thread() == 0)
      waitForTwo(C, 9);
  };
  const Known Programs[] = {{"fib", fib(14, CoreSpeed()), fibCounts(14).Tasks},
                            {"tree", Tree, 1022}};
  for (const Known &Of : Programs)
    for (const char *Lists : {"thread", "l3", "numa", "machine"})
      for (const char *Sync : {"combining", "lock"})
        for (const auto &[Nodes, Cores] :
             {std::pair(1, 2), std::pair(2, 1), std::pair(2, 8)}) {
          SCOPED_TRACE(std::string(Of.Name) + ", lists " + Lists + ", " + Sync +
                       ", " + std::to_string(Nodes) + " x " +
                       std::to_string(Cores));
          RunOptions Options;
          Options.Settings = {{"KMP_TASK_QUEUES", Lists},
                              {"KMP_TASK_SYNC", Sync}};
          Options.MostSeconds = 0.1;
          expectConserved(simpleMachine(Nodes, Cores, 1e6), Options, Of);
        }
}

TEST(OursTest, AWaitBeforeAHandOverCostsNothing) {
  // Rounds that are left out are counted, which takes no time of its own.
  auto HandOver = [](double PauseNs) {
    HandoverSize Size;
    Size.PauseNs = PauseNs;
    RunOptions Options;
    Options.Threads = 2;
    const Result Got = run(simpleMachine(1, 2, 1e6), Options, handover(Size));
    return 1e9 * Got.Seconds / double(Size.Rounds) - Size.TaskNs - PauseNs;
  };
  EXPECT_NEAR(HandOver(200000), HandOver(1000), 100);
}

TEST(OursTest, RunsAProgramWithoutTasks) {
  Program P;
  P.ImplicitTask = [](Context &C) { C.compute(1000); };
  const Result R = run(simpleMachine(2, 4), {}, P);
  EXPECT_TRUE(R.IsComplete) << R.Why;
  EXPECT_EQ(R.Tasks, 0u);
  EXPECT_GE(R.Seconds, 1e-6);
  EXPECT_LT(R.Seconds, 1e-5);
}

/// The first thread leaves a barrier before the others know that it is over:
/// they may take the tasks that it creates, and are let go meanwhile.
TEST(OursTest, ABarrierThatIsBeingLeftHasTasksOfTheNextOne) {
  Program P;
  P.ImplicitTask = [](Context &C) {
    for (int Round = 0; Round < 50; ++Round) {
      for (uint64_t I = 0; C.thread() == 0 && I < 64; ++I) {
        TaskSpec Spec;
        Spec.Affinity = {HintKind::Thread, 63 - I, 0, I % 2 == 0};
        Spec.Body = [](Context &X) { X.compute(3000); };
        C.create(Spec);
      }
      C.barrier();
    }
  };
  const Machine M = simpleMachine(8, 8);
  RunOptions Options;
  const Result R = run(M, Options, P);
  EXPECT_TRUE(R.IsComplete) << R.Why;
  EXPECT_EQ(R.Tasks, 50u * 64);
}

TEST(OursTest, TasksThatBelongToTheirCreatorsNodeDoNotComeAlong) {
  // Every other one is wished on the first node, which is the creator's: so it
  // goes to the creator's deque. Thieves of the other node leave it alone, and
  // none comes along with a task that they take.
  constexpr uint32_t Wished = 1;
  Program P;
  P.Constructs = {"any", "wished"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return;
    TaskSpec Spec;
    Spec.Body = [](Context &T) { T.compute(4000); };
    for (uint32_t I = 0; I < 4000; ++I) {
      Spec.Construct = I % 2;
      Spec.Affinity = {I % 2 == Wished ? HintKind::Node : HintKind::None, 0, 0,
                       false};
      C.create(Spec);
    }
  };
  uint64_t Far[2] = {0, 0};
  RunOptions Options; // no thief waits so long that it may take them
  Options.Settings = {{"KMP_TASK_TUNING", "RemoteRoundsBacklog=1000000,"
                                          "RemoteRoundsAny=1000000"}};
  Options.OnTask = [&](const TaskRecord &Record) {
    Far[Record.Construct] += Record.Thread > 3;
  };
  const Result R = run(simpleMachine(2, 4, 1e6), Options, P);
  ASSERT_TRUE(R.IsComplete) << R.Why;
  EXPECT_GT(Far[0], 200u);
  EXPECT_LE(Far[Wished], 1u); // the first hint may come behind a look
}

TEST(OursTest, StrictTasksRunAtHome) {
  JacobiSize Grid; // a row of a block is a page
  Grid.Order = 4096;
  Grid.Block = 512;
  Grid.Steps = 2;
  const Program P =
      jacobi(Grid, Placing::Strict, FirstTouch::Owners, 8, CoreSpeed());
  const Result R = run(simpleMachine(4, 2), {}, P);
  ASSERT_TRUE(R.IsComplete) << R.Why;
  EXPECT_EQ(R.AtHome, R.Hinted);
  RunOptions Ignored;
  Ignored.UseHints = false;
  Ignored.Settings = {{"KMP_TASK_DEPEND_AFFINITY", "0"}};
  const Result Without = run(simpleMachine(4, 2), Ignored, P);
  ASSERT_TRUE(Without.IsComplete) << Without.Why;
  EXPECT_LT(Without.AtHome, Without.Hinted);
}

/// Rounds of 1024 tasks on blocks of \p Side points squared, each on one of two
/// nodes.
Result runRounds(bool IsGraph, uint64_t Side, const char *DependAffinity) {
  JacobiSize Grid;
  Grid.Order = 16 * Side;
  Grid.Block = Side;
  Grid.Steps = 4;
  Grid.CopiesBack = false;
  Grid.Again = {4, IsGraph};
  const TimedProgram P =
      jacobi(Grid, Placing::None, FirstTouch::Owners, 16, CoreSpeed());
  RunOptions Options;
  Options.Settings = {{"KMP_TASK_DEPEND_AFFINITY", DependAffinity}};
  Result R = run(simpleMachine(2, 8), Options, P);
  R.Seconds -= *P.SolveFrom / 1e9; // behind the first round
  return R;
}

TEST(OursTest, TasksOfAGraphRunWhereTheirDataIs) {
  const Result R = runRounds(true, 64, "1"), Without = runRounds(true, 64, "0");
  ASSERT_TRUE(R.IsComplete) << R.Why;
  ASSERT_TRUE(Without.IsComplete) << Without.Why;
  EXPECT_GT(double(R.AtHome), 0.85 * double(R.Hinted));
  EXPECT_LT(double(Without.AtHome), 0.75 * double(Without.Hinted));
}

TEST(OursTest, AGraphNeedsNoCreation) {
  const Result Again = runRounds(true, 16, "1"),
               Anew = runRounds(false, 16, "1");
  ASSERT_TRUE(Again.IsComplete) << Again.Why;
  ASSERT_TRUE(Anew.IsComplete) << Anew.Why;
  EXPECT_EQ(Again.Tasks, Anew.Tasks);
  EXPECT_LT(Again.Seconds, 0.8 * Anew.Seconds);
}

//===----------------------------------------------------------------------===//
// The same in each process
//===----------------------------------------------------------------------===//

/// All numbers of some runs.
std::string digest() {
  std::string All;
  for (const Known &Of : knownPrograms()) {
    RunOptions Options;
    Options.Settings = {{"KMP_TASK_STEAL", "random_order"}};
    double Order = 0;
    Options.OnTask = [&](const TaskRecord &Record) {
      Order = Order / 3 + double(Record.Number) * (Record.Thread + 1);
    };
    const Result R = run(simpleMachine(2, 4, 1e6), Options, Of.P);
    char Line[300];
    snprintf(Line, sizeof(Line), "%s %.12f %.17g %lu %lu %lu\n", Of.Name,
             R.Seconds, Order, (unsigned long)R.Steps,
             (unsigned long)R.LinesMoved, (unsigned long)R.EmptySearches);
    All += Line;
  }
  return All;
}

/// Run by the next test in a process of its own.
TEST(DeterminismTest, PrintsItsNumbers) {
  const std::string Numbers = digest();
  EXPECT_EQ(std::count(Numbers.begin(), Numbers.end(), '\n'),
            long(knownPrograms().size()));
  printf("%s", Numbers.c_str());
}

/// What this program says in a new process, at other addresses.
std::string inNewProcess(int Padding) {
  char Self[4096] = "";
  if (readlink("/proc/self/exe", Self, sizeof(Self) - 1) < 0)
    return "";
  // More environment moves the stack, too.
  const std::string Command = "PADDING=" + std::string(size_t(Padding), 'x') +
                              " '" + Self +
                              "' --gtest_output= "
                              "--gtest_filter=DeterminismTest.PrintsItsNumbers";
  FILE *Out = popen(Command.c_str(), "r");
  std::string Text;
  char Line[500];
  while (fgets(Line, sizeof(Line), Out))
    if (Line[0] >= 'a' && Line[0] <= 'z')
      Text += Line;
  EXPECT_EQ(pclose(Out), 0);
  return Text;
}

TEST(DeterminismTest, IsTheSameInEachProcess) {
  const std::string Here = digest();
  EXPECT_EQ(std::count(Here.begin(), Here.end(), '\n'),
            long(knownPrograms().size()));
  EXPECT_EQ(digest(), Here) << "a second run in one process differs";
  EXPECT_EQ(inNewProcess(1), Here);
  EXPECT_EQ(inNewProcess(5000), Here);
}

TEST(DeterminismTest, SeedsDiffer) {
  const Program P = fib(16, CoreSpeed());
  RunOptions One, Other;
  Other.Seed = 2;
  const Machine M = simpleMachine(2, 4);
  EXPECT_NE(run(M, One, P).Seconds, run(M, Other, P).Seconds);
  EXPECT_EQ(run(M, Other, P).Seconds, run(M, Other, P).Seconds);
}

//===----------------------------------------------------------------------===//
// What cannot be
//===----------------------------------------------------------------------===//

/// What run() says.
std::string refusal(const RunOptions &Options) {
  try {
    run(simpleMachine(1, 4), Options, fib(5, CoreSpeed()));
  } catch (const std::invalid_argument &Error) {
    return Error.what();
  }
  return "";
}

TEST(OursTest, RefusesWhatCannotBe) {
  RunOptions Options;
  Options.Threads = 5;
  EXPECT_NE(refusal(Options).find("5 threads on the 4 processors"),
            std::string::npos);
  Options = {};
  Options.Threads = -1;
  EXPECT_NE(refusal(Options), "");
  Options = {};
  Options.Processors = {0, 4};
  EXPECT_NE(refusal(Options).find("processor 4"), std::string::npos);
  Options.Processors = {1, 1};
  EXPECT_NE(refusal(Options).find("two threads"), std::string::npos);
  Options = {};
  Options.Settings = {{"KMP_TASK_STEAL", "all"}};
  EXPECT_NE(refusal(Options).find("hierarchical, random"), std::string::npos);
  Options.Settings = {{"KMP_TASK_WHAT", "1"}};
  EXPECT_NE(refusal(Options).find("KMP_TASK_WHAT"), std::string::npos);
  Options.Settings = {{"KMP_TASK_TUNING", "ListLimit=-3"}};
  EXPECT_NE(refusal(Options).find("ListLimit"), std::string::npos);
  Options = {};
  Options.Contender = "nobody";
  EXPECT_NE(refusal(Options).find("ours"), std::string::npos);
}

/// The core asks for pages in the middle of as many equal parts: all of these
/// are on node 1, and three of four pages in front of them on node 0.
TEST(OursTest, AsksForThePagesThatTheCoreChooses) {
  constexpr uint64_t At = 1ull << 40, Page = UsualPageBytes, Parts = 16;
  Program P;
  P.Constructs = {"data"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return;
    C.place(At, 4 * Parts * Page, 0);
    for (uint64_t I = 0; I < Parts; ++I)
      C.place(At + (4 * I + 2) * Page, 1, 1);
    TaskSpec Spec;
    Spec.Affinity = {HintKind::Data, At, 4 * Parts * Page, true};
    Spec.Body = [](Context &D) { D.compute(1000); };
    C.create(Spec);
    C.taskwait();
  };
  RunOptions Options;
  std::vector<int> Threads;
  Options.OnTask = [&](const TaskRecord &R) { Threads.push_back(R.Thread); };
  ASSERT_TRUE(run(simpleMachine(2, 2), Options, P).IsComplete);
  ASSERT_EQ(Threads.size(), 1u);
  EXPECT_GE(Threads[0], 2); // of node 1
}

/// Who waits naps behind the block time, and still finds the task that comes.
TEST(OursTest, AThreadThatWaitsLongNaps) {
  Program P;
  P.Constructs = {"late"};
  P.ImplicitTask = [](Context &C) {
    if (C.thread() != 0)
      return;
    C.compute(50000000);
    for (int I = 0; I < 2; ++I) {
      TaskSpec Spec;
      Spec.Body = [](Context &D) { D.compute(1000000); };
      C.create(Spec);
    }
  };
  for (const char *BlockTime : {"1", "1000"}) {
    RunOptions Options;
    Options.Settings = {{"KMP_BLOCKTIME", BlockTime}};
    const Result R = run(simpleMachine(1, 2), Options, P);
    ASSERT_TRUE(R.IsComplete) << R.Why;
    const double Slept = R.Threads[1].Sleeping;
    if (std::string(BlockTime) == "1") {
      EXPECT_GT(Slept, 0.01);
    } else {
      EXPECT_EQ(Slept, 0);
    }
    EXPECT_EQ(R.Threads[1].Tasks, 1u);
  }
}

TEST(OursTest, PassesOnWhatAProgramThrows) {
  Program P;
  P.ImplicitTask = [](Context &C) { C.place(1ull << 40, 1, 7); };
  EXPECT_THROW(run(simpleMachine(1, 2), {}, P), std::invalid_argument);
}

} // namespace
