//===- trace/file.h - The file of a trace -----------------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TRACE_FILE_H
#define LOCUS_TRACE_FILE_H

#include "locus/support/file_name.h"
#include "locus/trace/format.h"

#include <atomic>
#include <sys/types.h>

namespace locus {

/// The file that a process writes its trace to. It only grows, by chunks, and
/// each chunk is one write(2) at the end of the file: whatever ends the
/// program, what is there can be read.
class TraceFile {
public:
  /// Creates the file that \p Pattern names in this process, with its header.
  /// \p Parent is the process that forked this one, or 0. False, after a
  /// warning, if that cannot be.
  bool open(const char *Pattern, uint32_t Parent);

  /// Appends \p Bytes bytes, a chunk with its header. Any thread may call; it
  /// blocks for the kernel. False if they are not all in the file, or an
  /// earlier chunk was not, of which the first one to fail warns: nothing is
  /// written behind it.
  bool append(const void *Chunk, size_t Bytes);

  /// Closes it, unless the program has closed or reused its number. No other
  /// thread uses it.
  void close();
  /// The same, for the last time, and when other threads may append: that is
  /// refused from now on, and those that have begun are waited for. Where one
  /// does not come back for 5 s, as in a handler of signals on its stack, a
  /// warning is printed, and the file stays open.
  void end();

private:
  bool write(const void *Chunk, size_t Bytes);
  bool isOurs() const;
  void warnOf(const char *What, const char *Why) const;
  bool fail(const char *What, const char *Why);

  std::atomic<bool> Failed{false}; ///< a chunk is not there, or not all of it
  std::atomic<int> Writers{0};     ///< threads in append()
  int Descriptor = -1;
  dev_t Device = 0; ///< with Inode: which file it is
  ino_t Inode = 0;
  FileName Name = "";
};

} // namespace locus

#endif // LOCUS_TRACE_FILE_H
