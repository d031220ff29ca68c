//===- siblings.cpp - Tests of machine/launched ---------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/machine/launched.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace locus;

namespace {

/// This process is the launcher: two children wait, bound to one processor, and
/// a third one asks.
class SiblingsTest : public testing::Test {
protected:
  SiblingsTest() {
    cpu_set_t All;
    sched_getaffinity(0, sizeof(All), &All);
    CPU_ZERO(&Bound);
    CPU_ZERO(&Other);
    for (int Cpu = 0; Cpu < CPU_SETSIZE; ++Cpu) {
      if (!CPU_ISSET(Cpu, &All))
        CPU_SET(Cpu, &Other);
      else if (CPU_COUNT(&Bound) == 0)
        CPU_SET(Cpu, &Bound);
    }
    EXPECT_EQ(pipe(Ends), 0);
    for (pid_t &Child : Children)
      if ((Child = fork()) == 0) {
        close(Ends[1]);
        char Byte;
        _exit(read(Ends[0], &Byte, 1) != 0); // until the test ends
      }
    for (pid_t Child : Children)
      EXPECT_EQ(sched_setaffinity(Child, sizeof(Bound), &Bound), 0);
  }

  ~SiblingsTest() override {
    close(Ends[1]);
    for (pid_t Child : Children)
      waitpid(Child, nullptr, 0);
    close(Ends[0]);
  }

  /// What a child of this process, or a child of such a one, is told.
  int asked(const cpu_set_t &Mine, int Count, bool InShell = false) {
    const pid_t Asks = fork();
    if (Asks == 0) {
      if (const pid_t Inner = InShell ? fork() : 0) {
        int Status;
        waitpid(Inner, &Status, 0);
        _exit(WEXITSTATUS(Status));
      }
      _exit(1 + countSharing(&Mine, sizeof(Mine), Count));
    }
    int Status;
    waitpid(Asks, &Status, 0);
    return WEXITSTATUS(Status) - 1;
  }

  cpu_set_t Bound, Other;
  int Ends[2];
  pid_t Children[2];
};

TEST_F(SiblingsTest, mayMeet) {
  EXPECT_EQ(asked(Bound, 3), 2);
  EXPECT_EQ(asked(Bound, 3, true), 2);
}

TEST_F(SiblingsTest, haveOthers) { EXPECT_EQ(asked(Other, 3), 0); }

TEST_F(SiblingsTest, areNotThere) { EXPECT_EQ(asked(Bound, 1 << 24), -1); }

} // namespace
