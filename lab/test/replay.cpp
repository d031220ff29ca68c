//===- test/replay.cpp - Traces, carried out again -----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/replay/replay.h"
#include "lab/programs/count.h"
#include "lab/replay/trace_log.h"

#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>
#include <unistd.h>

using namespace locus;
using namespace locus::lab;

namespace {

/// A trace that a test writes.
class Maker {
public:
  explicit Maker(uint32_t Process = 1) {
    Header.Process = Process;
    append(&Header, sizeof Header);
  }

  /// Records of thread \p Writer; a time is 1000 ns after that before.
  Maker &add(uint32_t Writer, std::vector<TraceRecord> Records) {
    for (TraceRecord &R : Records)
      R.Time = Time += 1000;
    ChunkHeader Chunk;
    Chunk.Bytes = uint32_t(Records.size() * sizeof(TraceRecord));
    Chunk.Sequence = Sequence[Writer]++;
    Chunk.Writer = Writer;
    append(&Chunk, sizeof Chunk);
    append(Records.data(), Chunk.Bytes);
    return *this;
  }
  Maker &end() {
    ChunkHeader Chunk;
    Chunk.Kind = ChunkKind::End;
    append(&Chunk, sizeof Chunk);
    return *this;
  }

  /// Reads what it has, without the last \p Less bytes.
  TraceFile read(size_t Less = 0) const {
    std::string Name = testing::TempDir() + "lab-replay-" +
                       std::to_string(getpid()) + ".trace";
    std::ofstream(Name, std::ios::binary)
        .write(Bytes.data(), std::streamsize(Bytes.size() - Less));
    TraceFile File;
    try {
      File = readTrace(Name);
    } catch (...) {
      unlink(Name.c_str());
      throw;
    }
    unlink(Name.c_str());
    return File;
  }

