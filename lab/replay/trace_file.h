//===- replay/trace_file.h - A trace of KMP_TASK_TRACE, read ----*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_REPLAY_TRACE_FILE_H
#define LOCUS_LAB_REPLAY_TRACE_FILE_H

#include "locus/trace/format.h"

#include <map>
#include <string>
#include <vector>

namespace locus::lab {

/// The records of a file, as openmp-runtime/src/locus/trace/FORMAT.md has them.
struct TraceFile {
  /// One for each writer, that is, each thread: in the order of their times.
  std::map<uint32_t, std::vector<TraceRecord>> Writers;
  std::map<uint32_t, std::string> Names;
  /// Where the program and its libraries had their code.
  struct Module {
    uint64_t First, Behind, Offset;
    std::string Path;
  };
  std::vector<Module> Code;
  /// Why the file ends before the program did; empty if it does not.
  std::string Cut;

  /// file:line of a name's number, else where its code begins: module+offset.
  std::string construct(uint32_t Name, uint64_t Code) const;
  /// All records with their writers, in the order of time.
  std::vector<std::pair<uint32_t, const TraceRecord *>> inOrder() const;
};

/// Reads the file \p Path. Throws std::invalid_argument, with a line for the
/// user, if it is no trace or of another version. A file that is cut is read to
/// where it ends.
TraceFile readTrace(const std::string &Path);

} // namespace locus::lab

#endif // LOCUS_LAB_REPLAY_TRACE_FILE_H
