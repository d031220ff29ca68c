//===- tool/progress.cpp - How far a command is --------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/tool/progress.h"

#include <algorithm>
#include <cmath>
#include <stdio.h>
#include <unistd.h>

namespace locus::lab {

constexpr double Long = 60; // seconds: whoever waits wants to know before
constexpr std::chrono::milliseconds Patience(2000), Pause(500);
constexpr uint64_t Often = 256; // tasks between two looks at the clock

Progress::Progress(uint64_t Tasks, int Runs)
    : All(std::max<uint64_t>(1, Tasks * uint64_t(Runs))),
      IsSeen(isatty(STDERR_FILENO)), Next(Began + Patience) {}

// Measured: 50,000 tasks, alone and with two dependences each, on 8 to 192
// threads. More threads search; tasks that name memory move it.
void Progress::estimate(int Threads, bool HasMemory) const {
  const double Least = HasMemory ? 40 + Threads : 0.3 * Threads;
  const double Most = HasMemory ? 250 + 3.0 * Threads : 1.5 * Threads;
  const double Tasks = 1e-6 * double(All);
  if (Tasks * Most < Long)
    return;
  fprintf(stderr, "%llu simulated tasks: expect %.0f to %.0f minutes\n",
          (unsigned long long)All, std::floor(Tasks * Least / 60),
          std::ceil(Tasks * Most / 60));
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
