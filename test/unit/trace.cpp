//===- trace.cpp - Unit tests of trace/ -----------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/support/cpu.h"
#include "locus/support/file_name.h"
#include "locus/trace/file.h"
#include "locus/trace/recorder.h"
#include "support.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace locus;
using namespace locus::test;

namespace {

/// What a file has: the format's reader in C++.
struct Contents {
  TraceHeader Header;
  std::map<uint32_t, std::vector<TraceRecord>> Writers;
  std::map<uint32_t, std::string> Names;
  int Ends = 0;

  void read(const std::string &Name);
};

void Contents::read(const std::string &Name) {
  std::ifstream In(Name, std::ios::binary);
  const std::string Bytes((std::istreambuf_iterator<char>(In)),
                          std::istreambuf_iterator<char>());
  ASSERT_GE(Bytes.size(), sizeof(Header));
  memcpy(&Header, Bytes.data(), sizeof(Header));
  std::map<uint32_t, uint32_t> Sequences;
  size_t At = Header.HeaderBytes;
  while (At < Bytes.size()) {
    ASSERT_EQ(Ends, 0) << "nothing behind the end";
    ChunkHeader Chunk;
    ASSERT_LE(At + sizeof(Chunk), Bytes.size());
    memcpy(&Chunk, Bytes.data() + At, sizeof(Chunk));
    At += sizeof(Chunk);
    ASSERT_EQ(Chunk.Magic, ChunkHeader().Magic) << At;
    ASSERT_LE(At + Chunk.Bytes, Bytes.size());
    const char *Body = Bytes.data() + At;
    if (Chunk.Kind == ChunkKind::Events) {
      EXPECT_EQ(Chunk.Sequence, Sequences[Chunk.Writer]++);
      std::vector<TraceRecord> &Records = Writers[Chunk.Writer];
      const size_t Before = Records.size();
      Records.resize(Before + Chunk.Bytes / sizeof(TraceRecord));
      memcpy(&Records[Before], Body, Chunk.Bytes);
    } else if (Chunk.Kind == ChunkKind::Name) {
      uint32_t Number;
      memcpy(&Number, Body, sizeof(Number));
      EXPECT_TRUE(
          Names.emplace(Number, std::string(Body + 4, Chunk.Bytes - 4)).second)
          << "a name is written once";
    } else {
      Ends += Chunk.Kind == ChunkKind::End;
    }
    At += (Chunk.Bytes + 7) & ~size_t(7);
  }
}

constexpr int NumThreads = 6, NumEvents = 5000;
const char *const Texts[] = {"one", "two", "three"};

/// Records NumEvents events; the number of each is in its Data.
void recordMany(std::set<uint32_t> *Numbers) {
  for (int I = 0; I < NumEvents; ++I) {
    Trace::record(Event::Create, 0, 0, 0, uint64_t(I), 0,
                  Trace::nameOf(Texts[I % 3]));
    Trace::record(Event::Drop, 0); // and takes it back
    Trace::takeBack();
    Numbers->insert(Trace::newNumber());
  }
}

void runThreads(std::set<uint32_t> &All) {
  std::vector<std::set<uint32_t>> Numbers(NumThreads);
  std::vector<std::thread> Threads;
  for (int T = 0; T < NumThreads; ++T)
    Threads.emplace_back(recordMany, &Numbers[size_t(T)]);
  for (std::thread &T : Threads)
    T.join();
  for (const std::set<uint32_t> &Some : Numbers)
    All.insert(Some.begin(), Some.end());
}

/// Each writer has all events once, in order, at times that do not go back.
void checkWriters(const Contents &Found) {
  for (const auto &[Writer, Records] : Found.Writers) {
    uint64_t Next = 0, Time = Found.Header.StartTime;
    for (const TraceRecord &R : Records) {
      EXPECT_LE(Time, R.Time);
      Time = R.Time;
      if (R.Kind == Event::Flush)
        continue;
      ASSERT_EQ(R.Kind, Event::Create);
      ASSERT_EQ(R.Data, Next++) << "of writer " << Writer;
      ASSERT_TRUE(Found.Names.count(R.B));
      EXPECT_EQ(Found.Names.at(R.B), Texts[R.Data % 3]);
    }
    EXPECT_EQ(Next, uint64_t(NumEvents));
  }
}

} // namespace

