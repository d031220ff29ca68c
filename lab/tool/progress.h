//===- tool/progress.h - How far a command is ------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_TOOL_PROGRESS_H
#define LOCUS_LAB_TOOL_PROGRESS_H

#include "lab/program.h"

#include <chrono>

namespace locus::lab {

/// Tells whoever waits how long it may take, and, at a terminal, how far it is.
class Progress {
public:
  /// Of \p Runs simulations of \p Tasks tasks each.
  Progress(uint64_t Tasks, int Runs);
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// A line on the standard error stream, if it may take minutes.
  /// \p HasMemory: tasks name bytes, which the simulation moves.
  void estimate(int Threads, bool HasMemory) const;
  /// For RunOptions::OnTask of each of the simulations.
  void count();
  /// Before something is printed.
  void clear();

private:
  void show();

  const uint64_t All;
  uint64_t Ended = 0;
  const bool IsSeen;
  bool IsShown = false;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point Began = Clock::now();
  Clock::time_point Next; ///< when to show it again
};

} // namespace locus::lab

#endif // LOCUS_LAB_TOOL_PROGRESS_H
