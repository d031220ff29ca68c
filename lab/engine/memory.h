//===- engine/memory.h - Where a program's data is --------------*- C++ -*-===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The node of each page of a simulated program, and what of its data the
// last-level caches hold: pieces of 64 KB, the least recently used ones leave.
//
//===----------------------------------------------------------------------===//

#ifndef LOCUS_LAB_ENGINE_MEMORY_H
#define LOCUS_LAB_ENGINE_MEMORY_H

#include "lab/machine.h"
#include "lab/program.h"

#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

namespace locus::lab {

class MemoryMap {
public:
  /// \p NumL3 caches of \p M.
  explicit MemoryMap(const Machine &M);

  static constexpr int Untouched = -1;
  /// The node of \p Address.
  int nodeOf(uint64_t Address) const;
  /// All pages that share a byte with this go to \p Node.
  void place(uint64_t Address, uint64_t Bytes, int Node);

  /// What an access of one range moves.
  struct Moves {
    std::vector<double> Bytes; ///< by node, that come from there
    std::vector<double> Lying; ///< by node, cached or not
    double FromCache = 0;
    uint64_t NewPages = 0; ///< touched for the first time
  };
  /// A processor on \p Node with cache \p L3 accesses \p R; adds to \p M.
  void access(const Range &R, int Node, int L3, Moves &To);

private:
  static constexpr int RegionBits = 30, PieceBits = 16;
  /// What some cache holds of a piece.
  struct Entry {
    uint64_t Piece;
    double Bytes;
  };
  struct Cache {
    std::list<Entry> Entries; ///< the last used first
    std::unordered_map<uint64_t, std::list<Entry>::iterator> ByPiece;
    double Bytes = 0;
  };

  int16_t &page(uint64_t Address);
  bool findInCache(Cache &C, uint64_t Piece, double Bytes);
  void invalidate(uint64_t Piece, int Except);

  const Machine &Of;
  uint32_t PageBits = 12;
  /// Nodes of pages plus 1, by 1 GB.
  std::unordered_map<uint64_t, std::vector<int16_t>> Regions;
  std::vector<Cache> Caches;
  std::unordered_map<uint64_t, std::vector<int>> Holders; ///< by piece
};

} // namespace locus::lab

#endif // LOCUS_LAB_ENGINE_MEMORY_H
