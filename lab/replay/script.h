//===- replay/script.h - What each task of a traced run did -----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_REPLAY_SCRIPT_H
#define LOCUS_LAB_REPLAY_SCRIPT_H

#include "lab/program.h"
#include "lab/replay/trace_file.h"

namespace locus::lab {

enum class StepKind : uint8_t { Compute, Create, Wait, Barrier };

/// One thing that a task did.
struct Step {
  StepKind Kind;
  double Ns = 0;     ///< Compute
  uint32_t Task = 0; ///< Create
};

struct DependItem {
  uint64_t Address, Bytes;
  DepKind Kind;
};

struct TaskScript {
  uint32_t Construct = 0; ///< index into Recording::Constructs
  bool Ran = false;
  std::vector<DependItem> Depends;
  Hint Affinity;
  std::vector<Step> Steps;
};

struct RegionScript {
  double SerialNs = 0; ///< of the thread that begins it, before it
  std::vector<std::vector<Step>> Implicit; ///< by thread
};

/// All of a run.
struct Recording {
  std::vector<std::string> Constructs;
  std::map<uint32_t, TaskScript> Tasks; ///< by their numbers in the trace
  std::vector<RegionScript> Regions;    ///< in the order in which they began
  std::vector<std::string> Remarks;
};

/// What the tasks of \p File did. Time counts where a task ran, and did not
/// wait, create another one or write its trace.
/// Throws std::invalid_argument if regions are nested.
Recording record(const TraceFile &File);

} // namespace locus::lab

#endif // LOCUS_LAB_REPLAY_SCRIPT_H
