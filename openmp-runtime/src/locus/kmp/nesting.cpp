//===- kmp/nesting.cpp - Strict tasks on top of waiting ones --------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "locus/kmp/nesting.h"
#include "locus/team/seeker.h"

#include <pthread.h>
#include <stddef.h>

namespace locus {

/// The calling thread's stack: from Lowest on, Size bytes. Libomp knows those
/// of its own threads only.
struct Stack {
  char *Lowest = nullptr;
  size_t Size = 0;

  /// No stack is as small; where the system does not say, a small one begins
  /// at the caller: a guess.
  static constexpr size_t LeastKnown = 1024, Unknown = 256 << 10;

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
  if (Size < LeastKnown) { // not known: assume this much room from here
    Size = Unknown;
    Address = Here - Size;
  }
  Lowest = static_cast<char *>(Address);
}

bool mayNest(uint32_t EmptyRounds) {
  static thread_local Stack Mine;
  char *Here = static_cast<char *>(__builtin_frame_address(0));
  if (__builtin_expect(Mine.Size == 0, 0))
    Mine.find(Here);
  if (Here < Mine.Lowest || Here > Mine.Lowest + Mine.Size)
    return true; // a stack of the program's own
  return hasRoomToNest(size_t(Mine.Lowest + Mine.Size - Here), Mine.Size,
                       EmptyRounds);
}

} // namespace locus
