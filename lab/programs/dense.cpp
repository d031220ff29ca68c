//===- programs/dense.cpp - Cholesky and QR by tiles ---------------------===//
//
// Part of Locus, task affinity for OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lab/programs/tiles.h"

#include <algorithm>
#include <memory>

namespace locus::lab {

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

namespace cholesky_tasks {
enum : uint32_t { Touch, Potrf, Trsm, Syrk, Gemm };
}

static void createCholesky(Context &C, const TileMatrix &A, uint64_t Tile,
                           CoreSpeed Speed) {
  using namespace cholesky_tasks;
  const auto Ns = [&](double FlopsPerCube) {
    return tileKernelNs(FlopsPerCube, Tile, Tile, Speed);
  };
  const uint64_t N = A.side();
  for (uint64_t K = 0; K < N; ++K) {
    A.createTask(C, Potrf, Ns(1.0 / 3), {}, {{K, K}});
    for (uint64_t M = K + 1; M < N; ++M)
      A.createTask(C, Trsm, Ns(1), {{K, K}}, {{M, K}});
    for (uint64_t M = K + 1; M < N; ++M) {
      for (uint64_t Column = K + 1; Column < M; ++Column)
        A.createTask(C, Gemm, Ns(2), {{M, K}, {Column, K}}, {{M, Column}});
      A.createTask(C, Syrk, Ns(1), {{M, K}}, {{M, M}});
    }
  }
}

TimedProgram cholesky(const CholeskySize &Size, Placing Where, FirstTouch Init,
                      int Threads, CoreSpeed Speed) {
  TimedProgram P;
  const auto A = std::make_shared<const TileMatrix>(Size.Order / Size.Tile,
                                                    Size.Tile * Size.Tile * 8,
                                                    0, Where, Init, Threads);
  P.Name = "cholesky";
  P.Constructs = {"touch", "potrf", "trsm", "syrk", "gemm"};
  P.ImplicitTask = [A, Size, Speed, From = P.SolveFrom](Context &C) {
    if (C.thread() != 0)
      return;
    A->initialize(C, cholesky_tasks::Touch, true);
    *From = C.now();
    repeat(C, Size.Again, *From,
           [&](Context &T) { createCholesky(T, *A, Size.Tile, Speed); });
  };
  return P;
}

WorkCounts choleskyCounts(const CholeskySize &Size) {
  const uint64_t N = Size.Order / Size.Tile, Touches = N * (N + 1) / 2;
  const uint64_t Trsms = N * (N - 1) / 2, Gemms = N * (N - 1) * (N - 2) / 6;
  const uint64_t Bytes = Size.Tile * Size.Tile * 8;
  WorkCounts Counts;
  const uint64_t Rounds = Size.Again.Rounds;
  Counts.Tasks = Touches + (N + 2 * Trsms + Gemms) * Rounds;
  Counts.Depends = Touches + (N + 2 * 2 * Trsms + 3 * Gemms) * Rounds;
  Counts.Read = (2 * Trsms + 2 * Gemms) * Rounds * Bytes;
  Counts.Written = Counts.Tasks * Bytes;
  Counts.Waits = 1 + (Rounds > 1 || Size.Again.IsGraph ? Rounds : 0);
  return Counts;
}

double choleskyFlops(const CholeskySize &Size) {
  const double N = double(Size.Order);
  return N * N * N / 3;
}

//===----------------------------------------------------------------------===//
// QR
//===----------------------------------------------------------------------===//

namespace qr_tasks {
enum : uint32_t { Touch, Geqrt, Ormqr, Tsqrt, Tsmqr };
}

/// The columns of a panel are reduced one after the other, by products of a
/// matrix and a vector. They read, or read and write, an element for each two
/// operations: what the level 2 cache delivers is about a quarter of the speed.
static constexpr double PanelSlower = 4;

/// Operations in units of B^3: those of the algorithm, of which panels of
/// Inner columns have \p PanelPerSquare B^2 Inner, and the triangular factors'.
static double qrNs(double FlopsPerCube, double PanelPerSquare,
                   const QrSize &Size, CoreSpeed Speed) {
  const uint64_t Inner = std::min(Size.Inner, Size.Tile);
  const double Share = double(Inner) / double(Size.Tile);
  const double Panel = PanelPerSquare * Share;
  return tileKernelNs(FlopsPerCube - Panel + Share + PanelSlower * Panel,
                      Size.Tile, Inner, Speed);
}

static void createQr(Context &C, const TileMatrix &A, const QrSize &Size,
                     CoreSpeed Speed) {
  using namespace qr_tasks;
  const double GeqrtNs = qrNs(4.0 / 3, 1, Size, Speed);
  const double OrmqrNs = qrNs(2, 0, Size, Speed);
  const double TsqrtNs = qrNs(2, 2, Size, Speed);
  const double TsmqrNs = qrNs(4, 0, Size, Speed);
  const DepKind InOut = DepKind::InOut, Out = DepKind::Out;
  const uint64_t N = A.side();
  for (uint64_t K = 0; K < N; ++K) {
    const Tile Diagonal = {K, K}, Factor = {K, K, true};
    A.createTask(C, Geqrt, GeqrtNs, {}, {Diagonal, Factor}, {InOut, Out});
    for (uint64_t J = K + 1; J < N; ++J)
      A.createTask(C, Ormqr, OrmqrNs, {Diagonal, Factor}, {{K, J}});
    for (uint64_t M = K + 1; M < N; ++M) {
      const Tile Below = {M, K}, BelowFactor = {M, K, true};
      A.createTask(C, Tsqrt, TsqrtNs, {}, {Below, Diagonal, BelowFactor},
                   {InOut, InOut, Out});
      for (uint64_t J = K + 1; J < N; ++J)
        A.createTask(C, Tsmqr, TsmqrNs, {Below, BelowFactor}, {{M, J}, {K, J}});
    }
  }
}

TimedProgram qr(const QrSize &Size, Placing Where, FirstTouch Init, int Threads,
                CoreSpeed Speed) {
  TimedProgram P;
  const uint64_t Inner = std::min(Size.Inner, Size.Tile);
  const auto A = std::make_shared<const TileMatrix>(
      Size.Order / Size.Tile, Size.Tile * Size.Tile * 8, Size.Tile * Inner * 8,
      Where, Init, Threads);
  P.Name = "qr";
  P.Constructs = {"touch", "geqrt", "ormqr", "tsqrt", "tsmqr"};
  P.ImplicitTask = [A, Size, Speed, From = P.SolveFrom](Context &C) {
    if (C.thread() != 0)
      return;
    A->initialize(C, qr_tasks::Touch, false);
    *From = C.now();
    createQr(C, *A, Size, Speed);
  };
  return P;
}

WorkCounts qrCounts(const QrSize &Size) {
  const uint64_t N = Size.Order / Size.Tile, Row = N * (N - 1) / 2;
  const uint64_t Tsmqrs = N * (N - 1) * (2 * N - 1) / 6;
  const uint64_t Bytes = Size.Tile * Size.Tile * 8;
  const uint64_t Factor = Size.Tile * std::min(Size.Inner, Size.Tile) * 8;
  WorkCounts Counts;
  Counts.Tasks = N * N + N + 2 * Row + Tsmqrs;
  Counts.Depends = N * N + 2 * N + 3 * Row + 3 * Row + 4 * Tsmqrs;
  Counts.Read = (Row + Tsmqrs) * (Bytes + Factor);
  Counts.Written =
      (N * N + N + 3 * Row + 2 * Tsmqrs) * Bytes + (N + Row) * Factor;
  Counts.Waits = 1;
  return Counts;
}

} // namespace locus::lab
