//===- tool/progress.cpp - How far a command is --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/tool/progress.h"

#include <algorithm>
#include <stdio.h>
#include <unistd.h>

namespace locus::lab {

// What a simulated task takes: independent ones least, those of hundreds of
// threads that move memory most.
constexpr double LeastSeconds = 0.0001, MostSeconds = 0.0012;
constexpr double Long = 60; // seconds: whoever waits wants to know before
constexpr std::chrono::milliseconds Patience(2000), Pause(500);
constexpr uint64_t Often = 256; // tasks between two looks at the clock

Progress::Progress(uint64_t Tasks, int Runs)
    : All(std::max<uint64_t>(1, Tasks * uint64_t(Runs))),
      IsSeen(isatty(STDERR_FILENO)), Next(Began + Patience) {}

void Progress::estimate() const {
  if (double(All) * MostSeconds < Long)
    return;
  fprintf(stderr, "%llu simulated tasks: expect %.0f to %.0f minutes\n",
          (unsigned long long)All, double(All) * LeastSeconds / 60,
          double(All) * MostSeconds / 60);
}

void Progress::count() {
  if (++Ended % Often == 0 && IsSeen && Clock::now() >= Next)
    show();
}

void Progress::show() {
  Next = Clock::now() + Pause;
  IsShown = true;
  const double Part = std::min(1.0, double(Ended) / double(All));
  const std::chrono::duration<double> Took = Clock::now() - Began;
  fprintf(stderr, "\r\033[K%.0f %%, some %.0f s left", 100 * Part,
          Took.count() * (1 - Part) / Part);
}

void Progress::clear() {
  if (IsShown)
    fprintf(stderr, "\r\033[K");
  IsShown = false;
}

} // namespace locus::lab
