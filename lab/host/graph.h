//===- host/graph.h - Graphs that run again on simulated threads *- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kmp/replay.h is for libomp: the tasks of a recorded graph, and who
// records it.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_HOST_GRAPH_H
#define LOCUS_LAB_HOST_GRAPH_H

#include "lab/host/host.h"
#include "locus/replay/recorder.h"

namespace locus::lab {

/// As ReplayTask: most runs use the first cache line of it. TaskData lies
/// behind it.
struct alignas(LineBytes) GraphTask : GraphNode {
  uint64_t NumContext = 0; ///< of the context that Data is made for; 0: none
  HostGraph *Of;
  bool IsPlain; ///< no hint
  alignas(LineBytes) TaskHint Hint;
  TaskTarget Target;

  TaskData *data() { return reinterpret_cast<TaskData *>(this + 1); }
  static GraphTask &of(TaskData *D) {
    return reinterpret_cast<GraphTask *>(D)[-1];
  }
};

/// A region that is being recorded.
struct HostRecording {
  HostRecording(NodePool &Pool, TaskData *TheTask, HostGraph &TheGraph)
      : Tasks(Pool), Task(TheTask), Made(TheGraph) {}
  Recorder Tasks;
  TaskData *Task; ///< whose children are recorded
  HostGraph &Made;
};

} // namespace locus::lab

#endif // LOCUS_LAB_HOST_GRAPH_H
