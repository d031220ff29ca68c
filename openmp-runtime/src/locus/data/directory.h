//===- data/directory.h - Where our allocators put memory -------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an address to the OS node, for blocks that our allocators have placed,
// without a system call. What it says is where the pages were sent; where they
// are, the kernel knows. data/README.md has the difference, PROOF.md the proof
// for readers without a lock.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_DATA_DIRECTORY_H
#define LOCUS_DATA_DIRECTORY_H

#include "locus/data/partition.h"
#include "locus/machine/page_node.h"
#include "locus/support/lock.h"

namespace locus {

/// The blocks that have been placed. Any thread may call any member at any
/// time.
class Directory {
public:
  /// That of the process.
  static Directory &get();

  /// Notes that a block at \p Base, the address of a page, is spread as
  /// \p Parts says; its list of nodes is copied. Blocks that overlap with it
  /// are forgotten: they cannot be there any more. False if there is no memory:
  /// then the block is not known. Waits for other writers.
  bool insert(uintptr_t Base, const Partition &Parts);

  /// Forgets all blocks that share a byte with \p Range: before its memory is
  /// given back, or may move. Waits for other writers.
  void forget(const MemoryRange &Range);

  /// The OS node that has most bytes of the \p Count ranges, 1 to
  /// MaxPagesAsked, each of which counts for the node that has most of it; of
  /// two with as many the one that comes first. UnknownNode if some byte is in
  /// no block. A range of Length 0 is one byte.
  ///
  /// It does not wait, and makes no system call: if writers are in the way
  /// several times, it says UnknownNode. With \p MayWait it waits for them
  /// then: for who cannot ask the kernel instead.
  int nodeOf(const MemoryRange *Ranges, int Count, bool MayWait = false) const;

private:
  struct Block {
    std::atomic<uintptr_t> Base;
    std::atomic<size_t> Pages;
    std::atomic<size_t> PartPages;
    std::atomic<const NodeList *> Nodes;
  };
  /// Memory for \p Room blocks. An older one stays, as readers may be in it.
  struct Table {
    Table *Older;
    size_t Room;
    Block Blocks[1];
  };
  struct KnownList {
    KnownList *Next;
    NodeList List;
  };
  struct Found {
    uintptr_t Base;
    size_t Pages;
    size_t PartPages;
    const NodeList *Nodes;
  };
  friend struct DirectoryWriter; // of the tests

  bool search(uintptr_t Address, Found &Result) const;
  bool find(uintptr_t Address, bool MayWait, Found &Result) const;
  const NodeList *intern(const NodeList &Nodes);
  bool makeRoom();
  void beginWrite();
  void endWrite();
  size_t firstUpTo(uintptr_t Address) const;
  void removeOverlaps(uintptr_t First, uintptr_t Last);
  void add(uintptr_t Base, const Partition &Parts, const NodeList *Nodes);
  static Found read(const Block &From, std::memory_order Order);
  static void write(Block &To, const Found &From);
  static void copy(Block &To, const Block &From);
  /// Here, not in the source: gcc ignores the attribute there.
  __attribute__((constructor)) static void watchForks();

  std::atomic<uint64_t> Sequence{0}; ///< odd while a writer changes the table
  std::atomic<Table *> Current{nullptr};
  std::atomic<size_t> NumBlocks{0};
  alignas(CacheLine) mutable SpinLock Writers; ///< and readers that wait
  KnownList *Lists = nullptr;                  ///< under Writers
};

} // namespace locus

#endif // LOCUS_DATA_DIRECTORY_H