// A process has one trace, so this is one test.
TEST(Trace, ThreadsForksAndTheEnd) {
  char Folder[] = "/tmp/locus-trace-XXXXXX";
  ASSERT_NE(mkdtemp(Folder), nullptr);
  const std::string Name = std::string(Folder) + "/trace";
  EXPECT_FALSE(Trace::enabled());
  EXPECT_FALSE(Trace::enable((Name + "/no").c_str()));
  EXPECT_FALSE(Trace::enable("/dev/full"));
  EXPECT_EQ(takeWarnings().size(), 2u);
  ASSERT_TRUE(Trace::enable(Name.c_str()));
  EXPECT_TRUE(Trace::enable(Name.c_str())) << "the same again";
  EXPECT_TRUE(takeWarnings().empty());

  std::set<uint32_t> Numbers;
  runThreads(Numbers);
  runThreads(Numbers); // the first ones' buffers are gone
  EXPECT_EQ(Numbers.size(), size_t(2 * NumThreads * NumEvents));
  EXPECT_EQ(Numbers.count(0), 0u);

  const pid_t Child = fork();
  if (Child == 0) {
    std::set<uint32_t> Own;
    recordMany(&Own);
    Trace::finish();
    _exit(0);
  }
  int Status = 1;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);

  // Somebody records, and takes back, while the trace ends.
  std::atomic<bool> Begun{false};
  std::thread Late([&] {
    while (Trace::enabled()) {
      Trace::record(Event::Flush, 0);
      Trace::record(Event::Drop, 0, 0, 0, 7);
      Trace::takeBack();
      Begun = true;
    }
  });
  while (!Begun)
    std::this_thread::yield();
  Trace::finish();
  Late.join();
  // And somebody begins to, who has seen that there is a trace.
  std::thread([] { Trace::record(Event::Drop, 0); }).join();
  Trace::finish(); // does nothing

  Contents Found;
  Found.read(Name);
  EXPECT_EQ(Found.Ends, 1);
  EXPECT_EQ(Found.Header.Process, uint32_t(getpid()));
  EXPECT_EQ(Found.Header.Parent, 0u);
  ASSERT_EQ(Found.Writers.size(), size_t(2 * NumThreads + 1));
  EXPECT_FALSE(Found.Writers.rbegin()->second.empty());
  for (const TraceRecord &R : Found.Writers.rbegin()->second)
    EXPECT_TRUE(R.Kind == Event::Flush ||
                (R.Kind == Event::Drop && R.Data == 7));
  Found.Writers.erase(std::prev(Found.Writers.end())); // the late one
  checkWriters(Found);

  Contents OfChild;
  OfChild.read(Name + "." + std::to_string(Child));
  EXPECT_EQ(OfChild.Ends, 1);
  EXPECT_EQ(OfChild.Header.Process, uint32_t(Child));
  EXPECT_EQ(OfChild.Header.Parent, uint32_t(getpid()));
  ASSERT_EQ(OfChild.Writers.size(), 1u);
  checkWriters(OfChild);

  EXPECT_FALSE(Trace::enable((Name + "2").c_str())) << "there was one";
  EXPECT_EQ(takeWarnings().size(), 1u);
  EXPECT_EQ(system(("rm -r " + std::string(Folder)).c_str()), 0);
}

