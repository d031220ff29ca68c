//===- replay/replay.h - A real run as a program of the laboratory *- C++
//-*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_REPLAY_REPLAY_H
#define LOCUS_LAB_REPLAY_REPLAY_H

#include "lab/program.h"
#include "lab/replay/trace_file.h"

namespace locus::lab {

struct ReplayOptions {
  /// What computing takes on the simulated machine, relative to the traced one.
  double ComputeFactor = 1;
  /// GB/s of one processor from its own node on the traced machine: a task
  /// whose bytes took more than half of its time there computed for the other
  /// half at most. 0: not known, all of a task's time is computing.
  double TracedGBs = 0;
};

/// A run that can be carried out again.
struct Replay {
  Program P;
  int Threads = 0; ///< the most that a region had
  uint64_t Tasks = 0, Depends = 0;
  double TaskNs = 0;       ///< of all tasks in the traced run, without waits
  double Bytes = 0;        ///< that its tasks' items of depend, or hints, name
  uint64_t BlockBytes = 0; ///< that an item of a few bytes stands for; 0: none
  /// What could not be taken from the trace, a line each.
  std::vector<std::string> Remarks;
};

/// The program behind \p File: the same tasks in the same order of creation
/// with the same dependences and hints, which compute as long as they did.
///
/// A region's implicit tasks, and tasks with a hint to a thread, keep their
/// threads; those of a larger simulated team are spread evenly over it, and in
/// a smaller one a thread does the part of several. What tasks with a hint to
/// one traced thread write is shared out, in the order of addresses, to all
/// that stand for it in a larger team. Times between regions are
/// computing of the first thread. A taskgroup's end and waits for predecessors
/// are taskwaits; undeferred tasks are part of who creates them.
///
/// An item of depend names the bytes that the program said, or, where that are
/// no more than a line, all up to the next address that a dependence names, at
/// most as far as these mostly are from each other.
///
/// Throws std::invalid_argument if there is nothing to carry out, or if regions
/// are nested.
Replay replay(const TraceFile &File, const ReplayOptions &Options);

} // namespace locus::lab

#endif // LOCUS_LAB_REPLAY_REPLAY_H
