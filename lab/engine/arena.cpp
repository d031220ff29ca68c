//===- engine/arena.cpp - The memory that is simulated --------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/arena.h"

#include <errno.h>
#include <stdexcept>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/mman.h>

namespace locus::lab {

static constexpr uint64_t LinesBase = 0x400000000000;
static constexpr uint64_t PagesBase = 0x500000000000;
static_assert(sizeof(Line) == LineBytes, "the table is as large as the arena");

Line *const Lines = reinterpret_cast<Line *>(LinesBase);
int16_t *const PageNodes = reinterpret_cast<int16_t *>(PagesBase);

/// Blocks of 2^Class bytes; the line before a block says which it is.
static constexpr int NumClasses = 40;
static uint64_t Next = 0;
static void *Free[NumClasses];
static bool IsMapped = false;
static int NumStacksMapped = 0;

static void map(uint64_t Base, uint64_t Bytes, const char *What) {
  void *Got = mmap(
      reinterpret_cast<void *>(Base), Bytes, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (Got != reinterpret_cast<void *>(Base))
    throw std::runtime_error(std::string("no address space for ") + What +
                             ": " + strerror(errno) +
                             " (is there a limit, ulimit -v?)");
}

static void unmap(uint64_t Base, uint64_t Bytes) {
  munmap(reinterpret_cast<void *>(Base), Bytes);
}

void openArena(int NumStacks) {
  closeArena();
  map(ArenaBase, ArenaBytes, "the simulated memory");
  map(LinesBase, ArenaBytes, "its cache lines");
  map(PagesBase, ArenaBytes / PageSize * sizeof(int16_t), "its pages");
  map(StackBase, uint64_t(NumStacks) * StackBytes, "the stacks");
  IsMapped = true;
  NumStacksMapped = NumStacks;
  Next = PageSize; // no object at its very beginning
  memset(Free, 0, sizeof(Free));
}

void closeArena() {
  if (!IsMapped)
    return;
  unmap(ArenaBase, ArenaBytes);
  unmap(LinesBase, ArenaBytes);
  unmap(PagesBase, ArenaBytes / PageSize * sizeof(int16_t));
  unmap(StackBase, uint64_t(NumStacksMapped) * StackBytes);
  IsMapped = false;
}

static int classOf(size_t Bytes) {
  int Class = 6;
  while ((uint64_t(1) << Class) < Bytes)
    ++Class;
  return Class;
}

void *allocate(size_t Bytes, int Node) {
  const int Class = classOf(Bytes);
  if (Node < 0 && Class < NumClasses && Free[Class]) {
    void *Found = Free[Class];
    memcpy(&Free[Class], Found, sizeof(void *));
    memset(Found, 0, Bytes);
    return Found;
  }
  if (Node >= 0)
    Next = (Next + PageSize - 1) / PageSize * PageSize + PageSize - LineBytes;
  const uint64_t At = Next + LineBytes; // behind the class
  const uint64_t Size = Node >= 0 ? (Bytes + PageSize - 1) / PageSize * PageSize
                                  : uint64_t(1) << Class;
  if (!IsMapped || At + Size > ArenaBytes) {
    fprintf(stderr,
            "locus-lab: the simulated scheduler needs more than %u GB "
            "of memory\n",
            unsigned(ArenaBytes >> 30));
    exit(1);
  }
  char *Made = reinterpret_cast<char *>(ArenaBase + At);
  *reinterpret_cast<int *>(Made - LineBytes) = Node >= 0 ? 0 : Class;
  Next = At + Size;
  for (uint64_t Page = At / PageSize;
       Node >= 0 && Page < (At + Size) / PageSize; ++Page)
    PageNodes[Page] = int16_t(Node + 1);
  return Made;
}

void release(void *Memory) {
  const int Class =
      *reinterpret_cast<int *>(static_cast<char *>(Memory) - LineBytes);
  if (Class == 0)
    return; // pages of a node stay: the run ends soon
  memcpy(Memory, &Free[Class], sizeof(void *));
  Free[Class] = Memory;
}

} // namespace locus::lab
