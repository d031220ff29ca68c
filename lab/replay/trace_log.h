//===- replay/trace_log.h - A simulated run as a trace ----------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a real run writes by KMP_TASK_TRACE, of a run in the laboratory: for
// locus-trace and whatever else reads such files. The program is wrapped, so
// that no scheduler knows of it.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_REPLAY_TRACE_LOG_H
#define LOCUS_LAB_REPLAY_TRACE_LOG_H

#include "lab/machine.h"
#include "lab/program.h"
#include "locus/trace/format.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace locus::lab {

class TraceLog {
public:
  /// Of a run of the first \p Threads processors of \p M. Both must outlive it.
  TraceLog(const Machine &M, int Threads);

  /// \p P, which tells this log what it does. For one run.
  Program watch(const Program &P);

  /// Writes the trace to \p Path; \p What says what ran. Throws
  /// std::invalid_argument if the file cannot be written.
  void write(const std::string &Path, const std::string &What);

private:
  friend class WatchingContext;

  /// What the checker knows of dependences: who touched an address last.
  struct Cell {
    std::vector<uint32_t> Before, Group;
    DepKind Kind = DepKind::InOut;
  };
  struct Task {
    uint32_t Creator = 0;
    double Created = 0, Ended = 0;
    std::vector<uint32_t> Predecessors;
    Hint Affinity;
    int Writer = 0;         ///< the thread that created it
    size_t FirstRecord = 0; ///< of it, behind that of its creation
  };

  void add(int Thread, double Ns, Event Kind, uint32_t Number,
           uint8_t Flags = 0, uint64_t Data = 0, uint32_t A = 0,
           uint32_t B = 0);
  uint32_t create(Context &C, uint32_t Creator, const TaskSpec &Spec);
  void start(Context &C, uint32_t Number);
  void end(Context &C, uint32_t Number);
  void touch(Context &C, uint32_t Number, const Range *R, size_t N);
  uint64_t codeOf(uint32_t Construct) const;
  int osNode(int Thread) const { return M.NodeOf[size_t(Thread)]; }
  std::vector<uint32_t> predecessors(uint32_t Creator, const Depend &,
                                     uint32_t Number);
  std::string machineText(const std::string &What) const;

  const Machine &M;
  const int Threads;
  std::vector<std::string> Constructs;
  std::vector<std::vector<TraceRecord>> Records; ///< by thread
  std::vector<Task> Tasks; ///< by number, those of implicit tasks first
  std::map<uint32_t, std::unordered_map<uint64_t, Cell>> Cells; ///< by creator
  std::unordered_map<uint64_t, int> HomeOf; ///< OS node, by first address
};

} // namespace locus::lab

#endif // LOCUS_LAB_REPLAY_TRACE_LOG_H
