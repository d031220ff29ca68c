//===- directory_writer.h - A writer in the midst of a change ---*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_TEST_DIRECTORY_WRITER_H
#define LOCUS_TEST_DIRECTORY_WRITER_H

#include "locus/data/directory.h"

#include <stdlib.h>

namespace locus {

/// What readers see of a thread that lost its processor while it writes. It
/// does not hold the lock.
struct DirectoryWriter {
  static void begin(Directory &In) { In.beginWrite(); }
  static void end(Directory &In) { In.endWrite(); }

  /// How many blocks there are.
  static size_t size(const Directory &In) { return In.NumBlocks; }

  /// Gives back all memory. Nobody else may use the directory then.
  static void release(Directory &In) {
    for (Directory::Table *T = In.Current.exchange(nullptr), *Older; T;
         T = Older) {
      Older = T->Older;
      free(T);
    }
    for (Directory::KnownList *L = In.Lists, *Next; L; L = Next) {
      Next = L->Next;
      free(L);
    }
    In.NumBlocks = 0;
    In.Lists = nullptr;
  }
};

} // namespace locus

#endif // LOCUS_TEST_DIRECTORY_WRITER_H