namespace {

/// The calling thread has asked \p Times times, for \p Ns ns each.
void ask(unsigned Times, uint64_t Ns) {
  for (unsigned I = 0; I < Times; ++I) {
    EXPECT_TRUE(Trace::mayAsk()) << I;
    Trace::hasAsked(nanoseconds() - Ns);
  }
}

/// A question that took \p Ns ns is followed by none for \p Pause ns, and then
/// by one at last.
void expectPause(uint64_t Ns, uint64_t Pause) {
  const uint64_t Before = nanoseconds();
  Trace::hasAsked(Before - Ns);
  const uint64_t Behind = nanoseconds();
  // The time of the call itself counts, too.
  const uint64_t Most = Behind + Pause + (Behind - Before) * TraceQuestionShare;
  bool MayAsk = false;
  while (!MayAsk && nanoseconds() < Most)
    MayAsk = Trace::mayAsk();
  EXPECT_GE(nanoseconds(), Before + Pause);
  EXPECT_TRUE(MayAsk || Trace::mayAsk());
}

} // namespace

// Whether there is a trace makes no difference: the callers ask for that.
TEST(Trace, AsksTheKernelForAShareOfTheTime) {
  for (int Round = 0; Round < 2; ++Round) // another thread begins anew
    std::thread([] {
      EXPECT_FALSE(Trace::mayAsk()) << "it has recorded nothing";
      Trace::hasAsked(nanoseconds());
      Trace::record(Event::Drop, 0);
      Trace::takeBack();
      ask(TraceFreeQuestions, /*Ns=*/1000000000);
      expectPause(2000, 2000 * TraceQuestionShare);
      expectPause(20000, 20000 * TraceQuestionShare);
      // What took longer than any question does was held up.
      expectPause(1000000000, TraceQuestionMost * TraceQuestionShare);
    }).join();
}

// A thread that gets no processor for a while still has its chunk written: the
// end of the program waits for it, however often it looks.
TEST(TraceFile, EndWaitsForWhoWrites) {
  char Folder[] = "/tmp/locus-trace-XXXXXX";
  ASSERT_NE(mkdtemp(Folder), nullptr);
  TraceFile File;
  ASSERT_TRUE(File.open((std::string(Folder) + "/trace").c_str(), 0));
  std::atomic<bool> Writes{false}, Over{false};
  BeforeWrite = [&] {
    Writes = true;
    for (int Turn = 0; Turn < 200000 && !Over; ++Turn)
      std::this_thread::yield();
    EXPECT_FALSE(Over) << "it has not waited";
  };
  FakeClock Clock(1000000000); // and no time passes
  std::thread Writer([&] {
    const ChunkHeader Chunk;
    EXPECT_TRUE(File.append(&Chunk, sizeof(Chunk)));
  });
  while (!Writes)
    std::this_thread::yield();
  File.end();
  Over = true;
  Writer.join();
  BeforeWrite = nullptr;
  EXPECT_TRUE(takeWarnings().empty());
  EXPECT_EQ(system(("rm -r " + std::string(Folder)).c_str()), 0);
}

TEST(FileNames, StandForProcessAndRank) {
  FileName Name;
  ASSERT_TRUE(nameFile("a%pb%r%%q", Name));
  EXPECT_EQ(Name, "a" + std::to_string(getpid()) + "b0%%q");
  ASSERT_EQ(setenv("PMI_RANK", "x1", 1), 0);
  EXPECT_EQ(mpiRank(), -1);
  ASSERT_EQ(setenv("PMI_RANK", "17", 1), 0);
  EXPECT_EQ(mpiRank(), 17);
  ASSERT_TRUE(nameFile("%r", Name));
  EXPECT_STREQ(Name, "17");
  ASSERT_EQ(setenv("OMPI_COMM_WORLD_RANK", "3", 1), 0);
  EXPECT_EQ(mpiRank(), 3) << "the launcher's own goes before";
  unsetenv("OMPI_COMM_WORLD_RANK");
  unsetenv("PMI_RANK");
  EXPECT_FALSE(nameFile(std::string(sizeof(FileName), 'x').c_str(), Name));
  EXPECT_TRUE(nameFile(std::string(sizeof(FileName) - 1, 'x').c_str(), Name));
}
