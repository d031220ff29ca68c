//===- engine/memory.cpp - Where a program's data is ----------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/engine/memory.h"

#include <algorithm>

namespace locus::lab {

MemoryMap::MemoryMap(const Machine &M) : Of(M) {
  PageBits = uint32_t(__builtin_ctzll(M.PageBytes));
  const auto Last = std::max_element(M.L3Of.begin(), M.L3Of.end());
  Caches.resize(M.L3Bytes > 0 ? size_t(*Last) + 1 : 0);
}

int16_t &MemoryMap::page(uint64_t Address) {
  std::vector<int16_t> &Region = Regions[Address >> RegionBits];
  if (Region.empty())
    Region.resize(
        std::max(uint64_t(1), (uint64_t(1) << RegionBits) >> PageBits));
  return Region[(Address & ((uint64_t(1) << RegionBits) - 1)) >> PageBits];
}

int MemoryMap::nodeOf(uint64_t Address) const {
  const auto Found = Regions.find(Address >> RegionBits);
  if (Found == Regions.end())
    return Untouched;
  const uint64_t Rest = Address & ((uint64_t(1) << RegionBits) - 1);
  return Found->second[Rest >> PageBits] - 1;
}

void MemoryMap::place(uint64_t Address, uint64_t Bytes, int Node) {
  const uint64_t Size = uint64_t(1) << PageBits;
  for (uint64_t At = Address / Size * Size; At < Address + Bytes; At += Size)
    page(At) = int16_t(Node + 1);
}

/// Whether \p C has \p Bytes bytes of \p Piece; it has then.
bool MemoryMap::findInCache(Cache &C, uint64_t Piece, double Bytes) {
  const auto Found = C.ByPiece.find(Piece);
  const bool Hits = Found != C.ByPiece.end() && Found->second->Bytes >= Bytes;
  if (Found != C.ByPiece.end()) {
    C.Entries.splice(C.Entries.begin(), C.Entries, Found->second);
    C.Bytes += std::max(0.0, Bytes - Found->second->Bytes);
    Found->second->Bytes = std::max(Bytes, Found->second->Bytes);
  } else {
    C.Entries.push_front({Piece, Bytes});
    C.ByPiece[Piece] = C.Entries.begin();
    C.Bytes += Bytes;
    Holders[Piece].push_back(int(&C - Caches.data()));
  }
  while (C.Bytes > Of.L3Bytes) {
    const Entry &Oldest = C.Entries.back();
    std::vector<int> &Who = Holders[Oldest.Piece];
    Who.erase(std::find(Who.begin(), Who.end(), int(&C - Caches.data())));
    C.Bytes -= Oldest.Bytes;
    C.ByPiece.erase(Oldest.Piece);
    C.Entries.pop_back();
  }
  return Hits;
}

/// \p Piece has been written: no cache but \p Except has it any more.
void MemoryMap::invalidate(uint64_t Piece, int Except) {
  std::vector<int> &Who = Holders[Piece];
  for (int L3 : Who) {
    if (L3 == Except)
      continue;
    Cache &C = Caches[size_t(L3)];
    const auto Found = C.ByPiece.find(Piece);
    C.Bytes -= Found->second->Bytes;
    C.Entries.erase(Found->second);
    C.ByPiece.erase(Found);
  }
  const bool Has = std::find(Who.begin(), Who.end(), Except) != Who.end();
  Who.clear();
  if (Has)
    Who.push_back(Except);
}

void MemoryMap::access(const Range &R, int Node, int L3, Moves &To) {
  const uint64_t Page = uint64_t(1) << PageBits;
  const uint64_t Step = std::min(Page, uint64_t(1) << PieceBits);
  const double Factor = R.Writes ? Of.WriteFactor : 1;
  const uint64_t End = R.Address + R.Bytes;
  uint64_t At = R.Address;
  while (At < End) {
    const uint64_t Piece = At >> PieceBits;
    const uint64_t PieceEnd = std::min(End, (Piece + 1) << PieceBits);
    const bool Hits = !Caches.empty() && findInCache(Caches[size_t(L3)], Piece,
                                                     double(PieceEnd - At));
    if (R.Writes && !Caches.empty())
      invalidate(Piece, L3);
    if (Hits)
      To.FromCache += double(PieceEnd - At);
    while (At < PieceEnd) {
      const uint64_t Next = std::min(PieceEnd, (At / Step + 1) * Step);
      int16_t &Where = page(At);
      if (Where == 0) {
        Where = int16_t(Node + 1);
        ++To.NewPages;
      }
      const double Bytes = double(Next - At);
      To.Lying[size_t(Where - 1)] += Bytes;
      if (!Hits)
        To.Bytes[size_t(Where - 1)] += Bytes * Factor;
      At = Next;
    }
  }
}

} // namespace locus::lab
