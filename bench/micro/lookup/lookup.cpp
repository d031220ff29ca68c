//===-- lookup.cpp - The node of an address -------------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it costs to find the node of data: in the directory of memory that our
// allocators placed, with few and many blocks, and from the kernel. The
// runtime's own sources, without OpenMP. Addresses come in random order; each
// answer is checked.
//
//===----------------------------------------------------------------------===//

#include "locus/data/directory.h"
#include "locus/machine/page_node.h"
#include "locus/support/cpu.h"
#include "locus/support/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

using namespace locus;

void locus::warn(const char *Text) { fprintf(stderr, "%s\n", Text); }

static constexpr size_t NumAddresses = 1 << 14; // asked again and again
static constexpr size_t BlockPages = 64;
static constexpr uintptr_t FirstPage = 1 << 20; // the directory touches nothing

static uint64_t nextRandom(uint64_t &State) {
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return State;
}

/// Nanoseconds a lookup, the least of five rounds; -1 after a wrong answer.
template <class Lookup>
static double measure(const uintptr_t *Addresses, const int *Nodes, long Count,
                      Lookup Ask) {
  double Best = -1;
  for (int Round = 0; Round < 5; ++Round) {
    long Wrong = 0;
    const uint64_t Start = nanoseconds();
    for (long I = 0; I < Count; ++I) {
      const size_t At = size_t(I) % NumAddresses;
      Wrong += Ask(Addresses[At]) != Nodes[At];
    }
    const double Each = double(nanoseconds() - Start) / double(Count);
    if (Wrong)
      return -1;
    Best = Best < 0 || Each < Best ? Each : Best;
  }
  return Best;
}

static uintptr_t Addresses[NumAddresses];
static int Nodes[NumAddresses];

/// Data of 256 bytes in one of \p Blocks blocks over four nodes.
static double inDirectory(size_t Blocks, size_t PartPages, long Count) {
  Directory All;
  NodeList Four;
  for (int Node = 0; Node < 4; ++Node)
    Four.add(Node);
  const Partition Parts(Four, BlockPages, PartPages);
  const size_t Apart = BlockPages + 1;
  for (size_t Block = Blocks; Block-- > 0;) // downwards, as the kernel maps
    if (!All.insert((FirstPage + Block * Apart) * pageSize(), Parts))
      return -1;
  uint64_t State = 88172645463325252ull;
  for (size_t I = 0; I < NumAddresses; ++I) {
    const size_t Block = nextRandom(State) % Blocks;
    const size_t Page = nextRandom(State) % BlockPages;
    Addresses[I] = (FirstPage + Block * Apart + Page) * pageSize();
    Nodes[I] = Parts.nodeOfPage(Page);
  }
  const double Each = measure(Addresses, Nodes, Count, [&](uintptr_t Address) {
    const MemoryRange Range = {Address, 256};
    return All.nodeOf(&Range, 1);
  });
  return Each;
}

/// The same of pages that are there.
static double inKernel(long Count) {
  const size_t Bytes = BlockPages * pageSize();
  char *Memory =
      static_cast<char *>(mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (Memory == MAP_FAILED)
    return -1;
  for (size_t At = 0; At < Bytes; At += pageSize())
    Memory[At] = 1;
  for (size_t I = 0; I < NumAddresses; ++I) {
    char *Page = Memory + I % BlockPages * pageSize();
    Addresses[I] = reinterpret_cast<uintptr_t>(Page);
    Nodes[I] = I < BlockPages ? nodeOfMemory(Page, 256) : Nodes[I % BlockPages];
  }
  const double Each = measure(Addresses, Nodes, Count, [](uintptr_t Address) {
    const MemoryRange Range = {Address, 256};
    return nodeOfMemory(&Range, 1);
  });
  munmap(Memory, Bytes);
  return Each;
}

int main(int argc, char **argv) {
  const long Count = argc > 1 ? atol(argv[1]) : 4000000;
  if (Count < 1) {
    fprintf(stderr, "usage: lookup [LOOKUPS]\n");
    return 2;
  }
  bool IsRight = true;
  auto Show = [&](const char *Name, size_t Blocks, double Each) {
    printf("%s %zu blocks: %.1f ns a lookup\n", Name, Blocks, Each);
    IsRight &= Each >= 0;
  };
  for (size_t Blocks = 1; Blocks <= 1 << 16; Blocks *= 16) {
    Show("blocked", Blocks, inDirectory(Blocks, 0, Count));
    Show("interleaved", Blocks, inDirectory(Blocks, 1, Count));
  }
  Show("kernel", 1, inKernel(Count / 16 + 1));
  if (!IsRight)
    fprintf(stderr, "lookup: a wrong answer\n");
  return IsRight ? 0 : 1;
}
