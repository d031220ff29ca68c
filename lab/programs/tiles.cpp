//===- programs/tiles.cpp - A matrix in tiles ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/tiles.h"

namespace locus::lab {

/// Tiles of this order reach half of the speed that large ones reach: small
/// ones pay for packing and for loops' ends. From OpenBLAS' figures for tiles
/// of 64 to 512, about.
static constexpr double HalfSpeed = 24;

double tileKernelNs(double FlopsPerCube, uint64_t B, uint64_t Inner,
                    CoreSpeed Speed) {
  const double Order = double(B), Columns = double(Inner);
  return FlopsPerCube * Order * Order * Order / Speed.Gflops *
         (Columns + HalfSpeed) / Columns;
}

TileMatrix::TileMatrix(uint64_t Side, uint64_t Bytes, uint64_t FactorBytes,
                       Placing Where, FirstTouch Init, int Threads,
                       uint64_t Rows)
    : Side(Side), Rows(Rows ? Rows : Side), Bytes(Bytes),
      FactorBytes(FactorBytes), Where(Where), Init(Init),
      Owners(Threads, Side) {
  AddressSpace Space;
  for (uint64_t T = 0; T < this->Rows * Side; ++T)
    Tiles.push_back(Space.allocate(Bytes));
  for (uint64_t T = 0; FactorBytes && T < this->Rows * Side; ++T)
    Factors.push_back(Space.allocate(FactorBytes));
}

/// Tiles go round the threads as ScaLAPACK deals them out.
uint64_t TileMatrix::owner(const Tile &T) const {
  if (!Dealt.empty())
    return Dealt[T.Row * Side + T.Column];
  const uint64_t Rows = uint64_t(Owners.rows());
  const uint64_t Columns = uint64_t(Owners.columns());
  return T.Row % Rows * Columns + T.Column % Columns;
}

void TileMatrix::dealOut(const std::vector<bool> &Full, int Threads) {
  uint64_t Next = 0;
  for (const bool IsFull : Full)
    Dealt.push_back(IsFull ? Next++ % uint64_t(Threads) : 0);
}

void TileMatrix::createTask(Context &C, uint32_t Construct, double Ns,
                            const std::vector<Tile> &In,
                            const std::vector<Tile> &Out,
                            const std::vector<DepKind> &OutKinds,
                            const std::vector<Range> &Moves) const {
  TaskSpec Spec;
  Spec.Construct = Construct;
  std::vector<Range> Ranges;
  for (const Tile &T : In) {
    Ranges.push_back(range(T, false));
    Spec.Depends.push_back({Ranges.back().Address, DepKind::In});
  }
  for (size_t I = 0; I < Out.size(); ++I) {
    Ranges.push_back(range(Out[I], true));
    const DepKind Kind = OutKinds.empty() ? DepKind::InOut : OutKinds[I];
    Spec.Depends.push_back({Ranges.back().Address, Kind});
  }
  if (!Moves.empty())
    Ranges = Moves;
  Spec.Body = [Ranges, Ns](Context &T) {
    T.access(Ranges.data(), Ranges.size(), Ns);
  };
  if (Where == Placing::Thread || Where == Placing::Strict)
    Spec.Affinity = {HintKind::Thread, owner(Out[0]), 0,
                     Where == Placing::Strict};
  else if (Where == Placing::Data)
    Spec.Affinity = {HintKind::Data, range(Out[0], true).Address,
                     range(Out[0], true).Bytes, false};
  C.create(Spec);
}

/// All of a block on the \p Number-th node in turn, or its pages.
void TileMatrix::place(Context &C, const Range &R, uint64_t Number) const {
  const uint64_t Nodes = uint64_t(C.numNodes());
  if (Init == FirstTouch::Dealt) {
    C.place(R.Address, R.Bytes, int(Number % Nodes));
    return;
  }
  const uint64_t Page = AddressSpace::PageBytes;
  for (uint64_t At = R.Address; At < R.Address + R.Bytes; At += Page)
    C.place(At, Page, int(At / Page % Nodes));
}

void TileMatrix::touch(Context &C, uint32_t Touch, const Tile &T) const {
  const Range R = range(T, true);
  TaskSpec Spec;
  Spec.Construct = Touch;
  Spec.Depends.push_back({R.Address, DepKind::Out});
  Spec.Body = [R](Context &X) { X.access(&R, 1, 0); };
  if (Init == FirstTouch::Owners)
    Spec.Affinity = {HintKind::Thread, owner(T), 0, true};
  else if (Init == FirstTouch::Cyclic)
    Spec.Affinity = {HintKind::Node, T.Row * Side + T.Column, 0, true};
  C.create(Spec);
}

void TileMatrix::initialize(Context &C, uint32_t Touch,
                            bool UpToDiagonal) const {
  uint64_t Number = 0;
  for (uint64_t Row = 0; Row < Rows; ++Row)
    for (uint64_t Column = 0; Column < (UpToDiagonal ? Row + 1 : Side);
         ++Column) {
      const Range R = range({Row, Column}, true);
      if (Init == FirstTouch::Dealt || Init == FirstTouch::Paged) {
        place(C, R, Number);
        if (FactorBytes)
          place(C, range({Row, Column, true}, true), Number);
        ++Number;
      } else if (Init == FirstTouch::OneThread) {
        C.access(&R, 1, 0);
      } else {
        touch(C, Touch, {Row, Column});
      }
    }
  C.taskwait();
}

} // namespace locus::lab