  TraceHeader Header;
  std::string Bytes;

private:
  void append(const void *From, size_t Size) {
    Bytes.append(static_cast<const char *>(From), Size);
  }
  uint64_t Time = 0;
  std::map<uint32_t, uint32_t> Sequence;
};

TraceRecord record(Event Kind, uint32_t Task, uint8_t Flags = 0,
                   uint64_t Data = 0, uint32_t A = 0, uint32_t B = 0,
                   uint16_t Thread = 0) {
  return {0, Kind, Flags, Thread, Task, Data, A, B};
}

/// Task 2, the first thread's, creates task 3 that writes a block, and task 4
/// that reads it, and waits; the second thread runs 3, the first one 4.
Maker twoTasks() {
  Maker M;
  M.add(1, {record(Event::Region, 1, 0, 0, 7, 2),
            record(Event::Implicit, 2, 0, 0, 7),
            record(Event::Create, 3, 0, 0x1234, 2),
            record(Event::Hint, 3, 3 | HintStrict, 0x100000, 4096, 1),
            record(Event::Depend, 3, 2, 0x100000, 4096),
            record(Event::Ready, 3), record(Event::Create, 4, 0, 0x1234, 2),
            record(Event::Depend, 4, 1, 0x100000, 4096),
            record(Event::Wait, 2, 1)});
  M.add(2, {record(Event::Implicit, 5, 0, 0, 7, 0, 1),
            record(Event::ImplicitEnd, 5, 0, 0, 7), record(Event::Start, 3),
            record(Event::End, 3)});
  M.add(1, {record(Event::Start, 4), record(Event::End, 4),
            record(Event::WaitEnd, 2, 1), record(Event::ImplicitEnd, 2),
            record(Event::RegionEnd, 1, 0, 0, 7)});
  return M;
}

/// What replay() or readTrace() says.
template <typename F> std::string refusal(F &&Do) {
  try {
    Do();
  } catch (const std::invalid_argument &Error) {
    return Error.what();
  }
  return "";
}

TEST(ReplayTest, TasksDoAgainWhatTheyDid) {
  const Replay R = replay(twoTasks().end().read(), {});
  EXPECT_EQ(R.Threads, 2);
  EXPECT_EQ(R.Tasks, 2u);
  EXPECT_TRUE(R.Remarks.empty()) << R.Remarks.front();
  const WorkCounts Counts = count(R.P, 2);
  EXPECT_EQ(Counts.Tasks, 2u);
  EXPECT_EQ(Counts.Depends, 2u);
  EXPECT_EQ(Counts.Written, 4096u);
  EXPECT_EQ(Counts.Read, 4096u);
  EXPECT_EQ(Counts.Waits, 1u);
}

TEST(ReplayTest, OnlyComputingCounts) {
  // Between two records lie 1000 ns, of which writing one takes 30, and 60 each
  // what comes before a creation's first record and behind its last one. Of the
  // first thread's part count what leads to two creations and to the wait, and
  // what follows the wait.
  const Replay R = replay(twoTasks().end().read(), {});
  EXPECT_EQ(R.TaskNs, 2 * 970);
  EXPECT_EQ(count(R.P, 2).ComputeNs, 2 * 970 + (3 * 910 + 970) + 970);
  ReplayOptions Twice;
  Twice.ComputeFactor = 2;
  EXPECT_NEAR(count(replay(twoTasks().end().read(), Twice).P, 2).ComputeNs,
              2 * count(R.P, 2).ComputeNs, 1);
}

TEST(ReplayTest, MemoryThatTookMostOfATaskIsNotComputing) {
  ReplayOptions Slow;
  Slow.TracedGBs = 4.3; // 4096 bytes take 953 of 970 ns
  const TraceFile File = twoTasks().end().read();
  EXPECT_NEAR(count(replay(File, {}).P, 2).ComputeNs -
                  count(replay(File, Slow).P, 2).ComputeNs,
              970, 1);
}

TEST(ReplayTest, ASmallerTeamDoesAllParts) {
  const TraceFile File = twoTasks().end().read();
  for (const int Threads : {1, 2, 5})
    EXPECT_EQ(count(replay(File, {}).P, Threads).Tasks, 2u);
}

TEST(ReplayTest, AnItemOfAFewBytesStandsForItsBlock) {
  Maker M;
  M.add(1, {record(Event::Region, 1, 0, 0, 7, 1),
            record(Event::Implicit, 2, 0, 0, 7)});
  for (uint32_t T = 0; T < 4; ++T)
    M.add(1, {record(Event::Create, 10 + T, 0, 0x1, 2),
              record(Event::Depend, 10 + T, 3, 0x100000 + T * 0x8000, 8),
              record(Event::Ready, 10 + T), record(Event::Start, 10 + T),
              record(Event::End, 10 + T)});
  M.add(1, {record(Event::ImplicitEnd, 2), record(Event::RegionEnd, 1)}).end();
  const Replay R = replay(M.read(), {});
  EXPECT_EQ(R.BlockBytes, 0x8000u);
  EXPECT_EQ(count(R.P, 1).Written, 4u * 0x8000);
}

/// Two threads owned eight blocks of two arrays each: eight threads own two.
TEST(ReplayTest, ALargerTeamSharesWhatAThreadOwned) {
  Maker M;
  M.add(1, {record(Event::Region, 1, 0, 0, 7, 2),
            record(Event::Implicit, 2, 0, 0, 7)});
  for (uint32_t Step = 0; Step < 2; ++Step)
    for (uint32_t B = 0; B < 16; ++B) {
      const uint32_t T = 10 + Step * 16 + B;
      M.add(1, {record(Event::Create, T, 0, 0x1, 2),
                record(Event::Hint, T, 1, B / 8, 0, 1),
                record(Event::Depend, T, 2, 0x100000 + B * 0x8000, 0x8000)});
      if (Step == 0) // the first touch writes both
        M.add(1, {record(Event::Depend, T, 2, 0x900000 + B * 0x8000, 0x8000)});
      M.add(1, {record(Event::Ready, T), record(Event::Start, T),
                record(Event::End, T)});
    }
  M.add(2, {record(Event::Implicit, 5, 0, 0, 7, 0, 1),
            record(Event::ImplicitEnd, 5, 0, 0, 7)});
  M.add(1, {record(Event::ImplicitEnd, 2), record(Event::RegionEnd, 1)}).end();
  const Replay R = replay(M.read(), {});
  // Who creates them sees the hints: a context that only listens.
  struct Listener final : Context {
    void compute(double) override {}
    void access(const Range *, size_t, double) override {}
    void create(const TaskSpec &Spec) override {
      Owners.push_back(Spec.Affinity.Value);
    }
    void taskwait() override {}
    void barrier() override {}
    int thread() const override { return 0; }
    int numThreads() const override { return 8; }
    int node() const override { return 0; }
    int numNodes() const override { return 1; }
    double now() const override { return 0; }
    void place(uint64_t, uint64_t, int) override {}
    std::vector<uint64_t> Owners;
  } L;
  R.P.ImplicitTask(L);
  ASSERT_EQ(L.Owners.size(), 32u);
  for (size_t I = 0; I < 32; ++I)
    EXPECT_EQ(L.Owners[I], I % 16 / 2) << I;
}

/// What the log writes can be carried out again, and is the same program.
TEST(ReplayTest, ALoggedRunIsATrace) {
  const Replay R = replay(twoTasks().end().read(), {});
  const Machine M = simpleMachine(2, 1);
  TraceLog Log(M, 2);
  RunOptions Options;
  Options.Threads = 2;
  EXPECT_TRUE(run(M, Options, Log.watch(R.P)).IsComplete);
  const std::string Name =
      testing::TempDir() + "lab-log-" + std::to_string(getpid()) + ".trace";
  Log.write(Name, "two tasks");
  const TraceFile File = readTrace(Name);
  unlink(Name.c_str());
  EXPECT_TRUE(File.Cut.empty()) << File.Cut;
  const Replay Again = replay(File, {});
  EXPECT_EQ(Again.Tasks, R.Tasks);
  EXPECT_EQ(Again.Depends, R.Depends);
  EXPECT_EQ(Again.Bytes, R.Bytes);
  EXPECT_NEAR(Again.TaskNs, R.TaskNs, 0.5 * R.TaskNs); // memory moves, too
  uint64_t Before = 0;
  for (const auto &[Writer, Record] : File.inOrder()) {
    EXPECT_GE(Record->Time, Before);
    Before = Record->Time;
  }
  EXPECT_NE(refusal([&] {
              Log.write("/does/not/exist", "");
            }).find("cannot be written"),
            std::string::npos);
}

TEST(ReplayTest, UndeferredTasksArePartOfTheirCreator) {
  Maker M;
  M.add(1, {record(Event::Region, 1, 0, 0, 7, 1),
            record(Event::Implicit, 2, 0, 0, 7), record(Event::Create, 3),
            record(Event::Ready, 3), record(Event::Start, 3),
            record(Event::Create, 4, CreatedUndeferred, 0, 3),
            record(Event::Start, 4, StartUndeferred), record(Event::End, 4),
            record(Event::End, 3), record(Event::ImplicitEnd, 2),
            record(Event::RegionEnd, 1)})
      .end();
  const Replay R = replay(M.read(), {});
  EXPECT_EQ(R.Tasks, 1u);
  EXPECT_TRUE(R.Remarks.empty());
}

TEST(ReplayTest, ACutTraceGivesWhatItHas) {
  const size_t Whole = twoTasks().Bytes.size();
  bool SomeRan = false;
  for (size_t Less = 0; Less < Whole; Less += 8) {
    const std::string Why = refusal([&] {
      const Replay R = replay(twoTasks().read(Less), {});
      EXPECT_FALSE(R.Remarks.empty());
      count(R.P, 2);
      SomeRan = true;
    });
    EXPECT_TRUE(Why.empty() || Why.find("the trace has no ") == 0 ||
                Why.find("the file ") != std::string::npos)
        << Why;
  }
  EXPECT_TRUE(SomeRan);
}

TEST(ReplayTest, WhatIsNoTraceIsRefused) {
  Maker Other;
  Other.Bytes[0] = 'x';
  EXPECT_NE(refusal([&] { Other.read(); }).find("no trace"), std::string::npos);
  EXPECT_NE(refusal([] { Maker(0).end().read(); }).find("several processes"),
            std::string::npos);
  Maker Newer;
  Newer.Bytes[8] = 2;
  EXPECT_NE(refusal([&] { Newer.read(); }).find("format 2."),
            std::string::npos);
  EXPECT_NE(
      refusal([] { readTrace("/does/not/exist"); }).find("cannot be opened"),
      std::string::npos);
  EXPECT_NE(refusal([] {
              replay(Maker().end().read(), {});
            }).find("no parallel region"),
            std::string::npos);
  Maker Empty;
  Empty.add(
      1, {record(Event::Region, 1, 0, 0, 7, 2), record(Event::RegionEnd, 1)});
  EXPECT_NE(
      refusal([&] { replay(Empty.end().read(), {}); }).find("no task that ran"),
      std::string::npos);
  Maker Nested;
  Nested.add(1, {record(Event::Region, 1, 0, 0, 7, 2),
                 record(Event::Region, 1, 0, 0, 8, 2)});
  EXPECT_NE(refusal([&] {
              replay(Nested.end().read(), {});
            }).find("inside of another"),
            std::string::npos);
}

} // namespace
