//===- engine/arena.h - The memory that is simulated ------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scheduler allocates lies in one range of addresses, the same in each
// process, so that a line's address says which line it is and no result depends
// on where the system puts memory. The stacks of the simulated threads lie in
// another one.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_ARENA_H
#define LOCUS_LAB_ENGINE_ARENA_H

#include "lab/machine.h"

#include <stddef.h>
#include <stdint.h>

namespace locus::lab {

constexpr uint64_t ArenaBase = 0x200000000000;
constexpr uint64_t ArenaBytes = uint64_t(16) << 30;
constexpr uint64_t StackBase = 0x300000000000;
constexpr uint64_t StackBytes = 8 << 20; ///< of one simulated thread
constexpr uint64_t LineBytes = 64, PageSize = UsualPageBytes;

/// Threads that have a copy of a line, and what moves it.
struct alignas(LineBytes) Line {
  uint64_t FreeAt;     ///< ps; it is on its way until then
  uint64_t Sharers[4]; ///< who has a copy, by thread
  int16_t Owner; ///< number of who wrote it last, plus 1; 0: memory has it
  bool IsAbsent; ///< the owner has no copy before FreeAt
};

/// Lines by number: of the arena.
extern Line *const Lines;
/// Node of each page of the arena plus 1; 0: nobody has touched it.
extern int16_t *const PageNodes;

/// Maps the arena and \p NumStacks stacks. All is as new. Throws
/// std::runtime_error if the system refuses.
void openArena(int NumStacks);
/// Gives everything back.
void closeArena();

/// \p Bytes bytes from an address that is a multiple of 64, zeroed. On pages of
/// their own, of \p Node, if that is not -1. Never null: ends the program with
/// a message if the arena is full.
void *allocate(size_t Bytes, int Node = -1);
/// What allocate() returned.
void release(void *Memory);

inline bool isInArena(const void *Address) {
  return uint64_t(Address) - ArenaBase < ArenaBytes;
}

} // namespace locus::lab

#endif // LOCUS_LAB_ENGINE_ARENA_H
