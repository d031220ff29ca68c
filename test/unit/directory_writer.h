//===- directory_writer.h - A writer in the midst of a change ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_DIRECTORY_WRITER_H
#define LOCUS_TEST_DIRECTORY_WRITER_H

#include "locus/data/directory.h"

namespace locus {

/// What readers see of a thread that lost its processor while it writes. It
/// does not hold the lock.
struct DirectoryWriter {
  static void begin(Directory &In) { In.beginWrite(); }
  static void end(Directory &In) { In.endWrite(); }
};

} // namespace locus

#endif // LOCUS_TEST_DIRECTORY_WRITER_H
