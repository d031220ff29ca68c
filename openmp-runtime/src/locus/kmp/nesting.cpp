//===- kmp/nesting.cpp - Strict tasks on top of waiting ones --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/nesting.h"
#include "locus/tuning.h"

#include <pthread.h>
#include <stddef.h>

namespace locus {

/// The calling thread's stack: from Lowest on, Size bytes. Libomp knows those
/// of its own threads only.
struct Stack {
  char *Lowest = nullptr;
  size_t Size = 0;
  size_t Free = 0; ///< bytes on which tasks nest at once

  /// \p Here is an address of it.
  void find(char *Here);
};

void Stack::find(char *Here) {
  pthread_attr_t Attributes;
  void *Address = nullptr;
  if (pthread_getattr_np(pthread_self(), &Attributes) == 0) {
    if (pthread_attr_getstack(&Attributes, &Address, &Size) != 0)
      Size = 0;
    pthread_attr_destroy(&Attributes);
  }
  if (Size < Tuned.NestSteps) { // not known: assume this much room from here
    Size = Tuned.NestUnknownStack;
    Address = Here - Size;
  }
  Lowest = static_cast<char *>(Address);
  Free = Size / 100 * Tuned.NestFreely;
}

bool mayNest(uint32_t EmptyRounds) {
  static thread_local Stack Mine;
  char *Here = static_cast<char *>(__builtin_frame_address(0));
  if (__builtin_expect(Mine.Size == 0, 0))
    Mine.find(Here);
  if (Here < Mine.Lowest || Here > Mine.Lowest + Mine.Size)
    return true; // a stack of the program's own
  const size_t Used = size_t(Mine.Lowest + Mine.Size - Here);
  if (Used < Mine.Free)
    return true;
  // Each step takes twice as long as the one before.
  const size_t Doublings = (Used - Mine.Free) / (Mine.Size / Tuned.NestSteps);
  const size_t Most = Tuned.NestDoublings;
  return EmptyRounds >> (Doublings < Most ? Doublings : Most) != 0;
}

} // namespace locus
