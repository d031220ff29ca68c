//===- programs/dense.cpp - Cholesky by tiles ----------------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/programs.h"

#include <memory>

namespace locus::lab {

namespace {

enum Construct : uint32_t { Touch, Potrf, Trsm, Syrk, Gemm };

/// Tiles of this order reach half of the speed that large ones reach: small
/// ones pay for packing and for loops' ends. From OpenBLAS' figures for tiles
/// of 64 to 512, about.
constexpr double HalfSpeed = 24;

struct Cholesky {
  CholeskySize Size;
  Placing Where;
  FirstTouch Init;
  CoreSpeed Speed;
  uint64_t Side, Bytes;
  ThreadRectangle Owners;
  std::vector<uint64_t> Tiles;
  std::shared_ptr<double> SolveFrom;

  Cholesky(const CholeskySize &Size, Placing Where, FirstTouch Init,
           int Threads, CoreSpeed Speed)
      : Size(Size), Where(Where), Init(Init), Speed(Speed),
        Side(Size.Order / Size.Tile), Bytes(Size.Tile * Size.Tile * 8),
        Owners(Threads, Side) {
    AddressSpace Space;
    for (uint64_t T = 0; T < Side * Side; ++T)
      Tiles.push_back(Space.allocate(Bytes));
  }
  uint64_t tile(uint64_t Row, uint64_t Column) const {
    return Tiles[Row * Side + Column];
  }
  double kernelNs(double FlopsPerCube) const {
    const double B = double(Size.Tile);
    return FlopsPerCube * B * B * B / Speed.Gflops * (B + HalfSpeed) / B;
  }
  /// Tiles go round the threads as ScaLAPACK deals them out.
  int owner(uint64_t Row, uint64_t Column) const {
    return int(Row % uint64_t(Owners.rows()) * uint64_t(Owners.columns()) +
               Column % uint64_t(Owners.columns()));
  }
};

using Shared = std::shared_ptr<const Cholesky>;

struct Tile {
  uint64_t Row, Column;
};

void createTile(Context &C, const Shared &S, Construct Kind,
                double FlopsPerCube, std::vector<Tile> In, Tile Out) {
  TaskSpec Spec;
  Spec.Construct = Kind;
  std::vector<Range> Ranges;
  for (const Tile &T : In) {
    Ranges.push_back({S->tile(T.Row, T.Column), S->Bytes, false});
    Spec.Depends.push_back({S->tile(T.Row, T.Column), DepKind::In});
  }
  const uint64_t To = S->tile(Out.Row, Out.Column);
  Ranges.push_back({To, S->Bytes, true});
  Spec.Depends.push_back({To, Kind == Touch ? DepKind::Out : DepKind::InOut});
  const double Ns = S->kernelNs(FlopsPerCube);
  Spec.Body = [Ranges, Ns](Context &T) {
    T.access(Ranges.data(), Ranges.size(), Ns);
  };
  const uint64_t Owner = uint64_t(S->owner(Out.Row, Out.Column));
  if (Kind == Touch) {
    if (S->Init == FirstTouch::Owners)
      Spec.Affinity = {HintKind::Thread, Owner, 0, true};
    else if (S->Init == FirstTouch::Cyclic)
      Spec.Affinity = {HintKind::Node, Out.Row * S->Side + Out.Column, 0, true};
  } else if (S->Where == Placing::Thread || S->Where == Placing::Strict) {
    Spec.Affinity = {HintKind::Thread, Owner, 0, S->Where == Placing::Strict};
  } else if (S->Where == Placing::Data) {
    Spec.Affinity = {HintKind::Data, To, S->Bytes, false};
  }
  C.create(Spec);
}

/// All of a tile on the \p Number-th node in turn, or its pages.
void placeTile(Context &C, const Cholesky &S, uint64_t Tile, uint64_t Number) {
  const uint64_t Nodes = uint64_t(C.numNodes());
  if (S.Init == FirstTouch::Dealt) {
    C.place(Tile, S.Bytes, int(Number % Nodes));
    return;
  }
  const uint64_t Page = AddressSpace::PageBytes;
  for (uint64_t At = Tile; At < Tile + S.Bytes; At += Page)
    C.place(At, Page, int(At / Page % Nodes));
}

void initialize(Context &C, const Shared &S) {
  uint64_t Number = 0;
  for (uint64_t Row = 0; Row < S->Side; ++Row)
    for (uint64_t Column = 0; Column <= Row; ++Column) {
      const uint64_t Tile = S->tile(Row, Column);
      if (S->Init == FirstTouch::Dealt || S->Init == FirstTouch::Paged) {
        placeTile(C, *S, Tile, Number++);
      } else if (S->Init == FirstTouch::OneThread) {
        const Range R = {Tile, S->Bytes, true};
        C.access(&R, 1, 0);
      } else {
        createTile(C, S, Touch, 0, {}, {Row, Column});
      }
    }
  C.taskwait();
}

void createAll(Context &C, const Shared &S) {
  const uint64_t N = S->Side;
  initialize(C, S);
  *S->SolveFrom = C.now();
  for (uint64_t K = 0; K < N; ++K) {
    createTile(C, S, Potrf, 1.0 / 3, {}, {K, K});
    for (uint64_t M = K + 1; M < N; ++M)
      createTile(C, S, Trsm, 1, {{K, K}}, {M, K});
    for (uint64_t M = K + 1; M < N; ++M) {
      for (uint64_t Column = K + 1; Column < M; ++Column)
        createTile(C, S, Gemm, 2, {{M, K}, {Column, K}}, {M, Column});
      createTile(C, S, Syrk, 1, {{M, K}}, {M, M});
    }
  }
}

} // namespace

TimedProgram cholesky(const CholeskySize &Size, Placing Where, FirstTouch Init,
                      int Threads, CoreSpeed Speed) {
  TimedProgram P;
  const auto S = std::make_shared<Cholesky>(Size, Where, Init, Threads, Speed);
  S->SolveFrom = P.SolveFrom;
  P.Name = "cholesky";
  P.Constructs = {"touch", "potrf", "trsm", "syrk", "gemm"};
  P.ImplicitTask = [S = Shared(S)](Context &C) {
    if (C.thread() == 0)
      createAll(C, S);
  };
  return P;
}

WorkCounts choleskyCounts(const CholeskySize &Size) {
  const uint64_t N = Size.Order / Size.Tile, Touches = N * (N + 1) / 2;
  const uint64_t Trsms = N * (N - 1) / 2, Gemms = N * (N - 1) * (N - 2) / 6;
  const uint64_t Bytes = Size.Tile * Size.Tile * 8;
  WorkCounts Counts;
  Counts.Tasks = Touches + N + 2 * Trsms + Gemms;
  Counts.Depends = Touches + N + 2 * 2 * Trsms + 3 * Gemms;
  Counts.Read = (2 * Trsms + 2 * Gemms) * Bytes;
  Counts.Written = Counts.Tasks * Bytes;
  Counts.Waits = 1;
  return Counts;
}

double choleskyFlops(const CholeskySize &Size) {
  const double N = double(Size.Order);
  return N * N * N / 3;
}

} // namespace locus::lab
